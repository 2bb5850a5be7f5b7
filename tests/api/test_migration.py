"""The calls of other scorers, against their rules written down slowly, over lists."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given

from corescore import InputError, preset, score
from corescore.migration import CorefEvaluator, compute
from tests.support.strategies import corpora_of, pair_corpora

# --- The e2e family: a count is (numerator, denominator) of recall and of precision ---------------


def looked_up(side):
    """The cluster of each mention, the last that lists it."""
    return {mention: cluster for cluster in side for mention in cluster}


def muc_half(own, other):
    cluster_of = looked_up(other)
    parts = [{id(cluster_of[m]) for m in c if m in cluster_of} for c in own]
    alone = [sum(m not in cluster_of for m in c) for c in own]
    rows = zip(own, parts, alone, strict=True)
    return sum(len(c) - len(part) - n for c, part, n in rows), sum(len(c) - 1 for c in own)


def muc(key, response):
    return muc_half(key, response) + muc_half(response, key)


def without_singletons(side):
    return [cluster for cluster in side if len(cluster) > 1]


def b3_half(own, other):
    cluster_of = looked_up(other)
    total = Fraction(0)
    for cluster in own:
        met = [id(cluster_of[m]) for m in cluster if m in cluster_of]
        total += Fraction(sum(met.count(one) ** 2 for one in set(met)), len(cluster))
    return total, sum(map(len, own))


def b_cubed(key, response):
    key, response = without_singletons(key), without_singletons(response)
    return b3_half(key, response) + b3_half(response, key)


def ceafe(key, response):
    response = without_singletons(response)
    small, large = sorted((key, response), key=len)
    best = max(
        sum(
            Fraction(2 * sum(m in a for m in b), len(a) + len(b))
            for a, b in zip(small, chosen, strict=True)
        )
        for chosen in permutations(large, len(small))
    )
    return best, len(key), best, len(response)


def ratio(numerator, denominator):
    return Fraction(numerator) / denominator if denominator else Fraction(0)


def prf(metric, documents):
    n, d, m, e = (sum(column) for column in zip(*(metric(*one) for one in documents), strict=True))
    recall, precision = ratio(n, d), ratio(m, e)
    return precision, recall, ratio(2 * precision * recall, precision + recall)


def e2e(documents):
    """Precision, recall and F1, each the mean over MUC, B³ and CEAF_e."""
    every = [prf(metric, documents) for metric in (muc, b_cubed, ceafe)]
    return tuple(sum(values) / 3 for values in zip(*every, strict=True))


def as_lists(side):
    return [sorted(entity) for entity in side]


def evaluated(documents):
    evaluator = CorefEvaluator()
    for key, response in documents:
        maps = ({m: c for c in side for m in c} for side in (response, key))
        evaluator.update(response, key, *maps)
    return evaluator


@given(pair_corpora())
def test_the_evaluator_is_the_rules_of_the_family(pairs):
    documents = [tuple(map(as_lists, pair)) for pair in pairs]
    evaluator = evaluated(documents)
    assert evaluator.get_prf() == pytest.approx([float(value) for value in e2e(documents)])
    assert evaluator.get_prf() == (
        evaluator.get_precision(),
        evaluator.get_recall(),
        evaluator.get_f1(),
    )


@pytest.mark.parametrize(
    ("key", "response"),
    [
        ([[1, 2], [3, 4]], [[1, 2, 3], [3, 4]]),
        ([[1, 2, 3], [3, 4]], [[1, 2], [3, 4]]),
        ([[(0, 1), (2, 2)], [(5, 7), (9, 9)]], [[(0, 1), (2, 2)], [(5, 7), (2, 2)]]),
    ],
)
def test_a_mention_listed_twice_is_looked_up_in_its_last_cluster(key, response):
    expected = [float(value) for value in e2e([(key, response)])]
    assert evaluated([(key, response)]).get_prf() == pytest.approx(expected)


def test_an_evaluator_without_documents_has_0():
    assert CorefEvaluator().get_prf() == (0, 0, 0)


def test_singletons_of_the_key_cost_ceafe_alone():
    """MUC 1/1; B³ 2/2; CEAF_e: recall 1/2, precision 1/1, so F1 2/3."""
    evaluator = evaluated([([[1, 2], [3]], [[1, 2], [4]])])
    assert evaluator.get_recall() == pytest.approx((1 + 1 + 1 / 2) / 3)
    assert evaluator.get_precision() == 1
    assert evaluator.get_f1() == pytest.approx((1 + 1 + 2 / 3) / 3)


# --- Stanza: mean recall and precision over documents, 0/0 is 0, then F1 of the two --------------


def lea_half(own, other):
    """LEA without singletons."""
    own, cluster_of = without_singletons(own), looked_up(without_singletons(other))
    total = Fraction(0)
    for cluster in own:
        pairs = [(a, b) for at, a in enumerate(cluster) for b in cluster[at + 1 :]]
        both = sum(
            a in cluster_of and b in cluster_of and cluster_of[a] is cluster_of[b] for a, b in pairs
        )
        total += len(cluster) * Fraction(both, len(pairs))
    return total, sum(map(len, own))


def stanza(half, documents):
    rows = [
        (ratio(*half(key, response)), ratio(*half(response, key))) for key, response in documents
    ]
    return with_f1(*(sum(column) / len(rows) for column in zip(*rows, strict=True)))


def stanza_lea(half, documents):
    """Stanza adds numerators and denominators of LEA up, and divides once."""
    of_key = zip(*(half(key, response) for key, response in documents), strict=True)
    of_response = zip(*(half(response, key) for key, response in documents), strict=True)
    return with_f1(*(ratio(*map(sum, side)) for side in (of_key, of_response)))


def with_f1(recall, precision):
    return [recall, precision, ratio(2 * precision * recall, precision + recall)]


@pytest.mark.parametrize(
    ("metric", "half"), [("muc", muc_half), ("bcub", b3_half), ("lea", lea_half)]
)
@given(pairs=pair_corpora())
def test_the_averages_of_the_preset_stanza(metric, half, pairs):
    documents = [tuple(map(as_lists, pair)) for pair in pairs]
    mean = score(*corpora_of(pairs), **preset("stanza")).means[metric]
    averaged = stanza_lea if metric == "lea" else stanza
    expected = [float(value) for value in averaged(half, documents)]
    assert [mean.recall, mean.precision, mean.f1] == pytest.approx(expected)


# --- Hugging Face's coval ------------------------------------------------------------------------


def rows(*cells):
    return [f"doc 0 {at} w{at} - - - - - - - {cell}" for at, cell in enumerate(cells)]


KEY = [rows("(1)", "(2)", "-"), rows("(1)", "(2)", "(3)")]
RESPONSE = [rows("(7)", "(8)", "-"), rows("(7)", "-", "(8)")]


def test_compute_reads_rows_and_names_scores_as_coval():
    """Mentions 4 of 5 and 4 of 4; MUC 1 of 2 and 1 of 2."""
    values = compute(predictions=RESPONSE, references=KEY)
    assert [*values] == [
        *(
            f"{metric}/{measure}"
            for metric in ("mentions", "muc", "bcub", "ceafe", "lea")
            for measure in ("recall", "precision", "f1")
        ),
        "conll_score",
    ]
    assert values["mentions/recall"] == pytest.approx(4 / 5)
    assert values["muc/precision"] == pytest.approx(1 / 2)
    f1 = sum(values[f"{metric}/f1"] for metric in ("muc", "bcub", "ceafe"))
    assert values["conll_score"] == pytest.approx(100 * f1 / 3)


def test_compute_drops_singletons_on_both_sides():
    """Without {3}: B³ recall ((2/2 + 2/2) + (1/2 + 0)) / 4, where {8} keeps a spurious mention."""
    values = compute(predictions=RESPONSE, references=KEY, keep_singletons=False)
    assert values["bcub/recall"] == pytest.approx((2 + 1 / 2) / 4)
    assert values["mentions/recall"] == pytest.approx(3 / 4)


def test_compute_takes_clusters_of_several_documents():
    same = compute(
        predictions=[[[(0, 0), (3, 3)], [(1, 1), (5, 5)]]],
        references=[[[(0, 0), (3, 3)], [(1, 1), (4, 4)], [(5, 5)]]],
    )
    assert same == pytest.approx(compute(predictions=RESPONSE, references=KEY))
    assert compute(predictions=[[], [["a", "b"]]], references=[[["a", "b"]], [["a", "b"]]])[
        "muc/recall"
    ] == pytest.approx(1 / 2)


def test_compute_refuses_what_it_cannot_read():
    with pytest.raises(InputError, match="never closes"):
        compute(predictions=[rows("(1", "-")], references=KEY)
    with pytest.raises(ValueError, match="1 predictions for 2 references"):
        compute(predictions=[[[1]]], references=[[[1]], [[2]]])
