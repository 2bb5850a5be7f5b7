"""HTML for a cell of a notebook, with its styles."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

from markupsafe import Markup

from corescore.rendering import STYLES
from corescore.rendering.templates import render


@dataclass(frozen=True)
class Shown:
    """What a notebook shows of a value: Jupyter calls `_repr_html_`.

    title  what it is about, in plain text
    html   a complete element with its styles; it loads nothing and has no script, so that it can
           also be written to a file
    """

    title: str
    html: str = field(repr=False)

    def _repr_html_(self) -> str:
        return self.html


def cell(blocks: Iterable[Markup]) -> Markup:
    """Blocks of HTML as one element with its styles, which change nothing outside of it."""
    return render("notebook", "cell", styles=_styles(), blocks=list(blocks))


@cache
def _styles() -> Markup:
    """Those of pages count only within the element: a notebook has tables and headers of its own.

    A style element in the middle of a page is in force for all of it.
    """
    paper, page, credit, own = (
        (STYLES / f"{name}.css").read_text(encoding="utf-8")
        for name in ("paper", "page", "credit", "notebook")
    )
    return Markup(f"{paper}\n.corescore.cell {{\n{page}\n{credit}\n}}\n{own}")
