"""CoNLL-2011/2012 and SemEval-2010 columns: a word a line, entities as brackets in the last column.

Read leniently where the meaning is plain (tabs or blanks, `part` and `#end document` optional, an
empty last column, leading zeros, `|` optional), refused where it is not.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from corescore.documents import Corpus, Document
from corescore.formats.format import Format
from corescore.problems import InputError, Problem

BEGIN, END = "#begin document", "#end document"
NOTHING = frozenset(("-", "_", "*", ""))
_BRACKETS = re.compile(r"(\(?)([0-9]+)(\)?)")
_IN_PARENTHESES = re.compile(r"\((.*)\)[\s;]*(?:part\s+(\S+))?")
_BARE = re.compile(r"(.*?)[\s;]*(?:;\s*part\s+(\S+))?")


def read_conll(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    drafts: list[_Draft] = []
    problems: list[Problem] = []
    lines = text.split("\n")
    for start, stop in _chunks(lines):
        if lines[start].startswith(BEGIN):
            drafts.append(_Draft(_document_name(lines[start]), file, start + 1))
            drafts[-1].read(lines, start + 1, stop)
        else:
            problems += _orphans(lines, start, stop, file)
    documents = tuple(draft.document() for draft in drafts)
    problems += _bad_names(drafts)
    problems += [problem for draft in drafts for problem in draft.problems]
    if problems or not drafts:
        problems.sort(key=lambda problem: problem.line)
        raise InputError(problems or [_no_document(file)])
    return Corpus(documents, file, tuple(w for draft in drafts for w in draft.warnings))


def _chunks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Stretches of lines that begin with #begin document, #end document or the file."""
    marks = [i for i, line in enumerate(lines) if line[:1] == "#" and line.startswith((BEGIN, END))]
    starts = marks if marks[:1] == [0] else [0, *marks]
    return zip(starts, [*starts[1:], len(lines)], strict=True)


def _document_name(line: str) -> str:
    """The name, with the part unless it is 0: `(x); part 003` is "x; part 3"."""
    rest = line[len(BEGIN) :].strip()
    found = _IN_PARENTHESES.fullmatch(rest) or _BARE.fullmatch(rest)
    assert found is not None  # _BARE fits every line
    name, part = found[1].strip(), found[2] or "0"
    part = str(int(part)) if part.isdecimal() else part
    return name if part == "0" else f"{name}; part {part}"


@dataclass
class _Draft:
    """A document while it is read. Positions in a file are inclusive, here half-open."""

    name: str
    file: str
    line: int
    words: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    sentence_starts: list[int] = field(default_factory=list)
    speakers: list[str] = field(default_factory=list)
    rows: list[tuple[int, int, int]] = field(default_factory=list)
    open_rows: dict[int, list[int]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def read(self, lines: Sequence[str], start: int, stop: int) -> None:
        """Take in the rows lines[start:stop]."""
        separator, word_column, n_columns = None, -1, -1
        words, numbers = self.words, self.lines
        for number, line in enumerate(lines[start:stop], start=start + 1):
            fields = line.split(separator)
            if len(fields) != n_columns or line[0] == "#":
                if not line or line.isspace():
                    n_columns = -1  # CoNLL-2012 has another number of columns in every sentence
                    continue
                if line[0] == "#" and not line.startswith(self.name):
                    continue
                if word_column < 0:
                    separator = "\t" if "\t" in line else None
                    fields = line.split(separator)
                    word_column = _word_column(fields, self.name)
                if n_columns < 0:
                    n_columns = max(len(fields), word_column + 2)
                    self._begin_sentence(fields, word_column)
                if len(fields) != n_columns:
                    self._refuse(number, f"{len(fields)} columns", *_expected_columns(n_columns))
                    continue
            words.append(fields[word_column])
            numbers.append(number)
            if fields[-1] not in NOTHING:
                self._brackets(fields[-1], number)

    def _begin_sentence(self, fields: Sequence[str], word_column: int) -> None:
        # CoNLL-2012: the speaker is the tenth of at least twelve columns
        speaker = fields[9] if word_column == 3 and len(fields) >= 12 else ""
        self.sentence_starts.append(len(self.words))
        self.speakers.append("" if speaker in NOTHING else speaker)

    def _brackets(self, cell: str, line: int) -> None:
        """Open and close the mentions of a word in the order written; inner ones close first."""
        brackets = _parse_cell(cell)
        if not brackets:
            self._refuse(line, f"'{cell}' in the last column", *_EXPECTED_BRACKETS)
        at = len(self.words) - 1
        for entity, opens, closes in brackets:
            if opens and closes:
                self.rows.append((at, at + 1, entity))
            elif opens:
                self.open_rows.setdefault(entity, []).append(len(self.rows))
                self.rows.append((at, -line, entity))
            else:
                self._close(entity, at, line)

    def _close(self, entity: int, at: int, line: int) -> None:
        if not self.open_rows.get(entity):
            found = f"entity {entity} closes here but was never opened"
            self._refuse(line, found, f"'({entity}' before it", "Add the opening bracket.")
            return
        row = self.open_rows[entity].pop()
        start = self.rows[row][0]
        self.rows[row] = (start, at + 1, entity)
        if start < self.sentence_starts[-1]:
            place = f"{self.file}:{line}"
            self.warnings.append(f"{place}: a mention of entity {entity} runs over a sentence end.")

    def _refuse(self, line: int, found: str, expected: str, advice: str) -> None:
        self.problems.append(Problem(self.file, line, found, expected, advice))

    def document(self) -> Document:
        """The document as read; mentions still open are problems."""
        for entity, rows in self.open_rows.items():
            for row in rows:
                found = f"entity {entity} opens here but never closes in document '{self.name}'"
                expected = f"'{entity})' after it"
                self._refuse(-self.rows[row][1], found, expected, "Add the closing bracket.")
        return Document.of_rows(
            self.name,
            self.rows,
            words=self.words,
            sentence_starts=self.sentence_starts,
            speakers=self.speakers if any(self.speakers) else (),
            file=self.file,
            lines=np.array(self.lines, dtype=np.int64),
        )


@lru_cache(maxsize=100_000)
def _parse_cell(cell: str) -> tuple[tuple[int, bool, bool], ...]:
    """(entity, opens, closes) of each bracket in the order written; none if the cell is wrong."""
    cell = cell.strip()
    found = _BRACKETS.findall(cell)
    taken = sum(len(a) + len(digits) + len(b) for a, digits, b in found) + cell.count("|")
    if taken != len(cell) or not all(a or b for a, _, b in found):
        return ()
    return tuple((int(digits), bool(a), bool(b)) for a, digits, b in found)


_EXPECTED_BRACKETS = (
    "brackets with numbers such as '(1', '1)', '(1)' or '(1|(2)', or '-' for none",
    "Number the entities and close every bracket.",
)


def _expected_columns(n_columns: int) -> tuple[str, str]:
    return (
        f"{n_columns} columns, as in every row of the sentence, the last one for coreference",
        "Write '-' where a column is empty.",
    )


def _word_column(fields: Sequence[str], name: str) -> int:
    """SemEval-2010 rows begin with the word's number, CoNLL-2012 rows with the document's name."""
    return 1 if fields[0] in ("0", "1") and fields[0] != name else 3


def _orphans(lines: Sequence[str], start: int, stop: int, file: str) -> Iterable[Problem]:
    """The first row outside of a document, if there is one."""
    for number in range(start, stop):
        if lines[number].strip() and lines[number][0] != "#":
            found = f"'{lines[number].strip()[:40]}' outside of a document"
            expected = f"'{BEGIN} (NAME); part 000' before the first row"
            return [Problem(file, number + 1, found, expected, "Add the line.")]
    return []


def _bad_names(drafts: Iterable[_Draft]) -> Iterable[Problem]:
    first: dict[str, int] = {}
    for draft in drafts:
        if not draft.name:
            expected = f"'{BEGIN} (NAME); part 000'"
            yield Problem(draft.file, draft.line, f"'{BEGIN}' without a name", expected, "Add it.")
        elif draft.name in first:
            found = f"a second document '{draft.name}' (the first is in line {first[draft.name]})"
            advice = "Rename one of them, or give it another part."
            yield Problem(draft.file, draft.line, found, "each name and part once", advice)
        first.setdefault(draft.name, draft.line)


def _no_document(file: str) -> Problem:
    return Problem(file, 0, "no document", f"'{BEGIN} (NAME); part 000'", "Add the line.")


def fits_conll(text: str) -> bool:
    """Whether there is a #begin line, or the first line looks like a row of columns."""
    if text.startswith(BEGIN) or f"\n{BEGIN}" in text:
        return True
    first = next((line for line in text.split("\n", 50)[:50] if line.strip(" #\t")), "")
    return len(first.split()) >= 5 and bool(re.search(r"(^|\s)([-_*]|[(|)0-9]+)\s*$", first))


def write_conll(corpus: Corpus) -> str:
    """CoNLL-2012 columns: name, part, number in the sentence, word, …, speaker, *, coreference.

    Blanks in a speaker's name become "_". Raises InputError for a document without words, and a
    name or word that columns cannot hold.
    """
    problems = [problem for document in corpus for problem in _unwritable(document)]
    if problems:
        raise InputError(problems)
    return "".join(line for document in corpus for line in _document_lines(document))


def _unwritable(document: Document) -> Iterable[Problem]:
    place = document.file or document.name
    if not document.words and len(document.spans):
        found = f"document '{document.name}' has mentions but no words"
        yield Problem(place, 0, found, "words to write in columns", "Write it in another format.")
    if document.name != document.name.strip() or "\n" in document.name or not document.name:
        found = f"the document name {document.name!r}"
        yield Problem(place, 0, found, "a name on one line", "Rename the document.")
    for word in document.words:
        if not word or len(word.split()) != 1 or word.split()[0] != word:
            found = f"the word {word!r} in document '{document.name}'"
            yield Problem(place, 0, found, "words without blanks", "Write it as jsonl.")
            return


def _document_lines(document: Document) -> Iterator[str]:
    name, _, part = document.name.rpartition("; part ")
    if not name or not part.isdecimal() or str(int(part)) != part or part == "0":
        name, part = document.name, "0"
    column = re.sub(r"[\s#]+", "_", name)
    yield f"{BEGIN} ({name}); part {int(part):03d}\n"
    cells = _cells(document)
    ends = [*document.sentence_starts[1:], len(document.words)]
    speakers = document.speakers or ("",) * len(document.sentence_starts)
    for start, end, speaker in zip(document.sentence_starts, ends, speakers, strict=True):
        who = re.sub(r"\s+", "_", speaker) or "-"
        for at in range(start, end):
            row = (column, part, str(at - start), document.words[at], *"-----", who, "*", cells[at])
            yield "\t".join(row) + "\n"
        yield "\n"
    yield f"{END}\n"


def _cells(document: Document) -> list[str]:
    """The last column: what closes at a word (inner first), then what opens (outer first)."""
    opens: list[list[str]] = [[] for _ in document.words]
    closes: list[list[str]] = [[] for _ in document.words]
    for mention, entity in zip(document.mentions, document.entity_of.tolist(), strict=True):
        if mention.end - mention.start == 1:
            opens[mention.start].append(f"({entity})")
        else:
            opens[mention.start].append(f"({entity}")
            closes[mention.end - 1].insert(0, f"{entity})")
    cells = [*zip(closes, opens, strict=True)]
    return ["|".join([*closing, *opening]) or "-" for closing, opening in cells]


CONLL = Format(
    id="conll",
    suffixes=("conll", ".col", ".semeval"),
    fits=fits_conll,
    read=read_conll,
    write=write_conll,
)
