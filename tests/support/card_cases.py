"""When F1 is 1 and when it is 0 in the words of several cards, with what they say of two sides."""

from itertools import combinations


def mentions(side):
    return {mention for entity in side for mention in entity}


def linked(side):
    return {entity for entity in side if len(entity) > 1}


def singletons(side):
    return {entity for entity in side if len(entity) == 1}


def same(pair):
    return set(pair[0]) == set(pair[1])


def agreeing_pairs(pair):
    """How many pairs of shared mentions are together on both sides, and how many on neither."""
    of = [{mention: n for n, entity in enumerate(side) for mention in entity} for side in pair]
    both = combinations(sorted(of[0].keys() & of[1].keys()), 2)
    together = [[side[one] == side[two] for side in of] for one, two in both]
    return together.count([True, True]), together.count([False, False])


def corefer(pair):
    """Whether two mentions are coreferent on both sides."""
    return agreeing_pairs(pair)[0] > 0


WHEN_ONE = {
    "both sides have the same entities": lambda pair: pair[0] and same(pair),
    "both sides have the same entities of two or more mentions, and there is at least one": (
        lambda pair: linked(pair[0]) == linked(pair[1]) != set()
    ),
    "both sides have the same entities, if the key has links of both kinds": same,
}
WHEN_ZERO = {
    "the two sides share no mention": lambda pair: not mentions(pair[0]) & mentions(pair[1]),
    "no two mentions are coreferent on both sides": lambda pair: not corefer(pair),
    "no two mentions are coreferent on both sides, and no mention is a singleton on both": (
        lambda pair: not corefer(pair) and not singletons(pair[0]) & singletons(pair[1])
    ),
    "there is no pair of mentions about which both sides say the same": lambda pair: (
        agreeing_pairs(pair) == (0, 0)
    ),
}
