"""Systems compared as tables: two, two over their runs, each document, and ranks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from corescore.analysis.significance import INTERVALS, Kind
from corescore.analysis.systems.documents import compared_documents, documents_of_each
from corescore.analysis.systems.many import Groups, Ranking
from corescore.analysis.systems.pair import Pair
from corescore.analysis.systems.runs import PairOverRuns
from corescore.metrics import HOW_MANY, SCORE_IDS, name_of
from corescore.rendering.columns import PERCENT, Column, Columns, column, columns_of
from corescore.rendering.scores import SHOWN, short_names
from corescore.rendering.text import Table
from corescore.scoring.tally import Tally
from corescore.sentences import compare, many
from corescore.sentences import runs as of_runs
from corescore.sentences.names import SystemTitles
from corescore.wording import RATIOS, capital, counted, p_below, percent, signed

Pairs = Mapping[tuple[str, str], Pair] | Mapping[tuple[str, str], PairOverRuns]  # by their letters

# Two systems alone: in a paper, a report and a notebook -------------------------------------------


def paper_table(
    pair: Pair,
    measure: str,
    names: SystemTitles,
    *,
    intervals: Kind = "simultaneous",
) -> Table:
    """One row per metric: both scores, their difference with its interval, if there is any, and p.

    names  the systems' names by their letters
    """
    table = pair.significance
    table = table[table["measure"] == measure].set_index("metric", drop=False)
    table = table.loc[[name for name in SCORE_IDS if name in table.index]]
    judged = table.assign(judged=[compare.corrected(row) for _, row in table.iterrows()])
    within = column(f"{intervals} interval")
    columns: Columns = [
        *("metric", column("a", names["A"]), column("b", names["B"])),
        column("difference", "difference"),
        *([within] if table[within.of[0]].notna().any() else []),
        replace(column("p"), of=("judged",)),
    ]
    notes = [
        f"{capital(RATIOS[measure])} in percent; differences ({names['B']} − {names['A']}) in "
        "points.",
        compare.how_tested(pair.randomisation, intervals),
    ]
    title = f"{capital(RATIOS[measure])} of both systems, and their difference"
    return Table(judged, columns, title, notes=notes, signature=pair.signature)


def difference_table(pair: Pair, rows: pd.DataFrame, *, every: bool = False) -> Table:
    """One row per metric: F1 of A and B, the difference and its interval, p-values, documents.

    rows   of `Pair.significance` for F1, by metric
    every  whether the single intervals and the sign test are there, too
    """
    interval = f"{100 * pair.level:g}% interval (simultaneous)"
    title = f"F1 of A and B, their difference in points with its {interval}, and documents"
    shown = columns_of("scores of two systems", max_t_and_holm=compare.MAX_T_AND_HOLM)
    if not every:
        shown = [one for one in shown if one.of[0] not in (*INTERVALS["single"], "p_sign")]
    return Table(rows.reset_index(), shown, title, signature=pair.signature)


# Each two of several systems ----------------------------------------------------------------------


def pair_table(
    pairs: Mapping[tuple[str, str], Pair],
    names: SystemTitles,
    measure: str,
    *,
    intervals: Kind,
    brief: bool,
) -> Table:
    """One row per metric, of each two: both scores, their difference with its interval, and how
    likely it is by chance.

    names  the systems' names by their letters
    brief  whether the notes are what no reader must miss
    """
    tests, a, b = next(iter(pairs.values())).randomisation, *_heads(pairs)
    columns: Columns = [
        *(column("a", a), column("b", b), column("difference", f"{b} − {a}")),
        *(f"{intervals} interval", "p", "p_max", "p_holm"),
    ]
    about = f"{in_percent(measure)}; {b} − {a} in points."
    how = compare.about_intervals(tests, intervals)
    if brief:
        is_judged = how in compare.INTERVALS_ARE.values()
        judge = f"Judge by p (max T), which is corrected for the {HOW_MANY} metrics of a pair."
        notes: Sequence[str] = (f"{about} {judge if is_judged else how}",)
    else:
        n, tried = counted(tests.n_documents, "document"), counted(tests.trials, "exchange")
        tried = f"All {tried} of {n}" if tests.is_exact else f"{tried} drawn"
        smallest = f"{tried}: {p_below(tests.smallest_p)}."
        if tests.n_documents < 2:
            smallest = f"With {n} nothing can be tested."
        notes = (
            f"{about} {compare.UNROUNDED} {how}",
            f"p: approximate randomisation. {_family(pairs)} p (max T), to judge by, and p (Holm) "
            "are corrected for it; CoNLL and mentions are not included. "
            f"{compare.MAX_T_AND_HOLM} {smallest}",
            of_runs.ONE_RUN,
        )
    return _difference_rows(pairs, measure, columns, _noted(f"{lettered(names)}.", notes, brief))


def runs_table(
    pairs: Mapping[tuple[str, str], PairOverRuns],
    names: SystemTitles,
    measure: str,
    *,
    brief: bool,
) -> Table:
    """The same over the systems' runs, with p-values of exchanged documents and runs."""
    a, b = _heads(pairs)
    columns: Columns = [
        *(column("a over runs", f"{a}, mean ± sd"), "a span"),
        *(column("b over runs", f"{b}, mean ± sd"), "b span"),
        *(column("difference", f"{b} − {a}"), "runs interval", "p", "p_holm"),
        *("p_documents", "p_runs"),
    ]
    n_runs = {
        letter: n for two, pair in pairs.items() for letter, n in zip(two, pair.n_runs, strict=True)
    }
    each = (f"{at}: {name}, {counted(n_runs[at], 'run')}" for at, name in names.items())
    scores = f"{in_percent(measure)}, mean ± standard deviation over runs; {b} − {a} in points."
    notes = (
        (f"{scores} Interval and p: runs and documents are both resampled.",)
        if brief
        else (
            f"{scores} {compare.UNROUNDED}",
            f"{of_runs.HOW_TESTED} {_family(pairs)} p (Holm) is corrected for it; CoNLL and "
            "mentions are not included.",
        )
    )
    return _difference_rows(pairs, measure, columns, _noted(f"{'; '.join(each)}.", notes, brief))


def every_difference(pairs: Pairs, names: SystemTitles, noun: str, measure: str) -> pd.DataFrame:
    """The rows of each two for programs, with the names of both first.

    noun  what the systems are: "response", "system"
    """
    tables = []
    for two, pair in pairs.items():
        table = _rows_of_measure(pair, measure)
        for at, (side, letter) in enumerate(zip("ab", two, strict=True)):
            table.insert(at, f"{noun}_{side}", names[letter])
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def lettered(names: SystemTitles) -> str:
    """ "A: cautious; B: greedy"."""
    return "; ".join(f"{letter}: {name}" for letter, name in names.items())


def in_percent(measure: str) -> str:
    """ "F1 in percent"."""
    return f"{capital(RATIOS[measure])} in percent"


def _heads(pairs: Pairs) -> tuple[str, str]:
    return ("A", "B") if len(pairs) == 1 else ("first", "second")


def _family(pairs: Pairs) -> str:
    return compare.FAMILY if len(pairs) == 1 else compare.FAMILIES


def _noted(first: str, notes: Sequence[str], brief: bool) -> Sequence[str]:
    return first, *(f"{note} --explain has the rest." if brief else note for note in notes)


def _rows_of_measure(pair: Pair | PairOverRuns, measure: str) -> pd.DataFrame:
    """One row per metric: the difference and its tests."""
    return pair.significance.query("measure == @measure").drop(columns="measure")


def _difference_rows(pairs: Pairs, measure: str, columns: Columns, notes: Sequence[str]) -> Table:
    shown = []
    for two, pair in pairs.items():
        by_metric = _rows_of_measure(pair, measure).set_index("metric", drop=False)
        rows = by_metric.loc[[name for name in SHOWN if name in by_metric.index]]
        shown.append(rows.assign(pair=", ".join(two)))
    every = [*["pair"] * (len(pairs) > 1), "metric", *columns]
    return Table(pd.concat(shown), every, notes=notes, once=["pair"])


# Documents, and ranks -----------------------------------------------------------------------------


def document_table(results: Mapping[str, Tally], names: SystemTitles, measure: str) -> Table:
    """One row per document and response, and of two responses for their difference; one column per
    metric.

    results, names  by the systems' letters
    """
    first = next(iter(results.values()))
    shown = [name for name in SCORE_IDS if name in first.scores]
    if measure != "f1":
        shown.remove("conll")
    rows = []
    for at, document in enumerate(first.documents):
        scores = [
            [getattr(result.document_scores[name], measure)[at] for name in shown]
            for result in results.values()
        ]
        written = zip(results, (map(percent, row) for row in scores), strict=True)
        rows += [(document, letter, *cells) for letter, cells in written]
        if len(scores) == 2:
            rows.append((document, "B − A", *(signed(b - a) for a, b in zip(*scores, strict=True))))
    frame = pd.DataFrame(rows, columns=["document", "response", *shown])
    scored = (Column(name_of(name), str, (name,), PERCENT) for name in shown)
    columns: Columns = ["document", "response", *scored]
    notes = (
        f"{lettered(names)}.",
        f"{in_percent(measure)}; differences in points. {compare.UNROUNDED}",
    )
    return Table(frame, columns, notes=notes, once=["document"])


def every_document(results: Mapping[str, Tally], measure: str) -> pd.DataFrame:
    """The same for programs: one row per document and metric, of two responses with the winner."""
    if len(results) == 2:
        table = compared_documents(*results.values(), measure=measure)
        return table.rename(columns=dict(zip("ab", results, strict=True)))
    tables = []
    for metric in next(iter(results.values())).scores:
        table = documents_of_each(results, metric, measure=measure)
        if not table.isna().all(axis=None):
            tables.append(table.reset_index().assign(metric=metric))
    return pd.concat(tables, ignore_index=True)[["document", "metric", *results]]


def rank_table(ranked: Ranking, tested: Mapping[str, Groups]) -> Table:
    """One row per metric and response, the best first.

    tested  by metric, which responses do not differ; empty if ranks are not shared
    """
    names = dict(zip(ranked.responses, short_names(ranked.responses), strict=True))
    table = ranked.table.set_index("metric", drop=False)
    rows = table.loc[[name for name in SHOWN if name in ranked.metrics]]
    each = zip(rows["metric"], rows["response"], strict=True)
    shared = [tested[of].shared_ranks[name] for of, name in each] if tested else 0
    rows = rows.assign(response=rows["response"].map(names), shared_rank=shared)
    score = column("score", RATIOS[ranked.measure])
    columns: Columns = [
        *("metric", "response", *["shared_rank"] * bool(tested)),
        *("rank", score, "ranks", "first"),
    ]
    ties = [many.ties(next(iter(tested.values())))] if tested else []
    notes = [*ties, f"{in_percent(ranked.measure)}; {many.how_ranked(ranked)}"]
    return Table(rows, columns, notes=notes, once=["metric"])
