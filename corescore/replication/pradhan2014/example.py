"""Pradhan et al. 2014: the worked example of the reference scorer, formulas with their numbers."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import pandas as pd

from corescore.analysis.explanation.textbook import (
    F1,
    PRECISION,
    RECALL,
    Step,
    mean_step,
    textbook_steps,
)
from corescore.bibliography import PRADHAN_2014
from corescore.counting.counts import MEASURES, SCORE_FIELDS
from corescore.metrics import CONLL, HOW_MANY, METRIC_IDS
from corescore.replication.claims import needing, title
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.partitions import score_partitions
from corescore.replication.toys import toy_pair, toy_parameters
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

Row = tuple[str, str, str, str, float, float]


def _worked_example(setting: Setting) -> pd.DataFrame:
    """Rows (metric, step). Columns: metric, step (recall, precision and f1, of BLANC also those of
    its parts), formula (with its numbers), exact (a fraction in lowest terms), value (the same as
    a number) and scored (what the scorer says; NaN for parts). A metric of the reader's own has
    its numerators and denominators as formula, and nothing exact."""
    pair = toy_pair(str(setting.values["key"]), str(setting.values["response"]))
    scores = score_partitions([pair], setting.metrics).set_index("metric")
    steps = {m.id: textbook_steps(m.id, *pair) for m in setting.metrics if m.id in METRIC_IDS}
    if "conll" in scores.index:
        steps["conll"] = [mean_step(F1, [steps[metric][-1] for metric in CONLL.members])]
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


def _comes_out(metric: str) -> Callable[[pd.DataFrame], Check]:
    @needing(metric)
    def check(table: pd.DataFrame) -> Check:
        rows = table[table["metric"] == metric]
        exact = dict(zip(rows["step"], rows["exact"], strict=True))
        f1 = rows.loc[rows["step"] == F1, "value"].iloc[0]
        given = ", ".join(f"{step} {exact[step]}" for step in PRINTED[metric])
        holds = all(exact[step] == str(value) for step, value in PRINTED[metric].items())
        return Check(holds, f"{given}; F1 {exact[F1]} = {percent(f1)}")

    return check


def _as_scored(table: pd.DataFrame) -> Check:
    both = table[(table["exact"] != "") & table["scored"].notna()]
    if both.empty:
        return Check(None, f"none of the {HOW_MANY} is scored")
    off = both[(both["value"] - both["scored"]).abs() > TOLERANCE]
    return Check(off.empty, f"{len(both) - len(off)} of {len(both)} figures are the scorer's")


WORKED_EXAMPLE = Experiment(
    id="pradhan2014-example",
    paper=PRADHAN_2014,
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
