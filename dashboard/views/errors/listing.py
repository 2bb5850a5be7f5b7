"""The list of errors: what the query finds, in which order, and the rows that are sent."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np
import pandas as pd
import streamlit as st

from corescore.analysis.error_table.notes import NO_NOTES
from corescore.analysis.error_table.query import QueryError, parse
from corescore.analysis.error_table.table import SPANS, contexts, order_of, ordered
from corescore.analysis.errors.classes import CORRECT
from corescore.corpus.problems import PolicyError
from corescore.metrics import CONLL, name_of
from corescore.sentences import errors as sentences
from corescore.util import BoolArray, FloatArray, IntArray
from dashboard.components.error_list.values import Problem, Row, Snippet
from dashboard.components.passage.mentions import STATUSES
from dashboard.session import analyses
from dashboard.session.caching import cached
from dashboard.session.loaded import BY_CONTENT, System
from dashboard.views.errors.asked import FIRST_ORDER

WINDOW = 200  # rows that are sent at once
COST = "cost."
# What the list can be sorted by besides costs.
ORDERS = {
    "text": "place in the text",
    "size": "size of the key entity",
    "distance": "sentences to the antecedent",
    "length": "length of the mention",
    "words": "words of the mention",
}


@dataclass(frozen=True)
class Found:
    """The rows of the error table that a query finds, in order, by their places in it.

    moved    whether correct mentions that a fix only moves are among them
    every    all of them
    hidden   how many correct mentions the query finds that are not among them
    places   those that are listed: one for each fix, and all of the fix that is open
    opened   the number of that fix; −1 for none
    problem  what is wrong with the query; then these are the rows of the last one that was right
    """

    find: str
    order: str
    moved: bool
    every: IntArray
    hidden: int
    places: IntArray
    opened: int = -1
    problem: Problem | None = None


def orders(system: System, order: str) -> list[tuple[str, str]]:
    """What the list can be sorted by, and is sorted by: the name in the URL, and in words."""
    columns = analyses.every_error(system).columns
    costs = [name.replace("cost_", COST) for name in columns if name.startswith("cost_")]
    costs.sort(key=lambda cost: cost != FIRST_ORDER)
    words = {cost: f"cost in {cost_head(cost)}" for cost in costs} | ORDERS
    return [*({order: order} | words).items()] if order not in words else [*words.items()]


def cost_head(order: str) -> str:
    """What stands over the costs."""
    return name_of(metric_of_order(order)).removesuffix(" average")


def metric_of_order(order: str) -> str:
    """The metric in which the costs are shown."""
    return order.removeprefix(COST) if order.startswith(COST) else CONLL.id


def find(system: System, query: str, order: str, row: str, *, moved: bool) -> Found:
    """What a query finds; for one that is wrong what the last one found that was not.

    row    the id of the row that is open: the mentions of its fix are all listed
    moved  whether correct mentions that a fix only moves are listed, too
    """
    at = places_of_ids(system).get(row)
    opened = -1 if at is None else int(fixes(system)[at])
    if (fixes(system) == opened).sum() == 1:
        opened = -1  # nothing more to list
    try:
        order_of(order, analyses.every_error(system))
    except PolicyError:
        order = FIRST_ORDER
    try:
        found = _found(system, query, order, opened, moved)
    except QueryError as error:
        return _last(system, order, opened, moved, _problem(error, query))
    st.session_state["errors_found"] = query
    return found


def _problem(error: QueryError, query: str) -> Problem:
    end = query.find(" ", error.position + 1)
    return Problem(str(error), error.position, end if end > 0 else len(query))


def _last(system: System, order: str, opened: int, moved: bool, problem: Problem) -> Found:
    try:
        last = st.session_state.get("errors_found", "")
        return replace(_found(system, last, order, opened, moved), problem=problem)
    except QueryError:  # the table that it was asked of had other fields
        return replace(_found(system, "", order, opened, moved), problem=problem)


def fixes(system: System) -> IntArray:
    """(errors,) the number of each row's fix."""
    return analyses.fixes(replace(system, notes=NO_NOTES, other=None))


def _found(system: System, query: str, order: str, opened: int, moved: bool) -> Found:
    """Raises QueryError."""
    whole = _places(system, query, order)
    every = whole if moved else whole[~only_moved(system)[whole]]
    places = _listed(fixes(system)[every], every, opened)
    return Found(query, order, moved, every, len(whole) - len(every), places, opened)


def only_moved(system: System) -> BoolArray:
    """(errors,) which mentions are correct: a fix of their entity only moves them."""
    found: BoolArray = (analyses.every_error(system)["class"] == CORRECT).to_numpy()
    return found


def _listed(number: IntArray, every: IntArray, opened: int) -> IntArray:
    """The first row of each fix, and all rows without one of their own; below the first row of the
    fix that is open the others of it."""
    first = np.zeros(len(every), dtype=bool)
    first[np.unique(number, return_index=True)[1]] = True
    first |= number < 0
    head = np.flatnonzero(first & (number == opened))
    if opened < 0 or not len(head):
        return every[first]
    rest = every[~first & (number == opened)]
    return np.insert(every[first], np.full(len(rest), first[: head[0]].sum() + 1), rest)


@cached(max_entries=64, by=BY_CONTENT)
def _places(system: System, query: str, order: str) -> IntArray:
    """Raises QueryError."""
    table = analyses.every_error(system)
    places = np.flatnonzero(mask(system, query))
    return places[ordered(table.iloc[places], order)]


@cached(max_entries=64, by=BY_CONTENT)
def mask(system: System, query: str) -> BoolArray:
    """(errors,) which rows of the error table a query finds. Raises QueryError."""
    return parse(query).matches(analyses.every_error(system))


@cached(max_entries=8, by=BY_CONTENT)
def places_of_ids(system: System) -> dict[str, int]:
    """The places of the rows in the error table by their ids."""
    return {name: at for at, name in enumerate(analyses.every_error(system)["id"].tolist())}


def mention_of(system: System, row: str) -> tuple[str, int, int] | None:
    """Document, start and end of the mention of the row with that id; None if there is none."""
    at = places_of_ids(system).get(row)
    if at is None:
        return None
    document, start, end = analyses.every_error(system).iloc[at][["document", "start", "end"]]
    return str(document), int(start), int(end)


def gains(system: System, found: Found) -> FloatArray:
    """(fixes,) what each fix of the found rows gains alone under the metric of the order, in
    points."""
    column = analyses.every_error(system)[f"cost_{metric_of_order(found.order)}"]
    number = fixes(system)[found.every]
    each = found.every[np.sort(np.unique(number, return_index=True)[1])]
    return column.to_numpy(float)[each[fixes(system)[each] >= 0]]


@cached(max_entries=64, by=BY_CONTENT)
def rows(system: System, find: str, order: str, opened: int, first: int, moved: bool) -> list[Row]:
    """The rows of a list from the first on, WINDOW of them."""
    found = _found(system, find, order, opened, moved)
    metric = metric_of_order(order)
    shown = analyses.every_error(system).iloc[found.places[first : first + WINDOW]]
    drawn = _rows(with_context(system, shown), f"cost_{metric}")
    return [
        replace(row, more=more, is_part=is_part)
        for row, (more, is_part) in zip(drawn, _more(system, found, first, len(drawn)), strict=True)
    ]


def _more(system: System, found: Found, first: int, n: int) -> Iterator[tuple[int, bool]]:
    """Of some of the listed rows: how many more mentions their fix is about that are not listed,
    and whether the row is one of those, listed as its fix is open."""
    number = fixes(system)
    of_fix = np.bincount(number[found.every][number[found.every] >= 0], minlength=1)
    before = set(number[found.places[:first]].tolist())
    for fix in number[found.places[first : first + n]].tolist():
        is_part = fix >= 0 and fix in before
        before.add(fix)
        yield (0 if fix < 0 or fix == found.opened else int(of_fix[fix]) - 1), is_part


def with_context(system: System, rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of the error table with the words around each: of `contexts`."""
    return rows.join(contexts(system.result.comparison, rows))


def _rows(shown: pd.DataFrame, cost: str) -> list[Row]:
    """The rows of the error table, with context, as they are drawn; `cost` is a column of it."""
    snippets = zip(*(_snippets(shown, of) for of in SPANS), strict=True)
    columns = ["id", "class", "kind", "type", "document", "given_right", cost]
    told = zip(*(shown[name].tolist() for name in columns), strict=True)
    return [
        Row(
            id=name,
            style=STATUSES[class_].style,
            letter=STATUSES[class_].letter,
            status=STATUSES[class_].words,
            kind=kind,
            type=type_,
            document=document,
            mention=mention,
            given=given,
            antecedent=antecedent,
            is_given_right=is_right,
            cost=sentences.points(gain),
        )
        for (name, class_, kind, type_, document, is_right, gain), (mention, given, antecedent) in (
            zip(told, snippets, strict=True)
        )
    ]


def _snippets(rows: pd.DataFrame, of: str) -> list[Snippet]:
    parts = (rows[f"{of}_before"], rows[of], rows[f"{of}_after"])
    return [Snippet(*words) for words in zip(*parts, strict=True)]


def version(system: System, found: Found) -> str:
    """What differs where the list does."""
    of = system.stamps, repr(system.result.policies), found.find, found.order
    said = repr(of).encode("utf-8", "surrogatepass")
    return sha256(said + found.places.tobytes()).hexdigest()[:16]  # notes change what is found
