"""ECB+: an XML file a text, with mentions of events, people, places and times on its tokens.

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
"""

import posixpath
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.standoff.elements import Element, every, first_element, root_of
from corescore.corpus.formats.standoff.links import linked
from corescore.corpus.formats.standoff.offsets import joined_runs
from corescore.corpus.formats.standoff.pairs import alone, path_in, stem_of
from corescore.corpus.mentions import Attributes, Pieces
from corescore.corpus.problems import InputError, Problem, Problems

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
            _document(
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
    return Corpus((_document(match[1], first, every_text),), place)


def _document(name: str, file: str, texts: list[_Text]) -> Document:
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
    runs = [_runs(m, position, file, problems) for m in anchored]
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


def _runs(markable: Element, position: dict[str, int], file: str, problems: Problems) -> Pieces:
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


def _read_alone(text: str, file: str, side: str) -> Corpus:
    return read_ecbplus(*alone(text, file), side)


def _read_topic_alone(text: str, file: str, side: str) -> Corpus:
    return read_topic(*alone(text, file), side)


ECBPLUS = Format(
    id="ecbplus",
    title="ECB+",
    suffixes=("ecb.xml", "ecbplus.xml"),
    fits=fits_ecbplus,
    read=_read_alone,
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
