"""`corescore sweep`."""

import argparse
from typing import TYPE_CHECKING

from corescore.analysis.perturbation.spec import parse_doses, parse_perturbation
from corescore.cli.options import (
    ONE_RESPONSE,
    POLICIES,
    READ,
    SHOWN_METRICS,
    Command,
    choice,
    flag,
    option,
    output,
    policies,
    shown_metrics,
)
from corescore.cli.perturb import perturbing
from corescore.cli.shell import progress, put, put_frame, scored, warn
from corescore.corpus.problems import PolicyError
from corescore.metrics import title_of
from corescore.rendering.text import TextTable
from corescore.wording import RATIOS, counted, percent

if TYPE_CHECKING:
    import pandas as pd

    from corescore.analysis.perturbation.sweep import Run, Sweep

ROWS = ("dose", "run")


def _sweep(options: argparse.Namespace) -> None:
    from corescore.analysis.perturbation.sweep import (  # pandas is only needed here
        Sweep,
        check_seeds,
        dosed,
    )

    shown_metrics(options)  # refused before anything is read
    check_seeds(options.seeds)
    if policies(options).keeps_repeats:
        raise PolicyError(
            f"repeats is '{policies(options).repeats}'; a sweep expects one of: first, error"
        )
    perturbation, doses = dosed(parse_perturbation(options.do)), parse_doses(options.doses)
    for dose in doses:
        perturbation.at(dose)
    sweep = Sweep(
        result=scored(options),
        perturbation=perturbation,
        doses=doses,
        seeds=tuple(range(1, options.seeds + 1)),
        left_behind=options.left_behind,
    )
    runs = _runs(sweep)
    _put(sweep, runs, options)
    if len(runs) < len(sweep):
        raise KeyboardInterrupt


def _runs(sweep: "Sweep") -> "list[Run]":
    """All runs; after an interruption those of the seeds that are complete, if there are any."""
    runs = []
    try:
        with progress(len(sweep)) as step:
            for run in sweep:
                runs.append(run)
                step(f"Seed {run.seed}, dose {run.dose:g}")
    except KeyboardInterrupt:
        n_seeds = len(runs) // len(sweep.doses)
        if not n_seeds:
            raise
        warn([f"interrupted: these are the results of {n_seeds} of {len(sweep.seeds)} seeds"])
        return runs[: n_seeds * len(sweep.doses)]
    return runs


def _put(sweep: "Sweep", runs: "list[Run]", options: argparse.Namespace) -> None:
    """The doses, or the runs: to be read in percent, otherwise all columns as fractions."""
    from corescore.analysis.perturbation.sweep import BAND, band_table, run_table

    table = run_table(runs, shown_metrics(options))
    signature = f"{sweep.signature} | seeds 1 to {runs[-1].seed}"
    spread = "low and high are the {:.0%} and {:.0%} quantiles over seeds".format(*BAND)
    if options.by == "dose":
        table = band_table(table)
    if options.format in READ:
        shown = _runs_read(table) if options.by == "run" else _all_read(table, spread)
        if options.by == "dose" and not options.all:
            shown = _summary(table, f"the mean of {counted(runs[-1].seed, 'seed')}")
        put(shown.text(signature, format=options.format), options)
    else:
        put_frame(table, f"{signature} | {spread}" if options.by == "dose" else signature, options)


def _summary(table: "pd.DataFrame", mean: str) -> TextTable:
    """A row for each dose, the F1 of each metric in a column."""
    f1 = table[table["measure"] == "f1"]
    metrics = f1["metric"].unique()
    rows = f1.pivot_table(index="dose", columns="metric", values="mean")[metrics].itertuples()
    header = ("dose", *map(title_of, metrics))
    note = f"F1 in percent, {mean}. --all shows recall, precision and the spread over seeds."
    return TextTable(
        header, [[_dose(dose), *map(percent, row)] for dose, *row in rows], (), (note,)
    )


def _all_read(table: "pd.DataFrame", spread: str) -> TextTable:
    """A row for each dose, metric and measure: mean, low, high."""
    rows = [
        [_dose(dose), title_of(metric), RATIOS[measure], *map(percent, values)]
        for dose, metric, measure, *values in table.itertuples(index=False)
    ]
    notes = (f"In percent; {spread}.",)
    return TextTable(("dose", "metric", "measure", "mean", "low", "high"), rows, (1, 2), notes)


def _runs_read(table: "pd.DataFrame") -> TextTable:
    """A row for each run and metric: recall, precision, F1."""
    rows = [
        [_dose(dose), str(seed), title_of(metric), *map(percent, values)]
        for dose, seed, metric, *values in table.itertuples(index=False)
    ]
    return TextTable(("dose", "seed", "metric", *RATIOS.values()), rows, (2,), ("In percent.",))


def _dose(dose: float) -> str:
    return f"{100 * dose:g}%"


_ABOUT_DOSES = "doses: a range, or a list with commas (default: %(default)s)"
_ABOUT_SEEDS = "number of random seeds (default: %(default)s)"
_ABOUT_FORMATS = (
    "; table, markdown and latex show percent, and F1 only unless --all, the others fractions and "
    "all columns"
)
_OPTIONS = (
    *ONE_RESPONSE,
    *perturbing("store", "the perturbation to sweep"),
    option("--doses", _ABOUT_DOSES, "START:STOP:STEP", default="0:1:0.05"),
    option("--seeds", _ABOUT_SEEDS, "N", type=int, default=20),
    SHOWN_METRICS,
    choice("--by", ROWS, "one row for each dose, over all seeds, or for each run"),
    flag("--all", "also recall, precision and the spread over seeds, a row for each"),
    *output(_ABOUT_FORMATS),
    *POLICIES,
)
_ABOUT = "score a response at increasing doses of a perturbation"
COMMANDS = (Command("sweep", _ABOUT, _OPTIONS, _sweep),)
