"""SACR: a text with its mentions in braces, `{e1 Mia} met {e2:kind="person",n=1 {e1 her} aunt}`.

The name after the brace is the entity's. Properties, comments (lines that begin with `#` or
`*****` before a paragraph) and blanks are lost; `#text_id: NAME` names the document that follows.
Only read. Source: Oberle 2018, "SACR: A drag-and-drop based tool for coreference annotation", and
the files that its web page saves.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.marked_text import (
    Edit,
    Markup,
    Source,
    marked_document,
    name_of_file,
)
from corescore.corpus.problems import Problem, Problems

_PROPERTY = r'\w+=(?:"[^"\n]*"|\w*)'
_OPEN = rf"\{{(?P<entity>\w+)(?P<properties>:{_PROPERTY}(?:,{_PROPERTY})*)?[ \t\n]"
_BRACE = re.compile(rf"{_OPEN}|(?P<close>\}})|\{{")
_COMMENT = re.compile(r"#|\*{5}")
_NAME = re.compile(r"#text_?id:[ \t]*(.*\S)", re.IGNORECASE)
_HEADER = re.compile(r"^#(?:title|text_?id|corpus|additional_?token)\s*:", re.MULTILINE)
_EXPECTED = 'a mention such as {name the words} or {name:property="value" the words}'


def read_sacr(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    documents: dict[str, Document] = {}
    problems = Problems()
    every_comment = [*_comments(text)]
    for name, comments, source in _sources(text, file, every_comment):
        markup = Markup([*comments])
        problems.extend(_braces(source, markup))
        markup.edits.sort(key=lambda edit: edit.start)
        documents[name], wordless = marked_document(name, source, markup)
        for start, _, entity in wordless:
            found = f"a mention of entity {entity} without a word"
            problems.add(source.problem(start, found, "at least one word", "Delete it."))
    problems.extend(_same_names(Source(file, text, 0, len(text)), every_comment))
    problems.refuse()
    return Corpus(tuple(documents.values()), file)


def _comments(text: str) -> Iterator[tuple[Edit, str]]:
    """The lines of comments, and the name that each gives to a document, or ""."""
    at, before_paragraph = 0, True
    for line in text.splitlines(keepends=True):
        is_comment = before_paragraph and bool(_COMMENT.match(line))
        if is_comment:
            name = _NAME.match(line)
            yield Edit(at, at + len(line), "\n"), name[1] if name else ""
        before_paragraph = is_comment or not line.strip()
        at += len(line)


def _sources(
    text: str, file: str, comments: Sequence[tuple[Edit, str]]
) -> Iterator[tuple[str, list[Edit], Source]]:
    """(name, comments, where it stands) of each document."""
    marks = [(edit.start, name) for edit, name in comments if name]
    marks = marks or [(0, name_of_file(file))]
    marks[0] = (0, marks[0][1])
    ends = [*(start for start, _ in marks[1:]), len(text)]
    whole = Source(file, text, 0, len(text))
    starts = [edit.start for edit, _ in comments]
    for (start, name), end in zip(marks, ends, strict=True):
        within = comments[bisect_left(starts, start) : bisect_left(starts, end)]
        yield name, [edit for edit, _ in within], Source(file, text, start, end, whole.line(start))


def _same_names(whole: Source, comments: Sequence[tuple[Edit, str]]) -> Iterator[Problem]:
    seen: set[str] = set()
    for edit, name in comments:
        if name in seen:
            found, advice = f"a second document '{name}'", "Rename one of them."
            yield whole.problem(edit.start, found, "each name once", advice)
        seen |= {name} - {""}


def _braces(source: Source, markup: Markup) -> Iterator[Problem]:
    """Take in the mentions; the problems with braces outside of comments."""
    opened = array("q")
    starts = array("q", (edit.start for edit in markup.edits))
    ends = array("q", (edit.end for edit in markup.edits))
    for match in _BRACE.finditer(source.text, source.start, source.end):
        comment = bisect_right(starts, match.start()) - 1
        if comment >= 0 and match.start() < ends[comment]:
            continue
        if match["entity"]:
            opened.append(match.start())
        elif match["close"] and opened:
            start = source.again(_BRACE, opened.pop())
            markup.drop(start)
            markup.drop(match)
            markup.mentions.append((start.end(), match.start(), start["entity"]))
        else:
            what = "closes a mention that was never opened" if match["close"] else "no mention"
            found = f"{source.excerpt(match.start())}: {what}"
            yield source.problem(match.start(), found, _EXPECTED, "Fix the brace.")
    for at in opened:
        found = f"{source.excerpt(at)}: opens a mention that is never closed"
        yield source.problem(at, found, "a '}' after it", "Close the brace.")


def fits_sacr(text: str) -> bool:
    """Whether there are braces with properties or in braces, or a header or a text around them.

    Braces that follow each other with nothing between are the papers' notation.
    """
    if text.lstrip().startswith(('{"', "{'")):
        return False
    found, depth, n_outside = re.search(_OPEN, text[:100_000]), 0, 0
    if not found or found["properties"] or _HEADER.search(text, 0, 100_000):
        return bool(found)
    lines = [line for line in text[:100_000].split("\n") if not _COMMENT.match(line)]
    for piece in re.findall(r"[{}]|[^{}\s]+", "\n".join(lines)):
        depth += (piece == "{") - (piece == "}")
        n_outside += depth == 0 and piece not in "{}"
        if depth > 1 or n_outside > 3:
            return True
    return False


SACR = Format(id="sacr", title="SACR", suffixes=(".sacr",), fits=fits_sacr, read=read_sacr)
