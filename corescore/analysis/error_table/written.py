"""Terms of a query of the error table, written by the program: what a number counts, as a query."""

from corescore.analysis.error_table.fields import FIELDS, Field
from corescore.analysis.error_table.query import parse
from corescore.analysis.error_table.terms import IS, NONE, Kind, Term, Value, all_of

_KINDS: dict[str, Kind] = {"choice": "choice", "truth": "choice", "number": "number"}
_FIELDS = {field.name: field for field in FIELDS}


def term(name: str, *values: str | int | None) -> str:
    """The term that finds the rows in which a field has one of these values; None: has none.

    `term("doc", "a b") == 'doc:"a b"'`, `term("class", "span error") == "class:span-error"`
    """
    field = _FIELDS[name]
    return str(Term(field, IS, tuple(_value(field, value) for value in values)))


def _value(field: Field, value: str | int | None) -> Value:
    if value is None:
        return Value("none", NONE)
    return Value(_KINDS.get(field.holds, "text"), str(value))


def both(*terms: str) -> str:
    """The query that finds the rows that all of these queries find; an empty one finds all rows."""
    return str(all_of(tuple(parse(one).node for one in terms)))
