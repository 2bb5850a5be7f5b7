"""Two systems in a report: which is better, whether by chance, on which documents and why."""

from collections.abc import Iterator

import pandas as pd

from corescore.analysis.systems.documents import compared_documents, disagreement_counts
from corescore.analysis.systems.pair import Pair
from corescore.corpus.problems import PolicyError
from corescore.metrics import SCORE_IDS, colour_of
from corescore.plots import compare as compare_plots
from corescore.plots.compare import dumbbells, parts
from corescore.plots.template import label
from corescore.rendering import html as markup
from corescore.rendering.compared import difference_table
from corescore.rendering.html import headline, note, rows_table, signature
from corescore.rendering.report.blocks import Block, Drawing, Subject, heading
from corescore.sentences import compare
from corescore.sentences import errors as sentences
from corescore.sentences.compare import conclusion, paragraph

_METRIC = "lea"


def comparison(subject: Subject) -> Iterator[Block]:
    """Which system is better, whether by chance, on which documents, and by which errors."""
    pair = subject.pair
    table = pair.significance.query("measure == 'f1'").set_index("metric").loc[list(SCORE_IDS)]
    opposed = disagreement_counts(pair.a, pair.b)
    lines = [
        compare.ahead(table, subject.titles, "f1"),
        compare.significance(table),
        compare.disagreement("lea", "conll", opposed["lea"]["conll"], len(pair.a.documents)),
    ]
    yield from _argument(pair, subject)
    yield heading("Under each metric") + headline(" ".join(lines))
    for warning in pair.warnings:
        yield markup.paragraph(warning, "caution")
    says = f"F1 of A and B, their difference and its p-value. {' '.join(lines)}"
    yield Drawing(dumbbells(table, "f1"), "a-and-b", says)
    yield note(compare.how_to_read(pair.randomisation)) + signature(pair.signature)
    yield markup.drawn(difference_table(pair, table))
    yield from _document_by_document(pair, table)
    yield from _errors_of_two(pair)


def _argument(pair: Pair, subject: Subject) -> Iterator[Block]:
    """What can be concluded by the primary metric, and the paragraph for a paper; the answers that
    it rests on, too, unless they stand on the first page."""
    evidence = subject.evidence
    yield headline(conclusion(evidence, subject.titles))
    if subject.is_first_two:
        rows = list(compare.lines(evidence).items())
        yield rows_table(
            "Questions about the difference between two systems", ("", ""), rows, words=(0, 1)
        )
    for_paper = paragraph(evidence, subject.names, pair.a, beforehand=subject.beforehand)
    yield note(f"For a paper: {for_paper}") + signature(pair.signature)


def _document_by_document(pair: Pair, significance: pd.DataFrame) -> Iterator[Block]:
    every = compared_documents(pair.a, pair.b)
    table = every[every["metric"] == _METRIC].drop(columns="metric").reset_index(drop=True)
    sentence = compare.documents(_METRIC, table)
    yield heading("Document by document") + headline(sentence)
    figure = compare_plots.documents(table, _METRIC)
    yield Drawing(figure, "documents-a-and-b", f"B − A of each document. {sentence}")
    wins = significance[["wins_a", "ties", "wins_b"]]
    yield Drawing(
        parts(
            wins.set_axis(["A ahead", "tie", "B ahead"], axis=1),
            [label(str(name)) for name in wins.index],
            [colour_of(str(name)) for name in wins.index],
            heads=["A", "tie", "B"],
        ),
        "documents-ahead",
        "On how many documents A or B is ahead under each metric.",
    )
    yield signature(pair.signature)


def _errors_of_two(pair: Pair) -> Iterator[Block]:
    yield heading("Errors of each kind, A and B")
    try:
        table = pair.errors
    except PolicyError:
        yield note(sentences.REPEATED)
        return
    sentence = compare.errors(table)
    yield headline(sentence)
    says = f"How many errors of each kind A and B make. {sentence}"
    yield Drawing(compare_plots.errors(table), "errors-a-and-b", says)
    yield signature(pair.signature)
