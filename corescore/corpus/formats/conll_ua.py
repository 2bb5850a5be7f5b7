"""CoNLL-UA of Universal Anaphora: the columns of CoNLL-U and more, the entities in IDENTITY.

A line `# global.columns = ID FORM … IDENTITY …` names the columns, a line `# newdoc id = NAME`
begins a document. A mention opens with `(EntityID=1|MarkableID=m_3|Min=4,5` at its first word and
closes with `)` or `m_3)` at its last (inclusive, here half-open); a MarkableID that opens again is
the next piece of a discontinuous mention. Min becomes the minimum span, Entity_Type (of REFERENCE
or NOM_SEM) the type, ElementOf a split antecedent, an id such as `5.1` an empty node. LEMMA is read
where it is there.

Lost: bridging, discourse deixis, SemType, mentions that do not refer (`EntityID=4-Pseudo`, which
the Universal Anaphora scorer leaves out, too; counted in a warning), and all other columns.

Source: github.com/UniversalAnaphora, UA_CONLL_U_Plus_proposal; the Universal Anaphora scorer 1.0.
"""

import re
from collections.abc import Iterator, Sequence

from corescore.corpus.documents import Corpus
from corescore.corpus.formats.conll_ua_draft import UADraft
from corescore.corpus.formats.format import Format
from corescore.corpus.problems import InputError, Problem, Problems

_COLUMNS = re.compile(r"^#\s*global\.columns\s*=(.*\bIDENTITY\b.*)$", re.MULTILINE)
_NEWDOC = re.compile(r"#\s*newdoc\b\s*(?:id\s*=)?(.*)")
_SPEAKER = re.compile(r"#\s*speaker\s*=(.*)")
_NEEDED = ("ID", "FORM", "IDENTITY")


def read_conll_ua(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    columns = _columns(text, file)
    drafts: list[UADraft] = []
    problems = Problems()
    for number, line in enumerate(text.split("\n"), start=1):
        if newdoc := _NEWDOC.match(line):
            drafts.append(UADraft(newdoc[1].strip(), file, number, columns, problems))
        elif speaker := _SPEAKER.match(line):
            for draft in drafts[-1:]:
                draft.speaker = speaker[1].strip()
        elif not line.strip(" \t"):
            for draft in drafts[-1:]:
                draft.end_sentence()
        elif line[0] != "#" and drafts:
            drafts[-1].read(line, number)
        elif line[0] != "#" and not problems:
            found, expected = f"'{line.strip()[:40]}' outside of a document", "'# newdoc id = NAME'"
            problems.add(Problem(file, number, found, expected, "Add the line."))
    documents = [draft.document() for draft in drafts]
    problems.extend(_bad_names(drafts))
    if not drafts and not problems:
        problems.add(Problem(file, 0, "no document", "'# newdoc id = NAME'", "Add the line."))
    problems.refuse()
    return Corpus(tuple(documents), file, tuple(w for draft in drafts for w in draft.warnings))


def _columns(text: str, file: str) -> dict[str, int]:
    """The places of the columns by their names. Raises InputError without those needed."""
    named = _COLUMNS.search(text)
    columns = {name: place for place, name in enumerate(named[1].split())} if named else {}
    if not all(name in columns for name in _NEEDED):
        expected = "'# global.columns = ID FORM … IDENTITY …' before the first row"
        found = "no names of columns" if not named else f"columns {', '.join(columns)}"
        raise InputError([Problem(file, 0, found, expected, "Add the line.")])
    return columns


def _bad_names(drafts: Sequence[UADraft]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for draft in drafts:
        if not draft.name:
            found, expected = "'# newdoc' without a name", "'# newdoc id = NAME'"
            yield Problem(draft.file, draft.line, found, expected, "Add the name.")
        elif draft.name in first:
            found = f"a second document '{draft.name}' (the first is in line {first[draft.name]})"
            yield Problem(draft.file, draft.line, found, "each name once", "Rename one of them.")
        first.setdefault(draft.name, draft.line)


def fits_conll_ua(text: str) -> bool:
    """Whether the columns are named, and one of them is IDENTITY."""
    return "IDENTITY" in text and _COLUMNS.search(text) is not None


CONLL_UA = Format(
    id="conll-ua",
    title="CoNLL-UA",
    suffixes=(".conllua",),
    fits=fits_conll_ua,
    read=read_conll_ua,
)
