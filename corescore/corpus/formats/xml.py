"""The formats that are XML: MMAX2, ECB+ and TEI.

No file can do harm: lxml fetches nothing, and neither deep nesting nor entities that expand without
end get past its limits. Entities that a file declares are refused, since they could be other files.

MMAX2: `x_coref_level.xml`, markables over the words of `x_words.xml`, there or in `Basedata/`.

    <markable id="markable_1" span="word_1..word_3,word_7" coref_class="set_2" mention="np"/>

Both ends of a range are inclusive; a comma begins another piece. The entity is `coref_class` or
`coref_set`; a markable without one (`empty`) is in the entity of the one that it points to with
`anaphor_antecedent`, or that points to it. Others, such as pleonastic pronouns, are no mentions
and are counted in a warning. Sentences are the markables of `x_sentence_level.xml`, if it is there.
Kept: `category` as entity type, `mention` as mention type, `min_ids` as minimum span. Lost: other
levels and attributes.

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
is the entity; those without are counted in a warning. Words are found in the text; each `w` and
`pc` is one at least. Paragraphs, sentences, lines of verse and headings begin a sentence. Kept:
`type` as entity type. Lost: the header, other markup. As written by CorefAnnotator.

Source: https://tei-c.org/release/doc/tei-p5-doc/en/html/ref-rs.html
"""

import posixpath
import re
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any

from corescore.corpus.documents import Corpus, Document, Pieces
from corescore.corpus.formats.columns import joined
from corescore.corpus.formats.format import FileNotes, Format, name_of_file
from corescore.corpus.formats.standoff import (
    Found,
    Offsets,
    TextPair,
    by_itself,
    document_of,
    format_of_pairs,
    linked,
    path_in,
    run_of,
    stem_of,
    widened_warnings,
)
from corescore.corpus.problems import refusal
from corescore.wording import counted

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_SAFELY: dict[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
    "encoding": "utf-8",
}

_HEAD = 4000  # characters within which the first element begins


def root_of(text: str, file: str) -> "Element":
    """The outermost element of a text, names without namespaces.

    Raises InputError for what is not whole or not safe, with its line.
    """
    from lxml import etree  # only XML needs it

    fix = "Fix the file."
    try:
        root: Element = etree.fromstring(text.encode(), etree.XMLParser(**_SAFELY))
    except UnicodeEncodeError as error:
        raise refusal(file, "half a character", "text in UTF-8", fix, 1) from error
    except etree.XMLSyntaxError as error:
        fault, expected = "XML that is broken or cut short", "a whole XML file"
        if error.code == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
            fault = "XML that is not safe to read"
            expected = "fewer nested elements, shorter texts, and characters instead of entities"
        reason = error.msg.split(", ")[0].strip()[:80]
        raise refusal(file, f"{fault} ({reason})", expected, fix, error.lineno or 1) from error
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and any(declared.iterentities()):
        fault = "a document type with declarations, which could read other files"
        advice = "Remove the text in its brackets."
        raise refusal(file, fault, "none, or one by name", advice, root.sourceline or 1)
    for entity in root.iter(etree.Entity):
        advice = "Write the character itself."
        expected = "characters, since no other files are read"
        line = entity.sourceline or 1
        raise refusal(file, f"the entity {entity.text}", expected, advice, line)
    for element in root.iter("{*}*"):
        element.tag = name_of(element)
    return root


def name_of(element: "Element") -> str:
    """The name of an element without its namespace or prefix."""
    return re.split("[}:]", str(element.tag))[-1]


def first_element(text: str) -> "Element | None":
    """The first element without what is in it, if the text begins as XML."""
    if not text[:100].lstrip("\ufeff \t\r\n").startswith("<"):
        return None
    from lxml import etree

    parser = etree.XMLPullParser(events=("start",), recover=True, **_SAFELY)
    with suppress(etree.XMLSyntaxError, UnicodeEncodeError):  # `root_of` will refuse it
        parser.feed(text[:_HEAD].encode())
        parser.close()
    return next((element for _, element in parser.read_events()), None)


def _first_name(text: str) -> str:
    """The name of the first element; "" if the text is no XML."""
    first = first_element(text)
    return "" if first is None else name_of(first)


def _words_of(
    elements: Iterable["Element"],
    id: str,
    position: dict[str, int],
    notes: FileNotes,
    *asked: str,
    before: int = 0,
) -> list[str]:
    """The words that elements hold; the position of each becomes known by its id.

    asked  what is expected, and the advice
    """
    words: list[str] = []
    for at, element in enumerate(elements, start=before):
        word, name = "".join(element.itertext()).strip(), element.get(id, "")
        if not word or not name or position.setdefault(name, at) != at:
            _note(notes, element, f"the {name_of(element)} '{word}' with {id} '{name}'", *asked)
        words.append(word)
    return words


def _note(notes: FileNotes, element: "Element", fault: str, expected: str, advice: str) -> None:
    """Note a problem with an element."""
    notes.note(element.sourceline or 1, fault, expected, advice)


# MMAX2 -------------------------------------------------------------------------------------------

_ENDINGS = ("_coref_level.xml", "_words.xml", "_sentence_level.xml", _PROJECT := ".mmax")

_FOLDERS = ("", "../Basedata/", "../basedata/", "Basedata/", "basedata/", "../")

_IN_NONE = ("", "empty", "none")  # of a markable in no set, or without an antecedent

_OWN = ("id", "span", "coref_class", "coref_set", "anaphor_antecedent")  # what is read of one

_SET = re.compile("set_[0-9]+")

_WORDS_OF_PROJECT = re.compile(r"<words>\s*([^<>]*?)\s*</words>")


def _named_by_project(more: Mapping[str, str]) -> str:
    """What the project of a coreference level says of its words."""
    for path, text in more.items():
        if path.endswith(_PROJECT) and (match := _WORDS_OF_PROJECT.search(text)):
            return f" (the file that {path} calls '{match[1]}': copy it to this name)"
    return ""


def _entities_of(markables: Sequence["Element"], notes: FileNotes) -> Mapping[Hashable, Hashable]:
    """The entity of each markable that has one, by its place: its set, joined with those that
    pointers of markables in no set lead to."""
    places = {markable.get("id"): at for at, markable in enumerate(markables)}
    links: list[tuple[Hashable, Hashable]] = []
    for at, markable in enumerate(markables):
        of_set = markable.get("coref_class", markable.get("coref_set", ""))
        pointer = markable.get("anaphor_antecedent", "")
        if of_set not in _IN_NONE:
            links.append((at, of_set))
        elif pointer in places:
            links.append((at, places[pointer]))
        elif pointer not in _IN_NONE:
            fault = f"anaphor_antecedent '{pointer[:40]}' of {markable.get('id') or 'a markable'}"
            expected = "one markable of the file, or a set in coref_class"
            _note(notes, markable, fault, expected, "Name the set of this markable.")
    for markable in () if links else markables:
        for name, value in markable.items():
            if name not in _OWN and (value in places or _SET.fullmatch(value)):
                fault = f'{name}="{value[:40]}" of {markable.get("id") or "a markable"}'
                expected = "its set in coref_class or coref_set, or an anaphor_antecedent"
                advice = f"Rename {name}, or remove it if it is no coreference."
                _note(notes, markable, fault, expected, advice)
                break
    return linked(chain.from_iterable(links), links) if links else {}


def read_mmax(pair: TextPair) -> Corpus:
    """The document of a pair of files.

    Raises InputError with every problem found, each with its line.
    """
    elements, of_words = (
        root_of(pair.second, pair.other).iterfind("word"),
        FileNotes(file=pair.other),
    )
    position: dict[str, int] = {}
    expected = "some text, and an id of its own"
    words = _words_of(elements, "id", position, of_words, expected, "Fix it.")
    of_words.refuse()

    def runs_of(span: str) -> Pieces:
        """The words of a span, half-open; none if one is not there."""
        ends = (piece.strip().partition("..") for piece in span.split(","))
        runs = [run_of(position, first, last or first) for first, _, last in ends]
        return joined(run for run in runs if run) if all(runs) else ()

    def runs_in(markable: "Element", notes: FileNotes) -> Pieces:
        span = markable.get("span", "")
        if not (runs := runs_of(span)):
            fault = f"the span '{span}' of {markable.get('id') or 'a markable'}"
            expected = f"words of {pair.other}, such as word_1..word_3"
            _note(notes, markable, fault, expected, "Take the words that were annotated.")
        return runs

    starts = {0} if words else set()
    for file, text in pair.more.items():
        if file.endswith(_PROJECT):
            continue
        of_sentences = FileNotes(file=file)
        for sentence in root_of(text, file).findall("markable"):
            starts.update(start for start, _ in runs_in(sentence, of_sentences)[:1])
        pair.extend(of_sentences.noted)
    mentions = []
    n_without = 0
    markables = root_of(pair.first, pair.file).findall("markable")
    entities = _entities_of(markables, pair)
    for at, markable in enumerate(markables):
        if at not in entities:
            n_without += 1
        elif runs := runs_in(markable, pair):
            least = runs_of(markable.get("min_ids", ""))
            within = len(least) == 1 and runs[0][0] <= least[0][0] and least[0][1] <= runs[-1][1]
            types = markable.get("category", ""), markable.get("mention", "")
            mentions.append(Found(runs, entities[at], *types, least[0] if within else (-1, -1)))
    pair.count(n_without, "markable", "in no set not taken as mentions")
    folder, name = posixpath.split(pair.name)
    if posixpath.basename(folder).lower() == "markables":
        pair.name = posixpath.join(posixpath.dirname(folder), name)
    return pair.document(words, sorted(starts), mentions)


MMAX = format_of_pairs(
    "mmax2",
    "MMAX2 (_coref_level.xml with _words.xml)",
    _ENDINGS,
    lambda text: _first_name(text) == "markables",
    read_mmax,
    _FOLDERS,
    _named_by_project,
)

# ECB+ --------------------------------------------------------------------------------------------

_NAME = re.compile(r"(\d{1,9})_(\d{1,9})ecb(plus)?\.xml(\.gz)?", re.ASCII)


def read_ecbplus(texts: Mapping[str, str], place: str, side: str = "key") -> Corpus:
    """The documents of files, one each; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    names = ((posixpath.basename(stem_of(path, ".xml")), path) for path in texts)
    every = (_ecbplus(name, place, {path: texts[path]}) for name, path in names)
    return Corpus(tuple(every), place)


def read_topic(texts: Mapping[str, str], place: str, side: str = "key") -> Corpus:
    """The texts of a topic as one document; otherwise as `read_ecbplus`."""
    first = path_in(place, next(iter(texts)))
    match = _NAME.fullmatch(posixpath.basename(first))
    if match is None:
        expected = "a topic, an underscore and a text, such as 1_10ecbplus.xml"
        fault = "a name without a topic"
        raise refusal(first, fault, expected, "Name the file as in ECB+.")
    return Corpus((_ecbplus(match[1], place, texts),), place)


def _ecbplus(name: str, place: str, texts: Mapping[str, str]) -> Document:
    """One document of all texts, one after the other."""
    words: list[str] = []
    starts: list[int] = []
    mentions: list[Found] = []
    for path, text in texts.items():
        notes = FileNotes(file=path_in(place, path))
        root = root_of(text, notes.file)
        tokens = root.findall("token")
        asked = "some text, and a number of its own", "Fix the token."
        word = len(words)
        position = {token.get("t_id", ""): n for n, token in enumerate(tokens, start=word)}
        words += _words_of(tokens, "t_id", position, notes, *asked, before=word)
        for _, of_sentence in groupby(token.get("sentence") for token in tokens):
            starts.append(word)
            word += len([*of_sentence])
        markables = [markable for part in root.iterfind("Markables") for markable in part]
        entity = _entities(root, markables, notes)
        for markable in markables:
            anchors = [anchor.get("t_id", "") for anchor in markable]
            if missing := [anchor for anchor in anchors if anchor not in position]:
                here = f"an anchor on token '{missing[0]}'"
                _note(notes, markable, here, "a token of the file", "Fix the t_id.")
            elif anchors:
                runs = joined((position[one], position[one] + 1) for one in anchors)
                mentions.append(Found(runs, entity[markable.get("m_id", "")], str(markable.tag)))
        notes.refuse()
    first = path_in(place, next(iter(texts)))
    return document_of(name, first, words, starts, mentions)


def _entities(root: "Element", markables: list["Element"], notes: FileNotes) -> dict[str, Hashable]:
    """What stands for the entity of each markable, by its m_id: the instance, if it is of one."""
    file, nodes = notes.file, {markable.get("m_id", ""): markable for markable in markables}
    if len(nodes) < len(markables):
        fault = "a second markable of one m_id"
        _note(notes, root, fault, "each m_id once", "Fix the m_id.")
    links: list[tuple[Hashable, Hashable]] = []
    instances: dict[Hashable, None] = {}
    for relation in root.iter("INTRA_DOC_COREF", "CROSS_DOC_COREF"):
        ends = [end.get("m_id", "") for end in relation]
        if missing := [end for end in ends if end not in nodes]:
            fault = f"a link to markable '{missing[0]}'"
            _note(notes, relation, fault, "one of the file", "Fix the m_id.")
            continue
        first: Hashable = (file, ends[0]) if ends else ""
        if relation.tag == "CROSS_DOC_COREF":
            named = (name for end in ends if (name := nodes[end].get("instance_id")))
            if named_entity := next(named, relation.get("note", "")):
                first = "instance", named_entity
                instances[first] = None
        links += [(first, (file, end)) for end in ends]
    ids = [(file, name) for name in nodes]
    top = linked(dict.fromkeys([*(node for link in links for node in link), *ids]), links)
    named_after = {top[instance]: instance for instance in instances if instance in top}
    return {name: named_after.get(top[file, name], top[file, name]) for name in nodes}


def fits_ecbplus(text: str) -> bool:
    """Whether the outermost element is ECB+'s."""
    first = first_element(text)
    return first is not None and name_of(first) == "Document" and "doc_name" in first.attrib


def _each(names: Collection[str]) -> list[tuple[str, ...]]:
    return [(name,) for name in names if _NAME.fullmatch(posixpath.basename(name))]


def _by_topic(names: Collection[str]) -> list[tuple[str, ...]]:
    """The files of each topic, by their numbers, those of ECB before those of ECB+."""
    matches = ((name, _NAME.fullmatch(posixpath.basename(name))) for name in names)
    files = sorted((int(of[1]), bool(of[3]), int(of[2]), name) for name, of in matches if of)
    topics = groupby(files, key=lambda file: file[0])
    return [tuple(name for *_, name in topic) for _, topic in topics]


ECBPLUS = Format(
    "ecbplus",
    "ECB+",
    ("ecb.xml", "ecbplus.xml"),
    fits_ecbplus,
    by_itself(read_ecbplus),
    group=_each,
    read_files=read_ecbplus,
)

ECBPLUS_TOPICS = Format(
    "ecbplus-topics",
    "ECB+ by topic",
    (),
    lambda text: False,  # only if named: each file alone is a text
    by_itself(read_topic),
    group=_by_topic,
    read_files=read_topic,
)

# TEI ---------------------------------------------------------------------------------------------

_MENTIONS = ("rs", "name", "persName", "placeName", "orgName", "geogName")

_WORDS = ("w", "pc")  # which may stand in a row without blanks

_BREAKS = ("p", "s", "ab", "l", "lg", "head", "div", "sp", "speaker", "item", "body", "lb")


def read_tei(text: str, file: str, side: str = "key") -> Corpus:
    """The one document of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    from lxml import etree

    notes, root = FileNotes(file=file), root_of(text, file)
    texts = [*root.iter("text")]
    if len(texts) != 1:
        here = f"{counted(len(texts), 'element')} <text>"
        _note(notes, root, here, "one", "Split the file into texts.")
        notes.refuse()
    pieces: list[str] = []
    marked: list[tuple[int, int, Element]] = []  # elements that may be mentions
    starts: list[int] = []
    length = 0
    for event, element in etree.iterwalk(texts[0], events=("start", "end")):
        before = "\n" if element.tag in _BREAKS else " " * (element.tag in _WORDS)
        if event == "start":
            starts.append(length + len(before))
            after = element.text
        else:
            start = starts.pop()
            if element.tag in _MENTIONS:
                marked.append((start, length, element))
            after = element.tail if starts else ""
        pieces.append(before + (after or "").replace("\n", " "))  # in XML an end is a blank
        length += len(pieces[-1])
    offsets = Offsets("".join(pieces))
    mentions = []
    for start, end, element in marked:
        # Two at once, as in `#a #b`, are an entity of their own.
        entity = " ".join((element.get("ref") or element.get("key") or "").split())
        if entity and (runs := offsets.runs((start, end))):
            mentions.append(Found(runs, entity, element.get("type", "")))
        elif entity:
            _note(notes, element, f"an empty <{name_of(element)}>", "words in it", "Remove it.")
    notes.refuse()
    if not mentions:
        here = "a TEI text in which nothing refers to an entity"
        _note(notes, texts[0], here, 'elements <rs ref="…">', "Mark the mentions by <rs>.")
    notes.warnings += widened_warnings(file, offsets.widened)
    notes.count(len(marked) - len(mentions), "name", "without 'ref' or 'key' not taken as mentions")
    name, words = name_of_file(file), offsets.words
    return notes.corpus([document_of(name, file, words, offsets.sentence_starts, mentions)])


def fits_tei(text: str) -> bool:
    """Whether the outermost element is TEI's; `text` only with `rs` in it, since others use it."""
    name = _first_name(text)
    return name in ("TEI", "TEI.2", "teiCorpus") or (name == "text" and "<rs " in text)


TEI = Format("tei", "TEI", (".tei", ".xml"), fits_tei, read_tei)
