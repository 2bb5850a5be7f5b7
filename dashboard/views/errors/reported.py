"""What the list of errors reports: what is asked of it, which rows it wants, what is typed."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from dashboard.session import analyses
from dashboard.session.loaded import System
from dashboard.views.errors import listing
from dashboard.views.errors.asked import Asked, ask, last_row

LIST = "error_list"
_REPORT = "errors_report"


@dataclass(frozen=True)
class Report:
    """Besides what is asked: the first row that is wanted of the list of that version, what stands
    in the search box and where its cursor is, and the report's number."""

    first: int = 0
    version: str = ""
    typed: str = ""
    cursor: int = 0
    number: int = 0


def last_report() -> Report:
    """What was reported last."""
    report: Report = st.session_state.get(_REPORT, Report())
    return report


def take(system: System, moved: bool) -> None:
    """Take over what the list reports; `moved` as `listing.find` takes it."""
    told: Mapping[str, Any] | None = st.session_state[LIST].told
    if told is None:
        return
    report = Report(**{name: told[name] for name in Report.__dataclass_fields__})
    st.session_state[_REPORT] = report
    now = Asked(told["find"], told["order"], told["row"])
    if not now.row and told["at"] >= 0:
        now = replace(now, row=_id_of(system, now, told["at"], report.version, moved))
    ask(now, listing.mention_of(system, now.row))


def _id_of(system: System, now: Asked, at: int, version: str, moved: bool) -> str:
    """The id of a row that the browser knows only by its place in the list of that version."""
    found = listing.find(system, now.find, now.order, last_row(), moved=moved)
    if listing.version(system, found) != version or at >= len(found.places):
        return ""
    return str(analyses.every_error(system)["id"].iloc[found.places[at]])
