"""Texts with their mentions in brackets.

Inline markup, as language models are asked to write it: `[Mia](#1) gave [[her](#1) brother](#2)
a bike`, or `<m id="1">Mia</m> gave …`.

The text is a document over its own words, to be aligned with the key's. Lost are blanks and, where
a bracket without an id or an element is left out, that markup; each is told. A file that we write
says in the line before each document that its words stand between blanks, and is read back as it
was. Links in Markdown: https://spec.commonmark.org; the elements follow no standard.

The papers' notation for toy partitions: `{a b c} {d e f g}`, a document a line. `{abc}{defg}` too:
where no braces of a file hold a blank or a comma, each letter is a mention (and a number one
mention). A line `# name` names the document after it; else it is named by its number. Names have no
quotes, brackets and colons, so that JSON and printed Python values are not taken for notation.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from io import StringIO
from sys import intern
from typing import NamedTuple

import numpy as np

from corescore.corpus.documents import Corpus, Document, Mention
from corescore.corpus.formats.format import (
    NO_COREFERENCE,
    FileNotes,
    Format,
    are_types,
    more_than_spans,
    name_of_file,
    unwritable,
)
from corescore.corpus.formats.standoff import Offsets
from corescore.corpus.problems import Problem, refusal, refuse
from corescore.util import IntArray
from corescore.wording import counted

# Markup of any kind -------------------------------------------------------------------------------

_MOST_QUOTED = 200  # of which 40 are shown, without blanks at the end

Span = tuple[int, int]


class MarkedText(FileNotes):
    """A text while it is read, with what is wrong at a position of it and what is said of it.

    ids  of its entities, each with where its first mention begins
    """

    def __init__(self, file: str, text: str) -> None:
        super().__init__(file=file)
        self.text = text
        self.ids: dict[str, int] = {}

    @cached_property
    def line_ends(self) -> "array[int]":
        """Where its lines end, ascending."""
        return array("q", (match.start() for match in re.finditer("\n", self.text)))

    def line(self, position: int) -> int:
        """The number of the line of this position."""
        return bisect_left(self.line_ends, position) + 1

    def excerpt(self, start: int, end: int | None = None) -> str:
        """What stands in a line from this position on, in quotes."""
        to = start + _MOST_QUOTED
        rest = self.text[start : to if end is None else min(end, to)].split("\n", 1)[0]
        return f"'{rest[:40].rstrip()}…'" if len(rest) > 40 else f"'{rest.rstrip()}'"

    def note_at(self, position: int, fault: str, expected: str, advice: str) -> None:
        """Note a problem."""
        self.note(self.line(position), fault, expected, advice)

    def warn_at(self, position: int, warning: str) -> None:
        """Note a warning."""
        self.warnings.append(f"{self.file}:{self.line(position)}: {warning}.")

    def corpus(self, documents: Iterable[Document]) -> Corpus:
        """The documents of the file. Raises InputError with the problems, if there are any; types
        instead of ids are one."""
        if self.ids and are_types(self.ids):
            first, position = next(iter(self.ids.items()))
            fault = f"mentions that name types only, such as '{first}'"
            expected = "the id of an entity in each, such as '1'"
            self.note_at(position, fault, expected, f"Use another file: {NO_COREFERENCE}.")
        return super().corpus(documents)


class Markup:
    """The markup of a document, while it is read in one go over its part of a text, with a list of
    what is open: no nesting is too deep.

    repair    whether what is unbalanced is left out and counted instead of refused
    hint      what else its owner can do about it
    edits     (start, end, text) of what is no text, and of what stands there instead
    mentions  (start, end, entity): what each mention encloses
    opened    where what is still open begins
    asides    what was taken for text or left out: the first of each kind, and how many there are
    repairs   where the first piece stands that was left out since it was unbalanced; how many are
    """

    def __init__(
        self, source: MarkedText, part: Span, *, repair: bool = False, hint: str = ""
    ) -> None:
        self.source, self.repair, self.hint = source, repair, hint
        self.start, self.end = part
        self.edits: list[tuple[int, int, str]] = []
        self.mentions: list[tuple[int, int, str]] = []
        self.opened = array("q")
        self.asides: dict[str, tuple[int, int, int]] = {}
        self.repairs = (self.end, 0)
        self._left_out = -1

    def found(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """What a pattern finds in this part."""
        return pattern.finditer(self.source.text, self.start, self.end)

    def again(self, pattern: re.Pattern[str], position: int) -> re.Match[str]:
        """What a pattern has matched at this position."""
        match = pattern.match(self.source.text, position, self.end)
        assert match
        return match

    def drop(self, span: Span, text: str = "") -> None:
        """Leave out what stands there, or put a text in its place."""
        self.edits.append((*span, text))

    def mention(self, start: Span, end: Span, entity: str) -> None:
        """Take in a mention between two pieces of markup."""
        self.drop(start)
        self.drop(end)
        self.mentions.append((start[1], end[0], entity))

    def aside(self, remark: str, start: int, end: int) -> None:
        """Note what was taken for text or left out."""
        first, to, n = self.asides.get(remark, (start, end, 0))
        self.asides[remark] = first, to, n + 1

    def unbalanced(self, span: Span, fault: str, expected: str, advice: str, *, n: int = 1) -> None:
        """Leave n pieces of markup in a row out and count them, or refuse each."""
        start, end = span
        if not self.repair:
            for position in range(start, end, (end - start) // n):
                quoted = f"{self.source.excerpt(position)}: {fault}"
                self.source.note_at(position, quoted, expected, f"{advice}{self.hint}.")
            return
        self._count(start, n)
        if self.edits and self._left_out == len(self.edits) and self.edits[-1][1] == start:
            start = self.edits.pop()[0]  # of many in a row one edit is kept
        self.drop((start, end))
        self._left_out = len(self.edits)

    def _count(self, position: int, n: int = 1) -> None:
        first, before = self.repairs
        self.repairs = min(first, position), before + n

    def document(self, name: str, *, by_blanks: bool = False) -> Document:
        """The text without its markup: each line is a sentence, and a mention that begins or ends
        within a word splits it there. Mentions without a word are refused, or left out.

        by_blanks  whether words stand between blanks
        """
        plain, copied, length = StringIO(), self.start, 0
        # of the text between edits: there, here
        starts, begins = array("q", [copied]), array("q", [0])
        self.edits.sort()
        for start, end, text in self.edits:
            length += plain.write(self.source.text[copied:start]) + plain.write(text)
            copied = end
            starts.append(copied)
            begins.append(length)
        plain.write(self.source.text[copied : self.end])
        self.edits.clear()  # made, and as large as the text
        for start, _, entity in self.mentions:
            self.source.ids.setdefault(entity, start)
        mentions = sorted(self.mentions)  # of two mentions of the same words the outer one first
        spans = array("q", (at for start, end, _ in mentions for at in (start, end)))
        places = _moved(spans, starts, begins).tolist()
        words = Offsets(plain.getvalue(), places, by_blanks=by_blanks)
        rows = []
        for n, (start, _, entity) in enumerate(mentions):
            if run := words.covering(*places[2 * n : 2 * n + 2]):
                rows.append((*run, entity))
            elif self.repair:
                self._count(start)
            else:
                fault = f"a mention of entity {entity} without a word"
                self.source.note_at(start, fault, "at least one word", "Delete it.")
        lines = np.searchsorted(self.source.line_ends, _moved(words.starts, begins, starts))
        lines += 1
        return Document.of_rows(
            name,
            rows,
            words=words.words,
            sentence_starts=words.sentence_starts,
            file=self.source.file,
            lines=lines,
        )


def _moved(positions: "array[int]", begins: "array[int]", others: "array[int]") -> IntArray:
    """Positions in a text whose pieces begin there, in one where the same begin elsewhere."""
    piece = np.searchsorted(begins, positions, side="right")
    piece -= 1
    moved: IntArray = (np.asarray(others) - np.asarray(begins))[piece]
    moved += np.asarray(positions)
    return moved


# [Mia](#1) ---------------------------------------------------------------------------------------

BRACKETED = re.compile(r"\][ \t]*\(\s*#[^()\[\]\n]*\)")

_BRACKET = re.compile(
    r"\\(?P<escaped>[\\\[\]#])"
    r"|(?P<open>\[+)"
    r"|\][ \t]*\(\s*#(?P<id>[^()\[\]\n]*)\)"
    r"|\](?P<cut>\(#[^\s()\[\]]*)"
    r"|\]\((?P<link>[^()\[\]\n]*)\)"
    r"|(?P<close>\])"
)

_PAGE = re.compile(r"\w+:|\S*[./]")  # what a link may lead to


def _read_brackets(markup: Markup) -> None:
    """Mentions as links; a bracket of the text may have a backslash before it.

    Brackets without an id and links to a page are text.
    """
    opened = markup.opened
    for match in markup.found(_BRACKET):
        if match["open"]:
            opened.extend(range(*match.span()))
        elif match["escaped"]:
            markup.drop(match.span(), match["escaped"])
        elif not opened:
            advice = "Add the bracket, write '\\]' if it belongs to the text"
            fault = "closes a mention that was never opened"
            markup.unbalanced(match.span(), fault, "a '[' before it", advice)
        else:
            start = opened.pop()
            if entity := _one_id(match["id"] or ""):
                markup.mention((start, start + 1), match.span(), entity)
            elif match["close"]:
                markup.aside("has no id, so it is text", start, match.end())
            elif match["link"] and _PAGE.match(match["link"]):
                markup.aside("is a link, so it is text", start, match.end())
            else:
                fault = "an id that is not closed" if match["cut"] else "a mention without one id"
                markup.unbalanced(match.span(), fault, "an id such as '](#1)'", "Write one id")
                markup.drop((start, start + 1))
    first = 0
    for n, position in enumerate(opened, start=1):
        if n == len(opened) or opened[n] > position + 1:  # a run of brackets ends here
            fault = "opens a mention that is never closed"
            advice = "Add its end, write '\\[' if it belongs to the text"
            run = opened[first], position + 1
            markup.unbalanced(run, fault, "a '](#1)' after it", advice, n=n - first)
            first = n


def _one_id(text: str) -> str:
    """The id that is written; "" if there is none, or several."""
    entity = text.strip(" \t#")
    return "" if re.search(r"[#,;|]", entity) else entity


# <m id="1">Mia</m> -------------------------------------------------------------------------------

# Elements that are mentions, and the attributes that name the entity, the most telling first.
ELEMENTS = ("m", "mention", "markable", "coref", "e", "ent", "entity", "c", "cluster", "chain")

ATTRIBUTES = (
    *("cluster", "cluster_id", "clusterid", "entity", "entity_id", "entityid"),
    *("chain", "chain_id", "chainid", "coref", "coref_id", "set", "id"),
)

TAGGED = re.compile(
    rf"<(?:{'|'.join(ELEMENTS)})\s[^<>]{{0,200}}?(?:{'|'.join(ATTRIBUTES)})\s?=[^<>]{{0,200}}>",
    re.IGNORECASE,
)

# A link that is no identity: in OntoNotes an appositive, of which each part is a mention otherwise
NOT_IDENTITY = re.compile(
    r"\s(?:\w+_)?(?:link|rel)?type\s?=\s?[\"']?(?P<kind>appos\w*|bridg\w*|predicat\w*|copul\w*)",
    re.IGNORECASE,
)

# What holds a document: a text of OntoNotes one for each part, in which ids begin again
_HOLDER = re.compile(r"<(?:doc|document|text\s[^<>]*part\w*)\b", re.IGNORECASE)

_TAG = re.compile(
    r"<(?P<slash>/?)(?P<name>[A-Za-z][\w.-]*)(?P<attributes>(?:\s[^<>]*)?)>"
    r"|&(?:lt|gt|amp|quot|apos|#[0-9]+|#x[0-9A-Fa-f]+);"
)

_ATTRIBUTE = re.compile(r"""([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")


def _read_tags(markup: Markup) -> None:
    """Mentions as elements such as `<m id="1">`, as XML or HTML would have them, but leniently.

    The entity is the first of `ATTRIBUTES` that the element has. Elements of a type that is no
    identity (`TYPE="APPOS"` in OntoNotes, whose scores ignore them) and other elements are left
    out, and their text is kept; `&lt;` and the like are the characters that they stand for.
    """
    from html import unescape  # few texts are marked so

    names: list[str] = []  # of the elements that are open
    first_of: dict[str, re.Match[str]] = {}  # the first element that each attribute names
    holders: dict[str, re.Match[str]] = {}
    for match in markup.found(_TAG):
        name = intern((match["name"] or "").lower())
        if not name:
            markup.drop(match.span(), unescape(match.group()))
        elif name not in ELEMENTS:
            markup.drop(match.span())
            markup.aside("is no mention, so it is left out", *match.span())
            if _HOLDER.match(match.group()) and holders.setdefault(name, match) is not match:
                fault = f"a second {match.group()[:40]} in a document"
                advice = "Write the line before each of them."
                markup.source.note_at(match.start(), fault, "'# NAME' before each document", advice)
        elif not match["slash"] and match["attributes"].endswith("/"):
            markup.unbalanced(match.span(), "a mention without words", "words in it", "Delete it")
        elif not match["slash"]:
            names.append(name)
            markup.opened.append(match.start())
            attribute, _, is_link = _naming(match)
            first_of.setdefault(attribute, match)
            if is_link:
                first_of.setdefault("ref", match)
        elif name not in names:
            fault = "closes a mention that was never opened"
            markup.unbalanced(match.span(), fault, f"a <{name} id=…> before it", "Add it")
        else:
            index = next(n for n in reversed(range(len(names))) if names[n] == name)
            _unclosed(markup, index + 1)
            start = markup.again(_TAG, markup.opened.pop())
            del names[index:]
            if kind := NOT_IDENTITY.search(start["attributes"]):
                markup.drop(start.span())
                markup.drop(match.span())
                remark = f"is {kind['kind']}, not identity, so it is left out"
                markup.aside(remark, *start.span())
            elif entity := _one_id(_naming(start)[1]):
                markup.mention(start.span(), match.span(), entity)
            else:
                expected, advice = f"<{name} id=…>", "Write one id"
                markup.unbalanced(start.span(), "a mention without one id", expected, advice)
                markup.drop(match.span())
    _unclosed(markup, 0)
    first_of.pop("", None)
    if link := first_of.pop("ref", None):
        fault = f"{link.group()[:40]}, whose REF names another mention, as in MUC's COREF elements"
        advice = "Give the mentions of an entity one id."
        markup.source.note_at(link.start(), fault, "an entity's id", advice)
    elif len(first_of) > 1:
        *_, before, last = first_of.values()
        fault = f"{last.group()[:40]} and {before.group()[:40]}"
        expected = "one attribute that names the entity of every mention"
        markup.source.note_at(last.start(), fault, expected, "Use one of them throughout.")


def _unclosed(markup: Markup, first: int) -> None:
    """The elements from this one on are never closed."""
    for at in markup.opened[first:]:
        match = markup.again(_TAG, at)
        expected = f"a </{match['name']}> after it, before others close"
        markup.unbalanced(match.span(), "opens a mention that is never closed", expected, "Add it")
    del markup.opened[first:]


def _naming(tag: re.Match[str]) -> tuple[str, str, bool]:
    """The attribute that names the entity and its value, "" if none does; and whether one names
    another mention."""
    every = _ATTRIBUTE.findall(tag["attributes"])
    values = {name.lower().replace("-", "_"): a or b or c for name, a, b, c in every}
    name = next((name for name in ATTRIBUTES if values.get(name)), "")
    return name, values.get(name, ""), "ref" in values


# The documents of a file, and what language models say around them --------------------------------

BY_BLANKS = "; words between blanks"

_BEGIN = re.compile(r"^# ?begin document\b[ \t]*(.*)$", re.MULTILINE)

_END = re.compile(r"^# ?end document\b.*$", re.MULTILINE)

_HEADING = re.compile(r"^(#+)[ \t]+(?!(?:begin|end) document)(\S.*)$", re.MULTILINE)

_NAME = re.compile(r"\((.*)\)(?:;?\s*part\s+0*([0-9]*))?[; \t]*")

_NUMBER_SIGN = re.compile(r"^#[^\n]*", re.MULTILINE)

_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^`\n]*$\n?", re.MULTILINE)

_FENCED_JSON = re.compile(
    r"^[ \t]*(```|~~~)[^`\n]*\n(?P<json>\s*[{\[].*?)(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL
)

_BARE_JSON = re.compile(r"\s*[{\[]")

OUTSIDE_FENCE = "is outside the code fence, so it is left out"

_REASONING = re.compile(r"\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL)

_INTRODUCTION = re.compile(
    r"\s*(?:[*_#> ]*)(?:here|sure|certainly|of course|okay|ok|below|the following|this is|annotat"
    r"|the (?:annotated|marked|tagged|resolved)|(?:annotated|output|result|text|answer)\b)"
    r"[^\n]*:[*_ \t]*(?:\n|$)",
    re.IGNORECASE,
)

REPAIRING = (
    "with --repair-brackets (in Python, repair_brackets=True; in the app, “Unbalanced brackets” "
    "under “Open your own files”)"
)


class InlinePart(NamedTuple):
    """The part of a file that is one document.

    name         "" if the file says none
    first, last  all of it, with the lines that mark its beginning and its end
    start, end   its text
    by_blanks    whether its words stand between blanks, as in the files that we write
    """

    name: str
    first: int
    start: int
    end: int
    last: int
    by_blanks: bool = False


def _parts(text: str) -> Iterator[InlinePart]:
    """The documents of a file: after lines `#begin document (name)` or `# name`, or all of it.

    `## name` is such a line, too, where no heading has fewer number signs.
    """
    begins, headings = [*_BEGIN.finditer(text)], [*_HEADING.finditer(text)]
    level = min((len(heading[1]) for heading in headings), default=0)
    headers = begins or [heading for heading in headings if len(heading[1]) == level]
    if not headers:
        yield InlinePart("", 0, 0, len(text), len(text))
    ends = [*(header.start() for header in headers[1:]), len(text)]
    for header, last in zip(headers, ends, strict=False):
        first, start = header.start(), min(header.end() + 1, last)
        if not begins:
            yield InlinePart(header[2].rstrip(), first, start, last, last)
            continue
        closing = _END.search(text, start, last)
        end, last = closing.span() if closing else (last, last)
        name, blanks, rest = header[1].rstrip().rpartition(BY_BLANKS)
        if by_blanks := bool(blanks) and not rest and name[:1] == "(" and name[-1] == ")":
            name = name[1:-1]
        elif known := _NAME.fullmatch(header[1]):  # `(x); part 003` is "x; part 3"
            name = known[1].strip() + (f"; part {known[2]}" if known[2] else "")
        else:
            name = header[1].strip()
        yield InlinePart(name, first, start, end, last, by_blanks)


def _is_marked(text: str, start: int, end: int) -> bool:
    """Whether a mention is marked in this part of a text."""
    return bool(BRACKETED.search(text, start, end) or TAGGED.search(text, start, end))


def _first_said(text: str, start: int, end: int) -> int | None:
    """The first position within this part of a text that says something, code fences aside."""
    rest = _FENCE.sub(lambda fence: " " * len(fence.group()), text[start:end])
    return start + len(rest) - len(rest.lstrip()) if rest.strip() else None


def _drop_frame(markup: Markup) -> None:
    """Leave out what a language model puts around an answer.

    That is its reasoning, a sentence that introduces the answer, and the text around a code fence,
    if no mention is marked there; a fence itself goes in any case.
    """
    text = markup.source.text

    def cut(remark: str, start: int, end: int) -> None:
        for since, until in ((markup.start, start), (end, markup.end)):
            if (position := _first_said(text, since, until)) is not None:
                markup.aside(remark, position, until)
        markup.start, markup.end = start, end

    if reasoning := _REASONING.match(text, markup.start, markup.end):
        cut("is left out as reasoning", reasoning.end(), markup.end)
    if fences := [*markup.found(_FENCE)]:
        first, last, start, end = fences[0], fences[-1], markup.start, markup.end
        opens = not _is_marked(text, start, first.start())
        closes = not _is_marked(text, last.end(), end) and (len(fences) > 1 or not opens)
        start, end = first.end() if opens else start, last.start() if closes else end
        cut(OUTSIDE_FENCE, start, end)
        for fence in fences:
            if start <= fence.start() < end:
                markup.drop(fence.span(), "\n")
    introduction = _INTRODUCTION.match(text, markup.start, markup.end)
    if introduction and not _is_marked(text, markup.start, introduction.end()):
        cut("is left out as an introduction", introduction.end(), markup.end)


def json_in_fences(text: str, file: str = "") -> tuple[str, Sequence[str]]:
    """The JSON in the code fences of a language model's answer, on the lines where it was, and a
    warning of what is left out around it; the text itself if it begins with JSON or has no such
    fence."""
    source, pieces, asides, end = MarkedText(file, text), list[str](), list[Span](), 0

    def leave_out(since: int, until: int) -> str:
        if (position := _first_said(text, since, until)) is not None:
            asides.append((position, until))
        return "\n" * text.count("\n", since, until)

    if _BARE_JSON.match(text):
        return text, ()
    reasoning = _REASONING.match(text)
    for fence in _FENCED_JSON.finditer(text, reasoning.end() if reasoning else 0):
        pieces += leave_out(end, fence.start("json")), fence["json"]
        end = fence.end("json")
    if not pieces:
        return text, ()
    leave_out(end, len(text))
    if asides:
        _warn_aside(source, OUTSIDE_FENCE, *asides[0], len(asides))
    return "".join(pieces), source.warnings


def _warn_aside(source: MarkedText, remark: str, start: int, end: int, n: int) -> None:
    more = f" ({n - 1} more like this)" if n > 1 else ""
    source.warn_at(start, f"{source.excerpt(start, end)} {remark}{more}")


def _read_document(source: MarkedText, part: InlinePart, name: str, *, repair: bool) -> Document:
    markup = Markup(
        source,
        (part.start, part.end),
        repair=repair,
        hint=f", or read it {REPAIRING}, which leaves it out",
    )
    if not part.by_blanks:
        _drop_frame(markup)
        for line in markup.found(_NUMBER_SIGN):
            if repair:
                markup.aside(
                    "begins with '#' and is no document's name, so it is text", *line.span()
                )
            else:
                fault = f"{source.excerpt(line.start())}: a line of the text that begins with '#'"
                advice = "Write '\\#' if the line belongs to the text."
                source.note_at(line.start(), fault, "'# NAME' before each document", advice)
    tagged = None if part.by_blanks else next(markup.found(TAGGED), None)
    bracketed = next(markup.found(BRACKETED), None)
    (_read_tags if tagged and not bracketed else _read_brackets)(markup)
    if tagged and bracketed:
        fault = f"{tagged.group()[:40]} and '{bracketed.group()[:40]}' in one document"
        source.note_at(tagged.start(), fault, "one of the two", "Use one of them.")
    document = markup.document(name, by_blanks=part.by_blanks)
    for remark, aside in markup.asides.items():
        _warn_aside(source, remark, *aside)
    position, n_repairs = markup.repairs
    if n_repairs:
        many = counted(n_repairs, "piece")
        source.warn_at(position, f"{many} of markup without a partner, an id or a word left out")
    if len(document.rows) > 2 and document.n_entities == len(document.rows):
        source.warnings.append(
            f"{source.file}: all {document.n_entities} mentions of document '{name}' have "
            "ids of their own, so no two corefer. An id should name the entity."
        )
    if not document.words:
        source.warn_at(part.first, f"document '{name}' has no words")
    return document


def read_inline(text: str, file: str, side: str = "key", *, repair: bool = False) -> Corpus:
    """The documents of a file; `side` makes no difference.

    repair  whether brackets without their partners are left out, and counted in a warning

    Raises InputError with every problem found, such as a bracket without its partner.
    """
    source, parts = MarkedText(file, text), [*_parts(text)]
    edges = [0, *(at for part in parts for at in (part.first, part.last)), len(text)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        place = _first_said(text, start, end)
        if place is not None and _is_marked(text, start, end):
            fault = f"{source.excerpt(place)} outside of a document"
            advice = (
                "Write the line before the text, or '\\#' if a line of the text begins with '#'."
            )
            source.note_at(place, fault, "'# NAME' before each document", advice)
        elif place is not None:
            source.warn_at(
                place, f"{source.excerpt(place, end)} is outside a document, so it is left out"
            )
    documents: dict[str, Document] = {}
    for part in parts:
        name = part.name or name_of_file(file)
        document = _read_document(source, part, name, repair=repair)
        if name in documents:
            source.note_second(source.line(part.first), name)
        if not part.name and part.start > part.first:
            expected = "'#begin document (NAME)'"
            source.note_at(part.first, "a document without a name", expected, "Add it.")
        documents[name] = document
    return source.corpus(documents.values())


repair_inline = partial(read_inline, repair=True)

_MENTION = re.compile(r"\[[^\[\]\n]*\][ \t]*\(\s*#[^()\[\]\n]+\)")

_COLUMNS = re.compile(r"\t|\s(?:[-_*]|[(|)0-9]+)\s*$")


def fits_inline(text: str) -> bool:
    """Whether a mention is marked near the beginning, not in a row of columns or in XML."""
    first = text[:100_000].split("\n", 1)[0]
    if first.startswith("#begin document (") and first.endswith(BY_BLANKS):
        return True
    if text.lstrip().startswith(("<?", "<!", "{", "[{")):
        return False  # XML and JSON, whose texts may hold anything
    match = _MENTION.search(text, 0, 100_000) or TAGGED.search(text, 0, 100_000)
    if not match:
        return False
    start, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
    return not _COLUMNS.search(text[start : end if end >= 0 else len(text)])


_NO_WORD = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")


def write_inline(corpus: Corpus) -> str:
    """For each document a line that says its name and that words stand between blanks, then its
    sentences, a line each, with its mentions as links.

    A backslash stands before brackets and backslashes of the text, and a '#' that begins a line.
    Raises InputError for mentions that cross, have a gap or are only names, and for words with
    blanks in them.
    """
    refuse(problem for document in corpus for problem in _not_inline(document))
    lines = []
    for document in corpus:
        opens, closes = ["" for _ in document.words], ["" for _ in document.words]
        for start, end, entity in document.rows.tolist():
            opens[start] += "["
            closes[end - 1] = f"](#{entity + 1}){closes[end - 1]}"
        escaped = (re.sub(r"([\\\[\]])", r"\\\1", word) for word in document.words)
        words = [*map("".join, zip(opens, escaped, closes, strict=True))]
        lines.append(f"#begin document ({document.name}){BY_BLANKS}\n")
        for start, end in document.sentences:
            line = " ".join(words[start:end])
            lines.append(("\\" if line.startswith("#") else "") + f"{line}\n")
        lines.append("#end document\n")
    return "".join(lines)


def _not_inline(document: Document) -> Iterator[Problem]:
    place, name = document.place, document.name
    yield from unwritable(document)
    word = next((word for word in document.words if not word or _NO_WORD.search(word)), None)
    crossing = " and ".join(f"'{document.text(one)}'" for one in _crossing(document.mentions))
    gaps = [mention for mention in document.mentions if mention.pieces]
    for is_so, found, expected, advice in (
        (
            word is not None,
            f"the word {word!r} in document '{name}'",
            "words without spaces",
            "Write it as jsonl.",
        ),
        (
            document.named_mentions,
            f"document '{name}' has mentions that are only names",
            "mentions that are words of a text",
            "Write it as notation.",
        ),
        (
            document.empty_nodes,
            f"document '{name}' has words that are not in the text",
            "words of the text",
            "Write it as CoNLL-U.",
        ),
        (
            gaps,
            f"document '{name}' has a mention with a gap",
            "mentions without gaps",
            "Write it as CoNLL-U.",
        ),
        (
            crossing,
            f"mentions that cross in document '{name}': {crossing}",
            "mentions that nest",
            "Write it as conll or jsonl.",
        ),
    ):
        if is_so:
            yield Problem(place, 0, found, expected, advice)


def _crossing(mentions: Sequence[Mention]) -> Sequence[Mention]:
    """Two mentions that overlap without one being inside the other; none if there are none."""
    around: list[Mention] = []
    for mention in mentions:
        while around and around[-1].end <= mention.start:
            around.pop()
        if around and around[-1].end < mention.end:
            return around[-1], mention
        around.append(mention)
    return ()


INLINE = Format(
    "inline",
    "inline markup",
    (".inline", ".md"),
    fits_inline,
    read_inline,
    repair=repair_inline,
    write=write_inline,
)

# {a b c} {d e f g} --------------------------------------------------------------------------------

_ENTITY = re.compile(r"\{([^{}]*)\}")

_SEPARATOR = re.compile(r"[\s,]+")

_NOT_IN_NAMES = re.compile(r"[\"'`:()\[\]]")

_DICT = re.compile(r"\s*\{\s*(['\"]?)\w+\1\s*:")

_ENTITIES = "entities in braces, such as {a b} {c}"


def read_notation(text: str, file: str, side: str = "key", *, any_name: bool = False) -> Corpus:
    """The documents of a file; `side` makes no difference.

    any_name  whether names may have quotes, brackets and colons, as those of a toy

    Raises InputError with every problem found, each with its line.
    """
    notes = FileNotes(file=file)
    documents: dict[str, Document] = {}
    letters = not any(map(_SEPARATOR.search, _ENTITY.findall(text)))
    for number, name, line in _named_lines(text):
        name = name or str(len(documents) + 1)
        rest = _ENTITY.sub("", line).strip()
        if not any_name and _DICT.match(line):
            fault = (
                f"an object in braces, as Python prints it or cut from JSON ('{line.strip()[:40]}')"
            )
            advice = "Write it as JSON, with json.dumps, one document per line."
            notes.note(number, fault, _ENTITIES, advice)
        elif not any_name and (wrong := _NOT_IN_NAMES.search(line)):
            advice = "Leave quotes, brackets and colons out of the names."
            expected = f"{_ENTITIES}, of plain names"
            notes.note(number, f"{wrong[0]} in '{line.strip()[:40]}'", expected, advice)
        elif rest:
            advice = "Put every mention into braces. Each opens and closes once."
            notes.note(number, f"'{rest[:40]}'", _ENTITIES, advice)
        if name in documents:
            notes.note_second(number, name)
        position: dict[str, int] = {}
        rows = []
        for entity, content in enumerate(() if notes else _ENTITY.findall(line)):
            one_each = letters and not content.isdecimal()
            for mention in content if one_each else filter(None, _SEPARATOR.split(content)):
                word = position.setdefault(mention, len(position))
                rows.append((word, word + 1, entity))
        documents[name] = Document.of_rows(
            name, rows, words=tuple(position), named_mentions=True, file=file
        )
    if not documents:
        notes.note(0, "no document", "a line such as {a b} {c}", "Add one.")
    return notes.corpus(documents.values())


def _named_lines(text: str) -> Iterator[tuple[int, str, str]]:
    """(line number, name or "", line) of each document."""
    name = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.lstrip().startswith("#"):
            name = line.strip()[1:].strip()
        elif line.strip():
            yield number, name, line
            name = ""


def fits_notation(text: str) -> bool:
    """Whether the first line that is no comment begins with a brace."""
    return next((line for _, _, line in _named_lines(text)), "").lstrip().startswith("{")


def write_notation(corpus: Corpus) -> str:
    """A line `# name` and a line of entities for each document.

    A mention that is a span is named by its words' numbers: `7`, `7-9`, counted from 1. Raises
    InputError for a name that braces cannot hold.
    """
    checks = (unwritable, more_than_spans)
    refuse(problem for document in corpus for check in checks for problem in check(document))
    return "".join(f"# {document.name}\n{in_braces(document)}\n" for document in corpus)


def in_braces(document: Document, *, any_name: bool = False) -> str:
    """The entities of a document in one line; `any_name` as in `read_notation`.

    Raises InputError for a name that braces cannot hold.
    """
    unfit = r"[\s,{}]" if any_name else rf"[\s,{{}}]|{_NOT_IN_NAMES.pattern}"
    texts = []
    for entity in document.entities:
        names = []
        for start, end in ((mention.start, mention.end) for mention in entity):
            name = str(start + 1) if end - start == 1 else f"{start + 1}-{end}"
            if document.named_mentions:
                name = document.words[start]
                if not name or re.search(unfit, name):
                    expected = (
                        "names without spaces, commas and braces, quotes, brackets and colons"
                    )
                    raise refusal(document.name, f"the mention {name!r}", expected, "Rename it.")
            names.append(name)
        # The comma after a single long name tells it from one-letter mentions.
        alone = len(names) == 1 and len(names[0]) > 1 and not names[0].isdecimal()
        texts.append(f"{{{' '.join(names)}{',' * alone}}}")
    return " ".join(texts) or "{}"


NOTATION = Format(
    "notation",
    "brace notation",
    (".notation", ".txt"),
    fits_notation,
    read_notation,
    write=write_notation,
    has_words=False,
)
