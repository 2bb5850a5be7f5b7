"""Minimum spans of mentions, by the parse of the key: MINA, as coval finds them.

Moosavi, Born, Poesio & Strube 2019, "Using Automatically Extracted Minimum Spans to Disentangle
Coreference Evaluation from Boundary Detection". The rules are those of coval's `min_span`, also
where they are accidents of how it reads a parse.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from corescore.corpus.documents import Document, Pieces
from corescore.corpus.formats.columns import has_tabs, with_tabs
from corescore.corpus.problems import InputError, Problem, Stage, refuse
from corescore.util import IntArray

# The parse of a document, from the rows that it was read from: column 6 of CoNLL-2012 -------------
# The cells of a sentence, one for each word, are its parse with * for the words, such as `(NP(NP*`
# and `*))`. They are read on demand; the reader of the entities passes them by.

_COLUMN = 6

_NOTHING = ("", "-", "_")

_CELL = re.compile(r"((?:\([^\s()*]+)*)\*(\)*)")

_EXPECTED = f"a parse in column {_COLUMN}, as CoNLL-2012 rows have it"


class Brackets(NamedTuple):
    """The constituents that begin at a word, by their labels, the outermost first, and how many
    end there."""

    opened: tuple[str, ...] = ()
    n_closed: int = 0


def parses_of(documents: Iterable[Document]) -> list[list[Brackets]]:
    """`parse_of` each document. Raises InputError with the problems of all of them."""
    parses: list[list[Brackets]] = []
    errors = []
    for document in documents:
        try:
            parses.append(parse_of(document))
        except InputError as error:
            errors.append(error)
    if errors:
        merged = InputError.of(errors)
        raise InputError(merged.problems, merged.more, Stage.PARSES)
    return parses


def parse_of(document: Document) -> list[Brackets]:
    """The brackets of the parse at each word of a document.

    A word that is not in the text has none. Raises InputError if the document was not read from
    columns, has no parse in column 6, or one whose brackets do not fit.
    """
    cells = list(_parse_cells(document))
    if not any(cell not in _NOTHING for _, cell in cells):
        raise InputError([_problem(document, 0, f"document '{document.name}' without a parse")])
    brackets: list[Brackets] = []
    problems = []
    for line, cell in cells:
        match = _CELL.fullmatch(cell)
        if not match:
            problems.append(_problem(document, line, f"column {_COLUMN} with '{cell}'"))
        opened, closed = match.groups() if match else ("", "")
        brackets.append(Brackets(tuple(opened.split("(")[1:]), len(closed)))
    if not problems:
        lines = [line for line, _ in cells]
        problems = [
            _problem(document, lines[at], what) for at, what in _unbalanced(document, brackets)
        ]
    refuse(problems)
    for at in sorted(document.empty_nodes):
        brackets.insert(at, Brackets())
    return brackets


def _parse_cells(document: Document) -> Iterator[tuple[int, str]]:
    """The line and the sixth column of each word of the text; "" if its row is shorter.

    The last column is that of the entities, never a parse.
    """
    original = document.original
    if original is None or original.format != "conll" or document.lines is None:
        return
    lines = original.text.split("\n")
    numbers = [
        line for at, line in enumerate(document.lines.tolist()) if at not in document.empty_nodes
    ]
    rows = [lines[line - original.line] for line in numbers]
    tabbed = has_tabs("".join(rows[:1]))
    for line, row in zip(numbers, rows if tabbed else map(with_tabs, rows), strict=True):
        columns = row.rstrip(" \t").split("\t")
        yield line, columns[_COLUMN - 1].strip(" ") if len(columns) > _COLUMN else ""


def _unbalanced(document: Document, brackets: Sequence[Brackets]) -> Iterator[tuple[int, str]]:
    """The words at which a sentence closes a constituent that is not open, or leaves one open."""
    ends = {*document.sentence_starts, len(brackets)}
    n_open = 0
    for at, (opened, n_closed) in enumerate(brackets):
        n_open += len(opened) - n_closed
        if n_open < 0:
            yield at, "a ) in the parse without its ("
        elif n_open and at + 1 in ends:
            yield at, f"a sentence that leaves {n_open} ( open"
        if n_open < 0 or at + 1 in ends:
            n_open = 0


def _problem(document: Document, line: int, what: str) -> Problem:
    return Problem(
        document.place,
        line,
        what,
        _EXPECTED,
        "Give the key with its parse, or score without it.",
    )


Labels = tuple[IntArray, IntArray]

_NOMINAL = frozenset({"NP", "NM", "QP", "NX"})  # NM: NML

_VERBAL = frozenset({"VP"})

_FAMILY = {"NP": _NOMINAL, "NM": _NOMINAL, "VP": _VERBAL}

_FUNCTION_WORDS = frozenset({"CC", "DT", "IN"})

_MOST_KEPT = 2**16  # spans whose minimum spans are known

_BRACKETS = frozenset({"-LRB-", "-RRB-"})


class WordRun(NamedTuple):
    """Words of a span without a bracket of the parse between them, `start` up to `end`.

    place  the word with whose row the run ends: its last, if a constituent or the span ends there;
           the one after it, if a constituent begins there
    """

    start: int
    end: int
    place: int


@dataclass(slots=True)
class _Part:
    """A constituent with its parts, or a run of words."""

    label: str = ""
    run: WordRun | None = None
    parts: "list[_Part]" = field(default_factory=list)


@lru_cache(maxsize=_MOST_KEPT)
def minimum_runs(
    words: tuple[str, ...], tags: tuple[str, ...], parse: tuple[Brackets, ...]
) -> tuple[WordRun, ...]:
    """The runs that are the minimum span of a span, by its own words, tags and brackets alone.

    Constituents of a noun phrase are those labelled NP, NML, QP and NX; of a verb phrase VP. A run
    counts if it has a word with a letter or digit (or %) that is no determiner (DT), preposition
    (IN) or conjunction (CC). The minimum span is, whatever comes first:

    1. the runs directly under the outermost constituent;
    2. of each noun phrase directly under it, or verb phrase if there is none, the highest runs,
       looking into constituents of its family only;
    3. if there is no such phrase, the highest runs under the first noun or verb phrases met, from
       the outermost constituents inwards.

    Under several outermost constituents they are taken for parts of a noun phrase. No run is the
    minimum where nothing counts: the span is then its own minimum.
    """

    def counts(part: _Part) -> bool:
        return part.run is not None and any(
            _is_content(words[at], tags[at]) for at in range(part.run.start, part.run.end)
        )

    root = _tree(words, parse)
    direct = [part for part in (root, *root.parts) if counts(part)]
    if direct:
        return _runs(direct[:1] if direct[0] is root else direct)
    family = _family(root)
    phrases = [part for part in root.parts if part.label in family]
    if phrases:
        return _runs(chain(*(_highest(phrase, family, counts) for phrase in phrases)))
    return _runs(_highest(root, None, counts))


def minimum_labels(key: Sequence[Document], response: Sequence[Document]) -> Labels:
    """A number for each mention of both sides, documents one after the other, which is the same
    for two mentions of a document if they have the same minimum span.

    As in coval, two minimum spans are the same if they are in one sentence and have runs of the
    same words that end with the same rows. A mention without a minimum span is told by its words
    and their places in it, so that two "this" of one sentence are the same.

    Raises InputError for keys without parses or parts of speech.
    """
    parses = parses_of(key)
    refuse((_untagged(document) for document in key if not document.tags), Stage.TAGS)
    numbers: dict[Hashable, int] = {}
    sides: tuple[list[int], list[int]] = [], []
    for at, (document, parse) in enumerate(zip(key, parses, strict=True)):
        label = cache(partial(_label, document, parse))
        for side, documents in zip(sides, (key, response), strict=True):
            labels = ((at, *label(mention.runs)) for mention in documents[at].mentions)
            side.extend(numbers.setdefault(one, len(numbers)) for one in labels)
    labels_of_key, labels_of_response = (np.array(side, dtype=np.int64) for side in sides)
    return labels_of_key, labels_of_response


def _label(
    key: Document, parse: Sequence[Brackets], pieces: Pieces
) -> tuple[int, frozenset[tuple[str, int]]]:
    """The sentence of a mention, and the words and places that its minimum span is told by.

    Words that only the response has, after those of the key, have no tag and no bracket.
    """
    positions = [place for start, end in pieces for place in range(start, end)]
    words = tuple(key.words[place] for place in positions)
    tags = tuple(key.tags[place] if place < len(key.tags) else "" for place in positions)
    brackets = tuple(parse[place] if place < len(parse) else Brackets() for place in positions)
    first = key.sentence_starts[bisect_right(key.sentence_starts, positions[0]) - 1]
    runs = minimum_runs(words, tags, brackets)
    labels = [(" ".join(words[run.start : run.end]), positions[run.place] - first) for run in runs]
    return first, frozenset(labels or zip(words, range(len(words)), strict=True))


def _untagged(document: Document) -> Problem:
    return Problem(
        document.place,
        0,
        f"document '{document.name}' without parts of speech",
        "a part of speech in column 5, as CoNLL-2012 rows have it",
        "Give the key with its parts of speech, or match otherwise than by minimum spans.",
    )


def _tree(words: Sequence[str], parse: Sequence[Brackets]) -> _Part:
    """The tree that the brackets of a span make, read alone: some begin or end outside of it."""
    roots: list[_Part] = []
    open_parts: list[_Part] = []
    run_starts = 0

    def add(part: _Part, *, stays_open: bool) -> None:
        (open_parts[-1].parts if open_parts else roots).append(part)
        if stays_open:
            open_parts.append(part)

    def end_run(end: int, place: int) -> None:
        # A run outside of any constituent takes what follows as its parts, until a bracket ends it
        nonlocal run_starts
        if run_starts < end:
            add(_Part(run=WordRun(run_starts, end, place)), stays_open=not open_parts)
        run_starts = end

    for at, (opened, n_closed) in enumerate(parse):
        if opened:
            # Words without a letter or digit are lost before constituents
            if not any(word.isalpha() or word.isdigit() for word in words[run_starts:at]):
                run_starts = at
            end_run(at, at)
        for label in opened:
            add(_Part(label[:2]), stays_open=True)
        if n_closed:  # those that began before the span do not count
            end_run(at + 1, at)
            del open_parts[max(len(open_parts) - n_closed, 0) :]
    end_run(len(parse), len(parse) - 1)
    return roots[0] if len(roots) == 1 else _Part("NP", parts=roots)


def _is_content(word: str, tag: str) -> bool:
    has_sign = word == "%" or any(sign.isalnum() for sign in word)
    return has_sign and word not in _BRACKETS and tag not in _FUNCTION_WORDS


def _family(root: _Part) -> frozenset[str]:
    """The labels of the constituents to look into: noun phrases, unless only verb phrases do."""
    if root.label in _FAMILY:
        return _FAMILY[root.label]
    families = [_FAMILY[part.label] for part in root.parts if part.label in _FAMILY]
    return _VERBAL if families and _NOMINAL not in families else _NOMINAL


def _highest(
    root: _Part, family: frozenset[str] | None, counts: Callable[[_Part], bool]
) -> list[_Part]:
    """Of the runs under a constituent that count, those of the least depth.

    family  the labels of the constituents to look into; None: of the first noun or verb phrase
            met; until then every constituent is looked into, but runs are passed by
    """
    level = [root]
    while level:
        counting = [part for part in level if counts(part)]
        if counting:
            return counting
        below: list[_Part] = []
        for part in level:
            family = family or _FAMILY.get(part.label)
            within = family is not None and part.label in family
            if not part.run and (within or part is root or not family):
                below += [inner for inner in part.parts if within or not inner.run]
        level = below
    return []


def _runs(parts: Iterable[_Part]) -> tuple[WordRun, ...]:
    return tuple(part.run for part in parts if part.run)
