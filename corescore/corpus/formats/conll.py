"""CoNLL-2011/2012 and SemEval-2010 columns: a word a line, entities as brackets in the last column.

Read leniently where the meaning is plain, refused where it is not. Plain are: tabs or blanks; two
columns or more; `# begin document` with a blank, or without a name, which is then that of the file;
`part` and `#end document` left out (at the end of the file with a warning); rows that end in empty
columns; leading zeros; ids with types, as GUM's files have them (`(person-1`); no bar between
brackets.

Of rows with at least twelve columns the fifth is the part of speech in both formats (CoNLL-2012:
document, part, number, word, part of speech, …; SemEval-2010: number, word, lemma, its lemma as
predicted, part of speech, …), and in CoNLL-2012 the tenth is the speaker. SemEval-2010 has at least
seventeen columns, of which the lemma is read, the predicted one where that is empty. CoNLL-2012 has
lemmas in its seventh column only of verbs and nouns with a frameset: they are not read. All other
columns are lost.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise

from corescore.corpus.documents import Corpus
from corescore.corpus.formats.conll_batches import read_rows
from corescore.corpus.formats.conll_brackets import parse_cell
from corescore.corpus.formats.conll_columns import why_no_entities
from corescore.corpus.formats.conll_draft import Draft
from corescore.corpus.formats.conll_original import originals
from corescore.corpus.formats.conll_writer import BEGIN, write_conll
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.lookalikes import likeness
from corescore.corpus.formats.marked_text import name_of_file
from corescore.corpus.formats.parts import (
    Begin,
    Lines,
    Notice,
    Part,
    Parts,
    Place,
    Seen,
    Texts,
    commented,
    refuse,
)
from corescore.corpus.problems import InputError, Problem
from corescore.wording import counted

_MARK = re.compile(r"#[ \t]*(?:begin|end) document\b")
_HEADER = re.compile(r"#[ \t]*begin document\b")
_FIRST_HEADER = re.compile(r"^#[ \t]*begin document\b", re.MULTILINE)
_PART = re.compile(r"(?:;|(?<=\)))\s*part\s+(\S+)$")
_EXPECTED_HEADER = f"'{BEGIN} (NAME); part 000'"
# Kinds of notices
_COLUMN, _NO_ROWS, _MENTIONS, _NO_END = "column", "no rows", "mentions", "no end"
_ADVICE = "Leave out the name of the format, so that it is found from the content."


def read_conll(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    part = _read_part(text, file, side, Begin())
    if all(of.name is None for of in part.seen):
        if like := likeness(text):
            found = Problem(file, like.number, like.found, _EXPECTED_HEADER, _ADVICE)
            raise InputError([found])
        refuse([], part.seen)
        raise InputError([_no_document(file)])
    return Corpus(part.documents, file, _finish(part.seen, file, side, [(1, text)]))


def _read_part(text: str, file: str, side: str, begin: Begin) -> Part:
    drafts: list[Draft] = []
    begins: list[int] = []
    bodies: list[slice] = []
    seen: list[Seen] = []
    ended: set[int] = set()  # of the documents, counted from 1
    number = begin.line
    for start, stop in _chunks(text):
        if header := _HEADER.match(text, start):
            end = text.find("\n", start, stop)
            end = end if end >= 0 else stop
            drafts.append(Draft(*_document_name(text[header.end() : end], file), file, number))
            begins.append(start)
            bodies.append(slice(end + 1, stop))
        else:
            ended.add(len(drafts))
            if orphans := _orphans(text[start:stop].split("\n"), number, file):
                seen.append(Seen(number, None, tuple(orphans)))
        number += text.count("\n", start, stop)
    read_rows(drafts, text, bodies)
    names, lines = [draft.name for draft in drafts], [draft.line for draft in drafts]
    texts = originals(text, begins, names, [begin.line, *lines[1:]][: len(lines)])
    documents = [draft.document(of) for draft, of in zip(drafts, texts, strict=True)]
    seen += [
        _seen(draft, len(of.rows), at in ended)
        for at, (draft, of) in enumerate(zip(drafts, documents, strict=True), start=1)
    ]
    return Part(tuple(documents), tuple(seen))


def _seen(draft: Draft, n_mentions: int, ended: bool) -> Seen:
    """What was noticed of a document."""
    notices = []
    if draft.column and not draft.column.sure:
        notices.append(Notice(_COLUMN, draft.line + 1, draft.words_taken_from()))
    if not draft.words:
        notices.append(Notice(_NO_ROWS, draft.line))
    if n_mentions:
        notices.append(Notice(_MENTIONS, draft.line))
    if not ended:
        notices.append(Notice(_NO_END, draft.line))
    return Seen(
        draft.line,
        draft.name,
        tuple(draft.problems.first),
        tuple(draft.warnings),
        tuple(notices),
        draft.problems.more,
    )


def _finish(seen: Sequence[Seen], file: str, side: str, texts: Texts) -> tuple[str, ...]:
    refuse(_same_names(seen, file), seen)
    warnings = [warning for of in seen for warning in of.warnings]
    return (*_column_warnings(seen, file, texts), *_cut_short(seen, file), *warnings)


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


def _document_name(header: str, file: str) -> tuple[str, str]:
    """The name and the part as far as it is not 0: `(x); part 003` is ("x", "3"). Without a name
    that of the file."""
    rest = header.strip().rstrip("; \t")
    part = _PART.search(rest)
    name = rest[: part.start()].rstrip("; \t") if part else rest
    if name.startswith("(") and name.endswith(")"):
        name = name[1:-1].strip()
    return name or name_of_file(file), part[1].lstrip("0") if part else ""


def _column_warnings(seen: Sequence[Seen], file: str, texts: Texts) -> Iterator[str]:
    """Where the words were taken from, if that is not sure, and what has no rows or mentions."""
    notices = [(of.name, notice) for of in seen for notice in of.notices]
    unsure = [notice for _, notice in notices if notice.kind == _COLUMN]
    for notice in unsure[:1]:
        more = f" (so in {counted(len(unsure), 'document')})" if len(unsure) > 1 else ""
        yield f"{file}:{notice.line}: {notice.text}{more}."
    for name, notice in notices:
        if notice.kind == _NO_ROWS:
            yield f"{file}:{notice.line}: document '{name}' has no rows."
    if not any(notice.kind == _MENTIONS for _, notice in notices):
        for first, text in texts:
            if cause := why_no_entities(text.split("\n")):
                yield f"{file}:{first - 1 + cause[0]}: no mention is read: {cause[1]}."
                return


def _cut_short(seen: Sequence[Seen], file: str) -> Iterator[str]:
    """A warning of a last document without its end: the file may be cut short there."""
    last = max((of for of in seen if of.name is not None), key=lambda of: of.line)
    if any(notice.kind == _NO_END for notice in last.notices):
        text = f"document '{last.name}' has no '#end document'; is the file complete?"
        yield f"{file}:{last.line}: {text}"


def _orphans(lines: Sequence[str], first: int, file: str) -> list[Problem]:
    """The first row outside of a document, if there is one; `first` is the first line's number."""
    rows = (at for at, line in enumerate(lines) if line.strip() and line[0] != "#")
    return [no_header(file, first + at, lines[at].strip()) for at in islice(rows, 1)]


def no_header(file: str, number: int, row: str) -> Problem:
    """A row of columns that stands in no document."""
    found = f"'{row[:40]}' outside of a document"
    expected = f"{_EXPECTED_HEADER} before the first row"
    return Problem(file, number, found, expected, "Add the line.")


def _same_names(seen: Iterable[Seen], file: str) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for of in seen:
        if of.name is None:
            continue
        if of.name in first:
            found = f"a second document '{of.name}' (the first is in line {first[of.name]})"
            advice = "Rename one of them, or give it another part."
            yield Problem(file, of.line, found, "each name and part once", advice)
        first.setdefault(of.name, of.line)


def _no_document(file: str) -> Problem:
    return Problem(file, 0, "no document", _EXPECTED_HEADER, "Add the line.")


def _places(blocks: Iterable[Lines], file: str) -> Iterator[Place]:
    """Each document up to the next; the first with all that stands above it."""
    last: Place | None = None
    end = 0
    for block in blocks:
        for start, number, line in commented(block, b"begin document"):
            if header := _HEADER.match(line):
                name = "; part ".join(filter(None, _document_name(line[header.end() :], file)))
                at = block.start + start
                if last:
                    yield replace(last, stop=at)
                last = Place(name, at, 0, Begin(number)) if last else Place(name, 0, 0)
        end = block.start + len(block.data)
    if last:
        yield replace(last, stop=end)


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
    parts=Parts(_places, _read_part, _finish),
)
