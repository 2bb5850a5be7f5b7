"""What is asked of the list of errors: the query, the order and the row that is open.

It stands in the URL. A page that is entered without it shows what was asked last.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from corescore.analysis.error_table import facets as faceted
from corescore.analysis.error_table.facets import Suggestion, complete
from corescore.analysis.error_table.notes import NO_NOTES
from corescore.analysis.error_table.query import (
    NONE,
    SYNTAX,
    Field,
    QueryError,
    fields_in,
    matching,
    parse,
)
from corescore.analysis.error_table.table import SPANS, contexts, order_of, ordered
from corescore.analysis.errors.classes import CORRECT, MENTION_CLASSES
from corescore.analysis.errors.operations import WRONG_SPLIT_ANTECEDENT
from corescore.corpus.english import TYPES_OF
from corescore.corpus.problems import PolicyError
from corescore.metrics import CONLL, name_of
from corescore.sentences import errors as sentences
from corescore.sentences.errors import NO_KIND
from corescore.util import BoolArray, FloatArray, IntArray
from corescore.wording import count
from dashboard.components.error_list import (
    Completion,
    Facet,
    HelpEntry,
    Problem,
    Row,
    Snippet,
    Value,
)
from dashboard.components.mentions import STATUSES
from dashboard.session import analyses
from dashboard.session.caching import cached
from dashboard.session.loaded import System
from dashboard.session.state import Place, Slot, State, write_url
from dashboard.widgets import selection

FIRST_ORDER = "cost.conll"


@dataclass(frozen=True)
class Asked:
    """find: a query; order: what the list is sorted by; row: the id of the open row, or ""; saved:
    the name that the query is saved by, or ""."""

    find: str = ""
    order: str = FIRST_ORDER
    row: str = ""
    saved: str = ""


NAMES = tuple(asdict(Asked()))


def has_arrived() -> bool:
    """Whether the page was just entered; call it once a run. `asked` then restores what was asked
    last where the URL asks for nothing."""
    _state.errors_arrived, _state.has_arrived = _state.has_arrived, False
    return _state.errors_arrived


def asked(system: System) -> Asked:
    """What the URL asks for; call it once a run. Where the page was just entered, the row of the
    mention that was selected elsewhere is open if it is listed."""
    by_metric = f"{COST}{selection.metric_of_all()}"
    url = {name: st.query_params[name] for name in NAMES if name in st.query_params}
    of_url = Asked(**{"order": by_metric, **url})
    arrived, _state.errors_arrived = _state.errors_arrived, False
    last = _state.errors_asked
    now = last if arrived and not url and last else of_url
    if arrived and not url.get("row"):
        now = replace(now, row=_row_of_selected(system, now.find) or now.row)
    is_metric_new = _state.errors_by_metric not in ("", by_metric)
    if is_metric_new and now.order.startswith(COST) and not (arrived and "order" in url):
        now = replace(now, order=by_metric)
    _state.errors_by_metric = by_metric
    if (arrived or is_metric_new) and now != of_url:
        ask(now)
    _state.errors_asked = now
    return now


def _row_of_selected(system: System, find: str) -> str:
    """The id of the row of the selected mention, if the query finds it and it has an error."""
    document, mention = selection.place()
    if mention is None:
        return ""
    start, end = mention
    table = analyses.every_error(system)
    try:
        here = table[mask(system, find) & ~analyses.only_moved(system)]
    except QueryError:
        return ""
    here = here[here["document"] == document]
    for side in ("", "response_"):
        ids = here["id"][(here[f"{side}start"] == start) & (here[f"{side}end"] == end)]
        if len(ids):
            return str(ids.iloc[0])
    return ""


def last_row() -> str:
    """The row that was open when the list was drawn last."""
    return _state.errors_asked.row if _state.errors_asked else ""


def ask(now: Asked, mention: Place | None = None) -> None:
    """Write what is asked into the URL, and select the mention of the row that is opened.

    All at once, and what is empty, too: the browser's history gets an entry for each change.
    """
    _state.errors_asked = now
    if mention is None:
        write_url(asdict(now))
    else:
        selection.select(*mention, **asdict(now))


# The list of errors: what the query finds, in which order, and the rows that are sent -------------

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


class Scope(NamedTuple):
    """Which rows can be listed.

    moved  whether correct mentions that a fix only moves are listed, too
    only   whether only mentions are listed that the other system has correct
    """

    moved: bool
    only: bool = False


@dataclass(frozen=True)
class Found:
    """The rows of the error table that a query finds, in order, by their places in it.

    every    all of them
    n_moved  how many correct mentions that a fix only moves the query finds
    places   those that are listed: one for each fix, and all of the fix that is open
    opened   the number of that fix; −1 for none
    problem  what is wrong with the query; then these are the rows of the last one that was right
    """

    find: str
    order: str
    scope: Scope
    every: IntArray
    n_moved: int
    places: IntArray
    opened: int = -1
    problem: Problem | None = None


def orders(system: System, order: str) -> list[tuple[str, str]]:
    """What the list can be sorted by, and is sorted by: the name in the URL, and in words."""
    columns = analyses.every_error(system).columns
    costs = [name.replace("cost_", COST) for name in columns if name.startswith("cost_")]
    costs.sort(key=lambda cost: cost != FIRST_ORDER)
    words = {cost: f"cost in {cost_head(cost)}" for cost in costs} | ORDERS
    label = "at random" if is_random(order) else order
    return [*({order: label} | words).items()] if order not in words else [*words.items()]


FEW = 3  # fixes that are listed at random


def is_random(order: str) -> bool:
    """Whether only a few fixes are listed, drawn by the seed in the order: "random-7"."""
    return re.fullmatch(r"random-\d{1,9}", order) is not None


def cost_head(order: str) -> str:
    """What stands over the costs."""
    return name_of(metric_of_order(order))


def metric_of_order(order: str) -> str:
    """The metric in which the costs are shown."""
    return order.removeprefix(COST) if order.startswith(COST) else CONLL.id


def find(system: System, query: str, order: str, row: str, scope: Scope) -> Found:
    """What a query finds; for one that is wrong what the last one found that was not.

    row  the id of the row that is open: the mentions of its fix are all listed
    """
    place = places_of_ids(system).get(row)
    opened = -1 if place is None else int(fixes(system)[place])
    if (fixes(system) == opened).sum() == 1:
        opened = -1  # nothing more to list
    try:
        if not is_random(order):
            order_of(order, analyses.every_error(system))
    except PolicyError:
        order = FIRST_ORDER
    try:
        rows_found = _found(system, query, order, opened, scope)
    except QueryError as error:
        end = query.find(" ", error.position + 1)
        problem = Problem(str(error), error.position, end if end > 0 else len(query))
        try:
            rows_found = _found(system, _state.errors_found, order, opened, scope)
        except QueryError:  # the table that it was asked of had other fields
            rows_found = _found(system, "", order, opened, scope)
        return replace(rows_found, problem=problem)
    _state.errors_found = query
    return rows_found


def fixes(system: System) -> IntArray:
    """(errors,) the number of each row's fix."""
    return analyses.fixes(replace(system, notes=NO_NOTES, other=None))


def _found(system: System, query: str, order: str, opened: int, scope: Scope) -> Found:
    """Raises QueryError."""
    whole = _places_found(system, query, order)
    whole = whole[_in_scope(system, scope._replace(moved=True))[whole]]
    only_moved = analyses.only_moved(system)[whole]
    every, number = (whole if scope.moved else whole[~only_moved]), fixes(system)
    among = every
    if is_random(order):
        few = _listed(number[every], every, -1)[:FEW]
        opened = opened if opened in number[few] else -1
        among = every[np.isin(every, few) | ((number[every] == opened) & (opened >= 0))]
    places = _listed(number[among], among, opened)
    return Found(query, order, scope, every, int(only_moved.sum()), places, opened)


def _in_scope(system: System, scope: Scope) -> BoolArray:
    """(errors,) which rows can be listed at all."""
    only_moved = analyses.only_moved(system)
    inside = np.ones_like(only_moved) if scope.moved else ~only_moved
    if scope.only:
        table = analyses.every_error(system)
        inside &= (table["other"] == CORRECT).to_numpy(bool) if "other" in table else False
    return inside


# What stands around the search box: completions, help, and facets ---------------------------------


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


@cached(64)
def _places_found(system: System, query: str, order: str) -> IntArray:
    """Raises QueryError."""
    table = analyses.every_error(system)
    places = np.flatnonzero(mask(system, query))
    if is_random(order):
        return np.random.default_rng(int(order.partition("-")[2])).permutation(places)
    return places[ordered(table.iloc[places], order)]


@cached(64)
def mask(system: System, query: str) -> BoolArray:
    """(errors,) which rows of the error table a query finds. Raises QueryError."""
    return matching(parse(query), analyses.every_error(system))


@cached(8)
def places_of_ids(system: System) -> dict[str, int]:
    """The places of the rows in the error table by their ids."""
    return {name: at for at, name in enumerate(analyses.every_error(system)["id"].tolist())}


def mention_of(system: System, row: str) -> Place | None:
    """The mention of the row with that id, or None: as the key has it, or the response if it has
    another span and that one is selected."""
    place = places_of_ids(system).get(row)
    if place is None:
        return None
    of_row = analyses.every_error(system).iloc[place]
    document = str(of_row["document"])
    if pd.notna(of_row["response_start"]):
        span = int(of_row["response_start"]), int(of_row["response_end"])
        if selection.place() == (document, span):
            return selection.place()
    return Place(document, selection.span_of(of_row))


def gains(system: System, rows_found: Found) -> FloatArray:
    """(fixes,) what each fix of the found rows gains alone under the metric of the order, in
    points; NaN for wrong split antecedents where nothing else is found."""
    every = analyses.every_error(system)
    column = every[f"cost_{metric_of_order(rows_found.order)}"]
    number = fixes(system)[rows_found.every]
    each = rows_found.every[np.sort(np.unique(number, return_index=True)[1])]
    own = each[fixes(system)[each] >= 0]
    of_set = (every["kind"].iloc[rows_found.every] == WRONG_SPLIT_ANTECEDENT).sum()
    return column.to_numpy(float)[own] if len(own) else np.full(of_set, np.nan)


@cached(64, by={Found: lambda found: (found.find, found.order, found.opened, found.scope)})
def rows(system: System, rows_found: Found, first: int) -> list[Row]:
    """The rows of a list from the first on, WINDOW of them."""
    metric = metric_of_order(rows_found.order)
    shown = analyses.every_error(system).iloc[rows_found.places[first : first + WINDOW]]
    drawn = _rows(system, with_context(system, shown), f"cost_{metric}")
    return [
        replace(row, number=number, more=more, is_part=is_part)
        for row, (number, more, is_part) in zip(
            drawn, _more(system, rows_found, first, len(drawn)), strict=True
        )
    ]


def _more(system: System, rows_found: Found, first: int, n: int) -> Iterator[tuple[int, int, bool]]:
    """Of some of the listed rows: the number of their mention among all that are found, how many
    more mentions their fix is about that are not listed, and whether the row is one of those,
    listed as its fix is open."""
    number = fixes(system)
    of_fix = np.bincount(number[rows_found.every][number[rows_found.every] >= 0], minlength=1)
    listed = number[rows_found.places]
    more = np.where(
        (listed < 0) | (listed == rows_found.opened), 0, np.append(of_fix, 1)[listed] - 1
    )
    places = np.cumsum(more + 1) - more
    before = set(listed[:first].tolist())
    for at in range(first, first + n):
        fix = int(listed[at])
        is_part = fix >= 0 and fix in before
        before.add(fix)
        yield int(places[at]), int(more[at]), is_part


def with_context(system: System, rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of the error table with the words around each: of `contexts`."""
    return rows.join(contexts(system.result.comparison, rows))


NOT_THERE = "does not have it"


def in_other(system: System, rows: pd.DataFrame) -> list[str]:
    """What the system beside it makes of the mention of each row; "" if there is none."""
    if system.other is None or "other" not in rows:
        return [""] * len(rows)
    classes = rows["other"].astype(object).where(rows["other"].notna(), NOT_THERE)
    return [f"{system.other.letter}: {words}" for words in classes]


def _rows(system: System, shown: pd.DataFrame, cost: str) -> list[Row]:
    """The rows of the error table, with context, as they are drawn; `cost` is a column of it."""
    right = shown["given_right"] & (shown["kind"] != WRONG_SPLIT_ANTECEDENT)
    snippets = zip(*(_snippets(shown, of) for of in SPANS), strict=True)
    columns = ["id", "class", "kind", "type", "document", cost]
    given = right.tolist(), shown["given_span_error"].tolist(), in_other(system, shown)
    cells = zip(*(shown[name].tolist() for name in columns), *given, strict=True)
    return [
        Row(
            name,
            *STATUSES[class_],
            kind,
            type_,
            document,
            mention,
            given,
            antecedent,
            is_right,
            is_off,
            sentences.points(gain),
            other=other,
        )
        for (
            (name, class_, kind, type_, document, gain, is_right, is_off, other),
            (mention, given, antecedent),
        ) in zip(cells, snippets, strict=True)
    ]


def _snippets(rows: pd.DataFrame, column: str) -> list[Snippet]:
    """The words of a mention of each row; of antecedents, where nothing is wrong but what several
    a plural refers to, what these are called."""
    parts = (rows[f"{column}_before"], rows[column], rows[f"{column}_after"])
    snippets = [Snippet(*words) for words in zip(*parts, strict=True)]
    if f"{column}_split" not in rows:
        return snippets
    drawn = zip(snippets, rows["kind"], rows[f"{column}_split"], strict=True)
    return [
        Snippet("", names, "") if kind == WRONG_SPLIT_ANTECEDENT else snippet
        for snippet, kind, names in drawn
    ]


def list_version(system: System, rows_found: Found) -> str:
    """What differs where the list does."""
    made_of = system.stamps, repr(system.result.policies), rows_found.find, rows_found.order
    content = repr(made_of).encode("utf-8", "surrogatepass")
    return sha256(content + rows_found.places.tobytes()).hexdigest()[
        :16
    ]  # notes change what is found


MOST_VALUES = 12  # of a facet

# What the facets are called; those that are not shown at first are told by what they are.
_TITLES = {
    "kind": "Kind of error",
    "class": "Class of the mention",
    "other": "In the other system",
    "type": "Type of the mention",
    "given": "Antecedent given",
    "given.type": "Type of the antecedent given",
    "antecedent.type": "Type of the correct antecedent",
    "match": "Match with the antecedent",
    "nested": "Inside another mention",
    "quotation": "In quotation marks",
    "guessed": "Type guessed",
    "genre": "Genre",
    "doc": "Document",
    "tag": "Tag",
}

_KEYS = (
    ("n, p", "key: opens the next or the previous error"),
    ("Enter, Esc", "key: opens the error that is marked, closes the one that is open"),
    ("/", "key: goes to the search box"),
)

_OPEN = ("kind", "class", "type", "given", "tag")


@cached(8)
def help_entries(system: System) -> list[HelpEntry]:
    """How a query is written, the keys, what the letters of the list are, and the fields that a
    query may name, with their values."""
    fields = fields_in(analyses.every_error(system))
    letters = [(STATUSES[name].letter, f"letter: {name}") for name in MENTION_CLASSES]
    entries = [*SYNTAX, *_KEYS, *letters, *((f"{one.name}:", _meaning(one)) for one in fields)]
    return [HelpEntry(term, about) for term, about in entries]


def _meaning(field: Field) -> str:
    values = ", ".join(choice.replace(" ", "-") for choice in field.choices)
    return f"{field.about} ({values})" if values else field.about


# Completions --------------------------------------------------------------------------------------


@cached(64)
def completions(system: System, typed: str, cursor: int) -> list[Completion]:
    """How what is typed can go on."""
    completed = complete(typed, cursor, analyses.every_error(system))
    before, after = typed[: completed.start], typed[completed.end :]
    return [
        Completion(
            f"{before}{one.text}{after}", completed.start + len(one.text), one.text, _about(one)
        )
        for one in completed.suggestions
        if typed[completed.start : completed.end] != one.text
    ]


def _about(one: Suggestion) -> str:
    if one.count < 0:
        return one.about
    about = "" if one.about == one.text else one.about
    return f"{about} ({count(one.count)})"


# Facets -------------------------------------------------------------------------------------------


@cached(32)
def facets(system: System, find: str, scope: Scope) -> list[Facet]:
    """What the errors that a query finds can be told apart by, with how many there are of each;
    beside a value that the query asks for, its siblings keep theirs.

    What all errors have in common, such as that none has a tag, tells none apart. Correct mentions
    that a fix only moves count if they are listed.
    """
    table, listed = analyses.every_error(system), _in_scope(system, scope)
    shown = []
    for every in _all(system, scope):
        if len(every.counts) > 1:
            name = every.field.name
            mentions = mask(system, faceted.freed(find, name)) & listed
            (facet,) = faceted.facets(table[mentions], names=[name])
            shown.append(_facet(facet, every, find))
    return shown


@cached(8)
def _all(system: System, scope: Scope) -> tuple[faceted.Facet, ...]:
    return faceted.facets(analyses.every_error(system)[_in_scope(system, scope)])


def _facet(facet: faceted.Facet, every: faceted.Facet, find: str) -> Facet:
    """The values of a facet, in an order that no selection changes: all that the query names, also
    where none is left, and of the others the most frequent. Types come in groups."""
    name, counts = facet.field.name, dict(facet.counts)
    every_value = [value for value, _ in every.counts]
    of_group = {
        group: [value for value in TYPES_OF[group] if value in every_value]
        for group in (TYPES_OF if name.endswith("type") else ())
    }
    several = {group: values for group, values in of_group.items() if len(values) > 1}
    grouped = {value for values in several.values() for value in values}
    shown = [value for group, values in several.items() for value in (group, *values)]
    shown += [value for value in every_value if value not in grouped]
    states = {value: faceted.state(find, name, value) for value in shown}
    room = max(0, MOST_VALUES - sum(map(bool, states.values())))
    others = [value for value in every_value if value not in grouped and not states[value]]
    left = set() if several else {*others[room:]}
    values = [
        _value(
            name,
            value,
            sum(counts.get(one, 0) for one in several.get(value, [value])),
            states[value],
            find,
            is_part=value in grouped,
        )
        for value in shown
        if value not in left
    ]
    more = f"and {count(len(left))} more: type {name}: to search" if left else ""
    return Facet(_TITLES.get(name, name), facet.field.about, name in _OPEN, values, more)


def _value(
    name: str, value: str, n: int, state: faceted.State, find: str, *, is_part: bool
) -> Value:
    undone = faceted.changed(find, name, value, "") if state else ""
    add = undone if state == "added" else faceted.changed(find, name, value, "added")
    exclude = undone if state == "excluded" else faceted.changed(find, name, value, "excluded")
    words = NO_KIND if (name, value) == ("kind", NONE) else value
    return Value(words, count(n), state, add, exclude, is_part)


# What the list of errors reports: what is asked of it, which rows it wants, what is typed ---------

LIST = "error_list"


@dataclass(frozen=True)
class Report:
    """Besides what is asked: the first row that is wanted of the list of that version, what stands
    in the search box and where its cursor is, and the report's number."""

    first: int = 0
    version: str = ""
    typed: str = ""
    cursor: int = 0
    number: int = 0


class _State(State):
    """What was asked and reported last, and which query could be read; whether the page was just
    entered, and the order that the metric of all pages gives."""

    errors_asked = Slot[Asked | None](None)
    errors_report = Slot(Report())
    errors_found = Slot("")
    errors_arrived = Slot(False)
    errors_by_metric = Slot("")


_state = _State()


def last_report() -> Report:
    """What was reported last."""
    return _state.errors_report


def take(system: System, scope: Scope, sent: Mapping[str, Any] | None) -> None:
    """Take over what the list reports."""
    if sent is None:
        return
    report = Report(**{name: sent[name] for name in Report.__dataclass_fields__})
    _state.errors_report = report
    now = Asked(**{name: sent[name] for name in NAMES})
    if not now.row and sent["at"] >= 0:
        now = replace(now, row=_id_of(system, now, sent["at"], report.version, scope))
    ask(now, mention_of(system, now.row))


def _id_of(system: System, now: Asked, place: int, version: str, scope: Scope) -> str:
    """The id of a row that the browser knows only by its place in the list of that version."""
    rows_found = find(system, now.find, now.order, last_row(), scope)
    if list_version(system, rows_found) != version or place >= len(rows_found.places):
        return ""
    return str(analyses.every_error(system)["id"].iloc[rows_found.places[place]])
