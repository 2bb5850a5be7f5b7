"""Facets, completion and order of the error table."""

import math

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore.analysis.error_table.completion import (
    FACETED,
    added,
    complete,
    excluded,
    facets,
    state,
    undone,
)
from corescore.analysis.error_table.fields import FIELDS, field_named
from corescore.analysis.error_table.query import parse
from corescore.analysis.error_table.table import ordered, orders_of
from corescore.corpus.problems import PolicyError
from tests.support.error_frames import error_frames, frame_of

TEXTS = st.sampled_from(
    ["", "she", "she or oakland", "-type:proper", "size>2", "kind:span,extra -tag:hard"]
)
A, B = (
    {"document": "a", "type": "proper", "kind": "span error, extra mention", "tag": ""},
    {"document": "a b", "type": "personal", "kind": "span error", "tag": "hard"},
)


FACETS = st.sampled_from(FACETED)


@given(error_frames(), TEXTS, FACETS)
@settings(max_examples=50)
def test_a_count_is_that_of_the_rows_which_the_query_finds_with_the_term(
    frame: pd.DataFrame, text: str, name: str
) -> None:
    mask = parse(text).matches(frame)
    (facet,) = facets(frame, mask, names=[name])
    for value, count in facet.counts:
        assert parse(added(text, name, value)).matches(frame).sum() == count
        assert parse(excluded(text, name, value)).matches(frame).sum() == mask.sum() - count
    total = sum(count for _, count in facet.counts)
    assert total >= mask.sum() if facet.field.is_list else total == mask.sum()


@given(error_frames(3), TEXTS, FACETS)
@settings(max_examples=50)
def test_what_is_added_or_excluded_can_be_undone(frame: pd.DataFrame, text: str, name: str) -> None:
    for value, _ in facets(frame, names=[name])[0].counts:
        with_it, without_it = added(text, name, value), excluded(text, name, value)
        assert state(with_it, name, value) == "added"
        assert state(without_it, name, value) == "excluded"
        assert added(without_it, name, value) == added(text, name, value)
        if not state(text, name, value):
            assert undone(with_it, name, value) == str(parse(text))
            assert undone(without_it, name, value) == str(parse(text))


def test_facets_count_the_rows_of_the_mask_the_most_frequent_first() -> None:
    frame = frame_of([A, B, B])
    of_kind, of_doc = facets(frame, names=["kind", "doc"])
    assert of_kind.counts == (("span error", 3), ("extra mention", 1))
    assert of_doc.counts == (("a b", 2), ("a", 1))
    (of_tag,) = facets(frame, parse("doc:a").matches(frame), names=["tag"])
    assert of_tag.counts == (("none", 1),)


def test_a_field_that_the_table_lacks_has_no_facet() -> None:
    assert facets(frame_of([A]).drop(columns="tag"), names=["tag"]) == ()


def test_a_value_is_added_to_a_query_as_text() -> None:
    assert added("she", "kind", "divided entity") == "she kind:divided-entity"
    assert added("she or he", "doc", "a b") == '(she or he) doc:"a b"'
    assert excluded("she kind:divided", "kind", "divided entity") == "she -kind:divided-entity"
    assert undone("kind:divided she", "kind", "divided entity") == "she"
    assert added("", "antecedent.type", "none") == "antecedent.type:none"


def test_an_unknown_field_or_choice_is_refused() -> None:
    with pytest.raises(PolicyError, match="'colour' is no field"):
        added("", "colour", "red")
    with pytest.raises(PolicyError, match="type is 'red'; expected one of: personal"):
        added("", "type", "red")
    with pytest.raises(PolicyError, match="facet is 'size'"):
        facets(frame_of([A]), names=["size"])
    assert all(map(field_named, FACETED))


# Completion ---------------------------------------------------------------------------------------


def completed(text: str) -> list[str]:
    """What the text may become, the cursor at "|"."""
    before, _, after = text.partition("|")
    found = complete(before + after, len(before), frame_of([A, B, B]))
    whole = before + after
    return [f"{whole[: found.start]}{one.text}{whole[found.end :]}" for one in found.suggestions]


@pytest.mark.parametrize(
    ("text", "first"),
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
def test_a_query_is_completed_at_the_cursor(text: str, first: str) -> None:
    assert completed(text)[0] == first


def test_values_are_counted_and_numbers_have_a_hint() -> None:
    frame = frame_of([A, B, B]).assign(length=[2, 3, 9])
    found = complete("type:", 5, frame)
    assert [(one.text, one.count) for one in found.suggestions] == [("personal", 2), ("proper", 1)]
    assert complete("length>", 7, frame).hint.endswith("from 2 to 9")
    assert complete("length>", 7, frame).suggestions == ()


@given(error_frames(), st.data())
@settings(max_examples=30)
def test_every_value_that_completes_a_term_is_one(frame: pd.DataFrame, data: st.DataObject) -> None:
    named = [field.name for field in FIELDS if field.holds in ("choice", "name", "truth")]
    begun = f"{data.draw(st.sampled_from(named))}:"
    for one in complete(begun, len(begun), frame).suggestions:
        assert parse(begun + one.text).matches(frame).sum() == one.count


# Order --------------------------------------------------------------------------------------------


@given(error_frames(), st.data())
@settings(max_examples=50)
def test_an_order_sorts_by_the_field_ties_in_text_order_and_none_last(
    frame: pd.DataFrame, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(["cost.lea", "size", "distance", "given.distance"]))
    direction = data.draw(st.sampled_from(["", ":ascending", ":descending"]))
    sign = 1 if direction == ":ascending" else -1
    (column,) = field_named(name).columns
    values = [math.inf if pd.isna(value) else sign * value for value in frame[column]]
    expected = sorted(range(len(values)), key=lambda at: (values[at], at))
    assert ordered(frame, name + direction).tolist() == expected


def test_numbers_are_descending_and_names_ascending_unless_the_order_says_otherwise() -> None:
    frame = frame_of([{"mention": one} for one in "bac"]).assign(length=[3, 9, 2])
    assert ordered(frame, "length").tolist() == [1, 0, 2]
    assert ordered(frame, "length:ascending").tolist() == [2, 0, 1]
    assert ordered(frame, "words").tolist() == [1, 0, 2]


@given(error_frames())
@settings(max_examples=5)
def test_every_field_is_an_order(frame: pd.DataFrame) -> None:
    for name in orders_of(frame):
        assert sorted(ordered(frame, name)) == list(range(len(frame)))


def test_words_are_in_alphabetical_order_and_the_text_order_stays() -> None:
    frame = frame_of([{"mention": "she"}, {"mention": ""}, {"mention": "Ada"}, {"mention": "he"}])
    assert ordered(frame, "words").tolist() == [2, 3, 0, 1]
    assert ordered(frame, "words:descending").tolist() == [0, 3, 2, 1]
    assert ordered(frame, "text").tolist() == [0, 1, 2, 3]


def test_noise_of_floating_point_leaves_a_tie_in_text_order() -> None:
    frame = frame_of([A, B]).assign(cost_lea=[0.1, 0.1 + 1e-16])
    assert ordered(frame, "cost.lea").tolist() == [0, 1]


@pytest.mark.parametrize("order", ["colour", "size:up", ":ascending", "cost.muc"])
def test_an_order_that_the_table_does_not_have_is_refused(order: str) -> None:
    with pytest.raises(PolicyError, match="expected one of"):
        ordered(frame_of([A]), order)
