"""Whether ranks owe to the mention identification effect: against sets and fractions."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

import corescore
from corescore import PolicyError
from corescore.analysis.systems.effect import identification_effect
from corescore.corpus.files import read_bytes
from corescore.counting.policies import Policies
from corescore.rendering.many import effect_table
from corescore.scoring.presets import policies_for
from corescore.sentences.many import moved, other_reading, removed
from tests.support import oracle, plurals
from tests.support.strategies import corpora_of

SIX = ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea")
SIX_AND_CONLL = (*SIX, "conll")
ZERO = Fraction(0)

# A mention: its entity in the key and in each of three responses; None: not there.
ENTITY = st.none() | st.integers(0, 2)
DOCUMENT = st.lists(st.tuples(ENTITY, ENTITY, ENTITY, ENTITY), max_size=6)
TOYS = st.lists(DOCUMENT, min_size=1, max_size=2)


def partition(document, side):
    entities = {}
    for mention, labels in enumerate(document):
        if labels[side] is not None:
            entities.setdefault(labels[side], set()).add(mention)
    return [frozenset(entity) for entity in entities.values()]


def pairs_of(toys):
    """By response: the key and the response of each document."""
    return {f"r{n}": [(partition(of, 0), partition(of, n)) for of in toys] for n in range(1, 4)}


# What these mentions earn, from the papers' definitions -------------------------------------------


def numerators(metric, pairs, wrong):
    """Recall and precision as each is summed up, and how much of it these mentions earn: all
    pairs of these values that equally good alignments give."""
    if metric in ("ceafm", "ceafe"):
        of_each = [aligned(metric, pair, of) for pair, of in zip(pairs, wrong, strict=True)]
        sums = {tuple(map(sum, zip(*each, strict=True))) for each in product(*of_each)}
        return [sums, sums]
    if metric == "blanc":
        return [{non_coreference(pairs, wrong, side)} for side in (0, 1)]
    if metric == "bcub":
        found = []
        for side in (0, 1):
            own = sum(
                (
                    Fraction(1, len(entity_of(m, pair[side])))
                    for pair, of in zip(pairs, wrong, strict=True)
                    for m in of
                ),
                ZERO,
            )
            found.append({(total(metric, pairs, side), own)})
        return found
    return [{(total(metric, pairs, side), ZERO)} for side in (0, 1)]  # links: they have none


def total(metric, pairs, side):
    (count,) = oracle.total([oracle.COUNTS[metric](pair) for pair in pairs])
    return count[2 * side]


def entity_of(mention, side):
    return next(entity for entity in side if mention in entity)


def aligned(metric, pair, wrong):
    """Over all best alignments: their similarity, and that of these mentions."""
    every = oracle.best_alignments(metric, *pair)
    return {(paid.total(), sum((paid[m] for m in wrong), ZERO)) for paid in every}


def non_coreference(pairs, wrong, side):
    """BLANC's recall or precision, and what halves of non-coreference links add to it."""
    both = ZERO
    for (key, response), of in zip(pairs, wrong, strict=True):
        links = oracle.non_coreference_links(key) & oracle.non_coreference_links(response)
        both += sum(Fraction(len(link & of), 2) for link in links)
    coreference, non = oracle.total([oracle.blanc(pair) for pair in pairs])
    counted = sum(bool(part.recall_denominator) for part in (coreference, non))
    own = ZERO
    if non.recall_denominator and non[2 * side + 1]:
        own = both / non[2 * side + 1] / counted
    return oracle.score("blanc", pairs, empty=ZERO)[side], own


DROPPED = {"keep": (), "drop": (0, 1), "drop-key": (0,), "drop-response": (1,)}


def dropped(pair, singletons):
    return tuple(
        [entity for entity in side if len(entity) > 1 or at not in DROPPED[singletons]]
        for at, side in enumerate(pair)
    )


def expect_shares(row, sides):
    for side, possible in zip(("recall", "precision"), sides, strict=True):
        share = row[f"{side}_share"]
        shares = [float(own / every) if every else np.nan for every, own in possible]
        assert any(share == pytest.approx(one, abs=1e-12, nan_ok=True) for one in shares)


def expect_ranks(table, before, after):
    for name, metric in before:
        for column, scores in (("rank", before), ("rank_after", after)):
            better = sum(
                scores[other, metric] > scores[name, metric] for other in ("r1", "r2", "r3")
            )
            assert table.loc[(name, metric), column] == 1 + better


def expect_pairs(table, before, after):
    def sign(number):
        return (number > 0) - (number < 0)

    changed = {
        (metric, frozenset(two))
        for metric in SIX_AND_CONLL
        for two in combinations(("r1", "r2", "r3"), 2)
        if len({sign(of[two[0], metric] - of[two[1], metric]) for of in (before, after)}) > 1
    }
    both = zip(table["response"], table["other"], strict=True)
    rows = [*zip(table["metric"], map(frozenset, both), strict=True)]
    assert len(rows) == len(changed)
    assert set(rows) == changed
    for row in table.to_dict("records"):
        names = row["response"], row["other"]
        for column, scores in (("difference", before), ("difference_after", after)):
            one, other = (scores[name, row["metric"]] for name in names)
            assert row[column] == pytest.approx(float(one - other), abs=1e-12)
        assert row["difference"] > 0 or (row["difference"] == 0 and row["difference_after"] > 0)


@given(TOYS, st.sampled_from([*DROPPED]))
def test_shares_scores_ranks_and_changed_places_are_those_of_sets(toys, singletons):
    """The policy for singletons comes first; what the removal leaves alone stays."""
    by_name = pairs_of(toys)
    results = {
        name: corescore.score(*corpora_of(pairs), singletons=singletons)
        for name, pairs in by_name.items()
    }
    by_name = {name: [dropped(pair, singletons) for pair in of] for name, of in by_name.items()}
    found = identification_effect(results)
    table = found.table.set_index(["incorrect", "response", "metric"])
    for incorrect in ("all", "linked"):
        before, after = {}, {}
        for name, pairs in by_name.items():
            wrong = [oracle.incorrectly_resolved(pair, incorrect) for pair in pairs]
            rest = [(k, oracle.without(r, of)) for (k, r), of in zip(pairs, wrong, strict=True)]
            for metric in SIX_AND_CONLL:
                row = table.loc[incorrect, name, metric]
                assert row["incorrectly_resolved"] == sum(map(len, wrong))
                before[name, metric] = oracle.score(metric, pairs, empty=ZERO).f1
                after[name, metric] = oracle.score(metric, rest, empty=ZERO).f1
                assert row["score"] == pytest.approx(float(before[name, metric]), abs=1e-12)
                assert row["score_after"] == pytest.approx(float(after[name, metric]), abs=1e-12)
                if metric != "conll":
                    expect_shares(row, numerators(metric, pairs, wrong))
        expect_ranks(table.loc[incorrect], before, after)
        expect_pairs(found.pairs.query("incorrect == @incorrect"), before, after)


# Policies, readings and words ---------------------------------------------------------------------


def toy(key, *responses, **policies):
    """The results of responses in letters: "ab c" is {a, b} and {c}."""
    sides = [[frozenset(entity) for entity in side.split()] for side in (key, *responses)]
    names = [f"r{n}" for n in range(1, len(sides))]
    return {
        name: corescore.score_entities(sides[0], side, **policies)
        for name, side in zip(names, sides[1:], strict=True)
    }


KEY = "abcd ef gh"
AHEAD, BEHIND = "abc eg fh", "abcd"  # all of e to h are incorrectly resolved


def test_a_lead_that_owes_to_wrong_links_is_lost_without_them():
    """CEAFₑ: 6/7 + 1/2 + 1/2 = 13/7 of 3, 1 of it earned by these mentions; then 6/7 of 3."""
    found = identification_effect(toy(KEY, AHEAD, BEHIND))
    row = found.table.set_index(["incorrect", "response", "metric"]).loc["all", "r1", "ceafe"]
    assert row[["recall_share", "precision_share"]].tolist() == pytest.approx([7 / 13] * 2)
    assert row[["score", "score_after"]].tolist() == pytest.approx([13 / 21, 3 / 7])
    assert row[["rank", "rank_after"]].tolist() == [1, 2]
    assert "r1 and r2 change places by" in moved(found)
    assert "CEAFₑ" in moved(found)
    assert removed(found) == "Incorrectly resolved mentions: r1 4; r2 0."
    assert found.readings == ("all",)
    assert not other_reading(found)


def test_recall_of_links_stays_and_other_measures_are_ranked_by():
    found = identification_effect(toy(KEY, AHEAD, BEHIND), measure="recall")
    assert found.metrics == SIX
    for metric in ("muc", "lea"):
        at = found.metrics.index(metric)
        assert found.after[0, :, at].tolist() == pytest.approx(found.scores[:, at].tolist())
        assert found.shares[0, 0, :, at].tolist() == [0, 0]


def test_both_readings_are_shown_where_a_rank_differs():
    """x and y are singletons of the key, so "linked" leaves the links of r1 as they are."""
    same = identification_effect(toy("abc x y", "abc xy", "ab x"))
    found = identification_effect(toy("abcd x y", "abc xy", "abc x"))
    assert found.table.query("incorrect == 'linked'")["incorrectly_resolved"].sum() == 0
    assert found.n_singletons.tolist() == [2, 0]
    assert found.readings == ("all", "linked")
    assert "have a link in the key" in other_reading(found)
    heads = [column.head for column in effect_table(found).shown]
    assert "without linked" in heads
    assert len(effect_table(same).shown) in (len(heads), len(heads) - 2)


def test_without_incorrectly_resolved_mentions_no_rank_owes_to_them():
    found = identification_effect(toy("ab cd", "ab", "cd"))
    assert "no rank depends" in moved(found)
    assert found.pairs.empty
    assert (found.table["change"].dropna() == 0).all()


@pytest.mark.parametrize("singletons", ["e2e", "stanza"])
def test_a_policy_that_depends_on_the_metric_comes_first_metric_by_metric(singletons):
    key, responses = "abcd ef gh x y", ("abc eg fh x", "abcd xy e")
    found = identification_effect(toy(key, *responses, singletons=singletons)).table
    for metric in SIX:
        own = policies_for(Policies(singletons=singletons), metric).singletons
        alone = identification_effect(toy(key, *responses, singletons=own)).table
        one, other = (
            table[table["metric"] == metric].drop(
                columns=["incorrectly_resolved", "key_singletons"]
            )
            for table in (found, alone)
        )
        assert_frame_equal(one, other)


def test_results_that_also_have_zeros_and_overlaps_are_compared_by_the_six():
    key, *responses = (
        [{*map(ord, entity)} for entity in side.split()] for side in (KEY, AHEAD, BEHIND)
    )
    results = {
        f"r{n}": corescore.score(*corpora_of([(key, one)]), **corescore.preset("corefud"))
        for n, one in enumerate(responses, 1)
    }
    assert {"zero", "mor"} < {*results["r1"]}
    assert_frame_equal(
        identification_effect(results).table,
        identification_effect(toy(KEY, AHEAD, BEHIND, singletons="drop", blanc="corefud")).table,
    )


def test_split_antecedents_count_in_neither_score():
    key, response = (read_bytes(side, "d") for side in (plurals.KEY, plurals.RESPONSE))
    tables = [
        identification_effect(
            {name: corescore.score(key, response, split_antecedents=use) for name in "ab"}
        ).table
        for use in ("score", "drop")
    ]
    assert_frame_equal(*tables)


def test_one_response_says_what_to_load():
    for results, said in ((toy(KEY, AHEAD), "only one response is"), ({}, "no response is")):
        with pytest.raises(PolicyError, match=f"{said} loaded.*another system's response"):
            identification_effect(results)


def test_tallies_and_other_keys_are_refused(tmp_path):
    results = toy(KEY, AHEAD, BEHIND)
    results["r1"].save(str(tmp_path / "r1.parquet"))
    tally = corescore.load_tally(str(tmp_path / "r1.parquet"))
    with pytest.raises(PolicyError, match="r1 is a tally, which has no mentions to remove"):
        identification_effect(results | {"r1": tally})
    with pytest.raises(ValueError, match="different keys"):
        identification_effect(results | {"r1": toy("ab", "ab")["r1"]})


def test_the_chart_has_a_slope_for_each_response_and_metric():
    found = identification_effect(toy(KEY, AHEAD, BEHIND))
    figure = found.plot()
    assert len(figure.data) == 14
    first = figure.data[2 * found.metrics.index("ceafe")]
    assert list(first.y) == pytest.approx([100 * 13 / 21, 100 * 3 / 7])
    assert "1st of 2" in first.hovertext[0]
    assert "2nd" in first.hovertext[1]
    names = [(note.x, note.text) for note in figure.layout.annotations]
    of_panels = [SIX_AND_CONLL[int(x)] for x, _ in names]  # where a rank changes, and at the end
    assert of_panels == ["ceafm", *2 * ["ceafe"], *2 * ["blanc"], *2 * ["conll"]]
    assert names[-2:] == [(6.5, "r1"), (6.5, "r2")]


def test_responses_whose_changes_have_the_opposite_sign_under_the_same_metrics_share_a_list():
    found = identification_effect(toy("ab cd x y", "ab cx dy", "ab cx dy"))
    said = "opposite sign for B³, CEAFₘ, CEAFₑ and CoNLL of r1 and r2. The two"
    assert said in other_reading(found)
