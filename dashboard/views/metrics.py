"""Metrics: what does this metric count?"""

import streamlit as st

from corescore.metrics import (
    CONLL,
    DIAGNOSTICS,
    METRIC_IDS,
    METRICS,
    VARIANTS,
    Average,
    Metric,
    id_of,
    name_of,
)
from corescore.metrics.metric import Card
from corescore.rendering import classroom
from corescore.rendering import html as markup
from corescore.teaching.cards import (
    EXAMPLE,
    SOURCE,
    empty_table,
    known_flaws,
    result_of,
    worked_lines,
    worked_table,
)
from corescore.teaching.examples import query_of
from corescore.wording import capital, counted, listed
from dashboard.session.state import state, write_url
from dashboard.views.lesson import sandbox_link
from dashboard.widgets.links import link_to_view
from dashboard.widgets.page import note, plain, question, say, subtitle
from dashboard.widgets.tables import download

_MAIN: tuple[Metric | Average, ...] = (*METRICS, CONLL, *DIAGNOSTICS)
ROWS = {row.id: row for row in (*_MAIN, *VARIANTS)}
MAIN = [row.id for row in _MAIN]
OTHERS = [metric.id for metric in VARIANTS]
LINKED = "metric"
UNITS = {m.id: capital(m.unit) for m in (*METRICS, *DIAGNOSTICS, *VARIANTS)}
BY_ROW = EXAMPLE.result.signature.replace("blanc reference", "blanc as named in each row")
EMPTY = "An empty score is written “–”. In the total over documents it counts as 0."
RULES = {
    "reference": "reference",
    "luo2014": "Luo 2014",
    "recasens2011": "Recasens 2011",
    "corefud": "CorefUD",
    "scorch": "scorch",
}


def page() -> None:
    """The card of the metric that the URL names."""
    row = named_in_url()
    card = row.card
    question(f"{row.title}: what does it count?")
    with st.container(key="metric_card"):
        # All cards, by name: the metrics, and the variants that were given up.
        state.metric_box = row.id if row.id in MAIN else None
        state.variant_box = row.id if row.id in OTHERS else None
        st.segmented_control(
            "Metric",
            MAIN,
            required=row.id in MAIN,
            format_func=name_of,
            key="metric_box",
            on_change=go_to_selected,
            args=("metric_box",),
            label_visibility="collapsed",
        )
        st.selectbox(
            "Variant",
            OTHERS,
            format_func=name_of,
            key="variant_box",
            placeholder="Variants that were given up",
            on_change=go_to_selected,
            args=("variant_box",),
            label_visibility="collapsed",
            width=300,
        )
        st.html(classroom.style(MAIN, row.id))
        if card is None:
            say(f"{row.title} has no card.", "answer")
            return
        show_answer(card)
        show_facts(card)
        show_flaws(card)
        if card.history:
            subtitle("Where it comes from, and why it was given up")
            say(card.history, "fact")
        with st.expander("Empty sides, papers"):
            # What is empty, and what comes out.
            subtitle("If there is nothing to score")
            about = markup.paragraph(f"{card.empty} {EMPTY}", "fact")
            if card.variants:
                st.html(about + classroom.case_list(card))
                show_cases(card)
            else:
                left, right = st.container(key="empty").columns([1, 1.2], gap="large")
                left.html(about)
                with right:
                    show_cases(card)
            subtitle("Papers")
            for paper in card.papers:
                say(paper.reference, "fact")


def go_to_selected(box: str) -> None:
    """Put the metric selected in a box into the URL."""
    write_url({LINKED: name_of(st.session_state[box] or METRICS[0].id)})


def named_in_url() -> Metric | Average:
    """The metric of the URL, by any of its names; the first if it is none."""
    linked = st.query_params.get(LINKED, METRICS[0].id).casefold()
    named = ROWS.get(id_of(linked))
    if named is None:
        names = listed(row.title for row in ROWS.values())
        say(f"There is no metric “{linked}”. There are {names}.", "problems")
    return named or METRICS[0]


def show_answer(card: Card) -> None:
    """What it counts and its formulas, beside the example and what the letters are."""
    left, right = st.container(key="explained").columns([2.1, 1], gap="medium")
    left.html(markup.paragraph(card.counts, "answer"))
    with left.container(key="formulas", gap="small"):
        # Each formula, with the example's numbers beside it where they are worked out.
        parts = worked_lines(card)
        is_worked = any(parts)
        subtitle("The formula, and the example in numbers" if is_worked else "The formula")
        for part, lines in zip(card.parts, parts, strict=True):
            if len(card.parts) > 1:
                say((part.subject or "together").capitalize(), "step")
            alone = classroom.formulas_alone(part)
            st.latex(classroom.formulas(lines) if is_worked else alone)
        if is_worked:
            download(
                worked_table(card), EXAMPLE.result.signature, "worked-example", card.id, signed=True
            )
    with right.container(key="example", gap="small"):
        st.html(classroom.toy(EXAMPLE))
        note(f"{SOURCE}. {classroom.twinless(EXAMPLE)}")
    with right.container(key="letters"):
        st.markdown(classroom.symbols(card))
        query = query_of(EXAMPLE, metric=card.id if card.id in METRIC_IDS else "")
        sandbox_link("Try the example in the sandbox", query, key="read_in_sandbox")


def show_facts(card: Card) -> None:
    """Unit and range."""
    left, right = st.columns(2, gap="large")
    with left:
        subtitle("One unit of credit")
        unit = markup.paragraph(card.unit, "fact")
        if card.id in UNITS:
            in_example = classroom.in_the_example(card.id, result_of(card, EXAMPLE))
            unit = markup.paragraph(UNITS[card.id], "step") + unit
            unit += markup.paragraph(in_example, "fact")
        st.html(unit)
    with right:
        subtitle("Range")
        bounds = f"{card.bounds} F1 is 1 exactly when {card.one}; it is 0 exactly when {card.zero}."
        say(bounds, "fact")


def show_flaws(card: Card) -> None:
    """The cards that are about this metric."""
    flaws = known_flaws(card)
    if not flaws:
        say("No card of the lesson is about it.", "fact")
        return
    with st.expander(f"Known flaws: {counted(len(flaws), 'card')}"), st.container(key="flaws"):
        for pitfall in flaws:
            link_to_view("lesson", plain(pitfall.title), card=pitfall.id)


def show_cases(card: Card) -> None:
    """What comes out for the examples of a card, by each rule for empty parts."""
    table, signature = empty_table(card), EXAMPLE.result.signature
    rules, policies = (RULES, BY_ROW) if card.variants else ({}, signature)
    with st.container(gap="xsmall"):
        st.html(classroom.empty_rows(card, table, rules))
        shown = table if rules else table.drop(columns="policy")
        # That of the worked example stands above; a signature by rows is another one.
        is_said = policies == signature and any(worked_lines(card))
        download(shown, policies, "empty-cases", card.id, signed=not is_said, about="These cases:")
