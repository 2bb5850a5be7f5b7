"""Systems compared in a report: two, the ranks of many, and several data sets as a file."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pandas as pd
from markupsafe import Markup

from corescore.analysis.systems.data_sets import DataSets
from corescore.analysis.systems.effect import identification_effect
from corescore.analysis.systems.pair import Pair
from corescore.corpus.problems import PolicyError
from corescore.metrics import SCORE_IDS
from corescore.plots.many import critical_differences
from corescore.rendering import drawn, exhibits
from corescore.rendering import html as markup
from corescore.rendering import many as tables
from corescore.rendering.columns import Column, Columns
from corescore.rendering.compared import difference_table
from corescore.rendering.exhibits import Exhibit
from corescore.rendering.html import headline, note, rows_table, signature
from corescore.rendering.report.blocks import Block, Subject, document, heading, html, shown
from corescore.rendering.text import Table
from corescore.sentences import compare
from corescore.sentences import errors as sentences
from corescore.sentences import many as many_sentences
from corescore.sentences.compare import conclusion, paragraph
from corescore.wording import counted, number

# Two systems: which is better, whether by chance, on which documents and why --------------------

_METRIC = "lea"


def comparison(subject: Subject) -> Iterator[Block]:
    """Which system is better, whether by chance, on which documents, and by which errors."""
    pair = subject.pair
    table = pair.significance.query("measure == 'f1'").set_index("metric").loc[list(SCORE_IDS)]
    scores = exhibits.scores_of_two(pair, subject.titles, pair.disagreement_counts)
    opening, *others = shown(scores, pair.signature)
    yield from _argument(pair, subject)
    yield heading("Under each metric")
    yield opening
    for warning in pair.warnings:
        yield markup.paragraph(warning, "caution")
    yield from others
    yield markup.drawn(difference_table(pair, table))
    of_metric = pair.documents.query("metric == @_METRIC").drop(columns="metric")
    made = exhibits.documents_of_two(of_metric.reset_index(drop=True), _METRIC)
    yield heading("Document by document") + headline(made.sentence)
    yield made
    yield exhibits.wins(table)
    yield signature(pair.signature)
    yield heading("Errors of each kind, A and B")
    try:
        errors = pair.errors
    except PolicyError:
        yield note(sentences.REPEATED)
    else:
        yield from shown(exhibits.errors_of_two(errors), pair.signature)


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


# Whether ranks owe to the mention identification effect ------------------------------------------


def effect(subject: Subject) -> Iterator[Block]:
    """Scores and ranks before and after incorrectly resolved mentions are removed."""
    removed = identification_effect({system.title: system.result for system in subject.systems})
    made = exhibits.effect(removed)
    yield headline(made.sentence)
    yield made
    yield note(made.note)
    yield markup.drawn(replace(made.table(), said=(), signature=subject.signature))


# Several data sets: what follows, scores, ranks and the diagram -----------------------------------

DIAGRAM = "Which systems differ?"


def page(compared: DataSets, signed: str) -> str:
    """The file; signed: `corescore.rendering.many.signature`."""
    systems, data_sets = map(len, (compared.systems, compared.data_sets))
    title = f"Coreference scores of {counted(systems, 'system')}"
    title += f" on {counted(data_sets, 'data set')}"
    drawings: list[str] = []
    blocks = [html(block, drawings) for block in _diagram(compared)]
    sections = [("diagram", DIAGRAM, blocks), ("ranks", "Ranks", [_rank_on_each(compared)])]
    return document(title, _front(compared, signed), sections, drawings, is_open=True)


def _front(compared: DataSets, signed: str) -> Markup:
    """What may be concluded, and the scores."""
    title = f"{many_sentences.what(compared)} in percent"
    sentence = f"{many_sentences.leader(compared)} {many_sentences.conclusion(compared)}"
    notes = (many_sentences.columns(compared),)
    made = tables.score_table(compared, signed)
    return markup.drawn(replace(made, title=title, said=[sentence], notes=notes))


def _diagram(compared: DataSets) -> Iterator[Block]:
    """The diagram, the same as a table, and the tests."""
    if compared.is_tested:
        sentence = many_sentences.diagram(compared)
        bars = Table(drawn.barred(compared), title=sentence)
        figure = partial(critical_differences, compared)
        yield Exhibit("critical-differences", sentence, "", figure, lambda: bars)
        yield note(many_sentences.BARS)
        yield markup.table_rows(bars)
    for said in many_sentences.tested(compared):
        yield note(said)


def _rank_on_each(compared: DataSets) -> Markup:
    rows = pd.DataFrame(compared.ranks).rename(columns=str)
    rows = rows.assign(system=compared.systems, mean_rank=compared.mean_ranks).iloc[
        compared.by_rank
    ]
    of_each = [Column(name, number, (str(at),)) for at, name in enumerate(compared.data_sets)]
    columns: Columns = ["system", *of_each, "mean_rank"]
    return markup.table_rows(Table(rows, columns, "Rank on each data set"))
