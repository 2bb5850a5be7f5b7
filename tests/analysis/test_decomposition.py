"""What each score loses, in six parts, and how much of a score is local."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corescore
from corescore import Corpus, Document
from corescore.analysis.credit import FIRST
from corescore.analysis.decomposition import (
    COUNTERFACTUALS,
    PARTS,
    by_convention,
    decompose,
)
from corescore.analysis.long_documents import along, by_distance, by_size, by_window
from corescore.analysis.perturbation import without_singletons
from corescore.analysis.split_antecedents import by_type
from corescore.corpus.documents import Attributes
from corescore.corpus.problems import PolicyError
from corescore.counting.counts import MEASURES
from corescore.util import bundled
from tests.support import oracle
from tests.support.samples import SAMPLE
from tests.support.shell import printed, refused
from tests.support.texts import with_zeros

# What each score loses, divided among six parts: held against sets, fractions and every -----------

CUT = 0.5  # added to the number of a mention whose span is wrong
SIX = ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea")
METRICS = (*SIX, "conll")

# A mention: its entity in the key, in the response (None: not there), and whether the response has
# a part of its span only.
MENTIONS = st.lists(
    st.tuples(
        st.none() | st.integers(0, 2), st.none() | st.integers(0, 2), st.sampled_from([0, 0, 1])
    ),
    max_size=5,
)


def scored(mentions):
    """The mentions as documents: each has two words of three, and one if its span is wrong."""
    sides = []
    for side in (0, 1):
        rows = [
            (3 * at, 3 * at + 2 - (side and is_cut(mention)), mention[side])
            for at, mention in enumerate(mentions)
            if mention[side] is not None
        ]
        words = tuple(f"w{at}" for at in range(3 * len(mentions)))
        sides.append(Document.of_rows("d", rows, words=words))
    return corescore.score(*sides)


def is_cut(mention):
    return bool(mention[2]) and None not in mention[:2]


def groups(labelled):
    entities = {}
    for mention, label in labelled:
        entities.setdefault(label, set()).add(mention)
    return [frozenset(entity) for entity in entities.values()]


def most(numbered, side):
    """By entity of a side: the entity of the other that has most of it, of equal ones the first."""
    found = {}
    for _, mention in numbered:
        if None not in mention[:2]:
            found.setdefault(mention[side], []).append(mention[1 - side])
    return {
        entity: max(Counter(others), key=Counter(others).get) for entity, others in found.items()
    }


def partitions(mentions, fixed):
    """Key and response after fixing these parts, mention by mention."""
    numbered = [*enumerate(mentions)]
    sizes = [Counter(mention[side] for mention in mentions) for side in (0, 1)]
    homes = [most(numbered, side) for side in (0, 1)]
    response = []
    for at, mention in numbered:
        of_key, of_response, _ = mention
        span = at + CUT if is_cut(mention) and "span errors" not in fixed else at
        if of_key is None and of_response is None:
            continue
        if of_response is None:
            part = "missing singletons" if sizes[0][of_key] == 1 else "missing mentions"
            if part not in fixed:
                continue
        if of_key is None:
            part = "spurious singletons" if sizes[1][of_response] == 1 else "spurious mentions"
            if part in fixed:
                continue
        if "linking" in fixed:
            home = of_key if of_key is not None else homes[1].get(of_response)
            label = ("r", of_response) if home is None else ("k", home)
        else:
            home = of_response if of_response is not None else homes[0].get(of_key)
            label = ("k", of_key) if home is None else ("r", home)
        response.append((span, label))
    key = groups((at, mention[0]) for at, mention in numbered if mention[0] is not None)
    return key, groups(response)


def scores_of(pair):
    found = {name: oracle.score(name, [pair], empty=Fraction(0)) for name in METRICS}
    return {(name, m): getattr(one, m) for name, one in found.items() for m in MEASURES}


@cache
def steps():
    """How often each part is fixed after each set of others, in all 720 orders."""
    orders = permutations(PARTS)
    return Counter((frozenset(order[:at]), order[at]) for order in orders for at in range(6))


def shares(mentions):
    """By metric and measure, the share of each part: the mean over all orders; and the scores
    before and after all."""

    @cache
    def worth(fixed):
        return scores_of(partitions(mentions, fixed))

    found = {}
    for (fixed, part), n_orders in steps().items():
        before, after = worth(fixed), worth(fixed | {part})
        for one in before:
            if before[one] is not None and before[one] != after[one]:
                gain = (after[one] - before[one]) * Fraction(n_orders, 720)
                found[one, part] = found.get((one, part), 0) + gain
    return found, worth(frozenset()), worth(frozenset(PARTS))


@given(MENTIONS)
def test_shares_are_the_mean_over_all_orders_of_fixing_the_parts(mentions):
    made = decompose(scored(mentions))
    by_part, before, after = shares(tuple(mentions))
    for at, name in enumerate(made.metrics):
        for m, measure in enumerate(MEASURES):
            if before[name, measure] is None:
                assert np.isnan(made.loss[at, m]).all()
                continue
            assert made.score[at, m] == pytest.approx(float(before[name, measure]), abs=1e-12)
            assert made.best[at, m] == pytest.approx(float(after[name, measure]), abs=1e-12)
            expected = [float(by_part.get(((name, measure), part), 0)) for part in PARTS]
            assert made.loss[at, m].tolist() == pytest.approx(expected, abs=1e-12)


@given(MENTIONS)
def test_other_responses_are_those_of_sets_and_of_perturbations(mentions):
    result = scored(mentions)
    made = decompose(result)
    numbered = [(at, m) for at, m in enumerate(mentions) if m[:2] != (None, None)]
    key = groups((at, m[0]) for at, m in numbered if m[0] is not None)
    shared = [(at, m[1]) for at, m in numbered if None not in m[:2] and not is_cut(m)]
    missing = {at for entity in key for at in entity} - {at for at, _ in shared}
    expected = {
        "all key mentions, nothing linked": [(at, at) for entity in key for at in entity],
        "the response's links among shared mentions": shared,
        "all key mentions, the response's links": [*shared, *((at, (at,)) for at in missing)],
    }
    found = {name: scores_of((key, groups(of))) for name, of in expected.items()}
    sides = Corpus(result.comparison.key), Corpus(result.comparison.response)
    for name, incorrect in (
        ("without incorrectly resolved mentions", "all"),
        ("without those that have a link in the key", "linked"),
    ):
        response = corescore.perturb(*sides, f"more-precise:incorrect={incorrect}")
        again = corescore.score(sides[0], response)
        found[name] = {
            (metric, m): getattr(again[metric], m) for metric in METRICS for m in MEASURES
        }
    for name, scores in found.items():
        for at, metric in enumerate(made.metrics):
            for m, measure in enumerate(MEASURES):
                if scores[metric, measure] is not None:
                    told = made.otherwise[name][at, m]
                    wanted = pytest.approx(float(scores[metric, measure]), abs=1e-12, nan_ok=True)
                    assert told == wanted, name
    assert {*found} | {"the response's mentions, the key's links"} == {*COUNTERFACTUALS}


def test_a_missing_mention_joins_the_first_of_two_entities_that_have_as_much_of_its_own():
    key = [(0, 0), (1, 1), (2, 0), (3, 0)]  # 3 is missing; 0 is with 1, 2 is alone
    missing, fixed = ([(0, 0), (1, 0), (2, 1), *more] for more in ([], [(3, 0)]))
    found = result_of(key, missing)
    linked = result_of(key, [row for row in key if row[0] != 3])
    for metric in METRICS:
        alone = result_of(key, fixed)[metric].f1 - found[metric].f1
        expected = (alone + 1 - linked[metric].f1) / 2  # of two parts, each first once
        share = found.decomposition.of_part("f1", "missing mentions")
        assert share[METRICS.index(metric)] == pytest.approx(expected, abs=1e-12)


def result_of(*sides, n_words=9):
    """Of mentions of a word each: (place, entity)."""
    rows = ([(at, at + 1, entity) for at, entity in side] for side in sides)
    key, response = (Document.of_rows("d", of, words=("w",) * n_words) for of in rows)
    return corescore.score(key, response)


def test_singletons_have_a_part_of_their_own_and_a_wrong_link_is_linking():
    """Key {ab}{c}, response {ab}{d}: all that MUC asks for is there; B³ lacks c and has d."""
    made = decompose(result_of([(0, 0), (1, 0), (2, 1)], [(0, 0), (1, 0), (3, 1)]))
    assert made.of_group("f1", "singletons")[1] == pytest.approx(float(1 - Fraction(2, 3)))
    assert made.of_part("f1", "missing singletons")[1] == pytest.approx(float(Fraction(41, 210)))
    assert made.of_group("f1", "singletons")[0] == 0
    counts = {"missing singletons": 1, "spurious singletons": 1}
    assert made.mentions == {**dict.fromkeys(PARTS, 0), **counts}
    # {abc}{d} and {ab}{cd}: MUC finds 1 link of 2 and has another
    moved = decompose(scored([(0, 0, 0), (0, 0, 0), (0, 1, 0), (1, 1, 0)]))
    assert moved.of_group("f1", "linking")[0] == pytest.approx(float(1 - Fraction(1, 2)))
    assert moved.mentions["linking"] == 1


REFUSED = [by_size, by_distance, by_window, by_type]


@pytest.mark.parametrize("analysis", REFUSED)
def test_lists_of_repeats_are_refused(analysis):
    key = Document.of_rows("d", [(0, 1, 0), (1, 2, 0), (0, 1, 1), (2, 3, 1)], words="abc")
    response = Document.of_rows("d", [(0, 1, 0), (1, 2, 0), (2, 3, 0)], words="abc")
    for policies, advice in (
        ({"repeats": "all"}, "Choose repeats 'first'."),
        ({"repeats": "listed"}, "Choose repeats 'first' and lookup 'pairs'."),
        ({"repeats": "all", "lookup": "table"}, "Choose repeats 'first' and lookup 'pairs'."),
    ):
        with pytest.raises(PolicyError, match=advice):
            analysis(corescore.score(key, response, **policies))
    with pytest.raises(PolicyError, match="Choose repeats 'first'"):
        decompose(corescore.score(key, response, repeats="all"))
    analysis(corescore.score(key, response, repeats="first", lookup="pairs"))


def test_zeros_that_are_looked_up_as_others_are_refused_with_advice_for_the_command_line(tmp_path):
    """Two zeros each at the next one's place: paired by what they depend on, but the look-up table
    has one entry for the place of both, which says that the second is the first."""
    zeros = (0, [(2, "nsubj")]), (1, [(3, "nsubj")])
    first = {(at, 1): (at, [(at, "nsubj")]) for at in (0, 1)}
    for name, places in (("key", (2, 3)), ("response", (3, 4))):
        document = with_zeros(
            {**first, **{(at, 1): of for at, of in zip(places, zeros, strict=True)}}
        )
        corescore.write(Corpus((document,)), tmp_path / f"{name}.conllu")
    paths = [str(tmp_path / f"{name}.conllu") for name in ("key", "response")]
    result = corescore.score(*paths, lookup="table")
    for analysis in REFUSED:
        with pytest.raises(PolicyError, match="repeats 'first' and lookup 'pairs'"):
            analysis(result)
    call = f"explain {' '.join(paths)} --show size"
    assert "Choose repeats 'first' and lookup 'pairs'" in refused(f"{call} --lookup table")
    assert "LEA" in printed(f"{call} --repeats first --lookup pairs")


def test_split_antecedents_are_left_out_of_credit_by_size_and_distance():
    folder = bundled("sample_data") / "split_antecedents"
    sides = [folder / f"{name}.conllua" for name in ("key", "sets")]
    dropped = corescore.score(*sides, split_antecedents="drop")
    for by in (by_size, by_distance):
        pd.testing.assert_frame_equal(by(corescore.score(*sides)), by(dropped))


def test_windows_add_up_counts_whatever_average_is_added():
    sides = SAMPLE / "key.conll", SAMPLE / "cautious.conll"
    result = corescore.score(*sides, average="macro")
    whole = by_window(result, [64]).query("words.isna()").set_index("metric")["f1"]
    assert whole.to_dict() == {metric: result[metric].f1 for metric in METRICS}


def test_conventions_are_the_scores_under_each_policy():
    key, response = (
        Corpus(corescore.read(SAMPLE / f"{name}.conll").documents[:4])
        for name in ("key", "cautious")
    )
    table = by_convention(corescore.score(key, response)).set_index(["singletons", "metric"])["f1"]
    for policy in ("keep", "drop", "drop-response"):
        again = corescore.score(key, response, singletons=policy)
        for metric in ("muc", "ceafe", "lea", "conll"):
            assert table[policy, metric] == again[metric].f1
    again = corescore.score(without_singletons(key), response)
    assert table["drop-key", "bcub"] == again["bcub"].f1


# How much of a score is local: held against texts that are cut by hand ----------------------------

WORDS = 24
# A mention's start, its length, and its entity on each side, or None.
MENTIONS_OF_LONG_DOCUMENTS = st.lists(
    st.tuples(
        st.integers(0, WORDS - 4),
        st.integers(1, 3),
        st.none() | st.integers(0, 2),
        st.none() | st.integers(0, 2),
    ),
    max_size=8,
    unique_by=lambda mention: mention[:2],
)


def corpora(mentions):
    """Key and response, a text each."""
    sides = []
    for side in (2, 3):
        rows = [(m[0], m[0] + m[1], m[side]) for m in mentions if m[side] is not None]
        words = tuple(f"w{at}" for at in range(WORDS))
        sides.append(Document.of_rows("d", rows, words=words))
    return sides


def pairs_in_windows(mentions, words):
    """Key and response of each window, as sets of the mentions that start in it."""
    return [
        tuple(
            groups(
                (m[:2], m[side]) for m in mentions if m[0] // words == at and m[side] is not None
            )
            for side in (2, 3)
        )
        for at in range(-(-WORDS // words))
    ]


@given(MENTIONS_OF_LONG_DOCUMENTS, st.integers(1, WORDS - 1))
def test_windows_are_documents_of_their_own_and_the_last_rows_are_of_whole_texts(mentions, words):
    result = corescore.score(*corpora(mentions))
    table = by_window(result, [words])
    strip = along(result, "d", words=words)
    pairs = pairs_in_windows(mentions, words)
    whole = table["words"].isna()
    assert set(table[~whole]["windows"]) == {len(pairs)}
    for rows, of in ((table[~whole], pairs), (table[whole], pairs_in_windows(mentions, WORDS))):
        for row in rows.itertuples():
            expected = oracle.score(row.metric, of, empty=Fraction(0))
            for measure in MEASURES:
                if (one := getattr(expected, measure)) is not None:
                    assert getattr(row, measure) == pytest.approx(float(one), abs=1e-12)
    assert strip["start"].tolist() == [*range(0, WORDS, words)]
    for at, side in enumerate(("key_mentions", "response_mentions")):
        assert strip[side].tolist() == [sum(map(len, pair[at])) for pair in pairs]
    for metric in SIX:
        f1 = [oracle.score(metric, [pair], empty=None).f1 for pair in pairs]
        expected = [np.nan if one is None else float(one) for one in f1]
        assert strip[metric].tolist() == pytest.approx(expected, abs=1e-12, nan_ok=True)


# What mentions earn by distance and by size, in fractions -----------------------------------------

# A mention of a word: how many words after the one before, and its entity on each side, or None.
ENTITY = st.none() | st.integers(0, 2)
PLACED = st.lists(st.tuples(st.integers(1, 3), ENTITY, ENTITY), max_size=7)
SIDES = st.sampled_from(["recall", "precision"])
BOUNDS = st.sampled_from([(), (1,), (3,), (1, 2), (2, 4)])
USUAL = {"size": (1, 9), "distance": (50, 500, 5000)}


def ends(links):
    """(first, second, credit, possible) of links: half of each at each of its mentions."""
    halves = Counter(), Counter()
    for *both, credit, possible in links:
        for mention in both:
            halves[0][mention] += Fraction(credit) / 2
            halves[1][mention] += Fraction(possible) / 2
    return halves


def nearest_links(own, other):
    """MUC's: to the nearest mention before it in both entities, or else in its own."""
    for entity in own:
        order = sorted(entity)
        for at, mention in enumerate(order[1:], start=1):
            correct = [one for one in order[:at] if one in oracle.entity_of(mention, other)]
            yield (correct or order[:at])[-1], mention, bool(correct), 1


def kinds_of_links(own, other, key):
    """BLANC's: each part that the score counts has the links of one kind of the key."""
    both = oracle.coreference_links, oracle.non_coreference_links
    counted = [links_of for links_of in both if links_of(key)]
    for links_of in counted:
        mine, theirs = links_of(own), links_of(other)
        for link in mine:
            part = Fraction(1, len(mine) * len(counted))
            yield *sorted(link), part * (link in theirs), part


def earned(metric, own, other, key):
    """(credit, possible) of each mention in the units of the metric, for each best alignment."""
    if metric == "muc":
        return [ends(nearest_links(own, other))]
    if metric == "blanc":
        return [ends(kinds_of_links(own, other, key))]
    one_each = {mention: Fraction(1) for entity in own for mention in entity}
    if metric == "bcub":
        return [
            (
                {
                    m: Fraction(
                        len(oracle.entity_of(m, own) & oracle.entity_of(m, other)),
                        len(oracle.entity_of(m, own)),
                    )
                    for m in one_each
                },
                one_each,
            )
        ]
    if metric == "lea":
        credit = {
            m: Fraction(oracle.entity_of(m, own) == oracle.entity_of(m, other))
            for m in one_each
            if len(oracle.entity_of(m, own)) == 1
        }
        linked = ends(
            (*sorted(link), share * (link in oracle.coreference_links(other)), share)
            for entity in own
            for link in oracle.coreference_links([entity])
            for share in [Fraction(2, len(entity) - 1)]
        )
        return [({**credit, **linked[0]}, one_each)]
    if metric == "ceafe":
        one_each = {m: Fraction(1, len(oracle.entity_of(m, own))) for m in one_each}
    return [(paid, one_each) for paid in oracle.best_alignments(metric, own, other)]


def number_of(mention, own, by, bounds):
    """The group of a mention of a side, from 0."""
    entity = oracle.entity_of(mention, own)
    if by == "size":
        return sum(len(entity) > most for most in bounds)
    before = [one for one in entity if one < mention]
    return 1 + sum(mention - max(before) > most for most in bounds) if before else 0


def added_up(of_mentions, number, n_groups):
    sums = [Fraction(0)] * n_groups
    for mention, worth in of_mentions.items():
        sums[number[mention]] += worth
    return sums


def expect_credit_as_by_hand(mentions, side, by, bounds):
    """Of equally good alignments CEAF may take any."""
    starts = np.cumsum([mention[0] for mention in mentions], dtype=int).tolist()
    key, response = (
        [(at, m[n]) for at, m in zip(starts, mentions, strict=True) if m[n] is not None]
        for n in (1, 2)
    )
    result = result_of(key, response, n_words=30)
    key, response = groups(key), groups(response)
    own, other = (key, response) if side == "recall" else (response, key)
    highest = bounds or USUAL[by]
    number = {m: number_of(m, own, by, highest) for entity in own for m in entity}
    n_groups = len(highest) + (1 if by == "size" else 2)
    table = {"size": by_size, "distance": by_distance}[by](result, side=side, bounds=bounds)
    for metric in SIX:
        rows = table[table["metric"] == metric]
        assert rows["mentions"].tolist() == [[*number.values()].count(n) for n in range(n_groups)]
        credit, most = rows["credit"].tolist(), rows["possible"].tolist()
        assert sum(credit) == pytest.approx(getattr(result[metric], side), abs=1e-12)
        every = [
            [added_up(of, number, n_groups) for of in one]
            for one in earned(metric, own, other, key)
        ]
        whole = 1 if metric == "blanc" else float(sum(every[0][1])) or 1
        expected = [[[float(one) / whole for one in of] for of in sums] for sums in every]
        assert any(np.allclose(sums, (credit, most), rtol=0, atol=1e-12) for sums in expected), (
            metric
        )
        shares = [c / p if p else np.nan for c, p in zip(credit, most, strict=True)]
        assert rows["share"].tolist() == pytest.approx(shares, nan_ok=True)
    return result, table


@given(PLACED, SIDES, st.sampled_from([*USUAL]), BOUNDS)
def test_credit_by_distance_and_by_size_is_that_of_mentions_in_fractions(
    mentions, side, by, bounds
):
    """The units of a metric, added up by group, are the same in its own units."""
    result, table = expect_credit_as_by_hand(mentions, side, by, bounds)
    for metric in {*SIX} - {"blanc"}:
        rows = table[table["metric"] == metric]
        units = result.credit(metric, side=side, by=by, bounds=bounds)
        whole = units["possible"].sum() or 1
        assert units[by].tolist() == rows[by].tolist()
        assert (units["credit"] / whole).tolist() == pytest.approx(rows["credit"].tolist())
        assert (units["possible"] / whole).tolist() == pytest.approx(rows["possible"].tolist())


@pytest.mark.parametrize(
    "key, response, credit, possible",
    [
        # The response links nothing: of its three pairs kept apart the key has one, (0 + 1/3) / 2
        ([(0, 0), (2, 1), (4, 0)], [(0, 0), (2, 1), (6, 2)], 1 / 6, 1 / 2),
        # The key links nothing, so BLANC is of pairs kept apart: of the response's two the key has
        # one. Its own link, between the first and the last mention, counts nowhere.
        ([(2, 0), (4, 1)], [(0, 0), (2, 1), (4, 0)], 1 / 2, 1),
        # The response's one link is wrong, and it keeps nothing apart.
        ([(0, 0), (2, 0), (4, 1)], [(2, 0), (4, 0)], 0, 1 / 2),
    ],
)
def test_what_blanc_can_earn_without_links_of_a_kind(key, response, credit, possible):
    table = by_distance(result_of(key, response), side="precision")
    of_blanc = table[table["metric"] == "blanc"]
    assert of_blanc["credit"].sum() == pytest.approx(credit, abs=1e-12)
    assert of_blanc["possible"].sum() == pytest.approx(possible, abs=1e-12)


@pytest.mark.parametrize(
    "words, distance", [(1, 1), (50, 1), (51, 2), (500, 2), (501, 3), (5000, 3), (5001, 4)]
)
def test_a_distance_is_from_start_to_start_and_its_bounds_are_in(words, distance):
    """A key of two mentions that the response has: MUC's one link is half at each end."""
    rows = [(0, 1, 0), (words, words + 1, 0), (7, 9, 1)]
    document = Document.of_rows("d", rows, words=("w",) * 6000)
    table = by_distance(corescore.score(document, document))
    of_muc = table[table["metric"] == "muc"].set_index("distance")
    named = [FIRST, "up to 50 words", "51 to 500 words", "501 to 5,000 words"]
    named.append("more than 5,000 words")
    counts = dict.fromkeys(named, 0) | {FIRST: 2, named[distance]: 1}
    assert of_muc["mentions"].to_dict() == counts
    assert of_muc.loc[named[distance], "credit"] == 0.5


@pytest.mark.parametrize("bounds", [(0,), (5, 5), (9, 1), (-1, 3)])
def test_bounds_that_do_not_rise_are_refused(bounds):
    result = result_of([(0, 0), (2, 0)], [(0, 0)])
    for by in ("size", "distance"):
        with pytest.raises(PolicyError, match="expected ascending numbers from 1, such as 1 and 9"):
            result.credit("lea", by=by, bounds=bounds)


def test_along_a_text_each_window_has_its_own_score():
    """The first window is found, the second is not."""
    result = result_of([(0, 0), (2, 0), (10, 1), (12, 1)], [(0, 0), (2, 0)], n_words=20)
    table = along(result, "d", words=5)
    assert table[["start", "end"]].to_numpy().tolist() == [[0, 5], [5, 10], [10, 15], [15, 20]]
    assert table["key_mentions"].tolist() == [2, 0, 2, 0]
    assert table["response_mentions"].tolist() == [2, 0, 0, 0]
    np.testing.assert_array_equal(table["lea"], [1, np.nan, 0, np.nan])


def test_windows_are_shorter_than_the_longest_text():
    result = corescore.score(SAMPLE / "key.conll", SAMPLE / "cautious.conll")
    assert [*by_window(result)["words"].dropna().unique()] == [32, 64, 128, 256]
    longest = max(len(document.words) for document in result.comparison.key)
    for words in (0, longest):
        with pytest.raises(PolicyError, match=f"fewer than the {longest} of the longest text"):
            by_window(result, [words])
    assert set(by_window(result, [longest - 1])["words"].dropna()) == {longest - 1}
    with pytest.raises(PolicyError, match="those of the text"):
        along(result, result.documents[0], words=10**6)
    with pytest.raises(PolicyError, match="document is 'none'"):
        along(result, "none")


def test_a_mention_matched_by_its_head_is_in_the_window_of_the_keys():
    """The key's span begins in one window, the response's, which has its head, in the next."""
    heads = Attributes.of(2, head=[5, 1])
    words = ("w",) * 10
    key = Document.of_rows("d", [(4, 7, 0), (1, 2, 0)], words=words, attributes=heads)
    response = Document.of_rows("d", [(5, 7, 0), (1, 2, 0)], words=words)
    made = corescore.score(key, response, match="partial")
    assert made["muc"].f1 == 1
    table = by_window(made, [5]).set_index(["words", "metric"])
    assert table.loc[(5, "muc"), "f1"] == 1


def in_windows(corpus, words):
    """Each window of a text as a text of its own; a plural has the elements that are in it."""
    documents = []
    for text in corpus:
        several = dict(text.split_antecedents)
        for number, start in enumerate(range(0, len(text.words), words)):
            rows = [row for row in text.rows.tolist() if start <= row[0] < start + words]
            here = {entity for _, _, entity in rows}
            sets = [(one, [of for of in its if of in here]) for one, its in several.items()]
            documents.append(
                Document.of_rows(
                    f"{text.name} {number}",
                    rows,
                    words=text.words,
                    split_antecedents=[(one, its) for one, its in sets if its],
                )
            )
    return Corpus(tuple(documents))


@pytest.mark.parametrize("words", [16, 50])
@pytest.mark.parametrize("response", ["sets", "plain"])
def test_a_window_has_the_elements_of_a_set_that_are_in_it(words, response):
    folder = bundled("sample_data") / "split_antecedents"
    sides = [corescore.read(folder / f"{name}.conllua") for name in ("key", response)]
    table = by_window(corescore.score(*sides), [words]).dropna(subset="words")
    expected = corescore.score(*(in_windows(side, words) for side in sides))
    for row in table.itertuples():
        assert row.f1 == pytest.approx(expected[row.metric].f1, abs=1e-12)
    strip = along(corescore.score(*sides), "hike", words=words)
    of_hike = [at for at, name in enumerate(expected.documents) if name.startswith("hike")]
    for metric in SIX:
        alone = expected.document_scores[metric].f1[of_hike]
        assert strip[metric].tolist() == pytest.approx(alone.tolist(), nan_ok=True)


@pytest.mark.parametrize(
    "missing, expected",
    [("c", [1, 1]), ("a", [2 * Fraction(5, 3) / (3 + 2), Fraction(2 * 2, 3 + 2)])],
)
def test_only_singletons_of_the_whole_text_are_left_out_of_windows(missing, expected):
    """A text in two halves: {a, a'}, {b}, {c} and the plural {P, P'} of a and b.

    Of the first half {a} and {P, S} are scored, of the second {a'} and {P', S'}, where S' has one
    element. A response without a leaves a' alone and out, but in S'; its S has one element of two,
    worth 2/3.
    """
    rows = [(0, 1, "a"), (1, 2, "b"), (2, 3, "P"), (4, 5, "a"), (5, 6, "c"), (6, 7, "P")]
    sides = [
        Document.of_rows("d", of, words="abPxacPx", split_antecedents=[("P", ["a", "b"])])
        for of in (rows, [row for row in rows if row != (rows[0] if missing == "a" else rows[4])])
    ]
    result = corescore.score(*sides, singletons="drop")
    table = along(result, "d", words=4)
    assert table["ceafm"].tolist() == pytest.approx([float(of) for of in expected])
