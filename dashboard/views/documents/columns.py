"""The columns of the table of documents: which are shown, how they are written, and the orders by
them."""

from collections.abc import Callable, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from corescore.analysis.errors.classes import (
    INCORRECTLY_RESOLVED,
    MISSING,
    SPAN_ERROR,
    SPURIOUS,
    UNLINKED,
)
from corescore.metrics import METRIC_IDS, name_of
from corescore.sentences.names import MENTION_WORDS
from dashboard.widgets.grid_cells import Columns

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
SCORES = (*METRIC_IDS, "conll")
PROFILE = "profile"
GENRE = "genre"
ABOUT_PROFILE = (
    f"Bars: mentions with errors per 100 mentions, from left to right {', '.join(ERRORS.values())}."
)
VIEWS = ("scores", "errors", "sizes", "all")
_HEADS = {metric: name_of(metric) for metric in METRIC_IDS} | {"conll": "CoNLL"}
_INCLUDED = "without those with a span error, which the downloaded table includes"
_HELP = {
    "incorrectly_resolved": MENTION_WORDS[INCORRECTLY_RESOLVED],
    "unlinked": MENTION_WORDS[UNLINKED],
    "span_errors": "mentions with other words than in the key",
    "missing_mentions": f"only the key has them; {_INCLUDED}",
    "spurious_mentions": f"only the response has them; {_INCLUDED}",
}
# By column: the order that a click on its head selects, and the reverse. The metric that documents
# are compared by has its own names, but also these: what is sorted stays so where that changes.
_NAMES = {
    "document": ("name", "name, Z to A"),
    GENRE: ("genre", "genre, Z to A"),
    **{name: (f"most {word}", f"fewest {word}") for name, word in (SIZES | ERRORS).items()},
    "words": ("longest first", "shortest first"),
    PROFILE: ("most errors per 100 mentions", "fewest errors per 100 mentions"),
    "difference": ("greatest gain of B", "greatest loss of B"),
    **{name: (f"lowest {head}", f"highest {head}") for name, head in _HEADS.items()},
}
_ASCENDING = (
    "document",
    GENRE,
    *SCORES,
)  # under the first of their two orders; all else, descending


def columns_of(view: str, metric: str, *, difference: bool, genres: bool) -> Sequence[str]:
    """The columns of a view, in their order.

    metric      that documents are compared by
    difference  whether there is one, between A and B
    genres      whether there are several
    """
    sizes = [*([GENRE] if genres else []), *SIZES]
    others = [name for name in SCORES if name != metric]
    gain = ["difference"] if difference else []
    of_view = {
        "scores": [metric, *gain, PROFILE, *others],
        "errors": [metric, PROFILE, *ERRORS],
        "sizes": [metric, *sizes],
        "all": [metric, *gain, PROFILE, *others, *sizes, *ERRORS],
    }
    return ["document", *of_view[view]]


def orders_by(column: str, metric: str) -> tuple[str, str]:
    """The names of the order that a click on the column's head selects, and of the reverse.

    metric  that documents are compared by
    """
    return ("worst first", "best first") if column == metric else _NAMES[column]


def orders(metric: str, *, difference: bool, genres: bool) -> dict[str, Sort]:
    """The orders of the table by their names; the first is the default. See `columns_of`."""
    absent = {*(() if difference else ("difference",)), *(() if genres else (GENRE,))}
    columns = [name for name in _NAMES if name not in absent]
    return {
        **_both_ways(metric, orders_by(metric, metric)),
        "order of the file": pd.DataFrame.copy,
        **{name: sort for of in columns for name, sort in _both_ways(of, _NAMES[of]).items()},
    }


def _both_ways(column: str, names: tuple[str, str]) -> dict[str, Sort]:
    ascending = column in _ASCENDING
    ways = (ascending, not ascending)
    return {name: partial(_sorted, column, way) for name, way in zip(names, ways, strict=True)}


def _sorted(column: str, ascending: bool, rows: pd.DataFrame) -> pd.DataFrame:
    total = (lambda shares: shares.map(sum)) if column == PROFILE else None
    return rows.sort_values(column, ascending=ascending, kind="stable", key=total)


def written(metric: str, most: float) -> Columns:
    """How the columns are headed and written; `most`: the highest bar of the profiles."""
    number = st.column_config.NumberColumn
    return {
        "document": st.column_config.TextColumn(width=160, pinned=True),
        GENRE: st.column_config.TextColumn(width=76),
        PROFILE: st.column_config.BarChartColumn(
            "errors", width=56, help=ABOUT_PROFILE, y_min=0, y_max=most
        ),
        **{n: number(word, width=68, help=f"{word} of the key") for n, word in SIZES.items()},
        **{name: number(_HEADS[name], format="%.2f", width=52, help="F1 %") for name in SCORES},
        "difference": number("B − A", format="%+.2f", width=62, help=name_of(metric)),
        **{n: number(word, width=76, help=_HELP[n]) for n, word in ERRORS.items()},
    }
