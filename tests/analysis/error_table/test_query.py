"""Queries of the error table: how they are parsed and written, what they find, what they refuse."""

import pickle
import re
from fnmatch import fnmatchcase

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore.analysis.error_table import query as matching
from corescore.analysis.error_table.fields import FIELDS, SYNTAX, WORDS, Field, choices_of
from corescore.analysis.error_table.query import (
    All,
    Either,
    Node,
    Not,
    Query,
    QueryError,
    Term,
    Value,
    all_of,
    either_of,
    not_of,
    parse,
)
from tests.support.error_frames import DOCUMENTS, TAGS, TEXTS, error_frames, frame_of

IN_FRAMES = [
    field for field in FIELDS if field.name.removeprefix("cost.") in (field.name, "lea", "conll")
]

# Nodes, as Hypothesis makes them ------------------------------------------------------------------

NONE = Value("none", "none")
_any_words = st.text(min_size=1, max_size=12).map(
    lambda text: " ".join(filter(None, text.split(" ")))
)
_patterns = st.sampled_from(["*", "o*", "*wn", "OAK*d", "a.b*", "news*", "*(*"]).filter(
    lambda text: "(" not in text
)
_regexes = st.sampled_from(["^[A-Z]", "o.n", r"a\.b", r"\/two", "(?i)oak|news", '[ ,"]', r"\\"])
_numbers = st.sampled_from(["0", "0.1", "0.25", "3", "-0.5", "7", "1e-05"])


def _values(field: Field) -> st.SearchStrategy[Value]:
    if field.holds == "number":
        return st.one_of(st.builds(Value, st.just("number"), _numbers), st.just(NONE))
    if field.holds in ("choice", "truth"):
        groups = [one for one in ("pronoun", "common", "entity") if len(choices_of(field, one)) > 1]
        named = [*field.choices, *groups]
        named = [one for one in named if one != "none" and choices_of(field, one)]
        return st.one_of(st.builds(Value, st.just("choice"), st.sampled_from(named)), st.just(NONE))
    texts = st.one_of(
        st.sampled_from([*filter(None, TEXTS), *DOCUMENTS, *filter(None, TAGS)]), _any_words
    )
    return st.one_of(
        st.builds(Value, st.just("text"), texts.filter(bool)),
        st.builds(Value, st.just("pattern"), _patterns),
        st.builds(Value, st.just("regex"), _regexes),
        st.just(NONE),
    )


@st.composite
def terms(draw: st.DrawFn) -> Term:
    field = draw(st.sampled_from(IN_FRAMES))
    if field.holds == "number" and draw(st.booleans()):
        compared = draw(st.sampled_from([">", ">=", "<", "<="]))
        return Term(field, compared, (Value("number", draw(_numbers)),))
    return Term(field, ":", tuple(draw(st.lists(_values(field), min_size=1, max_size=3))))


def _joined(nodes: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    several = st.lists(nodes, min_size=2, max_size=3).map(tuple)
    return st.one_of(nodes.map(not_of), several.map(all_of), several.map(either_of))


queries = st.recursive(terms(), _joined, max_leaves=6).map(Query)

# The oracle: row by row, value by value -----------------------------------------------------------


def holds(node: Node, row: pd.Series, frame: pd.DataFrame) -> bool:
    if isinstance(node, Not):
        return not holds(node.node, row, frame)
    if isinstance(node, All):
        return all(holds(one, row, frame) for one in node.nodes)
    if isinstance(node, Either):
        return any(holds(one, row, frame) for one in node.nodes)
    return any(_has(node, value, row, frame) for value in node.values)


def _has(term: Term, value: Value, row: pd.Series, frame: pd.DataFrame) -> bool:
    cells = [row[name] for name in term.field.columns]
    is_absent = all(pd.isna(cell) or cell == "" for cell in cells)
    if term.field.absent:
        is_absent = pd.isna(row[term.field.absent])
    if term.field.holds == "number":
        return is_absent if value.kind == "none" else _compared(term, float(value.text), cells[0])
    if term.field.holds == "words":
        if value.kind == "none":
            return is_absent
        if term.field is WORDS and value.kind != "regex":
            cells.append(row["lemma"])
        return any(isinstance(cell, str) and _has_words(value, cell) for cell in cells)
    (cell,) = cells
    if term.field.holds == "truth":
        cell = term.field.choices[not cell]
    parts = [] if is_absent else cell.split(", ") if term.field.is_list else [cell]
    return (value.kind == "none" and is_absent) or any(
        _is(term, value, part, frame) for part in parts
    )


def _compared(term: Term, number: float, cell: float) -> bool:
    if pd.isna(cell):
        return False
    return {
        ":": cell == number,
        ">": cell > number,
        ">=": cell >= number,
        "<": cell < number,
        "<=": cell <= number,
    }[term.operator]


def _has_words(value: Value, cell: str) -> bool:
    if value.kind == "regex":
        return re.search(value.text, cell) is not None
    words, wanted = cell.lower().split(" "), value.text.lower().split(" ")
    places = range(len(words) - len(wanted) + 1)
    if value.kind == "pattern":
        return any(fnmatchcase(word, wanted[0]) for word in words)
    return any(words[at : at + len(wanted)] == wanted for at in places)


def _is(term: Term, value: Value, part: str, frame: pd.DataFrame) -> bool:
    if value.kind == "none":
        return part == "none"
    if value.kind == "choice":
        return part in choices_of(term.field, value.text)
    if value.kind == "regex":
        return re.search(value.text, part) is not None
    if value.kind == "pattern":
        return fnmatchcase(part.lower(), value.text.lower())
    cells = frame[term.field.columns[0]].tolist()
    known = ", ".join(cells).split(", ") if term.field.is_list else cells
    is_named = value.text in known
    return part == value.text or (not is_named and part.lower() == value.text.lower())


# Properties ---------------------------------------------------------------------------------------


@given(queries)
def test_a_query_that_is_written_is_parsed_to_the_same(query: Query) -> None:
    assert parse(str(query)) == query


@given(st.text(alphabet=' ab-()":,*/<>=or\\.5', max_size=20))
def test_any_text_is_parsed_to_what_it_is_written_as_or_is_refused_with_a_position(
    text: str,
) -> None:
    query, error = parsed(text)
    if query:
        assert parse(str(query)) == query
    if error:
        assert 0 <= error.position <= len(text)
        assert "\n" not in str(error)


@pytest.mark.parametrize(
    "text", [":,*", "words:<*", "words:-a*", "a,*", 'words:"a*",b*', "words:none"]
)
def test_a_pattern_is_written_so_that_it_stays_one(text: str) -> None:
    assert parse(str(parse(text))) == parse(text)


def parsed(text: str) -> tuple[Query | None, QueryError | None]:
    try:
        return parse(text), None
    except QueryError as error:
        return None, error


@given(error_frames(), queries)
def test_a_query_finds_the_rows_that_the_oracle_finds(frame: pd.DataFrame, query: Query) -> None:
    found = [holds(query.node, row, frame) for _, row in frame.iterrows()]
    assert query.matches(frame).tolist() == found


# Examples -----------------------------------------------------------------------------------------

ROW = {
    "id": "a:0-1:b",
    "document": "news_one",
    "mention": "the old town",
    "kind": "divided entity, conflated entities",
    "class": "incorrectly resolved",
    "type": "common definite",
    "given": "Oakland",
    "given_start": 3,
    "given_right": False,
    "given_type": "proper",
    "antecedent": "",
    "antecedent_start": None,
    "key_size": 6,
    "key_name": "Oakland",
    "response_name": "",
    "cost_lea": 0.2,
    "nested": False,
    "quotation": True,
    "type_guessed": False,
    "start": 0,
    "length": 3,
    "tag": "hard, world knowledge",
}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "town",
        "TOWN",
        '"old town"',
        "t*n",
        "/^the .*n$/",
        "kind:divided",
        "kind:conflated-entities",
        'class:"incorrectly resolved"',
        "class:resolved",
        "type:common",
        "type:nominal",
        "-type:pronoun",
        "not type:pronoun",
        "given:wrong given.type:proper",
        "given.words:oakland",
        "antecedent:none",
        "size>5 size<=6 size=6 size:5,6",
        "size > 5",
        "cost.lea>0.1",
        "nested:no quotation:yes",
        "doc:NEWS* doc:news_one",
        "doc:/one$/",
        "name:Oakland",
        "tag:hard",
        'tag:"world knowledge"',
        "nobody or town",
        "(nobody or town) size>5",
        "id:a:0-1:b",
    ],
)
def test_a_row_is_found(text: str) -> None:
    assert parse(text).matches(frame_of([ROW])).tolist() == [True]


@pytest.mark.parametrize(
    "text",
    [
        "tow",
        '"the town"',
        "/^THE/",
        "kind:missing",
        "given:right",
        "given:none",
        "size>6",
        "cost.conll>0",
        "-cost.lea>0.1",
        "doc:news",
        "tag:world",
        "town -old",
        "town (nobody or nothing)",
    ],
)
def test_a_row_is_not_found(text: str) -> None:
    assert parse(text).matches(frame_of([ROW])).tolist() == [False]


def test_noise_of_floating_point_is_no_cost() -> None:
    frame = frame_of([ROW]).assign(cost_lea=[1e-15])
    assert not parse("cost.lea>0").matches(frame).any()
    assert parse("cost.lea=0").matches(frame).all()


@pytest.mark.parametrize(
    ("text", "position", "said"),
    [
        ("typ:proper", 0, 'Did you mean "type"?'),
        ("size>2 type:propr", 12, 'Did you mean "proper"?'),
        ("class:incorectly-resolved", 6, 'Did you mean "incorrectly-resolved"?'),
        ("size:many", 5, "expected a number"),
        ("size>none", 5, "expected a number"),
        ("type>3", 4, "expected a field of numbers"),
        ("type: proper", 5, "It follows without a blank."),
        ("she or", 6, "expected a term"),
        ("she and or", 8, "expected a term"),
        ("she (he", 4, "expected both brackets"),
        ("she)", 3, "expected no bracket or both"),
        ('she "he', 4, "without its second one"),
        ("she /he", 4, "without its second one"),
        ("she /(he/", 4, "missing )"),
        ("/he/r", 4, "goes in quotation marks"),
        ('""', 0, "expected a word"),
        (r"/(a)\1/", 0, "invalid escape sequence"),
        ("(" * 60 + "a" + ")" * 60, 51, "more than 50 brackets"),
        (" ".join(["a"] * 201), 400, "more than 200 values"),
        ("\ud800", 0, "expected Unicode text"),
    ],
)
def test_a_broken_query_is_refused_at_the_character(text: str, position: int, said: str) -> None:
    with pytest.raises(QueryError) as refused:
        parse(text)
    assert refused.value.position == position
    assert str(refused.value).startswith(f"query, character {position + 1}: ")
    assert said in str(refused.value)


def test_a_field_that_the_table_lacks_is_refused() -> None:
    frame = frame_of([ROW])
    with pytest.raises(
        QueryError, match=r"character 5: cost\.muc, which .* \"cost\.\w+\""
    ) as refused:
        parse("she cost.muc>1").matches(frame)
    assert refused.value.position == 4


def test_an_expression_that_is_slow_elsewhere_is_quick_and_one_that_takes_long_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frame = frame_of([{**ROW, "mention": "a" * 5000}])
    assert not parse("/^(a+)+$b/").matches(frame).any()
    monkeypatch.setattr(matching, "SECONDS", -1.0)
    with pytest.raises(QueryError, match="character 8: a search of more than"):
        parse("size:6 /b/").matches(frame)


def test_an_error_comes_back_from_another_process_as_it_was() -> None:
    error = QueryError(3, "this", "that", "Write that.")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.position) == (str(error), 3)


def test_the_examples_of_the_help_are_queries() -> None:
    assert all(str(parse(example)) for example, _ in SYNTAX)
    assert len({field.name for field in FIELDS}) == len(FIELDS)
    assert WORDS in FIELDS
