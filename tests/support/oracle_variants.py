"""The variants of the metrics once more, slowly, as `tests.support.oracle`: sets and fractions."""

from fractions import Fraction
from itertools import combinations, permutations
from math import log2, sqrt

from tests.support import oracle
from tests.support.oracle import Count, Score, mentions_of

# --- Twinless mentions ---------------------------------------------------------------------------


def among(side, mentions):
    return [entity & mentions for entity in side if entity & mentions]


def alone(mentions):
    return [frozenset([mention]) for mention in mentions]


def one_way(recall, precision):
    """Recall out of the first counts, precision out of the second."""
    return (Count(*recall[0][:2], *precision[0][2:]),)


def b3_0(pair):
    key, response = pair
    return one_way(oracle.bcub(pair), oracle.bcub((key, among(response, mentions_of(key)))))


def without_spurious_singletons(pair):
    key, response = pair
    return key, [entity for entity in response if len(entity) > 1 or entity <= mentions_of(key)]


def rn(metric):
    return lambda pair: metric(without_spurious_singletons(pair))


def discard(metric):
    def counts(pair):
        shared = mentions_of(pair[0]) & mentions_of(pair[1])
        return metric((among(pair[0], shared), among(pair[1], shared)))

    return counts


def sys(metric):
    def counts(pair):
        key, response = without_spurious_singletons(pair)
        completed = [*response, *alone(mentions_of(key) - mentions_of(response))]
        larger = [*key, *alone(mentions_of(response) - mentions_of(key))]
        return one_way(metric((key, completed)), metric((larger, completed)))

    return counts


# --- CEAF on links -------------------------------------------------------------------------------


def n_links(entity):
    return len([*combinations(entity, 2)])


def ceafm_links(pair):
    best = oracle._best(pair, lambda k, r: Fraction(n_links(k & r)))
    return (Count.of(best, sum(map(n_links, pair[0])), best, sum(map(n_links, pair[1]))),)


def ceafe_links(pair):
    linked = tuple([entity for entity in side if len(entity) > 1] for side in pair)
    best = oracle._best(linked, lambda k, r: Fraction(2 * n_links(k & r), n_links(k) + n_links(r)))
    return (Count.of(best, len(linked[0]), best, len(linked[1])),)


# --- BLANC_α -------------------------------------------------------------------------------------


def weighted_blanc(weight):
    def score(counts, *, empty):
        if any(not count.recall_denominator for count in counts):
            return oracle.blanc_ratios(counts, empty=empty)
        parts = (oracle.ratios(count, empty=empty) for count in counts)
        both = zip(*parts, strict=True)
        return Score(*(weight * (c or 0) + (1 - weight) * (n or 0) for c, n in both))

    return score


# --- Entropies -----------------------------------------------------------------------------------


def shared_sides(pair):
    shared = mentions_of(pair[0]) & mentions_of(pair[1])
    return among(pair[0], shared), among(pair[1], shared)


def entropies(pair):
    """H(K), H(R), H(K, R) in bits, each summed over the mentions; and how many those are."""
    key, response = shared_sides(pair)
    mentions = sorted(mentions_of(key))
    m = len(mentions)
    cells = [(oracle.entity_of(one, key), oracle.entity_of(one, response)) for one in mentions]
    of_key = sum(log2(m / len(k)) for k, _ in cells)
    of_response = sum(log2(m / len(r)) for _, r in cells)
    joint = sum(log2(m / len(k & r)) for k, r in cells)
    return of_key, of_response, joint, m


def h(pair):
    key, response, joint, _ = entropies(pair)
    mutual = key + response - joint
    return (Count(mutual, key, mutual, response),)


def h_log(pair):
    key, response, joint, m = entropies(pair)
    most = m * log2(m) if m else 0.0
    return (Count(key + response - joint, most, key + response - joint, most),)


def by(mean):
    """F1 is the information of both sides by a mean of the two entropies."""

    def score(counts, *, empty):
        ((mutual, key, _, response),) = counts
        recall, precision, _ = oracle.ratios(counts[0], empty=empty)
        if not key and not response:
            return Score(recall, precision, empty)
        below = mean(mutual, key, response)
        return Score(recall, precision, mutual / below if below else 0)

    return score


# --- ACE-Value -----------------------------------------------------------------------------------


def ace(missing_entity=1, missing_mention=1, spurious_entity=1, spurious_mention=1):
    """The least cost of all alignments of entities that share a mention."""

    def cost(key, response, aligned):
        total = Fraction(0)
        for at, entity in enumerate(key):
            found = entity & response[aligned[at]] if at in aligned else frozenset()
            total += missing_mention * len(entity - found) + missing_entity * (not found)
        back = {other: at for at, other in aligned.items()}
        for at, entity in enumerate(response):
            found = entity & key[back[at]] if at in back else frozenset()
            total += spurious_mention * len(entity - found) + spurious_entity * (not found)
        return total

    def counts(pair):
        key, response = pair
        alignments = (
            dict(zip(some, others, strict=True))
            for size in range(1 + min(len(key), len(response)))
            for some in combinations(range(len(key)), size)
            for others in permutations(range(len(response)), size)
        )
        least = min(cost(key, response, aligned) for aligned in alignments)
        nothing = cost(key, [], {})
        return (Count.of(nothing - least, nothing, 0, 0),)

    return counts


def ace_score(counts, *, empty):
    (count,) = counts
    if not count.recall_denominator:
        return Score(None, None, empty)
    return Score(None, None, count.recall_numerator / count.recall_denominator)


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
    "ceafm-links": ceafm_links,
    "ceafe-links": ceafe_links,
    "blanc_0.2": oracle.blanc,
    "blanc_0.1": oracle.blanc,
    "h": h,
    "h-joint": h,
    "h-geometric": h,
    "h-max": h,
    "h-log": h_log,
    "ace": ace(),
}


# --- From counts to scores -----------------------------------------------------------------------

SCORES = {
    "blanc_0.2": weighted_blanc(Fraction(1, 5)),
    "blanc_0.1": weighted_blanc(Fraction(1, 10)),
    "h-joint": by(lambda mutual, key, response: key + response - mutual),
    "h-geometric": by(lambda mutual, key, response: sqrt(key * response)),
    "h-max": by(lambda mutual, key, response: max(key, response)),
    "ace": ace_score,
}


def score(metric, pairs, *, empty):
    """The score of all the documents together."""
    counts = oracle.total(COUNTS[metric](pair) for pair in pairs)
    if metric in SCORES:
        return SCORES[metric](counts, empty=empty)
    return oracle.ratios(counts[0], empty=empty)
