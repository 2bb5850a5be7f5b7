"""Pradhan et al. 2014: the worked example, each formula with its numbers."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from corescore.bibliography import PRADHAN_2014
from corescore.counting.counts import MEASURES, SCORE_FIELDS
from corescore.metrics import CONLL, title_of
from corescore.metrics.textbook import (
    F1,
    Step,
)
from corescore.replication.claims import needing
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.partitions import score_partitions
from corescore.replication.printed import Printed
from corescore.replication.toys import toy_pair, toy_parameters
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

Row = tuple[str, str, str, str, float, float]


def _worked_example(setting: Setting) -> pd.DataFrame:
    """Rows (metric, step). Columns: metric, step (recall, precision and f1, of BLANC also those of
    its parts), formula (with its numbers), exact (a fraction in lowest terms), value (the same as
    a number) and scored (the scorer's value; NaN for parts). A metric without textbook steps has
    its numerators and denominators as formula, and nothing exact."""
    pair = toy_pair(setting.text("key"), setting.text("response"))
    scores = score_partitions([pair], setting.metrics).set_index("metric")
    steps = {m.id: m.textbook(*pair) for m in setting.metrics if m.textbook}
    if "conll" in scores.index:
        steps["conll"] = CONLL.textbook(*pair)
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
    """A metric whose formula is not known here."""
    return [(metric, name, _counts(name, score), "", score[name], score[name]) for name in MEASURES]


PRINTED = Printed("worked example", Path(__file__).with_name("example.csv"), ("metric", "step"))


def _counts(name: str, score: dict[str, float]) -> str:
    """Numerator and denominator, where the score has them."""
    above, below = (score.get(f"{name}_{part}", math.nan) for part in ("numerator", "denominator"))
    return "" if math.isnan(above) else f"{above:g} / {below:g}"


TOY = toy_parameters("{abc}{defg}", "{ab}{cd}{fghi}")
NOTES = {
    "blanc": "The poster prints 0.67 for the recall of non-coreference links and 0.36 for F1; "
    "8/12 = 0.6667 and F1 = 25/68 = 0.3676, so the latter was truncated, not rounded.",
    "lea": "LEA is later than this paper; its values follow from its definition.",
}


def _claim(metric: str, printed: dict[str, str]) -> Claim:
    """The printed fractions of a metric, by step."""

    @needing(metric)
    def check(table: pd.DataFrame) -> Check:
        rows = table[table["metric"] == metric].set_index("step")
        exact = rows["exact"]
        given = ", ".join(f"{step} {exact[step]}" for step in printed)
        holds = all(exact[step] == value for step, value in printed.items())
        return Check(holds, f"{given}; F1 {exact[F1]} = {percent(rows['value'][F1])}")

    values = ", ".join(f"{step} {value}" for step, value in printed.items())
    return Claim(f"{title_of(metric)}: {values}.", "worked example", check, NOTES.get(metric, ""))


def _claims() -> Iterator[Claim]:
    for metric, rows in PRINTED.cells.groupby("metric", sort=False):
        yield _claim(str(metric), dict(zip(rows["step"], rows["value"], strict=True)))


def _as_scored(table: pd.DataFrame) -> Check:
    both = table[(table["exact"] != "") & table["scored"].notna()]
    if both.empty:
        return Check(None, "none of these metrics is scored")
    off = both[(both["value"] - both["scored"]).abs() > TOLERANCE]
    return Check(off.empty, f"{len(both) - len(off)} of {len(both)} numbers are the scorer's")


WORKED_EXAMPLE = Experiment(
    id="pradhan2014-example",
    paper=PRADHAN_2014,
    where="worked example",
    title="How is each metric worked out, step by step?",
    setup=(
        "The key {abc}{defg} and the response {ab}{cd}{fghi}, in which e is missing and h and i "
        "are spurious. Each line is a formula with its numbers, worked out as a fraction from the "
        "two partitions themselves and not by the scorer, whose value stands beside it. Sums run "
        "over entities, over the parts that they share (B³), or over aligned entities (CEAF). Key "
        "and response can be changed."
    ),
    run=_worked_example,
    chart=Chart("table", y="value"),
    claims=(
        *_claims(),
        Claim("The scorer gives the same fractions.", "our check", _as_scored),
    ),
    parameters=TOY,
    printed=(PRINTED,),
)
