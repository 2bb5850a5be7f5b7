"""Queries of the error table, its facets and its order."""

import math
import pickle
import re
from fnmatch import fnmatchcase
from functools import partial

import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corescore.analysis.error_table import query as of_queries
from corescore.analysis.error_table.facets import (
    FACETED,
    changed,
    complete,
    facets,
    freed,
    state,
)
from corescore.analysis.error_table.query import (
    FIELDS,
    SYNTAX,
    WORDS,
    All,
    Either,
    Not,
    QueryError,
    Term,
    Value,
    all_of,
    choices_of,
    either_of,
    field_named,
    fields_in,
    matching,
    not_of,
    parse,
)
from corescore.analysis.error_table.table import ordered
from corescore.corpus.problems import PolicyError
from tests.support.errors import DOCUMENTS, TAGS, TEXTS, error_frames, frame_of

# Queries of the error table: how they are parsed and written, what they find, what they -----------

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


def _values(field):
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
def terms(draw):
    field = draw(st.sampled_from(IN_FRAMES))
    if field.holds == "number" and draw(st.booleans()):
        compared = draw(st.sampled_from([">", ">=", "<", "<="]))
        return Term(field, compared, (Value("number", draw(_numbers)),))
    return Term(field, ":", tuple(draw(st.lists(_values(field), min_size=1, max_size=3))))


def _joined(nodes):
    several = st.lists(nodes, min_size=2, max_size=3).map(tuple)
    return st.one_of(nodes.map(not_of), several.map(all_of), several.map(either_of))


queries = st.recursive(terms(), _joined, max_leaves=6)

# The oracle: row by row, value by value -----------------------------------------------------------


def holds(node, row, frame):
    if isinstance(node, Not):
        return not holds(node.node, row, frame)
    if isinstance(node, All):
        return all(holds(one, row, frame) for one in node.nodes)
    if isinstance(node, Either):
        return any(holds(one, row, frame) for one in node.nodes)
    return any(_has(node, value, row, frame) for value in node.values)


def _has(term, value, row, frame):
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


def _compared(term, number, cell):
    if pd.isna(cell):
        return False
    return {
        ":": cell == number,
        ">": cell > number,
        ">=": cell >= number,
        "<": cell < number,
        "<=": cell <= number,
    }[term.operator]


def _has_words(value, cell):
    if value.kind == "regex":
        return re.search(value.text, cell) is not None
    words, wanted = cell.lower().split(" "), value.text.lower().split(" ")
    places = range(len(words) - len(wanted) + 1)
    if value.kind == "pattern":
        return any(fnmatchcase(word, wanted[0]) for word in words)
    return any(words[at : at + len(wanted)] == wanted for at in places)


def _is(term, value, part, frame):
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
@example(parse('kind:missing "entity"'))
def test_a_query_that_is_written_is_parsed_to_the_same(query):
    assert parse(str(query)) == query


@given(st.text(alphabet=' ab-()":,*/<>=or\\.5', max_size=20))
def test_any_text_is_parsed_to_what_it_is_written_as_or_is_refused_with_a_position(
    text,
):
    query, error = parsed(text)
    if query:
        assert parse(str(query)) == query
    if error:
        assert 0 <= error.position <= len(text)
        assert "\n" not in str(error)


def parsed(text):
    try:
        return parse(text), None
    except QueryError as error:
        return None, error


@given(error_frames(), queries)
def test_a_query_finds_the_rows_that_the_oracle_finds(frame, query):
    found = [holds(query, row, frame) for _, row in frame.iterrows()]
    assert matching(query, frame).tolist() == found


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


FOUND = [
    "",
    "town",
    "TOWN",
    '"old town"',
    "t*n",
    "/^the .*n$/",
    "kind:divided",
    "kind:merged",
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
]
NOT_FOUND = [
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
]


@pytest.mark.parametrize("found", [True, False])
def test_a_row_is_found_or_not(found):
    frame = frame_of([ROW])
    for text in FOUND if found else NOT_FOUND:
        assert matching(parse(text), frame).tolist() == [found], text


@pytest.mark.parametrize(
    "text, position, said",
    [
        ("typ:proper", 0, 'Did you mean "type"?'),
        ("size>2 type:propr", 12, 'Did you mean "proper"?'),
        ("class:incorectly-resolved", 6, 'Did you mean "incorrectly-resolved"?'),
        ("size:many", 5, "expected a number"),
        ("size>none", 5, "expected a number"),
        ("type>3", 4, "expected a field of numbers"),
        ("kind:wrong", 5, '"wrong" as kind; expected one of span-error'),
        ("(kind:divided entity)", 6, "Write kind:divided-entity."),
        ("type: proper", 5, "It follows without a space."),
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
def test_a_broken_query_is_refused_at_the_character(text, position, said):
    with pytest.raises(QueryError) as refused:
        parse(text)
    assert refused.value.position == position
    assert str(refused.value).startswith(f"query, character {position + 1}: ")
    assert said in str(refused.value)


def test_a_field_that_the_table_lacks_is_refused():
    frame = frame_of([ROW])
    with pytest.raises(
        QueryError, match=r"character 5: cost\.muc, which .* \"cost\.\w+\""
    ) as refused:
        matching(parse("she cost.muc>1"), frame)
    again = pickle.loads(pickle.dumps(refused.value))  # from another process
    assert (str(again), again.position) == (str(refused.value), 4)
    assert facets(frame.drop(columns="tag"), names=["tag"]) == ()


def test_an_expression_that_is_slow_elsewhere_is_quick_and_one_that_takes_long_is_refused(
    monkeypatch,
):
    frame = frame_of([{**ROW, "mention": "a" * 5000}])
    assert not matching(parse("/^(a+)+$b/"), frame).any()
    monkeypatch.setattr(of_queries, "SECONDS", -1.0)
    with pytest.raises(QueryError, match="character 8: a search of more than"):
        matching(parse("size:6 /b/"), frame)


def test_the_examples_of_the_help_are_queries():
    assert all(str(parse(example)) for example, _ in SYNTAX)
    assert len({field.name for field in FIELDS}) == len(FIELDS)
    assert WORDS in FIELDS


# Facets, completion and order of the error table --------------------------------------------------

added, excluded, undone = (partial(changed, state=state) for state in ("added", "excluded", ""))

TEXTS_OF_FACETS = st.sampled_from(
    ["", "she", "she or oakland", "-type:proper", "size>2", "kind:span,extra -tag:hard"]
)
A, B = (
    {"document": "a", "type": "proper", "kind": "span error, extra mention", "tag": ""},
    {"document": "a b", "type": "personal", "kind": "span error", "tag": "hard"},
)


FACETS = st.sampled_from(FACETED)


@given(error_frames(), TEXTS_OF_FACETS, FACETS)
def test_a_count_is_that_of_the_rows_which_the_query_finds_with_this_value_alone(frame, text, name):
    text = freed(text, name)
    mask = matching(parse(text), frame)
    (facet,) = facets(frame[mask], names=[name])
    for value, count in facet.counts:
        assert matching(parse(added(text, name, value)), frame).sum() == count
        assert matching(parse(excluded(text, name, value)), frame).sum() == mask.sum() - count
    total = sum(count for _, count in facet.counts)
    assert total >= mask.sum() if facet.field.is_list else total == mask.sum()


@given(error_frames(3), TEXTS_OF_FACETS, FACETS, st.data())
def test_what_is_added_or_excluded_can_be_undone_and_any_of_the_values_added_is_found(
    frame, text, name, data
):
    values = [value for value, _ in facets(frame, names=[name])[0].counts]
    for value in values:
        with_it, without_it = added(text, name, value), excluded(text, name, value)
        assert state(with_it, name, value) == "added"
        assert state(without_it, name, value) == "excluded"
        assert added(without_it, name, value) == added(text, name, value)
        if not state(text, name, value):
            assert undone(with_it, name, value) == str(parse(text))
            assert undone(without_it, name, value) == str(parse(text))
    text = freed(text, name)
    # To add a value that is excluded is to exclude it no more: that is no adding to undo.
    free = [value for value in values if state(text, name, value) != "excluded"]
    several = data.draw(st.lists(st.sampled_from(free), unique=True)) if free else []
    query, any_of = text, matching(parse(text), frame) & bool(not several)
    for value in several:
        query = added(query, name, value)
        any_of |= matching(parse(added(text, name, value)), frame)
    assert (matching(parse(query), frame) == any_of).all()
    assert freed(query, name) == text
    assert all(state(query, name, value) == "added" for value in several)


@pytest.mark.parametrize(
    "change, query, field, value, expected",
    [
        # Several values, and words for several, stand in one term
        (
            added,
            "she type:personal size>2",
            "type",
            "reflexive",
            "she type:personal,reflexive size>2",
        ),
        (
            *(added, "she type:personal,reflexive size>2", "type", "nominal"),
            "she type:personal,reflexive,nominal size>2",
        ),
        (
            *(excluded, "she type:personal,reflexive size>2", "type", "personal"),
            "she type:reflexive size>2 -type:personal",
        ),
        (
            undone,
            "she type:personal,reflexive size>2",
            "type",
            "reflexive",
            "she type:personal size>2",
        ),
        (added, "she", "kind", "divided entity", "she kind:divided-entity"),
        (added, "she or he", "doc", "a b", '(she or he) doc:"a b"'),
        (
            *(excluded, "she kind:divided", "kind", "divided entity"),
            "she -kind:divided-entity",
        ),
        (undone, "kind:divided she", "kind", "divided entity", "she"),
        (added, "", "antecedent.type", "none", "antecedent.type:none"),
    ],
)
def test_a_value_is_changed_in_the_text_of_a_query(change, query, field, value, expected):
    assert change(query, field, value) == expected
    assert freed("she type:personal,reflexive size>2", "type") == "she size>2"


def test_facets_count_the_rows_of_the_mask_the_most_frequent_first():
    frame = frame_of([A, B, B])
    of_kind, of_doc = facets(frame, names=["kind", "doc"])
    assert of_kind.counts == (("span error", 3), ("extra mention", 1))
    assert of_doc.counts == (("a b", 2), ("a", 1))
    (of_tag,) = facets(frame[matching(parse("doc:a"), frame)], names=["tag"])
    assert of_tag.counts == (("none", 1),)


def test_an_unknown_field_or_choice_is_refused():
    with pytest.raises(PolicyError, match="'colour' is no field"):
        added("", "colour", "red")
    with pytest.raises(PolicyError, match="type is 'red'; expected one of: personal"):
        added("", "type", "red")
    with pytest.raises(PolicyError, match="facet is 'size'"):
        facets(frame_of([A]), names=["size"])
    assert all(map(field_named, FACETED))


# Completion ---------------------------------------------------------------------------------------


def completed(text):
    """What the text may become, the cursor at "|"."""
    before, _, after = text.partition("|")
    found = complete(before + after, len(before), frame_of([A, B, B]))
    whole = before + after
    return [f"{whole[: found.start]}{one.text}{whole[found.end :]}" for one in found.suggestions]


@pytest.mark.parametrize(
    "text, first",
    [
        ("ty|", "type:"),
        ("she -ant|", "she -antecedent:"),
        ("(she or si|", "(she or size>"),
        ("type:|", "type:personal"),
        ("type:prop|", "type:proper"),
        ("type:pr|per she", "type:proper she"),
        ("type:proper,per|", "type:proper,personal"),
        ('doc:"a |', 'doc:"a b"'),
        ('doc:"a b",a|', 'doc:"a b","a b"'),
        ('"she said" ty|', '"she said" type:'),
        ("kind:extra|", "kind:extra-mention"),
        ("tag:|", "tag:hard"),
        ("cost.l|", "cost.lea>"),
    ],
)
def test_a_query_is_completed_at_the_cursor(text, first):
    assert completed(text)[0] == first


def test_values_are_counted_and_numbers_have_a_hint():
    frame = frame_of([A, B, B]).assign(length=[2, 3, 9])
    found = complete("type:", 5, frame)
    assert [(one.text, one.count) for one in found.suggestions] == [("personal", 2), ("proper", 1)]
    assert complete("length>", 7, frame).hint.endswith("from 2 to 9")
    assert complete("length>", 7, frame).suggestions == ()


@given(error_frames(), st.data())
def test_every_value_that_completes_a_term_is_one(frame, data):
    named = [field.name for field in FIELDS if field.holds in ("choice", "name", "truth")]
    begun = f"{data.draw(st.sampled_from(named))}:"
    for one in complete(begun, len(begun), frame).suggestions:
        assert matching(parse(begun + one.text), frame).sum() == one.count


# Order --------------------------------------------------------------------------------------------


@given(error_frames(), st.data())
def test_an_order_sorts_by_the_field_ties_in_text_order_and_none_last(frame, data):
    name = data.draw(st.sampled_from(["cost.lea", "size", "distance", "given.distance"]))
    direction = data.draw(st.sampled_from(["", ":ascending", ":descending"]))
    sign = 1 if direction == ":ascending" else -1
    (column,) = field_named(name).columns
    values = [math.inf if pd.isna(value) else sign * value for value in frame[column]]
    expected = sorted(range(len(values)), key=lambda at: (values[at], at))
    assert ordered(frame, name + direction).tolist() == expected


def test_numbers_are_descending_and_names_ascending_unless_the_order_says_otherwise():
    frame = frame_of([{"mention": one} for one in "bac"]).assign(length=[3, 9, 2])
    assert ordered(frame, "length").tolist() == [1, 0, 2]
    assert ordered(frame, "length:ascending").tolist() == [2, 0, 1]
    assert ordered(frame, "words").tolist() == [1, 0, 2]


@given(error_frames())
@settings(max_examples=5)
def test_every_field_is_an_order(frame):
    for name in ("text", *(field.name for field in fields_in(frame))):
        assert sorted(ordered(frame, name)) == list(range(len(frame)))


def test_words_are_in_alphabetical_order_and_the_text_order_stays():
    frame = frame_of([{"mention": "she"}, {"mention": ""}, {"mention": "Ada"}, {"mention": "he"}])
    assert ordered(frame, "words").tolist() == [2, 3, 0, 1]
    assert ordered(frame, "words:descending").tolist() == [0, 3, 2, 1]
    assert ordered(frame, "text").tolist() == [0, 1, 2, 3]
    noise = frame_of([A, B]).assign(cost_lea=[0.1, 0.1 + 1e-16])  # leaves a tie in text order
    assert ordered(noise, "cost.lea").tolist() == [0, 1]
    assert not matching(parse("cost.lea>0"), noise.assign(cost_lea=1e-15)).any()
    assert matching(parse("cost.lea=0"), noise.assign(cost_lea=1e-15)).all()


@pytest.mark.parametrize("order", ["colour", "size:up", ":ascending", "cost.muc"])
def test_an_order_that_the_table_does_not_have_is_refused(order):
    with pytest.raises(PolicyError, match="expected one of"):
        ordered(frame_of([A]), order)
