"""Inline markup, as language models are asked to write it: `[Mia](#1) gave [[her](#1) brother](#2)
a bike`, or `<m id="1">Mia</m> gave …`.

The text is a document over its own words, to be aligned with the key's. Lost are blanks and, where
a bracket without an id or an element is left out, that markup; each is told. A file that we write
says in the line before each document that its words stand between blanks, and is read back as it
was. Links in Markdown: https://spec.commonmark.org; the elements follow no standard.

The two spellings of inline markup: `[Mia](#1)`, as a link in Markdown, and `<m id="1">Mia</m>`.

Each is read in one go over the text, with a list of what is open: no nesting is too deep.

Where the documents of a file of inline markup are, and what language models say around them.

Writing inline markup, `[Mia](#1)`, a sentence a line and blanks between the words.
"""

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from sys import intern

from corescore.corpus.documents import Corpus, Document, Mention
from corescore.corpus.formats.format import Format, unwritable
from corescore.corpus.formats.marked_text import (
    Edit,
    Marked,
    MarkedSource,
    Markup,
    marked_document,
    name_of_file,
)
from corescore.corpus.problems import InputError, Problem, Problems
from corescore.wording import counted

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
class MarkupReading:
    """What was seen of a source's markup.

    repair    whether what is unbalanced is left out
    problems  of the file, to which what is unbalanced otherwise is added
    repairs   where something unbalanced was left out
    asides    what was taken for text or left out: the first of each kind, and how many there are
    left_out  the last edit that leaves out something unbalanced
    """

    source: MarkedSource
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


def read_brackets(reading: MarkupReading) -> None:
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


def _close_bracket(reading: MarkupReading, start: re.Match[str], end: re.Match[str]) -> None:
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


def read_tags(reading: MarkupReading) -> None:
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
    reading: MarkupReading, opened: list[str], places: "array[int]", end: re.Match[str]
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


def _unclosed(reading: MarkupReading, at: int) -> None:
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


def _doubtful(reading: MarkupReading, tags: _Tags) -> Iterator[Problem]:
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


BY_BLANKS = "; words between blanks"

_NO_WORD = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")


def write_inline(corpus: Corpus) -> str:
    """For each document a line that says its name and that words stand between blanks, then its
    sentences, a line each, with its mentions as links.

    A backslash stands before brackets and backslashes of the text, and a '#' that begins a line.
    Raises InputError for mentions that cross, have a gap or are only names, and for words with
    blanks in them.
    """
    problems = [problem for document in corpus for problem in _unwritable(document)]
    if problems:
        raise InputError(problems)
    return "".join(line for document in corpus for line in _lines(document))


def _unwritable(document: Document) -> Iterator[Problem]:
    place, name = document.file or document.name, document.name
    yield from unwritable(document)
    word = next((word for word in document.words if not word or _NO_WORD.search(word)), None)
    if word is not None:
        found = f"the word {word!r} in document '{name}'"
        yield Problem(place, 0, found, "words without blanks", "Write it as jsonl.")
    if document.named_mentions:
        found = f"document '{name}' has mentions that are only names"
        yield Problem(place, 0, found, "mentions that are words of a text", "Write it as notation.")
    if document.empty_nodes:
        found = f"document '{name}' has words that are not in the text"
        yield Problem(place, 0, found, "words of the text", "Write it as CoNLL-U.")
    if any(mention.pieces for mention in document.mentions):
        found = f"document '{name}' has a mention with a gap"
        yield Problem(place, 0, found, "mentions without gaps", "Write it as CoNLL-U.")
    if crossing := _crossing(document.mentions):
        words = " and ".join(f"'{document.text(mention)}'" for mention in crossing)
        found = f"mentions that cross in document '{name}': {words}"
        yield Problem(place, 0, found, "mentions that nest", "Write it as conll or jsonl.")


def _crossing(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """Two mentions that overlap without one being inside the other; none if there are none."""
    around: list[Mention] = []
    for mention in mentions:
        while around and around[-1].end <= mention.start:
            around.pop()
        if around and around[-1].end < mention.end:
            return around[-1], mention
        around.append(mention)
    return ()


def _lines(document: Document) -> Iterator[str]:
    opens = [0] * len(document.words)
    closes: list[list[int]] = [[] for _ in document.words]
    for start, end, entity in document.rows.tolist():
        opens[start] += 1
        closes[end - 1].insert(0, entity + 1)
    words = [
        "[" * n + _escaped(word) + "".join(f"](#{entity})" for entity in entities)
        for n, word, entities in zip(opens, document.words, closes, strict=True)
    ]
    yield f"#begin document ({document.name}){BY_BLANKS}\n"
    for start, end in document.sentences:
        line = " ".join(words[start:end])
        yield ("\\" if line.startswith("#") else "") + f"{line}\n"
    yield "#end document\n"


def _escaped(word: str) -> str:
    return re.sub(r"([\\\[\]])", r"\\\1", word)


_BEGIN = re.compile(r"^# ?begin document\b[ \t]*(.*)$", re.MULTILINE)

_END = re.compile(r"^# ?end document\b.*$", re.MULTILINE)

_HEADING = re.compile(r"^(#+)[ \t]+(?!(?:begin|end) document)(\S.*)$", re.MULTILINE)

_NAME = re.compile(r"\((.*)\)(?:;?\s*part\s+0*([0-9]*))?[; \t]*")

_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^`\n]*$\n?", re.MULTILINE)

_REASONING = re.compile(r"\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL)

_INTRODUCTION = re.compile(
    r"\s*(?:[*_#> ]*)(?:here|sure|certainly|of course|okay|ok|below|the following|this is|annotat"
    r"|the (?:annotated|marked|tagged|resolved)|(?:annotated|output|result|text|answer)\b)"
    r"[^\n]*:[*_ \t]*(?:\n|$)",
    re.IGNORECASE,
)

_SAID = re.compile(r"\S")


@dataclass(frozen=True)
class InlinePart:
    """The part of a file that is one document.

    name         "" if the file says none
    first, last  all of it, with the lines that mark its beginning and its end
    start, end   its text
    by_blanks    whether its words stand between blanks, as in the files that we write
    edits        lines within the text that are not of it
    asides       what is left out: (what is said of it, start, end)
    """

    name: str
    first: int
    start: int
    end: int
    last: int
    by_blanks: bool = False
    edits: tuple[Edit, ...] = ()
    asides: tuple[Aside, ...] = ()


def parts_of(text: str) -> list[InlinePart]:
    """The documents of a file: after lines `#begin document (name)` or `# name`, or all of it.

    `## name` is such a line, too, where no heading has fewer number signs.
    """
    begins = [*_BEGIN.finditer(text)]
    headings = [*_HEADING.finditer(text)]
    level = min((len(heading[1]) for heading in headings), default=0)
    headers = begins or [heading for heading in headings if len(heading[1]) == level]
    if not headers:
        return [InlinePart("", 0, 0, len(text), len(text))]
    ends = [*(header.start() for header in headers[1:]), len(text)]
    make = _after_begin if begins else _after_heading
    return [make(text, header, end) for header, end in zip(headers, ends, strict=True)]


def outside(text: str, parts: list[InlinePart]) -> list[tuple[int, int]]:
    """(start, end) of the text before, between and after the documents."""
    edges = [0, *(at for part in parts for at in (part.first, part.last)), len(text)]
    return [*zip(edges[::2], edges[1::2], strict=True)]


def _after_heading(text: str, header: re.Match[str], end: int) -> InlinePart:
    return InlinePart(header[2].rstrip(), header.start(), min(header.end() + 1, end), end, end)


def _after_begin(text: str, header: re.Match[str], end: int) -> InlinePart:
    start = min(header.end() + 1, end)
    closing = _END.search(text, start, end)
    stop, last = closing.span() if closing else (end, end)
    name, blanks, rest = header[1].rstrip().rpartition(BY_BLANKS)
    by_blanks = bool(blanks) and not rest and name[:1] == "(" and name[-1] == ")"
    return InlinePart(_name(header[1], by_blanks), header.start(), start, stop, last, by_blanks)


def _name(header: str, by_blanks: bool) -> str:
    """`(x); part 003` is known as "x; part 3", and `(x); part 000` as "x"."""
    if by_blanks:
        return header.rstrip().removesuffix(BY_BLANKS)[1:-1]
    found = _NAME.fullmatch(header)
    name = found[1].strip() if found else header.strip()
    return f"{name}; part {found[2]}" if found and found[2] else name


def is_marked(text: str, start: int, end: int) -> bool:
    """Whether a mention is marked in this part of a text."""
    return bool(BRACKETED.search(text, start, end) or TAGGED.search(text, start, end))


def without_frame(text: str, part: InlinePart) -> InlinePart:
    """The part without what a language model puts around an answer.

    That is its reasoning, a sentence that introduces the answer, and the text around a code fence,
    if no mention is marked there; a fence itself goes in any case.
    """
    if reasoning := _REASONING.match(text, part.start, part.end):
        part = _cut(text, part, "is left out as reasoning", reasoning.end(), part.end)
    part = _without_fences(text, part)
    introduction = _INTRODUCTION.match(text, part.start, part.end)
    if introduction and not is_marked(text, part.start, introduction.end()):
        said = "is left out as an introduction"
        part = _cut(text, part, said, introduction.end(), part.end)
    return part


def _without_fences(text: str, part: InlinePart) -> InlinePart:
    fences = [*_FENCE.finditer(text, part.start, part.end)]
    if not fences:
        return part
    first, last = fences[0], fences[-1]
    opens = not is_marked(text, part.start, first.start())
    closes = not is_marked(text, last.end(), part.end) and (len(fences) > 1 or not opens)
    start, end = first.end() if opens else part.start, last.start() if closes else part.end
    within = [fence for fence in fences if start <= fence.start() < end]
    part = _cut(text, part, "stands outside of the code fence, so it is left out", start, end)
    return replace(part, edits=tuple(Edit(fence.start(), fence.end(), "\n") for fence in within))


def _cut(text: str, part: InlinePart, said: str, start: int, end: int) -> InlinePart:
    """The part with its text cut down to these positions, and a word on what is cut off."""
    cut = ((part.start, start), (end, part.end))
    asides = [
        (said, at, until)
        for since, until in cut
        if (at := first_said(text, since, until)) is not None
    ]
    return replace(part, start=start, end=end, asides=(*part.asides, *asides))


def first_said(text: str, start: int, end: int) -> int | None:
    """The first position within this part of a text that says something, code fences aside."""
    found = _SAID.search(_FENCE.sub(_blank, text[start:end]))
    return start + found.start() if found else None


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


_MENTION = re.compile(r"\[[^\[\]\n]*\][ \t]*\(\s*#[^()\[\]\n]+\)")

_NUMBER_SIGN = re.compile(r"^#[^\n]*", re.MULTILINE)

_COLUMNS = re.compile(r"\t|\s(?:[-_*]|[(|)0-9]+)\s*$")


def read_inline(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, such as a bracket without its partner.
    """
    return _read(text, file, repair=False)


def repair_inline(text: str, file: str, side: str = "key") -> Corpus:
    """The same, but brackets without their partners are left out, and counted in a warning."""
    return _read(text, file, repair=True)


def _read(text: str, file: str, *, repair: bool) -> Corpus:
    parts = parts_of(text)
    problems = Problems()
    documents: dict[str, Document] = {}
    warnings: list[str] = []
    whole = MarkedSource(file, text, 0, len(text))
    for start, end in outside(text, parts):
        at = first_said(text, start, end)
        if at is not None and is_marked(text, start, end):
            problems.add(_marked_outside(whole, at))
        elif at is not None:
            said = f"{whole.excerpt(at, end)} stands outside of a document, so it is left out"
            warnings.append(f"{whole.place(at)}: {said}.")
    for part in parts:
        reading = _reading(whole, part, repair, problems)
        name = part.name or name_of_file(file)
        document, wordless = marked_document(name, reading.source, reading.markup)
        reading.refuse_wordless(wordless)
        problems.extend(_bad_name(whole, part, name, documents))
        warnings += _warnings(whole, reading, document)
        if not document.words:
            warnings.append(f"{whole.place(part.first)}: document '{name}' has no words.")
        documents[name] = document
    problems.refuse()
    return Corpus(tuple(documents.values()), file, tuple(warnings))


def _reading(
    whole: MarkedSource, part: InlinePart, repair: bool, problems: Problems
) -> MarkupReading:
    """The markup of a document, in the spelling that it has."""
    file, text = whole.file, whole.text
    if not part.by_blanks:
        part = without_frame(text, part)
    line = whole.line(part.start)
    source = MarkedSource(file, text, part.start, part.end, line, part.by_blanks)
    tagged = None if part.by_blanks else TAGGED.search(text, part.start, part.end)
    bracketed = BRACKETED.search(text, part.start, part.end)
    reading = MarkupReading(source, repair, problems)
    for aside in part.asides:
        reading.aside(*aside)
    if not part.by_blanks:
        for match in _NUMBER_SIGN.finditer(text, part.start, part.end):
            reading.heading_within(match)
    (read_tags if tagged and not bracketed else read_brackets)(reading)
    reading.markup.edits += part.edits
    reading.markup.edits.sort(key=lambda edit: edit.start)
    if tagged and bracketed:
        found = f"{tagged.group()[:40]} and '{bracketed.group()[:40]}' in one document"
        expected = "one of the two"
        reading.problems.add(source.problem(tagged.start(), found, expected, "Use one of them."))
    return reading


def _marked_outside(whole: MarkedSource, at: int) -> Problem:
    found = f"{whole.excerpt(at)} outside of a document"
    advice = "Write the line before the text, or '\\#' if a line of the text begins with '#'."
    return whole.problem(at, found, "'# NAME' before each document", advice)


def _bad_name(
    whole: MarkedSource, part: InlinePart, name: str, documents: Mapping[str, Document]
) -> Iterator[Problem]:
    if name in documents:
        found, advice = f"a second document '{name}'", "Rename one of them."
        yield whole.problem(part.first, found, "each name once", advice)
    if not part.name and part.start > part.first:
        found, expected = "a document without a name", "'#begin document (NAME)'"
        yield whole.problem(part.first, found, expected, "Add it.")


def _warnings(whole: MarkedSource, reading: MarkupReading, document: Document) -> Iterator[str]:
    for what, (start, end, n) in reading.asides.items():
        more = f" ({n - 1} more like this)" if n > 1 else ""
        yield f"{whole.place(start)}: {whole.excerpt(start, end)} {what}{more}."
    if reading.repairs:
        many = counted(len(reading.repairs), "piece")
        place = whole.place(min(reading.repairs))
        yield f"{place}: {many} of markup without a partner, an id or a word left out."
    if len(document.rows) > 2 and document.n_entities == len(document.rows):
        yield (
            f"{whole.file}: all {document.n_entities} mentions of document '{document.name}' have "
            "ids of their own, so no two corefer; an id should name the entity."
        )


def fits_inline(text: str) -> bool:
    """Whether a mention is marked near the beginning, not in a row of columns or in XML."""
    first = text.split("\n", 1)[0]
    if first.startswith("#begin document (") and first.endswith(BY_BLANKS):
        return True
    if text.lstrip().startswith(("<?", "<!", "{", "[{")):
        return False  # XML and JSON, whose texts may hold anything
    found = _MENTION.search(text, 0, 100_000) or TAGGED.search(text, 0, 100_000)
    if not found:
        return False
    start, end = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.end())
    return not _COLUMNS.search(text[start : end if end >= 0 else len(text)])


INLINE = Format(
    id="inline",
    title="inline markup",
    suffixes=(".inline", ".md"),
    fits=fits_inline,
    read=read_inline,
    repair=repair_inline,
    write=write_inline,
)
