"""Split antecedents and entities listed several times, scored slowly, by sets and fractions."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

from hypothesis import strategies as st

from corescore import Corpus, Document

# Split antecedents scored by sets and fractions: slow, and sharing nothing with the ---------------

ZERO = Fraction(0)


def share(above, below):
    return Fraction(above) / below if below else ZERO


def harmonic(r, p):
    return share(2 * r * p, r + p)


def leaves(plurals, entity):
    if entity not in plurals:
        return {entity}
    return set().union(*(leaves(plurals, one) for one in plurals[entity]))


def members(entities, plurals, *, drop):
    """(mentions, S) of each entity, S the set of its elements' mentions or None."""
    merged, contents = [], {}
    for number, mentions in enumerate(entities):
        if number not in plurals:
            merged.append((frozenset(mentions), None))
            continue
        elements = frozenset(frozenset(entities[one]) for one in leaves(plurals, number))
        contents.setdefault(elements, set()).update(mentions)
    merged += [(frozenset(mentions), elements) for elements, mentions in contents.items()]
    return [(m, s) for m, s in merged if not drop or len(m) + (s is not None) > 1]


def best(weights, rows, columns):
    """All one-to-one alignments with the greatest sum of weights > 0."""
    found = {frozenset(): ZERO}

    def extend(row, taken, pairs, total):
        found[frozenset(pairs)] = total
        for at in range(row, rows):
            for column in set(range(columns)) - taken:
                if weights.get((at, column), 0) > 0:
                    more = total + weights[at, column]
                    extend(at + 1, taken | {column}, [*pairs, (at, column)], more)

    extend(0, frozenset(), [], ZERO)
    most = max(found.values())
    return [pairs for pairs, total in found.items() if total == most]


def links(entities):
    """(coreference links, other links) of entities, as sets of two members."""
    within = {frozenset(pair) for of in entities for pair in combinations(sorted(of, key=str), 2)}
    everything = sorted({one for of in entities for one in of}, key=str)
    every = {frozenset(pair) for pair in combinations(everything, 2)}
    return within, every - within


def of_elements(metric, own, other):
    """Recall of one set of entities against another, no plural among them."""
    own, other = sorted(own, key=sorted), sorted(other, key=sorted)
    overlap = {(i, j): len(a & b) for i, a in enumerate(own) for j, b in enumerate(other)}
    if metric == "muc":
        above = sum(max(n - 1, 0) for n in overlap.values())
        above += sum(len(a) == 1 and a in other for a in own)
        return share(above, sum(len(a) - 1 or 1 for a in own))
    if metric == "bcub":
        above = sum(Fraction(n**2, len(own[i])) for (i, _), n in overlap.items())
        return share(above, sum(map(len, own)))
    if metric in ("ceafm", "ceafe"):
        if metric == "ceafe":
            overlap = {
                (i, j): Fraction(2 * n, len(own[i]) + len(other[j]))
                for (i, j), n in overlap.items()
            }
        above = sum(overlap[pair] for pair in best(overlap, len(own), len(other))[0])
        return share(above, len(own) if metric == "ceafe" else sum(map(len, own)))
    if metric == "lea":
        linked = links(other)[0]
        above = ZERO
        for a in own:
            mine = links([a])[0]
            found = Fraction(len(mine & linked), len(mine)) if mine else Fraction(a in other)
            above += len(a) * found
        return share(above, sum(map(len, own)))
    part = ("blancc", "blancn").index(metric)
    mine, theirs = links(own)[part], links(other)[part]
    return share(len(mine & theirs), len(mine))


def alignments(metric, key, response):
    """Each best alignment of the plurals: {(entity of the key, of the response): (ρ, π, φ)}."""
    worth = {}
    for (i, (_, s)), (j, (_, t)) in product(enumerate(key), enumerate(response)):
        if s is not None and t is not None:
            r, p = of_elements(metric, s, t), of_elements(metric, t, s)
            worth[i, j] = (1, 1, 1) if s == t else (r, p, harmonic(r, p))
    f1 = {pair: Fraction(of[2]) for pair, of in worth.items()}
    every = best(f1, len(key), len(response))
    return [{pair: tuple(map(Fraction, worth[pair])) for pair in pairs} for pairs in every]


def half(metric, own, other, worth):
    """(numerator, denominator) of one direction; worth {(own, other): of S}."""
    partner = {i: (j, of) for (i, j), of in worth.items()}
    where = {one: j for j, (mentions, _) in enumerate(other) for one in mentions}
    above, sizes = ZERO, [len(mentions) + (s is not None) for mentions, s in own]
    for i, ((mentions, _), size) in enumerate(zip(own, sizes, strict=True)):
        found = [(where[one], Fraction(1)) for one in mentions if one in where]
        plain = [j for j, _ in found]
        if metric == "muc":
            above += len(plain) - len(set(plain))
            if i in partner and partner[i][0] in plain:
                above += partner[i][1]
            continue
        found += [partner[i]] if i in partner else []
        if metric == "bcub":
            for j in {j for j, _ in found}:
                above += sum(of for to, of in found if to == j) ** 2 / size
        elif size == 1:
            above += sum(len(other[j][0]) == 1 and other[j][1] is None for j in plain)
        else:
            linked = sum(a[1] * b[1] for a, b in combinations(found, 2) if a[0] == b[0])
            above += size * linked / Fraction(size * (size - 1), 2)
    return above, sum(size - 1 for size in sizes) if metric == "muc" else sum(sizes)


def possible(metric, key, response, *, drop=False):
    """(recall numerator, denominator, precision numerator, denominator) for each best alignment.

    metric  muc, bcub, ceafm, ceafe, lea, blancc or blancn
    drop    whether singletons are left out
    """
    key, response = (members(*side, drop=drop) for side in (key, response))
    return [counts(metric, key, response, of) for of in alignments(metric, key, response)]


def counts(metric, key, response, worth):
    if metric in ("muc", "bcub", "lea"):
        recall = {pair: of[0] for pair, of in worth.items()}
        precision = {(j, i): of[1] for (i, j), of in worth.items()}
        return half(metric, key, response, recall) + half(metric, response, key, precision)
    f1 = {pair: of[2] for pair, of in worth.items()}
    sizes = [[len(mentions) + (s is not None) for mentions, s in side] for side in (key, response)]
    if metric in ("ceafm", "ceafe"):
        weights = {}
        for i, (own, _) in enumerate(key):
            for j, (other, _) in enumerate(response):
                n = len(own & other) + f1.get((i, j), ZERO)
                weights[i, j] = n if metric == "ceafm" else 2 * n / (sizes[0][i] + sizes[1][j])
        above = sum(weights[pair] for pair in best(weights, len(key), len(response))[0])
        below = [sum(of) if metric == "ceafm" else len(of) for of in sizes]
        return above, below[0], above, below[1]
    part = ("blancc", "blancn").index(metric)
    sides = []
    for at, side in enumerate((key, response)):
        named = {pair[at]: ("S", pair[0]) for pair in f1}  # aligned ones have one name
        extra = [
            {named.get(n, ("S", "key" if at == 0 else "response", n))} if s is not None else set()
            for n, (_, s) in enumerate(side)
        ]
        sides.append(links([{*of, *more} for (of, _), more in zip(side, extra, strict=True)])[part])
    worth_of = {("S", i): of for (i, _), of in f1.items()}
    above = ZERO
    for link in sides[0] & sides[1]:
        product_of = Fraction(1)
        for one in link:
            product_of *= worth_of.get(one, 1)
        above += product_of
    return above, len(sides[0]), above, len(sides[1])


# Slow counts of entities that list mentions several times: lists, look-ups in ---------------------

N_WORDS = 5
# Entities as lists of words: a word may stand in several entities, and twice in one
LISTED = st.lists(st.lists(st.integers(0, N_WORDS - 1), min_size=1, max_size=4), max_size=4)


def listed_corpus(*documents):
    """A corpus of documents that are lists of entities; the mention m is word m."""
    return Corpus(
        tuple(
            Document.of_rows(
                f"d{number}",
                [(at, at + 1, of) for of, entity in enumerate(entities) for at in entity],
                words=["w"] * N_WORDS,
            )
            for number, entities in enumerate(documents)
        )
    )


def opened(entities):
    """The entities in the order in which a file with a word a line opens them."""
    order = sorted(range(len(entities)), key=lambda at: (min(entities[at]), at))
    return [sorted(entities[at]) for at in order]


def looked_up(entities):
    """mention → the number of the last entity that lists it."""
    return {mention: at for at, entity in enumerate(entities) for mention in entity}


def shares(own, where):
    """For each entity its size and how many of its mentions each entity of `where` has."""
    return [(len(e), Counter(where[m] for m in e if m in where)) for e in own]


def muc(own, where):
    of = shares(own, where)
    return sum(sum(c.values()) - len(c) for _, c in of), sum(size - 1 for size, _ in of)


def bcub(own, where):
    of = shares(own, where)
    correct = sum((Fraction(n * n, size) for size, c in of for n in c.values()), Fraction(0))
    return correct, sum(size for size, _ in of)


def links_of_listings(n):
    return Fraction(n * (n - 1), 2)


def lea(own, where, other):
    total = Fraction(0)
    for entity in own:
        common = Counter(where[m] for m in entity if m in where)
        if len(entity) > 1:
            total += (
                len(entity)
                * sum(map(links_of_listings, common.values()))
                / links_of_listings(len(entity))
            )
        elif common:
            (at,) = common
            total += len(other[at]) == 1
    return total, sum(map(len, own))


def ceaf_sums(key, response, similarity):
    """The greatest sum of similarities of a one-to-one alignment."""

    def best(rest, free):
        if not rest:
            return Fraction(0)
        options = [best(rest[1:], free)]
        options += [similarity(rest[0], response[j]) + best(rest[1:], free - {j}) for j in free]
        return max(options)

    return best(list(key), frozenset(range(len(response))))


def held(key_entity, response_entity):
    return sum(mention in response_entity for mention in key_entity)


def phi4(key_entity, response_entity):
    return Fraction(2 * held(key_entity, response_entity), len(key_entity) + len(response_entity))


def ratio(numerator, denominator):
    return Fraction(numerator) / Fraction(denominator) if denominator else Fraction(0)
