"""The experiments by their names in the URL, and the way from one to another."""

from collections.abc import Sequence

import streamlit as st

from corescore import replication
from corescore.replication import Experiment
from dashboard.session.pages import page_named
from dashboard.widgets.markdown import plain

SELECTED = "experiment"
CLAIMS = "claims"
BETWEEN = ","
SHEET = "conformance"
SHEET_TITLE = "What each metric can and cannot tell"


def experiments() -> dict[str, Experiment]:
    """All experiments by their ids."""
    return {experiment.id: experiment for experiment in replication.EXPERIMENTS}


def rename() -> None:
    """Put the ids that experiments have now into a URL that has former ones, and start again."""
    before = st.query_params.get(SELECTED, "")
    name = replication.current(before)
    if name != before:
        given = st.query_params.to_dict() | {SELECTED: name}
        renamed = {key.replace(f"{before}-", f"{name}-", 1): given[key] for key in given}
        st.query_params.from_dict(renamed)
        st.rerun()


def link_to_claims(name: str, claims: Sequence[str]) -> None:
    """A link to an experiment, with these of its claims marked."""
    query = {SELECTED: name}
    if claims:
        query[CLAIMS] = BETWEEN.join(claims)
    label = plain(f"See {experiments()[name].where}")
    st.page_link(page_named("experiments"), label=label, query_params=query)


def claims_in_url() -> list[str]:
    """The ids of the claims that the URL names."""
    return st.query_params.get(CLAIMS, "").split(BETWEEN)


def open_(name: str) -> None:
    """Go to an experiment or the sheet; with an empty name, to the gallery."""
    st.query_params.pop(CLAIMS, None)
    if name:
        st.query_params[SELECTED] = name
    else:
        st.query_params.pop(SELECTED, None)


def label(name: str) -> str:
    """An experiment or the sheet, as a line of a list."""
    if name == SHEET:
        return SHEET_TITLE
    experiment = experiments()[name]
    return f"{experiment.paper.at(experiment.where)}: {experiment.title}"


def show_navigation(name: str) -> None:
    """The way to the gallery, to any other experiment, and to its neighbours."""
    names = [*experiments(), SHEET]
    at = names.index(name)
    before, after = names[at - 1], names[(at + 1) % len(names)]
    st.session_state["experiment_box"] = name
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("All experiments", key="all_experiments", on_click=open_, args=("",))
        st.selectbox(
            "Experiment",
            names,
            format_func=label,
            key="experiment_box",
            on_change=lambda: open_(st.session_state["experiment_box"]),
            label_visibility="collapsed",
        )
        st.button("Previous", key="previous", on_click=open_, args=(before,))
        st.button("Next", key="next", on_click=open_, args=(after,))
