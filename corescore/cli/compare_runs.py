"""`corescore compare` of systems with several runs each: the tables and what follows from them."""

import argparse
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from corescore.analysis.significance.stack import measures_of
from corescore.analysis.systems.runs import PairOverRuns
from corescore.cli.compare_tables import (
    equivalence_cells,
    equivalence_columns,
    equivalence_head,
    letters_of,
)
from corescore.cli.options import READ
from corescore.cli.shell import put, put_frame, warn
from corescore.cli.values import finite
from corescore.corpus.problems import PolicyError
from corescore.metrics import title_of
from corescore.rendering.latex import latex_prose
from corescore.rendering.scores import SHOWN, short_names
from corescore.rendering.text import TextTable
from corescore.scoring.tally import Tally
from corescore.sentences import runs as sentences
from corescore.sentences.equivalence import equivalent_over_runs, within_margin
from corescore.sentences.two_systems import FAMILIES, FAMILY
from corescore.wording import RATIOS, capital, counted, interval, p_value, signed, spanned

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Systems:
    """Systems and their runs, each two compared.

    pairs    by the letters of both
    names    by the letters
    runs     the paths of each system's runs, by the letters
    metric, measure  the primary ones
    margin   a fraction, or None: whether two differ by less than this
    beforehand  whether the user named the metric
    """

    pairs: Mapping[tuple[str, str], PairOverRuns]
    names: Mapping[str, str]
    runs: Mapping[str, tuple[str, ...]]
    metric: str
    measure: str
    margin: float | None
    beforehand: bool

    def titles(self, two: tuple[str, str]) -> dict[str, str]:
        """What a sentence calls the two, by the letters that it has for them: A and B."""
        return {at: f"{of} ({self.names[of]})" for at, of in zip("AB", two, strict=True)}

    @property
    def by_name(self) -> dict[str, list[str]]:
        """The paths of each system's runs."""
        return {name: [*self.runs[letter]] for letter, name in self.names.items()}

    @property
    def told_names(self) -> str:
        """A: a, 3 runs; B: b, 2 runs."""
        each = (
            f"{letter}: {name}, {counted(len(self.runs[letter]), 'run')}"
            for letter, name in self.names.items()
        )
        return f"{'; '.join(each)}."

    def fields(self, two: tuple[str, str]) -> dict[str, Any]:
        """What follows of two systems, in values: fractions; None where there is no number."""
        pair = self.pairs[two]
        row = sentences.row_of(pair, self.metric, self.measure)
        tests = ("difference", "low", "high", "p", "p_documents", "p_runs")
        fields = {
            "system_a": self.names[two[0]],
            "system_b": self.names[two[1]],
            "metric": self.metric,
            "measure": self.measure,
            "findings": [asdict(finding) for finding in pair.findings],
            **{name: float(row[name]) for name in tests},
            "smallest_p_runs": pair.smallest_p_of_runs,
            "conclusion": self.conclusion(two),
        }
        return finite(fields)

    def conclusion(self, two: tuple[str, str]) -> str:
        return sentences.conclusion(self.pairs[two], self.metric, self.measure, self.titles(two))


def put_runs(
    systems: Mapping[str, tuple[str, ...]],
    results: Mapping[str, Tally],
    primary: str,
    options: argparse.Namespace,
) -> None:
    """Print or write the comparison as --format and --out say; `systems` as of `by_system`."""
    if options.intervals != "simultaneous":
        found = "--intervals single is not known of several runs"
        raise PolicyError(f"{found}; expected --runs apart besides")
    letters = letters_of(list(systems))
    pairs = {
        (letters[a], letters[b]): PairOverRuns(
            [results[path] for path in systems[a]],
            [results[path] for path in systems[b]],
            trials=options.trials,
            seed=options.seed,
            letters=(letters[a], letters[b]),
        )
        for a, b in combinations(systems, 2)
    }
    names = dict(zip(letters.values(), short_names(systems), strict=True))
    runs = {letters[system]: paths for system, paths in systems.items()}
    margin = None if options.margin is None else options.margin / 100
    named = options.primary is not None
    _put(Systems(pairs, names, runs, primary, options.measure, margin, named), options)


def _put(systems: Systems, options: argparse.Namespace) -> None:
    first = next(iter(systems.pairs.values()))
    warn(warning for pair in systems.pairs.values() for warning in pair.warnings)
    drawn = f"{options.trials:,} trials | seed {options.seed}"
    signature = f"{first.a[0].signature} | mean over runs | {drawn}"
    if options.format in READ:
        put(text(systems, signature, options.format), options)
    else:
        more = {"runs": systems.by_name, "verdicts": [*map(systems.fields, systems.pairs)]}
        more = more if options.format == "json" else {}
        put_frame(frame(systems), signature, options, more=more)


def frame(systems: Systems) -> "pd.DataFrame":
    """A row for each two systems and metric: `PairOverRuns.significance`."""
    import pandas as pd

    tables = []
    for two, pair in systems.pairs.items():
        table = pair.significance
        if systems.margin is not None:
            table = table.merge(equivalence_columns(pair.equivalence(systems.margin)))
        table = table[table["measure"] == systems.measure].drop(columns="measure")
        for at, (side, letter) in enumerate(zip("ab", two, strict=True)):
            table.insert(at, f"system_{side}", systems.names[letter])
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def text(systems: Systems, signature: str, format: str) -> str:
    """The table to be read, and what follows from it."""
    table = run_table(systems)
    if format == "latex":
        return f"{table.text(signature, format=format)}\n{latex_prose(_paragraph(systems))}\n"
    return replace(table, notes=(*table.notes, "", *_told(systems), "")).text(
        signature, format=format
    )


def _told(systems: Systems) -> tuple[str, ...]:
    """The answers to each question about two systems; of more what follows, of each two."""
    if len(systems.pairs) > 1:
        return tuple(map(systems.conclusion, systems.pairs))
    ((two, pair),) = systems.pairs.items()
    answers = sentences.lines(pair, systems.metric, systems.measure)
    told = [f"{asked} {answer}" for asked, answer in answers.items()]
    if systems.margin is not None:
        told.append(equivalent_over_runs(pair, systems.margin, systems.metric, systems.measure))
    return (*told, systems.conclusion(two), f"For a paper: {_paragraph(systems)}")


def _paragraph(systems: Systems) -> str:
    """For a paper: of two systems all that has to be named, of more what follows, of each two."""
    if len(systems.pairs) > 1:
        return " ".join(map(systems.conclusion, systems.pairs))
    (pair,) = systems.pairs.values()
    return sentences.paragraph(
        pair, systems.metric, systems.measure, systems.names, beforehand=systems.beforehand
    )


def run_table(systems: Systems) -> TextTable:
    """A row for each metric, of each two systems: means over runs, their difference, the tests."""
    alone = len(systems.pairs) == 1
    rows = []
    for two, pair in systems.pairs.items():
        called = [] if alone else [", ".join(two)]
        known = [name for name in SHOWN if systems.measure in measures_of(name)]
        within = equivalence_cells(pair, systems.measure, systems.margin)
        for metric in (name for name in known if name in pair.a[0].scores):
            row = sentences.row_of(pair, metric, systems.measure)
            rows.append([*called, title_of(metric), *_figures(row), *within.get(metric, [])])
            called = [""] if called else []
    both = ("A", "B") if alone else ("first", "second")
    heads = [head for name in both for head in (f"{name}, mean ± sd", "lowest–highest")]
    difference = " − ".join(reversed(both))
    tests = ["95% interval", "p", "p (Holm)", "p, these runs", "p, these documents"]
    tests += [] if systems.margin is None else [equivalence_head(systems.margin)]
    header = ["", *([] if alone else [""]), *heads, difference, *tests]
    notes: tuple[str, ...] = (
        systems.told_names,
        f"{capital(RATIOS[systems.measure])} in percent, mean ± standard deviation over runs; "
        f"{difference} in points.",
        f"{sentences.HOW_TESTED} {FAMILY if alone else FAMILIES} p (Holm) is corrected for it; "
        "CoNLL and mentions are no part of it.",
    )
    notes += () if systems.margin is None else (within_margin(systems.margin, "resamples"),)
    return TextTable(header, rows, (0,) if alone else (0, 1), notes)


def _figures(row: "pd.Series[Any]") -> list[str]:
    scores = [
        cell
        for side in "ab"
        for cell in (
            sentences.mean_of(row, side),
            spanned(row[f"lowest_{side}"], row[f"highest_{side}"]),
        )
    ]
    tests = [p_value(row[p]) for p in ("p", "p_holm", "p_documents", "p_runs")]
    return [*scores, signed(row["difference"]), interval(row["low"], row["high"]), *tests]
