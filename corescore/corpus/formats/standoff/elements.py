"""XML as a tree of elements with their lines, read so that no file can do harm.

A document type with declarations of its own is refused, since entities could expand without end or
read other files; an external one is not fetched. So is nesting beyond what any text needs.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from xml.parsers import expat

from corescore.corpus.problems import InputError, Problem

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
