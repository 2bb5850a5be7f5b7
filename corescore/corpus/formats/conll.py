"""CoNLL-2011/2012 and SemEval-2010 columns: a word a line, entities as brackets in the last column.

Read leniently where the meaning is plain (tabs or blanks, `part` and `#end document` optional, an
empty last column, leading zeros, `|` optional), refused where it is not.

Of rows with at least twelve columns the fifth is the part of speech in both formats (CoNLL-2012:
document, part, number, word, part of speech, …; SemEval-2010: number, word, lemma, its lemma as
predicted, part of speech, …), and in CoNLL-2012 the tenth is the speaker.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from sys import intern

import numpy as np

from corescore.arrays import IntArray
from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.conll_original import with_originals
from corescore.corpus.formats.conll_writer import BEGIN, END, write_conll
from corescore.corpus.formats.format import Format
from corescore.corpus.problems import InputError, Problem

NOTHING = frozenset(("-", "_", "*", ""))
TAG_COLUMN, SPEAKER_COLUMN, ALL_COLUMNS = 4, 9, 12
_BRACKETS = re.compile(r"(\(?)([0-9]+)(\)?)")
_PART = re.compile(r"(?:;|(?<=\)))\s*part\s+(\S+)$")
_BLANKS = re.compile(r"[ \t]+")


def read_conll(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    drafts: list[_Draft] = []
    problems: list[Problem] = []
    lines = text.split("\n")
    for start, stop in _chunks(lines):
        if lines[start].startswith(BEGIN):
            drafts.append(_Draft(*_document_name(lines[start]), file, start + 1))
            drafts[-1].read(lines, start + 1, stop)
        else:
            problems += _orphans(lines, start, stop, file)
    documents = [draft.document() for draft in drafts]
    problems += _bad_names(drafts)
    problems += [problem for draft in drafts for problem in draft.problems]
    if problems or not drafts:
        problems.sort(key=lambda problem: problem.line)
        raise InputError(problems or [_no_document(file)])
    originals = with_originals(documents, lines, [draft.line for draft in drafts])
    return Corpus(originals, file, tuple(w for draft in drafts for w in draft.warnings))


def _chunks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Stretches of lines that begin with #begin document, #end document or the file."""
    marks = [i for i, line in enumerate(lines) if line[:1] == "#" and line.startswith((BEGIN, END))]
    starts = marks if marks[:1] == [0] else [0, *marks]
    return zip(starts, [*starts[1:], len(lines)], strict=True)


def _document_name(line: str) -> tuple[str, str]:
    """The name and the part as far as it is not 0: `(x); part 003` is ("x", "3")."""
    rest = line[len(BEGIN) :].strip().rstrip("; \t")
    part = _PART.search(rest)
    name = rest[: part.start()].rstrip("; \t") if part else rest
    if name.startswith("(") and name.endswith(")"):
        name = name[1:-1].strip()
    return name, part[1].lstrip("0") if part else ""


@dataclass
class _Draft:
    """A document while it is read. Positions in a file are inclusive, here half-open."""

    plain_name: str
    part: str
    file: str
    line: int
    words: list[str] = field(default_factory=list)
    lines: IntArray | None = None
    sentence_starts: list[int] = field(default_factory=list)
    speakers: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    rows: list[tuple[int, int, str]] = field(default_factory=list)
    open_rows: dict[str, list[int]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What the document is known by: "x", or "x; part 3"."""
        return f"{self.plain_name}; part {self.part}" if self.part else self.plain_name

    def read(self, lines: Sequence[str], start: int, stop: int) -> None:
        """Take in the rows lines[start:stop]."""
        word_column, n_columns, tagged = 0, -1, False
        words, tags = self.words, self.tags
        others: list[int] = []  # lines without a word; far fewer than those with one
        for number, line in enumerate(_tabbed(lines[start:stop], self.plain_name), start + 1):
            fields = line.split("\t")
            if len(fields) != n_columns or not fields[word_column] or line[0] == "#":
                others.append(number)
                if not line.strip(" \t"):
                    n_columns = -1  # CoNLL-2012 has another number of columns in every sentence
                    continue
                if _is_comment(line, self.plain_name):
                    continue
                if n_columns < 0:
                    word_column = word_column or _word_column(fields, self.plain_name)
                    n_columns = max(len(fields), word_column + 2)
                    tagged = n_columns >= ALL_COLUMNS
                    self._begin_sentence(fields, word_column)
                if len(fields) != n_columns or not fields[word_column]:
                    found = "no word" if len(fields) == n_columns else f"{len(fields)} columns"
                    self._refuse(number, found, *_expected_columns(n_columns))
                    continue
                others.pop()
            words.append(fields[word_column])
            if tagged:
                tags.append(intern(fields[TAG_COLUMN]))
            if fields[-1] not in NOTHING:
                self._brackets(fields[-1].strip(" "), number)
        every = np.arange(start + 1, stop + 1)
        self.lines = np.delete(every, np.array(others, dtype=np.int64) - start - 1)

    def _begin_sentence(self, fields: Sequence[str], word_column: int) -> None:
        is_conll_2012 = word_column == 3 and len(fields) >= ALL_COLUMNS
        speaker = fields[SPEAKER_COLUMN] if is_conll_2012 else ""
        self._pad_tags()
        self.sentence_starts.append(len(self.words))
        self.speakers.append("" if speaker in NOTHING else speaker)

    def _pad_tags(self) -> None:
        """None for the words so far that have no such column."""
        self.tags += [""] * (len(self.words) - len(self.tags))

    def _brackets(self, cell: str, line: int) -> None:
        """Open and close the mentions of a word in the order written; inner ones close first."""
        brackets = _parse_cell(cell)
        if not brackets and cell not in NOTHING:
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

    def _close(self, entity: str, at: int, line: int) -> None:
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
        self._pad_tags()
        return Document.of_rows(
            self.name,
            [row for row in self.rows if row[1] > 0],
            words=self.words,
            sentence_starts=self.sentence_starts,
            speakers=self.speakers if any(self.speakers) else (),
            tags=_known(self.tags),
            file=self.file,
            lines=self.lines,
        )


def _known(tags: Sequence[str]) -> Sequence[str]:
    """The tags with "" where there is none; empty if there is none at all."""
    different = set(tags)
    if NOTHING.isdisjoint(different):
        return tags
    return () if different <= NOTHING else ["" if tag in NOTHING else tag for tag in tags]


def _is_comment(line: str, name: str) -> bool:
    """Whether a line with a # is no row of a document whose name begins with one."""
    return line[0] == "#" and not line.startswith(name)


def _tabbed(lines: Sequence[str], name: str) -> Sequence[str]:
    """The lines with tabs between columns, whether they had tabs or blanks."""
    rows = (line for line in lines if line.strip() and not _is_comment(line, name))
    if "\t" in next(rows, "\t"):
        return lines
    return [_BLANKS.sub("\t", line.strip(" \t")) for line in lines]


@lru_cache(maxsize=100_000)
def _parse_cell(cell: str) -> tuple[tuple[str, bool, bool], ...]:
    """(entity, opens, closes) of each bracket in the order written; none if the cell is wrong."""
    found = _BRACKETS.findall(cell)
    taken = sum(len(a) + len(digits) + len(b) for a, digits, b in found) + cell.count("|")
    if taken != len(cell) or not all(a or b for a, _, b in found):
        return ()
    return tuple((digits.lstrip("0") or "0", bool(a), bool(b)) for a, digits, b in found)


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
        if not draft.plain_name:
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
    lines = (line.strip() for line in text.split("\n", 50)[:50])
    first = next((line for line in lines if line and line[0] not in "#{["), "")
    return len(first.split()) >= 5 and bool(re.search(r"(^|\s)([-_*]|[(|)0-9]+)\s*$", first))


CONLL = Format(
    id="conll",
    title="CoNLL",
    suffixes=("conll", ".col", ".semeval"),
    fits=fits_conll,
    read=read_conll,
    write=write_conll,
)
