"""Links to pages: to a text, to errors, and clicks on rows or points that follow one at once.

They are followed in the browser. `st.switch_page` would empty the URL before it leaves, and
the browser's Back would come to a page without its settings.
"""

from collections.abc import Iterable, Sequence
from urllib.parse import quote, urlencode

import streamlit as st
from markupsafe import Markup

from corescore.metrics import name_of
from corescore.rendering.html import render
from corescore.sentences.scores import greatest, least
from corescore.wording import count, percent
from dashboard.components.page import follow_link
from dashboard.session.loaded import Loaded, System
from dashboard.session.state import Place, Span, state
from dashboard.session.url_names import VIEWS
from dashboard.widgets.charts import clicked_points
from dashboard.widgets.page import note, plain
from dashboard.widgets.selection import letter_in_url
from dashboard.widgets.tables import clicked_cell

# The pages by name, so that one can link to another without importing it --------------------------


def page_named(name: str) -> st.Page:
    """A page by its path in the URL; "overview" is the page at "/"."""
    return state.pages[name]


def link_to_view(name: str, label: str, **query: str) -> None:
    """A link to a page by its path, or to one of `VIEWS`, with these query parameters."""
    path, selects, view = VIEWS.get(name, (name, "", ""))
    chosen = {selects: view} if selects else {}
    st.page_link(page_named(path), label=label, query_params={**chosen, **query})


def link(label: str, document: str, span: Span = None, *, together: bool = False) -> None:
    """The link that a click follows: to a document or, with start and end of its words, to a
    mention in it; `together` shows A and B on one text."""
    extra = {"together": "true"} if together else {}
    link_to("text", label, document, span, key="read", **extra)


def mention_url(document: str, start: int, end: int) -> str:
    """The URL, relative to any page, of a mention in the text with A and B."""
    query = {"document": document, "mention": f"{start}-{end}", "together": "true"}
    return f"text?{urlencode(query, quote_via=quote)}"


def link_to(
    page: str, label: str, document: str, span: Span = None, *, key: str, **extra: str
) -> None:
    """A link to a document, or to a mention in it, on a page."""
    query = {"document": document, **extra}
    if span:
        query["mention"] = f"{span[0]}-{span[1]}"
    with st.container(key=key, width="content"):
        link_to_view(page, plain(label), **query)


MOST_WORST = 5


def link_to_worst(system: System, metric: str) -> None:
    """Links to the documents on which a metric scores a system lowest, the lowest first; none if
    it scores them all alike."""
    result = system.result
    f1 = dict(zip(result.documents, result.document_scores[metric].f1.tolist(), strict=True))
    if least(f1) == greatest(f1):
        return
    note(f"The lowest {name_of(metric)} of {system.title}:")
    scored = sorted((name for name in f1 if f1[name] == f1[name]), key=f1.__getitem__)
    with st.container(key="worst", gap=None):
        for rank, name in enumerate(scored[:MOST_WORST]):
            label, key = f"{percent(f1[name])} {name}", f"worst {rank}"
            link_to("text", label, name, key=key, of=letter_in_url(system))


# Numbers that lead to the rows they count: the list of the Errors page, asked for just these ------
# A number in a table of HTML is a link; a cell or a point of a chart that is clicked is followed by
# `open_errors`. The list shows as many rows as the number says.


def link_to_clicked(loaded: Loaded, *, together: bool = False) -> None:
    """A link to the document that was clicked last, if there is one."""
    document, span = state.clicked
    if document in loaded.key.by_name:
        link(f"Read {document}", document, span, together=together)


def click(url: str = "") -> None:
    """Have `follow` follow the link of the page to the text that the run draws next, or a URL."""
    state.clicks, state.click_leads_to = state.clicks + 1, url


def choose_row(table: str, names: Sequence[str], spans: Sequence[Span] = ()) -> None:
    """Go to the document, and to the mention where there are spans, of the row that was clicked."""
    if cell := clicked_cell(table):
        _go(names[cell[0]], spans[cell[0]] if spans else None)


def choose_point(chart: str) -> None:
    """Go to the document and, if the point has one, the mention that were clicked."""
    for point in clicked_points(chart)[:1]:
        document, *span = point if isinstance(point, list) else [point]
        _go(document, (span[0], span[1]) if span else None)


def _go(document: str, span: Span) -> None:
    state.clicked = Place(document, span)
    click()


def follow() -> None:
    """Follow links to errors, and the link or the URL after a click; to be called once, below a
    page."""
    follow_link(state.clicks, state.click_leads_to)
    state.clicks_followed = state.clicks


def follow_elsewhere() -> None:
    """At the end of a fragment that has what can be clicked: after a click, draw the whole page,
    once, so that `follow`, which stands below it, follows it."""
    if state.clicks > state.clicks_followed:
        state.clicks_followed = state.clicks
        st.rerun()


def error_url(find: str, system: System, *, order: str = "", moved: bool = False) -> str:
    """The URL, relative to any page, of the errors of a system that a query finds.

    order  what the list is sorted by, such as "cost.lea"; by default what it is sorted by anyway
    moved  whether correct mentions that fixes only move are listed, too
    """
    also = "true" if moved else ""
    query = {"find": find, "order": order, "moved": also, "of": letter_in_url(system)}
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
    drawn = [rows_link(text, url) for text, url in links]
    if drawn:
        st.html(render("blocks", "rows_links", links=drawn, before=before))


def open_errors(find: str, system: System, *, label: str, order: str = "") -> None:
    """Open the errors that a query finds once the page is drawn; for a function that is called
    when something is clicked. In a fragment `follow_elsewhere` has to follow.

    label  of the link (`link_to_clicked`) for those who selected it with the keyboard
    """
    url = error_url(find, system, order=order)
    state.rows_url, state.rows_told = url, (label, state.page)
    click(url)


def link_to_clicked_errors() -> None:
    """A link to the errors that were clicked last on this page, if any were."""
    label, page = state.rows_told
    if state.rows_url and page == state.page:
        show_links([(label, state.rows_url)])
