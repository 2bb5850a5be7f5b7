"""What a query may go on with at the cursor: fields, then values of the field with their counts."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from corescore.analysis.error_table.facets import counts_of
from corescore.analysis.error_table.fields import GROUPS, Field, choices_of, field_named, fields_in
from corescore.analysis.error_table.matching import cells_of, numbers_of
from corescore.analysis.error_table.terms import IS, NONE, Kind, Value
from corescore.wording import number

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
