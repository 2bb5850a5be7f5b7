"""The section of a report on two responses."""

from collections.abc import Iterator

import pandas as pd

from corescore.analysis.systems.documents import compared_documents, disagreement_counts
from corescore.analysis.systems.pair import Pair
from corescore.corpus.problems import PolicyError
from corescore.metrics import METRIC_IDS, colour_of
from corescore.plots import two_systems as compare_plots
from corescore.plots.dumbbells import dumbbells
from corescore.plots.parts import parts
from corescore.plots.template import label
from corescore.rendering import html as markup
from corescore.rendering.html import headline, note, rows_table, signature
from corescore.rendering.notebook.tables import difference_rows
from corescore.rendering.report.blocks import Block, Drawing, Subject, heading
from corescore.sentences import argument
from corescore.sentences import errors as sentences
from corescore.sentences import two_systems as verdicts
from corescore.sentences.conclusions import conclusion, paragraph

_SHOWN = (*METRIC_IDS, "conll")
_METRIC = "lea"


def comparison(subject: Subject) -> Iterator[Block]:
    """Which system is better, whether by chance, on which documents, and by which errors."""
    pair = subject.pair
    table = pair.significance.query("measure == 'f1'").set_index("metric").loc[list(_SHOWN)]
    opposed = disagreement_counts(pair.a, pair.b)
    said = [
        verdicts.ahead(table, subject.titles, "f1"),
        verdicts.significance(table),
        verdicts.disagreement("lea", "conll", opposed["lea"]["conll"], len(pair.a.documents)),
    ]
    yield from _argument(pair, subject)
    yield heading("Under each metric") + headline(" ".join(said))
    for warning in pair.warnings:
        yield markup.paragraph(warning, "caution")
    says = f"F1 of A and B, their difference and its p-value. {' '.join(said)}"
    yield Drawing(dumbbells(table, "f1"), "a-and-b", says)
    yield note(verdicts.how_to_read(pair.randomisation)) + signature(pair.signature)
    yield difference_rows(table, level=pair.level) + signature(pair.signature)
    yield from _documents(pair, table)
    yield from _errors(pair)


def _argument(pair: Pair, subject: Subject) -> Iterator[Block]:
    """What can be concluded by the primary metric, and the paragraph for a paper; the answers that
    it rests on, too, unless they stand on the first page."""
    found = subject.evidence
    yield headline(conclusion(found, subject.titles))
    if subject.is_first_two:
        rows = list(argument.lines(found).items())
        yield rows_table("Questions to a difference of two systems", ("", ""), rows, words=(0, 1))
    policies, beforehand = subject.policies, subject.beforehand
    said = paragraph(found, subject.names, policies, beforehand=beforehand)
    yield note(f"For a paper: {said}") + signature(pair.signature)


def _documents(pair: Pair, significance: pd.DataFrame) -> Iterator[Block]:
    every = compared_documents(pair.a, pair.b)
    table = every[every["metric"] == _METRIC].drop(columns="metric").reset_index(drop=True)
    sentence = verdicts.documents(_METRIC, table)
    yield heading("Document by document") + headline(sentence)
    figure = compare_plots.documents(table, _METRIC, "f1")
    yield Drawing(figure, "documents-a-and-b", f"Each document, A across and B up. {sentence}")
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


def _errors(pair: Pair) -> Iterator[Block]:
    yield heading("Errors of each kind, A and B")
    try:
        table = pair.errors
    except PolicyError:
        yield note(sentences.REPEATED)
        return
    sentence = verdicts.errors(table)
    yield headline(sentence)
    says = f"How many errors of each kind A and B make. {sentence}"
    yield Drawing(compare_plots.errors(table), "errors-a-and-b", says)
    yield signature(pair.signature)
