"""Credit: which links or entities does each metric credit, and how much?"""

from pathlib import Path

import pandas as pd
import streamlit as st

from corescore import Result
from corescore.credit.tables import alignment_table
from corescore.dashboard import charts, findings, markup, panels, state
from corescore.dashboard.wording import SIX, TITLES, fraction, in_percent, percent
from corescore.explain.depth import blanc_cells, depth_table, entity_titles
from corescore.explain.mention import Explanation, explain_mention, where_it_is
from corescore.explain.shares import INCORRECT, find_mention, mean_shares, share_table
from corescore.metrics import Metric

STATIC = Path(__file__).parents[1] / "static"
TEXT_PAGE = Path(__file__).with_name("text.py")
WINDOW = 90
MOST_LISTED = 1500
ROW = 32
LEVELS = ("entity", "mention", "link")
ALIGNING = ("ceafm", "ceafe")


@st.cache_data
def asset(name: str) -> str:
    """A file of the page's own script or style."""
    return (STATIC / name).read_text()


def metrics_of(result: Result) -> dict[str, Metric]:
    """The six as they are in force."""
    known = {metric.id: metric for metric in result.metrics}
    return {name: known[name] for name in SIX}


@st.cache_data(max_entries=64, show_spinner="Spreading the credit over the mentions")
def shares(stamp: str, side: str, document: str, _result: Result) -> pd.DataFrame:
    """The mentions of a document and what each metric gives them."""
    six = list(metrics_of(_result).values())
    return share_table(_result.comparison, six, side=side, document=document)


@st.cache_data(max_entries=64, show_spinner="Adding up the credit")
def depth(
    stamp: str, metric: str, side: str, by: str, document: str, _result: Result
) -> pd.DataFrame:
    """One metric row by row."""
    chosen = metrics_of(_result)[metric]
    return depth_table(_result.comparison, chosen, side=side, by=by, document=document)


@st.cache_data(max_entries=256, show_spinner=False)
def reasons(
    stamp: str, side: str, document: str, mention: tuple[int, int], _result: Result
) -> tuple[str, list[Explanation]]:
    """Where the selected mention is, and the arithmetic under each metric."""
    comparison, six = _result.comparison, list(metrics_of(_result).values())
    start, end = mention
    found = find_mention(comparison, side=side, document=document, start=start, end=end)
    if found is None:
        has, lacks = ("response", "key") if side == "recall" else ("key", "response")
        other = "precision" if side == "recall" else "recall"
        return f"The {lacks} lacks the selected mention; the {has} has it: switch to {other}.", []
    told = explain_mention(comparison, six, found, side=side)
    return where_it_is(comparison, found, side=side, metric=six[0]), told


def take_click() -> None:
    """Select the mention that was clicked, or none if it was selected before."""
    span = st.session_state["credit_panels"].mention
    if span:
        start, end = map(int, span.split("-"))
        st.session_state["window_shows"] = (st.session_state["document"], span)
        state.choose_mention(start, end)
    elif span == "":
        state.forget_mention()


def turn_window(mention: tuple[int, int] | None, starts: list[int]) -> None:
    """Turn to a mention that was selected elsewhere, or in another document to the first mention
    that is incorrectly resolved (`starts`: where those start)."""
    span = "-".join(map(str, mention)) if mention else ""
    now = (name, span)
    before = st.session_state.get("window_shows")
    linked = before is None and not mention and "window" in st.query_params
    if before != now and (mention or before is None or before[0] != name) and not linked:
        place = mention[0] if mention else min(starts, default=0)
        inside = [n for n, page in enumerate(pages, 1) if page.start <= place < page.end]
        st.session_state["window"] = inside[0] if inside else 1
    st.session_state["window_shows"] = now


def scores_in_words() -> dict[str, str]:
    """The document's recall or precision under each metric."""
    at = result.documents.index(name)
    told = {}
    for metric in SIX:
        score = result.document_scores[metric].row(at)
        value = getattr(score, side)
        parts = fraction(getattr(score, f"{side}_numerator"), getattr(score, f"{side}_denominator"))
        told[metric] = f"{side} {f'{parts} = ' if parts else ''}{percent(value)} %"
    return told


def depth_columns(by: str) -> dict[str, object]:
    """How the table's columns are headed and written."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    names = {
        "entity": {"entity": number("entity", width=62), "title": text("called", width=210)},
        "mention": {"mention": text("mention", width=230)},
        "link": {"mention": text("mention", width=170), "other": text("other end", width=170)},
    }[by]
    return {
        **names,
        "kind": text("credited for", width=130),
        "arithmetic": text("arithmetic", width=330),
        "lost": number("lost", format="%.2f", width=66, help=f"points of the document's {side}"),
        "earned": number("earned", format="%.2f", width=66, help=f"points of the {side}"),
        "running": number("earned so far", format="%.2f", width=90, help="ends at the score"),
    }


loaded = state.loaded()
names = [document.name for document in loaded.key]
signature = markup.paragraph(loaded.signature, "signature")
st.title("Which links or entities does each metric credit, and how much?", anchor=False)
headline = st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    name = state.choose_document(loaded)
    letter = state.choose_letter("Response", loaded)
    side = st.segmented_control(
        "Credit towards",
        ["recall", "precision"],
        default="recall",
        required=True,
        key="side",
        bind="query-params",
    )
    paging = st.container(width="content")

system = loaded.system(letter)
result = system.result
stamp = f"{system.stamps} {result.policies}"
chosen = state.chosen_mention()
table = shares(stamp, side, name, result)
wrong = table[table["status"] == INCORRECT]
means = mean_shares(table, SIX, status=INCORRECT if len(wrong) else "")
headline.html(
    markup.paragraph(
        findings.incorrect_shares(name, system.title, len(wrong), side, means), "headline"
    )
)

at = names.index(name)
key, response = result.comparison.key[at], result.comparison.response[at]
text = key if key.words else response
pages = markup.windows(text, WINDOW)
turn_window(chosen, list(wrong["start"]))
number = 1
if len(pages) > 1:
    with paging:
        number = st.pagination(len(pages), key="window", bind="query-params")
where, told = reasons(stamp, side, name, chosen, result) if chosen else ("", [])
if table.empty:
    whose = "key" if side == "recall" else "response"
    note = (
        f"The {whose} has no mention in this document. Choose another document or the other side."
    )
    st.html(markup.paragraph(note, "note"))
st.components.v2.component("corescore_credit", css=asset("credit.css"), js=asset("credit.js"))(
    data=panels.panels(
        text.words,
        text.sentence_starts,
        table,
        pages[min(number, len(pages)) - 1],
        side=side,
        scores=scores_in_words(),
        chosen=chosen,
        explanations=told,
        where=where,
    ),
    key="credit_panels",
    on_mention_change=take_click,
)
st.html(signature)
if chosen:
    st.container(key="read", width="content").page_link(
        TEXT_PAGE,
        label="Read the selected mention in the text",
        query_params={"document": name, "mention": "-".join(map(str, chosen))},
    )

st.subheader("One metric in depth", anchor=False)
with st.container(horizontal=True, vertical_alignment="bottom"):
    metric = st.selectbox(
        "Metric",
        SIX,
        format_func=TITLES.__getitem__,
        key="metric",
        bind="query-params",
        filter_mode=None,
        width=140,
    )
    by = st.segmented_control(
        "A row for each",
        LEVELS,
        default="entity",
        required=True,
        key="level",
        bind="query-params",
    )
if by == "link" and len(table) > MOST_LISTED:
    note = "This document has too many links to list one by one: a row is an entity."
    st.html(markup.paragraph(note, "note"))
    by = "entity"
rows = depth(stamp, metric, side, by, name, result)
st.html(markup.paragraph(findings.depth(name, metric, side, by, rows), "headline"))
columns = depth_columns(by)
if not rows.empty:
    st.dataframe(
        in_percent(rows, ["lost", "earned", "running"])[list(columns)],
        height=ROW * min(11, 1 + len(rows)) + 3,
        row_height=ROW,
        hide_index=True,
        column_config=columns,
        key="depth_table",
        alt=f"What {TITLES[metric]} counts, the greatest losses first.",
    )
st.html(signature)

if metric in ALIGNING:
    aligned = alignment_table(result.comparison, metrics_of(result)[metric])
    aligned = aligned[aligned["document"] == name]
    st.subheader(f"The alignment of {TITLES[metric]}", anchor=False)
    st.html(markup.paragraph(findings.alignment(metric, aligned), "note"))
    views = result.comparison.recall, result.comparison.precision
    called = [entity_titles(view, name) for view in views]
    if not aligned.empty:
        st.plotly_chart(
            charts.alignment(aligned, *called),
            config=charts.CONFIG,
            key="alignment_chart",
            alt=f"Lines from key entities to the response entities that {TITLES[metric]} aligns.",
        )
    st.html(signature)
if metric == "blanc":
    st.subheader("Pairs of mentions, as BLANC sees them", anchor=False)
    st.html(markup.pair_counts(blanc_cells(result.comparison, name)) + signature)
