"""How many rows of the error table have which values, queries that find them, and what a query may
go on with at the cursor."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal, NamedTuple, TypeGuard

import numpy as np
import pandas as pd

from corescore.analysis.error_table.query import (
    GROUPS,
    IS,
    NONE,
    All,
    Field,
    Kind,
    Node,
    Not,
    Term,
    Value,
    all_of,
    choices_of,
    field_named,
    fields_in,
    matching,
    numbers_of,
    parse,
    values_of,
)
from corescore.corpus.problems import PolicyError, choose
from corescore.util import as_rows
from corescore.wording import number

# Terms of a query, written by the program: what a number counts, as a query -----------------------

_KINDS: dict[str, Kind] = {"choice": "choice", "truth": "choice", "number": "number"}


def term(name: str, *values: str | int | None) -> str:
    """The term that finds the rows in which a field has one of these values; None: has none.

    `term("doc", "a b") == 'doc:"a b"'`, `term("class", "span error") == "class:span-error"`
    """
    return str(_term(name, *values))


def _term(name: str, *values: str | int | None) -> Term:
    field = _field(name)
    kind = _KINDS.get(field.holds, "text")
    meant = (Value("none", NONE) if of is None else Value(kind, str(of)) for of in values)
    return Term(field, IS, tuple(meant))


def _field(name: str) -> Field:
    field = field_named(name)
    if not field:
        raise PolicyError(f"{name!r} is no field of the error table")
    return field


def both(*terms: str) -> str:
    """The query that finds the rows that all of these queries find; an empty one finds all rows."""
    return str(all_of(tuple(map(parse, terms))))


# How many rows have each value of a field, and a query with one more value or one less ------------
# The number beside a value is that of the rows which the query finds with this value alone of its
# field: those beside a value that was added do not vanish.

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


def facets(frame: pd.DataFrame, *, names: Sequence[str] = FACETED) -> tuple[Facet, ...]:
    """The facets of an error table, or of some of its rows; of fields that it lacks there is none.

    names  the fields

    Raises PolicyError for a name that is not in FACETED.
    """
    known = [_field(choose("facet", name, FACETED)) for name in names]
    return tuple(
        Facet(field, tuple(_value_counts(frame, field).items()))
        for field in known
        if set(field.columns) <= set(frame.columns)
    )


def _value_counts(frame: pd.DataFrame, field: Field) -> dict[str, int]:
    """How many rows have each value; the most frequent first."""
    values = values_of(frame, field).fillna(NONE)
    counts = values.groupby(values, sort=False).size()
    ordered = counts.sort_values(ascending=False, kind="stable")
    return {str(value): int(n) for value, n in ordered.items()}


def changed(text: str, name: str, value: str, state: State) -> str:
    """The query that, besides its other terms, finds rows with this value of the field, too
    ("added": with one of its values, where it asks for several), or without it ("excluded"), or
    neither asks for the value nor excludes it ("").

    value  as `facets` names it, or a word for several choices, such as "pronoun"

    Raises QueryError for a text that cannot be parsed, PolicyError for an unknown field or choice.
    """
    term = _one_value(name, value)
    nodes, asked = list[Node](), None
    for node in _nodes(text):
        if not _asks_for(node, term.field):
            nodes += [node] if node != Not(term) else []
            continue
        left = tuple(one for one in node.values if one not in term.values)
        if state == "added" and asked is None:
            left = asked = (*left, *term.values) if left == node.values else node.values
        nodes += [replace(node, values=left)] if left else []
    if state == "added" and asked is None:
        nodes.append(term)
    elif state == "excluded":
        nodes.append(Not(term))
    return str(all_of(tuple(nodes)))


def freed(text: str, name: str) -> str:
    """The query without the values of the field that it asks for."""
    field = _field(name)
    return str(all_of(tuple(node for node in _nodes(text) if not _asks_for(node, field))))


def state(text: str, name: str, value: str) -> State:
    """Whether this value has been added to the query or excluded; see `changed`."""
    term, nodes = _one_value(name, value), _nodes(text)
    if any(_asks_for(node, term.field) and term.values[0] in node.values for node in nodes):
        return "added"
    return "excluded" if Not(term) in nodes else ""


def _one_value(name: str, value: str) -> Term:
    """The term that a field has exactly this value, as `facets` names it, or one of those that a
    word stands for."""
    field = _field(name)
    is_group = value in GROUPS and bool(choices_of(field, value))
    if value != NONE and field.choices and not is_group:
        choose(field.name, value, field.choices)
    return _term(name, None if value == NONE else value)


def _asks_for(node: Node, field: Field) -> TypeGuard[Term]:
    return isinstance(node, Term) and node.field == field and node.operator == IS


def _nodes(text: str) -> tuple[Node, ...]:
    """The nodes that all hold."""
    node = parse(text)
    return node.nodes if isinstance(node, All) else (node,)


# What a query may go on with at the cursor: fields, then values of the field with their counts ----

MOST = 30

_TOKEN = re.compile(r'(?:[^\s()"]|"(?:[^"\\]|\\.)*(?:"|$))+', re.DOTALL)

_NAMED = re.compile(r"-?([A-Za-z][\w.-]*)(:|>=|<=|>|<|=)")

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
    before = text[:cursor]
    tokens = [one[0] for one in _TOKEN.finditer(before) if one.end() == len(before)]
    token = tokens[-1] if tokens else ""
    rest = _REST.match(text, cursor)
    end = rest.end() if rest else cursor
    named = _NAMED.match(token)
    field = field_named(named[1]) if named else None
    if not named or not field or not set(field.columns) <= set(frame.columns):
        begun = token.removeprefix("-")
        signs = {"number": ">"}
        made = [
            Suggestion(f"{one.name}{signs.get(one.holds, IS)}", one.about, -1)
            for one in fields_in(frame)
        ]
        return Completion(cursor - len(begun), end, _best(made, begun), "a word or a field")
    *_, last = _ITEM.finditer(f",{token[named.end() :]}")  # behind commas, but for quoted ones
    item, hint, made = last[1], field.about, []
    if field.holds == "number":
        values = numbers_of(frame[field.column])
        if not np.isnan(values).all():
            hint += f", from {number(np.nanmin(values))} to {number(np.nanmax(values))}"
    elif named[2] in (IS, "="):
        counts = _value_counts(frame, field)
        kind: Kind = "choice" if field.choices else "text"
        made = [
            Suggestion(str(Value("none" if value == NONE else kind, value)), value, n)
            for value, n in counts.items()
        ]
        for name in GROUPS:  # the words for several of the field's choices
            several = [choice for choice in choices_of(field, name) if choice in counts]
            if len(several) > 1:
                n = sum(counts[choice] for choice in several)
                made.append(Suggestion(name, ", ".join(several), n))
    return Completion(cursor - len(item), end, _best(made, item.strip('"')), hint)


def _best(suggestions: Sequence[Suggestion], begun: str) -> tuple[Suggestion, ...]:
    """Those that have what is begun in them, those that begin so first; at most MOST."""
    begun = begun.lower()
    fitting = [one for one in suggestions if begun in one.text.lower()]
    fitting.sort(key=lambda one: not one.text.lower().lstrip('"').startswith(begun))
    return tuple(fitting[:MOST])


# Confusion: how often rows have which values of two fields ----------------------------------------


class Cell(NamedTuple):
    """A cell of a confusion table: its two values, the number of rows, and what they gain."""

    row: str
    column: str
    n: int
    gain: float


@dataclass(frozen=True)
class Confusion:
    """Rows of an error table by two fields.

    rows, columns  the names of the fields, as queries name them
    within         the query whose rows are counted
    counts         (values, values) how many rows have both values; a row with several values of a
                   field, such as two kinds of errors, counts with each. The index and the columns
                   are the values that occur, in the field's order, "none" last
    gains          (values, values) what fixing each of these rows alone gains, added up: more than
                   fixing them all gains where they are of one error. NaN where the metric cannot
                   tell
    """

    rows: str
    columns: str
    within: str
    counts: pd.DataFrame
    gains: pd.DataFrame

    def cells(self) -> Iterator[Cell]:
        """Every cell, row by row."""
        places = product(map(str, self.counts.index), map(str, self.counts.columns))
        numbers = as_rows(self.counts.to_numpy().ravel(), self.gains.to_numpy().ravel())
        for (row, column), (n, gain) in zip(places, numbers, strict=True):
            yield Cell(row, column, n, gain)

    def query(self, row: str, column: str) -> str:
        """The query that finds the rows which a cell counts."""
        values = ((self.rows, row), (self.columns, column))
        return both(
            self.within, *(term(name, None if value == NONE else value) for name, value in values)
        )


def antecedents(table: pd.DataFrame, *, metric: str = "conll") -> Confusion:
    """The type of the antecedent given (rows) against that of the one it should have had.

    Of mentions whose given antecedent is right there is no confusion; they are left out. "none" is
    the type of no antecedent: a spurious mention should have none, a missing one was given none.
    """
    return confusion(table, "given.type", "antecedent.type", metric=metric, within="-given:right")


def types_by_kind(table: pd.DataFrame, *, metric: str = "conll") -> Confusion:
    """The type of the mention (rows) against the kind of error, or "none": a class alone."""
    return confusion(table, "type", "kind", metric=metric)


def confusion(
    table: pd.DataFrame, rows: str, columns: str, *, metric: str = "conll", within: str = ""
) -> Confusion:
    """Count the rows of an error table that a query finds by two fields of choices or names.

    metric  whose gains are added up: its column is `cost_<metric>`

    Raises QueryError as parsing and matching the query do.
    """
    table = table[matching(parse(within), table)]
    fields = _field(rows), _field(columns)
    one, other = (values_of(table, field).fillna(NONE) for field in fields)
    pairs = one.to_frame("row").join(other.rename("column"))  # several of a row are crossed
    pairs["gain"] = numbers_of(table[f"cost_{metric}"])[pairs.index]
    axes = [
        [
            name
            for name in (*(field.choices or sorted({*values} - {NONE})), NONE)
            if name in {*values}
        ]
        for field, values in zip(fields, (one, other), strict=True)
    ]
    cells = pairs.groupby(["row", "column"])["gain"]
    every = pd.MultiIndex.from_product(axes)
    counts, gains = (
        pd.DataFrame(
            of.reindex(every, fill_value=0).to_numpy().reshape(*map(len, axes)), axes[0], axes[1]
        )
        for of in (cells.size(), cells.sum(skipna=False))
    )
    return Confusion(rows, columns, within, counts, gains)
