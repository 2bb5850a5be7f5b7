"""Documents: where does it go wrong?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from corescore.analysis import long_documents
from corescore.analysis.error_table.facets import both, term
from corescore.analysis.error_table.query import QueryError
from corescore.analysis.errors.classes import (
    INCORRECTLY_RESOLVED,
    MISSING,
    SPAN_ERROR,
    SPURIOUS,
    UNLINKED,
    genres,
)
from corescore.analysis.errors.tables import apart
from corescore.corpus.problems import PolicyError
from corescore.metrics import SCORE_IDS, name_of
from corescore.plots import documents as plots
from corescore.plots import local as local_plots
from corescore.plots.template import MISSING as BAD
from corescore.plots.template import faint
from corescore.rendering import exhibits, local
from corescore.rendering.columns import Column, columns_of
from corescore.rendering.text import Table
from corescore.scoring.tables import document_differences, document_summary
from corescore.sentences.many import NARROW, common_beginning
from corescore.sentences.names import MENTION_WORDS
from corescore.wording import capital, counted, percent
from dashboard.session import analyses
from dashboard.session.loaded import Loaded, System, loaded_systems
from dashboard.session.notes import noted
from dashboard.session.state import state
from dashboard.widgets import links, selection
from dashboard.widgets.charts import chart, exhibit, is_wanted
from dashboard.widgets.page import caution, fold, headline, note, question, side_by_side, tools
from dashboard.widgets.selection import switch
from dashboard.widgets.tables import clicked_cell, clicked_head, download, table

# --------------------------------------------------------------------------------------------------
# The columns of the table of documents: which are shown, how they are written, and the orders by
# them.

Sort = Callable[[pd.DataFrame], pd.DataFrame]

SIZES = {"words": "words", "key_mentions": "mentions", "key_entities": "entities"}

TWINLESS = {"missing_mentions": "missing", "spurious_mentions": "spurious"}

CLASSES = {"incorrectly_resolved": INCORRECTLY_RESOLVED, "unlinked": UNLINKED}

ERRORS = {**CLASSES, "span_errors": "span errors", **TWINLESS}

# The class of the mentions that a number of errors counts
COUNTED = {
    **CLASSES,
    "span_errors": SPAN_ERROR,
    "missing_mentions": MISSING,
    "spurious_mentions": SPURIOUS,
}

PROFILE = "profile"

GENRE = "genre"

MOST_WORDS = 100_000_000

ABOUT_PROFILE = (
    f"Bars: mentions with errors per 100 mentions, from left to right {', '.join(ERRORS.values())}."
)

VIEWS = ("scores", "errors", "sizes", "all")

# By column: the order that a click on its head selects, and the reverse. The metric that documents
# are compared by has its own names, but also these: what is sorted stays so where that changes.
_NAMES = {
    "document": ("name", "name, Z to A"),
    GENRE: ("genre", "genre, Z to A"),
    **{name: (f"most {word}", f"fewest {word}") for name, word in (SIZES | ERRORS).items()},
    "words": ("longest first", "shortest first"),
    PROFILE: ("most errors per 100 mentions", "fewest errors per 100 mentions"),
    "difference": ("greatest gain of B", "greatest loss of B"),
    **{name: (f"lowest {name_of(name)}", f"highest {name_of(name)}") for name in SCORE_IDS},
}

_ASCENDING = (
    "document",
    GENRE,
    *SCORE_IDS,
)  # under the first of their two orders; all else, descending


def orders_by(column: str, metric: str) -> tuple[str, str]:
    """The names of the order that a click on the column's head selects, and of the reverse.

    metric  that documents are compared by
    """
    return ("worst first", "best first") if column == metric else _NAMES[column]


def _both_ways(column: str, names: tuple[str, str]) -> dict[str, Sort]:
    ascending = column in _ASCENDING
    ways = (ascending, not ascending)
    return {name: partial(_sorted, column, way) for name, way in zip(names, ways, strict=True)}


def _sorted(column: str, ascending: bool, rows: pd.DataFrame) -> pd.DataFrame:
    total = (lambda shares: shares.map(sum)) if column == PROFILE else None
    return rows.sort_values(column, ascending=ascending, kind="stable", key=total)


def written(metric: str) -> dict[str, Column]:
    """How the columns are headed and written."""
    words = {name: MENTION_WORDS[of] for name, of in CLASSES.items()}
    scores = [Column(name_of(of), percent, (of,), about="F1 %", width=52) for of in SCORE_IDS]
    every = *columns_of("documents", metric=name_of(metric), **words), *scores
    return {one.of[0]: one for one in every}


_DISTRIBUTION = "distribution"

_SHADE = 0.5  # of the worst score; the best has none


@dataclass(frozen=True)
class Shown:
    """What the page is about: a system's documents, and the metric that they are compared by.

    summaries  by the systems' letters, one row per document that was searched for
    """

    loaded: Loaded
    letter: str
    metric: str
    summaries: Mapping[str, pd.DataFrame]

    @property
    def system(self) -> System:
        """The system that is selected."""
        return self.loaded.system(self.letter)

    @property
    def summary(self) -> pd.DataFrame:
        """The rows of the system that is selected."""
        return self.summaries[self.letter]

    @property
    def orders(self) -> dict[str, Sort]:
        """The orders of the table by their names; the first is the default."""
        absent = {"difference", GENRE} - {*self.gain, *self.genre}
        columns = [name for name in _NAMES if name not in absent]
        return {
            **_both_ways(self.metric, orders_by(self.metric, self.metric)),
            "order of the file": pd.DataFrame.copy,
            **{name: sort for of in columns for name, sort in _both_ways(of, _NAMES[of]).items()},
        }

    @property
    def genre(self) -> list[str]:
        """The column of genres, if they tell documents apart."""
        return [GENRE] if GENRE in self.summary else []

    @property
    def gain(self) -> list[str]:
        """The column of B − A, if there are an A and a B."""
        return ["difference"] if "B" in self.loaded.results else []

    def columns(self, view: str) -> Sequence[str]:
        """The columns of a view, in their order."""
        metric, sizes = self.metric, [*self.genre, *SIZES]
        others = [name for name in SCORE_IDS if name != metric]
        of_view = {
            "scores": [metric, *self.gain, PROFILE, *others],
            "errors": [metric, PROFILE, *ERRORS],
            "sizes": [metric, *sizes],
            "all": [metric, *self.gain, PROFILE, *others, *sizes, *ERRORS],
        }
        return ["document", *of_view[view]]


def page() -> None:
    """Draw the page."""
    loaded = loaded_systems()
    head = question("Where does it go wrong?")
    controls = tools()
    with controls:
        letter = selection.select_letter("Scores of", loaded)
        named = selection.typed("named", live=True)
        wanted = _select_wanted(loaded, letter)
    metric = selection.metric_of_all()
    shown = Shown(loaded, letter, metric, _summaries(loaded, letter, named, wanted))
    listed = [*shown.summary.index]
    results = {of: one.of_documents(listed) for of, one in loaded.results.items()}
    if not listed:
        reason = f"’s name contains “{named}”" if named else " has that genre, size and errors"
        sentence = (
            f"No document{reason}. Clear “Search by name” and “Filter” to see all "
            f"{counted(len(loaded.key), 'document')}."
        )
    else:
        sentence = exhibits.weakest(results, shown.system.title, letter, metric)
    with head:
        headline(sentence)
    with controls:
        # Boxes for the order of the table, and for which of its columns are shown.
        order = selection.pick("sort", [*shown.orders])
        view = switch("show", VIEWS)
        links.link_to_clicked(loaded)
        links.link_to_clicked_errors()
    if wanted.problem:
        caution(wanted.problem)
    if listed:
        _show_documents(shown, order, view)
        every = shown.summary.reset_index()
        download(every, loaded.signature, "documents", shown.system.name, signed=True)
        if len(loaded.key) > 1:
            _show_chart(shown, sentence)
        fold("How much of the score is local?", partial(_show_local, shown), key="local")


# How much of a score is local ---------------------------------------------------------------------


def _show_local(shown: Shown) -> None:
    """The scores in windows of the texts, by distance to the antecedent, and along the longest."""
    loaded, system = shown.loaded, shown.system
    if not is_wanted(loaded, "Cut the texts into windows", key="local"):
        return
    try:
        tables = {s.letter: long_documents.by_window(s.result) for s in loaded.systems}
    except PolicyError as error:
        note(f"{error}.")
        return
    windows = exhibits.windows(tables, {shown.letter: system.title})
    headline(windows.sentence)
    exhibit(windows, *loaded.names.values(), key="windows")
    note(windows.note)
    for made in exhibits.by_group(system.result, system.title):
        headline(made.sentence)
        exhibit(made, system.name, key=made.name)
        note(made.note)
    name = str(local.longest(system.result))
    strip = long_documents.along(system.result, name)
    (sentence,) = local.strip(strip, name).said
    headline(capital(sentence))
    chart(
        local_plots.along(strip, name, local.first_mentions(system.result, name, strip)),
        "along",
        system.name,
        key="along",
        on_select=partial(links.choose_point, "along"),
        alt=f"{sentence} Click a window to read it.",
        rows=partial(Table, strip),
    )
    note("The lower the F1 of a window, the stronger its colour. Click one to read it.")


@dataclass(frozen=True)
class Wanted:
    """What the documents are filtered by: genres, any if there are none, numbers of words, and the
    documents that have the errors asked for, or what is wrong with the query of errors."""

    genres: Sequence[str]
    low: int
    high: int
    having: frozenset[str]
    problem: str

    def among(self, summary: pd.DataFrame) -> "pd.Series[bool]":
        """Which documents are wanted."""
        is_wanted = summary["words"].between(self.low, self.high) & summary.index.isin(self.having)
        return is_wanted & summary[GENRE].isin(self.genres) if self.genres else is_wanted


def _select_wanted(loaded: Loaded, letter: str) -> Wanted:
    """The box of filters; genres only if they tell documents apart."""
    having, problem = frozenset(loaded.key.by_name), ""
    key = loaded.systems[0].result.comparison.key
    with st.popover("Filter"):
        every = sorted({*genres(key)})
        chosen = selection.pills(GENRE, every) if len(every) > 1 else ()
        with side_by_side():
            low = selection.whole_number("words_from", 0, width=120)
            high = selection.whole_number("words_to", MOST_WORDS, width=150)
        query = selection.typed("having")
    if query:
        try:
            system = noted(loaded, loaded.beside_other(letter))
            having = analyses.documents_with(system, query)
        except QueryError as error:
            problem = f"Not filtered by errors: {error}"
    return Wanted(chosen, low, high, having, problem)


def _summaries(loaded: Loaded, letter: str, named: str, wanted: Wanted) -> dict[str, pd.DataFrame]:
    summaries = {
        s.letter: document_summary(s.result).assign(
            span_errors=analyses.class_counts(s)[SPAN_ERROR],
            **{column: analyses.class_counts(s)[name] for column, name in CLASSES.items()},
            **_genres(s),
        )
        for s in loaded.systems
    }
    is_listed = summaries[letter].index.str.contains(named, case=False, regex=False)
    is_listed &= wanted.among(summaries[letter]).to_numpy()
    return {letter: summary[is_listed] for letter, summary in summaries.items()}


def _genres(system: System) -> dict[str, list[str]]:
    """The column of genres, where they tell documents apart."""
    by_document = genres(system.result.comparison.key)
    return {GENRE: by_document} if len({*by_document}) > 1 else {}


# The table ----------------------------------------------------------------------------------------


def _show_documents(shown: Shown, order: str, view: str) -> None:
    """One row per document; a click on it opens its text."""
    key = f"document_table {order}"
    rows = shown.orders[order](_rows(shown))
    heads = written(shown.metric)
    most = max((max(shares) for shares in rows[PROFILE]), default=0) or 1.0
    bars = st.column_config.BarChartColumn(
        "errors", width=56, help=ABOUT_PROFILE, y_min=0, y_max=most
    )
    table(
        Table(
            rows.rename_axis("document").reset_index(),
            [heads[name] for name in shown.columns(view)],
        ),
        key=key,
        on_select=partial(_take_clicked, shown, order, key, list(rows.index)),
        heads=True,
        style=partial(_shaded, 100 * rows[[*SCORE_IDS]]),
        drawn_as={PROFILE: bars},
        alt="One row per document: sizes, F1 under each metric in percent, mentions with errors by "
        "class. Click a row for its text, a number of mentions with errors for their list, or a "
        "column header to sort.",
    )
    n, every = len(rows), len(shown.loaded.key)
    listed = f"Listed: {n} of {counted(every, 'document')}. " if n < every else ""
    start = common_beginning(rows.index, longest=NARROW)
    names = f" All names begin with “{start}”, shown as “…”." if start else ""
    note(
        f"{listed}The lower a score, the stronger its colour. {ABOUT_PROFILE} Click a row for its "
        "text, a number of mentions with errors for their list, or a column header to sort (click "
        f"again to reverse).{names}"
    )


def _take_clicked(shown: Shown, order: str, key: str, names: Sequence[str]) -> None:
    """Sort by the column whose head was clicked, or go to the document that was, or to the errors
    that a number counts."""
    head, cell = clicked_head(key), clicked_cell(key)
    if head:
        first, second = orders_by(head, shown.metric)
        state.sort = second if order == first else first
    elif cell and cell[1] in COUNTED:
        name = names[cell[0]]
        links.open_errors(
            counted_errors(name, cell[1]),
            shown.system,
            label=f"List the {ERRORS[cell[1]].removesuffix('s')} mentions of {name}",
        )
    else:
        links.choose_row(key, names)


def counted_errors(document: str, column: str) -> str:
    """The query that finds the errors which a number of the table counts."""
    return both(term("doc", document), term("class", COUNTED[column]))


def _rows(shown: Shown) -> pd.DataFrame:
    """What the table shows, in the order of the file."""
    summary = apart(shown.summary, TWINLESS)
    rows = summary[[*SIZES, *SCORE_IDS, *ERRORS]].copy()
    mentions = summary["shared_mentions"] + summary[[*ERRORS][2:]].sum(axis=1)
    shares = 100 * summary[[*ERRORS]].div(mentions.where(mentions > 0), axis=0).fillna(0)
    rows[PROFILE] = pd.Series(shares.round(1).to_numpy().tolist(), rows.index, dtype=object)
    if shown.gain:
        differences = document_differences(*shown.loaded.results.values())[shown.metric]
        rows["difference"] = differences.loc[rows.index]
    return rows.join(summary[shown.genre])


def _shaded(every: pd.DataFrame, rows: pd.DataFrame) -> Styler:
    """The rows, each score shaded by its place between the worst and the best of all."""
    scores = [name for name in every if name in rows]
    low, high = every[scores].min(), every[scores].max()
    deep = _SHADE * (high - rows[scores]) / (high - low).where(high > low)
    styles = deep.round(3).map(lambda d: f"background-color: {faint(BAD, d)}" if d == d else "")
    return rows.style.apply(lambda _: styles, axis=None, subset=scores)


# The chart ----------------------------------------------------------------------------------------


def _show_chart(shown: Shown, sentence: str) -> None:
    """Scores against sizes or, where these hardly differ, how they are distributed."""
    words = shown.system.result.lengths["words"]
    across = switch(
        "across",
        [*SIZES, _DISTRIBUTION],
        default=_DISTRIBUTION if plots.are_alike(words) else "words",
        called=lambda name: SIZES.get(name, name),
    )
    made = exhibits.documents(shown.summaries, sentence, shown.metric, across, SIZES)
    exhibit(
        made,
        shown.metric,
        *shown.loaded.names.values(),
        key="document_chart",
        on_select=lambda: links.choose_point("document_chart"),
    )
