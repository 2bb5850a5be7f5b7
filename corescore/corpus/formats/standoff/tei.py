"""TEI: a text with its mentions marked by elements that refer to an entity.

    <text><p><rs ref="#mia">Mia</rs> gave <rs ref="#ann"><rs ref="#mia">her</rs> sister</rs> …

Mentions are `rs` and the elements of names (`persName`, `placeName`, …) with `ref` or `key`, which
is the entity; those without are counted in a warning. Words are found in the text; paragraphs,
sentences, lines of verse and headings begin a sentence. Kept: `type` as entity type. Lost: the
header, other markup. As written by CorefAnnotator.

Source: https://tei-c.org/release/doc/tei-p5-doc/en/html/ref-rs.html
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.standoff.elements import Element, every, first_element, root_of
from corescore.corpus.formats.standoff.offsets import Offsets
from corescore.corpus.mentions import Attributes
from corescore.corpus.problems import InputError, Problem, Problems
from corescore.wording import counted

_MENTIONS = ("rs", "name", "persName", "placeName", "orgName", "geogName")
_SENTENCES = ("p", "s", "ab", "l", "lg", "head", "div", "sp", "speaker", "item", "body", "lb")


@dataclass
class _Text:
    """The characters of a text and the elements that are mentions, with their characters."""

    pieces: list[str] = field(default_factory=list)
    length: int = 0
    mentions: list[tuple[int, int, Element]] = field(default_factory=list)
    n_without: int = 0

    def add(self, piece: str) -> None:
        self.pieces.append(piece)
        self.length += len(piece)


def read_tei(text: str, file: str, side: str = "key") -> Corpus:
    """The one document of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    root = root_of(text, file)
    texts = [element for element in every(root) if element.name == "text"]
    if len(texts) != 1:
        found = f"{counted(len(texts), 'element')} <text>"
        raise InputError([Problem(file, root.line, found, "one", "Split the file into texts.")])
    marked = _marked(texts[0])
    if not marked.mentions:
        found = "a TEI text in which nothing refers to an entity"
        advice = "Mark the mentions by <rs>."
        raise InputError([Problem(file, texts[0].line, found, 'elements <rs ref="…">', advice)])
    return _corpus(marked, file)


def _corpus(marked: _Text, file: str) -> Corpus:
    offsets = Offsets("".join(marked.pieces))
    found = [(offsets.mention([(start, end)]), e) for start, end, e in marked.mentions]
    problems = Problems()
    problems.extend(
        Problem(file, element.line, f"an empty <{element.name}>", "words in it", "Remove it.")
        for mention, element in found
        if mention is None
    )
    problems.refuse()
    mentions = [(mention, element) for mention, element in found if mention]
    document = Document.of_rows(
        PurePosixPath(file).name.split(".")[0],
        [(mention.start, mention.end, _entity(element)) for mention, element in mentions],
        words=offsets.tokens.words,
        sentence_starts=offsets.sentence_starts,
        file=file,
        attributes=Attributes.of(
            len(mentions), entity_type=[element["type"] for _, element in mentions]
        ),
    )
    return Corpus((document,), file, (*offsets.warnings(file), *_warnings(marked, file)))


def _marked(element: Element) -> _Text:
    """What stands in an element, without recursion."""
    text = _Text()
    waiting: list[tuple[Element, int, Iterator[Element | str]]] = []
    waiting.append((element, 0, iter(element.children)))
    while waiting:
        inside, start, children = waiting[-1]
        child = next(children, None)
        if isinstance(child, str):
            text.add(" ".join(child.split("\n")))  # a line end in XML is a blank
        elif child is not None:
            text.add("\n" if child.name in _SENTENCES else "")
            waiting.append((child, text.length, iter(child.children)))
        else:
            waiting.pop()
            _close(text, inside, start)
    return text


def _close(text: _Text, element: Element, start: int) -> None:
    if element.name in _MENTIONS and _entity(element):
        text.mentions.append((start, text.length, element))
    elif element.name in _MENTIONS:
        text.n_without += 1
    text.add("\n" if element.name in _SENTENCES else "")


def _entity(element: Element) -> str:
    """What a mention refers to; two at once, as in `#a #b`, are an entity of their own."""
    return " ".join((element["ref"] or element["key"]).split())


def _warnings(marked: _Text, file: str) -> Iterator[str]:
    if marked.n_without:
        number = counted(marked.n_without, "name")
        yield f"{file}: {number} without 'ref' or 'key' not taken as mentions"


def fits_tei(text: str) -> bool:
    """Whether the outermost element is TEI's; `text` only with `rs` in it, since others use it."""
    first = first_element(text)
    name = first.name if first else ""
    return name in ("TEI", "TEI.2", "teiCorpus") or (name == "text" and "<rs " in text)


TEI = Format(
    id="tei",
    title="TEI",
    suffixes=(".tei", ".xml"),
    fits=fits_tei,
    read=read_tei,
)
