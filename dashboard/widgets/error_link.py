"""Numbers that lead to the rows they count: the list of the Errors page, asked for just these.

A number in a table of HTML is a link; a cell or a point of a chart that is clicked is followed by
`open_errors`. The list shows as many rows as the number says.
"""

import re
from collections.abc import Iterable
from urllib.parse import quote, urlencode

import streamlit as st
from markupsafe import Markup

from corescore.rendering.html import render
from corescore.wording import count
from dashboard.components.rows_link.component import follow_rows
from dashboard.session.loaded import System
from dashboard.widgets.selection import letter_in_url

_NAMES_CLASS = re.compile(r"\bclass:(?!correct)")


def error_url(find: str, system: System, *, order: str = "") -> str:
    """The URL, relative to any page, of the errors of a system that a query finds.

    order  what the list is sorted by, such as "cost.lea"; by default what it is sorted by anyway

    Of a query, correct mentions that fixes only move are listed, too: they are in its number.
    """
    moved = "true" if find and not _NAMES_CLASS.search(find) else ""
    query = {"find": find, "order": order, "moved": moved, "of": letter_in_url(system)}
    given = {name: value for name, value in query.items() if value or name == "find"}
    return f"errors?{urlencode(given, quote_via=quote)}"


def rows_link(text: str, url: str) -> Markup:
    """A link to errors for a piece of HTML."""
    return render("blocks", "rows_link", text=text, url=url)


def linked_count(number: float, find: str, system: System) -> str:
    """A number that leads to the rows that the query finds; one of no rows leads nowhere."""
    return rows_link(count(number), error_url(find, system)) if number > 0 else count(number)


def show_links(links: Iterable[tuple[str, str]], *, before: str = "") -> None:
    """A line of links: what each says, and its URL."""
    told = [rows_link(text, url) for text, url in links]
    if told:
        st.html(render("blocks", "rows_links", links=told, before=before))


def open_errors(find: str, system: System, *, label: str, order: str = "") -> None:
    """Open the errors that a query finds once the page is drawn; for a function that is called
    when something is clicked. In a fragment `follow_elsewhere` has to follow.

    label  of the link (`link_to_clicked`) for those who selected it with the keyboard
    """
    clicks = st.session_state.get("rows_clicks", 0)
    url = error_url(find, system, order=order)
    of_page = st.session_state.get("page")
    st.session_state.update(rows_clicks=clicks + 1, rows_url=url, rows_told=(label, of_page))


def link_to_clicked() -> None:
    """A link to the errors that were clicked last on this page, if any were."""
    label, of_page = st.session_state.get("rows_told", ("", None))
    if of_page is not None and of_page == st.session_state.get("page"):
        show_links([(label, st.session_state["rows_url"])])


def follow() -> None:
    """Follow such links and clicks; to be called once, below a page."""
    clicks = st.session_state.get("rows_clicks", 0)
    follow_rows(clicks, st.session_state.get("rows_url", ""))
    st.session_state["rows_drawn"] = clicks


def follow_elsewhere() -> None:
    """At the end of a fragment: draw the whole page, once, after a click, so that `follow`, which
    stands below the page, follows it."""
    clicks = st.session_state.get("rows_clicks", 0)
    if clicks > st.session_state.get("rows_drawn", 0):
        st.session_state["rows_drawn"] = clicks
        st.rerun()
