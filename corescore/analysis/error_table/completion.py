"""What a query may go on with at the cursor: fields, then values of the field with their counts."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from corescore.analysis.error_table.fields import GROUPS, Field, choices_of, field_named, fields_in
from corescore.analysis.error_table.query import (
    IS,
    NONE,
    All,
    Cells,
    Kind,
    Node,
    Not,
    Query,
    Term,
    Value,
    all_of,
    cells_of,
    numbers_of,
    parse,
)
from corescore.corpus.problems import PolicyError, choose
from corescore.util import BoolArray
from corescore.wording import number

# How many rows have each value of a field, and a query with one more term or one less -------------
# The number beside a value is that of the rows which the query finds with the value's term added.

FACETED = (
    "kind",
    "class",
    "other",
    "type",
    "given",
    "given.type",
    "antecedent.type",
    "match",
    "nested",
    "quotation",
    "guessed",
    "genre",
    "doc",
    "tag",
    "seen",
)

State = Literal["added", "excluded", ""]


@dataclass(frozen=True)
class Facet:
    """A field and how many rows have each of its values, the most frequent first; "none" is that
    of the rows without one. Values that no row has are left out."""

    field: Field
    counts: tuple[tuple[str, int], ...]


def facets(
    frame: pd.DataFrame, mask: BoolArray | None = None, *, names: Sequence[str] = FACETED
) -> tuple[Facet, ...]:
    """The facets of an error table; of fields that it lacks there is none.

    mask   (rows,) the rows to count, as `Query.matches` finds them; None means all
    names  the fields

    Raises PolicyError for a name that is not in FACETED.
    """
    known = [field for name in names if (field := field_named(choose("facet", name, FACETED)))]
    shown = [field for field in known if set(field.columns) <= set(frame.columns)]
    return tuple(Facet(field, counts_of(cells_of(frame, field), mask)) for field in shown)


def counts_of(cells: Cells, mask: BoolArray | None = None) -> tuple[tuple[str, int], ...]:
    """How many rows, or those of the mask, have each value; the most frequent first."""
    code = cells.code if mask is None else cells.code[mask]
    of_cell = np.bincount(code + 1, minlength=len(cells.texts) + 1).tolist()
    counts: Counter[str] = Counter()
    for texts, count in zip(((NONE,), *cells.texts), of_cell, strict=True):
        counts.update(dict.fromkeys(texts, count))
    return tuple((value, count) for value, count in counts.most_common() if count)


def added(text: str, name: str, value: str) -> str:
    """The query with the term that the field has this value, instead of that it has it not.

    value  as `facets` names it

    Raises QueryError for a text that cannot be parsed, PolicyError for an unknown field or choice.
    """
    term = _term(name, value)
    return _written((*_others(text, term), term))


def excluded(text: str, name: str, value: str) -> str:
    """The query with the term that the field has not this value; see `added`."""
    term = _term(name, value)
    return _written((*_others(text, term), Not(term)))


def undone(text: str, name: str, value: str) -> str:
    """The query without the term that the field has, or has not, this value; see `added`."""
    return _written(_others(text, _term(name, value)))


def state(text: str, name: str, value: str) -> State:
    """Whether this value has been added to the query or excluded; see `added`."""
    term, nodes = _term(name, value), _nodes(text)
    return "added" if term in nodes else "excluded" if Not(term) in nodes else ""


def _term(name: str, value: str) -> Term:
    """The term that a field has exactly this value."""
    field = field_named(name)
    if not field:
        raise PolicyError(f"{name!r} is no field of the error table")
    if value == NONE:
        return Term(field, IS, (Value("none", NONE),))
    if field.holds in ("choice", "truth"):
        return Term(field, IS, (Value("choice", choose(field.name, value, field.choices)),))
    return Term(field, IS, (Value("number" if field.holds == "number" else "text", value),))


def _nodes(text: str) -> tuple[Node, ...]:
    """The nodes that all hold."""
    node = parse(text).node
    return node.nodes if isinstance(node, All) else (node,)


def _others(text: str, term: Term) -> tuple[Node, ...]:
    return tuple(node for node in _nodes(text) if node not in (term, Not(term)))


def _written(nodes: tuple[Node, ...]) -> str:
    return str(Query(all_of(nodes)))


MOST = 30

_TOKEN = re.compile(r'(?:[^\s()"]|"(?:[^"\\]|\\.)*(?:"|$))+', re.DOTALL)

_FIELD = re.compile(r"-?([A-Za-z][\w.-]*)(:|>=|<=|>|<|=)")

_ITEM = re.compile(r',((?:[^",]|"(?:[^"\\]|\\.)*(?:"|$))*)', re.DOTALL)

_REST = re.compile(r'[^\s()",]*')


@dataclass(frozen=True)
class Suggestion:
    """A text to put in, what it means, and how many rows have it; −1 for a field."""

    text: str
    about: str
    count: int


@dataclass(frozen=True)
class Completion:
    """What to put in instead of the text from `start` to `end`, the best first, and a hint at what
    is expected there; "" for none."""

    start: int
    end: int
    suggestions: tuple[Suggestion, ...]
    hint: str


def complete(text: str, cursor: int, frame: pd.DataFrame) -> Completion:
    """What the query `text` may go on with at the cursor, for an error table.

    The counts are those of the rows of the table: give those that the rest of the query finds for
    counts of them.
    """
    token = _token_before(text[:cursor])
    end = cursor + len(_found(_REST, text[cursor:]))
    named = _FIELD.match(token)
    field = field_named(named[1]) if named else None
    if not named or not field or not set(field.columns) <= set(frame.columns):
        start = cursor - len(token.removeprefix("-"))
        return Completion(start, end, _fields(text[start:cursor], frame), "a word or a field")
    item = _last_item(token[named.end() :])
    suggestions = _values(field, item.strip('"').lower(), frame) if named[2] in (IS, "=") else ()
    return Completion(cursor - len(item), end, suggestions, _hint(field, frame))


def _token_before(text: str) -> str:
    """What stands before the end of the text without a blank between."""
    tokens = list(_TOKEN.finditer(text))
    return tokens[-1][0] if tokens and tokens[-1].end() == len(text) else ""


def _found(form: re.Pattern[str], text: str) -> str:
    found = form.match(text)
    return found[0] if found else ""


def _last_item(values: str) -> str:
    """What stands behind the last comma that is not in quotation marks."""
    *_, last = _ITEM.finditer(f",{values}")
    return last[1]


def _fields(begun: str, frame: pd.DataFrame) -> tuple[Suggestion, ...]:
    known = fields_in(list(frame.columns))
    made = (
        Suggestion(f"{field.name}{'>' if field.holds == 'number' else IS}", field.about, -1)
        for field in known
    )
    return _best(made, begun.lower())


def _values(field: Field, begun: str, frame: pd.DataFrame) -> tuple[Suggestion, ...]:
    """The values of the field that have what is begun in them."""
    if field.holds == "number":
        return ()
    counts = counts_of(cells_of(frame, field))
    kind: Kind = "choice" if field.choices else "text"
    values = [(value, Value("none" if value == NONE else kind, value), n) for value, n in counts]
    made = [Suggestion(str(value), name, n) for name, value, n in values]
    return _best((*made, *_groups(field, dict(counts))), begun)


def _groups(field: Field, counts: Mapping[str, int]) -> Iterator[Suggestion]:
    """The words for several of the field's choices."""
    for name in GROUPS:
        several = [choice for choice in choices_of(field, name) if choice in counts]
        if len(several) > 1:
            yield Suggestion(name, ", ".join(several), sum(counts[choice] for choice in several))


def _hint(field: Field, frame: pd.DataFrame) -> str:
    """What the field is and, of numbers, between which they are."""
    values = numbers_of(frame[field.columns[0]]) if field.holds == "number" else np.array([])
    if np.isnan(values).all():
        return field.about
    return f"{field.about}, from {number(np.nanmin(values))} to {number(np.nanmax(values))}"


def _best(suggestions: Iterable[Suggestion], begun: str) -> tuple[Suggestion, ...]:
    """Those that have what is begun in them, those that begin so first; at most MOST."""
    fitting = [one for one in suggestions if begun in one.text.lower()]
    fitting.sort(key=lambda one: not one.text.lower().lstrip('"').startswith(begun))
    return tuple(fitting[:MOST])
