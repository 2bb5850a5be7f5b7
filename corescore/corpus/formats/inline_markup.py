"""The two spellings of inline markup: `[Mia](#1)`, as a link in Markdown, and `<m id="1">Mia</m>`.

Each is read in one go over the text, with a list of what is open: no nesting is too deep.
"""

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from sys import intern

from corescore.corpus.formats.marked_text import Edit, Marked, Markup, Source
from corescore.corpus.problems import Problem, Problems

# Elements that are mentions, and the attributes that name the entity, the most telling first.
ELEMENTS = ("m", "mention", "markable", "coref", "e", "ent", "entity", "c", "cluster", "chain")
ATTRIBUTES = (
    *("cluster", "cluster_id", "clusterid", "entity", "entity_id", "entityid"),
    *("chain", "chain_id", "chainid", "coref", "coref_id", "set", "id"),
)
BRACKETED = re.compile(r"\][ \t]*\(\s*#[^()\[\]\n]*\)")
TAGGED = re.compile(
    rf"<(?:{'|'.join(ELEMENTS)})\s[^<>]{{0,200}}?(?:{'|'.join(ATTRIBUTES)})\s?=[^<>]{{0,200}}>",
    re.IGNORECASE,
)

_BRACKET = re.compile(
    r"\\(?P<escaped>[\\\[\]#])"
    r"|(?P<open>\[)"
    r"|\][ \t]*\(\s*#(?P<id>[^()\[\]\n]*)\)"
    r"|\](?P<cut>\(#[^\s()\[\]]*)"
    r"|\]\((?P<link>[^()\[\]\n]*)\)"
    r"|(?P<close>\])"
)
_PAGE = re.compile(r"\w+:|\S*[./]")  # what a link may lead to
_TAG = re.compile(
    r"<(?P<slash>/?)(?P<name>[A-Za-z][\w.-]*)(?P<attributes>(?:\s[^<>]*)?)>"
    r"|&(?:lt|gt|amp|quot|apos|#[0-9]+|#x[0-9A-Fa-f]+);"
)
_ATTRIBUTE = re.compile(r"""([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_HOW_TO_REPAIR = "or read it with --repair-brackets (repair_brackets=True), which leaves it out"
Aside = tuple[str, int, int]


@dataclass
class Reading:
    """What was seen of a source's markup.

    repair    whether what is unbalanced is left out
    problems  of the file, to which what is unbalanced otherwise is added
    repairs   where something unbalanced was left out
    asides    what was taken for text or left out: the first of each kind, and how many there are
    left_out  the last edit that leaves out something unbalanced
    """

    source: Source
    repair: bool
    problems: Problems
    markup: Markup = field(default_factory=Markup)
    repairs: "array[int]" = field(default_factory=lambda: array("q"))
    asides: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    left_out: Edit | None = None

    def aside(self, said: str, start: int, end: int) -> None:
        """Note what was taken for text or left out."""
        first, to, n = self.asides.get(said, (start, end, 0))
        self.asides[said] = first, to, n + 1

    def unbalanced(self, match: re.Match[str], found: str, expected: str, advice: str) -> None:
        """Leave a piece of markup out and count it, or refuse it."""
        at = match.start()
        if self.repair:
            self._leave_out(match)
            self.repairs.append(at)
        else:
            told = f"{self.source.excerpt(at)}: {found}"
            advice = f"{advice}, {_HOW_TO_REPAIR}."
            self.problems.add(self.source.problem(at, told, expected, advice))

    def _leave_out(self, match: re.Match[str]) -> None:
        """Drop a piece of markup; of many in a row one edit is kept: no mention is between them."""
        edits = self.markup.edits
        if edits and edits[-1] is self.left_out and self.left_out.end == match.start():
            edits[-1] = Edit(self.left_out.start, match.end())
        else:
            self.markup.drop(match)
        self.left_out = edits[-1]

    def heading_within(self, line: re.Match[str]) -> None:
        """A line of the text that begins as a heading does: it is text, or refused."""
        if self.repair:
            self.aside("begins with '#' and is no document's name, so it is text", *line.span())
            return
        found = f"{self.source.excerpt(line.start())}: a line of the text that begins with '#'"
        expected = "'# NAME' before each document"
        advice = "Write '\\#' if the line belongs to the text."
        self.problems.add(self.source.problem(line.start(), found, expected, advice))

    def mention(self, start: re.Match[str], end: re.Match[str], entity: str) -> None:
        """Take in a mention between two pieces of markup."""
        self.markup.drop(start)
        self.markup.drop(end)
        self.markup.mentions.append((start.end(), end.start(), entity))

    def refuse_wordless(self, mentions: list[Marked]) -> None:
        """What becomes of mentions in which no word stands: they are counted, or refused."""
        for start, _, entity in mentions:
            if self.repair:
                self.repairs.append(start)
            else:
                found, advice = f"a mention of entity {entity} without a word", "Delete it."
                self.problems.add(self.source.problem(start, found, "at least one word", advice))


# [Mia](#1) ---------------------------------------------------------------------------------------


def read_brackets(reading: Reading) -> None:
    """Mentions as links; a bracket of the text may have a backslash before it.

    Brackets without an id and links to a page are text.
    """
    source = reading.source
    opened = array("q")
    for match in _BRACKET.finditer(source.text, source.start, source.end):
        if match["open"]:
            opened.append(match.start())
        elif match["escaped"]:
            reading.markup.drop(match, match["escaped"])
        elif not opened:
            found = "closes a mention that was never opened"
            advice = "Add the bracket, write '\\]' if it belongs to the text"
            reading.unbalanced(match, found, "a '[' before it", advice)
        else:
            _close_bracket(reading, source.again(_BRACKET, opened.pop()), match)
    for at in opened:
        match = source.again(_BRACKET, at)
        found = "opens a mention that is never closed"
        advice = "Add its end, write '\\[' if it belongs to the text"
        reading.unbalanced(match, found, "a '](#1)' after it", advice)


def _close_bracket(reading: Reading, start: re.Match[str], end: re.Match[str]) -> None:
    entity = _one_id(end["id"] or "")
    if entity:
        reading.mention(start, end, entity)
    elif end["close"]:
        reading.aside("has no id, so it is text", start.start(), end.end())
    elif end["link"] and _PAGE.match(end["link"]):
        reading.aside("is a link, so it is text", start.start(), end.end())
    else:
        found = "an id that is not closed" if end["cut"] else "a mention without one id"
        reading.unbalanced(end, found, "an id such as '](#1)'", "Write one id")
        reading.markup.drop(start)


def _one_id(text: str) -> str:
    """The id that is written; "" if there is none, or several."""
    entity = text.strip(" \t#")
    return "" if re.search(r"[#,;|]", entity) else entity


# <m id="1">Mia</m> -------------------------------------------------------------------------------


def read_tags(reading: Reading) -> None:
    """Mentions as elements such as `<m id="1">`, as XML or HTML would have them, but leniently.

    The entity is the first of `ATTRIBUTES` that the element has. Other elements are left out, and
    their text is kept; `&lt;` and the like are the characters that they stand for.
    """
    source = reading.source
    opened: list[str] = []
    places = array("q")
    tags = _Tags()
    for match in _TAG.finditer(source.text, source.start, source.end):
        name = (match["name"] or "").lower()
        if not name:
            reading.markup.drop(match, unescape(match.group()))
        elif name not in ELEMENTS:
            reading.markup.drop(match)
            reading.aside("is no mention, so it is left out", *match.span())
        elif match["slash"]:
            _close_tag(reading, opened, places, match)
        elif match["attributes"].endswith("/"):
            reading.unbalanced(match, "a mention without words", "words in it", "Delete it")
        else:
            tags.add(match)
            opened.append(intern(name))
            places.append(match.start())
    for at in places:
        _unclosed(reading, at)
    reading.problems.extend(_doubtful(reading, tags))


def _close_tag(
    reading: Reading, opened: list[str], places: "array[int]", end: re.Match[str]
) -> None:
    """Close the last open element of this name; those opened after it are never closed."""
    name = end["name"].lower()
    if name not in opened:
        found = "closes a mention that was never opened"
        reading.unbalanced(end, found, f"a <{name} id=…> before it", "Add it")
        return
    at = len(opened) - 1 - opened[::-1].index(name)
    for place in places[at + 1 :]:
        _unclosed(reading, place)
    start = reading.source.again(_TAG, places[at])
    del opened[at:], places[at:]
    if entity := _entity(start):
        reading.mention(start, end, entity)
    else:
        reading.unbalanced(start, "a mention without one id", f"<{name} id=…>", "Write one id")
        reading.markup.drop(end)


def _unclosed(reading: Reading, at: int) -> None:
    match = reading.source.again(_TAG, at)
    found, name = "opens a mention that is never closed", match["name"]
    reading.unbalanced(match, found, f"a </{name}> after it, before others close", "Add it")


def _attributes(tag: re.Match[str]) -> dict[str, str]:
    every = _ATTRIBUTE.findall(tag["attributes"])
    return {name.lower().replace("-", "_"): a or b or c for name, a, b, c in every}


def _named(tag: re.Match[str]) -> str:
    """The attribute of an element that names its entity; "" if it has none."""
    attributes = _attributes(tag)
    return next((name for name in ATTRIBUTES if attributes.get(name)), "")


def _entity(tag: re.Match[str]) -> str:
    return _one_id(_attributes(tag).get(_named(tag), ""))


@dataclass
class _Tags:
    """Of the elements the first that names another mention, and the first that names its entity by
    each of the attributes."""

    linked: re.Match[str] | None = None
    first: dict[str, re.Match[str]] = field(default_factory=dict)

    def add(self, tag: re.Match[str]) -> None:
        if self.linked is None and "ref" in _attributes(tag):
            self.linked = tag
        if name := _named(tag):
            self.first.setdefault(name, tag)


def _doubtful(reading: Reading, tags: _Tags) -> Iterator[Problem]:
    """Elements whose attributes do not tell which of them names the entity."""
    linked, first = tags.linked, tags.first
    if linked:
        found = (
            f"{linked.group()[:40]}, whose REF names another mention, as in MUC's COREF elements"
        )
        advice = "Give the mentions of an entity one id."
        yield reading.source.problem(linked.start(), found, "an entity's id", advice)
    if len(first) > 1 and not linked:
        last, before = [*first.values()][:-3:-1]
        found = f"{last.group()[:40]} and {before.group()[:40]}"
        expected = "one attribute that names the entity of every mention"
        tag = max(first.values(), key=lambda tag: tag.start())
        yield reading.source.problem(tag.start(), found, expected, "Use one of them throughout.")
