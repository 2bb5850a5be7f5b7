"""What the first page of a report says: what follows, the scores, how they were tested, caveats."""

from collections.abc import Collection, Hashable, Mapping
from typing import Any

from markupsafe import Markup

from corescore.analysis.systems.comparability import against_best
from corescore.analysis.systems.evidence import evidence
from corescore.analysis.systems.pair import Pair
from corescore.analysis.systems.ranking import Ranking, ranking
from corescore.metrics import METRIC_IDS
from corescore.rendering.argument import paper_table
from corescore.rendering.html import headline, note, rows_table, signature
from corescore.rendering.report.blocks import FirstPage, Subject
from corescore.rendering.report.runs import over_runs
from corescore.rendering.templates import render
from corescore.scoring.scores import Scores
from corescore.sentences import argument, many_systems
from corescore.sentences import scores as sentences
from corescore.sentences.conclusions import conclusion
from corescore.sentences.names import called, escaped, title
from corescore.sentences.two_systems import how_tested
from corescore.wording import capital, percent, spanned

_SHOWN = (*METRIC_IDS, "conll")
_EVIDENCE = {argument.HOW_LARGE: "comparison", argument.WHY: "errors"}


def first_page(subject: Subject, sections: Collection[str]) -> FirstPage:
    """By the number of systems; `sections`: the ids of those in the report, to link to."""
    n = len(subject.systems)
    if n == 1:
        return _of_one(subject)
    return _of_two(subject, sections) if n == 2 else _of_many(subject)


# One system ---------------------------------------------------------------------------------------


def _of_one(subject: Subject) -> FirstPage:
    """How far the metrics disagree."""
    (system,) = subject.systems
    intervals = subject.intervals[system.letter]
    found = intervals.table
    ends = found[found["measure"] == "f1"].set_index("metric")[["t_low", "t_high"]]
    table = rows_table(
        f"Scores of {system.title}",
        ["", "Recall %", "Precision %", "F1 %", "95% interval"],
        [_score_cells(system.result, metric, *ends.loc[metric]) for metric in _SHOWN],
    )
    return FirstPage(
        headline(sentences.disagreement(system.title, system.result)),
        table + signature(subject.signature),
        sentences.whiskers(intervals, "The intervals of F1"),
    )


def _score_cells(result: Scores, metric: str, low: float, high: float) -> list[str]:
    score = result[metric]
    figures = map(percent, (score.recall, score.precision, score.f1))
    return [title(metric), *figures, spanned(low, high)]


# Two systems --------------------------------------------------------------------------------------


def _of_two(subject: Subject, sections: Collection[str]) -> FirstPage:
    """What can be concluded, and the answers that it rests on."""
    pair = subject.pair
    found = subject.evidence
    lines = [
        (asked, answer, _EVIDENCE[asked] if _EVIDENCE.get(asked) in sections else "")
        for asked, answer in argument.lines(found).items()
    ]
    made = paper_table(pair, "f1", subject.names)
    rows = [[escaped(metric), *cells] for metric, *cells in made.rows]
    table = rows_table("F1 of both systems, and their difference", made.header, rows)
    return FirstPage(
        headline(conclusion(found, subject.titles)) + render("report", "argument", lines=lines),
        table + note(made.notes[0]) + signature(pair.signature),
        how_tested(pair.randomisation),
        (*(finding.sentence for finding in found.findings), *pair.warnings),
    )


# Three or more ------------------------------------------------------------------------------------


def _of_many(subject: Subject) -> FirstPage:
    """Who is first, how sure the ranks are, and what can be concluded of the two best."""
    primary, ranked = subject.primary, subject.best_first
    found = ranking({system.title: system.result for system in ranked})
    said = many_systems.first_and_spread(found, primary)
    by_letter = {system.letter: system.result for system in ranked}
    unlike = (finding.sentence for finding in against_best(by_letter))
    best, second = ranked[:2]
    of_best = evidence(
        Pair(best.result, second.result), primary, letters=(best.letter, second.letter)
    )
    concluded = conclusion(of_best, {"A": best.title, "B": second.title})
    runs = over_runs(subject)
    drawn = f"{subject.signature} | {found.trials:,} trials | seed {found.seed}"
    return FirstPage(
        runs.verdict + headline(said) + headline(concluded),
        _rank_rows(found, primary)
        + note(f"F1 in percent; ranks by {called(primary)}.")
        + signature(drawn)
        + runs.table,
        f"{capital(many_systems.how_ranked(found))}{runs.statistics}",
        tuple(dict.fromkeys((*unlike, *found.warnings, *runs.caveats))),
    )


def _rank_rows(found: Ranking, primary: str) -> Markup:
    """A row for each system, the best first: F1 by the primary metric, its ranks, and all F1."""
    table = found.table
    others = [metric for metric in _SHOWN if metric != primary]
    f1 = table.pivot(index="response", columns="metric", values="score")
    rows = [
        [*_rank_cells(row), *(percent(f1.loc[row["response"], metric]) for metric in others)]
        for row in table[table["metric"] == primary].to_dict("records")
    ]
    heads = ["", title(primary), "rank", "rank, 95%", "first %", *map(title, others)]
    return rows_table("F1 of each system, and its rank", heads, rows)


def _rank_cells(row: Mapping[Hashable, Any]) -> list[str]:
    ranks = many_systems.between(int(row["low"]), int(row["high"]))
    figures = percent(row["score"]), str(row["rank"]), ranks, percent(row["first"])
    return [str(row["response"]), *figures]
