"""What the sections of a report are made of: blocks of HTML, and charts. No Streamlit here."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from corescore.corpus.documents import Corpus
from corescore.rendering import html as markup
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


Block = str | Drawing


@dataclass(frozen=True)
class Section:
    """A part of a report: its name in the shell, its heading, and what writes it.

    for_two  whether it takes two responses
    """

    id: str
    title: str
    write: Callable[[Subject], Iterator[Block]]
    for_two: bool = False


def headline(text: str) -> str:
    return markup.paragraph(text, "headline")


def note(text: str) -> str:
    return markup.paragraph(text, "note")


def signed_by(signature: str) -> str:
    """The line that stands under every table and chart."""
    return markup.paragraph(signature, "signature")


def heading(text: str, level: int = 3) -> str:
    return f"<h{level}>{escape(text)}</h{level}>"


def rows_table(
    caption: str,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    words: Collection[int] = (),
) -> str:
    """A table of texts, the first of each row its header; those of the columns `words` begin at
    their left edge, the others end aligned."""
    heads = "".join(
        f'<th scope="col"{_of(at in words)}>{escape(c)}</th>' for at, c in enumerate(head)
    )
    bodies = "".join(f"<tbody>{_row(row, words)}</tbody>" for row in rows)
    return (
        f'<div class="scroll"><table class="numbers"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{heads}</tr></thead>{bodies}</table></div>"
    )


def _row(row: Sequence[str], words: Collection[int]) -> str:
    cells = "".join(
        f"<td{_of(at in words)}>{escape(cell)}</td>" for at, cell in enumerate(row[1:], start=1)
    )
    return f'<tr><th scope="row">{escape(row[0])}</th>{cells}</tr>'


def _of(is_words: bool) -> str:
    return ' class="words"' if is_words else ""
