"""What is asked of the list of errors: the query, the order and the row that is open.

It stands in the URL. A page that is entered without it shows what was asked last.
"""

from dataclasses import asdict, dataclass

import streamlit as st

from dashboard.widgets import selection

FIRST_ORDER = "cost.conll"
_LAST, _ARRIVED = "errors_asked", "errors_arrived"


@dataclass(frozen=True)
class Asked:
    """find: a query; order: what the list is sorted by; row: the id of the open row, or ""."""

    find: str = ""
    order: str = FIRST_ORDER
    row: str = ""


NAMES = tuple(asdict(Asked()))


def has_arrived() -> bool:
    """Whether the page was just entered; call it once a run. `asked` then restores what was asked
    last where the URL asks for nothing."""
    arrived: bool = st.session_state.pop("has_arrived", False)
    st.session_state[_ARRIVED] = arrived
    return arrived


def asked() -> Asked:
    """What the URL asks for; call it once a run."""
    url = {name: st.query_params[name] for name in NAMES if name in st.query_params}
    arrived = st.session_state.pop(_ARRIVED, False)
    last: Asked | None = st.session_state.get(_LAST)
    if arrived and not url and last:
        ask(last)
        return last
    now = Asked(**url)
    st.session_state[_LAST] = now
    return now


def last_row() -> str:
    """The row that was open when the list was drawn last."""
    last: Asked | None = st.session_state.get(_LAST)
    return last.row if last else ""


def ask(now: Asked, at: tuple[str, int, int] | None = None) -> None:
    """Write what is asked into the URL, and select the mention of the row that is opened: its
    document, start and end.

    All at once, and what is empty, too: the browser's history gets an entry for each change.
    """
    st.session_state[_LAST] = now
    if at is None:
        st.query_params.update(asdict(now))
    else:
        selection.select_in_document(*at, **asdict(now))
