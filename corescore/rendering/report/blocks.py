"""Sections of a report, and the blocks of HTML and charts they consist of."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from markupsafe import Markup

from corescore.analysis.significance.bootstrap import Intervals, score_intervals
from corescore.analysis.systems.evidence import Evidence, evidence
from corescore.analysis.systems.pair import Pair
from corescore.analysis.systems.scored import ScoredSystems, System
from corescore.plots.template import Figure, config, on_paper
from corescore.rendering.templates import render

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

    @property
    def best_first(self) -> tuple[System, ...]:
        """The systems by the primary metric; equals as they are named."""
        return tuple(sorted(self.systems, key=lambda system: -system.result[self.primary].f1))

    @property
    def titles(self) -> dict[str, str]:
        """The systems as sentences call them, by their letters."""
        return {system.letter: system.title for system in self.systems}

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
    def intervals(self) -> Mapping[str, Intervals]:
        """The intervals of the scores by the systems' letters."""
        return {s.letter: score_intervals(s.result, trials=RESAMPLES) for s in self.systems}


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
        return n_systems > 1 or not self.for_two


def heading(text: str, level: int = 3) -> Markup:
    return render("blocks", "heading", text=text, level=level)
