"""`corescore compare`."""

from argparse import Namespace
from collections.abc import Iterable

from corescore.analysis import significance
from corescore.cli.options import (
    POLICIES,
    RESPONSES,
    Command,
    choice,
    each,
    flag,
    measure,
    metric_option,
    metrics_of,
    option,
    output,
    policies,
    whole_number,
)
from corescore.cli.output import put, warn
from corescore.cli.score import TALLIES, compared
from corescore.corpus.names import several_runs
from corescore.corpus.problems import PolicyError, choose
from corescore.metrics import CONLL, METRIC_IDS

SEED = option(
    "--seed",
    "random seed (default: %(default)s)",
    "S",
    type=whole_number,
    default=significance.SEED,
)

EQUAL, SIGNIFICANCE = "equal", "significance"
TOGETHER, APART = "together", "apart"


def _compare(options: Namespace) -> None:
    try:
        significance.check(options.trials, options.seed)
    except ValueError as error:
        raise PolicyError(str(error)) from error
    if options.ties != EQUAL and not options.ranks:
        raise PolicyError(f"--ties {options.ties} is given without --ranks")
    views = "effect", "ranks", "per_document"
    asked = [f"--{name.replace('_', '-')}" for name in views if vars(options)[name]]
    if len(asked) > 1:
        raise PolicyError(f"{asked[0]} is given with {asked[1]}; expected one of them")
    policies(options)  # they and the metric are refused before anything is read
    primary = _primary(options)
    if not options.per_document and not options.effect:
        warn(significance.few_trials(options.trials))
    results = compared(options)
    from corescore.cli import compare_tables as tables  # it needs pandas

    if options.per_document:
        result = tables.by_document(results, options)
    elif options.ranks:
        result = tables.by_rank(results, options)
    elif options.effect:
        result = tables.by_effect(results, options)
    elif options.runs == TOGETHER and (systems := _several_runs(results)):
        result = tables.over_runs(systems, results, primary, options)
    else:
        result = tables.of_pairs(results, primary, options)
    put(result, options)


def _several_runs(paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The runs of each system, if any has several. PolicyError for two files of one run."""
    try:
        return several_runs(paths)
    except PolicyError as error:
        raise PolicyError(f"{error}, or --runs apart") from error


def _primary(options: Namespace) -> str:
    """The metric that the verdict goes by."""
    primary: str = options.primary or ("conll" if options.measure == "f1" else "lea")
    if primary == "conll" and options.measure != "f1":
        raise PolicyError(f"--primary is conll, which has no {options.measure}; expected another")
    return choose("primary metric", primary, (*(metrics_of(options) or METRIC_IDS), CONLL.id))


COMPARE = Command(
    "compare",
    "compare two or more responses: differences, p-values, intervals",
    (
        *each(f"{RESPONSES}{TALLIES}"),
        option(
            "--trials",
            "number of resamples (default: %(default)s)",
            "N",
            type=whole_number,
            default=significance.TRIALS,
        ),
        SEED,
        flag("--per-document", "show the scores of each document instead"),
        flag("--ranks", "show the rank of each response under each metric instead"),
        flag(
            "--effect",
            "show instead whether ranks depend on the mention identification effect: the share of "
            "each metric that incorrectly resolved mentions earn, scores and ranks without them, "
            "and who changes places",
        ),
        choice(
            "--ties",
            (EQUAL, SIGNIFICANCE),
            "which responses share a rank under --ranks: equal scores, or no significant "
            "difference (approximate randomisation, p of 0.05 or more after Holm's correction "
            "over all pairs), at the best one's rank",
        ),
        choice(
            "--intervals",
            tuple(significance.INTERVALS),
            "the intervals in a table for reading: simultaneous over the six metrics, as p (max "
            "T), or each alone, by the bootstrap. The other formats have both",
        ),
        metric_option(
            "--primary",
            "the metric you chose before you saw the scores: it decides the verdict, and the "
            "paragraph for a paper calls it chosen beforehand (default: conll, or lea for recall "
            "and precision)",
            ("conll", *METRIC_IDS),
        ),
        choice(
            "--runs",
            (TOGETHER, APART),
            "files named a.run1.conll, a.run2.conll, … (or .seedN) are runs of system a: compare "
            "the systems by their means over runs, or each file alone, as --per-document, --ranks "
            "and --effect do",
        ),
        measure("the measure to compare"),
        flag(
            "--explain",
            "add how the difference was tested, the evidence for and against the verdict, and a "
            "paragraph for a paper (always part of latex and json)",
        ),
        *output(
            "; table, markdown and latex show titles and percent, the others ids, fractions and "
            "more columns: wins, ties and sign tests"
        ),
        *POLICIES,
    ),
    _compare,
)
