"""Which response mention is which key mention, and the table of cells that comes of it."""

from collections import Counter

import pytest
from hypothesis import given

from corescore import Document, InputError, PolicyError
from corescore.counting import matching
from corescore.counting.contingency import contingency
from corescore.counting.matching import match
from corescore.counting.policies import Policies
from tests.support.messages import message_of
from tests.support.strategies import corpora_of, documents, pair_corpora


def spans_of(side):
    columns = (side.document.tolist(), side.start.tolist(), side.end.tolist())
    return list(zip(*columns, strict=True))


def matched_spans(key, response, **policies):
    made = match(key, response, Policies(**policies))
    k, r = spans_of(made.key), spans_of(made.response)
    both = zip(made.key_mention, made.response_mention, strict=True)
    return [(k[i], r[j]) for i, j in both]


@given(documents(), documents())
def test_exactly_the_mentions_with_a_span_of_both_sides_match_and_each_once(key, response):
    pairs = matched_spans([key, response], [response, key])
    assert all(one == other for one, other in pairs)
    shared = {*key.mentions} & {*response.mentions}
    expected = [(document, m.start, m.end) for document in (0, 1) for m in shared]
    assert sorted(one for one, _ in pairs) == sorted(expected)


def test_the_same_span_of_another_document_does_not_match():
    here, nowhere = Document.of_entities("d", [[(0, 1)]]), Document.of_rows("d", ())
    assert matched_spans([here, nowhere], [nowhere, here]) == []


def test_every_pair_of_repeats_matches_if_they_are_scored_as_they_stand():
    twice = Document.of_entities("d", [[(0, 1)], [(0, 1)]])
    assert len(matched_spans([twice], [twice], repeats="all")) == 4
    assert len(matched_spans([twice], [twice], repeats="first")) == 1
    with pytest.raises(InputError):
        match([twice], [twice], Policies(repeats="error"))


def test_repeats_that_make_too_many_pairs_are_refused(monkeypatch):
    often = Document.of_entities("d", [[(0, 1), (n, n + 1)] for n in range(1, 101)])
    assert len(matched_spans([often], [often], repeats="all")) == 100 * 100 + 100
    monkeypatch.setattr(matching, "MOST_REPEATED", 9_899)
    message = message_of(matched_spans, [often], [often], repeats="all")
    assert message == (
        "d: a span of document 'd' listed 100 and 100 times on the two sides; expected repeats "
        "that make at most 9,899 pairs of mentions. Remove the repeats, or score by another value "
        "of --repeats."
    )
    monkeypatch.setattr(matching, "MOST_REPEATED", 9_900)
    matched_spans([often], [often], repeats="all")
    assert len(matched_spans([often], [often], repeats="first")) == 101


def test_a_singleton_that_is_dropped_repeats_nothing():
    """Singletons go before anything else: (0, 1) is then in one entity only."""
    document = Document.of_entities("d", [[(0, 1)], [(0, 1), (2, 3)]])
    matching = match([document], [document], Policies(singletons="drop", repeats="error"))
    assert matching.key.entity.tolist() == [1, 1]


def test_an_unknown_way_of_matching_is_refused_with_those_there_are():
    with pytest.raises(PolicyError, match=r"match is 'about'; expected one of: exact"):
        Policies.of({"match": "about"})


@given(pair_corpora())
def test_the_table_holds_sizes_and_cells_of_every_document(pairs):
    key, response = corpora_of(pairs)
    table = contingency(match(key.documents, response.documents))
    sizes = zip(table.key_document.tolist(), table.key_sizes.tolist(), strict=True)
    assert Counter(sizes) == Counter((at, len(e)) for at, pair in enumerate(pairs) for e in pair[0])
    cells = zip(
        table.cell_document.tolist(),
        table.key_sizes[table.cell_key].tolist(),
        table.response_sizes[table.cell_response].tolist(),
        table.cell_sizes.tolist(),
        strict=True,
    )
    assert Counter(cells) == Counter(
        (at, len(k), len(r), len(k & r))
        for at, pair in enumerate(pairs)
        for k in pair[0]
        for r in pair[1]
        if k & r
    )


@given(pair_corpora())
def test_swapping_the_table_twice_gives_it_back(pairs):
    key, response = corpora_of(pairs)
    table = contingency(match(key.documents, response.documents))
    for name in ("key_sizes", "response_sizes", "cell_key", "cell_response", "cell_sizes"):
        assert getattr(table.swapped.swapped, name).tolist() == getattr(table, name).tolist()
    there = contingency(match(response.documents, key.documents))
    names = ("cell_key", "cell_response", "cell_sizes")
    cells, expected = (
        sorted(zip(*(getattr(side, name).tolist() for name in names), strict=True))
        for side in (table.swapped, there)
    )
    assert cells == expected
