"""What a file format is: a frozen record of how to know, read and write it.

Reading a file in parts: a part is a run of whole documents. What its reader notices of each is kept
without the document, so that the problems and warnings of a file are the same in however many parts
it was read.

Files that are part of a format, or of no format that is read, by their right names: lookalikes
begin as no file does that can be read, and are refused first; shapes are asked only where no format
fits, or where a reader that was named finds nothing of its own.
"""

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, NamedTuple

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.problems import InputError, PolicyError, Problem, Problems
from corescore.util import read_toml
from corescore.wording import counted, listed

Texts = Iterable[tuple[int, str]]


class Begin(NamedTuple):
    """Where a part begins: the number of its first line, and what the lines before declare."""

    line: int = 1
    declared: str = ""


class Notice(NamedTuple):
    """What is said once of a file, however many of its documents have it.

    kind     by which the notices of a file are put together
    numbers  what is added up
    """

    kind: str
    line: int
    text: str = ""
    numbers: tuple[int, ...] = ()


class Seen(NamedTuple):
    """What a reader noticed of one document, or of lines in none (`name` is then None)."""

    line: int
    name: str | None
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()


class Part(NamedTuple):
    """The documents of a part, and what was noticed; some may lack where there are problems."""

    documents: tuple[Document, ...]
    seen: tuple[Seen, ...]


class Lines(NamedTuple):
    """Whole lines of a file, as they are stored: where they begin, and in which line."""

    start: int
    line: int
    data: bytes


class Place(NamedTuple):
    """Where a document stands in its file.

    name         None where it can only be told by reading it
    start, stop  its bytes, half-open
    """

    name: str | None
    start: int
    stop: int
    begin: Begin = Begin()


class Parts(NamedTuple):
    """How a format is read in parts.

    places  (all lines of a file in blocks, its name) → where its documents stand, one after the
            other without a gap; none if it has to be read whole
    read    (text of a part, file, side, where the part begins) → the part
    finish  (what was seen in all of the file in its order, file, side, the texts of its parts with
            the numbers of their first lines) → the warnings of the file; raises InputError with
            every problem found
    """

    places: Callable[[Iterable[Lines], str], Iterator[Place]]
    read: Callable[[str, str, str, Begin], Part]
    finish: Callable[[Sequence[Seen], str, str, Texts], tuple[str, ...]]


def refuse_seen(problems: Iterable[Problem], seen: Iterable[Seen]) -> None:
    """Raises InputError with the problems, and those of what was seen, in the order of their lines,
    if there are any."""
    every = [*problems, *(problem for of in seen for problem in of.problems)]
    if every:
        raise InputError(sorted(every, key=lambda problem: problem.line))


def commented(block: Lines, *words: bytes) -> Iterator[tuple[int, int, str]]:
    """(start in the block, number in the file, text) of each line with a number sign at its begin
    and one of these words in it."""
    data, line, before = block.data, block.line, 0
    for start in sorted({start for word in words for start in _lines_with(data, word)}):
        line += data.count(b"\n", before, start)
        before = start
        text = data[start : _end(data, start)].decode("utf-8-sig").rstrip("\r")
        if text[:1] == "#":
            yield start, line, text


def _lines_with(data: bytes, word: bytes) -> Iterator[int]:
    """Where the lines begin that hold a word."""
    position = data.find(word)
    while position >= 0:
        yield data.rfind(b"\n", 0, position) + 1
        position = data.find(word, _end(data, position))


def _end(data: bytes, position: int) -> int:
    end = data.find(b"\n", position)
    return end if end >= 0 else len(data)


@dataclass(kw_only=True)
class FileNotes(Problems):
    """What is wrong with a file, and what is said of it, while it is read whole.

    file  its path, as messages have it
    """

    file: str
    warnings: list[str] = field(default_factory=list)

    def note(self, line: int, fault: str, expected: str, advice: str) -> None:
        """Note a problem."""
        self.add(Problem(self.file, line, fault, expected, advice))

    def note_second(self, line: int, name: str) -> None:
        """Note a document with the name of one before it."""
        self.note(line, f"a second document '{name}'", "each name once", "Rename one of them.")

    def count(self, n: int, noun: str, statement: str) -> None:
        """Warn of so many, if there are any."""
        if n:
            self.warnings.append(f"{self.file}: {counted(n, noun)} {statement}")

    def corpus(self, documents: Iterable[Document]) -> Corpus:
        """The documents of the file. Raises InputError with the problems, if there are any."""
        self.refuse()
        return Corpus(tuple(documents), self.file, tuple(self.warnings))


def begins(pattern: str) -> Callable[[str], bool]:
    """For `Format.fits`: whether a text begins so."""
    begin = re.compile(pattern)
    return lambda text: begin.match(text) is not None


def name_of_file(file: str) -> str:
    """What a document is known by that has no name but its file's: that without endings."""
    return PurePath(file).name.split(".")[0] or "document"


Read = Callable[[str, str, str], Corpus]

ReadFiles = Callable[[Mapping[str, str], str, str], Corpus]


class Format(NamedTuple):
    """A format as data.

    id        its name on the command line, such as "conll"
    title     its name in sentences, such as "CoNLL-2012"
    suffixes  ends of file names that are written in it
    fits      whether the text of a file looks like it
    read      (text, file, side) → Corpus; raises InputError with every problem it found. Where a
              file holds both sides, `side` ("key" or "response") says which one to read.
    repair    the same, but brackets without their partners are left out and counted in a warning;
              None if the format has none that could be
    write     Corpus → text; raises InputError for what the format cannot hold; None if it is only
              read
    keeps     whether what is written has heads, minimum spans, types and split antecedents
    has_words  whether what is written has the words of the text
    endings   of a document in two or more files: what their names end in, that of the first file,
              with the mentions, first; each may be gzipped
    folders   where the others may be, seen from the folder of the first, the likeliest first
    group     of a document in any number of files: (paths within a folder) → those read together
    read_files  (path within the folder → text, folder, side) → Corpus, the first file first; also
              where others are missing, to tell so. The texts have their line ends and byte-order
              marks, since character offsets may count them.
    parts     how a file is read in parts; None if it has to be read whole
    """

    id: str
    title: str
    suffixes: tuple[str, ...]
    fits: Callable[[str], bool]
    read: Read
    write: Callable[[Corpus], str] | None = None
    repair: Read | None = None
    endings: tuple[str, ...] = ()
    folders: tuple[str, ...] = ("",)
    group: Callable[[Collection[str]], list[tuple[str, ...]]] | None = None
    read_files: ReadFiles | None = None
    keeps: bool = False
    has_words: bool = True
    parts: Parts | None = None

    def groups(self, names: Collection[str]) -> list[tuple[str, ...]]:
        """Of the paths within a folder those that are read together, the first file first."""
        if self.group:
            return self.group(names)
        return [(name, *self.others(name, names.__contains__)) for name in names if self.stem(name)]

    def others(self, name: str, is_there: Callable[[str], bool]) -> tuple[str, ...]:
        """The paths of the files that are read with this one, of those that are there."""
        folder, stem = posixpath.split(self.stem(name))
        partners = []
        for ending in self.endings[1:] if stem else ():
            names = (f"{inner}{stem}{ending}{gz}" for inner in self.folders for gz in ("", ".gz"))
            paths = (posixpath.normpath(posixpath.join(folder, other)) for other in names)
            partners += [path for path in paths if is_there(path)][:1]
        return tuple(partners)

    def stem(self, name: str) -> str:
        """The path of a first file up to its ending; "" of any other file."""
        plain, ending = name.removesuffix(".gz"), "".join(self.endings[:1])
        is_first = ending and plain.endswith(ending) and posixpath.basename(plain) != ending
        return plain.removesuffix(ending) if is_first else ""

    def text(self, corpus: Corpus) -> str:
        """The corpus in this format. Raises PolicyError if it is only read, else as `write`."""
        if self.write is None:
            expected = "another output format, such as a file that ends in .conll"
            raise PolicyError(f"{self.title} is read, not written; expected {expected}")
        return self.write(corpus)

    def left_out(self, corpus: Corpus) -> tuple[str, ...]:
        """A warning that counts the information lost in writing, if any is.

        A document that was read from this format has nothing that the format cannot hold.
        """
        lost: Counter[str] = Counter()
        for document in corpus:
            if document.original and document.original.format == self.id:
                continue
            if not self.has_words and not document.named_mentions:
                lost["words"] += len(document.words)
            if (known := document.attributes) and not self.keeps:
                types = zip(known.entity_type, known.mention_type, strict=True)
                lost["heads"] += int((known.head >= 0).sum())
                lost["minimum spans"] += int((known.minimum >= 0).any(axis=-1).sum())
                lost["mention types"] += sum(map(any, types))
            if not self.keeps:
                lost["split antecedents"] += len(document.split_antecedents)
            lost["elements that do not refer"] += len(document.non_referring)
        kinds = [f"{name} ({number:,})" for name, number in lost.items() if number]
        return (f"{self.title} does not hold {listed(kinds)}: left out.",) if kinds else ()


# What formats cannot hold -------------------------------------------------------------------------

_NO_TEXT = re.compile("[\0\ud800-\udfff]")

_HOLDS = "Write it as CoNLL-U, which holds them."


def unwritable(document: Document) -> Iterator[Problem]:
    """What no format can hold: a name of no or several lines, mentions beyond the words, and
    characters that are no text, the first of them."""
    place, name = document.place, document.name
    if not name or name != name.strip() or "\n" in name or "\r" in name:
        fault = f"the document name {name!r}"
        yield Problem(place, 0, fault, "a name on one line", "Rename the document.")
    if not document.words and len(document.rows):
        fault = f"document '{name}' has mentions but no words"
        yield Problem(place, 0, fault, "the words of the document", "Add them.")
    elif document.rows[:, 1].max(initial=0) > len(document.words):
        n_words = counted(len(document.words), "word")
        fault = f"document '{name}' has a mention that ends after its {n_words}"
        yield Problem(place, 0, fault, "mentions within the document", "Fix the mention.")
    known, nodes = document.attributes, document.empty_nodes.values()
    for what, texts, advice in (
        ("name", (name,), "Rename the document."),
        ("words", document.words, "Fix the word."),
        ("speakers", document.speakers, "Rename the speaker."),
        ("tags", document.tags, "Fix the tag."),
        ("lemmas", document.lemmas, "Fix the lemma."),
        ("named spans", document.named_spans, "Rename the span."),
        ("types", (*known.entity_type, *known.mention_type) if known else (), "Rename the type."),
        (
            "empty nodes",
            (relation for node in nodes for _, relation in node.parents),
            "Rename the relation.",
        ),
    ):
        if match := next(filter(None, map(_NO_TEXT.search, texts)), None):
            character = (
                "a NUL character" if match[0] == "\0" else "half a character (a lone surrogate)"
            )
            fault = f"{character} in the {what} of document '{name}'"
            yield Problem(place, 0, fault, "text", advice)
            return


def more_than_spans(document: Document) -> Iterator[Problem]:
    """What a format that only knows spans of words cannot hold: gaps and empty nodes."""
    place = document.place
    gaps = [mention for mention in document.mentions if mention.pieces]
    if gaps:
        text = document.text(gaps[0])
        fault = f"discontinuous mentions in document '{document.name}', such as '{text}'"
        yield Problem(place, 0, fault, "mentions without a gap", _HOLDS)
    if document.empty_nodes:
        fault = f"empty nodes (zeros) in document '{document.name}'"
        yield Problem(place, 0, fault, "words of the text only", _HOLDS)


# Types instead of entities -----------------------------------------------------------------------

# Types of entities in GUM, OntoNotes, ACE and CoNLL-2003
_OF_TYPES = re.compile(
    "abstract|animal|event|object|organi[sz]ation|person|place|plant|quantity|substance|time|"
    "cardinal|date|fac|gpe|language|law|loc|money|norp|ordinal|org|percent|product|work_of_art|"
    "per|misc|veh|wea|location|facility|vehicle|weapon",
    re.IGNORECASE,
)

NO_COREFERENCE = "no coreference is annotated in it"


def are_types(labels: Iterable[str]) -> bool:
    """Whether all of these are types of entities, which name no entity."""
    return all(map(_OF_TYPES.fullmatch, labels))


# What looks like a format -------------------------------------------------------------------------

_BEGINS = (
    (
        r"Topic,File,Sentence Number\s",
        "the list of annotated sentences of ECB+, without words and mentions",
        "the XML files of ECB+",
        "Give the folder of the XML files.",
    ),
    (
        r"paragraph_ID\tsentence_ID\t",
        "the words of BookNLP (.tokens), without mentions",
        "the .entities file next to them",
        "Give the .entities file. It finds its .tokens in the same folder or zip archive.",
    ),
    (
        r"\s*(<\?[^>]*>\s*)?(<!DOCTYPE[^>]*>\s*)?<mmax_project[\s>]",
        "a project of MMAX2, without mentions",
        "the file of the coreference level (x_coref_level.xml)",
        "Give that file, in its folder.",
    ),
    (
        r"\s*(<\?[^>]*>\s*)?(<!DOCTYPE words[^>]*>\s*)?<words[\s>]",
        "the words of MMAX2, without mentions",
        "the file of the coreference level (x_coref_level.xml)",
        "Give that file. It finds its words next to it, or in a folder Basedata.",
    ),
)


def lookalike(text: str) -> tuple[str, ...]:
    """What a text is known to be that cannot be read by itself, what to give instead, and how; ()
    if it is nothing of the kind."""
    for begin, *said in _BEGINS:
        if re.match(rf"\ufeff?{begin}", text[:1000]):
            return tuple(said)
    return ()


_LOOKED_AT = 200_000  # letters from the start of a file


def _shapes(kind: str) -> list[dict[str, Any]]:
    of_kind: list[dict[str, Any]] = read_toml("corpus/formats/shapes.toml")[kind]
    return of_kind


def tool_of(fields: Collection[str]) -> tuple[str, str]:
    """What wrote a JSON object with these fields, and what its owner can do; empty if unknown."""
    for shape in _shapes("json"):
        if {*fields} >= {*shape["fields"]}:
            return shape["title"], shape["advice"]
    return "", ""


class Likeness(NamedTuple):
    """What a text looks like: the line that gives it away, what is wrong, and what to do."""

    number: int
    fault: str
    advice: str


def likeness(text: str) -> Likeness | None:
    """The first of the known shapes that a text has."""
    start, shapes = text[:_LOOKED_AT], _shapes("shape")
    every = "|".join(shape["begins"] for shape in shapes)
    # Most texts have none of them, which is found out fastest by one search.
    for shape in shapes if re.search(f"^(?:{every})", start, re.MULTILINE) else ():
        if match := re.search(f"^(?:{shape['begins']})", start, re.MULTILINE):
            line = start[match.start() :].split("\n", 1)[0].strip()[:40]
            number = start.count("\n", 0, match.start()) + 1
            return Likeness(number, f"this looks like {shape['title']} ('{line}')", shape["advice"])
    return None
