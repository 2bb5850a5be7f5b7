"""What stands around the search box: completions, help, and facets."""

import numpy as np

from corescore.analysis.error_table import completion as faceted
from corescore.analysis.error_table.completion import Suggestion, complete
from corescore.analysis.error_table.fields import SYNTAX, Field, fields_in
from corescore.analysis.error_table.query import NONE
from corescore.analysis.errors.classes import MENTION_CLASSES
from corescore.sentences.errors import NO_KIND
from corescore.util import BoolArray
from corescore.wording import count
from dashboard.components.error_list.values import Completion, Facet, HelpEntry, Value
from dashboard.components.passage.mentions import STATUSES
from dashboard.session import analyses
from dashboard.session.caching import cached
from dashboard.session.loaded import BY_CONTENT, System
from dashboard.views.errors import listing

MOST_VALUES = 12  # of a facet
# What the facets are called; those that are not shown at first are told by what they are.
_TITLES = {
    "kind": "Kind of error",
    "class": "Class of the mention",
    "other": "In the other system",
    "type": "Type of the mention",
    "given": "Antecedent given",
    "given.type": "Type of the antecedent given",
    "antecedent.type": "Type of the right antecedent",
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


@cached(max_entries=8, by=BY_CONTENT)
def help_entries(system: System) -> list[HelpEntry]:
    """How a query is written, the keys, what the letters of the list are, and the fields that a
    query may name, with their values."""
    fields = fields_in(list(analyses.every_error(system).columns))
    letters = [(STATUSES[name].letter, f"letter: {name}") for name in MENTION_CLASSES]
    entries = [*SYNTAX, *_KEYS, *letters, *((f"{one.name}:", _told(one)) for one in fields)]
    return [HelpEntry(term, about) for term, about in entries]


def _told(field: Field) -> str:
    values = ", ".join(choice.replace(" ", "-") for choice in field.choices)
    return f"{field.about} ({values})" if values else field.about


# Completions --------------------------------------------------------------------------------------


@cached(max_entries=64, by=BY_CONTENT)
def completions(system: System, typed: str, cursor: int) -> list[Completion]:
    """How what is typed can go on."""
    found = complete(typed, cursor, analyses.every_error(system))
    before, after = typed[: found.start], typed[found.end :]
    return [
        Completion(f"{before}{one.text}{after}", found.start + len(one.text), one.text, _about(one))
        for one in found.suggestions
        if typed[found.start : found.end] != one.text
    ]


def _about(one: Suggestion) -> str:
    if one.count < 0:
        return one.about
    about = "" if one.about == one.text else one.about
    return f"{about} ({count(one.count)})"


# Facets -------------------------------------------------------------------------------------------


@cached(max_entries=32, by=BY_CONTENT)
def facets(system: System, find: str, moved: bool) -> list[Facet]:
    """What the errors that a query finds can be told apart by, with how many there are of each.

    What all errors have in common, such as that none has a tag, tells none apart. Correct mentions
    that a fix only moves count if they are listed (`moved`).
    """
    table = analyses.every_error(system)
    found = faceted.facets(table, listing.mask(system, find) & _listed(system, moved))
    both = zip(found, _all(system, moved), strict=True)
    return [_facet(facet, every, find) for facet, every in both if len(every.counts) > 1]


@cached(max_entries=8, by=BY_CONTENT)
def _all(system: System, moved: bool) -> tuple[faceted.Facet, ...]:
    return faceted.facets(analyses.every_error(system), _listed(system, moved))


def _listed(system: System, moved: bool) -> BoolArray:
    only_moved = listing.only_moved(system)
    return np.ones_like(only_moved) if moved else ~only_moved


def _facet(facet: faceted.Facet, every: faceted.Facet, find: str) -> Facet:
    """The values of a facet; those that the query names come first, also where none is left."""
    name, counts = facet.field.name, dict(facet.counts)
    states = {value: faceted.state(find, name, value) for value, _ in every.counts}
    named = [value for value, state in states.items() if state]
    others = [value for value in counts if not states[value]]
    values = [
        _value(name, value, counts.get(value, 0), states[value], find)
        for value in [*named, *others][: max(MOST_VALUES, len(named))]
    ]
    left = len(named) + len(others) - len(values)
    more = f"and {count(left)} more: type {name}: to search" if left else ""
    return Facet(_TITLES.get(name, name), facet.field.about, name in _OPEN, values, more)


def _value(name: str, value: str, n: int, state: faceted.State, find: str) -> Value:
    undone = faceted.undone(find, name, value) if state else ""
    add = undone if state == "added" else faceted.added(find, name, value)
    exclude = undone if state == "excluded" else faceted.excluded(find, name, value)
    words = NO_KIND if (name, value) == ("kind", NONE) else value
    return Value(words, count(n), state, add, exclude)
