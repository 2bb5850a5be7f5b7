"""Mentions that only one system has correct, or none: the way to the errors behind them."""

import pandas as pd
import streamlit as st
from markupsafe import Markup

from corescore.rendering.html import render
from corescore.sentences.names import SLICE_NAMES
from corescore.wording import count
from dashboard.session.loaded import Loaded
from dashboard.widgets.charts import clicked_points
from dashboard.widgets.error_counts import errors_behind, slice_term
from dashboard.widgets.error_link import error_url, linked_count, open_errors, rows_link

ABOUT = (
    "By status, click a part for its mentions with errors: B’s if only A is correct, A’s if only B "
    "is; if both are wrong, switch between them with “Errors of”. By a metric, parts cannot be "
    "clicked: a mention without an error earns less if others of its entity have one."
)
TABLE = "As a table, with links to the mentions"


def open_behind(loaded: Loaded, key: str, by: str = "") -> None:
    """List the errors behind the part of a bar that was clicked; `by`: of which slices."""
    for name, outcome in clicked_points(key)[:1]:
        for letter, find in errors_behind(outcome, slice_term(by, name) if by else "")[:1]:
            label = f"The mentions with errors of {letter}, {outcome}{f', “{name}”' if by else ''}"
            open_errors(find, loaded.system(letter), label=label)


def show_numbers(loaded: Loaded, table: pd.DataFrame, by: str) -> None:
    """The counts of the slices in numbers; those of errors lead to them."""
    with st.expander(TABLE):
        st.html(
            render(
                "blocks",
                "rows",
                caption=f"Mentions of the key by {SLICE_NAMES[by]}",
                heads=[SLICE_NAMES[by], *map(str, table.columns)],
                rows=[
                    [str(name), *(_number(loaded, by, str(name), o, n) for o, n in row.items())]
                    for name, row in table.iterrows()
                ],
                words=(0,),
            )
        )


def _number(loaded: Loaded, by: str, name: str, outcome: object, n: int) -> str:
    """How many mentions; a link to the errors of the system that has any, or to those of A and
    another to those of B."""
    found = errors_behind(str(outcome), slice_term(by, name)) if n else []
    if len(found) == 1:
        ((letter, find),) = found
        return linked_count(n, find, loaded.system(letter))
    links = [
        rows_link(f"of {letter}", error_url(find, loaded.system(letter))) for letter, find in found
    ]
    return Markup(" ").join([count(n), *links])
