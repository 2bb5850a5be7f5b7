"""The scores of the systems in a report, and of each document."""

from collections.abc import Iterator
from dataclasses import replace

import pandas as pd

from corescore.analysis import long_documents
from corescore.analysis.errors.tables import apart, document_errors, side_counts
from corescore.analysis.split_antecedents import by_type, by_use
from corescore.corpus.problems import PolicyError
from corescore.metrics import CONLL, HOW_MANY, METRIC_IDS, SCORE_IDS
from corescore.rendering import decomposition, exhibits
from corescore.rendering import html as markup
from corescore.rendering.columns import Columns, metric_column
from corescore.rendering.html import headline, note, signature
from corescore.rendering.report.blocks import Block, Subject, heading, shown
from corescore.rendering.text import Table
from corescore.wording import capital, count, counted

MOST_ROWS, MOST_POINTS = 100, 1000

_PARTS = ("blanc.coreference", "blanc.non_coreference", "mentions")


def overview(subject: Subject) -> Iterator[Block]:
    """All metrics side by side, their average, the sizes of both sides, and the fractions."""
    scores = subject.overview
    _, *six = shown(scores.six_metrics(subject.intervals), subject.signature)
    yield from six
    yield scores.averages(CONLL.members)
    yield from map(note, scores.remarks)
    counts = side_counts(subject.key, subject.results)
    yield scores.counts(counts, f"Key · {subject.key_name}")
    yield signature(subject.signature)
    yield heading("Detection, linking or singletons?")
    try:
        yield from shown(scores.losses(), subject.signature)
    except PolicyError as error:
        yield note(f"{error}.")
    yield from _types(subject)
    for metrics, caption in (
        (METRIC_IDS, f"The {HOW_MANY} metrics"),
        (_PARTS, "BLANC’s parts, and mentions"),
    ):
        yield heading(caption) + scores.scores(metrics, caption)
        yield signature(subject.signature)
    if scores.means:
        yield heading(markup.means_title(subject.policies.average))
        yield scores.means
        yield signature(subject.signature)
    yield heading("Diagnostics") + note(f"Not among the {HOW_MANY}, and not to be ranked by.")
    yield scores.scores(("links", "rand"), "Diagnostics")
    yield signature(subject.signature)


def _types(subject: Subject) -> Iterator[Block]:
    """Which types of mentions earn each score, and what split antecedents change."""
    yield heading("Which types of mentions earn the score?")
    for system in subject.systems:
        try:
            tables = [decomposition.types(by_type(system.result), "recall")]
        except PolicyError as error:
            yield note(f"{error}.")
            continue
        used = by_use(system.result)
        tables += [] if used.empty else [decomposition.uses(used, "f1")]
        for made in tables:
            (sentence,) = made.said
            yield markup.drawn(
                replace(
                    made,
                    title=sentence,
                    said=[capital(f"{system.title}: {sentence}")],
                    signature=system.result.signature,
                )
            )


def documents(subject: Subject) -> Iterator[Block]:
    """A point in the chart and a row in the table for each document, the worst first; and how much
    of the scores is local."""
    results = subject.results
    summaries = {letter: document_errors(result) for letter, result in results.items()}
    longest = summaries["A"].nlargest(MOST_POINTS, "words").index
    made = exhibits.documents(
        {letter: table.loc[longest] for letter, table in summaries.items()},
        exhibits.weakest(results, subject.systems[0].title, "A", "conll"),
        "conll",
        "words",
        {"words": "words"},
    )
    yield headline(made.sentence)
    yield made
    if len(longest) < len(subject.key):
        yield note(f"The chart shows the {count(MOST_POINTS)} longest documents.")
    yield signature(subject.signature)
    yield from _document_tables(subject, summaries)
    yield from _local(subject)


def _local(subject: Subject) -> Iterator[Block]:
    """How much of each score is local: in windows of the texts, and by distance."""
    yield heading("How much of the score is local?")
    try:
        tables = {s.letter: long_documents.by_window(s.result) for s in subject.systems}
    except PolicyError as error:
        yield note(f"{error}.")
        return
    yield from shown(exhibits.windows(tables, subject.titles), subject.signature)
    for system in subject.systems:
        for made in exhibits.by_group(system.result, system.title):
            of_system = replace(made, name=f"{made.name}-{system.name}")
            yield from shown(of_system, system.result.signature)


def _document_tables(subject: Subject, summaries: dict[str, pd.DataFrame]) -> Iterator[Block]:
    columns: Columns = [
        *("document", "words", "documents.key_mentions"),
        *map(metric_column, SCORE_IDS),
        *("span_errors", "missing_mentions", "spurious_mentions"),
    ]
    for system in subject.systems:
        table = apart(summaries[system.letter], ("missing_mentions", "spurious_mentions"))
        worst = table.sort_values("conll", kind="stable").head(MOST_ROWS)
        caption = f"F1 of {system.title} by document, percent, the lowest CoNLL score first"
        more = len(table) - len(worst)
        rest = [f"{counted(more, 'document')} more not listed."] if more else []
        rows = worst.rename_axis("document").reset_index()
        yield note(caption)
        yield markup.drawn(Table(rows, columns, caption, notes=rest, signature=subject.signature))
