"""Which types of mentions and antecedents go wrong together, and how."""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd
import streamlit as st
from markupsafe import Markup

from corescore.analysis.error_table.confusion import Cell, Confusion, antecedents, types_by_kind
from corescore.analysis.error_table.query import NONE
from corescore.metrics import CONLL, METRIC_IDS, name_of
from corescore.rendering.html import render
from corescore.sentences import errors as sentences
from corescore.sentences.errors import NO_KIND
from corescore.wording import signed
from dashboard.session import analyses
from dashboard.session.caching import cached
from dashboard.session.loaded import BY_CONTENT, Loaded, System
from dashboard.widgets.error_link import linked_count
from dashboard.widgets.page import headline, note, subtitle
from dashboard.widgets.selection import select_metric
from dashboard.widgets.tables import download


@dataclass(frozen=True)
class _Table:
    """A confusion table of the page: its title, what its rows and columns are, what makes it and
    the sentence about it."""

    title: str
    corner: str
    none: str
    make: Callable[..., Confusion]
    sentence: Callable[[Confusion], str]


_TABLES = {
    "antecedents": _Table(
        "Which antecedents are given for which?",
        "given ↓, should be →",
        "no antecedent",
        antecedents,
        sentences.antecedents,
    ),
    "types": _Table(
        "Which types of mentions have which errors?",
        "type ↓, kind →",
        NO_KIND,
        types_by_kind,
        sentences.types_by_kind,
    ),
}


def show_confusions(loaded: Loaded, system: System) -> None:
    """Draw both tables; a click on a number lists the mentions that it counts."""
    metric = select_metric(
        "Gains under", [*METRIC_IDS, CONLL.id], key="confused_by", first=CONLL.id, width=180
    )
    for name, about in _TABLES.items():
        found = _confusion(system, name, metric)
        subtitle(about.title)
        headline(about.sentence(found))
        if found.counts.empty:
            continue
        st.html(_html(found, about, system))
        note(f"{sentences.HOW_TO_READ} {name_of(metric)}.")
        file = "confusion", name, metric, system.name
        download(_long(found), loaded.signature, *file, signed=False)


@cached(max_entries=32, by=BY_CONTENT)
def _confusion(system: System, name: str, metric: str) -> Confusion:
    return _TABLES[name].make(analyses.every_error(system), metric=metric)


def _html(found: Confusion, about: _Table, system: System) -> Markup:
    cells = [_cell(found, cell, system) for cell in found.cells()]
    heads, names = (
        [about.none if name == NONE else name for name in names]
        for names in (found.counts.columns, found.counts.index)
    )
    n = len(heads)
    rows = [(name, cells[n * at : n * (at + 1)]) for at, name in enumerate(names)]
    return render(
        "confusion", "table", caption=about.title, corner=about.corner, heads=heads, rows=rows
    )


def _cell(found: Confusion, cell: Cell, system: System) -> Markup:
    if not cell.n:
        return render("confusion", "cell", number="·", gain="")
    number = linked_count(cell.n, found.query(cell.row, cell.column), system)
    return render("confusion", "cell", number=number, gain=signed(cell.gain / 100))


def _long(found: Confusion) -> pd.DataFrame:
    """A row for each cell: both values, mentions, gain, and the query that finds them."""
    return pd.DataFrame(
        [(*cell, found.query(cell.row, cell.column)) for cell in found.cells()],
        columns=[found.rows, found.columns, "mentions", "gain", "query"],
    )
