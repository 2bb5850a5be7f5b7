"""Counts add; what a change does to them; mentions that are left out."""

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Corpus, Document, InputError, preset, read, score
from corescore.corpus.documents import Attributes
from corescore.counting import whatif
from corescore.counting.counts import divide, harmonic_mean
from corescore.counting.min_spans import parse_of
from corescore.counting.pairing import is_verb_phrase, with_scored_mentions
from corescore.counting.policies import Policies
from corescore.counting.whatif import Changes, Steps
from corescore.metrics import BLANC_VARIANTS, METRICS, VARIANTS
from corescore.metrics.diagnostics import LINKS, MENTIONS, RAND
from corescore.metrics.metric import changed_counts
from corescore.metrics.standard import CEAFM
from tests.support.strategies import corpora_of, partition_pairs
from tests.support.synthetic import Shape, synthesise
from tests.support.texts import brackets_of, columns, parsed_sentences

# Counts add, and one place divides ----------------------------------------------------------------


def test_division_by_zero_is_empty_and_nothing_warns():
    with np.errstate(all="raise"):
        found = divide(np.array([1.0, 0.0, 1.0]), np.array([2.0, 0.0, 0.0]), empty=np.nan)
    assert found[0] == 1 / 2
    assert np.isnan(found[1:]).all()


@pytest.mark.parametrize(
    "recall, precision, f1",
    [
        (1 / 2, 1 / 4, 2 * Fraction(1, 8) / Fraction(3, 4)),
        (0, 0, 0),
        (1, 0, 0),
        (1 / 2, np.nan, 0),
        (np.nan, 1 / 2, 0),
        (np.nan, np.nan, np.nan),
    ],
)
def test_the_harmonic_mean(recall, precision, f1):
    found = harmonic_mean(np.array([recall]), np.array([precision]))
    assert found[0] == pytest.approx(float(f1), abs=1e-12, nan_ok=True)


# What a change of the response does to the counts is what counting its document again -------------

EVERY = (*METRICS, MENTIONS, LINKS, RAND, *BLANC_VARIANTS.values())
TANGLED = Shape(documents=2, words=500, mentions=90, entities=14, moved=0.6, split=0.3, missing=0.1)
tables = st.lists(partition_pairs(12, 6), min_size=1, max_size=2).map(
    lambda pairs: score(*corpora_of(pairs)).comparison.table
)


def moves(table, rng, n=40):
    """Some mentions of a cell leave for another response entity of the document, or a new one; in
    each third change they leave the response."""
    cell = rng.integers(0, len(table.cell_key), n)
    document, some = table.cell_document[cell], rng.integers(1, table.cell_sizes[cell] + 1)
    new = len(table.response_sizes)
    target = np.array(
        [rng.choice([*np.flatnonzero(table.response_document == one), new]) for one in document]
    )
    leave = Steps(np.arange(n), table.cell_response[cell], table.cell_key[cell], -some, -some)
    join = replace(leave, response=target, mentions=some, shared=some)
    return Changes(table, document, Steps.joined(leave, join.rows(np.arange(n) % 3 > 0)))


def assert_as_counted_again(changes, metrics=EVERY):
    whole = [replace(metric, recount="documents", similarity=None) for metric in metrics]
    both = (changed_counts(metrics_, changes) for metrics_ in (metrics, whole))
    for found, anew in zip(*both, strict=True):
        for name in ("recall_numerator", "precision_numerator", "precision_denominator"):
            np.testing.assert_allclose(getattr(found, name), getattr(anew, name), atol=1e-12)


@given(table=tables, seed=st.integers(0, 99))
def test_moves_in_small_tables(table, seed):
    if len(table.cell_key):
        assert_as_counted_again(moves(table, np.random.default_rng(seed)))


@pytest.mark.parametrize("seed", range(5))
def test_moves_among_entities_that_overlap_a_lot(seed):
    rng = np.random.default_rng(seed)
    table = score(*synthesise(TANGLED, rng)).comparison.table
    assert_as_counted_again(moves(table, rng, n=300))


def test_what_cannot_be_aligned_otherwise_is_left_out():
    """Key {a … g}, response {a b c} {d} {e} {f} {g}, and c leaves: of CEAFₘ 3 mentions are aligned
    before and 2 after. The four that are left out are no entity, which could be aligned with 4."""
    table = score(*corpora_of([([range(7)], [range(3), *([at] for at in range(3, 7))])]))
    leave = Steps(*(np.array([of]) for of in (0, 0, 0, -1, -1)))
    changes = Changes(table.comparison.table, np.array([0]), leave)
    (counts,) = changed_counts([CEAFM], changes)
    assert counts.recall_numerator.item() == 2 - 3


@given(
    labels=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 7)), min_size=4, max_size=16),
    seed=st.integers(0, 99),
)
def test_moves_among_key_entities_in_many_parts(labels, seed):
    sides = [
        [[at for at, label in enumerate(labels) if label[side] == one] for one in range(8)]
        for side in (0, 1)
    ]
    pair = [[entity for entity in side if entity] for side in sides]
    table = score(*corpora_of([pair])).comparison.table
    assert_as_counted_again(moves(table, np.random.default_rng(seed)))


def test_changes_are_counted_alike_some_at_a_time(monkeypatch):
    rng = np.random.default_rng(3)
    changes = moves(score(*synthesise(TANGLED, rng)).comparison.table, rng, n=20)
    metrics = (*EVERY, *VARIANTS)
    at_once = changed_counts(metrics, changes)
    monkeypatch.setattr(whatif, "MOST_CELLS", 50)
    for one, other in zip(at_once, changed_counts(metrics, changes), strict=True):
        np.testing.assert_allclose(one.recall_numerator, other.recall_numerator, atol=1e-12)
        np.testing.assert_allclose(one.precision_numerator, other.precision_numerator, atol=1e-12)


def test_a_change_without_steps_changes_nothing():
    table = score(*synthesise(TANGLED, np.random.default_rng(1))).comparison.table
    none = np.zeros(0, dtype=np.int64)
    changes = Changes(table, np.array([0, 1]), Steps(none, none, none, none, none))
    for counts in changed_counts((*EVERY, *VARIANTS), changes):
        assert not counts.recall_numerator.any()
        assert not counts.precision_denominator.any()


# The policy `mentions`: mentions that are left out by the key's parse, or inside others -----------

SENTENCES = [
    [
        ("Ann", "(TOP(S(NP*)", "(1)"),
        ("sings", "(VP(VP*", "(2"),
        ("songs", "(NP*))", "2)|(3)"),
        ("and", "*", "-"),
        ("dances", "(VP*))))", "(4)|(1)"),
    ],
    [("This", "(TOP(S(NP*)", "(2)"), ("tires", "(VP*", "(3)"), ("her", "(NP*))))", "(1)|(4)")],
    [("It", "(TOP(S(NP*)", "(4)"), ("ends", "(VP*)))", "-")],
]


def spans_of(document):
    return [sorted((m.start, m.end) for m in entity) for entity in document.entities]


NP_ONLY, WITHOUT_NESTED = Policies(mentions="np-only"), Policies(mentions="without-nested")


def test_verb_phrases_go_and_entities_that_they_leave_with_one_mention(corpus):
    """Entity 2 loses "sings songs" and with it "This"; 4 keeps two, 1 keeps its two names."""
    key = corpus(columns(SENTENCES))
    (filtered,), (response,) = with_scored_mentions(([*key.documents], [*key.documents]), NP_ONLY)
    assert spans_of(filtered) == [[(0, 1), (7, 8)], [(7, 8), (8, 9)]]
    assert response == filtered


def test_the_response_goes_by_the_parse_of_the_key(corpus):
    key = corpus(columns(SENTENCES))
    words = [w for sentence in SENTENCES for w, _, _ in sentence]
    response = Document.of_entities("d", [{(0, 1)}, {(1, 3), (5, 6)}], words=words)
    made = score(key, response, mentions="np-only")
    assert spans_of(made.comparison.response[0]) == [[(0, 1)]]
    assert "| mentions np-only |" in made.signature
    assert "mentions" not in score(key, response).signature
    assert made["mentions"].precision_denominator == 1  # it loses no mention, so it stays
    preset_on_top = score(key, key, **preset("coval", mentions="np-only"))
    assert preset_on_top["muc"].recall_denominator == 2
    assert "as coval" not in preset_on_top.signature


def forest_of(cells):
    """Slow oracle: the labels of the outermost nodes that the cells, read alone, make."""
    outermost, stack = [], []
    for sign in re.findall(r"\([^()*]+|\*|\)", "".join(cells)):
        if sign == ")":
            stack[-1:] = []
            continue
        if not stack:
            outermost.append(sign[1:])
        if sign != "*":
            stack.append(sign)
    return outermost


@given(parsed_sentences(), st.data())
def test_a_verb_phrase_is_the_only_outermost_node(cells, data):
    start = data.draw(st.integers(0, len(cells) - 1))
    end = data.draw(st.integers(start + 1, len(cells)))
    expected = forest_of(cells[start:end]) == ["VP"]
    assert is_verb_phrase(brackets_of(cells[start:end])) == expected


@pytest.mark.parametrize(
    "cells, line, found",
    [
        ("- -", 0, "without a parse"),
        ("(NP*) -", 3, "column 6 with '-'"),
        ("(NP*) (NP*)*", 3, r"column 6 with '\(NP\*\)\*'"),
        ("(NP* *))", 3, r"a \) in the parse without its \("),
        ("(NP* | *)", 2, r"leaves 1 \( open"),
    ],
)
def test_a_parse_that_is_missing_or_broken_is_refused(corpus, cells, line, found):
    sentences = [[("a", cell, "(1)") for cell in s.split()] for s in cells.split("|")]
    place = rf"key.conll:{line}: " if line else r"key.conll: "
    key = corpus(columns(sentences))
    with pytest.raises(InputError, match=rf"{place}.*{found}.*; expected .* in column 6"):
        score(key, key, mentions="np-only")


def test_every_document_without_a_parse_is_named(corpus):
    """As are those that were not read from columns, or from few."""
    bare = [[("a", "-", "(1)")]]
    key = corpus(columns(bare, "(d); part 000") + columns(bare, "(e); part 000"))
    few = corpus("#begin document d\nd\t0\t0\ta\t(1)\nd\t0\t1\tb\t-\n\n#end document\n")
    for side, n in ((key, 2), (few, 1), (Corpus((Document.of_rows("d", (), words="a"),)), 1)):
        with pytest.raises(InputError) as error:
            score(side, side, mentions="np-only")
        assert ["without a parse" in problem.found for problem in error.value.problems] == [
            True
        ] * n


@given(st.lists(parsed_sentences(), min_size=1, max_size=3))
def test_the_parse_is_read_as_it_is_written(tmp_path_factory, sentences):
    path = tmp_path_factory.mktemp("parses") / "key.conll"
    path.write_text(columns([[("w", cell, "(1)") for cell in cells] for cells in sentences]))
    (document,) = read(path)
    written = [
        "".join(f"({label}" for label in word.opened) + "*" + ")" * word.n_closed
        for word in parse_of(document)
    ]
    assert written == [cell for cells in sentences for cell in cells]


def spans(most=8):
    both = st.tuples(st.integers(0, most), st.integers(0, most))
    return both.map(lambda ends: (min(ends), max(ends) + 1))


@st.composite
def discontinuous(draw):
    """A document whose mentions may have gaps, and each mention's set of words."""
    rows, pieces = [], []
    for entity in range(draw(st.integers(1, 3))):
        for start, end in draw(st.lists(spans(), min_size=1, max_size=5)):
            gap = draw(st.integers(start, end))
            has_gap = start < gap < end - 1 and draw(st.booleans())
            pieces.append(((start, gap), (gap + 1, end)) if has_gap else ())
            rows.append((start, end, entity))
    return Document.of_rows(
        "d", rows, words="abcdefghi", attributes=Attributes.of(len(rows), pieces=pieces)
    )


def words_of(mention):
    return {at for start, end in mention.runs for at in range(start, end)}


@given(discontinuous())
def test_a_mention_inside_another_of_its_entity_goes(document):
    """Slow oracle: sets of words, each with each; mentions inside those of others stay, and all of
    an entity that has one mention more than it has pairs of them inside each other."""
    expected = []
    for entity in document.entities:
        inside = [sum(words_of(m) < words_of(other) for other in entity) for m in entity]
        is_whole = len(entity) - sum(inside) == 1
        left = (m for m, n in zip(entity, inside, strict=True) if is_whole or not n)
        expected.append(sorted(left))
    expected.sort()
    (filtered,), _ = with_scored_mentions(([document], [document]), WITHOUT_NESTED)
    assert sorted(sorted(entity) for entity in filtered.entities) == expected
    assert filtered == Document.of_rows(
        "d",
        filtered.rows.tolist(),
        words=document.words,
        attributes=filtered.attributes,
    )


def test_split_antecedents_and_the_order_of_the_file_survive():
    document = Document.of_rows(
        "d",
        [(5, 6, "c"), (0, 2, "b"), (1, 2, "b"), (0, 2, "a"), (3, 4, "a")],
        words="abcdef",
        split_antecedents=[("c", ("a", "b"))],
    )
    (filtered,), _ = with_scored_mentions(([document], [document]), WITHOUT_NESTED)
    assert filtered.split_antecedents == document.split_antecedents
    assert filtered.listed == document.listed == (0, 1, 2)
