"""What `.show()` shows of documents and errors, and a notebook of an experiment."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pandas as pd
from markupsafe import Markup

from corescore.analysis.error_table.table import contexts
from corescore.analysis.explain import SIDE_WORDS, TWINLESS, share_table
from corescore.corpus.documents import Document
from corescore.corpus.problems import MOST_NAMES, PolicyError, choose
from corescore.counting.comparison import Comparison
from corescore.metrics import Metric
from corescore.rendering import panels, papers
from corescore.rendering.columns import Column, column, metric_column
from corescore.rendering.html import Window, drawn, headline, note, render, signature
from corescore.rendering.panels import TWINLESS_WORDS, LegendEntry, Panels, facts, gains
from corescore.rendering.report.blocks import heading
from corescore.rendering.report.credit import opened_words, passage_html
from corescore.rendering.report.experiments import drawn_table, printed_beside
from corescore.rendering.tables import Shown, cell
from corescore.rendering.text import Table
from corescore.replication.experiment import Outcome
from corescore.scoring.scores import Result
from corescore.wording import capital, count, counted

SIDES = ("recall", "precision")


Span = tuple[int, int]


@dataclass(frozen=True)
class Stretch:
    """A stretch of a document of a comparison."""

    comparison: Comparison
    document: str
    window: Window

    @property
    def number(self) -> int:
        return self.comparison.names.index(self.document)

    def own(self, side: str) -> Document:
        """The document with the mentions of a side."""
        sides = {"recall": self.comparison.key, "precision": self.comparison.response}
        return sides[side][self.number]

    def text(self, side: str) -> Document:
        """The document with words for that side: its own, or the other's if it has none."""
        own = self.own(side)
        (other,) = (self.own(one) for one in SIDES if one != side)
        return own if own.words else other

    def values(self, side: str, table: pd.DataFrame, scores: dict[str, str]) -> Panels:
        """What is drawn of a side's mentions, of a `share_table`."""
        text = self.text(side)
        window = Window(self.window.start, min(self.window.end, len(text.words)))
        return panels.panels(text, self.own(side), table, window, side=side, scores=scores)


# A document ---------------------------------------------------------------------------------------


def document(
    result: Result,
    name: str,
    *,
    credit: Metric | None = None,
    side: str = "recall",
    start: int = 0,
    words: int = 500,
) -> Shown:
    """A passage of a document: see `corescore.Result.show`."""
    choose("side", side, SIDES)
    comparison = result.compared[credit.id] if credit else result.comparison
    place = _stretch(comparison, name, start, words)
    if credit:
        title = f"{name}: what {credit.title} credits"
        drawn = _credit_passage(result, place, credit, side)
    else:
        title, drawn = f"{name}: key and response", marks(place)
    blocks = [heading(title)]
    if part := _part(place):
        blocks.append(note(part))
    return Shown(title, str(cell([*blocks, drawn, signature(result.signature)])))


def _stretch(comparison: Comparison, name: str, start: int, words: int) -> Stretch:
    """Where a passage is. Raises PolicyError for what is not there."""
    choose("document", name, comparison.names, most=MOST_NAMES)
    place = Stretch(comparison, name, Window(start, start + words))
    if words < 1:
        raise PolicyError(f"words is {words}; expected 1 or more")
    if start < 0 or start >= max(1, _extent(place)):
        raise PolicyError(f"start is {start}; {name!r} has {counted(_extent(place), 'word')}")
    return place


def _extent(place: Stretch) -> int:
    """The words of the document; where they are not known, the end of its last mention."""
    ends = (int(place.own(side).rows[:, 1].max(initial=0)) for side in SIDES)
    return max(*(len(place.text(side).words) for side in SIDES), *ends)


def _part(place: Stretch) -> str:
    """Which part of the document it is, and how to see the next; "" if it is the whole."""
    first, last, n = place.window.start, min(place.window.end, _extent(place)), _extent(place)
    if last - first >= n:
        return ""
    after = f" start={last} shows the next." if last < n else ""
    return f"Words {count(first + 1)} to {count(last)} of {count(n)}.{after}"


def _credit_passage(result: Result, place: Stretch, metric: Metric, side: str) -> Markup:
    """The mentions of a side, shaded by what a metric gives them."""
    if not metric.credit:
        raise PolicyError(f"{metric.id} does not define credit; expected another metric")
    table = share_table(place.comparison, [metric], side=side, document=place.document)
    if not place.text(side).words:
        return _mention_list(place, side, table, metric)
    scores = panels.scores_in_words(result, place.document, side, metrics=[metric.id])
    values = replace(place.values(side, table, scores), hint="")
    return render("notebook", "one", block=passage_html(values, with_legend=True))


# Key and response ---------------------------------------------------------------------------------


def marks(
    place: Stretch, selected: tuple[Span | None, Span | None] = (None, None), *, legend: bool = True
) -> Markup:
    """The passage once with the mentions of the key and once with those of the response.

    selected  the span of a mention in the key and in the response: it stands out, and so do the
              others of its entity
    """
    drawn, listed = [], []
    for side, span in zip(SIDES, selected, strict=True):
        table = share_table(place.comparison, (), side=side, document=place.document)
        if not place.text(side).words:
            listed.append(_mention_list(place, side, table))
            continue
        values = place.values(side, table, {})
        chosen = "{}-{}".format(*span) if span else ""
        title = capital(SIDE_WORDS[side][0])
        drawn.append((title, list(opened_words(replace(values, chosen=chosen)))))
    if not drawn:
        return Markup().join(listed)
    return render("passage", "marks", sides=drawn, legend=_legend() if legend else [])


def _legend() -> list[LegendEntry]:
    """What the marks of both sides mean, each meaning once."""
    entries = {
        entry.words: entry
        for side in SIDES
        for entry in panels.legend(side)
        if entry.status != "unearnable"
    }
    return list(entries.values())


def _mention_list(
    place: Stretch, side: str, table: pd.DataFrame, metric: Metric | None = None
) -> Markup:
    """The mentions of a document without words, by their places."""
    whose, twinless = SIDE_WORDS[side][0], TWINLESS_WORDS[side][1]
    inside = place.window.of(table)
    rows = inside.assign(status=inside["status"].replace(TWINLESS, twinless))
    columns = (
        Column(f"{whose}: words", lambda start, end: f"{start + 1} to {end}", ("start", "end")),
        *(column("own_entity", "entity"), column("status", "class")),
        *([metric_column(metric.id)] if metric else []),
    )
    title = f"{counted(len(inside))} of the {whose}; the words are not known"
    return note(f"{title}.") + drawn(Table(rows, columns, title))


# Errors -------------------------------------------------------------------------------------------


def around(text: Document, start: int, end: int, words: int) -> Window:
    """The words around a mention, from the beginning of a sentence if one begins there."""
    first = max(0, start - words)
    begins = [at for at in text.sentence_starts if first <= at <= start]
    return Window(begins[0] if begins else first, min(len(text.words), end + words))


def errors(result: Result, rows: pd.DataFrame, query: str, *, most: int, words: int) -> Shown:
    """The first errors of a list: see `corescore.analysis.error_table.table.ErrorList.show`."""
    for name, value in (("most", most), ("words", words)):
        if value < 1:
            raise PolicyError(f"{name} is {value}; expected 1 or more")
    title = counted(len(rows), "error") + (f" found by {query}" if query else "")
    blocks = [heading(title)]
    if len(rows) > most:
        blocks.append(note(f"The first {count(most)}; most={min(2 * most, len(rows))} shows more."))
    shown = rows[:most].join(contexts(result.comparison, rows[:most]))
    blocks += [*_error_passages(result, shown, words), signature(result.signature)]
    return Shown(title, str(cell(blocks)))


def _error_passages(result: Result, rows: pd.DataFrame, words: int) -> Iterator[Markup]:
    """What is told of each row of an error table with contexts, and its passage."""
    for at, (_, row) in enumerate(rows.iterrows()):
        where = row["document"] + (
            f", sentence {row['sentence']}" if pd.notna(row["sentence"]) else ""
        )
        status = f"{row['class']} · {where}"
        yield render("errors", "card", words=row["mention"], status=status, facts=[*facts(row)])
        yield marks(_of_error(result, row, words), _spans(row), legend=at == 0)
        yield render("errors", "gains", rows=gains(row))


def _of_error(result: Result, row: pd.Series, words: int) -> Stretch:
    place = Stretch(result.comparison, row["document"], Window(0, 0))
    text = place.text("recall" if pd.notna(row["key_entity"]) else "precision")
    start, end = int(row["start"]), int(row["end"])
    window = around(text, start, end, words) if text.words else Window(start, end)
    return replace(place, window=window)


def _spans(row: pd.Series) -> tuple[Span | None, Span | None]:
    """Where the mention stands in the key and in the response."""
    key = (int(row["start"]), int(row["end"])) if pd.notna(row["key_entity"]) else None
    if pd.isna(row["response_start"]):
        return key, None
    return key, (int(row["response_start"]), int(row["response_end"]))


# The outcome of a published experiment ------------------------------------------------------------

MOST_ROWS = 60


def outcome(made: Outcome) -> Markup:
    """Which of the paper's claims hold, the table that its chart draws, and what it prints."""
    return cell(_outcome(made))


def _outcome(made: Outcome) -> Iterator[Markup]:
    experiment = made.experiment
    yield heading(f"{experiment.title} ({experiment.paper.at(experiment.where)})")
    changed = made.setting.values != {one.id: one.default for one in experiment.parameters}
    yield headline(papers.finding(made, changed=changed))
    yield papers.claim_list(made.checks)
    if len(made.drawn) > MOST_ROWS:
        yield note(
            f"The first {count(MOST_ROWS)} of {counted(len(made.drawn), 'row')}; all are in .table."
        )
    yield drawn_table(made, most=MOST_ROWS)
    on_data = "your data" if experiment.on_data else ""
    for one in experiment.printed:
        yield from printed_beside(made, one, on_data)
    yield signature(made.signature)
