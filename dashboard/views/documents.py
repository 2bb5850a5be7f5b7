"""Documents: where is it bad?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from corescore.analysis.error_table.written import both, term
from corescore.analysis.errors.mentions import (
    INCORRECTLY_RESOLVED,
    MISSING,
    SPAN_ERROR,
    SPURIOUS,
    UNLINKED,
)
from corescore.analysis.errors.span_errors import apart
from corescore.metrics import METRIC_IDS, name_of
from corescore.plots import documents as plots
from corescore.plots.scores import size_against_score
from corescore.plots.template import MISSING as BAD
from corescore.plots.template import faint
from corescore.rendering import drawn
from corescore.scoring.tables import document_differences, document_summary
from corescore.sentences import scores as sentences
from corescore.sentences.names import MENTION_WORDS
from corescore.wording import counted, in_percent
from dashboard.session import analyses
from dashboard.session.loaded import Loaded, loaded_systems
from dashboard.widgets import error_link, selection, text_link
from dashboard.widgets.charts import chart
from dashboard.widgets.page import headline, note, title
from dashboard.widgets.tables import Columns, clicked_cell, download, table

_SIZES = {"words": "words", "key_mentions": "mentions", "key_entities": "entities"}
_DISTRIBUTION = "distribution"
_TWINLESS = {"missing_mentions": "missing", "spurious_mentions": "spurious"}
_CLASSES = {"incorrectly_resolved": INCORRECTLY_RESOLVED, "unlinked": UNLINKED}
_ERRORS = {**_CLASSES, "span_errors": "span errors", **_TWINLESS}
# The class of the mentions that a number of errors counts
_COUNTED = {
    **_CLASSES,
    "span_errors": SPAN_ERROR,
    "missing_mentions": MISSING,
    "spurious_mentions": SPURIOUS,
}
_INCLUDED = "without those with a span error, which the downloaded table includes"
_HELP = {
    "incorrectly_resolved": MENTION_WORDS[INCORRECTLY_RESOLVED],
    "unlinked": MENTION_WORDS[UNLINKED],
    "span_errors": "mentions with other words than in the key",
    "missing_mentions": f"only the key has them; {_INCLUDED}",
    "spurious_mentions": f"only the response has them; {_INCLUDED}",
}
_SCORES = (*METRIC_IDS, "conll")
_HEADS = {metric: name_of(metric) for metric in METRIC_IDS} | {"conll": "CoNLL"}
_PROFILE = "profile"
_ABOUT_PROFILE = f"Errors, of 100 mentions, from left to right: {', '.join(_ERRORS.values())}."
_SHADE = 0.5  # of the worst score; the best has none
_VIEWS = ("scores", "errors", "sizes", "all")


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


def page() -> None:
    """Draw the page."""
    loaded = loaded_systems()
    head = title("Where is it bad?")
    controls = st.container(horizontal=True, vertical_alignment="bottom")
    with controls:
        letter = selection.select_letter("Scores of", loaded)
        metric = selection.select_metric("Compared by", _SCORES, key="by", first="conll", width=180)
        named = st.text_input(
            "Search by name", key="named", bind="query-params", width=200, live=True
        )
    sentence = _sentence(loaded, letter, metric)
    with head:
        _show_head(loaded, letter, metric, sentence)
    shown = Shown(loaded, letter, metric, _summaries(loaded, letter, named))
    if shown.summary.empty:
        n = counted(len(loaded.key), "document")
        headline(f"No document’s name contains “{named}”. Clear the box to see all {n}.")
    with controls:
        order, view = _select_order(shown)
        text_link.link_to_clicked(loaded)
        error_link.link_to_clicked()
    _show_documents(shown, order, view)
    system = loaded.system(letter).name
    download(shown.summary.reset_index(), loaded.signature, "documents", system)
    if not shown.summary.empty:
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
            span_errors=analyses.span_errors(s), **_of_classes(s.letter, loaded)
        )
        for s in loaded.systems
    }
    found = summaries[letter].index.str.contains(named, case=False, regex=False)
    return {letter: summary[found] for letter, summary in summaries.items()}


def _of_classes(letter: str, loaded: Loaded) -> dict[str, "pd.Series[int]"]:
    counts = analyses.class_counts(loaded.system(letter))
    return {column: counts[name] for column, name in _CLASSES.items()}


# The table ----------------------------------------------------------------------------------------


def _select_order(shown: Shown) -> tuple[str, str]:
    """Boxes for the order of the table, and for which of its columns are shown."""
    order = selection.select_lasting("Sorted by", [*_orders(shown)], key="sort", width=200)
    view = st.segmented_control(
        "Columns", _VIEWS, default=_VIEWS[0], required=True, key="show", bind="query-params"
    )
    return order, view


def _show_documents(shown: Shown, order: str, view: str) -> None:
    """A row for each document; a click on it opens its text."""
    rows = _orders(shown)[order](_rows(shown))
    table(
        rows.rename_axis("document").reset_index(),
        _columns(shown.metric, max((max(shares) for shares in rows[_PROFILE]), default=0)),
        key="document_table",
        on_select=partial(_take_clicked, shown, list(rows.index)),
        order=_order(shown, view),
        style=partial(_shaded, rows),
        alt="A row for each document: sizes, F1 under each metric in percent, mentions with each "
        "kind of error. A click on a row opens its text, one on a number of errors lists these.",
    )
    note(
        f"The lower a score, the stronger its colour. {_ABOUT_PROFILE} A click on a row opens its "
        "text; on a number of errors, the list of these."
    )


def _take_clicked(shown: Shown, names: Sequence[str]) -> None:
    """Go to the document that was clicked, or to the errors that a number counts."""
    cell = clicked_cell("document_table")
    if cell and cell[1] in _COUNTED:
        name = names[cell[0]]
        error_link.open_errors(
            counted_errors(name, cell[1]),
            shown.loaded.system(shown.letter),
            label=f"List the {_ERRORS[cell[1]]} mentions of {name}",
        )
    else:
        text_link.choose_row("document_table", names)


def counted_errors(document: str, column: str) -> str:
    """The query that finds the errors which a number of the table counts."""
    return both(term("doc", document), term("class", _COUNTED[column]))


def _rows(shown: Shown) -> pd.DataFrame:
    """What the table shows, in the order of the file."""
    summary, results = apart(shown.summary, _TWINLESS), shown.loaded.results
    rows = in_percent(summary[[*_SIZES, *_SCORES, *_ERRORS]], _SCORES)
    mentions = summary["shared_mentions"] + summary[[*_ERRORS][2:]].sum(axis=1)
    shares = 100 * summary[[*_ERRORS]].div(mentions.where(mentions > 0), axis=0).fillna(0)
    rows[_PROFILE] = pd.Series(shares.round(1).to_numpy().tolist(), rows.index, dtype=object)
    if "B" in results:
        differences = in_percent(document_differences(results["A"], results["B"]), [shown.metric])
        at = len(_SIZES) + len(_SCORES)
        rows.insert(at, "difference", differences.loc[rows.index, shown.metric])
    return rows


def _orders(shown: Shown) -> dict[str, Callable[[pd.DataFrame], pd.DataFrame]]:
    """The orders of the table by their names; the first is the default."""

    def by(column: str, *, ascending: bool) -> Callable[[pd.DataFrame], pd.DataFrame]:
        return lambda rows: rows.sort_values(column, ascending=ascending, kind="stable")

    orders: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
        "worst first": by(shown.metric, ascending=True),
        "best first": by(shown.metric, ascending=False),
        "order of the file": lambda rows: rows,
        "name": lambda rows: rows.sort_index(),
        "longest first": by("words", ascending=False),
        "shortest first": by("words", ascending=True),
        **{f"most {name}": by(column, ascending=False) for column, name in _ERRORS.items()},
    }
    if "B" in shown.loaded.results:
        orders["greatest gain of B"] = by("difference", ascending=False)
        orders["greatest loss of B"] = by("difference", ascending=True)
    return orders


def _order(shown: Shown, view: str) -> Sequence[str]:
    """The columns of a view, in their order."""
    scores = [shown.metric, *(name for name in _SCORES if name != shown.metric)]
    difference = ["difference"] if "B" in shown.loaded.results else []
    of_view = {
        "scores": [*scores[:1], *difference, _PROFILE, *scores[1:]],
        "errors": [*scores[:1], _PROFILE, *_ERRORS],
        "sizes": [*scores[:1], *_SIZES],
        "all": [*scores[:1], *difference, _PROFILE, *scores[1:], *_SIZES, *_ERRORS],
    }
    return ["document", *of_view[view]]


def _shaded(every: pd.DataFrame, rows: pd.DataFrame) -> Styler:
    """The rows, each score shaded by its place between the worst and the best of all."""
    low, high = every[[*_SCORES]].min(), every[[*_SCORES]].max()
    deep = _SHADE * (high - rows[[*_SCORES]]) / (high - low).where(high > low)
    styles = deep.round(3).map(lambda d: f"background-color: {faint(BAD, d)}" if d == d else "")
    return rows.style.apply(lambda _: styles, axis=None, subset=[*_SCORES])


def _columns(metric: str, most: float) -> Columns:
    """How the columns are headed and written; `most`: the highest bar of the profiles."""
    number = st.column_config.NumberColumn
    return {
        "document": st.column_config.TextColumn(width=180, pinned=True),
        _PROFILE: st.column_config.BarChartColumn(
            "errors", width=64, help=_ABOUT_PROFILE, y_min=0, y_max=most
        ),
        **{n: number(word, width=68, help=f"{word} of the key") for n, word in _SIZES.items()},
        **{name: number(_HEADS[name], format="%.2f", width=57, help="F1 %") for name in _SCORES},
        "difference": number("B − A", format="%+.2f", width=66, help=name_of(metric)),
        **{n: number(word, width=76, help=_HELP[n]) for n, word in _ERRORS.items()},
    }


# The chart ----------------------------------------------------------------------------------------


def _show_chart(shown: Shown, sentence: str) -> None:
    """Scores against sizes or, where these hardly differ, how they are distributed."""
    words = shown.loaded.system(shown.letter).result.lengths["words"]
    across = st.segmented_control(
        "Scores by",
        [*_SIZES, _DISTRIBUTION],
        default=_DISTRIBUTION if plots.are_alike(words) else "words",
        required=True,
        format_func=lambda name: _SIZES.get(name, name),
        key="across",
        bind="query-params",
    )
    metric, is_size = shown.metric, across != _DISTRIBUTION
    about = f"against its {_SIZES[across]}" if is_size else "as a dot in a row"
    figure = (
        size_against_score(shown.summaries, size=across, size_title=_SIZES[across], metric=metric)
        if is_size
        else plots.distribution(shown.summaries, metric=metric)
    )
    chart(
        figure,
        *("documents", metric, *shown.loaded.names.values()),
        key="document_chart",
        on_select=lambda: text_link.choose_point("document_chart"),
        alt=f"{name_of(metric)} F1 of each document {about}. {sentence}",
        rows=partial(drawn.documents, shown.summaries, metric, _SIZES),
    )
