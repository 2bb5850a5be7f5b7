"""XML as a tree of elements with their lines, read so that no file can do harm.

A document type with declarations of its own is refused, since entities could expand without end or
read other files; an external one is not fetched. So is nesting beyond what any text needs.

MMAX2: `x_coref_level.xml`, markables over the words of `x_words.xml`, there or in `Basedata/`.

    <markable id="markable_1" span="word_1..word_3,word_7" coref_class="set_2" mention="np"/>

Both ends of a range are inclusive; a comma begins another piece. The entity is `coref_class` or
`coref_set`; markables without one (`empty`), such as pleonastic pronouns, are no mentions and are
counted in a warning. Sentences are the markables of `x_sentence_level.xml`, if it is there. Kept:
`category` as entity type, `mention` as mention type, `min_ids` as minimum span. Lost: other levels,
other attributes, pointers.

Source: http://mmax2.net; files of ParCorFull (Lapshinova-Koltunski et al. 2018)

ECB+: an XML file a text, with mentions of events, people, places and times on its tokens.

    <token t_id="1" sentence="0">Mia</token> …
    <Markables><HUMAN_PART_PER m_id="5"><token_anchor t_id="1"/></HUMAN_PART_PER>
               <HUMAN_PART_PER m_id="9" TAG_DESCRIPTOR="Mia" instance_id="HUM1"/></Markables>
    <Relations><CROSS_DOC_COREF note="HUM1"><source m_id="5"/><target m_id="9"/> …

`ecbplus` reads a text as a document: mentions are linked by INTRA_DOC_COREF and CROSS_DOC_COREF;
one without is an entity of its own. `ecbplus-topics`, which must be named, reads the texts of a
topic (the first number of their names, 1_10ecbplus.xml) as one document, with instances as
entities. The tag is the entity type. Lost: which sentences were annotated (that is in the CSV
file of ECB+; words of the others are words without mentions).

Source: http://www.newsreader-project.eu/results/data/the-ecb-corpus; Cybulska and Vossen (2014)

TEI: a text with its mentions marked by elements that refer to an entity.

    <text><p><rs ref="#mia">Mia</rs> gave <rs ref="#ann"><rs ref="#mia">her</rs> sister</rs> …

Mentions are `rs` and the elements of names (`persName`, `placeName`, …) with `ref` or `key`, which
is the entity; those without are counted in a warning. Words are found in the text; paragraphs,
sentences, lines of verse and headings begin a sentence. Kept: `type` as entity type. Lost: the
header, other markup. As written by CorefAnnotator.

Source: https://tei-c.org/release/doc/tei-p5-doc/en/html/ref-rs.html
"""

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from xml.parsers import expat

from corescore.corpus.documents import Attributes, Corpus, Document, Pieces
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.standoff import (
    Offsets,
    Pair,
    alone,
    joined_runs,
    linked,
    pair_of,
    path_in,
    stem_of,
    with_ending,
)
from corescore.corpus.problems import InputError, Problem, Problems
from corescore.wording import counted

DEPTH = 200

_HEAD = 4000  # characters within which the first element begins


@dataclass(slots=True)
class Element:
    """An element: its name and attributes without prefixes, its line, and what is in it."""

    name: str
    attributes: dict[str, str]
    line: int
    children: "list[Element | str]" = field(default_factory=list)

    @property
    def elements(self) -> "Iterator[Element]":
        """The elements directly within it."""
        return (child for child in self.children if isinstance(child, Element))

    @property
    def text(self) -> str:
        """The text directly within it."""
        return "".join(child for child in self.children if isinstance(child, str))

    def __getitem__(self, name: str) -> str:
        """An attribute; "" if it is not there."""
        return self.attributes.get(name, "")


class _Tree:
    """Builds the tree while expat reads."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.root: Element | None = None
        self.open: list[Element] = []
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._document_type
        self.parser.SkippedEntityHandler = self._skipped
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text

    def refusal(self, found: str, expected: str, advice: str) -> InputError:
        line = max(1, self.parser.CurrentLineNumber)
        return InputError([Problem(self.file, line, found, expected, advice)])

    def _document_type(
        self, name: str, system: str | None, public: str | None, declares: int
    ) -> None:
        if declares:
            found = "a document type with declarations, which could read other files"
            raise self.refusal(found, "none, or one by name", "Remove what is in its brackets.")

    def _skipped(self, name: str, is_parameter: int) -> None:
        found, advice = f"the entity &{name};", "Write the character itself."
        raise self.refusal(found, "characters, since no other files are read", advice)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= DEPTH:
            found = f"elements nested more than {DEPTH} deep"
            raise self.refusal(found, f"at most {DEPTH}", "Check the file.")
        plain = {_local(attribute): value for attribute, value in attributes.items()}
        element = Element(_local(name), plain, self.parser.CurrentLineNumber)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def _end(self, name: str) -> None:
        self.open.pop()

    def _text(self, text: str) -> None:
        if self.open:
            self.open[-1].children.append(text)


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def root_of(text: str, file: str) -> Element:
    """The outermost element of a text. Raises InputError for what is not whole or not safe."""
    tree = _Tree(file)
    try:
        tree.parser.Parse(text, True)
    except expat.ExpatError as error:
        found = f"XML that is broken or cut short ({expat.ErrorString(error.code)})"
        raise tree.refusal(found, "a whole XML file", "Fix the file.") from error
    except UnicodeEncodeError as error:
        raise tree.refusal("half a character", "text in UTF-8", "Fix the file.") from error
    if tree.root is None:
        raise tree.refusal("no element", "a whole XML file", "Fix the file.")
    return tree.root


def first_element(text: str) -> Element | None:
    """The first element without what is in it, if the text begins as XML."""
    if not text[:100].lstrip("\ufeff \t\r\n").startswith("<"):
        return None
    tree = _Tree("")
    with suppress(expat.ExpatError, InputError, UnicodeEncodeError):  # `root_of` will tell
        tree.parser.Parse(text[:_HEAD], False)
    return tree.root


def every(element: Element) -> Iterator[Element]:
    """An element and all that are within it, in the order of the text."""
    waiting = [element]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += reversed(list(found.elements))


_ENDING, _WORDS, _SENTENCES = "_coref_level.xml", "_words.xml", "_sentence_level.xml"

_FOLDERS = ("", "../Basedata/", "../basedata/", "Basedata/", "basedata/")

_SETS = ("coref_class", "coref_set")


@dataclass(frozen=True)
class _Markable:
    """A markable that is in a set: its words in pieces, and what is said of it."""

    runs: Pieces
    minimum: tuple[int, int]
    entity: str
    entity_type: str
    mention_type: str


def read_mmax(texts: Mapping[str, str], place: str, side: str = "key") -> Corpus:
    """The document of a pair of files; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    pair = pair_of(texts, place, _ENDING, _WORDS)
    problems = Problems()
    words, position = _words(pair, problems)
    problems.refuse()
    starts = _sentence_starts(pair, texts, place, position, problems)
    every = _markables(pair.first, pair.file)
    markables = [_markable(pair, e, position, problems) for e in every if _entity(e)]
    problems.refuse()
    document = _document(pair, words, starts, [markable for markable in markables if markable])
    return Corpus((document,), pair.file, tuple(_warnings(pair, len(every) - len(markables))))


def _markables(text: str, file: str) -> list[Element]:
    return [element for element in root_of(text, file).elements if element.name == "markable"]


def _sentence_starts(
    pair: Pair,
    texts: Mapping[str, str],
    place: str,
    position: dict[str, int],
    problems: Problems,
) -> list[int]:
    """The first word of each sentence; that of the text alone if nothing tells them."""
    starts = {0} if position else set()
    for name, text in texts.items():
        if name.removesuffix(".gz").endswith(_SENTENCES):
            file = path_in(place, name)
            for element in _markables(text, file):
                if runs := _runs(element["span"], position):
                    starts.add(runs[0][0])
                else:
                    problems.add(_bad_span(element, file, pair.other))
    return sorted(starts)


def _bad_span(element: Element, file: str, words: str) -> Problem:
    found = f"the span '{element['span']}' of {element['id'] or 'a markable'}"
    expected = f"words of {words}, such as word_1..word_3"
    return Problem(file, element.line, found, expected, "Take the words that were annotated.")


def _words(pair: Pair, problems: Problems) -> tuple[list[str], dict[str, int]]:
    words: list[str] = []
    position: dict[str, int] = {}
    for element in root_of(pair.second, pair.other).elements:
        if element.name == "word":
            word, name = element.text.strip(), element["id"]
            if not word or not name or name in position:
                found = f"the word '{word}' with id '{name}'"
                expected = "some text, and an id of its own"
                problems.add(Problem(pair.other, element.line, found, expected, "Fix it."))
            position[name] = len(words)
            words.append(word)
    return words, position


def _entity(element: Element) -> str:
    """The set of a markable; "" if it is in none."""
    of = next((element[name] for name in _SETS if name in element.attributes), "")
    return "" if of == "empty" else of


def _markable(
    pair: Pair, element: Element, position: dict[str, int], problems: Problems
) -> _Markable | None:
    runs = _runs(element["span"], position)
    if not runs:
        problems.add(_bad_span(element, pair.file, pair.other))
        return None
    least = _runs(element["min_ids"], position)
    within = len(least) == 1 and runs[0][0] <= least[0][0] and least[0][1] <= runs[-1][1]
    minimum = least[0] if within else (-1, -1)
    kinds = element["category"], element["mention"]
    return _Markable(runs, minimum, _entity(element), *kinds)


def _runs(span: str, position: dict[str, int]) -> Pieces:
    """The words of a span, half-open; none if a word is not there."""
    runs = []
    for piece in span.split(","):
        first, _, last = piece.strip().partition("..")
        start, end = position.get(first, -1), position.get(last or first, -1)
        if not 0 <= start <= end:
            return ()
        runs.append((start, end + 1))  # inclusive → half-open
    return joined_runs(runs)


def _document(
    pair: Pair, words: list[str], starts: list[int], markables: list[_Markable]
) -> Document:
    folder, name = posixpath.split(pair.name)
    if posixpath.basename(folder).lower() == "markables":
        folder = posixpath.dirname(folder)
    return Document.of_rows(
        posixpath.join(folder, name),
        [(m.runs[0][0], m.runs[-1][1], m.entity) for m in markables],
        words=words,
        sentence_starts=starts,
        file=pair.file,
        attributes=Attributes.of(
            len(markables),
            minimum=[m.minimum for m in markables],
            pieces=[m.runs if len(m.runs) > 1 else () for m in markables],
            entity_type=[m.entity_type for m in markables],
            mention_type=[m.mention_type for m in markables],
        ),
    )


def _warnings(pair: Pair, n_without: int) -> Iterator[str]:
    if n_without:
        yield f"{pair.file}: {counted(n_without, 'markable')} in no set not taken as mentions"


def fits_mmax(text: str) -> bool:
    """Whether the outermost element is <markables>."""
    first = first_element(text)
    return first is not None and first.name == "markables"


def _read_alone(text: str, file: str, side: str) -> Corpus:
    return read_mmax(*alone(text, file), side)


MMAX = Format(
    id="mmax2",
    title="MMAX2 (_coref_level.xml with _words.xml)",
    suffixes=(_ENDING,),
    fits=fits_mmax,
    read=_read_alone,
    beside=with_ending(_ENDING, _WORDS, _SENTENCES, folders=_FOLDERS),
    read_files=read_mmax,
)

_NAME = re.compile(r"(\d{1,9})_(\d{1,9})ecb(plus)?\.xml(\.gz)?", re.ASCII)

_RELATIONS = ("INTRA_DOC_COREF", "CROSS_DOC_COREF")

Node = tuple[str, str]  # ("instance", its name) or (file, number of a markable)


@dataclass(frozen=True)
class _Mention:
    """A markable with words: in pieces, and what stands for its entity."""

    runs: Pieces
    entity: Node
    type: str


@dataclass(frozen=True)
class _Text:
    """One file: its words, the first word of each sentence, and its mentions."""

    words: tuple[str, ...]
    sentence_starts: tuple[int, ...]
    mentions: tuple[_Mention, ...]


def read_ecbplus(texts: Mapping[str, str], place: str, side: str = "key") -> Corpus:
    """The documents of files, one each; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    return Corpus(
        tuple(
            _ecbplus_document(
                posixpath.basename(stem_of(name, ".xml")),
                path_in(place, name),
                [_text(text, path_in(place, name))],
            )
            for name, text in texts.items()
        ),
        place,
    )


def read_topic(texts: Mapping[str, str], place: str, side: str = "key") -> Corpus:
    """The texts of a topic as one document; otherwise as `read_ecbplus`."""
    first = path_in(place, next(iter(texts)))
    match = _NAME.fullmatch(posixpath.basename(first))
    if match is None:
        expected = "a topic, an underscore and a text, such as 1_10ecbplus.xml"
        found = "a name without a topic"
        raise InputError([Problem(first, 0, found, expected, "Name the file as in ECB+.")])
    every_text = [_text(text, path_in(place, name)) for name, text in texts.items()]
    return Corpus((_ecbplus_document(match[1], first, every_text),), place)


def _ecbplus_document(name: str, file: str, texts: list[_Text]) -> Document:
    """One document of all texts, one after the other."""
    words: list[str] = []
    starts: list[int] = []
    mentions: list[tuple[Pieces, _Mention]] = []
    for text in texts:
        before = len(words)
        words += text.words
        starts += [before + start for start in text.sentence_starts]
        for mention in text.mentions:
            runs = tuple((before + start, before + end) for start, end in mention.runs)
            mentions.append((runs, mention))
    return Document.of_rows(
        name,
        [(runs[0][0], runs[-1][1], mention.entity) for runs, mention in mentions],
        words=words,
        sentence_starts=starts,
        file=file,
        attributes=Attributes.of(
            len(mentions),
            pieces=[runs if len(runs) > 1 else () for runs, _ in mentions],
            entity_type=[mention.type for _, mention in mentions],
        ),
    )


# One file ----------------------------------------------------------------------------------------


def _text(text: str, file: str) -> _Text:
    root = root_of(text, file)
    problems = Problems()
    tokens = [element for element in root.elements if element.name == "token"]
    position = {token["t_id"]: at for at, token in enumerate(tokens)}
    for token in tokens:
        if tokens[position[token["t_id"]]] is not token or not token.text.strip():
            found = f"the token '{token.text.strip()}' with t_id '{token['t_id']}'"
            expected = "some text, and a number of its own"
            problems.add(Problem(file, token.line, found, expected, "Fix the token."))
    markables = [m for part in root.elements if part.name == "Markables" for m in part.elements]
    entity = _entities(root, markables, file, problems)
    anchored = [m for m in markables if any(True for _ in m.elements)]
    runs = [_ecbplus_runs(m, position, file, problems) for m in anchored]
    problems.refuse()
    return _Text(
        tuple(token.text.strip() for token in tokens),
        tuple(
            at
            for at, token in enumerate(tokens)
            if at == 0 or token["sentence"] != tokens[at - 1]["sentence"]
        ),
        tuple(
            _Mention(of, entity[file, m["m_id"]], m.name)
            for m, of in zip(anchored, runs, strict=True)
        ),
    )


def _ecbplus_runs(
    markable: Element, position: dict[str, int], file: str, problems: Problems
) -> Pieces:
    anchors = [anchor["t_id"] for anchor in markable.elements]
    if missing := [name for name in anchors if name not in position]:
        found, expected = f"an anchor on token '{missing[0]}'", "a token of the file"
        problems.add(Problem(file, markable.line, found, expected, "Fix the t_id."))
        return ()
    return joined_runs((position[name], position[name] + 1) for name in anchors)


def _entities(
    root: Element, markables: list[Element], file: str, problems: Problems
) -> dict[Node, Node]:
    """What stands for the entity of each markable; the instance, if it is of one."""
    nodes = {(file, m["m_id"]): m for m in markables}
    if len(nodes) < len(markables):
        found, expected = "a second markable of one m_id", "each m_id once"
        problems.add(Problem(file, root.line, found, expected, "Fix the m_id."))
    links: list[tuple[Node, Node]] = []
    for relation in every(root):
        if relation.name in _RELATIONS:
            ends = [(file, end["m_id"]) for end in relation.elements]
            if missing := [end for end in ends if end not in nodes]:
                found, expected = f"a link to markable '{missing[0][1]}'", "one of the file"
                problems.add(Problem(file, relation.line, found, expected, "Fix the m_id."))
                continue
            instance = _instance(relation, [nodes[end] for end in ends])
            firsts = [("instance", instance)] if instance else ends[:1]
            links += [(first, end) for first in firsts for end in ends]
    names = dict.fromkeys([*(node for link in links for node in link), *nodes])
    top = linked(names, links)
    instances = {top[node]: node for node in names if node[0] == "instance"}
    return {node: instances.get(top[node], top[node]) for node in nodes}


def _instance(relation: Element, ends: list[Element]) -> str:
    """The name of the instance that a relation is about; "" within one text."""
    if relation.name == "INTRA_DOC_COREF":
        return ""
    return next((end["instance_id"] for end in ends if end["instance_id"]), relation["note"])


# Formats -----------------------------------------------------------------------------------------


def fits_ecbplus(text: str) -> bool:
    """Whether the outermost element is ECB+'s."""
    first = first_element(text)
    return first is not None and first.name == "Document" and "doc_name" in first.attributes


def _each(names: Collection[str]) -> list[tuple[str, ...]]:
    return [(name,) for name in names if _NAME.fullmatch(posixpath.basename(name))]


def _by_topic(names: Collection[str]) -> list[tuple[str, ...]]:
    """The files of each topic, by their numbers, those of ECB before those of ECB+."""
    topics: dict[int, list[tuple[bool, int, str]]] = {}
    for name in names:
        if match := _NAME.fullmatch(posixpath.basename(name)):
            topics.setdefault(int(match[1]), []).append((bool(match[3]), int(match[2]), name))
    return [tuple(name for *_, name in sorted(topics[topic])) for topic in sorted(topics)]


def _ecbplus_read_alone(text: str, file: str, side: str) -> Corpus:
    return read_ecbplus(*alone(text, file), side)


def _read_topic_alone(text: str, file: str, side: str) -> Corpus:
    return read_topic(*alone(text, file), side)


ECBPLUS = Format(
    id="ecbplus",
    title="ECB+",
    suffixes=("ecb.xml", "ecbplus.xml"),
    fits=fits_ecbplus,
    read=_ecbplus_read_alone,
    group=_each,
    read_files=read_ecbplus,
)

ECBPLUS_TOPICS = Format(
    id="ecbplus-topics",
    title="ECB+ by topic",
    suffixes=(),
    fits=lambda text: False,  # only if named: each file alone is a text
    read=_read_topic_alone,
    group=_by_topic,
    read_files=read_topic,
)

_MENTIONS = ("rs", "name", "persName", "placeName", "orgName", "geogName")

_TEI_SENTENCES = ("p", "s", "ab", "l", "lg", "head", "div", "sp", "speaker", "item", "body", "lb")


@dataclass
class _TeiText:
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


def _corpus(marked: _TeiText, file: str) -> Corpus:
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
        [(mention.start, mention.end, _tei_entity(element)) for mention, element in mentions],
        words=offsets.tokens.words,
        sentence_starts=offsets.sentence_starts,
        file=file,
        attributes=Attributes.of(
            len(mentions), entity_type=[element["type"] for _, element in mentions]
        ),
    )
    return Corpus((document,), file, (*offsets.warnings(file), *_tei_warnings(marked, file)))


def _marked(element: Element) -> _TeiText:
    """What stands in an element, without recursion."""
    text = _TeiText()
    waiting: list[tuple[Element, int, Iterator[Element | str]]] = []
    waiting.append((element, 0, iter(element.children)))
    while waiting:
        inside, start, children = waiting[-1]
        child = next(children, None)
        if isinstance(child, str):
            text.add(" ".join(child.split("\n")))  # a line end in XML is a blank
        elif child is not None:
            text.add("\n" if child.name in _TEI_SENTENCES else "")
            waiting.append((child, text.length, iter(child.children)))
        else:
            waiting.pop()
            _close(text, inside, start)
    return text


def _close(text: _TeiText, element: Element, start: int) -> None:
    if element.name in _MENTIONS and _tei_entity(element):
        text.mentions.append((start, text.length, element))
    elif element.name in _MENTIONS:
        text.n_without += 1
    text.add("\n" if element.name in _TEI_SENTENCES else "")


def _tei_entity(element: Element) -> str:
    """What a mention refers to; two at once, as in `#a #b`, are an entity of their own."""
    return " ".join((element["ref"] or element["key"]).split())


def _tei_warnings(marked: _TeiText, file: str) -> Iterator[str]:
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
