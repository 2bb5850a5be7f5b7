"""The boxes that select a paper, and a kind or a verdict."""

from collections.abc import Callable, Sequence

import streamlit as st

from corescore.bibliography import Paper
from corescore.replication.papers import FOLDERS
from corescore.wording import capital

ALL = "all"


def select_paper() -> set[Paper]:
    """The selected paper, or all."""
    name = select("Paper", [*FOLDERS], "paper", lambda name: FOLDERS[name].name)
    return set(FOLDERS.values()) if name == ALL else {FOLDERS[name]}


def select(
    label: str, names: Sequence[str], key: str, called: Callable[[str], str] = capital
) -> str:
    """The selected one of these, or ALL; the selection stands in the URL."""
    return st.selectbox(
        label,
        [ALL, *names],
        format_func=lambda name: "All" if name == ALL else called(name),
        key=key,
        bind="query-params",
        filter_mode=None,
        width=220,
    )
