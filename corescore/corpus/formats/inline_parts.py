"""Where the documents of a file of inline markup are, and what language models say around them."""

import re
from dataclasses import dataclass, replace

from corescore.corpus.formats.inline_markup import BRACKETED, TAGGED, Aside
from corescore.corpus.formats.inline_writer import BY_BLANKS
from corescore.corpus.formats.marked_text import Edit

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
class Part:
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


def parts_of(text: str) -> list[Part]:
    """The documents of a file: after lines `#begin document (name)` or `# name`, or all of it.

    `## name` is such a line, too, where no heading has fewer number signs.
    """
    begins = [*_BEGIN.finditer(text)]
    headings = [*_HEADING.finditer(text)]
    level = min((len(heading[1]) for heading in headings), default=0)
    headers = begins or [heading for heading in headings if len(heading[1]) == level]
    if not headers:
        return [Part("", 0, 0, len(text), len(text))]
    ends = [*(header.start() for header in headers[1:]), len(text)]
    make = _after_begin if begins else _after_heading
    return [make(text, header, end) for header, end in zip(headers, ends, strict=True)]


def outside(text: str, parts: list[Part]) -> list[tuple[int, int]]:
    """(start, end) of the text before, between and after the documents."""
    edges = [0, *(at for part in parts for at in (part.first, part.last)), len(text)]
    return [*zip(edges[::2], edges[1::2], strict=True)]


def _after_heading(text: str, header: re.Match[str], end: int) -> Part:
    return Part(header[2].rstrip(), header.start(), min(header.end() + 1, end), end, end)


def _after_begin(text: str, header: re.Match[str], end: int) -> Part:
    start = min(header.end() + 1, end)
    closing = _END.search(text, start, end)
    stop, last = closing.span() if closing else (end, end)
    name, blanks, rest = header[1].rstrip().rpartition(BY_BLANKS)
    by_blanks = bool(blanks) and not rest and name[:1] == "(" and name[-1] == ")"
    return Part(_name(header[1], by_blanks), header.start(), start, stop, last, by_blanks)


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


def without_frame(text: str, part: Part) -> Part:
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


def _without_fences(text: str, part: Part) -> Part:
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


def _cut(text: str, part: Part, said: str, start: int, end: int) -> Part:
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
