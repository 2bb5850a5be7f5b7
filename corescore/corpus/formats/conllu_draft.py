"""A document of CoNLL-U while it is read."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern

import numpy as np

from corescore.corpus.documents import Document
from corescore.corpus.formats.conllu_entities import Entities
from corescore.corpus.formats.conllu_mentions import Fields
from corescore.corpus.formats.conllu_original import NEWDOC
from corescore.corpus.formats.parts import Notice, Seen
from corescore.corpus.mentions import EmptyNode, Original

N_COLUMNS = 10
GENRE = ("meta::genre", "genre")  # comments that tell the genre of a document
_HEAD = 6
HEADS_OF_MINSPAN = "heads of minspan"  # a kind of notice
_NUMBER = re.compile("[0-9]{1,9}")
_NEXT = {str(number): str(number + 1) for number in range(1, 1000)}  # faster than to write each
_EMPTY = re.compile(r"([0-9]+)\.[1-9][0-9]{0,8}")
_TOKEN = re.compile("[0-9]{1,9}-[0-9]{1,9}")
_BLOCK = 1 << 20  # characters whose lines are made at once


@dataclass
class Draft:
    """A document while it is read.

    line    the number of its first line in the file
    splits  whether the text may have split antecedents
    met     the words and lemmas of the file so far: equal ones are kept once
    lines, heads  of each word the number of its line, and the word that it depends on
    """

    line: int
    entities: Entities
    splits: bool = True
    met: dict[str, str] = field(default_factory=dict)
    name: str = ""
    words: list[str] = field(default_factory=list)
    lines: "array[int]" = field(default_factory=lambda: array("q"))
    heads: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    lemmas: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    sentence_starts: list[int] = field(default_factory=list)
    speakers: list[str] = field(default_factory=list)
    speaker: str = ""
    genre: str = ""
    dependencies: dict[int, tuple[str, int]] = field(default_factory=dict)

    def read(self, text: str) -> None:
        """Take in its lines."""
        words, lemmas, tags, ids = self.words, self.lemmas, self.tags, self.ids
        lines, heads = self.lines, self.heads
        splits = self.splits
        count, expected = 0, "1"  # words of the sentence but empty nodes; the next one's number
        begun = False
        for number, line in enumerate(_lines(text), self.line):
            columns = line.split("\t")
            if columns[0] == expected and len(columns) == N_COLUMNS and columns[1]:
                count += 1
                expected = _NEXT.get(expected) or str(count + 1)
            elif not line.strip():
                count, expected, begun = 0, "1", False
                continue
            elif line[0] == "#":
                self._comment(line, number)
                continue
            elif not self._is_empty_node(columns, count, number, begun):
                if _NUMBER.fullmatch(columns[0]):  # told once, not again in each row
                    count = int(columns[0])
                    expected = str(count + 1)
                continue
            if not begun:
                begun = True
                self._begin_sentence()
            misc = columns[9]
            if "Entity=" in misc or (splits and "Split" in misc):
                self.entities.read(misc, len(words), number, self.sentence_starts[-1])
            words.append(columns[1])
            lemmas.append(columns[2])
            tags.append(intern(columns[3]))
            ids.append(columns[0])
            lines.append(number)
            heads.append(columns[_HEAD])

    def _begin_sentence(self) -> None:
        self.sentence_starts.append(len(self.words))
        self.speakers.append(self.speaker)
        self.speaker = ""

    def _is_empty_node(self, columns: list[str], count: int, line: int, begun: bool) -> bool:
        """Whether the row is an empty node; wrong rows are told."""
        problem = _row_problem(columns, count)
        if problem:
            self._refuse(line, *problem)
            return False
        if "-" in columns[0]:
            if "Entity=" in columns[9] and re.search(r"(^|\|)Entity=", columns[9]):
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
        name = name.strip()
        if name == "speaker":
            self.speaker = value.strip()
        elif name in GENRE:
            self.genre = self.genre or value.strip()
        elif name == "global.Entity":
            fields = Fields.of(value.strip())
            if fields is None:
                expected = "a field 'eid' among them (or 'GRP')"
                self._refuse(number, f"'{line}'", expected, "Name the field of the entity.")
            else:
                self.entities.fields = fields
        elif name.startswith("newdoc") and (newdoc := NEWDOC.fullmatch(line)):
            self.name = newdoc[1] or ""

    def _refuse(self, line: int, found: str, expected: str, advice: str) -> None:
        self.entities.refuse(line, found, expected, advice)

    def document(self, text: str, *, is_wanted: bool) -> Document:
        """The document as read from its text; what is wrong in it becomes a problem.

        is_wanted  whether the file is right so far; else the document is looked through only
        """
        self.entities.finish()
        if self.entities.problems:
            return Document.of_rows(self.name, ())
        drafts = self.entities.mentions
        file = self.entities.file
        name = self.name or name_of_file(file)
        return Document.of_rows(
            name,
            [(d.pieces[0][0], d.pieces[-1][1], d.entity) for d in drafts],
            words=self._shared(self.words),
            sentence_starts=self.sentence_starts,
            speakers=self.speakers if any(self.speakers) else (),
            tags=_known(self.tags),
            lemmas=_known(self._shared(self.lemmas)),
            file=file,
            lines=np.array(self.lines, dtype=np.int64),
            attributes=self.entities.attributes(self.ids, self.heads.__getitem__),
            empty_nodes=dict(self._empty_nodes()),
            split_antecedents=self.entities.split_antecedents(),
            original=Original.of("conllu", text, name, self.line),
            genre=self.genre,
        )

    def _shared(self, column: Sequence[str]) -> Sequence[str]:
        """The same cells, equal ones as one string: at once, which is faster than row by row."""
        return [*map(self.met.setdefault, column, column)]

    def seen(self) -> Seen:
        """What was noticed of the document, once it is made."""
        kinds = [HEADS_OF_MINSPAN] if self.entities.heads_are_of_minspan else []
        notices = tuple(Notice(kind, self.line) for kind in kinds)
        problems, warnings = self.entities.problems, tuple(self.entities.warnings)
        if not self.words:
            file = self.entities.file
            name = self.name or name_of_file(file)
            warnings += (f"{file}:{self.line}: document '{name}' has no words.",)
        return Seen(self.line, self.name, tuple(problems.found), warnings, notices)

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
    empty = _EMPTY.fullmatch(number)
    if (empty and empty[1] == str(count)) or _TOKEN.fullmatch(number):
        return None
    expected = f"{count + 1}, or an empty node such as {count}.1"
    advice = "Number the words of a sentence 1, 2, …; leave a line empty after each sentence."
    return f"the word number '{number}'", expected, advice


def _known(column: Sequence[str]) -> Sequence[str]:
    """The cells with "" where there is nothing; empty if there is nothing at all."""
    if "_" not in column:
        return column
    return ["" if cell == "_" else cell for cell in column] if any(map("_".__ne__, column)) else ()


def _lines(text: str) -> Iterator[str]:
    """The lines of a text, some at a time."""
    start = 0
    while (end := text.find("\n", start + _BLOCK)) >= 0:
        yield from text[start:end].split("\n")
        start = end + 1
    yield from text[start:].split("\n")


def name_of_file(file: str) -> str:
    """The name of a document that has none, where the file has only that."""
    return Path(file).name.split(".")[0] or "document"
