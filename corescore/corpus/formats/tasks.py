"""SACR: a text with its mentions in braces, `{e1 Mia} met {e2:kind="person",n=1 {e1 her} aunt}`.

The name after the brace is the entity's. Properties, comments (lines that begin with `#` or
`*****` before a paragraph) and blanks are lost; `#text_id: NAME` names the document that follows.
Only read. Source: Oberle 2018, "SACR: A drag-and-drop based tool for coreference annotation", and
the files that its web page saves.

GAP: a text a line, with a pronoun, two names A and B, and whether the pronoun means them.

The key has the columns ID, Text, Pronoun, Pronoun-offset, A, A-offset, A-coref, B, B-offset,
B-coref (and URL, which is lost), separated by tabs; offsets are characters from 0. Each line is a
document over the words of its text: the pronoun and the names that are TRUE are one entity. A
system's file has the columns ID, A-coref and B-coref, without a header: its documents have no text,
only mentions named Pronoun, A and B, which are put over the text of a key. Only read. Source:
Webster et al. 2018, "Mind the GAP", and https://github.com/google-research-datasets/gap-coreference.

WinoBias: a sentence a line, `[The lawyer] thanked the clerk because [he] was tired.`

Each line is a document; its mentions in square brackets are one entity, those in round brackets
another. Lines are known by their numbers, with which they may begin. Only read. Source: Zhao et
al. 2018, "Gender bias in coreference resolution: evaluation and debiasing methods".
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.marked_text import (
    Edit,
    MarkedSource,
    Markup,
    marked_document,
    name_of_file,
    tokens_of,
    words_of,
)
from corescore.corpus.problems import InputError, Problem, Problems

_PROPERTY = r'\w+=(?:"[^"\n]*"|\w*)'

_OPEN = rf"\{{(?P<entity>\w+)(?P<properties>:{_PROPERTY}(?:,{_PROPERTY})*)?[ \t\n]"

_BRACE = re.compile(rf"{_OPEN}|(?P<close>\}})|\{{")

_COMMENT = re.compile(r"#|\*{5}")

_NAME = re.compile(r"#text_?id:[ \t]*(.*\S)", re.IGNORECASE)

_HEADER = re.compile(r"^#(?:title|text_?id|corpus|additional_?token)\s*:", re.MULTILINE)

_EXPECTED = 'a mention such as {name the words} or {name:property="value" the words}'


def read_sacr(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    documents: dict[str, Document] = {}
    problems = Problems()
    every_comment = [*_comments(text)]
    for name, comments, source in _sources(text, file, every_comment):
        markup = Markup([*comments])
        problems.extend(_braces(source, markup))
        markup.edits.sort(key=lambda edit: edit.start)
        documents[name], wordless = marked_document(name, source, markup)
        for start, _, entity in wordless:
            found = f"a mention of entity {entity} without a word"
            problems.add(source.problem(start, found, "at least one word", "Delete it."))
    problems.extend(_same_names(MarkedSource(file, text, 0, len(text)), every_comment))
    problems.refuse()
    return Corpus(tuple(documents.values()), file)


def _comments(text: str) -> Iterator[tuple[Edit, str]]:
    """The lines of comments, and the name that each gives to a document, or ""."""
    at, before_paragraph = 0, True
    for line in text.splitlines(keepends=True):
        is_comment = before_paragraph and bool(_COMMENT.match(line))
        if is_comment:
            name = _NAME.match(line)
            yield Edit(at, at + len(line), "\n"), name[1] if name else ""
        before_paragraph = is_comment or not line.strip()
        at += len(line)


def _sources(
    text: str, file: str, comments: Sequence[tuple[Edit, str]]
) -> Iterator[tuple[str, list[Edit], MarkedSource]]:
    """(name, comments, where it stands) of each document."""
    marks = [(edit.start, name) for edit, name in comments if name]
    marks = marks or [(0, name_of_file(file))]
    marks[0] = (0, marks[0][1])
    ends = [*(start for start, _ in marks[1:]), len(text)]
    whole = MarkedSource(file, text, 0, len(text))
    starts = [edit.start for edit, _ in comments]
    for (start, name), end in zip(marks, ends, strict=True):
        within = comments[bisect_left(starts, start) : bisect_left(starts, end)]
        yield (
            name,
            [edit for edit, _ in within],
            MarkedSource(file, text, start, end, whole.line(start)),
        )


def _same_names(whole: MarkedSource, comments: Sequence[tuple[Edit, str]]) -> Iterator[Problem]:
    seen: set[str] = set()
    for edit, name in comments:
        if name in seen:
            found, advice = f"a second document '{name}'", "Rename one of them."
            yield whole.problem(edit.start, found, "each name once", advice)
        seen |= {name} - {""}


def _braces(source: MarkedSource, markup: Markup) -> Iterator[Problem]:
    """Take in the mentions; the problems with braces outside of comments."""
    opened = array("q")
    starts = array("q", (edit.start for edit in markup.edits))
    ends = array("q", (edit.end for edit in markup.edits))
    for match in _BRACE.finditer(source.text, source.start, source.end):
        comment = bisect_right(starts, match.start()) - 1
        if comment >= 0 and match.start() < ends[comment]:
            continue
        if match["entity"]:
            opened.append(match.start())
        elif match["close"] and opened:
            start = source.again(_BRACE, opened.pop())
            markup.drop(start)
            markup.drop(match)
            markup.mentions.append((start.end(), match.start(), start["entity"]))
        else:
            what = "closes a mention that was never opened" if match["close"] else "no mention"
            found = f"{source.excerpt(match.start())}: {what}"
            yield source.problem(match.start(), found, _EXPECTED, "Fix the brace.")
    for at in opened:
        found = f"{source.excerpt(at)}: opens a mention that is never closed"
        yield source.problem(at, found, "a '}' after it", "Close the brace.")


def fits_sacr(text: str) -> bool:
    """Whether there are braces with properties or in braces, or a header or a text around them.

    Braces that follow each other with nothing between are the papers' notation.
    """
    if text.lstrip().startswith(('{"', "{'")):
        return False
    found, depth, n_outside = re.search(_OPEN, text[:100_000]), 0, 0
    if not found or found["properties"] or _HEADER.search(text, 0, 100_000):
        return bool(found)
    lines = [line for line in text[:100_000].split("\n") if not _COMMENT.match(line)]
    for piece in re.findall(r"[{}]|[^{}\s]+", "\n".join(lines)):
        depth += (piece == "{") - (piece == "}")
        n_outside += depth == 0 and piece not in "{}"
        if depth > 1 or n_outside > 3:
            return True
    return False


SACR = Format(id="sacr", title="SACR", suffixes=(".sacr",), fits=fits_sacr, read=read_sacr)

PRONOUN, NAMES = "Pronoun", ("A", "B")

ALL = (PRONOUN, *NAMES)

_ANSWERS = ("ID", "A-coref", "B-coref")

_NEEDED = ("ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "B", "B-offset")

_LABELS = {"true": True, "false": False}

_ANSWER = re.compile(r"[^\t\n]+\t(?:true|false)\t(?:true|false)[ \t]*(?:\n|$)", re.IGNORECASE)


def read_gap(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    first, line = next(_lines(text))
    header = line.rstrip().split("\t")
    columns = header if "ID" in header else [*_ANSWERS]
    needed = {*_ANSWERS, *(_NEEDED if "Text" in columns else ())}
    if missing := sorted(needed - set(columns)):
        found = f"no column {', '.join(missing)}"
        expected = f"the columns {', '.join(_ANSWERS)}, and of a key {', '.join(_NEEDED[1:])}"
        raise InputError([Problem(file, first, found, expected, "Add them.")])
    documents: dict[str, Document] = {}
    problems = Problems()
    for number, line in islice(_lines(text), columns is header, None):
        row = _GapRow(file, number, columns, line)
        try:
            document = row.document()
        except InputError as error:
            problems.extend(error.problems)
            continue
        if document.name in documents:
            found, advice = f"a second document '{document.name}'", "Delete one of them."
            problems.add(Problem(file, number, found, "each ID once", advice))
        documents[document.name] = document
    if not documents and not problems:
        problems.add(Problem(file, 0, "no document", "a line for each text", "Add them."))
    problems.refuse()
    return Corpus(tuple(documents.values()), file)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """(number, line) of each line that is not empty."""
    return ((n, line) for n, line in enumerate(text.split("\n"), start=1) if line.strip())


class _GapRow:
    """A line of the file: the cells of its columns."""

    def __init__(self, file: str, number: int, columns: Sequence[str], line: str) -> None:
        self.file, self.number = file, number
        cells = line.split("\t")
        self.n_cells, self.n_columns = len(cells), len(columns)
        self.cells = dict(zip(columns, cells, strict=False))

    def document(self) -> Document:
        """The document of this line."""
        if self.n_cells != self.n_columns:
            expected = f"{self.n_columns}, separated by tabs"
            self.refuse(f"{self.n_cells} columns", expected, "Write a tab between columns.")
        name = self.cells["ID"].strip()
        if not name:
            self.refuse("no ID", "a name for each line", "Add it.")
        entity = [name for name in NAMES if self.is_true(f"{name}-coref")]
        entity += [PRONOUN] if entity else []
        return self.over_text(name, entity) if "Text" in self.cells else self.named(name, entity)

    def named(self, name: str, entity: Sequence[str]) -> Document:
        """Over the names of the three mentions, as there is no text."""
        return Document.of_rows(
            name,
            [(ALL.index(mention), ALL.index(mention) + 1, 0) for mention in entity],
            words=ALL,
            named_mentions=True,
            file=self.file,
            lines=np.full(len(ALL), self.number),
        )

    def over_text(self, name: str, entity: Sequence[str]) -> Document:
        """Over the words of the text; it knows where the three mentions are."""
        text = self.cells["Text"]
        characters = {mention: self.span(text, mention) for mention in ALL}
        words = words_of(text, characters.values())
        spans = {
            mention: found
            for mention, (start, end) in characters.items()
            if (found := words.covering(start, end))
        }
        for mention in set(ALL) - spans.keys():
            self.refuse(f"{mention} without a word", "at least one word", "Fix the column.")
        return Document.of_rows(
            name,
            [(*spans[mention], 0) for mention in entity],
            words=words.words,
            named_spans=spans,
            file=self.file,
            lines=np.full(len(words.words), self.number),
        )

    def span(self, text: str, mention: str) -> tuple[int, int]:
        """(start, end) of a mention in characters of the text."""
        offset, said = self.cells[f"{mention}-offset"].strip(), self.cells[mention]
        start = int(offset) if offset.isascii() and offset.isdecimal() and len(offset) < 10 else -1
        if start < 0 or not said or text[start : start + len(said)] != said:
            found = f"'{said}' is not at character {offset or '?'} of the text"
            expected = f"{mention} at its offset, counted in characters from 0"
            self.refuse(found, expected, f"Fix the column {mention}-offset.")
        return start, start + len(said)

    def is_true(self, column: str) -> bool:
        """Whether a cell says TRUE."""
        label = self.cells[column].strip()
        if label.lower() not in _LABELS:
            self.refuse(f"'{label}' as {column}", "TRUE or FALSE", "Fix the cell.")
        return _LABELS[label.lower()]

    def refuse(self, found: str, expected: str, advice: str) -> None:
        raise InputError([Problem(self.file, self.number, found, expected, advice)])


def fits_gap(text: str) -> bool:
    """Whether the first line is the header of a key, or that or an answer of a system."""
    first = text.lstrip("\n").split("\n", 1)[0]
    columns = set(first.split("\t"))
    is_header = "ID" in columns and bool(columns & {"A-coref", "Pronoun-offset"})
    return is_header or bool(_ANSWER.match(first))


GAP = Format(id="gap", title="GAP", suffixes=(".gap",), fits=fits_gap, read=read_gap)

_NUMBER = re.compile(r"\s*(\d{1,9})\s+")

_MENTION = re.compile(r"\[([^\[\]()\n]*\w[^\[\]()\n]*)\]|\(([^\[\]()\n]*\w[^\[\]()\n]*)\)")

_WINOBIAS_EXPECTED = "two mentions or more in brackets of one kind"

_OPENING, _CLOSING = "[(", "])"

_BRACKET = re.compile(r"[\[\]()]")

_FITTING = re.compile(r"[^\[\]\n]*(?:\[[^\[\]()\n]+\](?!\()[^\[\]\n]*){2}")


def read_winobias(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    firsts = (_NUMBER.match(line) for _, _, line in _winobias_lines(text))
    numbered = all(first and int(first[1]) == n for n, first in enumerate(firsts, start=1))
    problems = Problems()
    documents: list[Document] = []
    for name, (number, at, line) in enumerate(_winobias_lines(text), start=1):
        first = _NUMBER.match(line)
        start = at + first.end() if numbered and first else at
        end = at + len(line)
        if wrong := _wrong(text, start, end):
            source = MarkedSource(file, text, start, end, number)
            told = f"{source.excerpt(start)}: {wrong[0]}"
            problems.add(source.problem(start, told, _WINOBIAS_EXPECTED, wrong[1]))
        elif not problems:
            documents.append(_document(str(name), text[start:end], file, number))
    problems.refuse()
    warning = (
        f"{file}: read as WinoBias: each line is a document, and its mentions in square brackets "
        "are one entity."
    )
    return Corpus(tuple(documents), file, (warning,))


def _winobias_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """(number, position, line) of each line that is not empty."""
    at = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, at, line
        at += len(line) + 1


def _document(name: str, line: str, file: str, number: int) -> Document:
    """The document of a line without its brackets: each is a word of its own in `tokens_of`."""
    words: list[str] = []
    rows: list[tuple[int, int, str]] = []
    opened = 0
    for word in tokens_of(line).words:
        if word in _OPENING:
            opened = len(words)
        elif word in _CLOSING:
            rows.append((opened, len(words), word))
        else:
            words.append(word)
    lines = np.full(len(words), number)
    return Document.of_rows(name, rows, words=words, file=file, lines=lines)


def _wrong(text: str, start: int, end: int) -> tuple[str, str] | None:
    """What is wrong with a line, and what to do; None if nothing is."""
    kinds = [text[match.start()] for match in _MENTION.finditer(text, start, end)]
    if len(_BRACKET.findall(text, start, end)) > 2 * len(kinds):
        return "brackets that nest, are empty or have no partner", "Fix the brackets."
    if not kinds:
        return "no mention", "Mark the other mention, or delete the line."
    for kind, name in (("[", "square"), ("(", "round")):
        if kinds.count(kind) == 1:
            found = f"one mention in {name} brackets"
            return found, "Mark the other mention, or delete the line."
    return None


def fits_winobias(text: str) -> bool:
    """Whether there are several lines, each with exactly two mentions in square brackets."""
    if text.lstrip().startswith(("{", '["', "[{")):
        return False  # JSON
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) > 1 and all(map(_FITTING.fullmatch, lines))


WINOBIAS = Format(
    id="winobias",
    title="WinoBias lines",
    suffixes=(".winobias",),
    fits=fits_winobias,
    read=read_winobias,
)
