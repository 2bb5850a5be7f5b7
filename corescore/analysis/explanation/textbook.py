"""A metric of a small key and response written out as in a textbook: formulas with their numbers.

Worked out from the two partitions themselves, in fractions, and not by the scorer.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from corescore.counting.counts import MEASURES

Entities = Sequence[Collection[Hashable]]
Cells = list[list[int]]  # of own entities (rows) and the other side's: how many mentions they share
RECALL, PRECISION, F1 = MEASURES


@dataclass(frozen=True)
class Term:
    """A number, and how it is written down before it is worked out."""

    text: str
    value: Fraction


@dataclass(frozen=True)
class Summand(Term):
    """A term of a numerator: which own entity earns it, and with which of the other side, if with
    one (their places)."""

    own: int
    other: int | None = None


@dataclass(frozen=True)
class Step:
    """One line of a computation: what it gives, the formula with its numbers, and its value.

    summands  the terms of the numerator, where each is an entity's; none otherwise
    """

    name: str
    formula: str
    value: Fraction
    summands: tuple[Summand, ...] = ()


def textbook_steps(metric: str, key: Entities, response: Entities) -> list[Step]:
    """Every step of one of the six (its id): recall, precision and F1, each of its own name.

    BLANC has these of its two parts first ("recall of coreference links"), then their means. 0/0 is
    0, and BLANC's empty parts are treated, as in the reference scorer (Pradhan et al. 2014); of a
    metric with several best alignments one is written out.
    """
    return _blanc(key, response) if metric == "blanc" else _three(HALVES[metric], key, response)


# Writing fractions down ---------------------------------------------------------------------------


def _whole(n: int) -> Term:
    return Term(str(n), Fraction(n))


def _total(terms: Iterable[Term]) -> Term:
    """A sum in brackets; 0 if there is nothing to add."""
    every = list(terms)
    text = " + ".join(term.text for term in every) or "0"
    value = sum((term.value for term in every), Fraction(0))
    return Term(f"({text})" if len(every) > 1 else text, value)


def _ratio(name: str, above: Term, below: Term, summands: tuple[Summand, ...] = ()) -> Step:
    """above / below; 0/0 is 0, as in the reference scorer."""
    if not below.value:
        return Step(name, f"{above.text} / {below.text}, taken as 0", Fraction(0), summands)
    value = above.value / below.value
    return Step(name, f"{above.text} / {below.text} = {value}", value, summands)


def _harmonic_mean(name: str, recall: Step, precision: Step) -> Step:
    """2·R·P / (R + P)."""
    r, p = recall.value, precision.value
    above = Term(f"2 · {r} · {p}", 2 * r * p)
    return _ratio(name, above, Term(f"({r} + {p})", r + p))


def mean_step(name: str, steps: Sequence[Step]) -> Step:
    """The mean of the values of several steps."""
    total = _total(Term(str(step.value), step.value) for step in steps)
    return _ratio(name, total, _whole(len(steps)))


# The metrics, a side at a time --------------------------------------------------------------------

Half = tuple[list[Summand], Term]  # what is added up above the line, and what stands below


def _cells(own: Entities, other: Entities) -> Cells:
    return [[len({*row} & {*column}) for column in other] for row in own]


def _size(side: Entities) -> int:
    return sum(map(len, side))


def _pairs(n: int) -> int:
    return n * (n - 1) // 2


def _muc(own: Entities, other: Entities) -> Half:
    """Σ (size − parts) / Σ (size − 1): an entity falls into its cells and its missing mentions."""
    above = []
    for at, row in enumerate(_cells(own, other)):
        size = len(own[at])
        parts = sum(n > 0 for n in row) + size - sum(row)
        above.append(Summand(f"({size} − {parts})", Fraction(size - parts), at))
    return above, _total(Term(f"({len(entity)} − 1)", Fraction(len(entity) - 1)) for entity in own)


def _bcub(own: Entities, other: Entities) -> Half:
    """Σ n²/size over the cells / mentions."""
    above = [
        Summand(f"{n}²/{len(own[i])}", Fraction(n * n, len(own[i])), i, j)
        for i, row in enumerate(_cells(own, other))
        for j, n in enumerate(row)
        if n
    ]
    return above, _whole(_size(own))


def _ceafm(own: Entities, other: Entities) -> Half:
    """Shared mentions of the aligned entities / mentions."""
    return _aligned(own, other, lambda n, a, b: _whole(n)), _whole(_size(own))


def _ceafe(own: Entities, other: Entities) -> Half:
    """Σ 2n/(a + b) of the aligned entities / entities."""
    above = _aligned(own, other, lambda n, a, b: Term(f"2·{n}/({a} + {b})", Fraction(2 * n, a + b)))
    return above, _whole(len(own))


def _aligned(
    own: Entities, other: Entities, similarity: Callable[[int, int, int], Term]
) -> list[Summand]:
    """The greatest sum of similarities (shared mentions, own size, other size) → term."""
    from scipy.optimize import linear_sum_assignment

    terms = [
        [similarity(n, len(row), len(column)) for n, column in zip(cells, other, strict=True)]
        for row, cells in zip(own, _cells(own, other), strict=True)
    ]
    if not own or not other:
        return []
    values = [[float(term.value) for term in row] for row in terms]
    rows, columns = linear_sum_assignment(values, maximize=True)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return [
        Summand(terms[i][j].text, terms[i][j].value, i, j) for i, j in pairs if terms[i][j].value
    ]


def _lea(own: Entities, other: Entities) -> Half:
    """Σ size · (correct links / links) / mentions; a singleton has one link, to itself."""
    singletons = {mention for entity in other if len(entity) == 1 for mention in entity}
    above = []
    for at, row in enumerate(_cells(own, other)):
        size = len(own[at])
        right = len(singletons & {*own[at]}) if size == 1 else sum(map(_pairs, row))
        links = 1 if size == 1 else _pairs(size)
        above.append(Summand(f"{size} · {right}/{links}", Fraction(size * right, links), at))
    return above, _whole(_size(own))


def _coreference(own: Entities, other: Entities) -> Half:
    """Links that both sides have / links."""
    above = [
        Summand(str(_pairs(n)), Fraction(_pairs(n)), i, j)
        for i, row in enumerate(_cells(own, other))
        for j, n in enumerate(row)
        if n
    ]
    return above, _total(_whole(_pairs(len(entity))) for entity in own)


HALVES: dict[str, Callable[[Entities, Entities], Half]] = {
    "muc": _muc,
    "bcub": _bcub,
    "ceafm": _ceafm,
    "ceafe": _ceafe,
    "lea": _lea,
}


# All steps ----------------------------------------------------------------------------------------


def _three(
    half: Callable[[Entities, Entities], Half], key: Entities, response: Entities, of: str = ""
) -> list[Step]:
    """Recall, precision with the sides swapped, and F1; `of` says of what."""
    recall = _side(RECALL + of, *half(key, response))
    precision = _side(PRECISION + of, *half(response, key))
    return [recall, precision, _harmonic_mean(F1 + of, recall, precision)]


def _side(name: str, summands: Sequence[Summand], below: Term) -> Step:
    return _ratio(name, _total(summands), below, tuple(summands))


def _blanc(key: Entities, response: Entities) -> list[Step]:
    """Both parts, then the means of those that count: the kinds of link that the key has."""
    coreference = _three(_coreference, key, response, " of coreference links")
    non_coreference = _non_coreference(key, response, " of non-coreference links")
    n_linked = sum(_pairs(len(entity)) for entity in key)
    counting = [
        *([coreference] if n_linked else []),
        *([non_coreference] if _pairs(_size(key)) > n_linked else []),
    ]
    means = [mean_step(name, [part[at] for part in counting]) for at, name in enumerate(MEASURES)]
    return [*coreference, *non_coreference, *means]


def _non_coreference(key: Entities, response: Entities, of: str) -> list[Step]:
    recall = _ratio(RECALL + of, *_apart(key, response))
    precision = _ratio(PRECISION + of, *_apart(response, key))
    return [recall, precision, _harmonic_mean(F1 + of, recall, precision)]


def _apart(own: Entities, other: Entities) -> tuple[Term, Term]:
    """All links of the shared mentions − linked here − linked there + linked on both / others."""
    rows, columns = _cells(own, other), _cells(other, own)
    shared = _pairs(sum(map(sum, rows)))
    here, there = (sum(_pairs(sum(row)) for row in side) for side in (rows, columns))
    both = sum(_pairs(n) for row in rows for n in row)
    all_links, linked = _pairs(_size(own)), sum(_pairs(len(entity)) for entity in own)
    return (
        Term(f"({shared} − {here} − {there} + {both})", Fraction(shared - here - there + both)),
        Term(f"({all_links} − {linked})", Fraction(all_links - linked)),
    )
