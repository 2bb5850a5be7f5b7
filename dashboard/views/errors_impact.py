"""What fixing each kind of error gains, and in which slices the credit is lost."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st
from markupsafe import Markup
from streamlit.delta_generator import DeltaGenerator

from corescore.analysis.error_table.facets import (
    Cell,
    Confusion,
    antecedents,
    both,
    term,
    types_by_kind,
)
from corescore.analysis.error_table.query import NONE
from corescore.analysis.errors.classes import CORRECT, INCORRECTLY_RESOLVED
from corescore.analysis.errors.operations import (
    ERROR_KINDS,
    KINDS,
    WRONG_SPLIT_ANTECEDENT,
    impact_table,
)
from corescore.analysis.errors.tables import (
    error_counts,
    gain_table,
)
from corescore.corpus.problems import PolicyError
from corescore.metrics import HOW_MANY, name_of
from corescore.plots import errors as error_plots
from corescore.rendering import drawn
from corescore.rendering import html as markup
from corescore.rendering.html import render
from corescore.rendering.text import Table
from corescore.sentences import errors as sentences
from corescore.sentences.credit import not_told
from corescore.sentences.errors import NAMES, NO_KIND, WORDS
from corescore.sentences.names import SLICE_NAMES
from corescore.wording import RATIOS, count, counted, key_singletons, signed
from dashboard.session import analyses
from dashboard.session.caching import cached
from dashboard.session.loaded import Loaded, System
from dashboard.widgets import selection
from dashboard.widgets.charts import chart, clicked_points, kept
from dashboard.widgets.error_counts import KEY_SINGLETONS, slice_term
from dashboard.widgets.links import (
    error_url,
    link_to_clicked_errors,
    link_to_view,
    linked_count,
    open_errors,
    rows_link,
)
from dashboard.widgets.page import headline, note, side_by_side, signature_to_copy, subtitle
from dashboard.widgets.selection import switch
from dashboard.widgets.tables import download

# Which types of mentions and antecedents go wrong together, and how -------------------------------


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
        "Which antecedents were confused with which?",
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


def _show_confusions(loaded: Loaded, system: System) -> None:
    """Draw both tables; a click on a number lists the mentions that it counts."""
    metric = selection.metric_of_all()
    for name, about in _TABLES.items():
        confusion = _confusion(system, name, metric)
        subtitle(about.title)
        headline(about.sentence(confusion))
        if confusion.counts.empty:
            continue
        st.html(_html(confusion, about, system))
        note(f"{sentences.HOW_TO_READ} {name_of(metric)}.")
        file = "confusion", name, metric, system.name
        download(
            pd.DataFrame(
                [(*cell, confusion.query(cell.row, cell.column)) for cell in confusion.cells()],
                columns=[confusion.rows, confusion.columns, "mentions", "gain", "query"],
            ),
            loaded.signature,
            *file,
        )


@cached(32)
def _confusion(system: System, name: str, metric: str) -> Confusion:
    every = analyses.every_error(system)[~analyses.only_moved(system)]
    return _TABLES[name].make(every.reset_index(drop=True), metric=metric)


def _html(confusion: Confusion, about: _Table, system: System) -> Markup:
    cells = [_cell(confusion, cell, system) for cell in confusion.cells()]
    heads, names = (
        [about.none if name == NONE else name for name in names]
        for names in (confusion.counts.columns, confusion.counts.index)
    )
    n = len(heads)
    rows = [(name, cells[n * at : n * (at + 1)]) for at, name in enumerate(names)]
    return render(
        "confusion", "table", caption=about.title, corner=about.corner, heads=heads, rows=rows
    )


def _cell(confusion: Confusion, cell: Cell, system: System) -> Markup:
    if not cell.n:
        return render("confusion", "cell", number="·", gain="")
    number = linked_count(cell.n, confusion.query(cell.row, cell.column), system)
    return render("confusion", "cell", number=number, gain=signed(cell.gain / 100))


_gains, _slice_credit = kept(error_plots.gains), kept(error_plots.slice_credit)

# By the words of the switch: the column of the gains, and what they are.
_MODES = {
    "alone": ("alone", "after fixing this kind and no other"),
    "in order": ("in_order", "after fixing the kinds above it"),
    "last": ("last", "after fixing all other kinds"),
    "share": ("share", "on average over all orders of fixing (Shapley value)"),
}

# What the URL says only where these charts are shown; links that are older than the list have it.
PARAMETERS = ("mended", "gain_in", "by_slice", "towards", "confused_by")


def show_impact(loaded: Loaded, system: System, head: DeltaGenerator) -> None:
    """Draw the charts; `head` is the place of the headline."""
    with side_by_side():
        about = "; ".join(f"{name}: {words}" for name, (_, words) in _MODES.items())
        mode = switch("mended", list(_MODES), help=about)
        measure = selection.select_measure("gain_in")
    sentence = _answer(loaded, system)
    with head:
        headline(sentence or sentences.REPEATED)
    if sentence:
        _show_gains(loaded, system, mode, measure, sentence)
    signature_to_copy(loaded.signature, key="impact")
    _show_types(loaded, system)


def _answer(loaded: Loaded, system: System) -> str | None:
    """Which kind of error is worth most; None where a repeated mention forbids to fix errors."""
    try:
        impact = {s.letter: gain_table(analyses.impact(s)) for s in loaded.systems}
    except PolicyError:
        return None
    first = impact[system.letter]
    sentence = sentences.largest_gain(system.title, first)
    others = [s for s in loaded.systems if s is not system]
    too = [sentences.largest_gain_of_other(s.title, first, impact[s.letter]) for s in others]
    return " ".join([sentence, *too])


def _show_gains(loaded: Loaded, system: System, mode: str, measure: str, sentence: str) -> None:
    """What fixing each kind of error gains, and how many there are."""
    column, words = _MODES[mode]
    points = f"Points of {RATIOS[measure]}"
    impact = analyses.impact(system, shares=column == "share")
    gains = gain_table(impact, gain=column, measure=measure)
    if measure != "f1":
        gains = gains.drop(columns="conll", errors="ignore")
    left, right = st.container(key="impact").columns([1.3, 1], gap="medium")
    with left:
        chart(
            _gains(gains, NAMES, words),
            *("gains", measure, system.name),
            key="gains",
            on_select=partial(_take_gain, system),
            alt=f"{points} that fixing each kind adds. {sentence}",
            rows=partial(drawn.gains, gains, NAMES),
        )
        sums = "add up to" if mode in ("in order", "share") else "need not add up to"
        note(
            f"{points} gained {words}. The kinds {sums} what fixing all seven gains. Click a "
            "number to list the mentions with these errors."
        )
        link_to_clicked_errors()
        whole = partial(impact_table, system.result.comparison, system.result.six)
        download(whole, loaded.signature, "fixing", system.name)
    with right:
        letters = [s.letter for s in loaded.systems]
        links = _mention_links(loaded)
        st.html(markup.kind_rows(_kind_counts(loaded), WORDS, letters, links=links))
        link_to_view("perturb", "Remove the incorrectly resolved mentions")
    n = len(analyses.operations(system)), analyses.n_errors(system, "")
    how_many = sentences.how_many(system.title, *n)
    note(f"{sentences.KINDS_ARE} {sentences.ERRORS_AND_MENTIONS} {how_many}")


def _kind_counts(loaded: Loaded) -> Mapping[str, Mapping[str, int]]:
    """By kind, and for mentions that are incorrectly resolved: how many, by the system's letter."""
    by_letter = {s.letter: analyses.operations(s)["kind"].value_counts() for s in loaded.systems}
    counts = {kind: {letter: int(of[kind]) for letter, of in by_letter.items()} for kind in KINDS}
    wrong = term("kind", WRONG_SPLIT_ANTECEDENT)
    split = {s.letter: analyses.n_errors(s, wrong) for s in loaded.systems}
    counts |= {WRONG_SPLIT_ANTECEDENT: split} if any(split.values()) else {}
    incorrect = {s.letter: analyses.n_incorrectly_resolved(s)[0] for s in loaded.systems}
    return {**counts, INCORRECTLY_RESOLVED: incorrect}


def _written(loaded: Loaded, by: str, letter: str, name: str, class_: str, number: float) -> str:
    """A number of mentions of a slice and class; one of errors leads to them."""
    if class_ == CORRECT:
        return count(number)
    find = both(slice_term(by, name), term("class", class_))
    return linked_count(number, find, loaded.system(letter))


def _mention_links(loaded: Loaded) -> Mapping[str, Mapping[str, str]]:
    """By kind, and for mentions that are incorrectly resolved, by letter: how many mentions the
    errors affect, as a link to them."""
    links = {
        kind: {s.letter: _mention_link(s, term("kind", kind)) for s in loaded.systems}
        for kind in ERROR_KINDS
    }
    return {**links, INCORRECTLY_RESOLVED: {s.letter: _incorrect_link(s) for s in loaded.systems}}


def _mention_link(system: System, find: str) -> str:
    if n := analyses.n_errors(system, find):
        return rows_link(counted(n), error_url(find, system))
    n = analyses.n_moved(system, find)
    only_moved = rows_link(counted(n, "correct mention"), error_url(find, system, moved=True))
    return only_moved if n else ""


def _incorrect_link(system: System) -> str:
    """Incorrectly resolved mentions, and those of them that are singletons in the key, as links."""
    every = _mention_link(system, term("class", INCORRECTLY_RESOLVED))
    if not (alone := key_singletons(*analyses.n_incorrectly_resolved(system))):
        return every
    return Markup(", ").join([every, rows_link(alone, error_url(KEY_SINGLETONS, system))])


def _take_gain(system: System) -> None:
    """List the errors of the kind that was clicked, the costliest under the metric first."""
    for kind, metric in clicked_points("gains")[:1]:
        find, label = term("kind", kind), f"The {NAMES[kind]}, by {name_of(metric)}"
        open_errors(find, system, label=label, order=f"cost.{metric}")


def _take_slice(system: System, by: str) -> None:
    """List the errors of the slice that was clicked, the costliest under the metric first."""
    for name, metric in clicked_points("slice_credit")[:1]:
        label = f"The mentions with errors of “{name}”, by {name_of(metric)}"
        open_errors(slice_term(by, name), system, label=label, order=f"cost.{metric}")


def _show_types(loaded: Loaded, system: System) -> None:
    """In which slices of the mentions the credit is lost, and which types go wrong together."""
    subtitle("Which types of mentions lose the most credit?")
    with side_by_side():
        by = selection.select_slice(loaded.key)
        towards = switch("towards", on_change=selection.send_again)
    credit = analyses.credit_of_slices(system, by=by, side=towards)
    headline(sentences.weakest_slice(system.title, towards, credit))
    name = "credit-by", by, towards, system.name
    chart(
        _slice_credit(credit),
        *name,
        key="slice_credit",
        on_select=partial(_take_slice, system, by),
        alt=f"Credit of mentions by {SLICE_NAMES[by]} under the {HOW_MANY} metrics.",
        rows=lambda: Table(credit.rename_axis(by).reset_index()),
    )
    if silent := not_told():
        note(silent)
    download(credit.reset_index(), loaded.signature, *name)
    tables = {s.letter: analyses.mentions(s) for s in loaded.systems}
    classes = {
        letter: error_counts(table, column="class", by=by) for letter, table in tables.items()
    }
    st.html(markup.class_rows(classes, SLICE_NAMES[by], written=partial(_written, loaded, by)))
    every = pd.concat(classes, names=["response"]).reset_index()
    download(every, loaded.signature, "mentions-by", by, *loaded.names.values())
    _show_confusions(loaded, system)
