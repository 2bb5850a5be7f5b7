"""The query of the error table: the fields that it names, text → what it says, and the rows that it
finds. One record of a field feeds parsing, help, completion and facets."""

import operator
import re
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from dataclasses import field as setting
from difflib import get_close_matches
from functools import reduce
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from corescore.analysis.errors.classes import CORRECT, MENTION_CLASSES
from corescore.analysis.errors.operations import ERROR_KINDS
from corescore.corpus.english import FINE_TYPES, TYPES_OF
from corescore.corpus.problems import PolicyError
from corescore.metrics import CONLL, METRICS
from corescore.util import WHOLE, AnyArray, BoolArray, FloatArray, read_toml

MATCHES = ("exact", "head", "none")
COST = "cost."


@dataclass(frozen=True)
class Field:
    """What a query calls a field, and where the error table has it.

    name     as it is written: "type", "antecedent.type"
    column   of the table
    holds    "choice": one of `choices`; "name": compared as a whole (a document, a tag);
             "words": a value's words may stand anywhere in it; "number"; "truth": True and False
             are called `choices[0]` and `choices[1]`
    about    what it is, for the help
    is_list  whether a cell has several values, joined by ", "
    absent   the column that is missing where there is no value; else the field's own, or "" in it
    more     other columns in which a value may stand
    also     a column that is searched for words besides, where a table has it
    needs    what brings the field into a table without it, as advice; "" if that is no option
    """

    name: str
    column: str
    holds: Literal["choice", "name", "words", "number", "truth"]
    about: str
    choices: tuple[str, ...] = ()
    is_list: bool = False
    absent: str = ""
    more: tuple[str, ...] = ()
    also: str = ""
    needs: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.column, *self.more)


def _cost(metric: str, about: str) -> Field:
    about = f"points of F1 that the fix gains: {about}"
    return Field(f"{COST}{metric}", f"cost_{metric}", "number", about)


_CHOICES = {"kind": ERROR_KINDS, "class": MENTION_CLASSES, "type": FINE_TYPES}


def _field_of(
    name: str, column: str = "", choices: Any = (), more: Any = (), **entry: Any
) -> Field:
    choices = _CHOICES[choices] if isinstance(choices, str) else tuple(choices)
    return Field(name, column or name, choices=choices, more=tuple(more), **entry)


_DATA = read_toml("analysis/error_table/fields.toml")

# How a query is written, for the help: an example and what it finds
SYNTAX = tuple((one["example"], one["finds"]) for one in _DATA["syntax"])

FIELDS = (
    *(_field_of(name, **entry) for name, entry in _DATA["fields"].items()),
    *(_cost(metric.id, metric.title) for metric in METRICS),
    _cost(CONLL.id, CONLL.title),
)
WORDS = FIELDS[0]
_FIELDS = {field.name: field for field in FIELDS}

# What a choice is also called: several choices under one word
GROUPS = {
    **{name: types for name, types in TYPES_OF.items() if name not in FINE_TYPES},
    "wrong": tuple(name for name in MENTION_CLASSES if name != CORRECT),
    "true": ("yes",),
    "false": ("no",),
}
_OTHER_NAMES = {"merged": "conflated", "spurious": "extra"}  # of kinds, on other pages
_LATER_WORDS = {word for field in FIELDS for choice in field.choices for word in choice.split()[1:]}


def field_named(name: str) -> Field | None:
    """The field of this name, in any case; a cost of any metric is one."""
    plain = name.lower()
    if plain in _FIELDS:
        return _FIELDS[plain]
    metric = plain.removeprefix(COST)
    return _cost(metric, metric) if metric and metric != plain else None


def fields_in(frame: pd.DataFrame) -> tuple[Field, ...]:
    """The fields that a table has, the costs of its own metrics last."""
    columns = [*map(str, frame)]
    others = [name.removeprefix("cost_") for name in columns if name.startswith("cost_")]
    known = [field for field in FIELDS if set(field.columns) <= set(columns)]
    names = {field.name for field in known}
    return (*known, *(_cost(name, name) for name in others if f"{COST}{name}" not in names))


def choices_of(field: Field, value: str) -> tuple[str, ...]:
    """The choices of the field that a value means: the one it names in full, those of a group that
    are all of this field, or those that have its words, with hyphens for blanks or without:
    "divided" is "divided entity"."""
    words = value.lower().replace("-", " ").split()
    plain = " ".join(words)
    if plain in field.choices:
        return (plain,)
    plain = _OTHER_NAMES.get(plain, plain)
    if group := GROUPS.get(plain):
        return group if set(group) <= set(field.choices) else ()
    return tuple(choice for choice in field.choices if plain and f" {plain} " in f" {choice} ")


def _named_choices(field: Field) -> tuple[str, ...]:
    """The names of groups of its choices, then the choices."""
    groups = (name for name, of in GROUPS.items() if of[1:] and {*of} <= {*field.choices})
    return (*groups, *field.choices)


def nearest(value: str, known: Collection[str]) -> str:
    """The known text that is most like this one; "" if none is."""
    similar = get_close_matches(value.lower(), known, n=1, cutoff=0.5)
    return similar[0] if similar else ""


# What a query says, as values: terms, and how they hold together ----------------------------------
# `str` writes each as text that is parsed to the same.

IS, NONE = ":", "none"

# What is parsed to itself without quotation marks: as a value of a field, and alone
_PLAIN_VALUE = re.compile(r'(?!none$)[^\s()",*/][^\s()",*]*', re.IGNORECASE)

_PLAIN_WORD = re.compile(r'(?!(?:and|or|not)$)[^\s()"*/:<>=≤≥-][^\s()"*:<>=≤≥]*', re.IGNORECASE)

Kind = Literal["text", "pattern", "regex", "number", "choice", "none"]


class QueryError(PolicyError):
    """A query that cannot be parsed, or asks for what a table does not have; told in one line.

    position  the character, from 0, at which it goes wrong
    """

    def __init__(self, position: int, fault: str, expected: str, advice: str = "") -> None:
        super().__init__(position, fault, expected, advice)
        self.position = position

    def __str__(self) -> str:
        position, fault, expected, advice = self.args
        place = f"query, character {position + 1}"
        return f"{place}: {fault}; expected {expected}. {advice}".rstrip()


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a term, as `text`: words or a name; a pattern with `*`; a regular expression, as
    between the slashes; a number; a choice in full, or a word that several choices share; none."""

    kind: Kind
    text: str

    def __str__(self) -> str:
        match self.kind:
            case "regex":
                return f"/{self.text}/"
            case "choice":
                return self.text.replace(" ", "-")
            case "text" if not _PLAIN_VALUE.fullmatch(self.text):
                return _quoted(self.text)
        return self.text


@dataclass(frozen=True, slots=True)
class Term:
    """A field with the values that it may have, or with a number that it is compared with.

    position  in the text, in which two terms may differ and still be equal
    """

    field: Field
    operator: str
    values: tuple[Value, ...]
    position: int = setting(default=0, compare=False)

    def __str__(self) -> str:
        value = self.values[0]
        if self.field is WORDS and len(self.values) == 1:  # without the name where it is parsed so
            text = value.text.replace("*", "x") if value.kind == "pattern" else value.text
            is_plain = _PLAIN_WORD.fullmatch(text) is not None
            if value.kind == "text":  # "missing entity" is refused without quotation marks
                is_plain = is_plain and text.lower() not in _LATER_WORDS
                return text if is_plain else _quoted(text)
            # With a comma it was parsed where it stood alone: in a list it would be two
            if value.kind == "regex" or (value.kind == "pattern" and (is_plain or "," in text)):
                return str(value)
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
    return _flattened(All, nodes)


def either_of(nodes: tuple[Node, ...]) -> Node:
    """Nodes of which one holds, brackets that change nothing left out; a single one as it is."""
    return _flattened(Either, nodes)


def _flattened(kind: type[All] | type[Either], nodes: tuple[Node, ...]) -> Node:
    flat = tuple(part for one in nodes for part in (one.nodes if isinstance(one, kind) else (one,)))
    return flat[0] if len(flat) == 1 else kind(flat)


def _quoted(text: str) -> str:
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


# The rows of an error table that a query finds, column by column ----------------------------------
# Names and choices are compared once for each distinct value; words are searched by Arrow's RE2,
# which takes time in proportion to the text whatever the expression, and knows no backtracking.

SECONDS = 2.0  # that one search may take

_ROWS = 4096  # searched between two looks at the clock

_COMPARE: dict[str, Callable[[FloatArray, float], BoolArray]] = {
    ">": lambda values, number: values > number + WHOLE,
    ">=": lambda values, number: values >= number - WHOLE,
    "<": lambda values, number: values < number - WHOLE,
    "<=": lambda values, number: values <= number + WHOLE,
    IS: lambda values, number: np.abs(values - number) <= WHOLE,
}


def matching(node: Node, frame: pd.DataFrame) -> BoolArray:
    """(rows,) whether a query holds for each row of an error table.

    Raises QueryError for a field that the table lacks and for a regular expression that takes too
    long.
    """
    match node:
        case Term():
            return _term(node, frame)
        case Not(inner):
            return ~matching(inner, frame)
        case All(nodes):
            parts = (matching(one, frame) for one in nodes)
            return reduce(operator.and_, parts, np.ones(len(frame), dtype=bool))
        case Either(nodes):
            return reduce(operator.or_, (matching(one, frame) for one in nodes))


def _term(term: Term, frame: pd.DataFrame) -> BoolArray:
    field, is_none = term.field, any(value.kind == NONE for value in term.values)
    if not set(field.columns) <= set(frame.columns):
        near = nearest(field.name, [one.name for one in fields_in(frame)])
        advice = field.needs or (f'The nearest that it has is "{near}".' if near else "")
        problem = f"{field.name}, which this table does not have"
        raise QueryError(term.position, problem, "another field", advice)
    if field.holds == "words":
        return _has_words(term, frame) | (_without_words(field, frame) & is_none)
    if field.holds == "number":
        numbers, compare = numbers_of(frame[field.column]), _COMPARE[term.operator]
        wanted = [compare(numbers, float(v.text)) for v in term.values if v.kind != NONE]
        return reduce(operator.or_, wanted, np.isnan(numbers) & is_none)
    values = values_of(frame, field)
    holds = values.isin(_wanted(term, values.dropna().unique())) | (values.isna() & is_none)
    return np.asarray(holds.groupby(level=0).any() if field.is_list else holds)


def numbers_of(column: "pd.Series[float]") -> FloatArray:
    """The values of a column of numbers or truth values; NaN if there is none."""
    return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))


def values_of(frame: pd.DataFrame, field: Field) -> "pd.Series[str]":
    """The values of a field that holds choices, names or truth values, by the positions of their
    rows; NaN if there is none. A row with several values has several."""
    column = frame[field.column]
    if field.holds == "truth":
        texts = np.where(column, *field.choices).astype(object)
    else:
        texts = column.astype(object).to_numpy()
    values = pd.Series(texts, dtype=object)
    values = values.mask(frame[field.absent].isna().to_numpy() if field.absent else values == "")
    return values.str.split(", ").explode() if field.is_list else values


def _wanted(term: Term, known: AnyArray) -> set[str]:
    """The values that a term means, of those that are known."""
    wanted = set[str]()
    for value in term.values:
        if value.kind == "choice":
            wanted |= {*choices_of(term.field, value.text)}
        elif value.kind == NONE or (value.kind == "text" and value.text in known):
            wanted.add(value.text)
        else:
            whole = f"(?i)^{_as_regex(value, '(?s:.*)')}$"
            expression = value.text if value.kind == "regex" else whole
            wanted |= {*known[_fits(known, expression, term.position)]}
    return wanted


def _has_words(term: Term, frame: pd.DataFrame) -> BoolArray:
    """(rows,) whether a value is found in one of the field's columns."""
    regexes = [value.text for value in term.values if value.kind == "regex"]
    named = [_as_regex(v, "[^ ]*") for v in term.values if v.kind in ("text", "pattern")]
    words = [f"(?i)(?:^| )(?:{'|'.join(named)})(?: |$)"] if named else []
    searches = [(name, one) for name in term.field.columns for one in (*regexes, *words)]
    if term.field.also in frame.columns:
        searches += [(term.field.also, one) for one in words]
    fits = (_fits(frame[name], expression, term.position) for name, expression in searches)
    return reduce(operator.or_, fits, np.zeros(len(frame), dtype=bool))


def _without_words(field: Field, frame: pd.DataFrame) -> BoolArray:
    """(rows,) whether none of a field's columns has words."""
    if field.absent:
        return frame[field.absent].isna().to_numpy()
    columns = frame[[*field.columns]]
    return (columns.isna() | (columns == "")).all(axis=1).to_numpy(dtype=bool)


def _fits(texts: "AnyArray | pd.Series[str]", expression: str, position: int) -> BoolArray:
    """(texts,) whether the expression is found in each text."""
    until, fits = time.monotonic() + SECONDS, [np.zeros(0, dtype=bool)]
    every = pa.array(texts, pa.large_string(), from_pandas=True)
    for first in range(0, len(every), _ROWS):
        if time.monotonic() > until:
            problem = f"a search of more than {SECONDS:.0f} seconds"
            raise QueryError(position, problem, "a shorter or simpler one")
        part = pc.match_substring_regex(every.slice(first, _ROWS), pattern=expression)
        fits.append(np.asarray(part.fill_null(False), dtype=bool))
    return np.concatenate(fits)


def _as_regex(value: Value, anything: str) -> str:
    """The expression for a text, or for a pattern in which `*` stands for `anything`."""
    parts = value.text.split("*") if value.kind == "pattern" else [value.text]
    return anything.join(map(re.escape, parts))


# Text → what it says ------------------------------------------------------------------------------

MOST_VALUES = 200  # each may look at every row

DEEPEST = 50

_END_OF_WORD = r'(?![^\s()"])'
_BLANKS = re.compile(r"\s*")
_OPEN, _CLOSE = re.compile(r"\("), re.compile(r"\s*\)")
_OR, _AND, _NOT = (
    re.compile(form + _END_OF_WORD, re.IGNORECASE) for form in (r"\s*or", r"\s*and", "not")
)
_STOP = re.compile(rf"\s*(?:\Z|\)|or{_END_OF_WORD})", re.IGNORECASE)
_NO_TERM = re.compile(rf"\Z|\)|(?:and|or){_END_OF_WORD}", re.IGNORECASE)
_MINUS, _COMMA = re.compile("-"), re.compile(",")
_NAME = re.compile(r"([A-Za-z][\w.-]*)(:|\s*(?:>=|<=|≥|≤|>|<|=)\s*)")
_WORD, _PLAIN = re.compile(r'[^\s()"]+'), re.compile(r'[^\s()",]+')
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_REGEX = re.compile(r"/((?:[^/\\]|\\.)*)/", re.DOTALL)
_NUMBER = re.compile(r"[-+−]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,2})?")
_OPERATORS = {"=": IS, "≥": ">=", "≤": "<="}


def parse(text: str) -> Node:
    """What a query says; an empty one finds all rows.

    SYNTAX shows how it is written, FIELDS what it may name. Raises QueryError.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise QueryError(error.start, "half a character", "Unicode text") from None
    parser = _Parser(text)
    parser.take(_BLANKS)
    if parser.position == len(text):
        return All(())
    node = parser.either(0)
    parser.take(_BLANKS)
    if parser.position < len(text):
        raise QueryError(parser.position, '")" without its "("', "no bracket or both")
    return node


class _Parser:
    """A text, and the position up to which it has been parsed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.n_values = 0

    def take(self, form: re.Pattern[str]) -> re.Match[str] | None:
        """What is next, if it has this form."""
        match = form.match(self.text, self.position)
        self.position = match.end() if match else self.position
        return match

    def either(self, depth: int) -> Node:
        nodes = [self._all(depth)]
        while self.take(_OR):
            nodes.append(self._all(depth))
        return either_of(tuple(nodes))

    def _all(self, depth: int) -> Node:
        nodes = [self._one(depth)]
        while not _STOP.match(self.text, self.position):
            self.take(_AND)
            nodes.append(self._one(depth))
        return all_of(tuple(nodes))

    def _one(self, depth: int) -> Node:
        self.take(_BLANKS)
        if depth > DEEPEST:
            raise QueryError(self.position, f"more than {DEEPEST} brackets or signs", "fewer")
        if self.take(_NOT) or self.take(_MINUS):
            return not_of(self._one(depth + 1))
        opened = self.position
        if self.take(_OPEN):
            node = self.either(depth + 1)
            if not self.take(_CLOSE):
                raise QueryError(opened, '"(" without its ")"', "both brackets")
            return node
        if match := self.take(_NO_TERM):
            problem = f'"{match[0]}"' if match[0] else "the end of the query"
            raise QueryError(opened, problem, "a term")
        named = self.take(_NAME)
        if not named:
            return Term(WORDS, IS, (self._value(WORDS, IS, _WORD),), opened)
        field, sign = _field(named[1], opened), named[2].strip()
        sign = _OPERATORS.get(sign, sign)
        if sign != IS and field.holds != "number":
            advice = f'Write "{field.name}:" and a value.'
            raise QueryError(
                self.position - 1, f"{field.name} compared", "a field of numbers", advice
            )
        values = [self._value(field, sign)]
        while sign == IS and self.take(_COMMA):
            values.append(self._value(field, sign))
        return Term(field, sign, tuple(values), opened)

    def _value(self, field: Field, sign: str, plain: re.Pattern[str] = _PLAIN) -> Value:
        start, mark = self.position, self.text[self.position : self.position + 1]
        self.n_values += 1
        if self.n_values > MOST_VALUES:
            raise QueryError(start, f"more than {MOST_VALUES} values", "fewer")
        if mark == "/":
            return self._regex(field)
        if mark == '"':
            quoted = self.take(_QUOTED)
            if not quoted:
                raise QueryError(start, "a quotation mark without its second one", "both")
            return _meant(field, re.sub(r"\\(.)", r"\1", quoted[1], flags=re.DOTALL), start)
        match = self.take(plain)
        if not match:
            advice = "It follows without a space." if mark.isspace() else ""
            raise QueryError(start, f"no value for {field.name}", _expected(field), advice)
        for choice in field.choices:
            if " " in choice and re.match(rf"{choice}\b", self.text[start:], re.IGNORECASE):
                advice = f"Write {field.name}:{choice.replace(' ', '-')}."
                raise QueryError(start, f'"{choice}" with a space', "a hyphen", advice)
        text = match[0]
        if plain is _PLAIN and text.lower() == NONE:
            if sign != IS:
                raise QueryError(start, '"none" compared', "a number")
            return Value("none", NONE)
        if "*" in text and field.holds in ("words", "name"):
            return Value("pattern", text)
        return _meant(field, text, start)

    def _regex(self, field: Field) -> Value:
        start = self.position
        if field.holds not in ("words", "name"):
            raise QueryError(start, f"a regular expression for {field.name}", _expected(field))
        match = self.take(_REGEX)
        if not match:
            raise QueryError(start, "a slash without its second one", "both")
        after = self.text[self.position : self.position + 1]
        if after and after not in "()," and not after.isspace():
            advice = 'Text with "/" goes in quotation marks.'
            raise QueryError(self.position, f'"{after}" after "/"', "a space", advice)
        try:
            pc.match_substring_regex(pa.array([""]), pattern=match[1])
        except pa.ArrowInvalid as error:
            reason = str(error).removeprefix("Invalid regular expression: ").partition(": ")[0]
            problem = f"{match[0]}, in which RE2 finds: {reason}"
            raise QueryError(start, problem, "a regular expression of RE2") from None
        return Value("regex", match[1])


def _field(name: str, position: int) -> Field:
    field = field_named(name)
    if field:
        return field
    near = nearest(name, [field.name for field in FIELDS])
    meant = f'Did you mean "{near}"?' if near else "Text with such a sign goes in quotation marks."
    raise QueryError(position, f'"{name}" as a field', "a field such as type, kind or doc", meant)


def _meant(field: Field, text: str, position: int) -> Value:
    """What a text means as a value of the field. QueryError if nothing."""
    if field.holds in ("choice", "truth"):
        return _choice(field, text, position)
    if field.holds == "number":
        if not _NUMBER.fullmatch(text):
            raise QueryError(position, f'"{text}"', _expected(field))
        return Value("number", repr(float(text.replace("−", "-"))).removesuffix(".0"))
    plain = text if field.holds == "name" else " ".join(filter(None, text.split(" ")))
    if not plain:
        raise QueryError(position, "nothing in quotation marks", _expected(field))
    return Value("text", plain)


def _choice(field: Field, text: str, position: int) -> Value:
    choices = choices_of(field, text)
    if not choices:
        near = nearest(text.replace("-", " "), _named_choices(field))
        advice = f'Did you mean "{near.replace(" ", "-")}"?' if near else ""
        raise QueryError(position, f'"{text}" as {field.name}', _expected(field), advice)
    if choices == (NONE,):
        return Value("none", NONE)
    several = " ".join(text.lower().replace("-", " ").split())
    return Value("choice", choices[0] if len(choices) == 1 else several)


def _expected(field: Field) -> str:
    """What a value of the field may be, in words."""
    if field.choices:
        return f"one of {', '.join(one.replace(' ', '-') for one in _named_choices(field))}"
    return {"number": "a number", "words": "a word"}.get(field.holds, "a name")
