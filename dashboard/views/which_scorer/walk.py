"""From one scorer to another, a policy at a time."""

import pandas as pd
import streamlit as st

from corescore.analysis.scorers.rescored import Rescored, rows_of, scorers
from corescore.analysis.scorers.walk import ORDER, Walk, moved_documents, walk
from corescore.corpus.problems import PolicyError
from corescore.metrics import name_of
from corescore.plots.documents import waterfall, waterfall_table
from corescore.rendering.html import paragraph
from corescore.sentences import scorers as sentences
from corescore.sentences.names import subscripted
from corescore.sentences.policies import NAMES
from corescore.version import __version__
from corescore.wording import capital, in_percent
from dashboard.session.loaded import Loaded, System
from dashboard.views.which_scorer import cached
from dashboard.widgets.charts import chart
from dashboard.widgets.page import caution, headline, note, subtitle
from dashboard.widgets.selection import select_letter
from dashboard.widgets.tables import ROW, download, table

FROM, TO = "perl", "corefud"
MOST_MENTIONS = 200  # rows
LETTERS = {"clause": 40, "documents": 25, "mentions": 32}  # of a line of each column
LINE = 19  # pixels
ABOUT_ORDER = (
    "Policies are changed one at a time, in this order: "
    f"{', '.join(NAMES[name] for name in ORDER)}. In another order each step can move the score "
    "by another amount; the average over all orders does not depend on one."
)


def show_walk(loaded: Loaded, metric: str) -> None:
    """Two scorers are selected; how much each policy that they differ in moves the score."""
    subtitle("What makes the difference between two scorers?")
    start, end, system = select(loaded)
    of = cached.rescored(loaded)[system.name]
    known = scorers(loaded.policies)
    if said := _cannot(of, metric, start, end, loaded):
        caution(said)
        return
    try:
        taken = walk(of, known[start].policies, known[end].policies, metric)
    except PolicyError as error:
        caution(f"{error}.")
        return
    said = sentences.walked(taken, start, end, system.name)
    headline(subscripted(said))
    names = sentences.scorer_title(start), sentences.scorer_title(end)
    name = "walk", start, end, metric, system.name
    chart(
        waterfall(taken, *names),
        *name,
        key="walk",
        alt=f"Each change of policy. {said}",
        rows=lambda: in_percent(waterfall_table(taken, *names), ["score", "difference"]),
    )
    st.html(paragraph(f"{sentences.unmoved(taken)} {ABOUT_ORDER}".strip(), "note"))
    if taken.steps:
        show_steps(loaded, system, of, taken, (start, end))


def select(loaded: Loaded) -> tuple[str, str, System]:
    """The two scorers, and the response."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        start = _select_scorer("From", "from", FROM)
        end = _select_scorer("To", "to", TO)
        letter = select_letter("Response", loaded)
    return start, end, loaded.system(letter)


def _select_scorer(label: str, key: str, first: str) -> str:
    names = list(scorers())
    return st.selectbox(
        label,
        names,
        index=names.index(first),
        format_func=sentences.scorer_title,
        key=key,
        bind="query-params",
        persist_state="session",
        filter_mode=None,
        width=320,
    )


def _cannot(of: Rescored, metric: str, start: str, end: str, loaded: Loaded) -> str:
    """Why there is no walk between two scorers; "" if there is one."""
    for name in (start, end):
        scorer = scorers(loaded.policies)[name]
        if metric not in rows_of(scorer):
            return f"{capital(sentences.scorer_title(name))} does not have {name_of(metric)}."
        if refusal := of.refusal(scorer.policies):
            return f"{capital(sentences.scorer_title(name))} refuses the files: {refusal}"
    return ""


def show_steps(
    loaded: Loaded, system: System, of: Rescored, taken: Walk, names: tuple[str, str]
) -> None:
    """The steps in numbers, and the documents and mentions that one of them moves."""
    rows = _rows(system, of, taken)
    if st.toggle("Average each move over all orders of change", key="shapley", bind="query-params"):
        known = scorers(loaded.policies)
        ends = known[names[0]].policies, known[names[1]].policies
        values = cached.shares(system, loaded, *ends, taken.metric)
        rows.insert(4, "shapley", rows["policy"].map(values))
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    points = {
        "difference": number("in points", format="%+.2f", width=80),
        "shapley": number("over all orders", format="%+.2f", width=110),
    }
    fractions = [name for name in ("after", "difference", "shapley") if name in rows]
    shown = in_percent(rows, fractions).assign(policy=rows["policy"].map(NAMES))
    columns = {
        "policy": text("changed", width=140),
        "clause": text("from then on", width=250),
        "after": number("score", format="%.2f", width=65),
        **points,
        "documents": text(width=165),
        "mentions": text(width=210),
    }
    row = ROW + LINE * (_lines(rows) - 1)
    table(
        shown,
        columns,
        key="steps",
        row_height=row,
        height=ROW + row * max(1, len(shown)) + 3,
        alt="A row for each change of policy.",
    )
    from_to = f"{name_of(taken.metric)} F1 | from {names[0]} to {names[1]}"
    name = "steps", *names, system.name
    download(rows, f"corescore {__version__} | {from_to}", *name, signed=False)
    show_moved(system, of, taken)


def _lines(rows: pd.DataFrame) -> int:
    """How many lines the longest text of the steps takes in its column."""
    return 1 + max(len(text) // LETTERS[name] for name in LETTERS for text in rows[name])


def _rows(system: System, of: Rescored, taken: Walk) -> pd.DataFrame:
    rows = [
        {
            "policy": step.policy,
            "clause": sentences.step_clause(step),
            "after": step.score_after,
            "difference": step.difference,
            "documents": sentences.documents_moved(moved_documents(of, step, taken.metric)),
            "mentions": sentences.mentions_moved(cached.moved(system, step, taken.metric, of)),
        }
        for step in taken.steps
    ]
    return pd.DataFrame(rows)


def show_moved(system: System, of: Rescored, taken: Walk) -> None:
    """The documents and mentions that one step moves."""
    with st.expander("Documents and mentions that a step moves"):
        steps = {step.policy: step for step in taken.steps}
        policy = st.selectbox("Step", list(steps), format_func=NAMES.__getitem__, key="step")
        left, right = st.columns(2, gap="medium")
        with left:
            documents = moved_documents(of, steps[policy], taken.metric)
            numbers = in_percent(documents, ["before", "after", "difference"])
            form = st.column_config.NumberColumn(format="%.2f")
            columns = dict.fromkeys(("before", "after", "difference"), form)
            table(numbers, columns, key="moved_documents", alt="The documents, most moved first.")
        with right:
            mentions = cached.moved(system, steps[policy], taken.metric, of)
            shown = mentions[["mention", "side", "change", "document"]].head(MOST_MENTIONS)
            table(shown, key="moved_mentions", alt="The mentions in the order of the text.")
        if len(mentions) > MOST_MENTIONS:
            note(f"The first {MOST_MENTIONS} of {len(mentions):,} mentions.")
