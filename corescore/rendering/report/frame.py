"""The file around the sections of a report: its styles, charts and scripts, all within it."""

import gzip
from base64 import b64encode
from collections.abc import Sequence
from functools import cache

from markupsafe import Markup

from corescore.plots.template import plotly_script
from corescore.rendering import STYLES
from corescore.rendering.report.blocks import Block, Drawing
from corescore.rendering.templates import render

_STYLES = ("paper.css", "page.css", "credit.css", "report.css")
Written = tuple[str, str, Sequence[Markup]]  # a section: its id, heading and blocks


def document(
    title: str,
    front: Markup,
    sections: Sequence[Written],
    drawings: Sequence[Drawing],
    *,
    is_open: bool = False,
) -> str:
    """One HTML file that loads nothing and sends nothing.

    front     what stands above the sections
    drawings  the charts in the sections, as `html` has added them
    is_open   whether the sections are unfolded
    """
    made = render(
        "report",
        "document",
        title=title,
        front=front,
        sections=sections,
        styles=_styles(),
        scripts=_scripts(drawings),
        is_open=is_open,
    )
    return str(made)


def html(block: Block, drawings: list[Drawing]) -> Markup:
    """The block, or a place for the chart, which is added to `drawings`."""
    if isinstance(block, Markup):
        return block
    drawings.append(block)
    height = block.figure.layout.height or 380
    return render("report", "chart", number=len(drawings), height=height, says=block.says)


@cache
def _styles() -> Markup:
    return Markup("\n".join((STYLES / name).read_text(encoding="utf-8") for name in _STYLES))


def _scripts(drawings: Sequence[Drawing]) -> Markup:
    """The charts' values, plotly's own script, and the script that opens sections and draws."""
    values = f"[{','.join(drawing.values for drawing in drawings)}]"
    return render(
        "report",
        "scripts",
        values=Markup(values.replace("<", "\\u003c")),  # no value can end the script element
        plotly=_packed_plotly() if drawings else "",
        draw=Markup((STYLES / "report.js").read_text(encoding="utf-8")),
    )


@cache
def _packed_plotly() -> Markup:
    """plotly's own script, compressed to two fifths of its size; report.js unpacks it."""
    return Markup(b64encode(gzip.compress(plotly_script().encode(), mtime=0)).decode())
