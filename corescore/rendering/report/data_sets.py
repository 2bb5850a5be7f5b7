"""Systems over several data sets as an HTML file: what follows, scores, ranks, and the diagram."""

from collections.abc import Iterator

from markupsafe import Markup

from corescore.analysis.systems.data_sets import DataSets
from corescore.plots.data_sets import critical_differences
from corescore.rendering import data_sets as tables
from corescore.rendering import drawn
from corescore.rendering.html import headline, note, rows_table, signature
from corescore.rendering.report.blocks import Block, Drawing
from corescore.rendering.report.frame import document, html
from corescore.sentences import data_sets as sentences
from corescore.wording import counted, number, percent, written

DIAGRAM = "Which systems differ?"


def page(found: DataSets, signed: str) -> str:
    """The file; signed: `corescore.rendering.data_sets.signature`."""
    systems, data_sets = map(len, (found.systems, found.data_sets))
    title = f"Coreference scores of {counted(systems, 'system')}"
    title += f" on {counted(data_sets, 'data set')}"
    drawings: list[Drawing] = []
    blocks = [html(block, drawings) for block in _diagram(found)]
    sections = [("diagram", DIAGRAM, blocks), ("ranks", "Ranks", [_ranks(found)])]
    return document(title, _front(found, signed), sections, drawings, is_open=True)


def _front(found: DataSets, signed: str) -> Markup:
    """What may be concluded, and the scores."""
    made = tables.readable(found)
    caption = f"{sentences.what(found)} in percent"
    said = f"{sentences.leader(found)} {sentences.conclusion(found)}"
    scores = rows_table(caption, ["", *made.header[1:]], made.rows)
    return headline(said) + scores + note(sentences.columns(found)) + signature(signed)


def _diagram(found: DataSets) -> Iterator[Block]:
    """The diagram, the same as a table, and the tests."""
    if found.is_tested:
        figure = critical_differences(found)
        yield Drawing(figure, "critical-differences", sentences.diagram(found))
        yield note(sentences.BARS)
        yield _table(found)
    for said in sentences.tested(found):
        yield note(said)


def _table(found: DataSets) -> Markup:
    table = drawn.critical_differences(found)
    rows = [
        [name, written(rank), percent(macro / 100), bars]
        for name, rank, macro, bars in table.itertuples(index=False)
    ]
    return rows_table(sentences.diagram(found), ["", *map(str, table.columns[1:])], rows)


def _ranks(found: DataSets) -> Markup:
    rows = [
        [found.systems[at], *map(number, found.ranks[at]), written(found.mean_ranks[at])]
        for at in found.by_rank.tolist()
    ]
    return rows_table("Rank on each data set", ["", *found.data_sets, "mean rank"], rows)
