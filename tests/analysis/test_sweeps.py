"""Sweeps of perturbations: their runs, what a perturbation did, and what it keeps of documents."""

from dataclasses import astuple, replace
from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Corpus, Document, PolicyError, score
from corescore.analysis.perturbation import (
    BASELINES,
    Add,
    Drop,
    LessPreciseA,
    LessPreciseB,
    Merge,
    MorePrecise,
    Move,
    Repair,
    Singletons,
    Split,
    baseline,
    parse_doses,
    perturb,
)
from corescore.analysis.perturbation.sweep import (
    ADDED,
    FALL,
    KEPT,
    MOVED,
    NOT_FALL,
    REMOVED,
    RISE,
    SAME,
    Sweep,
    band_table,
    changed_documents,
    dosed,
    expectation,
    expectation_table,
    mention_changes,
    other_reading,
    run_table,
)
from corescore.corpus.documents import Attributes, EmptyNode
from corescore.counting.counts import MEASURES
from corescore.counting.policies import POLICY_VALUES, Policies
from corescore.metrics import METRIC_IDS
from corescore.util import TOLERANCE
from tests.support.letters import lettered, scored
from tests.support.samples import EVERY_PERTURBATION
from tests.support.strategies import corpora_of, document_of, pair_corpora, partition_pairs
from tests.support.synthetic import Shape, synthesise

# Sweeps: each run is the score of what `perturb` makes, and the tables sum the runs up ------------

DOSED = [perturbation for perturbation in EVERY_PERTURBATION if perturbation.kind.is_dosed]
SMALL = Shape(documents=3, words=60, mentions=20, entities=6)


@cache
def corpora():
    return synthesise(SMALL, np.random.default_rng(2))


def sweep_of(key, response, perturbation, doses=(0.0, 0.5, 1.0), seeds=(1, 2), **options):
    fixed = {"perturbation": perturbation, "doses": doses, "seeds": seeds}
    fixed |= {"left_behind": options.pop("left_behind", "keep")}
    return Sweep(result=score(key, response, **options), **fixed)


@pytest.mark.parametrize(
    "perturbation, singletons",
    [
        *product(DOSED, ("keep", "drop")),
        *product(DOSED[:1], sorted({*POLICY_VALUES["singletons"]} - {"keep", "drop"})),
    ],
)
def test_a_run_is_the_score_of_the_perturbed_response(perturbation, singletons):
    key, response = corpora()
    policies = {"singletons": singletons, "blanc": "luo2014"}
    for left_behind, doses in (("keep", (0.0, 0.5)), ("drop", (0.5, 1.0))):
        options = {"seeds": (2,), "left_behind": left_behind, **policies}
        for run in sweep_of(key, response, perturbation, doses, **options):
            change = perturbation.at(run.dose)
            kept = {"left_behind": left_behind, "singletons": singletons}
            made = perturb(key, response, [change], seed=run.seed, **kept)
            after = Policies.of(policies).of_perturbed.singletons
            assert_same(run.scores, score(key, made, **policies | {"singletons": after}).scores)


def assert_same(scores, others):
    """Recall, precision and F1 of every metric; sums may be taken in another order."""
    assert list(scores) == list(others)
    for name, found in scores.items():
        for ratio in ("recall", "precision", "f1"):
            expected = pytest.approx(getattr(others[name], ratio), abs=1e-12, nan_ok=True)
            assert getattr(found, ratio) == expected


def test_documents_that_the_response_lacks_and_split_antecedents_count():
    key = Corpus((document(ROWS, zero=False),))
    (run,) = sweep_of(key, Corpus(()), Repair(), doses=(1.0,), seeds=(1,))
    assert 0 < run.scores["muc"].recall < 1


def test_the_signature_names_policies_perturbation_and_leavings():
    sweep = sweep_of(*corpora(), Drop(of="right", share=0.3), left_behind="drop", singletons="drop")
    *policies, perturbation, left_behind = sweep.signature.split(" | ")
    assert "singletons drop" in policies
    assert (perturbation, left_behind) == ("drop:of=correct", "left behind drop")


def test_the_table_of_runs_has_a_row_for_each_metric_of_each_by_seed_then_dose():
    sweep = sweep_of(*corpora(), Drop(), doses=(0.0, 0.5), seeds=(5, 3, 4))
    runs = list(sweep)
    assert len(runs) == len(sweep) == 6
    assert [(run.seed, run.dose) for run in runs] == [*product((5, 3, 4), (0.0, 0.5))]
    table = run_table(runs, ["lea", "conll"])
    assert list(table.columns) == ["dose", "seed", "metric", "recall", "precision", "f1"]
    assert len(table) == 6 * 2
    assert table["recall"].isna().tolist() == [False, True] * 6
    assert table["f1"].tolist() == [run.scores[m].f1 for run in runs for m in ("lea", "conll")]
    bands = band_table(run_table(runs[:1], ["muc", "bcub", "conll"]))
    assert bands["metric"].tolist() == ["muc"] * 3 + ["bcub"] * 3 + ["conll"]
    assert bands["measure"].tolist()[-1] == "f1"


def test_bands_are_means_and_quantiles_over_the_seeds():
    rows = [(dose, seed, "muc", seed / 10, dose, dose) for seed in range(11) for dose in (0.0, 0.5)]
    runs = pd.DataFrame(rows, columns=["dose", "seed", "metric", "recall", "precision", "f1"])
    table = band_table(runs).set_index(["dose", "metric", "measure"])
    assert table.index.tolist() == [*product((0.0, 0.5), ["muc"], MEASURES)]
    assert table.loc[(0.5, "muc", "recall")].tolist() == pytest.approx([0.5, 0.1, 0.9])
    assert table.loc[(0.5, "muc", "f1")].tolist() == [0.5, 0.5, 0.5]


@pytest.mark.parametrize(
    "text, doses",
    [
        ("0:1:0.25", (0, 0.25, 0.5, 0.75, 1)),
        ("0:0.3:0.1", (0, 0.1, 0.2, 0.3)),
        ("0:1:0.3", (0, 0.3, 0.6, 0.9)),
        ("0.5:0.5:1", (0.5,)),
        ("0,0.07,1", (0, 0.07, 1)),
        ("0.5", (0.5,)),
        ("0:1:0.05", tuple(n / 20 for n in range(21))),
    ],
)
def test_doses_are_ranges_with_their_stop_or_lists(text, doses):
    assert parse_doses(text) == doses


@pytest.mark.parametrize(
    "text", ["", "a", "0:1", "0:1:0", "0:1:-1", "1:0:0.1", "0:1:1e-9", "0:1:nan"]
)
def test_other_doses_are_refused(text):
    with pytest.raises(PolicyError, match="expected start:stop:step or numbers with commas"):
        parse_doses(text)


def test_what_cannot_be_swept_is_refused_before_it_starts():
    with pytest.raises(PolicyError, match="singletons has no dose to vary; expected one of: more-"):
        dosed(Singletons())
    assert dosed(MorePrecise()) == MorePrecise()
    with pytest.raises(PolicyError, match=r"share of drop is 1\.5; .* 0 to 1"):
        sweep_of(*corpora(), Drop(), doses=(0.5, 1.5))
    with pytest.raises(PolicyError, match="seed is -1"):
        sweep_of(*corpora(), Drop(), seeds=(-1,))
    with pytest.raises(PolicyError, match="left behind is 'away'"):
        sweep_of(*corpora(), Drop(), left_behind="away")


# What a perturbation did to the scores and to the mentions ----------------------------------------

# a and d have only wrong partners; f and g are missing
WRONGLY = scored("a b c | d e | f g", "b c | a d")
# 0 and 3 have only wrong partners; 5 and 6 are missing


def test_removing_the_incorrectly_resolved_is_expected_to_leave_recall_and_raise_precision():
    key, response = (Corpus(side) for side in (WRONGLY.comparison.key, WRONGLY.comparison.response))
    after = score(key, perturb(key, response, [MorePrecise()], seed=1))
    table = expectation_table(WRONGLY, after, expectation([MorePrecise()]))
    assert set(zip(table["measure"], table["expected"], strict=True)) == {
        ("recall", SAME),
        ("precision", RISE),
    }
    recall = table[table["measure"] == "recall"].set_index("metric")
    assert recall.index.tolist() == list(METRIC_IDS)
    # The others have self-links or non-coreference links fewer
    assert [*recall.index[recall["kept"].astype(bool)]] == ["muc", "lea"]
    # B³ counted 2·2/3 + 1/3 + 1/2 of 7 mentions and counts 2·2/3 without the two
    assert recall.loc["bcub", "before"] == pytest.approx((4 / 3 + 1 / 3 + 1 / 2) / 7)
    assert recall.loc["bcub", "change"] == pytest.approx(-(1 / 3 + 1 / 2) / 7)
    assert expectation_table(after, after, expectation([MorePrecise()])).empty


def test_where_steps_pull_different_ways_nothing_is_expected():
    assert expectation([MorePrecise(), LessPreciseA()]).recall == SAME
    assert expectation([MorePrecise(), LessPreciseA()]).precision == ""
    assert expectation([Drop()]).recall == ""
    assert expectation([LessPreciseA(), LessPreciseA()]).precision == FALL


@pytest.mark.parametrize(
    "key, response, step, expected",
    [
        # {a x}{b y} → {a x b y}: two correct links and two wrong ones come, and two wrong ones stay
        ("a b | x y | p q", "a x | b y | p q", Merge(pair="1+2"), {}),
        # {a b}{p q} → {a b p q}: four wrong links come, none is correct
        ("a b | x y | p q", "a b | p q", Merge(pair="1+2"), {"precision": FALL}),
        # without a correct link precision is 0 before and after
        ("a b | x y | p q", "a x | b p", Merge(pair="1+2"), {}),
        ("a b | x y | p q", "a x | b | y p", Merge(pair="1+3"), {}),
        # the entities that are split have no correct link to lose, or one
        ("a b | x y | p q", "a x | b y | p q", Split(sizes="1-1"), {"recall": FALL}),
        ("a b | x y | p q", "a x | b y", Split(sizes="1-1"), {}),
        # a spurious mention alone adds no link
        ("a b | x y", "a b", Add(number=1, into="together"), {"recall": SAME}),
        ("a b | x y", "a b", Add(number=1, into="largest"), {"recall": SAME, "precision": FALL}),
    ],
)
def test_only_what_follows_from_the_links_is_expected(key, response, step, expected):
    before = scored(key, response)
    key, response = (Corpus(side) for side in (before.comparison.key, before.comparison.response))
    after = score(key, perturb(key, response, [step], seed=1))
    table = expectation_table(before, after, expectation([step]))
    assert dict(zip(table["measure"], table["expected"], strict=True)) == expected


LINKED = [kind(incorrect="linked") for kind in (LessPreciseA, LessPreciseB)]
EXPECTED = [
    one for one in (*EVERY_PERTURBATION, *LINKED) if set(astuple(expectation([one]))) != {""}
]


@given(pair_corpora())
@pytest.mark.parametrize("perturbation", EXPECTED)
def test_muc_and_lea_never_go_the_other_way_than_expected(perturbation, pairs):
    key, response = corpora_of(pairs)
    made = perturb(key, response, [perturbation], seed=1)
    if made == response:
        return
    before, after = (score(key, one, metrics=["muc", "lea"]) for one in (response, made))
    for row in expectation_table(before, after, expectation([perturbation])).itertuples():
        assert row.kept or row.expected not in (SAME, NOT_FALL)
        low = row.expected in (SAME, RISE, NOT_FALL)
        assert not low or row.change > -TOLERANCE
        assert row.expected not in (SAME, FALL) or row.change < TOLERANCE


def test_the_other_reading_is_of_all_steps_that_use_one():
    add, drop = LessPreciseA(), Drop(of="incorrectly-resolved", share=0.5)
    steps = (MorePrecise(), add, drop, Drop())
    linked = tuple(replace(step, incorrect="linked") for step in steps[:3])
    assert other_reading(steps) == (*linked, Drop())
    assert other_reading((*linked, Drop())) == steps
    assert other_reading((MorePrecise(), linked[1])) == ()
    assert other_reading((Drop(), Drop(of="spurious", incorrect="linked"))) == ()


def test_mentions_are_kept_removed_added_or_moved():
    (before,), (after,) = lettered("a b c | d e"), lettered("a b e | f d")
    table = mention_changes(before, after)
    assert table["start"].tolist() == [0, 1, 2, 3, 4, 5]
    assert table["change"].tolist() == [KEPT, KEPT, REMOVED, KEPT, MOVED, ADDED]
    assert table["before_entity"].fillna(0).tolist() == [1, 1, 1, 2, 2, 0]
    assert table["after_entity"].fillna(0).tolist() == [1, 1, 0, 2, 1, 2]


@given(partition_pairs())
def test_every_mention_before_and_after_has_one_row_in_text_order(pair):
    before, after = map(document_of, pair)
    table = mention_changes(before, after)
    spans = list(zip(table["start"], table["end"], strict=True))
    assert set(spans) == {tuple(s) for d in (before, after) for s in d.spans.tolist()}
    assert spans == sorted(set(spans), key=lambda span: (span[0], -span[1]))
    assert (table["before_entity"].isna() == (table["change"] == ADDED)).all()
    assert (table["after_entity"].isna() == (table["change"] == REMOVED)).all()
    assert set(mention_changes(before, before)["change"]) <= {KEPT}


@given(pair_corpora())
def test_changed_documents_are_counted_together_as_each_alone(pairs):
    before, after = corpora_of(pairs)
    counts = changed_documents(before, after)
    for old, new in zip(before, after, strict=True):
        n_changed = int((mention_changes(old, new)["change"] != KEPT).sum())
        assert counts.get(old.name, 0) == n_changed
    assert list(counts.values()) == sorted(counts.values(), reverse=True)


# What perturbations and baselines keep of mentions that are more than spans -----------------------

# Mia and (she) called … up; the zero is word 2, and "called … up" is in two pieces.
WORDS = ("Mia", "and", "_", "called", "Ann", "up", "and", "they", "left", ".")
ZERO = {2: EmptyNode(1, frozenset([(3, "nsubj")]))}
# start, end, entity, head, pieces, type
ROWS = [
    (0, 1, "mia", 0, (), "person"),
    (2, 3, "mia", 2, (), "person"),
    (3, 6, "call", 3, ((3, 4), (5, 6)), "event"),
    (4, 5, "ann", 4, (), "person"),
    (7, 8, "both", 7, (), "person"),
    (8, 9, "call", 8, (), "event"),
]


def document(rows, *, zero=True, split=(("both", ("mia", "ann")),)):
    """A document of these rows; without the zero, words and mentions after it are one before."""
    words, nodes = WORDS, ZERO
    if not zero:
        words, nodes = WORDS[:2] + WORDS[3:], {}
        rows = [_without_zero(row) for row in rows if row[:2] != (2, 3)]
    return Document.of_rows(
        "d",
        [row[:3] for row in rows],
        words=words,
        attributes=Attributes.of(
            len(rows),
            head=[row[3] for row in rows],
            pieces=[row[4] for row in rows],
            entity_type=[row[5] for row in rows],
        ),
        empty_nodes=nodes,
        split_antecedents=split,
    )


def _without_zero(row):
    start, end, entity, head, pieces, kind = row
    at = [position - (position > 2) for position in range(len(WORDS) + 1)]
    moved = tuple((at[a], at[b]) for a, b in pieces)
    return at[start], at[end], entity, at[head], moved, kind


def known(of):
    """Each mention with all that is known of it."""
    a = of.attributes or Attributes.of(len(of.rows))
    spans = ((m.start, m.end) for m in of.mentions)
    return {*zip(spans, a.head.tolist(), a.pieces, a.entity_type, strict=True)}


def perturbed(key, response, *perturbations):
    (changed,) = perturb(Corpus((key,)), Corpus((response,)), perturbations, seed=1)
    return changed


@pytest.mark.parametrize("zero", [True, False])
@pytest.mark.parametrize(
    "perturbation", [one.at(0) for one in EVERY_PERTURBATION if one.kind.is_dosed]
)
def test_at_share_0_a_document_stays_as_it_is(perturbation, zero):
    """Also where the key has an empty node that the response lacks."""
    response = document(ROWS, zero=zero)
    changed = perturbed(document(ROWS), response, perturbation)
    assert changed == response
    assert changed.original == response.original


@given(st.sets(st.sampled_from(range(6))), st.booleans())
def test_repair_at_share_1_brings_back_what_the_key_knows(gone, zero):
    """Every mention of an entity with a link, with head, pieces, type and empty node."""
    rows = [row for at, row in enumerate(ROWS) if at not in gone]
    key = document(ROWS)
    changed = perturbed(key, document(rows, zero=zero), Repair(share=1.0))
    assert (changed.words, changed.empty_nodes) == (key.words, key.empty_nodes)
    assert {(row[:2], *row[3:]) for row in ROWS if row[2] in ("mia", "call")} <= known(changed)


@pytest.mark.parametrize("kind", [Move(), Merge(), Split(singletons=True), Drop(share=0.5)])
def test_mentions_keep_what_is_known_of_them(kind):
    before = document(ROWS)
    after = perturbed(before, before, kind)
    assert known(after) <= known(before)
    assert after.empty_nodes == before.empty_nodes


def test_added_mentions_are_words_of_the_text_and_nothing_is_known_of_them():
    key = document(ROWS)
    changed = perturbed(key, document([], split=()), Add(number=20))
    assert [mention.start for mention in changed.mentions] == [1, 3, 5, 6, 9]
    assert changed.attributes is None
    assert changed.empty_nodes == ZERO
    # A zero that only the key has does not stay in the response
    changed = perturbed(key, document(ROWS, zero=False), Drop(number=1))
    assert changed.words == WORDS[:2] + WORDS[3:]
    assert not changed.empty_nodes


def test_split_antecedents_stay_where_their_entities_do():
    before = document(ROWS)
    numbers = {row[2]: before.entity_of[at] for at, row in enumerate(ROWS)}
    assert before.split_antecedents == ((numbers["both"], (numbers["mia"], numbers["ann"])),)
    only_call = document([row for row in ROWS if row[2] == "call"], split=())
    kept = perturbed(only_call, before, Drop(of="correct", share=1.0))
    assert len(kept.rows) == 4
    sizes = [[len(kept.entities[n]) for n in others] for _, others in kept.split_antecedents]
    assert sizes == [[2, 1]]
    assert not perturbed(before, before, Merge()).split_antecedents


@pytest.mark.parametrize("kind", BASELINES)
def test_baselines_keep_what_is_known_of_mentions(kind):
    key = replace(document(ROWS), original=None)
    (made,) = baseline(Corpus((key,)), kind=kind)
    assert known(made) == known(key)
    assert made.empty_nodes == key.empty_nodes


@pytest.mark.parametrize("kind", BASELINES)
def test_a_baseline_of_a_response_has_its_mentions_over_the_words_of_the_key(kind):
    words = ("Ada", "met", "her", "friend", "Ada", "Byron")
    key = Document.of_entities("d", [[(0, 1), (2, 3)]], words=words)
    response = Document.of_entities("d", [[(0, 1), (2, 4)], [(4, 5)]])
    (made,) = baseline(Corpus((key,)), kind=kind, mentions_of=Corpus((response,)))
    assert made.words == words
    assert made.mentions == response.mentions
    together = {"singletons": [0, 1, 2], "one-entity": [0, 0, 0]}
    assert made.entity_of.tolist() == together.get(kind, [0, 1, 0])


@pytest.mark.parametrize(
    "perturbation, match, zeros",
    [
        *((Repair(), match, "dependent") for match in ("exact", "head", "partial", "lenient")),
        *((perturbation, "head", "dependent") for perturbation in (Drop(), Merge())),
        (Drop(), "exact", "linear"),
    ],
)
def test_a_sweep_matches_as_the_score_does(perturbation, match, zeros):
    """One mention is wider than the key's and has the same head: only "head" matches it."""
    wider = [(start, end + (start == 0), *rest) for start, end, *rest in ROWS]
    key, response = Corpus((document(ROWS),)), Corpus((document(wider),))
    policies = {"match": match, "zeros": zeros}
    runs = [*sweep_of(key, response, perturbation, (0.0, 0.5), (1,), **policies)]
    for run in runs:
        after = perturb(key, response, [perturbation.at(run.dose)], seed=run.seed)
        assert_same(run.scores, score(key, after, **policies).scores)
    assert (runs[0].scores["mentions"].f1 == 1) == (match == "head")
