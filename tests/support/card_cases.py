"""When scores are 0 and 1 in the words of cards, and their formulas worked out."""

import re
from fractions import Fraction
from itertools import combinations, permutations

# When F1 is 1 and when it is 0 in the words of several cards, with what they say of two -----------


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
    "there is no pair of mentions on which both sides agree": lambda pair: (
        agreeing_pairs(pair) == (0, 0)
    ),
}


# The LaTeX of the metric cards, read and worked out: sums, fractions, binomials and ---------------

_TOKEN = re.compile(r"\\[a-z]+|\d+|[A-Za-z](?:_(?:\{[^{}]*\}|\w))?|[-+(){}^]|_\{[^{}]*\}|_\w")
NOWHERE = {"i": None, "j": None}  # to read a formula without a value
_FRACTIONS = (r"\frac", r"\tfrac")


def evaluate(latex, letters=None, loops=None):
    """The value of a formula as a fraction; 0/0 is 0.

    letters  by name, such as "a_i": its value, or a function of the indices in force
    loops    by what stands below a sum, such as "i,j": the values of the indices, {"i": …}
    """
    tokens = [token for token in _TOKEN.findall(latex) if token != r"\cdot"]
    value, rest = _sum(tokens, {}, letters or {}, loops or {})
    assert not rest, rest
    return value


def _sum(tokens, at, letters, loops):
    """Terms between + and −, up to a closing bracket."""
    value, sign = Fraction(0), 1
    while tokens and tokens[0] not in ")}":
        if tokens[0] in "+-":
            sign = -1 if tokens[0] == "-" else 1
            tokens = tokens[1:]
        term, tokens = _product(tokens, at, letters, loops)
        value += sign * term
    return value, tokens


def _product(tokens, at, letters, loops):
    """Factors side by side; a Σ takes in all that follow."""
    value = Fraction(1)
    while tokens and tokens[0] not in (")", "}", "+", "-"):
        if tokens[0] == r"\sum":
            below = tokens[1].strip("_{}")
            runs = [_product(tokens[2:], at | now, letters, loops) for now in loops[below]]
            rest = _product(tokens[2:], NOWHERE, letters, dict.fromkeys(loops, ()))[1]
            return value * sum((one for one, _ in runs), Fraction(0)), rest
        factor, tokens = _factor(tokens, at, letters, loops)
        if tokens[:1] == ["^"]:
            factor, tokens = factor ** int(tokens[1]), tokens[2:]
        value *= factor
    return value, tokens


def _factor(tokens, at, letters, loops):
    head, rest = tokens[0], tokens[1:]
    if head in (*_FRACTIONS, r"\binom"):
        one, rest = _sum(rest[1:], at, letters, loops)
        other, rest = _sum(rest[2:], at, letters, loops)
        if head == r"\binom":
            return one * (one - 1) / 2, rest[1:]
        return (one / other if other else Fraction(0)), rest[1:]
    if head in "({":
        value, rest = _sum(rest, at, letters, loops)
        return value, rest[1:]
    if head.isdecimal():
        return Fraction(head), rest
    value = letters[head]
    return Fraction(value(**at) if callable(value) else value), rest


def letters_of(pair):
    """What the cards' letters mean for a key and a response, by definition; and their sums."""
    key, response = pair
    both = {m for e in key for m in e} & {m for e in response for m in e}

    def parts(entity, other):
        return len([e for e in other if e & entity]) + len(entity - {m for e in other for m in e})

    def on(function):
        """0 where a formula is only read, for a sum over nothing."""
        return lambda i=0, j=0: 0 if None in (i, j) else function(i, j)

    letters = {
        "a_i": on(lambda i, j: len(key[i])),
        "b_j": on(lambda i, j: len(response[j])),
        "n_{ij}": on(lambda i, j: len(key[i] & response[j])),
        r"n_{i\cdot}": on(lambda i, j: len(key[i] & both)),
        r"n_{\cdot j}": on(lambda i, j: len(response[j] & both)),
        "p_i": on(lambda i, j: parts(key[i], response)),
        "q_j": on(lambda i, j: parts(response[j], key)),
        "m": len(both),
        "A": sum(map(len, key)),
        "B": sum(map(len, response)),
        "K": len(key),
        "L": len(response),
    }
    every = [{"i": i, "j": j} for i in range(len(key)) for j in range(len(response))]
    loops = {"i,j": every, "i": [{"i": i} for i in range(len(key))]}
    loops["j"] = [{"j": j} for j in range(len(response))]
    return letters, loops


def alignments(pair):
    """Every one-to-one alignment of as many entities as can be, as the indices of its pairs."""
    n, m = map(len, pair)
    if n > m:
        return [[{"i": i, "j": j} for j, i in enumerate(one)] for one in permutations(range(n), m)]
    return [[{"i": i, "j": j} for i, j in enumerate(one)] for one in permutations(range(m), n)]
