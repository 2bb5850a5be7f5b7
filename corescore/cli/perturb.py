"""`corescore perturb` and `sweep`."""

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from corescore.analysis.perturbation import LEFT_BEHIND, PERTURBATIONS, Perturbation, perturb
from corescore.analysis.perturbation.perturbation import written
from corescore.analysis.perturbation.spec import parse_doses, parse_perturbation
from corescore.api.result import score
from corescore.cli.options import (
    INPUT_FORMAT,
    ONE_RESPONSE,
    POLICIES,
    REPAIR_BRACKETS,
    SHOWN_METRICS,
    WORDS,
    Command,
    Option,
    choice,
    option,
    out,
    output,
    policies,
    seed,
    shown_metrics,
)
from corescore.cli.shell import progress, put_frame, read_all, scored, warn
from corescore.corpus.documents import Corpus
from corescore.corpus.formats import format_of, write
from corescore.corpus.problems import PolicyError
from corescore.wording import counted

if TYPE_CHECKING:
    import pandas as pd

    from corescore.analysis.perturbation.sweep import Run, Sweep

ROWS = ("dose", "run")
MOST_SEEDS = 1000
WIDTH = 2 + max(map(len, PERTURBATIONS))


def _list() -> str:
    """Every perturbation with its parameters."""
    return "\n".join(line for kind in PERTURBATIONS.values() for line in _lines(kind))


def _lines(kind: type[Perturbation]) -> Iterator[str]:
    yield f"{kind.id:{WIDTH}}{kind.about}"
    for name, entry in kind.parameters().items():
        default = f" (default: {written(entry.default)})" if entry.default is not None else ""
        yield f"{'':{WIDTH}}  {name:11}{entry.metadata['about']}{default}"


def _perturb(options: argparse.Namespace) -> None:
    perturbations = [parse_perturbation(text) for text in options.do]
    paths = [options.key, options.response]
    with progress(len(paths) + 1) as step:
        key, response = read_all(paths, options, step)
        step(f"Perturbing {options.response}")
        perturbed = perturb(
            key,
            response,
            perturbations,
            seed=options.seed,
            left_behind=options.left_behind,
            words=policies(options).words,
        )
    warn(score(key, response, words=policies(options).words).warnings)
    _write(perturbed, options)
    done = "; ".join(perturbation.description for perturbation in perturbations)
    print(f"{done}: {_size(response)} before, {_size(perturbed)} after", file=sys.stderr)


def _write(corpus: Corpus, options: argparse.Namespace) -> None:
    known = format_of(options.response, format=options.input_format)
    if options.out is None:
        sys.stdout.write(known.text(corpus))
        return
    try:
        warn(write(corpus, options.out, force=options.force))
    except PolicyError:  # an ending of no known format
        warn(write(corpus, options.out, format=known.id, force=options.force))


def _size(corpus: Corpus) -> str:
    n_mentions = sum(len(document.rows) for document in corpus)
    n_entities = sum(document.n_entities for document in corpus)
    return f"{counted(n_mentions)} in {counted(n_entities, 'entity')}"


def _sweep(options: argparse.Namespace) -> None:
    from corescore.analysis.perturbation.sweep import Sweep, dosed  # pandas is only needed here

    shown = shown_metrics(options)
    if not 1 <= options.seeds <= MOST_SEEDS:
        expected = f"a whole number from 1 to {MOST_SEEDS}"
        raise PolicyError(f"seeds is {options.seeds}; expected {expected}")
    if policies(options).keeps_repeats:
        raise PolicyError(
            f"repeats is '{policies(options).repeats}'; a sweep expects one of: first, error"
        )
    perturbation, doses = dosed(parse_perturbation(options.do)), parse_doses(options.doses)
    for dose in doses:
        perturbation.at(dose)  # refused before anything is read
    sweep = Sweep(
        result=scored(options),
        perturbation=perturbation,
        doses=doses,
        seeds=tuple(range(1, options.seeds + 1)),
        left_behind=options.left_behind,
    )
    runs = _runs(sweep)
    put_frame(*_table(sweep, runs, shown, options), options)
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


def _table(
    sweep: "Sweep", runs: "list[Run]", shown: tuple[str, ...], options: argparse.Namespace
) -> tuple["pd.DataFrame", str]:
    """The table of the runs or of the doses, and its signature."""
    from corescore.analysis.perturbation.sweep import BAND, band_table, run_table

    table = run_table(runs, shown)
    signature = f"{sweep.signature} | seeds 1 to {runs[-1].seed}"
    if options.by == "dose":
        table = band_table(table)
        low, high = BAND
        signature += f" | low and high are the {low:.0%} and {high:.0%} quantiles over seeds"
    return table, signature


def _do(action: str, about: str) -> tuple[Option, ...]:
    about = f"{about}: {', '.join(PERTURBATIONS)}"
    listed = "list the perturbations and their parameters"
    left = "mentions that a perturbation leaves without a partner"
    return (
        option("--do", about, "NAME[:PARAMETER=VALUE,…]", action=action, required=True),
        lambda parser: parser.add_argument(
            "--list", action="version", version=_list(), help=listed
        ),
        choice("--left-behind", LEFT_BEHIND, left),
    )


_PERTURB_OPTIONS = (
    *ONE_RESPONSE,
    *_do("append", "a perturbation to apply; may be repeated"),
    seed(1),
    *out("write to FILE instead of printing; its ending decides the format"),
    WORDS,
    INPUT_FORMAT,
    REPAIR_BRACKETS,
)
_ABOUT_DOSES = "doses: a range, or a list with commas (default: %(default)s)"
_ABOUT_SEEDS = "number of random seeds (default: %(default)s)"
_SWEEP_OPTIONS = (
    *ONE_RESPONSE,
    *_do("store", "the perturbation to sweep"),
    option("--doses", _ABOUT_DOSES, "START:STOP:STEP", default="0:1:0.05"),
    option("--seeds", _ABOUT_SEEDS, "N", type=int, default=20),
    SHOWN_METRICS,
    choice("--by", ROWS, "one row for each dose, over all seeds, or for each run"),
    *output(),
    *POLICIES,
)
_ABOUT_PERTURB = "damage or repair a response in a controlled way"
_ABOUT_SWEEP = "score a response at increasing doses of a perturbation"
COMMANDS = (
    Command("perturb", _ABOUT_PERTURB, _PERTURB_OPTIONS, _perturb),
    Command("sweep", _ABOUT_SWEEP, _SWEEP_OPTIONS, _sweep),
)
