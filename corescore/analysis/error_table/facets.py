"""How many rows have each value of a field, and a query with one more term or one less.

The number beside a value is that of the rows which the query finds with the value's term added.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from corescore.analysis.error_table.fields import Field, field_named
from corescore.analysis.error_table.matching import Cells, cells_of
from corescore.analysis.error_table.query import Query, parse
from corescore.analysis.error_table.terms import IS, NONE, All, Node, Not, Term, Value, all_of
from corescore.arrays import BoolArray
from corescore.corpus.problems import PolicyError, choose

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
