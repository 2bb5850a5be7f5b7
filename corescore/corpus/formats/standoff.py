"""Standoff formats whose words stand in a plain text: brat and LitBank's tab files.

First what all standoff formats share: files that belong together, character offsets on words,
mentions in pieces, entities out of links.

brat: `x.ann` with one mention per line, by character positions of the plain text `x.txt`.

    T1<tab>Person 0 3<tab>Mia             half-open characters; `0 3;5 8` is discontinuous
    R1<tab>Coref Arg1:T1 Arg2:T2          a link; `*<tab>Equiv T1 T2 T3` links several

Every T line is a mention, except the triggers of events; one that nothing links is an entity of its
own. Lost: events, attributes, notes and other relations, which a warning counts. LitBank's own
use is read as well: there a second T line on the same characters names the entity (`Mia-1`), and
the type of the first is that of mention and entity (`PROP_PER`).

Source: https://brat.nlplab.org/standoff.html

LitBank: `x.ann` with one mention per row, by sentence and word of the text `x.txt`.

    MENTION<tab>T1<tab>0<tab>0<tab>0<tab>1<tab>Mia Moss<tab>PER<tab>PROP    both words inclusive
    COREF<tab>T1<tab>Mia-1                                                  the entity of a mention

The text has one sentence per line, words between blanks; both count from 0. Mentions without a
COREF row are entities of their own, as in LitBank's own CoNLL files; the links COP and APPOS are
not coreference there and are counted in a warning.

Source: https://github.com/dbamman/litbank
"""

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from typing import Any, TypeVar

from corescore.corpus.documents import Attributes, Corpus, Document, Pieces
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.marked_text import tokens_of
from corescore.corpus.packed import in_lines
from corescore.corpus.problems import InputError, Problem, Problems
from corescore.wording import counted

Name = TypeVar("Name", bound=Hashable)

_LONG = 80


@dataclass(frozen=True)
class TextPair:
    """A file of mentions and the file of its text.

    name   of the document: the path of the first file without its ending
    file   the path of the first file, for messages; `first` is its text, with LF after each line
    other  the path of the second file; `second` is its text, as character offsets count it
    """

    name: str
    file: str
    first: str
    other: str
    second: str


def with_ending(
    ending: str, *others: str, folders: tuple[str, ...] = ("",)
) -> Callable[[str], tuple[tuple[str, ...], ...]]:
    """For `Format.beside`: a file of this ending is read with those of the same name up to there.

    The others are in one of the folders. Each file may be gzipped.
    """

    def beside(name: str) -> tuple[tuple[str, ...], ...]:
        plain = posixpath.basename(name).removesuffix(".gz")
        if not plain.endswith(ending) or plain == ending:
            return ()
        stem = plain.removesuffix(ending)
        return tuple(
            tuple(folder + stem + other + gz for folder in folders for gz in ("", ".gz"))
            for other in others
        )

    return beside


def stem_of(name: str, ending: str) -> str:
    """A path without the ending of its format."""
    return name.removesuffix(".gz").removesuffix(ending)


def pair_of(texts: Mapping[str, str], place: str, ending: str, other: str) -> TextPair:
    """The two files of a format, as `Format.read_files` is given them.

    Raises InputError where the second is missing, with the name that it should have.
    """
    (name, first), *rest = texts.items()
    stem, file = stem_of(name, ending), path_in(place, name)
    for second_name, second in rest:
        if second_name.removesuffix(".gz").endswith(other):
            return TextPair(stem, file, in_lines(first), path_in(place, second_name), second)
    expected = f"'{posixpath.basename(stem)}{other}', the file of its words, beside it"
    advice = "Put both files into one folder, or into one zip archive to upload them."
    raise InputError([Problem(file, 0, "mentions without their words", expected, advice)])


def alone(text: str, file: str) -> tuple[dict[str, str], str]:
    """A single file as the arguments `texts` and `place` of `Format.read_files`."""
    place, name = posixpath.split(file)
    return {name: text}, place


def path_in(place: str, name: str) -> str:
    """The path of a file of a folder, for messages."""
    return posixpath.normpath(f"{place}/{name}") if place else name


def quoted(text: str) -> str:
    """Text in quotes on one line; of a long one the start and the end."""
    line = " ".join(text.split())
    return f"'{line}'" if len(line) <= _LONG else f"'{line[: _LONG // 2]} … {line[-_LONG // 2 :]}'"


class Offsets:
    """The words of a plain text, and mentions on them out of character positions.

    A mention that begins or ends within a word takes the whole word; `widened` lists these
    mentions, and `warnings` counts them.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens_of(text)
        self.widened: list[str] = []

    @property
    def sentence_starts(self) -> list[int]:
        """The first word of each line that has one."""
        line_starts = accumulate(len(line) for line in self.text.splitlines(keepends=True))
        firsts = [self.tokens.covering(start, len(self.text)) for start in (0, *line_starts)]
        return sorted({first for first, _ in filter(None, firsts)})

    @property
    def sentences(self) -> list[tuple[str, ...]]:
        """The words of each line that has some."""
        starts = [*self.sentence_starts, len(self.tokens.words)]
        return [self.tokens.words[start:end] for start, end in pairwise(starts)]

    def runs(self, *spans: tuple[int, int]) -> Pieces:
        """The words that half-open spans of characters cover, in pieces.

        () if they cover none, or are not in the text.
        """
        if not all(0 <= start < end <= len(self.text) for start, end in spans):
            return ()
        found = [self.tokens.covering(*span) for span in spans]
        runs = joined_runs(run for run in found if run)
        if runs and any(self.tokens.cuts(*span) for span in spans):
            written = " … ".join(self.text[start:end] for start, end in spans)
            words = " … ".join(" ".join(self.tokens.words[s:e]) for s, e in runs)
            self.widened.append(f"{quoted(written)} became {quoted(words)}")
        return runs

    def warnings(self, file: str) -> Iterator[str]:
        """That mentions were widened, if they were."""
        return widened_warnings(file, self.widened)


def widened_warnings(file: str, widened: Sequence[str]) -> Iterator[str]:
    """How many mentions were widened, with an example; nothing if none was."""
    if widened:
        number = counted(len(widened), "mention")
        yield f"{file}: {number} cut a word and took the whole of it: {widened[0]}"


def joined_runs(runs: Iterable[tuple[int, int]]) -> Pieces:
    """Half-open runs of words ascending, those joined that touch or overlap."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(runs):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return tuple(joined)


def run_of(position: Mapping[Name, int], first: Name, last: Name) -> tuple[int, int] | None:
    """From the first to the last word, half-open; None if one is not there or they are swapped."""
    start, end = position.get(first, -1), position.get(last, -1)
    return (start, end + 1) if 0 <= start <= end else None


@dataclass(frozen=True)
class Found:
    """A mention: its words in pieces, ascending, its entity, and what a file says of it."""

    runs: Pieces
    entity: Hashable
    entity_type: str = ""
    mention_type: str = ""
    minimum: tuple[int, int] = (-1, -1)


def document_of(
    name: str,
    file: str,
    words: Sequence[str],
    sentence_starts: Sequence[int],
    found: Sequence[Found],
    **more: Any,
) -> Document:
    """The document with these mentions; `more` as in `Document.of_rows`."""
    return Document.of_rows(
        name,
        [(one.runs[0][0], one.runs[-1][1], one.entity) for one in found],
        words=words,
        sentence_starts=sentence_starts,
        file=file,
        attributes=Attributes.of(
            len(found),
            minimum=[one.minimum for one in found],
            pieces=[one.runs if len(one.runs) > 1 else () for one in found],
            entity_type=[one.entity_type for one in found],
            mention_type=[one.mention_type for one in found],
        ),
        **more,
    )


def linked(names: Iterable[Name], links: Iterable[tuple[Name, Name]]) -> dict[Name, Name]:
    """For each mention the one that stands for its entity, the same for all that are linked."""
    parent = {name: name for name in names}

    def top(name: Name) -> Name:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for first, second in links:
        parent[top(second)] = top(first)
    return {name: top(name) for name in parent}


# brat --------------------------------------------------------------------------------------------

_MENTION = re.compile(r"(T\w+)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?", re.ASCII)

_RELATION = re.compile(r"(R\w+)\t(\S+) \w+:(\S+) \w+:(\S+)\s*", re.ASCII)

_SAME = re.compile(r"\*\t(\S+)((?: T\w+)+)\s*", re.ASCII)

_EVENT = re.compile(r"E\w+\t\S+?:(T\w+)", re.ASCII)

_OTHER = re.compile(r"[#ANM]\S*\t", re.ASCII)

_COREFERENCE = re.compile(r"co-?ref|anaph|ident|same|equiv", re.IGNORECASE)

_LITBANK_MENTION = re.compile(r"(NOM|PRON|PROP)_([A-Z]+)")

_LITBANK_ENTITY = re.compile(r".+-\d+")

_MOST_DIGITS = 12  # no text has as many characters, and Python refuses to read far longer numbers


@dataclass(frozen=True)
class _Line:
    """A T line: a span of characters with a type."""

    id: str
    type: str
    spans: tuple[tuple[int, int], ...]
    text: str | None
    line: int


@dataclass
class _Annotations:
    """What the lines of a file say."""

    spans: dict[str, _Line] = field(default_factory=dict)
    links: list[tuple[int, str, str]] = field(default_factory=list)
    triggers: set[str] = field(default_factory=set)
    others: Counter[str] = field(default_factory=Counter)


def read_brat(texts: Mapping[str, str], place: str, side: str = "key") -> Corpus:
    """The document of a pair of files; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    pair = pair_of(texts, place, ".ann", ".txt")
    problems = Problems()
    found = _annotations(pair, problems)
    text = _text_meant(pair.second, found)
    problems.extend(_elsewhere(pair, found, text))
    problems.refuse()
    offsets = Offsets(text)
    runs = {line.id: offsets.runs(*line.spans) for line in found.spans.values()}
    for name in (name for name, of in runs.items() if not of):
        line, blank = found.spans[name].line, f"{name} on blanks only"
        raise InputError([Problem(pair.file, line, blank, "words", "Fix its positions.")])
    document = document_of(
        pair.name,
        pair.file,
        offsets.tokens.words,
        offsets.sentence_starts,
        [Found(runs[line.id], of, *_kinds(line.type)) for line, of in _entities(found)],
    )
    return Corpus((document,), pair.file, (*offsets.warnings(pair.file), *_warnings(pair, found)))


def _annotations(pair: TextPair, problems: Problems) -> _Annotations:
    found = _Annotations()
    for number, line in enumerate(pair.first.lstrip("\ufeff").split("\n"), start=1):
        if line.strip() and not _take(found, line, number):
            expected = "a line of brat standoff, such as 'T1<tab>Person 0 3<tab>Mia'"
            cut = f"'{line[:40]}'"
            problems.add(Problem(pair.file, number, cut, expected, "Fix the line."))
    problems.extend(_dangling(pair, found))
    return found


def _dangling(pair: TextPair, found: _Annotations) -> Iterator[Problem]:
    """Links to lines that are not there. Those between events are counted, not read."""
    for number, *ends in found.links:
        for end in ends:
            if end not in found.spans and end[0] == "T":
                message = f"a link to {end}, which is nowhere"
                expected, advice = "a T line of the file", "Add the line."
                yield Problem(pair.file, number, message, expected, advice)
    between = [link for link in found.links if found.spans.keys() >= {*link[1:]}]
    if len(between) < len(found.links):
        found.others["coreference of events"] += len(found.links) - len(between)
        found.links = between


def _take(found: _Annotations, line: str, number: int) -> bool:
    """Note what a line says; whether it is one of brat's."""
    if match := _MENTION.fullmatch(line):
        return _take_mention(found, match, number)
    if match := _RELATION.fullmatch(line):
        _, kind, first, second = match.groups()
        if _COREFERENCE.match(kind):
            found.links.append((number, first, second))
        else:
            found.others[kind] += 1
    elif match := _SAME.fullmatch(line):
        first, *rest = match[2].split()
        found.links += [(number, first, other) for other in rest]
    elif match := _EVENT.match(line):
        found.triggers.add(match[1])
    else:
        return _OTHER.match(line) is not None
    return True


def _take_mention(found: _Annotations, match: re.Match[str], number: int) -> bool:
    name, kind, numbers, text = match.groups()
    if name in found.spans or any(len(one) > _MOST_DIGITS for one in re.split("[ ;]", numbers)):
        return False
    spans = tuple((int(start), int(end)) for start, end in map(str.split, numbers.split(";")))
    found.spans[name] = _Line(name, kind, spans, text, number)
    return True


def _text_meant(text: str, found: _Annotations) -> str:
    """The text as the annotations count it: some tools count CR LF as one, or leave out a mark.

    The first reading on which all mentions stand where they say; else the text as it is.
    """
    plain = text.removeprefix("\ufeff")
    readings = (text, in_lines(text), plain, in_lines(plain))
    fitting = (one for one in readings if all(_stands(line, one) for line in found.spans.values()))
    return next(fitting, text)


def _stands(line: _Line, text: str) -> bool:
    if any(not 0 <= start < end <= len(text) for start, end in line.spans):
        return False
    covered = " ".join(text[start:end] for start, end in line.spans)
    return line.text is None or line.text.split() == covered.split()


def _elsewhere(pair: TextPair, found: _Annotations, text: str) -> Iterator[Problem]:
    """The mentions that do not stand where they say."""
    for line in found.spans.values():
        if not _stands(line, text):
            places = ";".join(f"{start} {end}" for start, end in line.spans[:3])
            covered = " ".join(text[start:end] for start, end in line.spans)
            message = f"{line.id} {quoted(line.text or '')} at {places}, where the text has "
            expected = f"characters of {pair.other} ({len(text)} in all)"
            advice = "Take the text that was annotated."
            yield Problem(pair.file, line.line, message + quoted(covered), expected, advice)


def _entities(found: _Annotations) -> list[tuple[_Line, str]]:
    """Each mention with what stands for its entity."""
    lines = [line for line in found.spans.values() if line.id not in found.triggers]
    if _is_litbank(found):
        return _litbank_entities(lines)
    entity = linked(found.spans, [(first, second) for _, first, second in found.links])
    return [(line, entity[line.id]) for line in lines]


def _is_litbank(found: _Annotations) -> bool:
    types = {line.type for line in found.spans.values()}
    return not found.links and all(
        any(pattern.fullmatch(kind) for kind in types)
        for pattern in (_LITBANK_MENTION, _LITBANK_ENTITY)
    )


def _litbank_entities(lines: list[_Line]) -> list[tuple[_Line, str]]:
    """Each mention with its entity: by each line that names one, or as an entity of its own.

    A line that names an entity and stands on no mention of its own is a mention, too.
    """
    named = [line for line in lines if not _LITBANK_MENTION.fullmatch(line.type)]
    mention_on = {line.spans: line for line in lines if _LITBANK_MENTION.fullmatch(line.type)}
    rows = [(mention_on.get(line.spans, line), line.type) for line in named]
    taken = {line.spans for line in named}
    return rows + [(line, line.id) for line in mention_on.values() if line.spans not in taken]


def _kinds(type: str) -> tuple[str, str]:
    """(entity type, mention type) of a T line's type."""
    if match := _LITBANK_MENTION.fullmatch(type):
        return match[2], match[1]
    return "" if _LITBANK_ENTITY.fullmatch(type) else type, ""


def _warnings(pair: TextPair, found: _Annotations) -> Iterator[str]:
    if found.others:
        types = ", ".join(sorted(found.others))
        number = counted(found.others.total(), "relation")
        yield f"{pair.file}: {number} not read as coreference: {types}"
    if found.spans and not found.links and not _is_litbank(found):
        yield f"{pair.file}: no coreference relation: each mention is taken as an entity of its own"


def fits_brat(text: str) -> bool:
    """Whether the first line is one of brat's."""
    line = text.lstrip("\ufeff\r\n ").split("\n", 1)[0].rstrip("\r")
    lines = (_MENTION, _RELATION, _SAME)
    return any(one.fullmatch(line) for one in lines) or bool(_EVENT.match(line))


BRAT = Format(
    id="brat",
    title="brat standoff (.ann with .txt)",
    suffixes=(".ann",),
    fits=fits_brat,
    read=lambda text, file, side: read_brat(*alone(text, file)),
    beside=with_ending(".ann", ".txt"),
    read_files=read_brat,
)

# LitBank -----------------------------------------------------------------------------------------

_FIRST = re.compile(r"MENTION\t\S+(\t\d+){4}\t|COREF\tT\d+\t\S")


def read_litbank(texts: Mapping[str, str], place: str, side: str = "key") -> Corpus:
    """The document of a pair of files; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    pair = pair_of(texts, place, ".ann", ".txt")
    text = in_lines(pair.second.removeprefix("\ufeff"))
    sentences = [line.split() for line in text.split("\n")]
    words = [word for sentence in sentences for word in sentence]
    places = (f"{s}.{w}" for s, sentence in enumerate(sentences) for w in range(len(sentence)))
    position = {place: at for at, place in enumerate(places)}
    mentions: dict[str, Found] = {}
    entities: dict[str, tuple[int, str]] = {}
    n_links, problems = 0, Problems()

    def refuse(line: int, found: str, expected: str, advice: str = "Fix the row.") -> None:
        problems.add(Problem(pair.file, line, found, expected, advice))

    for number, line in enumerate(pair.first.removeprefix("\ufeff").split("\n"), start=1):
        match line.split("\t"):
            case ["MENTION", name, *at, text, entity_type, mention_type] if len(at) == 4:
                if name in mentions:
                    refuse(number, f"a second mention {name}", "each id once")
                first, last = ".".join(at[:2]), ".".join(at[2:])
                run = run_of(position, first, last)
                covered = words[slice(*run)] if run else []
                if run and text.split() == covered:
                    mentions[name] = Found((run,), name, entity_type, mention_type)
                    continue
                stands = f" (there stands {quoted(' '.join(covered))})" if run else ""
                found = f"{quoted(text)} at {first} to {last}{stands}"
                expected = f"sentences and words of {pair.other}, counted from 0"
                refuse(number, found, expected, "Take the text that was annotated.")
            case ["COREF", name, entity] if entity.strip():
                if name in entities:
                    refuse(number, f"a second entity of {name}", "one entity a mention")
                entities[name] = number, entity
            case ["COP" | "APPOS", _, _]:
                n_links += 1
            case cells if any(map(str.strip, cells)):
                refuse(number, f"'{line[:40]}'", "MENTION, COREF, COP or APPOS")
    if not problems:
        for name, (number, _) in entities.items():
            if name not in mentions:
                refuse(number, f"a COREF row for {name}", "a MENTION row for it")
    problems.refuse()
    every = [
        replace(mention, entity=("named", entities[name][1])) if name in entities else mention
        for name, mention in mentions.items()
    ]
    ends = accumulate(map(len, sentences))
    starts = [end - len(of) for end, of in zip(ends, sentences, strict=True) if of]
    document = document_of(pair.name, pair.file, words, starts, every)
    links = counted(n_links, "link")
    warning = f"{pair.file}: {links} of copula and apposition not read as coreference"
    return Corpus((document,), pair.file, (warning,) * bool(n_links))


def fits_litbank(text: str) -> bool:
    """Whether the first line is a MENTION or COREF row."""
    return _FIRST.match(text.lstrip("\ufeff\r\n ")) is not None


LITBANK = Format(
    id="litbank",
    title="LitBank tab files (.ann with .txt)",
    suffixes=(".ann",),
    fits=fits_litbank,
    read=lambda text, file, side: read_litbank(*alone(text, file)),
    beside=with_ending(".ann", ".txt"),
    read_files=read_litbank,
)
