"""CoNLL-2011/2012 and SemEval-2010 columns: a word a line, entities as brackets in the last column.

Read leniently where the meaning is plain, refused where it is not. Plain are: tabs or blanks; two
columns or more; `# begin document` with a blank; `part` and `#end document` left out; rows that end
in empty columns; leading zeros; ids with types, as GUM's files have them (`(person-1`); no bar
between brackets.

Of rows with at least twelve columns the fifth is the part of speech in both formats (CoNLL-2012:
document, part, number, word, part of speech, …; SemEval-2010: number, word, lemma, its lemma as
predicted, part of speech, …), and in CoNLL-2012 the tenth is the speaker. All other columns are
lost.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise

from corescore.corpus.documents import Corpus
from corescore.corpus.formats.conll_brackets import parse_cell
from corescore.corpus.formats.conll_columns import why_no_entities
from corescore.corpus.formats.conll_draft import Draft
from corescore.corpus.formats.conll_original import with_originals
from corescore.corpus.formats.conll_writer import BEGIN, write_conll
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.lookalikes import likeness
from corescore.corpus.problems import InputError, Problem
from corescore.wording import counted

_MARK = re.compile(r"#[ \t]*(?:begin|end) document\b")
_HEADER = re.compile(r"#[ \t]*begin document\b")
_FIRST_HEADER = re.compile(r"^#[ \t]*begin document\b", re.MULTILINE)
_PART = re.compile(r"(?:;|(?<=\)))\s*part\s+(\S+)$")
_EXPECTED_HEADER = f"'{BEGIN} (NAME); part 000'"
_ADVICE = "Leave out the name of the format, so that it is found from the content."


def read_conll(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    drafts: list[Draft] = []
    begins: list[int] = []
    problems: list[Problem] = []
    number = 1
    for start, stop in _chunks(text):
        lines = text[start:stop].split("\n")
        if header := _HEADER.match(lines[0]):
            drafts.append(Draft(*_document_name(lines[0][header.end() :]), file, number))
            drafts[-1].read(lines[1:])
            begins.append(start)
        else:
            problems += _orphans(lines, number, file)
        number += len(lines) - 1
    documents = [draft.document() for draft in drafts]
    problems += _bad_names(drafts)
    problems += [problem for draft in drafts for problem in draft.problems]
    if not drafts and (like := likeness(text)):
        problems = [Problem(file, like.number, like.found, _EXPECTED_HEADER, _ADVICE)]
    if problems or not drafts:
        problems.sort(key=lambda problem: problem.line)
        raise InputError(problems or [_no_document(file)])
    originals = with_originals(documents, text, begins, [draft.line for draft in drafts])
    warnings = [warning for draft in drafts for warning in draft.warnings]
    return Corpus(originals, file, (*_column_warnings(drafts, text), *warnings))


def _chunks(text: str) -> Iterator[tuple[int, int]]:
    """Stretches of text that begin with #begin document, #end document or the file."""
    marks = sorted({*_marks(text, "begin document"), *_marks(text, "end document")})
    starts = marks if marks[:1] == [0] else [0, *marks]
    return pairwise((*starts, len(text)))


def _marks(text: str, words: str) -> Iterator[int]:
    """Where the lines begin that hold these words after a number sign."""
    at = text.find(words)
    while at >= 0:
        start = text.rfind("\n", 0, at) + 1
        if _MARK.match(text, start):
            yield start
        end = text.find("\n", at)
        at = text.find(words, end) if end >= 0 else -1


def _document_name(header: str) -> tuple[str, str]:
    """The name and the part as far as it is not 0: `(x); part 003` is ("x", "3")."""
    rest = header.strip().rstrip("; \t")
    part = _PART.search(rest)
    name = rest[: part.start()].rstrip("; \t") if part else rest
    if name.startswith("(") and name.endswith(")"):
        name = name[1:-1].strip()
    return name, part[1].lstrip("0") if part else ""


def _column_warnings(drafts: Sequence[Draft], text: str) -> Iterator[str]:
    """Where the words were taken from, if that is not sure, and what has no rows or mentions."""
    unsure = [draft for draft in drafts if draft.column and not draft.column.sure]
    for draft in unsure[:1]:
        more = f" (so in {counted(len(unsure), 'document')})" if len(unsure) > 1 else ""
        yield f"{draft.file}:{draft.line + 1}: {draft.words_taken_from()}{more}."
    for draft in drafts:
        if not draft.words:
            yield f"{draft.file}:{draft.line}: document '{draft.name}' has no rows."
    if not any(draft.rows for draft in drafts) and (cause := why_no_entities(text.split("\n"))):
        yield f"{drafts[0].file}:{cause[0]}: no mention is read: {cause[1]}."


def _orphans(lines: Sequence[str], first: int, file: str) -> list[Problem]:
    """The first row outside of a document, if there is one; `first` is the first line's number."""
    rows = (at for at, line in enumerate(lines) if line.strip() and line[0] != "#")
    return [no_header(file, first + at, lines[at].strip()) for at in islice(rows, 1)]


def no_header(file: str, number: int, row: str) -> Problem:
    """A row of columns that stands in no document."""
    found = f"'{row[:40]}' outside of a document"
    expected = f"{_EXPECTED_HEADER} before the first row"
    return Problem(file, number, found, expected, "Add the line.")


def _bad_names(drafts: Iterable[Draft]) -> Iterable[Problem]:
    first: dict[str, int] = {}
    for draft in drafts:
        if not draft.plain_name:
            found = f"'{BEGIN}' without a name"
            yield Problem(draft.file, draft.line, found, _EXPECTED_HEADER, "Add the name.")
        elif draft.name in first:
            found = f"a second document '{draft.name}' (the first is in line {first[draft.name]})"
            advice = "Rename one of them, or give it another part."
            yield Problem(draft.file, draft.line, found, "each name and part once", advice)
        first.setdefault(draft.name, draft.line)


def _no_document(file: str) -> Problem:
    return Problem(file, 0, "no document", _EXPECTED_HEADER, "Add the line.")


def is_row(line: str) -> bool:
    """Whether a line looks like a row of columns, the last of them for entities."""
    cells = line.split()
    return len(cells) >= 2 and (cells[-1] in ("-", "_", "*") or bool(parse_cell(cells[-1])))


def fits_conll(text: str) -> bool:
    """Whether there is a `#begin document` line."""
    return "begin document" in text and _FIRST_HEADER.search(text) is not None


CONLL = Format(
    id="conll",
    title="CoNLL",
    suffixes=("conll", ".col", ".semeval"),
    fits=fits_conll,
    read=read_conll,
    write=write_conll,
)
