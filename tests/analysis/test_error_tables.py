"""Links as a table: right, missing and wrong."""

import pytest
from hypothesis import given

from corescore import Corpus, Document, PolicyError, score
from corescore.analysis.errors.tables import LINK_STATUSES, error_counts, link_table
from tests.support.damaged import span_corpora
from tests.support.strategies import corpora_of, pair_corpora

# Key {a b c}, response {a b} {c d}: a–b is right, a–c and b–c are missing, c–d is wrong.
SIDES = [
    Corpus((Document.of_entities("d", [[(m, m + 1) for m in e] for e in side], words="abcd"),))
    for side in ([[0, 1, 2]], [[0, 1], [2, 3]])
]


def rows(which):
    table = link_table(score(*SIDES).comparison, which=which)
    return [*zip(table["mention"], table["other"], table["status"], strict=True)]


def test_all_links_of_both_sides_are_listed_once():
    assert rows("all") == [
        *(("a", "b", "correct"), ("a", "c", "missing"), ("b", "c", "missing"), ("c", "d", "wrong"))
    ]


def test_the_minimum_holds_each_entity_together():
    assert rows("minimum") == [("a", "b", "correct"), ("b", "c", "missing"), ("c", "d", "wrong")]


def test_a_link_names_the_entities_of_the_sides_that_have_it():
    table = link_table(score(*SIDES).comparison)
    assert table["key_entity"].fillna(0).tolist() == [1, 1, 0]
    assert table["response_entity"].fillna(0).tolist() == [1, 0, 2]


@pytest.mark.slow
@given(pair_corpora())
def test_the_minimum_is_as_many_as_muc_counts_and_all_as_many_as_pairwise_links(pairs):
    result = score(*corpora_of(pairs))
    for which, metric in (("minimum", "muc"), ("all", "links")):
        total = error_counts(link_table(result.comparison, which=which), of="status").sum()
        right, missing, wrong = (total.get(status, 0) for status in LINK_STATUSES)
        assert right == result[metric].recall_numerator
        assert right + missing == result[metric].recall_denominator
        assert right + wrong == result[metric].precision_denominator


@pytest.mark.slow
@given(span_corpora())
def test_links_of_some_documents_are_those_of_all_that_lie_in_them(corpora):
    comparison = score(*corpora).comparison
    name = corpora[0].documents[-1].name
    table = link_table(comparison, which="all")
    only = link_table(comparison, which="all", documents=[name])
    wanted = table[table["document"] == name].reset_index(drop=True)
    assert only.equals(wanted)


def test_an_unknown_selection_is_refused():
    with pytest.raises(PolicyError, match="which is 'some'"):
        link_table(score(*SIDES).comparison, which="some")
    with pytest.raises(PolicyError, match="no document 'x'"):
        link_table(score(*SIDES).comparison, documents=["x"])
