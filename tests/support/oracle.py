"""The metrics once more, slowly: sets and fractions, straight from the papers' definitions.

Nothing here knows of arrays or of corescore. A partition is a list of frozensets of mentions; a
document a pair (key, response) of partitions; a count four Fractions; a score three, or None where
nothing was there to be found.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import NamedTuple

Entity = frozenset[Hashable]
Partition = Sequence[Entity]
Pair = tuple[Partition, Partition]
Ratio = Fraction | None


class Count(NamedTuple):
    recall_numerator: Fraction
    recall_denominator: Fraction
    precision_numerator: Fraction
    precision_denominator: Fraction

    @classmethod
    def of(cls, *values):
        return cls(*map(Fraction, values))

    def plus(self, other):
        return Count(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


class Score(NamedTuple):
    recall: Ratio
    precision: Ratio
    f1: Ratio


def mentions_of(side):
    return frozenset().union(*side)


def both_ways(half, pair):
    """Recall by `half(key, response)`, precision by `half(response, key)`."""
    key, response = pair
    return (Count.of(*half(key, response), *half(response, key)),)


# --- MUC, Vilain et al. 1995 ---------------------------------------------------------------------


def muc(pair):
    return both_ways(_missing_links, pair)


def _missing_links(side, other):
    """Σ |S| − |p(S)| and Σ |S| − 1, where p(S) is S cut up by the other side."""
    return (
        Fraction(sum(len(entity) - len(_parts(entity, other)) for entity in side)),
        Fraction(sum(len(entity) - 1 for entity in side)),
    )


def _parts(entity, other):
    uncovered = entity - mentions_of(other)
    return {entity & o for o in other if entity & o} | {frozenset([m]) for m in uncovered}


# --- B³, Bagga & Baldwin 1998 --------------------------------------------------------------------


def bcub(pair):
    return both_ways(_mention_shares, pair)


def _mention_shares(side, other):
    """The sum over mentions of |own entity ∩ its entity there| / |own entity|."""
    total = Fraction(0)
    for mention in mentions_of(side):
        own = entity_of(mention, side)
        total += Fraction(len(own & entity_of(mention, other)), len(own))
    return total, Fraction(len(mentions_of(side)))


def entity_of(mention, side):
    return next((entity for entity in side if mention in entity), frozenset())


# --- CEAF, Luo 2005 ------------------------------------------------------------------------------


def ceafm(pair):
    best = _best(pair, lambda k, r: Fraction(len(k & r)))
    return (Count.of(best, len(mentions_of(pair[0])), best, len(mentions_of(pair[1]))),)


def ceafe(pair):
    best = _best(pair, lambda k, r: Fraction(2 * len(k & r), len(k) + len(r)))
    return (Count.of(best, len(pair[0]), best, len(pair[1])),)


def _best(pair, similarity):
    """The greatest sum of similarities over every one-to-one alignment, each tried."""
    short, long = sorted(pair, key=len)
    return max(
        sum((similarity(*aligned) for aligned in zip(short, chosen, strict=True)), Fraction(0))
        for chosen in permutations(long, len(short))
    )


# --- Links: BLANC, Recasens & Hovy 2011 and Luo et al. 2014; pairwise; Rand ----------------------


def best_alignments(metric, own, other):
    """Each best alignment: what it pays the mentions of each aligned entity."""
    size = max(len(own), len(other))
    mine, theirs = ([*side, *[frozenset()] * (size - len(side))] for side in (own, other))
    found = []
    for order in permutations(theirs):
        paid = Counter()
        for k, r in zip(mine, order, strict=True):
            worth = Fraction(1) if metric == "ceafm" else Fraction(2, max(len(k) + len(r), 1))
            paid.update(dict.fromkeys(k & r, worth))
        found.append(paid)
    most = max(paid.total() for paid in found)
    return [paid for paid in found if paid.total() == most]


def coreference_links(side):
    return {frozenset(link) for entity in side for link in combinations(sorted(entity), 2)}


def all_links(side):
    return {frozenset(link) for link in combinations(sorted(mentions_of(side)), 2)}


def non_coreference_links(side):
    return all_links(side) - coreference_links(side)


def _common(key, response):
    right = len(key & response)
    return Count.of(right, len(key), right, len(response))


def blanc(pair):
    coreference = _common(*map(coreference_links, pair))
    return coreference, _common(*map(non_coreference_links, pair))


def blanc_luo2014(pair):
    """The same links; the mentions decide if there are none."""
    return *blanc(pair), *mentions(pair)


def blanc_recasens2011(pair):
    """The links among the mentions that both sides have."""
    shared = mentions_of(pair[0]) & mentions_of(pair[1])
    key, response = ([e & shared for e in side if e & shared] for side in pair)
    return blanc((key, response))


def links(pair):
    return (_common(*map(coreference_links, pair)),)


def rand(pair):
    """Right decisions, of all pairs of mentions of each side."""
    coreference, non_coreference = blanc(pair)
    right = coreference.recall_numerator + non_coreference.recall_numerator
    return (Count.of(right, len(all_links(pair[0])), right, len(all_links(pair[1]))),)


# --- LEA, Moosavi & Strube 2016 ------------------------------------------------------------------


def lea(pair):
    return both_ways(_resolved_entities, pair)


def _resolved_entities(side, other):
    """Σ |entity| · (its links that the other side has / its links), and Σ |entity|."""
    there = set().union(*map(_lea_links, other))
    resolved = Fraction(0)
    for entity in side:
        own = _lea_links(entity)
        resolved += len(entity) * Fraction(len(own & there), len(own))
    return resolved, Fraction(len(mentions_of(side)))


def _lea_links(entity):
    """The links of an entity; a singleton's link to itself."""
    return coreference_links([entity]) if len(entity) > 1 else {entity}


# --- Mention identification; mentions whose links are all wrong (Moosavi & Strube 2016, §2) -------


def incorrectly_resolved(pair, incorrect="all"):
    """The shared mentions with partners in the response, none of them one in the key; with
    "linked" only those that have a partner in the key."""
    key, response = pair

    def partners(mention, side):
        return entity_of(mention, side) - {mention}

    return frozenset(
        mention
        for mention in mentions_of(key) & mentions_of(response)
        if partners(mention, response)
        and not partners(mention, response) & partners(mention, key)
        and (incorrect == "all" or partners(mention, key))
    )


def without(side, removed):
    return [entity - removed for entity in side if entity - removed]


def mentions(pair):
    return (_common(*map(mentions_of, pair)),)


COUNTS = {
    "muc": muc,
    "bcub": bcub,
    "ceafm": ceafm,
    "ceafe": ceafe,
    "blanc": blanc,
    "lea": lea,
    "mentions": mentions,
    "links": links,
    "rand": rand,
}
BLANC_COUNTS = {
    "reference": blanc,
    "luo2014": blanc_luo2014,
    "recasens2011": blanc_recasens2011,
    "corefud": blanc,
    "scorch": blanc_luo2014,
}


# --- From counts to scores -----------------------------------------------------------------------


def total(counts):
    """The sum of the counts of several documents, part by part."""
    first, *rest = counts
    for other in rest:
        first = tuple(mine.plus(theirs) for mine, theirs in zip(first, other, strict=True))
    return first


def ratios(count, *, empty):
    recall = _ratio(count.recall_numerator, count.recall_denominator, empty)
    precision = _ratio(count.precision_numerator, count.precision_denominator, empty)
    return Score(recall, precision, harmonic_mean(recall, precision))


def _ratio(numerator, denominator, empty):
    return numerator / denominator if denominator else empty


def harmonic_mean(recall, precision):
    if recall is None and precision is None:
        return None
    recall, precision = recall or Fraction(0), precision or Fraction(0)
    return 2 * recall * precision / (recall + precision) if recall + precision else Fraction(0)


BOTH_SIDES_DECIDE = ("luo2014", "corefud")


def blanc_ratios(counts, *, empty, rule="reference"):
    """The mean of two parts, or one of them, or what the rule says of none."""
    coreference, non_coreference = (ratios(count, empty=empty) for count in counts[:2])
    lacks = [_lacks(count, rule) for count in counts[:2]]
    if all(lacks):
        nothing = Fraction(0) if rule == "corefud" else empty
        if rule == "luo2014":
            nothing = Fraction(_same_mentions(counts[2]))
        if rule == "scorch":
            nothing = Fraction(counts[2].precision_numerator == counts[2].precision_denominator)
        return Score(nothing, nothing, nothing)
    if any(lacks):
        return non_coreference if lacks[0] else coreference
    both = zip(coreference, non_coreference, strict=True)
    return Score(*(((c or Fraction(0)) + (n or Fraction(0))) / 2 for c, n in both))


def _lacks(count, rule):
    nobody = not count.precision_denominator or rule not in BOTH_SIDES_DECIDE
    return not count.recall_denominator and nobody


def _same_mentions(count):
    return count.recall_numerator == count.recall_denominator == count.precision_denominator


def score(metric, pairs, *, empty, blanc="reference"):
    """The score of all the documents together."""
    if metric == "conll":
        f1 = [score(name, pairs, empty=empty).f1 for name in ("muc", "bcub", "ceafe")]
        mean = None if set(f1) == {None} else sum((f or Fraction(0) for f in f1), Fraction(0)) / 3
        return Score(None, None, mean)
    counts = total((BLANC_COUNTS[blanc] if metric == "blanc" else COUNTS[metric])(p) for p in pairs)
    if metric == "blanc":
        return blanc_ratios(counts, empty=empty, rule=blanc)
    return ratios(counts[0], empty=empty)
