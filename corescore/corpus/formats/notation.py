"""The papers' notation for toy partitions: `{a b c} {d e f g}`, a document a line.

`{abc}{defg}` too: where no braces of a file hold a blank or a comma, each letter is a mention (and
a number one mention). A line `# name` names the document after it; else it is named by its number.
Names have no quotes, brackets and colons, so that JSON and printed Python values are not taken for
notation.
"""

import re
from collections.abc import Iterable, Iterator

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format, more_than_spans, unwritable
from corescore.corpus.problems import InputError, Problem, Problems

_ENTITY = re.compile(r"\{([^{}]*)\}")
_SEPARATOR = re.compile(r"[\s,]+")
_NOT_IN_NAMES = re.compile(r"[\"'`:()\[\]]")
_DICT = re.compile(r"\s*\{\s*(['\"]?)\w+\1\s*:")


def read_notation(text: str, file: str, side: str = "key", *, any_name: bool = False) -> Corpus:
    """The documents of a file; `side` makes no difference.

    any_name  whether names may have quotes, brackets and colons, as those of a toy

    Raises InputError with every problem found, each with its line.
    """
    problems = Problems()
    documents: dict[str, Document] = {}
    letters = not any(_SEPARATOR.search(entity[1]) for entity in _ENTITY.finditer(text))
    for number, name, line in _lines(text):
        name = name or str(len(documents) + 1)
        problems.extend(_syntax(file, number, line, any_name=any_name))
        if name in documents:
            found = f"a second document '{name}'"
            problems.add(Problem(file, number, found, "each name once", "Rename one of them."))
        line = "" if problems else line
        documents[name] = _document(name, line, file, letters=letters)
    if not documents:
        problems.add(Problem(file, 0, "no document", "a line such as {a b} {c}", "Add one."))
    problems.refuse()
    return Corpus(tuple(documents.values()), file)


def _lines(text: str) -> Iterator[tuple[int, str, str]]:
    """(line number, name or "", line) of each document."""
    name = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.lstrip().startswith("#"):
            name = line.strip()[1:].strip()
        elif line.strip():
            yield number, name, line
            name = ""


def _syntax(file: str, number: int, line: str, *, any_name: bool) -> Iterable[Problem]:
    rest = _ENTITY.sub("", line).strip()
    expected = "entities in braces, such as {a b} {c}"
    if not any_name and _DICT.match(line):
        found, advice = "an object in braces, as Python prints it or cut from JSON", _DICT_ADVICE
        yield Problem(file, number, f"{found} ('{line.strip()[:40]}')", expected, advice)
    elif not any_name and (wrong := _NOT_IN_NAMES.search(line)):
        found = f"{wrong[0]} in '{line.strip()[:40]}'"
        advice = "Leave quotes, brackets and colons out of the names."
        yield Problem(file, number, found, f"{expected}, of plain names", advice)
    elif rest:
        advice = "Close every brace." if "{" in rest else "Put every mention into braces."
        yield Problem(file, number, f"'{rest[:40]}'", expected, advice)


_DICT_ADVICE = "Write it as JSON, with json.dumps, one document a line."


def _document(name: str, line: str, file: str, *, letters: bool) -> Document:
    position: dict[str, int] = {}
    rows = []
    for entity, content in enumerate(_ENTITY.findall(line)):
        for mention in _mentions(content, letters=letters):
            at = position.setdefault(mention, len(position))
            rows.append((at, at + 1, entity))
    return Document.of_rows(name, rows, words=tuple(position), named_mentions=True, file=file)


def _mentions(content: str, *, letters: bool) -> list[str]:
    if letters:
        return [content] if content.isdecimal() else list(content)
    return [mention for mention in _SEPARATOR.split(content) if mention]


def fits_notation(text: str) -> bool:
    """Whether the first line that is no comment begins with a brace."""
    return next((line for _, _, line in _lines(text)), "").lstrip().startswith("{")


def write_notation(corpus: Corpus) -> str:
    """A line `# name` and a line of entities for each document.

    A mention that is a span is named by its words' numbers: `7`, `7-9`, counted from 1. Raises
    InputError for a name that braces cannot hold.
    """
    problems = [
        problem
        for document in corpus
        for problem in (*unwritable(document), *more_than_spans(document))
    ]
    if problems:
        raise InputError(problems)
    return "".join(f"# {document.name}\n{in_braces(document)}\n" for document in corpus)


def in_braces(document: Document, *, any_name: bool = False) -> str:
    """The entities of a document in one line; `any_name` as in `read_notation`.

    Raises InputError for a name that braces cannot hold.
    """
    entities = [
        [_name(document, m.start, m.end, any_name=any_name) for m in entity]
        for entity in document.entities
    ]
    return " ".join(f"{{{_content(entity)}}}" for entity in entities) or "{}"


def _name(document: Document, start: int, end: int, *, any_name: bool) -> str:
    if not document.named_mentions:
        return str(start + 1) if end - start == 1 else f"{start + 1}-{end}"
    name = document.words[start]
    is_plain = any_name or not _NOT_IN_NAMES.search(name)
    if not name or re.search(r"[\s,{}]", name) or not is_plain:
        expected = "names without blanks, commas and braces, quotes, brackets and colons"
        problem = Problem(document.name, 0, f"the mention {name!r}", expected, "Rename it.")
        raise InputError([problem])
    return name


def _content(entity: list[str]) -> str:
    """The comma after a single long name tells it from one-letter mentions."""
    alone = len(entity) == 1 and len(entity[0]) > 1 and not entity[0].isdecimal()
    return f"{entity[0]}," if alone else " ".join(entity)


NOTATION = Format(
    id="notation",
    title="brace notation",
    suffixes=(".notation", ".txt"),
    fits=fits_notation,
    read=read_notation,
    write=write_notation,
    has_words=False,
)
