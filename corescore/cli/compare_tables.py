"""The tables of `corescore compare` as they are read and printed: titles, percent, few columns."""

import argparse
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import combinations
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from corescore.analysis.significance import INTERVALS, LEVEL, Kind
from corescore.analysis.significance.exchanges import Equivalence, Randomisation
from corescore.analysis.significance.resamples import measures_of
from corescore.analysis.systems.comparability import Finding, against_best
from corescore.analysis.systems.many import Groups, Ranking, ranking
from corescore.analysis.systems.pair import Evidence, Pair, evidence
from corescore.analysis.systems.runs import PairOverRuns
from corescore.cli.options import READ, finite
from corescore.cli.output import put, put_frame, warn
from corescore.corpus.problems import PolicyError
from corescore.metrics import METRIC_IDS, title_of
from corescore.rendering.many import paper_table
from corescore.rendering.scores import SHOWN, short_names
from corescore.rendering.text import TextTable, latex_prose
from corescore.scoring.tally import Tally
from corescore.scoring.tally import Tally as compare_runs_Tally
from corescore.scoring.tally import Tally as verdict_of_many_Tally
from corescore.sentences import compare, many
from corescore.sentences import runs as sentences
from corescore.sentences.compare import (
    FAMILIES,
    FAMILY,
    MAX_T_AND_HOLM,
    about_intervals,
    conclusion,
    equivalent,
    equivalent_over_runs,
    paragraph,
    within_margin,
)
from corescore.sentences.many import between, how_ranked
from corescore.sentences.many import ties as told_ties
from corescore.sentences.runs import ONE_RUN
from corescore.wording import (
    RATIOS,
    capital,
    counted,
    interval,
    p_below,
    p_value,
    percent,
    signed,
    spanned,
)

if TYPE_CHECKING:
    import pandas as pd

# What `corescore compare` concludes of two responses: the argument of the page Two systems --------

LETTERS = ("A", "B")


@dataclass(frozen=True)
class Verdict:
    """The evidence of a difference by the primary metric, and what follows from it.

    names       of the two responses
    margin      a fraction, or None: whether the two differ by less than this
    beforehand  whether the user named the metric
    """

    pair: Pair
    names: tuple[str, str]
    metric: str
    measure: str
    margin: float | None = None
    beforehand: bool = False

    @cached_property
    def evidence(self) -> Evidence:
        return evidence(self.pair, self.metric, measure=self.measure)

    @property
    def conclusion(self) -> str:
        titles = {at: f"{at} ({name})" for at, name in zip(LETTERS, self.names, strict=True)}
        return conclusion(self.evidence, titles)

    @property
    def paragraph(self) -> str:
        """For a paper."""
        names = dict(zip(LETTERS, self.names, strict=True))
        policies = self.pair.a.policies
        return paragraph(self.evidence, names, policies, beforehand=self.beforehand)

    @property
    def lines(self) -> tuple[str, ...]:
        """A line for each question, what follows, and the paragraph."""
        answers = (f"{asked} {answer}" for asked, answer in compare.lines(self.evidence).items())
        within = () if self.margin is None else (self._equivalent,)
        return (*answers, *within, self.conclusion, f"For a paper: {self.paragraph}")

    @property
    def _equivalent(self) -> str:
        found = self.pair.equivalence(self.margin or 0)
        return equivalent(found, self.metric, self.measure)

    @property
    def fields(self) -> dict[str, Any]:
        """The same in values: fractions; None where there is no number, or no finite one."""
        of = self.evidence
        held = of.held.table.astype({"outcome": str}).to_dict("records")
        fields = {
            "metric": self.metric,
            "measure": self.measure,
            "findings": [asdict(finding) for finding in of.findings],
            "detectable": asdict(of.detectable),
            "difference": of.row["difference"],
            "low": of.interval[0],
            "high": of.interval[1],
            "p": of.p,
            "effect": asdict(of.effect),
            "held": held,
            "conclusion": self.conclusion,
            "paragraph": self.paragraph,
        }
        return finite(fields)


# What `corescore compare` concludes of three responses or more: the first page of a report --------


@dataclass(frozen=True)
class VerdictOfMany:
    """Who is first by the primary metric, how sure the ranks are, and what can be
    concluded of the two best.

    pairs   by the letters of both, each letter first of those it is compared with
    names   of the responses by their letters
    """

    pairs: Mapping[tuple[str, str], Pair]
    names: Mapping[str, str]
    metric: str
    measure: str

    @property
    def titles(self) -> dict[str, str]:
        return {letter: f"{letter} ({name})" for letter, name in self.names.items()}

    @cached_property
    def results(self) -> dict[str, verdict_of_many_Tally]:
        """By their letters, the best by the primary metric first."""
        found: dict[str, verdict_of_many_Tally] = {}
        for (a, b), pair in self.pairs.items():
            found |= {a: pair.a, b: pair.b}
        order = sorted(found, key=lambda one: -getattr(found[one][self.metric], self.measure))
        return {letter: found[letter] for letter in order}

    @cached_property
    def ranking(self) -> Ranking:
        pair = next(iter(self.pairs.values()))
        results = {self.titles[letter]: result for letter, result in self.results.items()}
        return ranking(results, measure=self.measure, trials=pair.trials, seed=pair.seed)

    @cached_property
    def of_best(self) -> tuple[tuple[str, str], Evidence]:
        """The letters of the two best, as they are compared, and the evidence of their
        difference."""
        best, second, *_ = self.results
        two = (best, second) if (best, second) in self.pairs else (second, best)
        found = evidence(self.pairs[two], self.metric, measure=self.measure, letters=two)
        return two, found

    @property
    def conclusion(self) -> str:
        """Of the two best."""
        two, found = self.of_best
        named = zip("AB", two, strict=True)
        return conclusion(found, {at: self.titles[letter] for at, letter in named})

    @property
    def summary(self) -> str:
        """Who is first, and how sure the ranks are."""
        return many.first_and_spread(self.ranking, self.metric)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What speaks against comparing the best with any other."""
        return tuple(dict.fromkeys(against_best(self.results)))

    @property
    def lines(self) -> tuple[str, ...]:
        """Who is first, what speaks against comparing, and what follows."""
        return (self.summary, *(found.sentence for found in self.findings), self.conclusion)

    @property
    def paragraph(self) -> str:
        """The lines in one."""
        return " ".join(self.lines)

    @property
    def fields(self) -> dict[str, Any]:
        """The same in values: fractions; None where there is no number, or no finite one."""
        two, found = self.of_best
        fields = {
            "metric": self.metric,
            "measure": self.measure,
            "summary": self.summary,
            "findings": [asdict(finding) for finding in self.findings],
            "best": [self.names[letter] for letter in two],
            "difference": found.row["difference"],
            "low": found.interval[0],
            "high": found.interval[1],
            "p": found.p,
            "conclusion": self.conclusion,
        }
        return finite(fields)


_SURE = f"{100 * LEVEL:.0f}%"

Told = Verdict | VerdictOfMany

_SIX_AND_MEAN = (*METRIC_IDS, "conll")


def pair_table(
    pairs: Mapping[tuple[str, str], Pair],
    *,
    measure: str,
    intervals: Kind = "simultaneous",
    margin: float | None = None,
) -> TextTable:
    """A row for each metric, of each two responses: both scores, their difference with its
    interval, and how likely it is by chance.

    pairs      by the paths of both, each path first of those it is compared with
    intervals  those that agree with the corrected p, or the bootstrap's, each alone
    margin     if given, p of the test whether the two differ by less than this
    """
    letters = letters_of(list(dict.fromkeys(path for two in pairs for path in two)))
    alone = len(pairs) == 1
    rows = []
    for two, pair in pairs.items():
        called = ", ".join(letters[path] for path in two)
        within = equivalence_cells(pair, measure, margin)
        for row in _rows_of(pair.significance, measure):
            figures = [*_figures(row, intervals), *within.get(row["metric"], [])]
            rows.append([*([] if alone else [called]), *figures])
            called = ""
    scores, difference = ("A", "B"), "B − A"
    if not alone:
        scores, difference = ("first", "second"), "second − first"
    tests = [f"{_SURE} interval", "p", "p (max T)", "p (Holm)"]
    tests += [] if margin is None else [equivalence_head(margin)]
    header = ["", *([] if alone else [""]), *scores, difference, *tests]
    notes: tuple[str, ...] = (
        _named(letters),
        f"{_in_percent(measure)}; {difference} in points. "
        f"{about_intervals(_tests_of(pairs), intervals)}",
        f"p: approximate randomisation. {FAMILY if alone else FAMILIES} p (max T), to judge by, "
        "and p (Holm) are corrected for it; CoNLL and mentions are no part of it. "
        f"{MAX_T_AND_HOLM} {_smallest_p(pairs)}",
    )
    notes += () if margin is None else (within_margin(margin),)
    notes += (ONE_RUN,)
    return TextTable(header, rows, (0,) if alone else (0, 1), notes)


def with_verdict(
    table: TextTable, verdict: Told, signature: str, format: str, intervals: Kind
) -> str:
    """The table as it is printed, and what follows from it: the argument and a paragraph for a
    paper. In LaTeX the paragraph alone, and of two systems the table that the app shows."""
    if format == "latex":
        if isinstance(verdict, Verdict):
            names = dict(zip("AB", verdict.names, strict=True))
            table = paper_table(verdict.pair, verdict.measure, names, intervals=intervals)
            if verdict.margin is not None:
                table = _with_equivalence(table, verdict)
        return f"{table.text(signature, format=format)}\n{latex_prose(verdict.paragraph)}\n"
    notes = (*table.notes, "", *verdict.lines, "")
    return replace(table, notes=notes).text(signature, format=format)


def _with_equivalence(table: TextTable, verdict: Verdict) -> TextTable:
    """The table with the p-value of equivalence in a last column."""
    within = equivalence_cells(verdict.pair, verdict.measure, verdict.margin)
    cells = {title_of(metric): cell for metric, cell in within.items()}
    return replace(
        table,
        header=[*table.header, equivalence_head(verdict.margin or 0)],
        rows=[[*row, *cells[row[0]]] for row in table.rows],
        notes=(*table.notes, within_margin(verdict.margin or 0)),
    )


def equivalence_columns(found: Equivalence) -> "pd.DataFrame":
    """Whether two systems are equivalent, a row for each metric and measure, to be merged with the
    rows on their difference."""
    names = {"p": "p_equivalence", "low": "equivalence_low", "high": "equivalence_high"}
    return found.table.rename(columns=names)


def equivalence_head(margin: float) -> str:
    """What the column of `equivalence_cells` is called."""
    return f"p (±{percent(margin)})"


def equivalence_cells(
    pair: Pair | PairOverRuns, measure: str, margin: float | None
) -> dict[str, list[str]]:
    """The p-value of equivalence by metric, a cell each; none without a margin."""
    if margin is None:
        return {}
    table = pair.equivalence(margin).table
    rows = table[table["measure"] == measure]
    return {m: [p_value(p)] for m, p in zip(rows["metric"], rows["p"], strict=True)}


def _tests_of(pairs: Mapping[tuple[str, str], Pair]) -> Randomisation:
    """The tests of the first pair: all are over the same documents."""
    return next(iter(pairs.values())).randomisation


def _smallest_p(pairs: Mapping[tuple[str, str], Pair]) -> str:
    found = _tests_of(pairs)
    n = counted(found.n_documents, "document")
    if found.n_documents < 2:
        return f"With {n} nothing can be tested."
    tried = f"{found.trials:,} exchanges"
    tried = f"All {tried} of {n}" if found.is_exact else f"{tried} drawn"
    return f"{tried}: {p_below(found.smallest_p)}."


def _rows_of(table: "pd.DataFrame", measure: str) -> list[dict[Hashable, Any]]:
    rows = table[table["measure"] == measure].to_dict("records")
    by_metric = {row["metric"]: row for row in rows}
    return [by_metric[name] for name in SHOWN if name in by_metric]


# `corescore compare` of systems with several runs each: the tables and what follows from them -----


def _figures(row: Mapping[Hashable, Any], intervals: Kind) -> list[str]:
    low, high = (row[end] for end in INTERVALS[intervals])
    scores = [percent(row["a"]), percent(row["b"]), signed(row["difference"])]
    tests = [p_value(row[p]) for p in ("p", "p_max", "p_holm")]
    return [title_of(row["metric"]), *scores, interval(low, high), *tests]


def document_table(results: Mapping[str, Tally], *, measure: str) -> TextTable:
    """A row for each document and response, and of two responses for their difference; a column
    for each metric."""
    letters = letters_of(list(results))
    shown = [name for name in _SIX_AND_MEAN if name != "conll" or measure == "f1"]
    rows = []
    first = next(iter(results.values()))
    for at, document in enumerate(first.documents):
        scores = [
            [getattr(result.document_scores[name], measure)[at] for name in shown]
            for result in results.values()
        ]
        lines = [
            [letter, *map(percent, row)]
            for letter, row in zip(letters.values(), scores, strict=True)
        ]
        if len(scores) == 2:
            lines.append(["B − A", *(signed(b - a) for a, b in zip(*scores, strict=True))])
        rows += [[document if line is lines[0] else "", *line] for line in lines]
    header = ["document", "", *(title_of(name) for name in shown)]
    notes = (_named(letters), f"{_in_percent(measure)}; differences in points.")
    return TextTable(header, rows, (0, 1), notes)


def rank_table(ranking: Ranking, tested: Mapping[str, Groups] | None = None) -> TextTable:
    """A row for each metric and response, the best first.

    tested  by metric; if given, responses that do not differ share a rank, in a column of its own:
            the interval is that of the rank by score
    """
    names = dict(zip(ranking.responses, short_names(ranking.responses), strict=True))
    table, measure = ranking.table, ranking.measure
    rows = []
    for metric in (name for name in SHOWN if name in ranking.metrics):
        title = title_of(metric)
        for row in table[table["metric"] == metric].to_dict("records"):
            low, high = int(row["low"]), int(row["high"])
            shared = [str(tested[metric].shared_ranks[row["response"]])] if tested else []
            figures = [percent(row["score"]), between(low, high), percent(row["first"])]
            rows.append([title, names[row["response"]], *shared, str(row["rank"]), *figures])
            title = ""
    ranks = ["shared rank", "rank"] if tested else ["rank"]
    header = ["", "response", *ranks, RATIOS[measure], f"rank, {_SURE}", "first"]
    ties = (told_ties(next(iter(tested.values()))),) if tested else ()
    notes = (
        *ties,
        f"{_in_percent(measure)}; {how_ranked(ranking)}",
    )
    return TextTable(header, rows, (0, 1), notes)


def letters_of(paths: Sequence[str]) -> dict[str, str]:
    """A, B, … by path; numbers where there are more than letters."""
    numbers = map(str, range(1, len(paths) + 1))
    return dict(zip(paths, ascii_uppercase if len(paths) <= 26 else numbers, strict=False))


def _named(letters: Mapping[str, str]) -> str:
    names = zip(letters.values(), short_names(letters), strict=True)
    return f"{'; '.join(f'{letter}: {name}' for letter, name in names)}."


def _in_percent(measure: str) -> str:
    return f"{capital(RATIOS[measure])} in percent"


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
    results: Mapping[str, compare_runs_Tally],
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
            rows.append(
                [*called, title_of(metric), *_compare_runs_figures(row), *within.get(metric, [])]
            )
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


def _compare_runs_figures(row: "pd.Series[Any]") -> list[str]:
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
