"""Sections of a report, and the blocks of HTML and charts they consist of."""

import gzip
import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from markupsafe import Markup

from corescore.analysis.significance import Intervals, intervals_of
from corescore.analysis.systems.comparability import ScoredSystems
from corescore.analysis.systems.pair import Evidence, Pair, evidence
from corescore.plots.template import config, on_paper, plotly_script
from corescore.rendering.exhibits import Exhibit, Overview
from corescore.rendering.html import SHEETS, headline, note, render, signature, static

RESAMPLES = 1000


@dataclass(frozen=True)
class Subject(ScoredSystems):
    """What a report is about.

    documents    the documents whose passages are shown with their credit; the worst of A if empty
    is_first_two  whether these are A and B of more systems
    primary      the metric that systems are ranked and tested by, by its F1
    beforehand   whether the user says that it was chosen before the scores were seen
    """

    documents: tuple[str, ...] = ()
    is_first_two: bool = False
    primary: str = "conll"
    beforehand: bool = False

    @cached_property
    def first_two(self) -> "Subject":
        """A and B alone."""
        return replace(self, systems=self.systems[:2], is_first_two=True)

    @cached_property
    def pair(self) -> Pair:
        """The comparison of A and B."""
        first, second = self.systems[:2]
        return Pair(first.result, second.result)

    @cached_property
    def evidence(self) -> Evidence:
        """What speaks for or against their difference by the primary metric."""
        return evidence(self.pair, self.primary)

    @cached_property
    def overview(self) -> Overview:
        """Its scores as Overview shows them."""
        return Overview(self)

    @cached_property
    def intervals(self) -> Mapping[str, Intervals]:
        """The intervals of the scores by the systems' letters."""
        return {s.letter: intervals_of(s.result, trials=RESAMPLES) for s in self.systems}


@dataclass(frozen=True)
class FirstPage:
    """What the first page says.

    verdict     what follows from the scores, and from two systems the argument for it
    table       the scores, with the line that names how they were made
    statistics  how ranks, differences or intervals were found
    caveats     what speaks against the verdict
    """

    verdict: Markup
    table: Markup
    statistics: str
    caveats: tuple[str, ...] = ()


Block = Markup | Exhibit


@dataclass(frozen=True)
class Section:
    """A part of a report: its name on the command line, its heading, and what writes it.

    fewest     how many responses it takes at least
    of_all     whether it is about all responses, not only about two
    on_demand  whether it is only written where it is asked for
    """

    id: str
    title: str
    write: Callable[[Subject], Iterator[Block]]
    fewest: int = 1
    of_all: bool = False
    on_demand: bool = False

    def takes(self, n_systems: int) -> bool:
        return n_systems >= self.fewest


def shown(made: Exhibit, signed: str) -> Iterator[Block]:
    """What follows, the chart, how to read it, and its signature."""
    yield headline(made.sentence)
    yield made
    yield (note(made.note) if made.note else Markup()) + signature(signed)


def heading(text: str, level: int = 3) -> Markup:
    return render("blocks", "heading", text=text, level=level)


# The file around the sections of a report: its styles, charts and scripts, all within it ----------

Written = tuple[str, str, Sequence[Markup]]  # a section: its id, heading and blocks


def document(
    title: str,
    front: Markup,
    sections: Sequence[Written],
    drawings: Sequence[str],
    *,
    is_open: bool = False,
) -> str:
    """One HTML file that loads nothing and sends nothing.

    front     what stands above the sections
    drawings  the charts in the sections as JSON, as `html` has added them
    is_open   whether the sections are unfolded
    """
    made = render(
        "report",
        "document",
        title=title,
        front=front,
        sections=sections,
        styles=static(*SHEETS),
        scripts=_scripts(drawings),
        is_open=is_open,
    )
    return str(made)


def html(block: Block, drawings: list[str]) -> Markup:
    """The block, or a place for the chart: its values and settings, as JSON for report.js, are
    added to `drawings`."""
    if isinstance(block, Markup):
        return block
    figure = block.draw()
    values = json.loads(on_paper(figure).to_json())
    settings = {**config(block.name), "responsive": True}
    drawings.append(json.dumps({**values, "config": settings}, separators=(",", ":")))
    height = figure.layout.height or 380
    return render("report", "chart", number=len(drawings), height=height, says=block.in_words)


def _scripts(drawings: Sequence[str]) -> Markup:
    """The charts' values, plotly's own script, and the script that opens sections and draws."""
    values = f"[{','.join(drawings)}]"
    return render(
        "report",
        "scripts",
        values=Markup(values.replace("<", "\\u003c")),  # no value can end the script element
        plotly=_packed_plotly() if drawings else "",
        draw=static("report.js"),
    )


@cache
def _packed_plotly() -> Markup:
    """plotly's own script, compressed to two fifths of its size; report.js unpacks it."""
    return Markup(b64encode(gzip.compress(plotly_script().encode(), mtime=0)).decode())
