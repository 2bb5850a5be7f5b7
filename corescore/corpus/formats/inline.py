"""Inline markup, as language models are asked to write it: `[Mia](#1) gave [[her](#1) brother](#2)
a bike`, or `<m id="1">Mia</m> gave …`.

The text is a document over its own words, to be aligned with the key's. Lost are blanks and, where
a bracket without an id or an element is left out, that markup; each is told. A file that we write
says in the line before each document that its words stand between blanks, and is read back as it
was. Links in Markdown: https://spec.commonmark.org; the elements follow no standard.
"""

import re
from collections.abc import Iterator, Mapping

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.inline_markup import (
    BRACKETED,
    TAGGED,
    Reading,
    read_brackets,
    read_tags,
)
from corescore.corpus.formats.inline_parts import (
    Part,
    first_said,
    is_marked,
    outside,
    parts_of,
    without_frame,
)
from corescore.corpus.formats.inline_writer import BY_BLANKS, write_inline
from corescore.corpus.formats.marked_text import Source, marked_document, name_of_file
from corescore.corpus.problems import Problem, Problems
from corescore.wording import counted

_MENTION = re.compile(r"\[[^\[\]\n]*\][ \t]*\(\s*#[^()\[\]\n]+\)")
_NUMBER_SIGN = re.compile(r"^#[^\n]*", re.MULTILINE)
_COLUMNS = re.compile(r"\t|\s(?:[-_*]|[(|)0-9]+)\s*$")


def read_inline(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, such as a bracket without its partner.
    """
    return _read(text, file, repair=False)


def repair_inline(text: str, file: str, side: str = "key") -> Corpus:
    """The same, but brackets without their partners are left out, and counted in a warning."""
    return _read(text, file, repair=True)


def _read(text: str, file: str, *, repair: bool) -> Corpus:
    parts = parts_of(text)
    problems = Problems()
    documents: dict[str, Document] = {}
    warnings: list[str] = []
    whole = Source(file, text, 0, len(text))
    for start, end in outside(text, parts):
        at = first_said(text, start, end)
        if at is not None and is_marked(text, start, end):
            problems.add(_marked_outside(whole, at))
        elif at is not None:
            said = f"{whole.excerpt(at, end)} stands outside of a document, so it is left out"
            warnings.append(f"{whole.place(at)}: {said}.")
    for part in parts:
        reading = _reading(whole, part, repair, problems)
        name = part.name or name_of_file(file)
        document, wordless = marked_document(name, reading.source, reading.markup)
        reading.refuse_wordless(wordless)
        problems.extend(_bad_name(whole, part, name, documents))
        warnings += _warnings(whole, reading, document)
        if not document.words:
            warnings.append(f"{whole.place(part.first)}: document '{name}' has no words.")
        documents[name] = document
    problems.refuse()
    return Corpus(tuple(documents.values()), file, tuple(warnings))


def _reading(whole: Source, part: Part, repair: bool, problems: Problems) -> Reading:
    """The markup of a document, in the spelling that it has."""
    file, text = whole.file, whole.text
    if not part.by_blanks:
        part = without_frame(text, part)
    line = whole.line(part.start)
    source = Source(file, text, part.start, part.end, line, part.by_blanks)
    tagged = None if part.by_blanks else TAGGED.search(text, part.start, part.end)
    bracketed = BRACKETED.search(text, part.start, part.end)
    reading = Reading(source, repair, problems)
    for aside in part.asides:
        reading.aside(*aside)
    if not part.by_blanks:
        for match in _NUMBER_SIGN.finditer(text, part.start, part.end):
            reading.heading_within(match)
    (read_tags if tagged and not bracketed else read_brackets)(reading)
    reading.markup.edits += part.edits
    reading.markup.edits.sort(key=lambda edit: edit.start)
    if tagged and bracketed:
        found = f"{tagged.group()[:40]} and '{bracketed.group()[:40]}' in one document"
        expected = "one of the two"
        reading.problems.add(source.problem(tagged.start(), found, expected, "Use one of them."))
    return reading


def _marked_outside(whole: Source, at: int) -> Problem:
    found = f"{whole.excerpt(at)} outside of a document"
    advice = "Write the line before the text, or '\\#' if a line of the text begins with '#'."
    return whole.problem(at, found, "'# NAME' before each document", advice)


def _bad_name(
    whole: Source, part: Part, name: str, documents: Mapping[str, Document]
) -> Iterator[Problem]:
    if name in documents:
        found, advice = f"a second document '{name}'", "Rename one of them."
        yield whole.problem(part.first, found, "each name once", advice)
    if not part.name and part.start > part.first:
        found, expected = "a document without a name", "'#begin document (NAME)'"
        yield whole.problem(part.first, found, expected, "Add it.")


def _warnings(whole: Source, reading: Reading, document: Document) -> Iterator[str]:
    for what, (start, end, n) in reading.asides.items():
        more = f" ({n - 1} more like this)" if n > 1 else ""
        yield f"{whole.place(start)}: {whole.excerpt(start, end)} {what}{more}."
    if reading.repairs:
        many = counted(len(reading.repairs), "piece")
        place = whole.place(min(reading.repairs))
        yield f"{place}: {many} of markup without a partner, an id or a word left out."
    if len(document.rows) > 2 and document.n_entities == len(document.rows):
        yield (
            f"{whole.file}: all {document.n_entities} mentions of document '{document.name}' have "
            "ids of their own, so no two corefer; an id should name the entity."
        )


def fits_inline(text: str) -> bool:
    """Whether a mention is marked near the beginning, not in a row of columns or in XML."""
    first = text.split("\n", 1)[0]
    if first.startswith("#begin document (") and first.endswith(BY_BLANKS):
        return True
    if text.lstrip().startswith(("<?", "<!", "{", "[{")):
        return False  # XML and JSON, whose texts may hold anything
    found = _MENTION.search(text, 0, 100_000) or TAGGED.search(text, 0, 100_000)
    if not found:
        return False
    start, end = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.end())
    return not _COLUMNS.search(text[start : end if end >= 0 else len(text)])


INLINE = Format(
    id="inline",
    title="inline markup",
    suffixes=(".inline", ".md"),
    fits=fits_inline,
    read=read_inline,
    repair=repair_inline,
    write=write_inline,
)
