"""The sections of a report on scores: overview, and documents."""

from collections.abc import Iterator

import pandas as pd
from markupsafe import Markup

from corescore.analysis.errors.span_errors import apart, span_errors, with_span_errors
from corescore.metrics import CONLL, HOW_MANY, METRIC_IDS, name_of
from corescore.plots import scores as score_plots
from corescore.rendering import html as markup
from corescore.rendering.html import headline, note, rows_table, signature
from corescore.rendering.report.blocks import Block, Drawing, Subject, heading
from corescore.scoring.tables import count_table, difference_table, document_summary, score_table
from corescore.sentences import scores as sentences
from corescore.sentences.matching import beside_exact
from corescore.wording import count, counted, percent

MOST_ROWS, MOST_POINTS = 100, 1000
_SHOWN = (*METRIC_IDS, "conll")
_ERRORS = ("span_errors", "missing_mentions", "spurious_mentions")
_PARTS = ("blanc.coreference", "blanc.non_coreference", "mentions")


def overview(subject: Subject) -> Iterator[Block]:
    """All metrics side by side, their average, the sizes of both sides, and the fractions."""
    results = subject.results
    tables = {letter: score_table(result) for letter, result in results.items()}
    intervals = subject.intervals
    figure = score_plots.six_metrics(tables, {letter: of.table for letter, of in intervals.items()})
    yield Drawing(
        figure, "six-metrics", f"Recall, precision and F1 of the {HOW_MANY}. {summary(subject)}"
    )
    yield note(sentences.whiskers(intervals["A"])) + signature(subject.signature)
    difference = difference_table(results["A"], results["B"]) if "B" in results else None
    yield _averages(subject, difference)
    for system in subject.systems:
        if said := beside_exact(system.title, system.result):
            yield note(said)
    names = {system.letter: f"{system.letter} · {system.name}" for system in subject.systems}
    sides = {"key": f"Key · {subject.key_name}", **names}
    found = {s.letter: span_errors(s.result.comparison) for s in subject.systems}
    yield markup.count_rows(with_span_errors(count_table(subject.key, results), found), sides)
    yield signature(subject.signature)
    for metrics, caption in (
        (METRIC_IDS, f"The {HOW_MANY} metrics"),
        (_PARTS, "BLANC’s parts, and mentions"),
    ):
        yield heading(caption) + markup.score_rows(metrics, tables, difference, caption=caption)
        yield signature(subject.signature)
    average = results["A"].policies.average
    if average != "micro":
        caption = f"Means over documents ({average})"
        yield heading(caption)
        yield markup.mean_rows(METRIC_IDS, tables, caption=caption, average=average)
        yield signature(subject.signature)
    yield heading("Diagnostics") + note(f"Not among the {HOW_MANY}, and not to be ranked by.")
    yield markup.score_rows(("links", "rand"), tables, difference, caption="Diagnostics")
    yield signature(subject.signature)


def summary(subject: Subject) -> str:
    """How the metrics disagree, in one sentence."""
    first, *second = subject.systems
    if second:
        titles = (first.title, second[0].title)
        return sentences.preferences(titles, first.result, second[0].result)
    return sentences.disagreement(first.title, first.result)


def _averages(subject: Subject, difference: pd.DataFrame | None) -> Markup:
    averages = {
        system.letter: (
            system.name,
            system.result["conll"].f1,
            [(metric, system.result[metric].f1) for metric in CONLL.members],
        )
        for system in subject.systems
    }
    of_conll = None if difference is None else difference["f1"]["conll"]
    return markup.average_block(averages, of_conll)


def documents(subject: Subject) -> Iterator[Block]:
    """A point in the chart and a row in the table for each document, the worst first."""
    results = subject.results
    summaries = {letter: document_summary(result) for letter, result in results.items()}
    first = subject.systems[0]
    sentence = sentences.weakest_document(first.title, first.result, "conll")
    if "B" in results:
        sentence += " " + sentences.document_wins(results["A"], results["B"], "conll")
    yield headline(sentence)
    longest = summaries["A"].nlargest(MOST_POINTS, "words").index
    figure = score_plots.size_against_score(
        {letter: table.loc[longest] for letter, table in summaries.items()},
        size="words",
        size_title="words",
        metric="conll",
    )
    yield Drawing(figure, "documents", f"F1 of each document against its words. {sentence}")
    if len(longest) < len(subject.key):
        yield note(f"The chart shows the {count(MOST_POINTS)} longest documents.")
    yield signature(subject.signature)
    yield from _document_tables(subject, summaries)


def _document_tables(subject: Subject, summaries: dict[str, pd.DataFrame]) -> Iterator[Block]:
    head = [
        "",
        "words",
        "mentions",
        *(name_of(m).split()[0] for m in _SHOWN),
        "span errors",
        "missing",
        "spurious",
    ]
    for system in subject.systems:
        found = span_errors(system.result.comparison)
        table = apart(summaries[system.letter].assign(span_errors=found), _ERRORS[1:])
        worst = table.sort_values("conll", kind="stable").head(MOST_ROWS)
        caption = f"F1 of {system.title} by document, percent, the lowest CoNLL average first"
        yield note(caption)
        yield rows_table(
            caption, head, [_document_row(name, row) for name, row in worst.iterrows()]
        )
        if len(worst) < len(table):
            rest = counted(len(table) - len(worst), "document")
            yield note(f"{rest} more not listed.")
        yield signature(subject.signature)


def _document_row(name: object, row: pd.Series) -> list[str]:
    sizes = [count(row[size]) for size in ("words", "key_mentions")]
    errors = [count(row[error]) for error in _ERRORS]
    return [str(name), *sizes, *(percent(row[metric]) for metric in _SHOWN), *errors]
