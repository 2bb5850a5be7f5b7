"""What two responses reach together, against all choices and all responses of toys."""

from fractions import Fraction
from itertools import combinations, product
from math import isnan

import numpy as np
import pytest

from corescore.metrics import METRIC_IDS
from corescore.util import TOLERANCE
from tests.support.letters import sets
from tests.support.samples import damaged, partitions, results

KEY, OF_A, OF_B = "abc de", "ab df", "bcf"

# Taken are {a, b, c}, by A's link of a to b and B's of b to c, and d, which A has
RECALL = {
    "muc": Fraction(2, 3),
    "bcub": (3 * 1 + Fraction(1, 2)) / 5,
    "ceafm": Fraction(4, 5),
    "ceafe": (1 + Fraction(2, 3)) / 2,
    "lea": Fraction(3 * 1 + 2 * 0, 5),
}


def f1_of(recall):
    return 2 * recall / (1 + recall)


def toy(key=KEY, a=OF_A, b=OF_B, **policies):
    return results([sets(key)], [sets(a)], [sets(b)], **policies)


def test_correct_links_of_both_are_taken_with_all_that_follow_and_nothing_wrong():
    a, b = toy()
    pair = a.compare(b)
    for metric, recall in RECALL.items():
        assert pair.together(metric, measure="recall").by_mention == pytest.approx(float(recall))
        assert pair.together(metric).by_mention == pytest.approx(float(f1_of(recall)))
    # BLANC: 3 of the key's 4 coreference links, and 3 of its 6 others
    f1 = (f1_of(Fraction(3, 4)) + f1_of(Fraction(3, 6))) / 2
    assert pair.together("blanc").by_mention == pytest.approx(float(f1))
    conll = sum(f1_of(RECALL[metric]) for metric in ("muc", "bcub", "ceafe")) / 3
    assert pair.together().by_mention == pytest.approx(float(conll))


def every_response(mentions):
    """All partitions of all subsets of the mentions."""
    if not mentions:
        return [[]]
    first, *rest = mentions
    smaller = every_response(rest)
    more = [[*p[:at], p[at] | {first}, *p[at + 1 :]] for p in smaller for at in range(len(p))]
    return [*smaller, *([*p, {first}] for p in smaller), *more]


def links_of(entities):
    return {frozenset(two) for entity in entities for two in combinations(sorted(entity), 2)}


@pytest.mark.parametrize(
    "key, a, b, policies",
    [
        (KEY, OF_A, OF_B, {}),
        ("abc d e", "ab de", "acd", {}),
        ("abcd e", "ad bc", "bf cd", {}),
        ("abc d e", "ab de", "a b cd", {"singletons": "drop"}),
        ("ab cd", "ac bd", "ad", {"blanc": "luo2014"}),
    ],
)
def test_no_response_with_the_correct_links_of_both_scores_higher(key, a, b, policies):
    """Of all responses to a toy; under MUC, B³ and LEA one reaches the bound."""
    pair, entities = results([sets(key)], [sets(a)], [sets(b)], **policies), sets(key)
    pair = pair[0].compare(pair[1])
    in_key, listed = links_of(entities), [set().union(*sets(side)) for side in (a, b)]
    correct = in_key & (links_of(sets(a)) | links_of(sets(b)))
    for one, other in product(sorted(set().union(*listed)), repeat=2):  # and what follows
        for middle in range(6):
            if {frozenset((one, middle)), frozenset((middle, other))} <= correct and one != other:
                correct |= {frozenset((one, other))}
    found = (listed[0] | listed[1]) & set().union(*entities)
    allowed = [
        [frozenset(entity) for entity in response]
        for response in every_response(range(6))
        if (links_of(response) & in_key) <= correct
        and (set().union(*response) & set().union(*entities)) <= found
    ]
    (every,) = results([entities] * len(allowed), allowed, **policies)
    for metric, measure in product(METRIC_IDS, ("recall", "f1")):
        scores = getattr(every.document_scores[metric], measure)
        bound = pair.together(metric, measure=measure).by_mention
        highest = np.nan_to_num(scores).max()
        assert highest <= bound + TOLERANCE, (metric, measure)
        if metric in ("muc", "bcub", "lea") and policies.get("singletons") != "drop":
            assert highest == pytest.approx(bound)


@pytest.mark.parametrize("seed", range(3))
def test_of_all_choices_by_document_the_best_is_found(seed):
    key = partitions(4, seed=seed)
    sides = damaged(key, 0.4, seed=seed + 10), damaged(key, 0.4, seed=seed + 20)
    choices = [[sides[x][d] for d, x in enumerate(of)] for of in product((0, 1), repeat=4)]
    scored = results(key, *choices)
    pair = scored[0].compare(scored[-1])
    for metric in (*METRIC_IDS, "conll"):
        both = pair.together(metric)
        assert both.by_document == pytest.approx(max(one[metric].f1 for one in scored))
        taken = [int(both.from_b[name]) for name in scored[0].documents]
        (one,) = results(key, [sides[x][d] for d, x in enumerate(taken)])
        assert one[metric].f1 == pytest.approx(both.by_document)


def test_there_is_no_bound_by_mention_where_none_is_proven():
    a, b = toy()
    pair = a.compare(b)
    assert pair.together("lea", measure="precision").by_document == 0.5
    assert isnan(pair.together("lea", measure="precision").by_mention)
    assert isnan(a.tally.compare(b.tally).together("lea").by_mention)
    for policies in ({"blanc": "recasens2011"}, {"repeats": "all"}):
        a, b = toy(**policies)
        assert isnan(a.compare(b).together("blanc").by_mention)
