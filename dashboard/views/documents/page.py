"""Documents: where is it bad?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from corescore.analysis.error_table.confusion import both, term
from corescore.analysis.errors.operations import genres
from corescore.analysis.errors.tables import apart
from corescore.metrics import name_of
from corescore.plots import documents as plots
from corescore.plots.scores import size_against_score
from corescore.plots.template import MISSING as BAD
from corescore.plots.template import faint
from corescore.rendering import drawn
from corescore.scoring.tables import document_differences, document_summary
from corescore.sentences import scores as sentences
from corescore.sentences.many import NARROW, common_beginning
from corescore.wording import counted, in_percent
from dashboard.session import analyses
from dashboard.session.loaded import Loaded, System, loaded_systems
from dashboard.views.documents.columns import (
    ABOUT_PROFILE,
    CLASSES,
    COUNTED,
    ERRORS,
    GENRE,
    PROFILE,
    SCORES,
    SIZES,
    TWINLESS,
    VIEWS,
    Sort,
    columns_of,
    orders,
    orders_by,
    written,
)
from dashboard.widgets import error_link, selection, text_link
from dashboard.widgets.charts import chart
from dashboard.widgets.link_values import switch
from dashboard.widgets.page import headline, note, title
from dashboard.widgets.tables import clicked_cell, clicked_head, download, table

_DISTRIBUTION = "distribution"
_SHADE = 0.5  # of the worst score; the best has none


@dataclass(frozen=True)
class Shown:
    """What the page is about: a system's documents, and the metric that they are compared by.

    summaries  by the systems' letters, a row for each document that was searched for
    """

    loaded: Loaded
    letter: str
    metric: str
    summaries: Mapping[str, pd.DataFrame]

    @property
    def summary(self) -> pd.DataFrame:
        """The rows of the system that is selected."""
        return self.summaries[self.letter]

    @property
    def orders(self) -> dict[str, Sort]:
        """The orders of the table by their names."""
        return orders(self.metric, difference=self.is_of_two, genres=self.has_genres)

    @property
    def has_genres(self) -> bool:
        """Whether genres tell documents apart."""
        return GENRE in self.summary

    @property
    def is_of_two(self) -> bool:
        """Whether there are an A and a B."""
        return "B" in self.loaded.results


def page() -> None:
    """Draw the page."""
    loaded = loaded_systems()
    head = title("Where is it bad?")
    controls = st.container(horizontal=True, vertical_alignment="bottom")
    with controls:
        letter = selection.select_letter("Scores of", loaded)
        metric = selection.select_metric("Compared by", SCORES, key="by", first="conll", width=180)
        named = st.text_input(
            "Search by name", key="named", bind="query-params", width=200, live=True
        )
    sentence = _sentence(loaded, letter, metric)
    with head:
        _show_head(loaded, letter, metric, sentence)
    shown = Shown(loaded, letter, metric, _summaries(loaded, letter, named))
    with controls:
        order, view = _select_order(shown)
        text_link.link_to_clicked(loaded)
        error_link.link_to_clicked()
    if shown.summary.empty:
        n = counted(len(loaded.key), "document")
        headline(f"No document’s name contains “{named}”. Clear “Search by name” to see all {n}.")
    else:
        _show_documents(shown, order, view)
        system = loaded.system(letter).name
        download(shown.summary.reset_index(), loaded.signature, "documents", system)
        if len(loaded.key) > 1:
            _show_chart(shown, sentence)
    text_link.follow()


def _sentence(loaded: Loaded, letter: str, metric: str) -> str:
    system, results = loaded.system(letter), loaded.results
    sentence = sentences.weakest_document(system.title, system.result, metric)
    if "B" in results:
        sentence += " " + sentences.document_wins(results["A"], results["B"], metric)
    return sentence


def _show_head(loaded: Loaded, letter: str, metric: str, sentence: str) -> None:
    """The headline, and a link to the document that it calls the weakest."""
    headline(sentence)
    text_link.link_to_weakest(loaded.system(letter), metric)


def _summaries(loaded: Loaded, letter: str, named: str) -> dict[str, pd.DataFrame]:
    summaries = {
        s.letter: document_summary(s.result).assign(
            span_errors=analyses.span_errors(s), **_of_classes(s.letter, loaded), **_genres(s)
        )
        for s in loaded.systems
    }
    found = summaries[letter].index.str.contains(named, case=False, regex=False)
    return {letter: summary[found] for letter, summary in summaries.items()}


def _genres(system: System) -> dict[str, list[str]]:
    """The column of genres, where they tell documents apart."""
    found = genres(system.result.comparison.key)
    return {GENRE: found} if len({*found}) > 1 else {}


def _of_classes(letter: str, loaded: Loaded) -> dict[str, "pd.Series[int]"]:
    counts = analyses.class_counts(loaded.system(letter))
    return {column: counts[name] for column, name in CLASSES.items()}


# The table ----------------------------------------------------------------------------------------


def _select_order(shown: Shown) -> tuple[str, str]:
    """Boxes for the order of the table, and for which of its columns are shown."""
    order = selection.select_lasting("Sorted by", [*shown.orders], key="sort", width=200)
    view = switch("Columns", VIEWS, key="show")
    return order, view


def _show_documents(shown: Shown, order: str, view: str) -> None:
    """A row for each document; a click on it opens its text."""
    key = f"document_table {order}"
    rows = shown.orders[order](_rows(shown))
    table(
        rows.rename_axis("document").reset_index(),
        written(shown.metric, max((max(shares) for shares in rows[PROFILE]), default=0)),
        key=key,
        on_select=partial(_take_clicked, shown, order, key, list(rows.index)),
        heads=True,
        order=columns_of(view, shown.metric, difference=shown.is_of_two, genres=shown.has_genres),
        style=partial(_shaded, rows),
        alt="One row per document: sizes, F1 under each metric in percent, mentions with errors by "
        "class. Click a row for its text, a number of mentions with errors for their list, or a "
        "column header to sort.",
    )
    note(
        f"The lower a score, the stronger its colour. {ABOUT_PROFILE} Click a row for its text, a "
        "number of mentions with errors for their list, or a column header to sort (click again "
        f"to reverse).{_about_names(rows)}"
    )


def _about_names(rows: pd.DataFrame) -> str:
    start = common_beginning(rows.index, longest=NARROW)
    return f" All names begin with “{start}”, which “…” stands for." if start else ""


def _take_clicked(shown: Shown, order: str, key: str, names: Sequence[str]) -> None:
    """Sort by the column whose head was clicked, or go to the document that was, or to the errors
    that a number counts."""
    head, cell = clicked_head(key), clicked_cell(key)
    if head:
        first, second = orders_by(head, shown.metric)
        st.session_state["sort"] = second if order == first else first
    elif cell and cell[1] in COUNTED:
        name = names[cell[0]]
        error_link.open_errors(
            counted_errors(name, cell[1]),
            shown.loaded.system(shown.letter),
            label=f"List the {ERRORS[cell[1]]} mentions of {name}",
        )
    else:
        text_link.choose_row(key, names)


def counted_errors(document: str, column: str) -> str:
    """The query that finds the errors which a number of the table counts."""
    return both(term("doc", document), term("class", COUNTED[column]))


def _rows(shown: Shown) -> pd.DataFrame:
    """What the table shows, in the order of the file."""
    summary, results = apart(shown.summary, TWINLESS), shown.loaded.results
    rows = in_percent(summary[[*SIZES, *SCORES, *ERRORS]], SCORES)
    mentions = summary["shared_mentions"] + summary[[*ERRORS][2:]].sum(axis=1)
    shares = 100 * summary[[*ERRORS]].div(mentions.where(mentions > 0), axis=0).fillna(0)
    rows[PROFILE] = pd.Series(shares.round(1).to_numpy().tolist(), rows.index, dtype=object)
    if shown.is_of_two:
        differences = in_percent(document_differences(results["A"], results["B"]), [shown.metric])
        at = len(SIZES) + len(SCORES)
        rows.insert(at, "difference", differences.loc[rows.index, shown.metric])
    if shown.has_genres:
        rows[GENRE] = summary[GENRE]
    return rows


def _shaded(every: pd.DataFrame, rows: pd.DataFrame) -> Styler:
    """The rows, each score shaded by its place between the worst and the best of all."""
    low, high = every[[*SCORES]].min(), every[[*SCORES]].max()
    deep = _SHADE * (high - rows[[*SCORES]]) / (high - low).where(high > low)
    styles = deep.round(3).map(lambda d: f"background-color: {faint(BAD, d)}" if d == d else "")
    return rows.style.apply(lambda _: styles, axis=None, subset=[*SCORES])


# The chart ----------------------------------------------------------------------------------------


def _show_chart(shown: Shown, sentence: str) -> None:
    """Scores against sizes or, where these hardly differ, how they are distributed."""
    words = shown.loaded.system(shown.letter).result.lengths["words"]
    across = switch(
        "Scores by",
        [*SIZES, _DISTRIBUTION],
        default=_DISTRIBUTION if plots.are_alike(words) else "words",
        format_func=lambda name: SIZES.get(name, name),
        key="across",
    )
    metric, is_size = shown.metric, across != _DISTRIBUTION
    about = f"against its {SIZES[across]}" if is_size else "as a dot in a row"
    figure = (
        size_against_score(shown.summaries, size=across, size_title=SIZES[across], metric=metric)
        if is_size
        else plots.distribution(shown.summaries, metric=metric)
    )
    chart(
        figure,
        *("documents", metric, *shown.loaded.names.values()),
        key="document_chart",
        on_select=lambda: text_link.choose_point("document_chart"),
        alt=f"{name_of(metric)} F1 of each document {about}. {sentence}",
        rows=partial(drawn.documents, shown.summaries, metric, SIZES),
    )
