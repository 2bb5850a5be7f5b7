"""`corescore compare`."""

import argparse
from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING, Any

from corescore.analysis.significance import INTERVALS, SEED, TRIALS, check, few_trials
from corescore.cli.options import (
    KEY,
    POLICIES,
    READ,
    RESPONSES,
    Command,
    choice,
    flag,
    option,
    output,
    seed,
)
from corescore.cli.output import put, put_frame, warn
from corescore.cli.score import TALLIES, compared
from corescore.corpus.names import several_runs
from corescore.corpus.problems import PolicyError
from corescore.counting.counts import MEASURES
from corescore.metrics import METRIC_IDS
from corescore.rendering.scores import short_names
from corescore.scoring.tally import Tally

if TYPE_CHECKING:
    import pandas as pd

    from corescore.analysis.systems.pair import Pair
    from corescore.cli.compare_tables import Told

EQUAL, SIGNIFICANCE = "equal", "significance"
TOGETHER, APART = "together", "apart"
ABOUT_FORMATS = (
    "; table, markdown and latex show titles and percent, the others ids, fractions and more "
    "columns: wins, ties and sign tests"
)


def _compare(options: argparse.Namespace) -> None:
    try:
        check(options.trials, options.seed)
    except ValueError as error:
        raise PolicyError(str(error)) from error
    if options.margin is not None and not 0 < options.margin < 100:
        raise PolicyError(f"--margin is {options.margin:g}; expected more than 0 and less than 100")
    if options.ties != EQUAL and not options.ranks:
        raise PolicyError(f"--ties {options.ties} is given without --ranks")
    if not options.per_document:
        warn(few_trials(options.trials))
    results = compared(options)
    each_alone = options.per_document or options.ranks or options.runs == APART
    if not each_alone and (systems := _several_runs(results)):
        from corescore.cli.compare_tables import put_runs  # it needs pandas

        put_runs(systems, results, _primary(options), options)
    elif options.per_document or options.ranks:
        made = _documents if options.per_document else _ranks
        table, notes = made(results, options)
        warn(notes)
        _put_table(table, _signature(results, options), options)
    else:
        _put_pairs(results, options)


def _several_runs(paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The runs of each system, if any has several. PolicyError for two files of one run."""
    try:
        return several_runs(paths)
    except PolicyError as error:
        raise PolicyError(f"{error}, or --runs apart") from error


def _signature(results: dict[str, Tally], options: argparse.Namespace) -> str:
    drawn = "" if options.per_document else f" | {options.trials:,} trials | seed {options.seed}"
    return next(iter(results.values())).signature + drawn


def _put_table(table: Any, signature: str, options: argparse.Namespace) -> None:
    if options.format in READ:
        put(table.text(signature, format=options.format), options)
    else:
        put_frame(table, signature, options)


def _put_pairs(results: dict[str, Tally], options: argparse.Namespace) -> None:
    """The differences of each two responses, and what follows from them."""
    from corescore.cli import compare_tables  # it needs pandas

    pairs = {
        (a, b): results[a].compare(results[b], trials=options.trials, seed=options.seed)
        for a, b in combinations(results, 2)
    }
    warn(next(iter(pairs.values())).warnings)
    signature, measure = _signature(results, options), options.measure
    margin = None if options.margin is None else options.margin / 100
    verdict = _verdict(pairs, options, margin)
    if options.format not in READ:
        table = _pairs(pairs, measure=measure, margin=margin)
        more = {"verdict": verdict.fields} if options.format == "json" else {}
        put_frame(table, signature, options, more=more)
    else:
        how = {"measure": measure, "intervals": options.intervals, "margin": margin}
        shown = compare_tables.pair_table(pairs, **how)
        made = shown, verdict, signature, options.format, options.intervals
        put(compare_tables.with_verdict(*made), options)


def _verdict(
    pairs: dict[tuple[str, str], "Pair"], options: argparse.Namespace, margin: float | None
) -> "Told":
    from corescore.cli.compare_tables import Verdict, VerdictOfMany, letters_of

    primary = _primary(options)
    letters = letters_of(list(dict.fromkeys(path for two in pairs for path in two)))
    names = dict(zip(letters.values(), short_names(letters), strict=True))
    if len(pairs) == 1:
        (pair,) = pairs.values()
        named = options.primary is not None
        return Verdict(pair, (names["A"], names["B"]), primary, options.measure, margin, named)
    lettered = {(letters[a], letters[b]): pair for (a, b), pair in pairs.items()}
    return VerdictOfMany(lettered, names, primary, options.measure)


def _primary(options: argparse.Namespace) -> str:
    """The metric that the verdict goes by."""
    primary: str = options.primary or ("conll" if options.measure == "f1" else "lea")
    if primary == "conll" and options.measure != "f1":
        raise PolicyError(f"--primary is conll, which has no {options.measure}; expected another")
    return primary


def _ranks(results: dict[str, Tally], options: argparse.Namespace) -> tuple[Any, tuple[str, ...]]:
    """The ranks, where it is asked for those that responses without a difference share."""
    from corescore.analysis.systems.many import groups, ranking, with_shared_ranks
    from corescore.cli import compare_tables

    draws: dict[str, Any] = {"trials": options.trials, "seed": options.seed}
    found = ranking(results, measure=options.measure, **draws)
    if options.ties == EQUAL:
        table = compare_tables.rank_table(found) if options.format in READ else found.table
        return table, found.warnings
    tested = {
        name: groups(results, name, measure=options.measure, **draws) for name in found.metrics
    }
    if options.format in READ:
        table = compare_tables.rank_table(found, tested)
    else:
        table = with_shared_ranks(found.table, tested)
    return table, next(iter(tested.values())).warnings


def _documents(
    results: dict[str, Tally], options: argparse.Namespace
) -> tuple[Any, tuple[str, ...]]:
    """The scores of each document; there is nothing to warn of."""
    from corescore.cli import compare_tables

    of_documents = compare_tables.document_table if options.format in READ else _document_frame
    return of_documents(results, measure=options.measure), ()


def _document_frame(results: dict[str, Tally], *, measure: str) -> "pd.DataFrame":
    """A row for each document and metric; of two responses their difference and the winner."""
    import pandas as pd

    from corescore.analysis.systems.documents import compared_documents, documents_of_each

    if len(results) == 2:
        table = compared_documents(*results.values(), measure=measure)
        return table.rename(columns=dict(zip("ab", results, strict=True)))
    first = next(iter(results.values()))
    tables = []
    for metric in first.scores:
        table = documents_of_each(results, metric, measure=measure)
        if not table.isna().all(axis=None):
            tables.append(table.reset_index().assign(metric=metric))
    table = pd.concat(tables, ignore_index=True)
    return table[["document", "metric", *results]]


def _pairs(
    pairs: dict[tuple[str, str], "Pair"], *, measure: str, margin: float | None
) -> "pd.DataFrame":
    """A row for each two responses and metric: the difference, its intervals and its p-values, and
    whether the two are equivalent, if there is a margin."""
    import pandas as pd

    from corescore.cli.compare_tables import equivalence_columns

    tables = []
    for (name_a, name_b), pair in pairs.items():
        table = pair.significance
        if margin is not None:
            table = table.merge(equivalence_columns(pair.equivalence(margin)))
        table = table[table["measure"] == measure].drop(columns="measure")
        table.insert(0, "response_a", name_a)
        table.insert(1, "response_b", name_b)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


_OPTIONS = (
    option("key", f"{KEY}, a file (plain, .gz or .zip) or a folder", "KEY"),
    option("responses", f"{RESPONSES}{TALLIES}", "RESPONSE", nargs="+"),
    option("--trials", "number of resamples (default: %(default)s)", "N", type=int, default=TRIALS),
    seed(SEED),
    flag("--per-document", "show the scores of each document instead"),
    flag("--ranks", "show the rank of each response under each metric instead"),
    choice(
        "--ties",
        (EQUAL, SIGNIFICANCE),
        "which responses share a rank of --ranks: those with equal scores, or all that do not "
        "differ significantly (approximate randomisation, p of 0.05 or more after Holm's "
        "correction over all pairs), at the best one's rank",
    ),
    choice(
        "--intervals",
        tuple(INTERVALS),
        "the intervals in a table to be read: those of the six metrics together, which agree with "
        "p (max T), or each alone, by the bootstrap; the other formats have both",
    ),
    option(
        "--margin",
        "also test, for each metric alone, whether two responses differ by less than so many "
        "points: two one-sided tests; the margin is to be set before the scores are seen",
        "POINTS",
        type=float,
    ),
    option(
        "--primary",
        "the metric you chose before you saw the scores: it decides the verdict, and the paragraph "
        "for a paper calls it chosen beforehand (default: conll; for recall and precision lea)",
        choices=("conll", *METRIC_IDS),
    ),
    choice(
        "--runs",
        (TOGETHER, APART),
        "files named a.run1.conll, a.run2.conll, … (also .seedN) are runs of system a: compare the "
        "systems by their means over runs, or each file alone, as --per-document and --ranks do",
    ),
    choice("--measure", ("f1", *MEASURES[:2]), "the measure to compare"),
    *output(ABOUT_FORMATS),
    *POLICIES,
)
_ABOUT = "compare two or more responses: differences, p-values, intervals"
COMMANDS = (Command("compare", _ABOUT, _OPTIONS, _compare),)
