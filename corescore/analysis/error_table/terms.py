"""What a query says, as values: terms, and how they hold together.

`str` writes each as text that is parsed to the same.
"""

import re
from dataclasses import dataclass
from dataclasses import field as setting
from typing import Literal

from corescore.analysis.error_table.fields import WORDS, Field
from corescore.corpus.problems import PolicyError

IS, COMPARISONS = ":", (">=", "<=", ">", "<")
NONE = "none"
KEYWORDS = ("and", "or", "not")

_PLAIN_VALUE = re.compile(r'[^\s()",*/][^\s()",*]*')
_PLAIN_WORD = re.compile(r'[^\s()"*/:<>=≤≥-][^\s()"*:<>=≤≥]*')

Kind = Literal["text", "pattern", "regex", "number", "choice", "none"]


class QueryError(PolicyError):
    """A query that cannot be parsed, or asks for what a table does not have; told in one line.

    position                 the character, from 0, at which it goes wrong
    found, expected, advice  as in a `Problem`; the advice may be ""
    """

    def __init__(self, position: int, found: str, expected: str, advice: str = "") -> None:
        super().__init__(position, found, expected, advice)
        self.position = position
        self.found = found
        self.expected = expected
        self.advice = advice

    def __str__(self) -> str:
        place = f"query, character {self.position + 1}"
        return f"{place}: {self.found}; expected {self.expected}. {self.advice}".rstrip()


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a term, as `text`: words or a name; a pattern with `*`; a regular expression, as
    between the slashes; a number; a choice in full, or a word that several choices share; none."""

    kind: Kind
    text: str

    def __str__(self) -> str:
        if self.kind == "regex":
            return f"/{self.text}/"
        if self.kind == "choice":
            return self.text.replace(" ", "-")
        if self.kind != "text":
            return self.text
        is_plain = _PLAIN_VALUE.fullmatch(self.text) and self.text.lower() != NONE
        return self.text if is_plain else _quoted(self.text)


@dataclass(frozen=True, slots=True)
class Term:
    """A field with the values that it may have, or with a number that it is compared with.

    at  its position in the text, in which two terms may differ and still be equal
    """

    field: Field
    operator: str
    values: tuple[Value, ...]
    at: int = setting(default=0, compare=False)

    def __str__(self) -> str:
        if self.field is WORDS and len(self.values) == 1:
            return _alone(self.values[0])
        return self._in_full()

    def _in_full(self) -> str:
        return f"{self.field.name}{self.operator}{','.join(map(str, self.values))}"


@dataclass(frozen=True, slots=True)
class Not:
    """Where a node, which is no Not, does not hold."""

    node: "Node"

    def __str__(self) -> str:
        return f"-{self.node}" if isinstance(self.node, Term) else f"-({self.node})"


@dataclass(frozen=True, slots=True)
class All:
    """Where every one of the nodes holds; without nodes, everywhere. None of them is an All."""

    nodes: tuple["Node", ...]

    def __str__(self) -> str:
        return " ".join(f"({one})" if isinstance(one, Either) else str(one) for one in self.nodes)


@dataclass(frozen=True, slots=True)
class Either:
    """Where at least one of two or more nodes holds. None of them is an Either."""

    nodes: tuple["Node", ...]

    def __str__(self) -> str:
        return " or ".join(map(str, self.nodes))


Node = Term | Not | All | Either


def not_of(node: Node) -> Node:
    """What holds where the node does not."""
    return node.node if isinstance(node, Not) else Not(node)


def all_of(nodes: tuple[Node, ...]) -> Node:
    """Nodes that all hold, brackets that change nothing left out; a single one as it is."""
    flat = tuple(part for one in nodes for part in (one.nodes if isinstance(one, All) else (one,)))
    return flat[0] if len(flat) == 1 else All(flat)


def either_of(nodes: tuple[Node, ...]) -> Node:
    """Nodes of which one holds, brackets that change nothing left out; a single one as it is."""
    flat = tuple(
        part for one in nodes for part in (one.nodes if isinstance(one, Either) else (one,))
    )
    return flat[0] if len(flat) == 1 else Either(flat)


def _quoted(text: str) -> str:
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def _alone(value: Value) -> str:
    """A value of the mention's words without the field's name, where it is then parsed so."""
    if value.kind == "text":
        is_plain = _PLAIN_WORD.fullmatch(value.text) and value.text.lower() not in KEYWORDS
        return value.text if is_plain else _quoted(value.text)
    # With a comma it was parsed where it stood alone: in a list it would be two
    stands_alone = "," in value.text or _PLAIN_WORD.fullmatch(value.text.replace("*", "x"))
    if value.kind == "regex" or (value.kind == "pattern" and stands_alone):
        return str(value)
    return f"{WORDS.name}{IS}{value}"
