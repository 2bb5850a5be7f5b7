"""CoNLL-U with coreference as in CorefUD and GUM: a word a line in ten columns, entities as
brackets in `Entity=` of the last one.

Positions in the file are inclusive, here half-open. Empty nodes (`8.1`) are words, which the
document names apart; a multiword token (`1-2`) is none. What brackets say besides the entity is
declared in the file (`# global.Entity = eid-etype-head-other`): type and head are read, or the
minimum span in GUM's releases, the other fields are not. `SplitAnte` is read, `Bridge` is not.
CorefUD: https://ufal.mff.cuni.cz/corefud

The field's library, udapi, builds a tree of objects for each sentence, which is many times slower
than to take the columns as they are.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from sys import intern

import numpy as np

from corescore.corpus.documents import Corpus, Document
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
from corescore.corpus.mentions import EmptyNode, Original
from corescore.corpus.problems import Problem

N_COLUMNS = 10
_NUMBER = re.compile("[0-9]{1,9}")
_TOKEN = re.compile("[0-9]{1,9}-[0-9]{1,9}")
_FIRST_ID = re.compile(r"1|1-(?!1$)[0-9]+|0\.[0-9]+")  # 1-1 is WebAnno TSV
_DECLARES = re.compile(r"#\s*global\.Entity\s*=")
_ENTITIES, _HEADS_OF_MINSPAN = "entities", "heads of minspan"  # kinds of notices
_OTHER_COLUMNS = re.compile(
    r"^#\s*global\.columns\s*=(?!\s*ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\s*$)",
    re.MULTILINE,
)
_COMMENTS = re.compile(r"^#\s*(newdoc|sent_id|global\.Entity|global\.columns)\b", re.MULTILINE)


def read_conllu(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    part = _read_part(text, file, side, Begin())
    return Corpus(part.documents, file, _finish(part.seen, file, side, [(1, text)]))


def _read_part(text: str, file: str, side: str, begin: Begin) -> Part:
    lines = text.split("\n")
    drafts: list[_Draft] = []
    fields = Fields.of(begin.declared) or Fields()
    for start, stop in _chunks(lines):
        drafts.append(_Draft(start, Entities(file, fields), before=begin.line - 1))
        drafts[-1].read(lines, start, stop)
        fields = drafts[-1].entities.fields  # one declaration may stand for all documents
    documents = tuple(draft.document(lines) for draft in drafts)
    seen = [draft.seen() for draft in drafts]
    if "Entity=" in text:
        seen[0] = replace(seen[0], notices=(*seen[0].notices, Notice(_ENTITIES, begin.line)))
    return Part(documents, tuple(seen))


def _finish(seen: Sequence[Seen], file: str, side: str, texts: Texts) -> tuple[str, ...]:
    problems = [problem for of in seen for problem in of.problems]
    kinds = {notice.kind for of in seen for notice in of.notices}
    old = () if _ENTITIES in kinds else _other_releases(texts, file)
    refuse([*problems, *_same_names(seen, file), *old])
    warnings = [warning for of in seen for warning in of.warnings]
    if _HEADS_OF_MINSPAN in kinds:
        warnings.append(f"{file}: no field 'head'; the heads of mentions are taken from 'minspan'.")
    return tuple(warnings)


def _chunks(lines: Sequence[str]) -> Iterable[tuple[int, int]]:
    """The lines of each document: from `# newdoc` on, the first with all that stands above it."""
    marks = [i for i, line in enumerate(lines) if line[:1] == "#" and NEWDOC.fullmatch(line)]
    above = lines[: marks[0]] if marks else lines
    has_words = any(line.strip() and line[0] != "#" for line in above)
    starts = [0, *(marks if has_words else marks[1:])]
    return zip(starts, [*starts[1:], len(lines)], strict=True)


@dataclass
class _Draft:
    """A document while it is read."""

    start: int
    entities: Entities
    before: int = 0  # lines of the file before those it is read from
    name: str = ""
    words: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    governors: list[str] = field(default_factory=list)
    sentence_starts: list[int] = field(default_factory=list)
    speakers: list[str] = field(default_factory=list)
    speaker: str = ""
    dependencies: dict[int, tuple[str, int]] = field(default_factory=dict)
    without_word: list[int] = field(default_factory=list)
    stop: int = 0

    @property
    def line(self) -> int:
        """The number of its first line in the file."""
        return self.before + self.start + 1

    def read(self, lines: Sequence[str], start: int, stop: int) -> None:
        """Take in lines[start:stop]."""
        self.stop = stop
        words, tags, ids, governors = self.words, self.tags, self.ids, self.governors
        count, expected = 0, "1"  # words of the sentence but empty nodes; the next one's number
        begun = False
        for number, line in enumerate(lines[start:stop], self.line):
            columns = line.split("\t")
            if columns[0] == expected and len(columns) == N_COLUMNS and columns[1]:
                count += 1
                expected = str(count + 1)
            elif not line.strip():
                count, expected, begun = 0, "1", False
                self.without_word.append(number)
                continue
            elif not self._is_empty_node(columns, count, number, begun):
                self.without_word.append(number)
                if _NUMBER.fullmatch(columns[0]):  # told once, not again in each row
                    count = int(columns[0])
                    expected = str(count + 1)
                continue
            if not begun:
                begun = True
                self._begin_sentence()
            misc = columns[9]
            if "Entity=" in misc or "Split" in misc:
                self.entities.read(misc, len(words), number, self.sentence_starts[-1])
            words.append(columns[1])
            tags.append(intern(columns[3]))
            ids.append(columns[0])
            governors.append(columns[6])

    def _begin_sentence(self) -> None:
        self.sentence_starts.append(len(self.words))
        self.speakers.append(self.speaker)
        self.speaker = ""

    def _is_empty_node(self, columns: list[str], count: int, line: int, begun: bool) -> bool:
        """Whether the row is an empty node; comments are taken in, and wrong rows told."""
        if columns[0][:1] == "#":
            self._comment("\t".join(columns), line)
            return False
        problem = _row_problem(columns, count)
        if problem:
            self._refuse(line, *problem)
            return False
        if "-" in columns[0]:
            if re.search(r"(^|\|)Entity=", columns[9]):
                found = f"'{columns[9]}' at a multiword token"
                self._refuse(line, found, "Entity= at words", "Move it to the words.")
            return False
        same_place = begun and self.ids[-1].partition(".")
        number = int(columns[0].partition(".")[2])
        if same_place and same_place[0] == str(count) and number <= int(same_place[2] or 0):
            found = f"empty node {columns[0]} after {self.ids[-1]}"
            advice = "Number the empty nodes after a word 1, 2, …"
            self._refuse(line, found, f"a number above {same_place[2]} after the dot", advice)
            return False
        self.dependencies[len(self.words)] = (columns[8], line)
        return True

    def _comment(self, line: str, number: int) -> None:
        name, _, value = line[1:].partition("=")
        if name.strip() == "speaker":
            self.speaker = value.strip()
        elif name.strip() == "global.Entity":
            fields = Fields.of(value.strip())
            if fields is None:
                expected = "a field 'eid' among them (or 'GRP')"
                self._refuse(number, f"'{line}'", expected, "Name the field of the entity.")
            else:
                self.entities.fields = fields
        elif newdoc := NEWDOC.fullmatch(line):
            self.name = newdoc[1] or ""

    def _refuse(self, line: int, found: str, expected: str, advice: str) -> None:
        self.entities.refuse(line, found, expected, advice)

    def document(self, lines: Sequence[str]) -> Document:
        """The document as read; what is wrong in it becomes a problem."""
        self.entities.finish()
        if self.entities.problems:
            return Document.of_rows(self.name, ())
        drafts = self.entities.mentions
        every = np.arange(self.line, self.before + self.stop + 1)
        others = np.array(self.without_word, dtype=np.int64) - self.line
        file = self.entities.file
        name = self.name or _name_of_file(file)
        return Document.of_rows(
            name,
            [(d.pieces[0][0], d.pieces[-1][1], d.entity) for d in drafts],
            words=self.words,
            sentence_starts=self.sentence_starts,
            speakers=self.speakers if any(self.speakers) else (),
            tags=_known(self.tags),
            file=file,
            lines=np.delete(every, others),
            attributes=self.entities.attributes(self.ids, self.governors),
            empty_nodes=dict(self._empty_nodes()),
            split_antecedents=self.entities.split_antecedents(),
            original=self._original(name, lines),
        )

    def _original(self, name: str, lines: Sequence[str]) -> Original:
        end = "\n" if self.stop < len(lines) else ""  # what split has taken away
        text = "\n".join(lines[self.start : self.stop]) + end
        return Original("conllu", text, name, self.line)

    def seen(self) -> Seen:
        """What was noticed of the document, once it is made."""
        kinds = [_HEADS_OF_MINSPAN] if self.entities.heads_are_of_minspan else []
        notices = tuple(Notice(kind, self.line) for kind in kinds)
        problems, warnings = tuple(self.entities.problems), tuple(self.entities.warnings)
        return Seen(self.line, self.name, problems, warnings, notices)

    def _empty_nodes(self) -> Iterator[tuple[int, EmptyNode]]:
        for at, (dependencies, line) in self.dependencies.items():
            sentence = bisect_right(self.sentence_starts, at)
            start, stop = [*self.sentence_starts, len(self.ids)][sentence - 1 : sentence + 1]
            try:
                parents = frozenset(self._parents(dependencies, start, stop))
            except ValueError:
                found = f"the dependencies '{dependencies}' of an empty node"
                expected = "words of the sentence and relations, such as '3:nsubj|5:obj', or '_'"
                self._refuse(line, found, expected, "Name words of the sentence.")
                continue
            yield at, EmptyNode(int(self.ids[at].partition(".")[2]), parents)

    def _parents(self, dependencies: str, start: int, stop: int) -> Iterator[tuple[int, str]]:
        for dependency in dependencies.split("|") if dependencies not in ("_", "") else ():
            governor, colon, relation = dependency.partition(":")
            if not colon:
                raise ValueError(dependency)
            yield -1 if governor == "0" else self.ids.index(governor, start, stop), relation


def _row_problem(columns: Sequence[str], count: int) -> tuple[str, str, str] | None:
    """What is wrong with a row that is no word in its place: found, expected, advice."""
    if len(columns) != N_COLUMNS:
        found = f"{len(columns)} columns"
        return found, "10 columns with tabs between them", "Write '_' where a column is empty."
    number = columns[0]
    if not columns[1]:
        return "no word", "a word in the second column", "Write '_' if there is none."
    if _TOKEN.fullmatch(number) or re.fullmatch(rf"{count}\.[1-9][0-9]{{0,8}}", number):
        return None
    expected = f"{count + 1}, or an empty node such as {count}.1"
    advice = "Number the words of a sentence 1, 2, …; leave a line empty after each sentence."
    return f"the word number '{number}'", expected, advice


def _known(tags: Sequence[str]) -> Sequence[str]:
    """The tags with "" where there is none; empty if there is none at all."""
    different = {*tags}
    if "_" not in different:
        return tags
    return () if different == {"_"} else ["" if tag == "_" else tag for tag in tags]


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
                yield replace(last, name=last.name or _name_of_file(file), stop=block.start + start)
                last = Place("", block.start + start, 0, Begin(number, declared))
            if newdoc:
                last, is_begun = replace(last, name=newdoc[1] or ""), True
                above = 0
            elif declares := _DECLARES.match(line):
                value = line[declares.end() :].strip()
                declared = value if Fields.of(value) else declared
        is_begun = is_begun or _has_words(block.data[:above])
        end = block.start + len(block.data)
    yield replace(last, name=last.name or _name_of_file(file), stop=end)


def _has_words(data: bytes) -> bool:
    """Whether there is a line that is no comment."""
    return any(line.strip() and line[:1] != b"#" for line in data.split(b"\n"))


def _name_of_file(file: str) -> str:
    return Path(file).name.split(".")[0] or "document"


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
