"""What a file format is: a frozen record of how to know, read and write it.

Reading a file in parts: what is read of a part, and what is said of the file in the end.

A part is a run of whole documents. What its reader notices of each is kept without the document, so
that the problems and warnings of a file are the same in however many parts it was read.

Files that are part of a format, or of no format that is read, by their right names.

Two tables: lookalikes begin as no file does that can be read, and are refused first; shapes are
asked only where no format fits, or where a reader that was named finds nothing of its own.
"""

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.problems import InputError, PolicyError, Problem
from corescore.wording import listed

Texts = Iterable[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Begin:
    """Where a part begins: the number of its first line, and what the lines before declare."""

    line: int = 1
    declared: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """What is said once of a file, however many of its documents have it.

    kind     by which the notices of a file are put together
    numbers  what is added up
    """

    kind: str
    line: int
    text: str = ""
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """What a reader noticed of one document, or of lines in none (`name` is then None)."""

    line: int
    name: str | None
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """The documents of a part, and what was noticed; some may lack where there are problems."""

    documents: tuple[Document, ...]
    seen: tuple[Seen, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """Whole lines of a file, as they are stored: where they begin, and in which line."""

    start: int
    line: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document stands in its file.

    name         None where it can only be told by reading it
    start, stop  its bytes, half-open
    """

    name: str | None
    start: int
    stop: int
    begin: Begin = field(default_factory=Begin)


@dataclass(frozen=True)
class Parts:
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


def refuse(problems: Iterable[Problem], seen: Iterable[Seen] = ()) -> None:
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
    at = data.find(word)
    while at >= 0:
        yield data.rfind(b"\n", 0, at) + 1
        at = data.find(word, _end(data, at))


def _end(data: bytes, at: int) -> int:
    end = data.find(b"\n", at)
    return end if end >= 0 else len(data)


_NO_TEXT = re.compile("[\0\ud800-\udfff]")

_LONE = "half a character (a lone surrogate)"

_HOLDS = "Write it as CoNLL-U, which holds them."


@dataclass(frozen=True)
class Format:
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
    beside    of a document in two or more files: (path of the first) → for each of the others the
              paths that it may have, relative to the folder of the first, the likeliest first;
              none if the path is not of such a file
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
    read: Callable[[str, str, str], Corpus]
    write: Callable[[Corpus], str] | None = None
    repair: Callable[[str, str, str], Corpus] | None = None
    beside: Callable[[str], tuple[tuple[str, ...], ...]] | None = None
    group: Callable[[Collection[str]], list[tuple[str, ...]]] | None = None
    read_files: Callable[[Mapping[str, str], str, str], Corpus] | None = None
    keeps: bool = False
    has_words: bool = True
    parts: Parts | None = None

    def groups(self, names: Collection[str]) -> list[tuple[str, ...]]:
        """Of the paths within a folder those that are read together, the first file first."""
        if self.group:
            return self.group(names)
        firsts = [name for name in names if self.beside and self.beside(name)]
        return [(name, *self.others(name, names.__contains__)) for name in firsts]

    def others(self, name: str, is_there: Callable[[str], bool]) -> tuple[str, ...]:
        """The paths of the files that are read with this one, of those that are there."""
        folder = posixpath.dirname(name)
        found = []
        for paths in self.beside(name) if self.beside else ():
            whole = (posixpath.normpath(posixpath.join(folder, path)) for path in paths)
            found += [path for path in whole if is_there(path)][:1]
        return tuple(found)

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
        others = [d for d in corpus if d.original is None or d.original.format != self.id]
        lost: Counter[str] = Counter()
        for document in others:
            if not self.has_words and not document.named_mentions:
                lost["words"] += len(document.words)
            if not self.keeps:
                lost.update(_beyond_spans(document))
        kinds = [f"{name} ({number:,})" for name, number in lost.items() if number]
        return (f"{self.title} does not hold {listed(kinds)}: left out.",) if kinds else ()


def _beyond_spans(document: Document) -> dict[str, int]:
    """How many mentions have more than a span and an entity, by what it is."""
    lost = {}
    if (known := document.attributes) is not None:
        types = zip(known.entity_type, known.mention_type, strict=True)
        lost["heads"] = int((known.head >= 0).sum())
        lost["minimum spans"] = int((known.minimum >= 0).any(axis=-1).sum())
        lost["mention types"] = sum(any(both) for both in types)
    return lost | {"split antecedents": len(document.split_antecedents)}


def unwritable(document: Document) -> Iterator[Problem]:
    """What no format can hold: a name of no or several lines, mentions beyond the words."""
    place, name = document.file or document.name, document.name
    if not name or name != name.strip() or "\n" in name or "\r" in name:
        found = f"the document name {name!r}"
        yield Problem(place, 0, found, "a name on one line", "Rename the document.")
    if not document.words and len(document.rows):
        found = f"document '{name}' has mentions but no words"
        yield Problem(place, 0, found, "the words of the document", "Add them.")
    elif document.rows[:, 1].max(initial=0) > len(document.words):
        found = f"document '{name}' has a mention that ends after its {len(document.words)} words"
        yield Problem(place, 0, found, "mentions within the document", "Fix the mention.")
    yield from _no_text(document)


def _no_text(document: Document) -> Iterator[Problem]:
    """Characters that no file can hold, the first of them."""
    for what, texts, advice in _texts_of(document):
        match = next((match for text in texts if (match := _NO_TEXT.search(text))), None)
        if match:
            character = "a NUL character" if match[0] == "\0" else _LONE
            found = f"{character} in {what} of document '{document.name}'"
            yield Problem(document.file or document.name, 0, found, "text", advice)
            return


def _texts_of(document: Document) -> Iterator[tuple[str, Iterable[str], str]]:
    """What stands in a file of a document: what it is, the texts, and what to do about one."""
    yield "the name", (document.name,), "Rename the document."
    yield "the words", document.words, "Fix the word."
    yield "the speakers", document.speakers, "Rename the speaker."
    yield "the tags", document.tags, "Fix the tag."
    yield "the lemmas", document.lemmas, "Fix the lemma."
    yield "the named spans", document.named_spans, "Rename the span."
    if known := document.attributes:
        yield "the types", (*known.entity_type, *known.mention_type), "Rename the type."
    for node in document.empty_nodes.values():
        relations = tuple(relation for _, relation in node.parents)
        yield "the empty nodes", relations, "Rename the relation."


def more_than_spans(document: Document) -> Iterator[Problem]:
    """What a format that only knows spans of words cannot hold: gaps and empty nodes."""
    place, attributes = document.file or document.name, document.attributes
    gaps = [at for at, pieces in enumerate(attributes.pieces) if pieces] if attributes else []
    if gaps:
        mention = document.text(document.mentions[gaps[0]])
        found = f"discontinuous mentions in document '{document.name}', such as '{mention}'"
        yield Problem(place, 0, found, "mentions without a gap", _HOLDS)
    if document.empty_nodes:
        found = f"empty nodes (zeros) in document '{document.name}'"
        yield Problem(place, 0, found, "words of the text only", _HOLDS)


@dataclass(frozen=True)
class Lookalike:
    """A file that no reader takes: how it begins, what it is and what to give instead."""

    pattern: re.Pattern[str]
    found: str
    expected: str
    advice: str


LOOKALIKES = (
    Lookalike(
        re.compile(r"\ufeff?Topic,File,Sentence Number\s"),
        "the list of annotated sentences of ECB+, without words and mentions",
        "the XML files of ECB+",
        "Give the folder of the XML files.",
    ),
    Lookalike(
        re.compile(r"\ufeff?paragraph_ID\tsentence_ID\t"),
        "the words of BookNLP (.tokens), without mentions",
        "the .entities file beside them",
        "Give the .entities file; it finds its .tokens in the same folder or zip archive.",
    ),
    Lookalike(
        re.compile(r"\ufeff?\s*(<\?[^>]*>\s*)?(<!DOCTYPE words[^>]*>\s*)?<words[\s>]"),
        "the words of MMAX2, without mentions",
        "the file of the coreference level (x_coref_level.xml)",
        "Give that file; it finds its words beside it, or in a folder Basedata.",
    ),
)


def lookalike(text: str) -> Lookalike | None:
    """What a text is known to be that cannot be read by itself."""
    return next((known for known in LOOKALIKES if known.pattern.match(text[:1000])), None)


_LOOKED_AT = 200_000  # letters from the start of a file


@dataclass(frozen=True)
class Shape:
    """A format as it looks.

    title   its name
    line    what one of its lines begins with
    advice  what its owner can do
    """

    title: str
    line: str
    advice: str


_EXPORT = "Export it as CoNLL-2012 or CoNLL-U, or convert it to JSON Lines."

_READ = "Name that format, or none: it is found from the content."

_CONVERT = "Convert it to JSON Lines or CoNLL-2012."

SHAPES = (
    Shape("WebAnno TSV 3", r"#FORMAT=WebAnno TSV 3", _READ),
    Shape("WebAnno TSV 1 or 2", r"#FORMAT=WebAnno TSV|# webanno\.custom|#id=1\n#text=", _EXPORT),
    Shape("CoNLL-UA", r"# global\.columns *=.*\bIDENTITY\b", "Read it as conll-ua."),
    Shape("CorefUD CoNLL-U", r"# global\.Entity *=|.*\bEntity=\(", "Put tabs between its columns."),
    Shape("CoNLL-U Plus", r"# global\.columns *=", "Use the columns of CoNLL-U."),
    Shape(
        "CoNLL-U without coreference",
        r"[0-9]+\t[^\t\n]+\t[^\t\n]*\t[A-Z_]+\t[^\t\n]*\t[^\t\n]*\t[0-9_]+\t",
        "Use a file that has been annotated for coreference.",
    ),
    Shape("the tab file of LitBank", r"(?:MENTION|COREF|PROP|COP|APPOS)\tT?[0-9]+\t", _READ),
    Shape("brat standoff", r"T[0-9]+\t\S+ [0-9]+ [0-9]+[\t;]", _READ),
    Shape("a .entities file of BookNLP", r"COREF\tstart_token\tend_token\t", _READ),
    Shape("GAP", r"ID\tText\tPronoun\tPronoun-offset\t", _READ),
    Shape("SACR", r"#title:|#textid:|#corpus:", _READ),
    Shape("ECB+ XML", r"<Document doc_(?:name|id)=", _READ),
    Shape("MMAX2 XML", r"<words>|<markables\b|<!DOCTYPE (?:words|markables)\b", _READ),
    Shape("NAF or KAF XML", r"<(?:NAF|KAF)\b", _CONVERT),
    Shape("TEI XML", r"<TEI\b|.*<rs ref=", _READ),
    Shape("the output of a scorer", r"METRIC (?:muc|bcub|ceafm|ceafe|blanc):", "Use its input."),
    Shape("HTML", r"(?i:<!DOCTYPE html|<html\b)", "Save the file itself, not the page of it."),
    Shape("XML", r"<\?xml\b", _CONVERT),
    Shape("a printed Python dict", r"\{'\w+':", "Write it as JSON, with json.dumps."),
    Shape(
        "inline markup with ids in another spelling",
        r".*\[[^\[\]\n]+\](?:\(\w{1,20}\)|_\{?\w|#\w|\{\w+\}|<sub>|\[\w+\])",
        'Write [Mia](#1) or <m id="1">Mia</m>, with the id of the entity.',
    ),
)

_PATTERNS = tuple((shape, re.compile(rf"^(?:{shape.line})", re.MULTILINE)) for shape in SHAPES)


@dataclass(frozen=True)
class Likeness:
    """What a text looks like, and the line that gives it away."""

    shape: Shape
    number: int
    line: str

    @property
    def found(self) -> str:
        """As what was found, for a problem."""
        return f"this looks like {self.shape.title} ('{self.line}')"


def likeness(text: str) -> Likeness | None:
    """The first of the known shapes that a text has."""
    start = text[:_LOOKED_AT]
    for shape, pattern in _PATTERNS:
        if match := pattern.search(start):
            line = start[match.start() :].split("\n", 1)[0].strip()[:40]
            return Likeness(shape, start.count("\n", 0, match.start()) + 1, line)
    return None
