"""Sections of a report, and the blocks of HTML and charts they consist of."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from corescore.analysis.systems.scored import ScoredSystems
from corescore.plots.template import Figure, config, on_paper
from corescore.rendering.templates import render


@dataclass(frozen=True)
class Subject(ScoredSystems):
    """What a report is about.

    documents  the documents whose passages are shown with their credit; the worst of A if empty
    """

    documents: tuple[str, ...] = ()


@dataclass(frozen=True)
class Drawing:
    """A chart, its file name, and what it shows in words."""

    figure: Figure
    name: str
    says: str

    @cached_property
    def values(self) -> str:
        """The chart's values and settings, as JSON for report.js."""
        values = json.loads(on_paper(self.figure).to_json())
        settings = {**config(self.name), "responsive": True}
        return json.dumps({**values, "config": settings}, separators=(",", ":"))


Block = Markup | Drawing


@dataclass(frozen=True)
class Section:
    """A part of a report: its name on the command line, its heading, and what writes it.

    for_two    whether it takes two responses
    on_demand  whether it is only written where it is asked for
    """

    id: str
    title: str
    write: Callable[[Subject], Iterator[Block]]
    for_two: bool = False
    on_demand: bool = False

    def takes(self, n_systems: int) -> bool:
        return n_systems == 2 or not self.for_two


def heading(text: str, level: int = 3) -> Markup:
    return render("blocks", "heading", text=text, level=level)
