"""The tables of `corescore compare` as they are read and printed: titles, percent, few columns."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from corescore.analysis.significance.bootstrap import LEVEL
from corescore.analysis.significance.inverted import Equivalence
from corescore.analysis.significance.kinds import INTERVALS, Kind
from corescore.analysis.significance.randomisation import Randomisation
from corescore.analysis.systems.groups import Groups
from corescore.analysis.systems.ranking import Ranking
from corescore.analysis.systems.runs import PairOverRuns
from corescore.api.pair import Pair
from corescore.api.tally import Tally
from corescore.cli.verdict import Verdict
from corescore.cli.verdict_of_many import VerdictOfMany
from corescore.metrics import METRIC_IDS, title_of
from corescore.rendering.argument import paper_table
from corescore.rendering.latex import latex_prose
from corescore.rendering.scores import SHOWN, short_names
from corescore.rendering.text import TextTable
from corescore.sentences.equivalence import within_margin
from corescore.sentences.many_systems import between, how_ranked
from corescore.sentences.many_systems import ties as told_ties
from corescore.sentences.runs import ONE_RUN
from corescore.sentences.two_systems import FAMILIES, FAMILY, MAX_T_AND_HOLM, about_intervals
from corescore.wording import RATIOS, capital, counted, interval, p_below, p_value, percent, signed

if TYPE_CHECKING:
    import pandas as pd

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
