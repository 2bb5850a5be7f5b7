"""CoNLL-U with coreference as in CorefUD and GUM: a word a line in ten columns, entities as
brackets in `Entity=` of the last one.

Positions in the file are inclusive, here half-open. Empty nodes (`8.1`) are words, which the
document names apart; a multiword token (`1-2`) is none. What brackets say besides the entity is
declared in the file (`# global.Entity = eid-etype-head-other`): type and head are read, or the
minimum span in GUM's releases, the other fields are not. `SplitAnte` is read, `Bridge` is not. Of
the other columns the lemma and the universal part of speech are read, of the comments the speaker
and the genre (`# meta::genre = news`, as in GUM, or `# genre = news`).
CorefUD: https://ufal.mff.cuni.cz/corefud

The field's library, udapi, builds a tree of objects for each sentence, which is many times slower
than to take the columns as they are.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.conllu_draft import (
    HEADS_OF_MINSPAN,
    N_COLUMNS,
    Draft,
    name_of_file,
)
from corescore.corpus.formats.conllu_entities import Entities
from corescore.corpus.formats.conllu_mentions import Fields
from corescore.corpus.formats.conllu_original import NEWDOC
from corescore.corpus.formats.conllu_writer import write_conllu
from corescore.corpus.formats.format import Format
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
from corescore.corpus.problems import ENOUGH, Problem, TooManyProblems

_FIRST_ID = re.compile(r"1|1-(?!1$)[0-9]+|0\.[0-9]+")  # 1-1 is WebAnno TSV
_ENTITIES = "entities"  # a kind of notice
_DECLARES = re.compile(r"#\s*global\.Entity\s*=")
_OTHER_COLUMNS = re.compile(
    r"^#\s*global\.columns\s*=(?!\s*ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\s*$)",
    re.MULTILINE,
)
_WORD = re.compile(r"^(?!#)[^\S\n]*\S", re.MULTILINE)  # a line that is no comment
_COMMENTS = re.compile(r"^#\s*(newdoc|sent_id|global\.Entity|global\.columns)\b", re.MULTILINE)


def read_conllu(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    part = _read_part(text, file, side, Begin())
    return Corpus(part.documents, file, _finish(part.seen, file, side, [(1, text)]))


def _read_part(text: str, file: str, side: str, begin: Begin) -> Part:
    splits, fields = "Split" in text, Fields.of(begin.declared) or Fields()
    met: dict[str, str] = {}
    documents: list[Document] = []
    seen: list[Seen] = []
    line, n_problems = begin.line, 0
    for start, stop in _chunks(text):
        draft = Draft(line, Entities(file, fields), splits, met)
        of_document = text[start:stop]
        with suppress(TooManyProblems):
            draft.read(of_document)
            documents.append(draft.document(of_document, is_wanted=not n_problems))
        seen.append(draft.seen())
        n_problems += len(draft.entities.problems.found)
        if n_problems:
            documents.clear()
        if n_problems >= ENOUGH:
            break
        fields = draft.entities.fields  # one declaration may stand for all documents
        line += of_document.count("\n")
    if "Entity=" in text:
        seen[0] = replace(seen[0], notices=(*seen[0].notices, Notice(_ENTITIES, begin.line)))
    return Part(tuple(documents), tuple(seen))


def _finish(seen: Sequence[Seen], file: str, side: str, texts: Texts) -> tuple[str, ...]:
    kinds = {notice.kind for of in seen for notice in of.notices}
    old = () if _ENTITIES in kinds else _other_releases(texts, file)
    refuse([*_same_names(seen, file), *old], seen)
    warnings = [warning for of in seen for warning in of.warnings]
    if HEADS_OF_MINSPAN in kinds:
        warnings.append(f"{file}: no field 'head'; the heads of mentions are taken from 'minspan'.")
    return tuple(warnings)


def _chunks(text: str) -> Iterable[tuple[int, int]]:
    """Where each document stands: from `# newdoc` on, the first with all that is above it."""
    marks = [*_marks(text)]
    has_words = bool(marks) and _WORD.search(text, 0, marks[0]) is not None
    starts = [0, *(marks if has_words else marks[1:])]
    return zip(starts, [*starts[1:], len(text)], strict=True)


def _marks(text: str) -> Iterator[int]:
    """Where the lines begin that are `# newdoc`."""
    at = text.find("newdoc")
    while at >= 0:
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        if NEWDOC.fullmatch(text, start, end if end >= 0 else len(text)):
            yield start
        at = text.find("newdoc", end) if end >= 0 else -1


def _same_names(seen: Iterable[Seen], file: str) -> Iterator[Problem]:
    first: dict[str | None, int] = {}
    for of in seen:
        if of.name in first:
            of_name = f"'{of.name}'" if of.name else "without a name"
            found = f"a second document {of_name} (the first is in line {first[of.name]})"
            advice = "Give each document a name: '# newdoc id = NAME'."
            yield Problem(file, of.line, found, "each name once", advice)
        first.setdefault(of.name, of.line)


def _other_releases(texts: Texts, file: str) -> Iterator[Problem]:
    """CorefUD 0.1 and 0.2 had other attributes; to leave them out would be to read no mentions."""
    for first, text in texts:
        at = text.find("ClusterId=")
        if at >= 0:
            found = "'ClusterId=', coreference as in CorefUD 0.1 and 0.2"
            advice = "Use a release from 1.0 on, or convert the file with udapi."
            yield Problem(file, first + text.count("\n", 0, at), found, "'Entity='", advice)
            return


def _places(blocks: Iterable[Lines], file: str) -> Iterator[Place]:
    """Each document up to the next; the first with all that stands above it."""
    last, end = Place("", 0, 0), 0
    is_begun, declared = False, ""  # by a newdoc, or by words above the first
    for block in blocks:
        above = 0 if is_begun else len(block.data)
        for start, number, line in commented(block, b"newdoc", b"global.Entity"):
            newdoc = NEWDOC.fullmatch(line)
            if newdoc and (is_begun or _has_words(block.data[:start])):
                yield replace(last, name=last.name or name_of_file(file), stop=block.start + start)
                last = Place("", block.start + start, 0, Begin(number, declared))
            if newdoc:
                last, is_begun = replace(last, name=newdoc[1] or ""), True
                above = 0
            elif declares := _DECLARES.match(line):
                value = line[declares.end() :].strip()
                declared = value if Fields.of(value) else declared
        is_begun = is_begun or _has_words(block.data[:above])
        end = block.start + len(block.data)
    yield replace(last, name=last.name or name_of_file(file), stop=end)


def _has_words(data: bytes) -> bool:
    """Whether there is a line that is no comment."""
    return any(line.strip() and line[:1] != b"#" for line in data.split(b"\n"))


def fits_conllu(text: str) -> bool:
    """Whether the first row has ten columns with tabs and a first number, or comments say so and
    do not name other columns (CoNLL-U Plus)."""
    begin = "begin document"  # looked for first: the pattern is slow on a large file without it
    if begin in text and re.search(rf"^#[ \t]*{begin}", text, re.MULTILINE):
        return False
    lines = (line for line in text.split("\n", 500)[:500] if line.strip() and line[0] != "#")
    columns = next(lines, "").split("\t")
    is_row = len(columns) == N_COLUMNS and bool(_FIRST_ID.fullmatch(columns[0]))
    if is_row or len(columns) == 1 or _OTHER_COLUMNS.search(text):
        return is_row
    return bool(_COMMENTS.search(text))


CONLLU = Format(
    id="conllu",
    title="CoNLL-U",
    suffixes=(".conllu",),
    fits=fits_conllu,
    read=read_conllu,
    write=write_conllu,
    keeps=True,
    parts=Parts(_places, _read_part, _finish),
)
