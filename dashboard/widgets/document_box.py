"""The box of documents: all pages show the same one."""

from collections.abc import Callable, Sequence
from math import isnan

import streamlit as st

from corescore.metrics import CONLL, name_of
from corescore.sentences.many import common_beginning, told_apart
from corescore.wording import RATIOS, percent
from dashboard.session.loaded import Loaded, System
from dashboard.session.state import state
from dashboard.widgets import selection
from dashboard.widgets.page import note, plain


def _nothing() -> None:
    """What else a change of the document does, on most pages."""


def select_document(loaded: Loaded, *, on_change: Callable[[], None] = _nothing) -> str:
    """A box of the key's documents with their scores; all pages show the same one."""
    selected = selection.place().document
    keep_document(loaded)
    place, several = st.container(width=205), len(loaded.key.by_name) > 1
    if several:
        selection.toggled(
            "worst_first",
            help=f"Sort the box by score instead of the order of the file. {_about_scores(loaded)}",
        )
    scores, shown = _scores(loaded), told_apart(loaded.key.by_name)
    by = name_of(_scored_by(loaded)[0])
    name = place.selectbox(
        "Document",
        _names(loaded),
        format_func=lambda name: (
            f"{shown[name]} · {by} {percent(scores[name])}" if several else name
        ),
        key="document",
        on_change=_change,
        args=(on_change,),
        label_visibility="collapsed",
    )
    if selected not in (name, None):
        note(f"There is no document “{selected}” among the loaded files: this is the first one.")
    return name


def step_through_documents(loaded: Loaded, *, on_change: Callable[[], None] = _nothing) -> None:
    """Buttons to the document before and after the one selected, in the order of the box; to be
    drawn after it."""
    names = _names(loaded)
    place = names.index(state.document)
    for label, by, last in (("Previous", -1, 0), ("Next", 1, len(names) - 1)):
        st.button(
            label,
            key=f"{label.lower()}_document",
            on_click=_step,
            args=(by, names, on_change),
            disabled=place == last,
        )


def _step(by: int, names: Sequence[str], then: Callable[[], None]) -> None:
    selection.select_document(names[names.index(state.document) + by])
    then()


def keep_document(loaded: Loaded) -> str:
    """The document that is selected on every page, for one that shows no box; the first of the key
    where there is none of that name."""
    selected, every = selection.place().document, loaded.key.by_name
    name = selected if selected in every else next(iter(every))
    selection.select_document(name)
    state.document = name
    return name


def _names(loaded: Loaded) -> list[str]:
    """The documents in the order of the box: that of the file, or the worst first."""
    names = [document.name for document in loaded.key]
    if not state.worst_first:
        return names
    scores = _scores(loaded)
    return sorted(names, key=lambda name: (isnan(scores[name]), scores[name]))


def _scored_by(loaded: Loaded) -> tuple[str, System]:
    """The metric that is selected, and the system that was last selected."""
    metric = selection.metric_of_all()
    system = loaded.system(selection.selected_letter(loaded))
    return (metric if metric in system.result.document_scores else CONLL.id), system


def _scores(loaded: Loaded) -> dict[str, float]:
    metric, system = _scored_by(loaded)
    result = system.result
    f1 = result.document_scores[metric].f1
    return dict(zip(result.documents, f1.tolist(), strict=True))


def _about_scores(loaded: Loaded) -> str:
    metric, system = _scored_by(loaded)
    about = f"Scores are {name_of(metric)} {RATIOS['f1']} of {plain(system.title)} in percent"
    start = common_beginning(loaded.key.by_name)
    return f"{about}. All names begin with “{plain(start)}”" if start else about


def _change(then: Callable[[], None]) -> None:
    selection.select_document(state.document)
    then()
