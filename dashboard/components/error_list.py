"""The list of errors with its search box and its facets: the records that its script draws."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from dashboard.components.page import draw


@dataclass(frozen=True)
class Snippet:
    """Some words, and those on either side of them."""

    before: str
    words: str
    after: str


@dataclass(frozen=True)
class Row:
    """An error in the list.

    style, letter, status  how its class is drawn, as in a passage
    given, antecedent      the antecedent that it was given and the one it should have had, their
                           words empty where there is none
    is_given_right         whether the antecedent given is correct, or would be with another span:
    has_given_span_error   whether it would
    number                 its place among all mentions that are found, from 1
    other                  the other system's letter and the class of the mention there; "" if only
                           one system is loaded
    more                   how many more mentions its fix is about; opening it lists them
    is_part                whether it is one of those: its cost is that of the row above
    """

    id: str
    style: str
    letter: str
    status: str
    kind: str
    type: str
    document: str
    mention: Snippet
    given: Snippet
    antecedent: Snippet
    is_given_right: bool
    has_given_span_error: bool
    cost: str
    number: int = 0
    other: str = ""
    more: int = 0
    is_part: bool = False


@dataclass(frozen=True)
class Value:
    """A value of a facet: how many mentions have it, and whether the query asks for it ("added") or
    leaves it out ("excluded"); `add` and `exclude` are the queries that a click leads to;
    `is_part`: whether it is one of the group above it."""

    words: str
    count: str
    state: str
    add: str
    exclude: str
    is_part: bool = False


@dataclass(frozen=True)
class Facet:
    """What errors can be told apart by: what it is called, what it is, and whether its values are
    shown at first; `more` says how many values are not listed."""

    title: str
    about: str
    is_open: bool
    values: list[Value]
    more: str


@dataclass(frozen=True)
class Completion:
    """A way to go on with what is typed: the whole query then, where the cursor stands in it, the
    term, and what it means."""

    query: str
    cursor: int
    term: str
    about: str


@dataclass(frozen=True)
class Problem:
    """What is wrong with a query, and which part of it."""

    says: str
    start: int
    end: int


@dataclass(frozen=True)
class HelpEntry:
    """A term of the query language: an example of it, and what it finds."""

    term: str
    about: str


@dataclass(frozen=True)
class ErrorListing:
    """A window on the errors that a query finds, and what stands around it.

    find, order, row  the query, what the list is sorted by, the row that is open ("" for none)
    saved     the name that the query is saved by ("" for none)
    orders    what it can be sorted by: the value in the URL, and its name
    version   differs where the list does; what was sent of another list is no longer true
    n, first  how many rows there are, and which of them `rows` begins with
    n_mentions  how many mentions are found; a row is of all that its fix is about
    place     the place of the open row, −1 where it is not in the list
    empty     what to do, where nothing is found
    typed     the query that the completions go on with
    taken     the number of the last report that Python has taken over
    """

    find: str
    order: str
    row: str
    saved: str
    orders: list[tuple[str, str]]
    cost_head: str
    version: str
    n: int
    n_mentions: int
    first: int
    rows: list[Row]
    place: int
    empty: str
    facets: list[Facet]
    typed: str
    taken: int
    completions: list[Completion] = field(default_factory=list)
    problem: Problem | None = None
    help: list[HelpEntry] = field(default_factory=list)


_SCRIPTS = ("saved.js", "search.js", "facets.js", "rows.js", "error_list.js")


def show_list(listing: ErrorListing, *, key: str, on_told: Callable[[Any], None]) -> None:
    """Draw the list; `on_told` is called with what was done in it: the query, its name, the order
    and the open row, the first row that is wanted, what is typed and where the cursor is, and the
    number of the report."""
    draw(
        "error_list",
        *(f"error_list/{name}" for name in _SCRIPTS),
        key=key,
        css=["mentions.css", "error_list/error_list.css"],
        data=asdict(listing),
        told=on_told,
    )
