"""The query of the error table: text → what it says, and the rows that it finds."""

import re
from dataclasses import dataclass

import pandas as pd

from corescore.analysis.error_table.fields import (
    FIELDS,
    GROUPS,
    WORDS,
    Field,
    choices_of,
    field_named,
    nearest,
)
from corescore.analysis.error_table.matching import check_regex, matching
from corescore.analysis.error_table.terms import (
    COMPARISONS,
    IS,
    NONE,
    All,
    Node,
    QueryError,
    Term,
    Value,
    all_of,
    either_of,
    not_of,
)
from corescore.arrays import BoolArray

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
