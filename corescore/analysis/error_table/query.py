"""The query of the error table: text → what it says, and the rows that it finds."""

import operator
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from dataclasses import field as setting
from functools import reduce
from typing import Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from corescore.analysis.error_table.fields import (
    FIELDS,
    GROUPS,
    WORDS,
    Field,
    choices_of,
    field_named,
    fields_in,
    nearest,
)
from corescore.corpus.problems import PolicyError
from corescore.util import WHOLE, BoolArray, FloatArray, IntArray

IS, COMPARISONS = ":", (">=", "<=", ">", "<")

# What a query says, as values: terms, and how they hold together ----------------------------------
# `str` writes each as text that is parsed to the same.

NONE = "none"

KEYWORDS = ("and", "or", "not")

_PLAIN_VALUE = re.compile(r'[^\s()",*/][^\s()",*]*')

_PLAIN_WORD = re.compile(r'[^\s()"*/:<>=≤≥-][^\s()"*:<>=≤≥]*')

Kind = Literal["text", "pattern", "regex", "number", "choice", "none"]


class QueryError(PolicyError):
    """A query that cannot be parsed, or asks for what a table does not have; told in one line.

    position                 the character, from 0, at which it goes wrong
    found, expected, advice  as in a `Problem`; the advice may be ""
    """

    def __init__(self, position: int, found: str, expected: str, advice: str = "") -> None:
        super().__init__(position, found, expected, advice)
        self.position = position
        self.found = found
        self.expected = expected
        self.advice = advice

    def __str__(self) -> str:
        place = f"query, character {self.position + 1}"
        return f"{place}: {self.found}; expected {self.expected}. {self.advice}".rstrip()


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a term, as `text`: words or a name; a pattern with `*`; a regular expression, as
    between the slashes; a number; a choice in full, or a word that several choices share; none."""

    kind: Kind
    text: str

    def __str__(self) -> str:
        if self.kind == "regex":
            return f"/{self.text}/"
        if self.kind == "choice":
            return self.text.replace(" ", "-")
        if self.kind != "text":
            return self.text
        is_plain = _PLAIN_VALUE.fullmatch(self.text) and self.text.lower() != NONE
        return self.text if is_plain else _quoted(self.text)


@dataclass(frozen=True, slots=True)
class Term:
    """A field with the values that it may have, or with a number that it is compared with.

    at  its position in the text, in which two terms may differ and still be equal
    """

    field: Field
    operator: str
    values: tuple[Value, ...]
    at: int = setting(default=0, compare=False)

    def __str__(self) -> str:
        if self.field is WORDS and len(self.values) == 1:
            return _alone(self.values[0])
        return self._in_full()

    def _in_full(self) -> str:
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
    flat = tuple(part for one in nodes for part in (one.nodes if isinstance(one, All) else (one,)))
    return flat[0] if len(flat) == 1 else All(flat)


def either_of(nodes: tuple[Node, ...]) -> Node:
    """Nodes of which one holds, brackets that change nothing left out; a single one as it is."""
    flat = tuple(
        part for one in nodes for part in (one.nodes if isinstance(one, Either) else (one,))
    )
    return flat[0] if len(flat) == 1 else Either(flat)


def _quoted(text: str) -> str:
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def _alone(value: Value) -> str:
    """A value of the mention's words without the field's name, where it is then parsed so."""
    if value.kind == "text":
        is_plain = _PLAIN_WORD.fullmatch(value.text) and value.text.lower() not in KEYWORDS
        return value.text if is_plain else _quoted(value.text)
    # With a comma it was parsed where it stood alone: in a list it would be two
    stands_alone = "," in value.text or _PLAIN_WORD.fullmatch(value.text.replace("*", "x"))
    if value.kind == "regex" or (value.kind == "pattern" and stands_alone):
        return str(value)
    return f"{WORDS.name}{IS}{value}"


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
    """(rows,) whether a node holds; QueryError as `Query.matches`."""
    match node:
        case Term():
            return _term(node, frame)
        case Not(inner):
            return ~matching(inner, frame)
        case All(nodes):
            found = (matching(one, frame) for one in nodes)
            return reduce(operator.and_, found, np.ones(len(frame), dtype=bool))
        case Either(nodes):
            return reduce(operator.or_, (matching(one, frame) for one in nodes))


def _term(term: Term, frame: pd.DataFrame) -> BoolArray:
    field = term.field
    if not set(field.columns) <= set(frame.columns):
        raise _lacks(term, [one.name for one in fields_in(list(frame.columns))])
    if field.holds == "number":
        return _numbers(term, frame)
    if field.holds == "words":
        return _words(term, frame)
    if field.holds == "name" and not field.is_list:
        return _names(term, frame[field.columns[0]])
    return _cells(term, cells_of(frame, field))


def _lacks(term: Term, known: Sequence[str]) -> QueryError:
    near = nearest(term.field.name, known)
    advice = term.field.needs or (f'The nearest that it has is "{near}".' if near else "")
    found = f"{term.field.name}, which this table does not have"
    return QueryError(term.at, found, "another field", advice)


# Numbers ------------------------------------------------------------------------------------------


def numbers_of(column: "pd.Series[float]") -> FloatArray:
    """The values of a column of numbers or truth values; NaN where there is none."""
    return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))


def _numbers(term: Term, frame: pd.DataFrame) -> BoolArray:
    values = numbers_of(frame[term.field.columns[0]])
    compare = _COMPARE[term.operator]
    found = (
        np.isnan(values) if value.kind == NONE else compare(values, float(value.text))
        for value in term.values
    )
    return reduce(operator.or_, found)


# Names, choices and truth values ------------------------------------------------------------------


@dataclass(frozen=True)
class Cells:
    """The distinct cells of a column.

    code   (rows,) the cell of each row, by its position in `texts`; −1 where there is no value
    texts  the values of each cell
    """

    code: IntArray
    texts: tuple[tuple[str, ...], ...]


def cells_of(frame: pd.DataFrame, field: Field) -> Cells:
    """The cells of a field that holds choices, names or truth values."""
    column = frame[field.columns[0]]
    if field.holds == "truth":
        values = numbers_of(column)
        code = np.where(np.isnan(values), -1, np.where(values > 0, 0, 1))
        texts: list[tuple[str, ...]] = [(choice,) for choice in field.choices]
    else:
        code, distinct = pd.factorize(column)
        cells = distinct.tolist()  # to walk through it as it is takes twenty times as long
        at = [-1 if cell == "" else number for number, cell in enumerate(cells)]
        code = np.array([*at, -1], dtype=np.int64)[code]
        texts = [tuple(cell.split(", ")) if field.is_list else (cell,) for cell in cells]
    if field.absent:
        code = np.where(frame[field.absent].isna(), -1, code)
    return Cells(code, tuple(texts))


def _cells(term: Term, cells: Cells) -> BoolArray:
    wanted = set().union(*(_wanted(term, value, cells) for value in term.values))
    is_absent_wanted = any(value.kind == NONE for value in term.values)
    is_wanted = [*(not wanted.isdisjoint(cell) for cell in cells.texts), is_absent_wanted]
    return np.array(is_wanted)[cells.code]


def _wanted(term: Term, value: Value, cells: Cells) -> set[str]:
    """The values of cells that a value of a term means."""
    if value.kind == NONE:
        return {NONE}
    if value.kind == "choice":
        return set(choices_of(term.field, value.text))
    known = {text for cell in cells.texts for text in cell}
    if value.text in known and value.kind == "text":
        return {value.text}
    names = sorted(known)
    expression = value.text if value.kind == "regex" else f"(?i)^{_written(value, '(?s:.*)')}$"
    fits = _fits(pa.array(names, pa.large_string()), expression, term.at)
    return {name for name, does in zip(names, fits, strict=True) if does}


def _names(term: Term, column: "pd.Series[str]") -> BoolArray:
    """The cells of one name, which may be as many as there are rows, are not taken apart."""
    texts = {value.text for value in term.values if value.kind in ("text", "none")}
    found = column.isin(list(texts)).to_numpy()
    if any(value.kind == NONE for value in term.values):
        found = found | _is_empty(column)
    others = texts - {NONE} - set(column[found].unique())
    expressions = [value.text for value in term.values if value.kind == "regex"]
    whole = [_written(v, "(?s:.*)") for v in term.values if v.kind == "pattern" or v.text in others]
    return found | _any_fits(column, [*expressions, *(f"(?i)^{name}$" for name in whole)], term.at)


# Words --------------------------------------------------------------------------------------------


def check_regex(expression: str, at: int) -> None:
    """QueryError with the position `at` for what is no regular expression of RE2's."""
    try:
        pc.match_substring_regex(pa.array([""]), pattern=expression)
    except pa.ArrowInvalid as error:
        reason = str(error).removeprefix("Invalid regular expression: ").partition(": ")[0]
        found = f"/{expression}/, in which RE2 finds: {reason}"
        raise QueryError(at, found, "a regular expression of RE2") from None


def _words(term: Term, frame: pd.DataFrame) -> BoolArray:
    regexes = [value.text for value in term.values if value.kind == "regex"]
    named = [_written(v, "[^ ]*") for v in term.values if v.kind in ("text", "pattern")]
    words = [f"(?i)(?:^| )(?:{'|'.join(named)})(?: |$)"] if named else []
    found = np.zeros(len(frame), dtype=bool)
    for name in term.field.columns:
        found |= _any_fits(frame[name], [*regexes, *words], term.at)
    if term.field.also in frame.columns:
        found |= _any_fits(frame[term.field.also], words, term.at)
    if any(value.kind == NONE for value in term.values):
        found |= _has_none(term.field, frame)
    return found


def _has_none(field: Field, frame: pd.DataFrame) -> BoolArray:
    """(rows,) whether none of a field's columns has words."""
    if field.absent:
        return frame[field.absent].isna().to_numpy()
    return reduce(operator.and_, (_is_empty(frame[name]) for name in field.columns))


def _is_empty(column: "pd.Series[str]") -> BoolArray:
    return (column.isna() | (column == "")).to_numpy(dtype=bool)


def _any_fits(column: "pd.Series[str]", expressions: Iterable[str], at: int) -> BoolArray:
    """(rows,) whether one of the expressions is found in the text of each row."""
    is_categorical = isinstance(column.dtype, pd.CategoricalDtype)
    values = column.cat.categories if is_categorical else column
    texts = pa.array(values, pa.large_string(), from_pandas=True)
    found = np.zeros(len(texts), dtype=bool)
    for expression in expressions:
        found |= _fits(texts, expression, at)
    return np.append(found, False)[column.cat.codes] if is_categorical else found


def _fits(texts: pa.Array, expression: str, at: int) -> BoolArray:
    """(texts,) whether the expression is found in each text."""
    until = time.monotonic() + SECONDS
    fits = [np.zeros(0, dtype=bool)]
    for first in range(0, len(texts), _ROWS):
        if time.monotonic() > until:
            found = f"a search of more than {SECONDS:.0f} seconds"
            raise QueryError(at, found, "a shorter or simpler one")
        part = pc.match_substring_regex(texts.slice(first, _ROWS), pattern=expression)
        fits.append(np.asarray(part.fill_null(False), dtype=bool))
    return np.concatenate(fits)


def _written(value: Value, anything: str) -> str:
    """The expression for a text, or for a pattern in which `*` stands for `anything`."""
    parts = value.text.split("*") if value.kind == "pattern" else [value.text]
    return anything.join(map(re.escape, parts))


MOST_VALUES = 200  # each may look at every row

DEEPEST = 50

_NAME = re.compile(r"([A-Za-z][\w.-]*)(?:\s*(>=|<=|≥|≤|>|<|=)\s*|(:))")

_WORD = re.compile(r'[^\s()"]+')

_PLAIN = re.compile(r'[^\s()",]+')

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)

_REGEX = re.compile(r"/((?:[^/\\]|\\.)*)/", re.DOTALL)

_NUMBER = re.compile(r"[-+−]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,2})?")

_OPERATORS = {sign: sign for sign in (IS, *COMPARISONS)} | {"=": IS, "≥": ">=", "≤": "<="}


@dataclass(frozen=True)
class Query:
    """A query that was parsed. `str` is its text in the usual spelling."""

    node: Node

    def matches(self, frame: pd.DataFrame) -> BoolArray:
        """(rows,) whether each row of an error table is found.

        Raises QueryError for a field that the table lacks and for a regular expression that takes
        too long.
        """
        return matching(self.node, frame)

    def __str__(self) -> str:
        return str(self.node)


def parse(text: str) -> Query:
    """What a query says; an empty one finds all rows.

    `fields.SYNTAX` shows how it is written, `fields.FIELDS` what it may name. Raises QueryError.
    """
    return Query(_Parser(text).node())


class _Parser:
    """A text, and the position up to which it has been parsed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.n_values = 0

    def node(self) -> Node:
        _refuse_surrogates(self.text)
        if self._is_at_end():
            return All(())
        node = self._either(0)
        if not self._is_at_end():
            raise QueryError(self.at, '")" without its "("', "no bracket or both")
        return node

    def _either(self, depth: int) -> Node:
        nodes = [self._all(depth)]
        while self._takes_keyword("or"):
            nodes.append(self._all(depth))
        return either_of(tuple(nodes))

    def _all(self, depth: int) -> Node:
        nodes = [self._one(depth)]
        while not self._is_at_end() and self._next() != ")" and not self._sees_keyword("or"):
            self._takes_keyword("and")
            nodes.append(self._one(depth))
        return all_of(tuple(nodes))

    def _one(self, depth: int) -> Node:
        if depth > DEEPEST:
            raise QueryError(self.at, f"more than {DEEPEST} brackets or signs", "fewer")
        if self._is_at_end():
            raise QueryError(self.at, "the end of the query", "a term")
        if self._takes_keyword("not") or self._takes("-"):
            return not_of(self._one(depth + 1))
        if self._next() == "(":
            return self._bracketed(depth)
        if self._next() == ")" or self._sees_keyword("or") or self._sees_keyword("and"):
            found = _WORD.match(self.text, self.at)
            raise QueryError(self.at, f'"{found[0] if found else ")"}"', "a term")
        return self._term()

    def _bracketed(self, depth: int) -> Node:
        opened = self.at
        self._takes("(")
        node = self._either(depth + 1)
        self._is_at_end()
        if not self._takes(")"):
            raise QueryError(opened, '"(" without its ")"', "both brackets")
        return node

    def _term(self) -> Term:
        at, named = self.at, _NAME.match(self.text, self.at)
        if not named:
            return Term(WORDS, IS, (self._value(WORDS, _WORD),), at)
        field = _field(named[1], at)
        operator = _OPERATORS[named[2] or named[3]]
        self.at = named.end()
        if operator in COMPARISONS:
            return Term(field, operator, (self._compared(field),), at)
        values = [self._value(field, _PLAIN)]
        while self._takes(","):
            values.append(self._value(field, _PLAIN))
        return Term(field, IS, tuple(values), at)

    def _compared(self, field: Field) -> Value:
        if field.holds != "number":
            advice = f'Write "{field.name}:" and a value.'
            raise QueryError(self.at - 1, f"{field.name} compared", "a field of numbers", advice)
        value = self._value(field, _PLAIN)
        if value.kind == NONE:
            raise QueryError(self.at - len(NONE), '"none" compared', "a number")
        return value

    def _value(self, field: Field, plain: re.Pattern[str]) -> Value:
        at = self.at
        self.n_values += 1
        if self.n_values > MOST_VALUES:
            raise QueryError(at, f"more than {MOST_VALUES} values", "fewer")
        if self._next() == "/":
            return self._regex(field)
        if self._next() == '"':
            text = re.sub(
                r"\\(.)", r"\1", self._between(_QUOTED, "quotation mark"), flags=re.DOTALL
            )
            return _meant(field, text, at)
        found = plain.match(self.text, at)
        if not found:
            advice = "It follows without a blank." if self._next().isspace() else ""
            raise QueryError(at, f"no value for {field.name}", _expected(field), advice)
        self.at = found.end()
        text = found[0]
        if plain is _PLAIN and text.lower() == NONE:
            return Value("none", NONE)
        if "*" in text and field.holds in ("words", "name"):
            return Value("pattern", text)
        return _meant(field, text, at)

    def _regex(self, field: Field) -> Value:
        at = self.at
        if field.holds not in ("words", "name"):
            raise QueryError(at, f"a regular expression for {field.name}", _expected(field))
        expression = self._between(_REGEX, "slash")
        if self._next() not in ("", "(", ")", ",") and not self._next().isspace():
            advice = 'Text with "/" goes in quotation marks.'
            raise QueryError(self.at, f'"{self._next()}" after "/"', "a blank", advice)
        check_regex(expression, at)
        return Value("regex", expression)

    def _between(self, form: re.Pattern[str], mark: str) -> str:
        found = form.match(self.text, self.at)
        if not found:
            raise QueryError(self.at, f"a {mark} without its second one", "both")
        self.at = found.end()
        return found[1]

    def _next(self) -> str:
        return self.text[self.at : self.at + 1]

    def _is_at_end(self) -> bool:
        """Whether only blanks are left; they are passed over."""
        while self._next().isspace():
            self.at += 1
        return self.at == len(self.text)

    def _takes(self, sign: str) -> bool:
        is_there = self.text.startswith(sign, self.at)
        self.at += len(sign) * is_there
        return is_there

    def _sees_keyword(self, keyword: str) -> bool:
        self._is_at_end()
        found = _WORD.match(self.text, self.at)
        return found is not None and found[0].lower() == keyword

    def _takes_keyword(self, keyword: str) -> bool:
        is_there = self._sees_keyword(keyword)
        self.at += len(keyword) * is_there
        return is_there


def _field(name: str, at: int) -> Field:
    field = field_named(name)
    if field:
        return field
    near = nearest(name, [field.name for field in FIELDS])
    meant = f'Did you mean "{near}"?' if near else "Text with such a sign goes in quotation marks."
    raise QueryError(at, f'"{name}" as a field', "a field such as type, kind or doc", meant)


def _meant(field: Field, text: str, at: int) -> Value:
    """What a text means as a value of the field. QueryError if nothing."""
    if field.holds in ("choice", "truth"):
        return _choice(field, text, at)
    if field.holds == "number":
        if not _NUMBER.fullmatch(text):
            raise QueryError(at, f'"{text}"', _expected(field))
        return Value("number", repr(float(text.replace("−", "-"))).removesuffix(".0"))
    plain = text if field.holds == "name" else " ".join(filter(None, text.split(" ")))
    if not plain:
        raise QueryError(at, "nothing in quotation marks", _expected(field))
    return Value("text", plain)


def _choice(field: Field, text: str, at: int) -> Value:
    choices = choices_of(field, text)
    if not choices:
        near = nearest(text.replace("-", " "), (*field.choices, *GROUPS))
        advice = f'Did you mean "{near.replace(" ", "-")}"?' if near else ""
        raise QueryError(at, f'"{text}" as {field.name}', _expected(field), advice)
    if choices == (NONE,):
        return Value("none", NONE)
    several = " ".join(text.lower().replace("-", " ").split())
    return Value("choice", choices[0] if len(choices) == 1 else several)


def _expected(field: Field) -> str:
    """What a value of the field may be, in words."""
    if field.choices:
        return f"one of {', '.join(choice.replace(' ', '-') for choice in field.choices)}"
    return {"number": "a number", "words": "a word"}.get(field.holds, "a name")


def _refuse_surrogates(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise QueryError(error.start, "half a character", "Unicode text") from None
