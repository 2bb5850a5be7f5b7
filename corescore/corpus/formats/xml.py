"""The formats that are XML: MMAX2, ECB+ and TEI.

No file can do harm: lxml fetches nothing, and neither deep nesting nor entities that expand without
end get past its limits. Entities that a file declares are refused, since they could be other files.

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
from collections.abc import Collection, Hashable, Mapping
from contextlib import suppress
from itertools import groupby
from pathlib import PurePosixPath
from typing import Any

from lxml import etree

from corescore.corpus.documents import Corpus, Document, Pieces
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.standoff import (
    Found,
    Offsets,
    TextPair,
    alone,
    document_of,
    joined_runs,
    linked,
    pair_of,
    path_in,
    run_of,
    stem_of,
    with_ending,
)
from corescore.corpus.problems import InputError, Problem, Problems
from corescore.wording import counted

Element = etree._Element

_SAFELY: dict[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
    "encoding": "utf-8",
}

_HEAD = 4000  # characters within which the first element begins

_FIX = "Fix the file."


def root_of(text: str, file: str) -> Element:
    """The outermost element of a text, names without namespaces.

    Raises InputError for what is not whole or not safe, with its line.
    """

    def refusal(line: int | None, found: str, expected: str, advice: str = _FIX) -> InputError:
        return InputError([Problem(file, line or 1, found, expected, advice)])

    try:
        root: Element = etree.fromstring(text.encode(), etree.XMLParser(**_SAFELY))
    except UnicodeEncodeError as error:
        raise refusal(1, "half a character", "text in UTF-8") from error
    except etree.XMLSyntaxError as error:
        said = error.msg.split(", ")[0].strip()[:80]
        if error.code == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
            expected = "fewer nested elements, shorter texts, and characters instead of entities"
            found = f"XML that is not safe to read ({said})"
            raise refusal(error.lineno, found, expected) from error
        found = f"XML that is broken or cut short ({said})"
        raise refusal(error.lineno, found, "a whole XML file") from error
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and any(declared.iterentities()):
        found = "a document type with declarations, which could read other files"
        advice = "Remove what is in its brackets."
        raise refusal(root.sourceline, found, "none, or one by name", advice)
    for entity in root.iter(etree.Entity):
        found, advice = f"the entity {entity.text}", "Write the character itself."
        expected = "characters, since no other files are read"
        raise refusal(entity.sourceline, found, expected, advice)
    for element in root.iter("{*}*"):
        element.tag = name_of(element)
    return root


def name_of(element: Element) -> str:
    """The name of an element without its namespace or prefix."""
    return re.split("[}:]", str(element.tag))[-1]


def first_element(text: str) -> Element | None:
    """The first element without what is in it, if the text begins as XML."""
    if not text[:100].lstrip("\ufeff \t\r\n").startswith("<"):
        return None
    parser = etree.XMLPullParser(events=("start",), recover=True, **_SAFELY)
    with suppress(etree.XMLSyntaxError, UnicodeEncodeError):  # `root_of` will refuse it
        parser.feed(text[:_HEAD].encode())
        parser.close()
    return next((element for _, element in parser.read_events()), None)


def _problem(file: str, element: Element, found: str, expected: str, advice: str) -> Problem:
    return Problem(file, element.sourceline or 1, found, expected, advice)


def _text(element: Element) -> str:
    return "".join(element.itertext()).strip()


# MMAX2 -------------------------------------------------------------------------------------------

_ENDING, _WORDS, _SENTENCES = "_coref_level.xml", "_words.xml", "_sentence_level.xml"

_FOLDERS = ("", "../Basedata/", "../basedata/", "Basedata/", "basedata/")


def read_mmax(texts: Mapping[str, str], place: str, side: str = "key") -> Corpus:
    """The document of a pair of files; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    pair = pair_of(texts, place, _ENDING, _WORDS)
    problems = Problems()
    words, position = _words(pair, problems)
    problems.refuse()
    starts = {0} if words else set()
    for name, text in texts.items():
        if name.removesuffix(".gz").endswith(_SENTENCES):
            file = path_in(place, name)
            every = _markables(text, file)
            spans = [_runs(file, markable, pair, position, problems) for markable in every]
            starts |= {span[0][0] for span in spans if span}
    every = _markables(pair.first, pair.file)
    of_sets = [markable for markable in every if _entity(markable)]
    found = [
        Found(
            runs,
            _entity(markable),
            markable.get("category", ""),
            markable.get("mention", ""),
            _minimum(markable, runs, position),
        )
        for markable in of_sets
        if (runs := _runs(pair.file, markable, pair, position, problems))
    ]
    problems.refuse()
    folder, name = posixpath.split(pair.name)
    if posixpath.basename(folder).lower() == "markables":
        folder = posixpath.dirname(folder)
    document = document_of(posixpath.join(folder, name), pair.file, words, sorted(starts), found)
    n_without = len(every) - len(of_sets)
    warning = f"{pair.file}: {counted(n_without, 'markable')} in no set not taken as mentions"
    return Corpus((document,), pair.file, (warning,) * bool(n_without))


def _markables(text: str, file: str) -> list[Element]:
    return root_of(text, file).findall("markable")


def _words(pair: TextPair, problems: Problems) -> tuple[list[str], dict[str, int]]:
    """The words, and the position of each by its id."""
    words: list[str] = []
    position: dict[str, int] = {}
    for element in root_of(pair.second, pair.other).iterfind("word"):
        word, name = _text(element), element.get("id", "")
        if not word or not name or name in position:
            found, expected = (
                f"the word '{word}' with id '{name}'",
                "some text, and an id of its own",
            )
            problems.add(_problem(pair.other, element, found, expected, "Fix it."))
        position[name] = len(words)
        words.append(word)
    return words, position


def _entity(markable: Element) -> str:
    """The set of a markable; "" if it is in none."""
    of = markable.get("coref_class", markable.get("coref_set", ""))
    return "" if of == "empty" else of


def _runs(
    file: str, markable: Element, pair: TextPair, position: dict[str, int], problems: Problems
) -> Pieces:
    """The words of a markable, half-open; none, and a problem, if one is not there."""
    runs = _runs_of(markable.get("span", ""), position)
    if not runs:
        found = f"the span '{markable.get('span', '')}' of {markable.get('id') or 'a markable'}"
        expected, advice = f"words of {pair.other}, such as word_1..word_3", _ANNOTATED
        problems.add(_problem(file, markable, found, expected, advice))
    return runs


_ANNOTATED = "Take the words that were annotated."


def _runs_of(span: str, position: dict[str, int]) -> Pieces:
    runs = []
    for piece in span.split(","):
        first, _, last = piece.strip().partition("..")
        run = run_of(position, first, last or first)
        if run is None:
            return ()
        runs.append(run)
    return joined_runs(runs)


def _minimum(markable: Element, runs: Pieces, position: dict[str, int]) -> tuple[int, int]:
    least = _runs_of(markable.get("min_ids", ""), position)
    within = len(least) == 1 and runs[0][0] <= least[0][0] and least[0][1] <= runs[-1][1]
    return least[0] if within else (-1, -1)


def fits_mmax(text: str) -> bool:
    """Whether the outermost element is <markables>."""
    first = first_element(text)
    return first is not None and name_of(first) == "markables"


MMAX = Format(
    id="mmax2",
    title="MMAX2 (_coref_level.xml with _words.xml)",
    suffixes=(_ENDING,),
    fits=fits_mmax,
    read=lambda text, file, side: read_mmax(*alone(text, file)),
    beside=with_ending(_ENDING, _WORDS, _SENTENCES, folders=_FOLDERS),
    read_files=read_mmax,
)

# ECB+ --------------------------------------------------------------------------------------------

_NAME = re.compile(r"(\d{1,9})_(\d{1,9})ecb(plus)?\.xml(\.gz)?", re.ASCII)

_RELATIONS = ("INTRA_DOC_COREF", "CROSS_DOC_COREF")


def read_ecbplus(texts: Mapping[str, str], place: str, side: str = "key") -> Corpus:
    """The documents of files, one each; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    return Corpus(
        tuple(
            _ecbplus(posixpath.basename(stem_of(name, ".xml")), place, {name: text})
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
    return Corpus((_ecbplus(match[1], place, texts),), place)


def _ecbplus(name: str, place: str, texts: Mapping[str, str]) -> Document:
    """One document of all texts, one after the other."""
    words: list[str] = []
    starts: list[int] = []
    found: list[Found] = []
    for path, text in texts.items():
        file = path_in(place, path)
        root = root_of(text, file)
        problems = Problems()
        tokens = root.findall("token")
        position = _positions(tokens, len(words), file, problems)
        for _, of_sentence in groupby(tokens, key=lambda token: token.get("sentence")):
            starts.append(len(words))
            words += map(_text, of_sentence)
        markables = [markable for part in root.iterfind("Markables") for markable in part]
        entity = _entities(root, markables, file, problems)
        for markable in markables:
            anchors = [anchor.get("t_id", "") for anchor in markable]
            if missing := [anchor for anchor in anchors if anchor not in position]:
                here, expected = f"an anchor on token '{missing[0]}'", "a token of the file"
                problems.add(_problem(file, markable, here, expected, "Fix the t_id."))
            elif anchors:
                runs = joined_runs((position[one], position[one] + 1) for one in anchors)
                found.append(Found(runs, entity[markable.get("m_id", "")], str(markable.tag)))
        problems.refuse()
    first = path_in(place, next(iter(texts)))
    return document_of(name, first, words, starts, found)


def _positions(tokens: list[Element], before: int, file: str, problems: Problems) -> dict[str, int]:
    """The position of each token by its t_id; the first is after these words."""
    position = {token.get("t_id", ""): at for at, token in enumerate(tokens, start=before)}
    for at, token in enumerate(tokens, start=before):
        word, name = _text(token), token.get("t_id", "")
        if not word or position[name] != at:
            found = f"the token '{word}' with t_id '{name}'"
            expected = "some text, and a number of its own"
            problems.add(_problem(file, token, found, expected, "Fix the token."))
    return position


def _entities(
    root: Element, markables: list[Element], file: str, problems: Problems
) -> dict[str, Hashable]:
    """What stands for the entity of each markable, by its m_id: the instance, if it is of one."""
    nodes = {markable.get("m_id", ""): markable for markable in markables}
    if len(nodes) < len(markables):
        found, expected = "a second markable of one m_id", "each m_id once"
        problems.add(_problem(file, root, found, expected, "Fix the m_id."))
    links: list[tuple[Hashable, Hashable]] = []
    for relation in root.iter(*_RELATIONS):
        ends = [end.get("m_id", "") for end in relation]
        if missing := [end for end in ends if end not in nodes]:
            found, expected = f"a link to markable '{missing[0]}'", "one of the file"
            problems.add(_problem(file, relation, found, expected, "Fix the m_id."))
            continue
        of = _instance(relation, [nodes[end] for end in ends])
        first: Hashable = ("instance", of) if of else (file, ends[0]) if ends else ""
        links += [(first, (file, end)) for end in ends]
    ids = [(file, name) for name in nodes]
    top = linked(dict.fromkeys([*(node for link in links for node in link), *ids]), links)
    instances = {
        top[node]: node for node in top if isinstance(node, tuple) and node[0] == "instance"
    }
    return {name: instances.get(top[file, name], top[file, name]) for name in nodes}


def _instance(relation: Element, ends: list[Element]) -> str:
    """The name of the instance that a relation is about; "" within one text."""
    if relation.tag == "INTRA_DOC_COREF":
        return ""
    named = (name for end in ends if (name := end.get("instance_id")))
    return next(named, relation.get("note", ""))


def fits_ecbplus(text: str) -> bool:
    """Whether the outermost element is ECB+'s."""
    first = first_element(text)
    return first is not None and name_of(first) == "Document" and "doc_name" in first.attrib


def _each(names: Collection[str]) -> list[tuple[str, ...]]:
    return [(name,) for name in names if _NAME.fullmatch(posixpath.basename(name))]


def _by_topic(names: Collection[str]) -> list[tuple[str, ...]]:
    """The files of each topic, by their numbers, those of ECB before those of ECB+."""
    topics: dict[int, list[tuple[bool, int, str]]] = {}
    for name in names:
        if match := _NAME.fullmatch(posixpath.basename(name)):
            topics.setdefault(int(match[1]), []).append((bool(match[3]), int(match[2]), name))
    return [tuple(name for *_, name in sorted(topics[topic])) for topic in sorted(topics)]


ECBPLUS = Format(
    id="ecbplus",
    title="ECB+",
    suffixes=("ecb.xml", "ecbplus.xml"),
    fits=fits_ecbplus,
    read=lambda text, file, side: read_ecbplus(*alone(text, file)),
    group=_each,
    read_files=read_ecbplus,
)

ECBPLUS_TOPICS = Format(
    id="ecbplus-topics",
    title="ECB+ by topic",
    suffixes=(),
    fits=lambda text: False,  # only if named: each file alone is a text
    read=lambda text, file, side: read_topic(*alone(text, file)),
    group=_by_topic,
    read_files=read_topic,
)

# TEI ---------------------------------------------------------------------------------------------

_MENTIONS = ("rs", "name", "persName", "placeName", "orgName", "geogName")

_BREAKS = ("p", "s", "ab", "l", "lg", "head", "div", "sp", "speaker", "item", "body", "lb")


def read_tei(text: str, file: str, side: str = "key") -> Corpus:
    """The one document of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    root = root_of(text, file)
    texts = [*root.iter("text")]
    if len(texts) != 1:
        here = f"{counted(len(texts), 'element')} <text>"
        raise InputError([_problem(file, root, here, "one", "Split the file into texts.")])
    plain, marked = _marked(texts[0])
    offsets, problems = Offsets(plain), Problems()
    found = []
    for start, end, element in marked:
        if not (entity := _reference(element)):
            continue
        if runs := offsets.runs((start, end)):
            found.append(Found(runs, entity, element.get("type", "")))
        else:
            here = f"an empty <{name_of(element)}>"
            problems.add(_problem(file, element, here, "words in it", "Remove it."))
    problems.refuse()
    if not found:
        here, advice = (
            "a TEI text in which nothing refers to an entity",
            "Mark the mentions by <rs>.",
        )
        raise InputError([_problem(file, texts[0], here, 'elements <rs ref="…">', advice)])
    name = PurePosixPath(file).name.split(".")[0]
    document = document_of(name, file, offsets.tokens.words, offsets.sentence_starts, found)
    n_without = len(marked) - len(found)
    warning = f"{file}: {counted(n_without, 'name')} without 'ref' or 'key' not taken as mentions"
    return Corpus((document,), file, (*offsets.warnings(file), *(warning,) * bool(n_without)))


def _marked(text: Element) -> tuple[str, list[tuple[int, int, Element]]]:
    """The characters of a text, and the elements that may be mentions, with their characters."""
    pieces: list[str] = []
    marked: list[tuple[int, int, Element]] = []
    starts: list[int] = []
    length = 0
    for event, element in etree.iterwalk(text, events=("start", "end")):
        if event == "end" and element.tag in _MENTIONS:
            marked.append((starts[-1], length, element))
        line_break = "\n" * (element.tag in _BREAKS)
        if event == "start":
            starts.append(length + len(line_break))
            after = element.text
        else:
            starts.pop()
            after = element.tail if element is not text else ""
        piece = line_break + (after or "").replace("\n", " ")  # a line end in XML is a blank
        pieces.append(piece)
        length += len(piece)
    return "".join(pieces), marked


def _reference(element: Element) -> str:
    """What a mention refers to; two at once, as in `#a #b`, are an entity of their own."""
    return " ".join((element.get("ref") or element.get("key") or "").split())


def fits_tei(text: str) -> bool:
    """Whether the outermost element is TEI's; `text` only with `rs` in it, since others use it."""
    first = first_element(text)
    name = name_of(first) if first is not None else ""
    return name in ("TEI", "TEI.2", "teiCorpus") or (name == "text" and "<rs " in text)


TEI = Format(
    id="tei",
    title="TEI",
    suffixes=(".tei", ".xml"),
    fits=fits_tei,
    read=read_tei,
)
