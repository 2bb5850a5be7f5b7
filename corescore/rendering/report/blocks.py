"""What the sections of a report are made of: blocks of HTML, and charts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import plotly.graph_objects as go
from markupsafe import Markup

from corescore.corpus.documents import Corpus
from corescore.rendering.templates import render
from corescore.scoring.scores import Scores


@dataclass(frozen=True)
class Output:
    """A response as a report calls it: its letter, its name, its result."""

    letter: str
    name: str
    result: Scores

    @property
    def title(self) -> str:
        """How a sentence calls it: A (cautious)."""
        return f"{self.letter} ({self.name})"


@dataclass(frozen=True)
class Subject:
    """What a report is about.

    outputs    one response or two, A and B, scored against the key under the same policies
    documents  whose passages are shown with their credit; none: the worst of A
    """

    key_name: str
    key: Corpus
    outputs: tuple[Output, ...]
    documents: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        return self.outputs[0].result.signature

    @property
    def results(self) -> dict[str, Scores]:
        """The results by the outputs' letters."""
        return {output.letter: output.result for output in self.outputs}


@dataclass(frozen=True)
class Drawing:
    """A chart, what it is called as a file, and what it shows in words."""

    figure: go.Figure
    name: str
    says: str


Block = Markup | Drawing


@dataclass(frozen=True)
class Section:
    """A part of a report: its name in the shell, its heading, and what writes it.

    for_two  whether it takes two responses
    """

    id: str
    title: str
    write: Callable[[Subject], Iterator[Block]]
    for_two: bool = False


def heading(text: str, level: int = 3) -> Markup:
    return render("blocks", "heading", text=text, level=level)
