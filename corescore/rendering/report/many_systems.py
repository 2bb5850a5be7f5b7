"""Many systems: the effect on their ranks in a report, and several data sets as an HTML file."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pandas as pd
from markupsafe import Markup

from corescore.analysis.systems.data_sets import DataSets
from corescore.analysis.systems.effect import identification_effect
from corescore.plots.many import critical_differences
from corescore.rendering import drawn, exhibits
from corescore.rendering import html as markup
from corescore.rendering import many as tables
from corescore.rendering.columns import Column, Columns
from corescore.rendering.exhibits import Exhibit
from corescore.rendering.html import headline, note
from corescore.rendering.report.blocks import Block, Subject, document, html
from corescore.rendering.text import Table
from corescore.sentences import many as many_sentences
from corescore.wording import counted, number

# Whether ranks owe to the mention identification effect ------------------------------------------


def effect(subject: Subject) -> Iterator[Block]:
    """Scores and ranks before and after incorrectly resolved mentions are removed."""
    removed = identification_effect({system.title: system.result for system in subject.systems})
    made = exhibits.effect(removed)
    yield headline(made.said)
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
        said = many_sentences.diagram(compared)
        bars = Table(drawn.barred(compared), title=said)
        figure = partial(critical_differences, compared)
        yield Exhibit("critical-differences", said, "", figure, lambda: bars)
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
