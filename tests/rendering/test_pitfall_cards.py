"""Pitfall cards: their tables and both sides of them."""

import pytest

from corescore.metrics import METRIC_IDS
from corescore.rendering import classroom
from corescore.teaching.criteria import NO_VALUE
from corescore.teaching.pitfalls import PITFALLS

BY_ID = {pitfall.id: pitfall for pitfall in PITFALLS}


@pytest.mark.parametrize("card", PITFALLS, ids=lambda card: card.id)
def test_every_metric_is_marked_as_agreeing_or_not(card):
    table = classroom.score_table(card)
    shown = (*METRIC_IDS, *card.beside)
    n_against = sum(card.case.disagrees(metric) for metric in shown)
    assert table.count("✗</span>disagrees: ") == n_against
    assert n_against or card.positions or card.about
    n_without = sum(card.case.first(metric) == NO_VALUE for metric in shown)
    assert table.count("✓</span>") == len(shown) - n_against - n_without
    assert table.count("–</span>no value: 0/0") == n_without
    assert "_" not in table + classroom.why(card) + classroom.finding(card)
    assert "about " in classroom.tile(card)


def test_the_table_of_links_names_the_first_links_and_counts_the_rest():
    text = classroom.link_rows(BY_ID["ceafe-sizes"])
    assert f"<b>190</b><small>ab ac ad ae af +{190 - (classroom.MOST_NAMED - 1)}<" in text
    few = classroom.link_rows(BY_ID["singletons-inflate"])
    assert "<b>6</b><small>ac ad bc bd cd ef<" in few


def test_a_spurious_mention_is_marked_and_a_missing_one_named():
    spurious = classroom.sides(BY_ID["lea-extra-mention"], marked=False)
    assert 'class="pit-chip spurious" title="spurious: the key lacks it">x<' in spurious
    assert "left out" in classroom.sides(BY_ID["mentions-removed"], marked=False)


def test_what_agrees_with_the_key_is_marked_on_a_and_b():
    merged = classroom.sides(BY_ID["muc-one-entity"], marked=True)
    assert merged.count('class="pit-apart"') == 3  # {ab}{cd}{ef}{gh} in one entity
    assert 'aria-label="entity a b c d e f g h: mentions that do not corefer"' in merged
    assert 'aria-label="entity a b: just as the key has it"' in merged
    assert '<small class="pit-mark">1 of 2</small>' in merged
    assert "pit-mark" not in classroom.sides(BY_ID["muc-one-entity"], marked=False)


def test_an_average_has_neither_recall_nor_precision():
    assert classroom.score_table(BY_ID["conll-average"]).count("no R or P") == 2
    assert "nan" not in classroom.score_table(BY_ID["conll-average"])
