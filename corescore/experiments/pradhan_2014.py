"""Pradhan et al. 2014: the worked example of the reference scorer, formulas with their numbers."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pandas as pd

from corescore.counts import MEASURES, SCORE_FIELDS
from corescore.experiments.claims import SIX, TINY, figure, needing, title
from corescore.experiments.experiment import Chart, Claim, Experiment, Paper, Setting, Verdict
from corescore.experiments.partitions import Partition, score_partitions
from corescore.experiments.toys import Pair, toy_pair, toy_parameters
from corescore.scoring import CONLL

PAPER = Paper(
    "Pradhan et al. 2014",
    "Scoring coreference partitions of predicted mentions: a reference implementation",
)
RECALL, PRECISION, F1 = MEASURES
Row = tuple[str, str, str, str, float, float]
Cells = list[list[int]]  # of own entities (rows) and the other side's: how many mentions they share


@dataclass(frozen=True)
class Term:
    """A number, and how it is written down before it is worked out."""

    text: str
    value: Fraction


@dataclass(frozen=True)
class Step:
    """One line of a computation: what it gives, the formula with its numbers, and its value."""

    name: str
    formula: str
    value: Fraction


# Writing fractions down ---------------------------------------------------------------------------


def _whole(n: int) -> Term:
    return Term(str(n), Fraction(n))


def _total(terms: Iterable[Term]) -> Term:
    """A sum in brackets; 0 if there is nothing to add."""
    every = list(terms)
    text = " + ".join(term.text for term in every) or "0"
    value = sum((term.value for term in every), Fraction(0))
    return Term(f"({text})" if len(every) > 1 else text, value)


def _ratio(name: str, above: Term, below: Term) -> Step:
    """above / below; 0/0 is 0, as in the reference scorer."""
    if not below.value:
        return Step(name, f"{above.text} / {below.text}, taken as 0", Fraction(0))
    value = above.value / below.value
    return Step(name, f"{above.text} / {below.text} = {value}", value)


def _harmonic_mean(name: str, recall: Step, precision: Step) -> Step:
    """2·R·P / (R + P)."""
    r, p = recall.value, precision.value
    above = Term(f"2 · {r} · {p}", 2 * r * p)
    return _ratio(name, above, Term(f"({r} + {p})", r + p))


def _mean(name: str, steps: Sequence[Step]) -> Step:
    total = _total(Term(str(step.value), step.value) for step in steps)
    return _ratio(name, total, _whole(len(steps)))


# The metrics, a side at a time --------------------------------------------------------------------


def _cells(own: Partition, other: Partition) -> Cells:
    return [[len({*row} & {*column}) for column in other] for row in own]


def _size(side: Partition) -> int:
    return sum(map(len, side))


def _pairs(n: int) -> int:
    return n * (n - 1) // 2


def _muc(own: Partition, other: Partition) -> tuple[Term, Term]:
    """Σ (size − parts) / Σ (size − 1): an entity falls into its cells and its missing mentions."""
    sizes = [len(entity) for entity in own]
    rows = _cells(own, other)
    parts = [
        sum(n > 0 for n in row) + size - sum(row) for size, row in zip(sizes, rows, strict=True)
    ]
    above = [Term(f"({a} − {p})", Fraction(a - p)) for a, p in zip(sizes, parts, strict=True)]
    below = [Term(f"({a} − 1)", Fraction(a - 1)) for a in sizes]
    return _total(above), _total(below)


def _bcub(own: Partition, other: Partition) -> tuple[Term, Term]:
    """Σ n²/size over the cells / mentions."""
    rows = zip(own, _cells(own, other), strict=True)
    above = [
        Term(f"{n}²/{len(entity)}", Fraction(n * n, len(entity)))
        for entity, row in rows
        for n in row
        if n
    ]
    return _total(above), _whole(_size(own))


def _ceafm(own: Partition, other: Partition) -> tuple[Term, Term]:
    """Shared mentions of the aligned entities / mentions."""
    return _aligned(own, other, lambda n, a, b: _whole(n)), _whole(_size(own))


def _ceafe(own: Partition, other: Partition) -> tuple[Term, Term]:
    """Σ 2n/(a + b) of the aligned entities / entities."""
    above = _aligned(own, other, lambda n, a, b: Term(f"2·{n}/({a} + {b})", Fraction(2 * n, a + b)))
    return above, _whole(len(own))


def _aligned(own: Partition, other: Partition, similarity: Callable[[int, int, int], Term]) -> Term:
    """The greatest sum of similarities (shared mentions, own size, other size) → term."""
    from scipy.optimize import linear_sum_assignment

    terms = [
        [similarity(n, len(row), len(column)) for n, column in zip(cells, other, strict=True)]
        for row, cells in zip(own, _cells(own, other), strict=True)
    ]
    if not own or not other:
        return _whole(0)
    values = [[float(term.value) for term in row] for row in terms]
    chosen = [
        terms[i][j] for i, j in zip(*linear_sum_assignment(values, maximize=True), strict=True)
    ]
    return _total(term for term in chosen if term.value)


def _lea(own: Partition, other: Partition) -> tuple[Term, Term]:
    """Σ size · (right links / links) / mentions; a singleton has one link, to itself."""
    singletons = {mention for entity in other if len(entity) == 1 for mention in entity}
    above = []
    for entity, row in zip(own, _cells(own, other), strict=True):
        alone = len(entity) == 1
        right = len(singletons & {*entity}) if alone else sum(map(_pairs, row))
        links = 1 if alone else _pairs(len(entity))
        value = Fraction(len(entity) * right, links)
        above.append(Term(f"{len(entity)} · {right}/{links}", value))
    return _total(above), _whole(_size(own))


def _coreference(own: Partition, other: Partition) -> tuple[Term, Term]:
    """Links that both sides have / links."""
    cells = [n for row in _cells(own, other) for n in row if n]
    return _total(_whole(_pairs(n)) for n in cells), _total(_whole(_pairs(len(e))) for e in own)


def _non_coreference(own: Partition, other: Partition) -> tuple[Term, Term]:
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


Half = Callable[[Partition, Partition], tuple[Term, Term]]
HALVES: dict[str, Half] = {
    "muc": _muc,
    "bcub": _bcub,
    "ceafm": _ceafm,
    "ceafe": _ceafe,
    "lea": _lea,
}


# All steps ----------------------------------------------------------------------------------------


def _three(half: Half, pair: Pair, of: str = "") -> list[Step]:
    """Recall, precision with the sides swapped, and F1; `of` says of what."""
    key, response = pair
    recall = _ratio(RECALL + of, *half(key, response))
    precision = _ratio(PRECISION + of, *half(response, key))
    return [recall, precision, _harmonic_mean(F1 + of, recall, precision)]


def _blanc(pair: Pair) -> list[Step]:
    """Both parts, then the means of those that count: the kinds of link that the key has."""
    coreference = _three(_coreference, pair, " of coreference links")
    non_coreference = _three(_non_coreference, pair, " of non-coreference links")
    n_linked = sum(_pairs(len(entity)) for entity in pair[0])
    counting = [
        *([coreference] if n_linked else []),
        *([non_coreference] if _pairs(_size(pair[0])) > n_linked else []),
    ]
    means = [_mean(name, [part[at] for part in counting]) for at, name in enumerate(MEASURES)]
    return [*coreference, *non_coreference, *means]


def _steps(metric: str, pair: Pair) -> list[Step]:
    """Every step of one of the six."""
    return _blanc(pair) if metric == "blanc" else _three(HALVES[metric], pair)


def _worked_example(setting: Setting) -> pd.DataFrame:
    """Rows (metric, step). Columns: metric, step (recall, precision and f1, of BLANC also those of
    its parts), formula (with its numbers), exact (a fraction in lowest terms), value (the same as
    a number) and scored (what the scorer says; NaN for parts). A metric of the reader's own has
    its numerators and denominators as formula, and nothing exact."""
    pair = toy_pair(str(setting.values["key"]), str(setting.values["response"]))
    scores = score_partitions([pair], setting.metrics).set_index("metric")
    steps = {metric.id: _steps(metric.id, pair) for metric in setting.metrics if metric.id in SIX}
    if "conll" in scores.index:
        steps["conll"] = [_mean(F1, [steps[metric][-1] for metric in CONLL])]
    rows: list[Row] = []
    for metric, values in zip(scores.index, scores[list(SCORE_FIELDS)].to_numpy(), strict=True):
        score = dict(zip(SCORE_FIELDS, values.tolist(), strict=True))
        rows += _written(metric, steps[metric], score) if metric in steps else _own(metric, score)
    return pd.DataFrame(rows, columns=["metric", "step", "formula", "exact", "value", "scored"])


def _written(metric: str, steps: Sequence[Step], score: dict[str, float]) -> list[Row]:
    return [
        (metric, s.name, s.formula, str(s.value), float(s.value), score.get(s.name, math.nan))
        for s in steps
    ]


def _own(metric: str, score: dict[str, float]) -> list[Row]:
    """A metric of the reader's own, whose formula nobody knows here."""
    return [(metric, name, _counts(name, score), "", score[name], score[name]) for name in MEASURES]


def _counts(name: str, score: dict[str, float]) -> str:
    """Numerator and denominator, where the score has them."""
    above, below = (score.get(f"{name}_{part}", math.nan) for part in ("numerator", "denominator"))
    return "" if math.isnan(above) else f"{above:g} / {below:g}"


# What is printed ----------------------------------------------------------------------------------

TOY = toy_parameters("{abc}{defg}", "{ab}{cd}{fghi}")
PRINTED = {
    "muc": {RECALL: Fraction(2, 5), PRECISION: Fraction(2, 5)},
    "bcub": {RECALL: Fraction(35, 12) / 7, PRECISION: Fraction(4, 8)},
    "ceafm": {RECALL: Fraction(4, 7), PRECISION: Fraction(4, 8)},
    "ceafe": {RECALL: Fraction(13, 10) / 2, PRECISION: Fraction(13, 10) / 3},
    "blanc": {
        "recall of coreference links": Fraction(2, 9),
        "precision of coreference links": Fraction(2, 8),
        "recall of non-coreference links": Fraction(8, 12),
        "precision of non-coreference links": Fraction(8, 20),
    },
    "lea": {
        RECALL: (3 * Fraction(1, 3) + 4 * Fraction(1, 6)) / 7,
        PRECISION: (2 + 0 + 4 * Fraction(1, 6)) / 8,
    },
}
NOTES = {
    "blanc": "The poster prints 0.67 for the recall of non-coreference links and 0.36 for F1; "
    "8/12 = 0.6667 and F1 = 25/68 = 0.3676, so the latter is cut, not rounded.",
    "lea": "LEA is later than this paper; the values follow from its definition.",
}


def _printed() -> pd.DataFrame:
    """Columns: metric, step, exact (a fraction in lowest terms) and value."""
    rows = [
        (metric, step, str(value), float(value))
        for metric, steps in PRINTED.items()
        for step, value in steps.items()
    ]
    return pd.DataFrame(rows, columns=["metric", "step", "exact", "value"])


def _claim(metric: str) -> Claim:
    values = ", ".join(f"{step} {value}" for step, value in PRINTED[metric].items())
    return Claim(
        f"{title(metric)}: {values}.",
        "worked example",
        _comes_out(metric),
        note=NOTES.get(metric, ""),
    )


def _comes_out(metric: str) -> Callable[[pd.DataFrame], Verdict]:
    @needing(metric)
    def check(table: pd.DataFrame) -> Verdict:
        rows = table[table["metric"] == metric]
        exact = dict(zip(rows["step"], rows["exact"], strict=True))
        f1 = rows.loc[rows["step"] == F1, "value"].iloc[0]
        given = ", ".join(f"{step} {exact[step]}" for step in PRINTED[metric])
        holds = all(exact[step] == str(value) for step, value in PRINTED[metric].items())
        return Verdict(holds, f"{given}; F1 {exact[F1]} = {figure(f1)}")

    return check


def _as_scored(table: pd.DataFrame) -> Verdict:
    both = table[(table["exact"] != "") & table["scored"].notna()]
    if both.empty:
        return Verdict(None, "none of the six is scored")
    off = both[(both["value"] - both["scored"]).abs() > TINY]
    return Verdict(off.empty, f"{len(both) - len(off)} of {len(both)} figures are the scorer's")


WORKED_EXAMPLE = Experiment(
    id="pradhan2014-example",
    paper=PAPER,
    where="worked example",
    title="How is each metric worked out, step by step?",
    setup=(
        "The key {abc}{defg} and the response {ab}{cd}{fghi}: it lacks e and invents h and "
        "i. Each line is a formula with its numbers put in, worked out as a fraction from the two "
        "partitions themselves, not by the scorer; beside it stands what the scorer says. A sum "
        "runs over entities, over the parts that they share (B³), or over aligned entities "
        "(CEAF). Key and response can be changed."
    ),
    run=_worked_example,
    chart=Chart("table", y="value"),
    claims=(
        *(_claim(metric) for metric in PRINTED),
        Claim("The scorer gives the same fractions.", "our check", _as_scored),
    ),
    parameters=TOY,
    published=_printed,
)

EXPERIMENTS = (WORKED_EXAMPLE,)
