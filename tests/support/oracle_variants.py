"""The variants of the metrics once more, slowly, as `tests.support.oracle`: sets and fractions."""

from collections.abc import Sequence

from tests.support import oracle
from tests.support.oracle import Count, Pair, Partition, Ratio, Score, mentions_of

# --- Twinless mentions ---------------------------------------------------------------------------


def among(side: Partition, mentions) -> Partition:
    return [entity & mentions for entity in side if entity & mentions]


def alone(mentions) -> Partition:
    return [frozenset([mention]) for mention in mentions]


def one_way(recall, precision):
    """Recall out of the first counts, precision out of the second."""
    return (Count(*recall[0][:2], *precision[0][2:]),)


def b3_0(pair: Pair):
    key, response = pair
    return one_way(oracle.bcub(pair), oracle.bcub((key, among(response, mentions_of(key)))))


def without_spurious_singletons(pair: Pair) -> Pair:
    key, response = pair
    return key, [entity for entity in response if len(entity) > 1 or entity <= mentions_of(key)]


def rn(metric):
    return lambda pair: metric(without_spurious_singletons(pair))


def discard(metric):
    def counts(pair: Pair):
        shared = mentions_of(pair[0]) & mentions_of(pair[1])
        return metric((among(pair[0], shared), among(pair[1], shared)))

    return counts


def sys(metric):
    def counts(pair: Pair):
        key, response = without_spurious_singletons(pair)
        completed = [*response, *alone(mentions_of(key) - mentions_of(response))]
        larger = [*key, *alone(mentions_of(response) - mentions_of(key))]
        return one_way(metric((key, completed)), metric((larger, completed)))

    return counts


COUNTS = {
    "b3-0": b3_0,
    "b3-rn": rn(oracle.bcub),
    "ceafm-rn": rn(oracle.ceafm),
    "ceafe-rn": rn(oracle.ceafe),
    "muc-discard": discard(oracle.muc),
    "b3-discard": discard(oracle.bcub),
    "ceafm-discard": discard(oracle.ceafm),
    "ceafe-discard": discard(oracle.ceafe),
    "lea-discard": discard(oracle.lea),
    "b3-sys": sys(oracle.bcub),
    "ceaf-sys": sys(oracle.ceafm),
}


# --- From counts to scores -----------------------------------------------------------------------

SCORES = {}


def score(metric: str, pairs: Sequence[Pair], *, empty: Ratio) -> Score:
    """The score of all the documents together."""
    counts = oracle.total(COUNTS[metric](pair) for pair in pairs)
    if metric in SCORES:
        return SCORES[metric](counts, empty=empty)
    return oracle.ratios(counts[0], empty=empty)
