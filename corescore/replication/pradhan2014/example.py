"""Pradhan et al. 2014: the worked example, each formula with its numbers."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from corescore.bibliography import MOOSAVI_2016, PRADHAN_2014
from corescore.counting.counts import MEASURES, SCORE_FIELDS
from corescore.metrics import CONLL, METRIC_IDS, METRICS, metric_of, title_of
from corescore.metrics.textbook import F1, Step
from corescore.replication.claims import needing
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.partitions import score_partitions, toy_pair, toy_parameters
from corescore.replication.printed import Printed
from corescore.util import TOLERANCE
from corescore.wording import RATIOS, percent

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


def _counts(name: str, score: dict[str, float]) -> str:
    """Numerator and denominator, where the score has them."""
    above, below = (score.get(f"{name}_{part}", math.nan) for part in ("numerator", "denominator"))
    return "" if math.isnan(above) else f"{above:g} / {below:g}"


TOY = toy_parameters("{abc}{defg}", "{ab}{cd}{fghi}")

CLEANED = "{ab}{cd}{fg}"  # the response without its spurious mentions

ON = ("metric", "step")

PRINTED = Printed("poster, example", Path(__file__).with_name("example.csv"), ON)

LEA_PRINTED = Printed("§5", Path(__file__).with_name("example_lea.csv"), ON, paper=MOOSAVI_2016)

# What manipulates mentions so that spurious ones cost nothing, beside what it is made of
MANIPULATED = ("b3-0", "muc-discard", "b3-discard", "ceafm-discard", "ceafe-discard", "lea-discard")

NOTES = {
    "blanc": "F1 of the coreference links, 4/17 = 0.2353, and BLANC, 25/68 = 0.3676, are cut in "
    "print, not rounded.",
    "lea": "LEA is later than the poster; Moosavi & Strube work it out for the same example.",
}


def _claim(metric: str, printed: Printed) -> Claim:
    """The printed decimals of a metric, by step."""
    rows = printed.cells.query("metric == @metric")

    @needing(metric)
    def check(table: pd.DataFrame) -> Check:
        found = printed.beside(table).query("metric == @metric")
        exact = table[table["metric"] == metric].set_index("step")["exact"]
        numbers = [
            f"{_in_words(step)} {exact[step]} = {computed:.4f}, printed {cell}"
            for step, computed, cell in found[["step", "computed", "printed"]].to_numpy().tolist()
        ]
        return Check(not found["differs"].any(), "; ".join(numbers))

    values = ", ".join(
        f"{_in_words(step)} {value}" for step, value in rows[["step", "value"]].to_numpy().tolist()
    )
    says, note = f"{title_of(metric)}: {values}.", NOTES.get(metric, "")
    return Claim(
        says,
        printed.title,
        check,
        note,
        id=metric,
        scope="result",
    )


def _in_words(step: str) -> str:
    return step.replace(F1, RATIOS[F1])


def _claims() -> Iterator[Claim]:
    for printed in (PRINTED, LEA_PRINTED):
        for metric in printed.cells["metric"].unique():
            yield _claim(str(metric), printed)


def _unseen(table: pd.DataFrame) -> Check:
    """Whether the six see that spurious mentions are gone, and manipulated metrics do not."""
    key, response = (str(parameter.default) for parameter in TOY)
    metrics = [*METRICS, *map(metric_of, MANIPULATED)]
    pairs = [toy_pair(key, response), toy_pair(key, CLEANED)]
    scores = score_partitions(pairs, metrics).pivot(index="metric", columns="pair", values="f1")
    is_same = (scores[1] - scores[0]).abs() < TOLERANCE
    holds = is_same[[*MANIPULATED]].all() and not is_same[[*METRIC_IDS]].any()
    numbers = [
        f"{title_of(str(name))} {percent(before)} and {percent(after)}"
        for name, before, after in scores.loc[[m.id for m in metrics]].itertuples()
    ]
    return Check(bool(holds), f"F1 with and without: {', '.join(numbers)}")


def _as_scored(table: pd.DataFrame) -> Check:
    both = table[(table["exact"] != "") & table["scored"].notna()]
    if both.empty:
        return Check(None, "none of these metrics is scored")
    off = both[(both["value"] - both["scored"]).abs() > TOLERANCE]
    return Check(off.empty, f"{len(both) - len(off)} of {len(both)} numbers are the scorer's")


WORKED_EXAMPLE = Experiment(
    id="pradhan2014-example",
    paper=PRADHAN_2014,
    where="poster, example",
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
        Claim(
            "To metrics that leave twinless mentions out, the response is as good as without its "
            "two spurious mentions; the six, which need no such change, see that it is worse.",
            "poster, contributions; the example for it is ours",
            _unseen,
            id="manipulation",
            scope="existential",
        ),
        Claim(
            "The scorer gives the same fractions.",
            "our check",
            _as_scored,
            id="as-scored",
            scope="result",
            ours=True,
        ),
    ),
    parameters=TOY,
    printed=(PRINTED, LEA_PRINTED),
)

# Pradhan et al. 2014, poster: the figures of its Table 1 ------------------------------------------

KEYS = ["data", "system", "metric"]

TABLE_1 = Printed("poster, Table 1", Path(__file__).with_name("table1.csv"), tuple(KEYS))
