"""Experiments: do the published observations hold?"""

from itertools import groupby
from math import floor, log10

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from corescore.corpus.problems import InputError, PolicyError
from corescore.metrics import HOW_MANY
from corescore.plots import experiments as experiment_plots
from corescore.plots import template
from corescore.rendering import claims
from corescore.rendering import html as markup
from corescore.replication import EXPERIMENTS, Experiment
from corescore.replication.conformance import QUESTIONS
from corescore.replication.experiment import Outcome, Parameter, Value
from corescore.sentences.names import CHOICES
from corescore.version import __version__
from dashboard.session import state
from dashboard.widgets import choosing
from dashboard.widgets import downloads as take_along
from dashboard.widgets.markdown import plain

CHOSEN = "experiment"
SHEET = "conformance"
SHEET_TITLE = "What each metric can and cannot tell"
BY_ID = {experiment.id: experiment for experiment in EXPERIMENTS}
IDS = [*BY_ID, SHEET]
ROW, MOST_ROWS = 32, 13
NO_DATA = (
    "This one runs on a key and a response of yours. Open both in the side bar, or choose the "
    "sample data there."
)


def open_(name: str) -> None:
    """Go to one experiment, or to the gallery with an empty name."""
    if name:
        st.query_params[CHOSEN] = name
    else:
        st.query_params.pop(CHOSEN, None)


def open_chosen() -> None:
    """Go to what the box says."""
    open_(st.session_state["experiment_box"])


def label(name: str) -> str:
    """How the box calls an entry."""
    if name == SHEET:
        return SHEET_TITLE
    experiment = BY_ID[name]
    return f"{experiment.paper.at(experiment.where)}: {experiment.title}"


# The gallery --------------------------------------------------------------------------------------


def show_gallery() -> None:
    """All experiments by paper; their claims are checked once all is drawn."""
    st.title("Do the published observations hold?", anchor=False)
    headline = st.empty()
    headline.html(markup.paragraph(claims.overall([], n_waiting=len(EXPERIMENTS)), "headline"))
    columns = st.container(key="gallery").columns(2, gap="large")
    heights = [0, 0]
    slots: dict[str, DeltaGenerator] = {}
    for paper, group in groupby(EXPERIMENTS, key=lambda experiment: experiment.paper):
        experiments = list(group)
        lower = heights.index(min(heights))
        heights[lower] += len(experiments) + 2
        with columns[lower]:
            st.html(claims.heading(paper.name, paper.full_title))
            slots |= {experiment.id: row(experiment) for experiment in experiments}
    with columns[heights.index(min(heights))]:
        st.html(
            claims.heading("All papers", f"{len(QUESTIONS)} questions to each of the {HOW_MANY}")
        )
        st.button(SHEET_TITLE, key=f"open-{SHEET}", on_click=open_, args=(SHEET,), type="tertiary")
    with st.container(key="ahead"):  # not shown: the charts' code loads while one reads
        st.plotly_chart(template.nothing(), key="nothing")
    check_all(headline, slots)


def row(experiment: Experiment) -> DeltaGenerator:
    """One line of the gallery, and the place for its tally."""
    line = st.container(horizontal=True, wrap=False, gap="small")
    line.button(
        f"**{plain(experiment.where)}** {plain(experiment.title)}",
        key=f"open-{experiment.id}",
        on_click=open_,
        args=(experiment.id,),
        type="tertiary",
        width="stretch",
        wrap=True,
    )
    slot = line.container(width=124).empty()
    slot.html(claims.waiting("on the loaded data" if experiment.on_data else "…"))
    return slot


def check_all(headline: DeltaGenerator, slots: dict[str, DeltaGenerator]) -> None:
    """Run what needs no data, one after the other, and say what holds."""
    waiting = [experiment for experiment in EXPERIMENTS if not experiment.on_data]
    checked = []
    for n, experiment in enumerate(waiting, 1):
        checked.append(state.outcome(experiment).checks)
        slots[experiment.id].html(claims.tally_mark(checked[-1]))
        sentence = claims.overall(checked, n_waiting=len(waiting) - n)
        headline.html(markup.paragraph(sentence, "headline"))


# One experiment -----------------------------------------------------------------------------------


def show_navigation(name: str) -> None:
    """The way to the gallery, to any other experiment, and to its neighbours."""
    at = IDS.index(name)
    before, after = IDS[at - 1], IDS[(at + 1) % len(IDS)]
    st.session_state["experiment_box"] = name
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("All experiments", key="all_experiments", on_click=open_, args=("",))
        st.selectbox(
            "Experiment",
            IDS,
            format_func=label,
            key="experiment_box",
            on_change=open_chosen,
            label_visibility="collapsed",
        )
        st.button("Previous", key="previous", on_click=open_, args=(before,))
        st.button("Next", key="next", on_click=open_, args=(after,))


def show_experiment(experiment: Experiment) -> None:
    """Set-up, parameters, chart beside claims, table, published figures."""
    st.title(plain(experiment.title), anchor=False)
    headline = st.empty()
    st.html(claims.about(experiment))
    if experiment.on_data and not state.is_loaded():
        headline.html(markup.paragraph(NO_DATA, "headline"))
        return
    on = state.loaded() if experiment.on_data else None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        system = on.system(choosing.choose_letter("Response", on)) if on else None
        values, changed = choose_values(experiment)
    try:
        with st.spinner("Running the experiment"):
            outcome = state.outcome(experiment, values, _key=on.key if on else None, system=system)
    except (InputError, PolicyError) as error:
        headline.html(markup.paragraph(str(error), "headline"))
        return
    ran_on = f" Run on {system.title} against {on.key_name}." if on and system else ""
    sentence = claims.finding(outcome, changed=changed) + ran_on
    headline.html(markup.paragraph(sentence, "headline"))
    show_outcome(outcome, sentence)


def choose_values(experiment: Experiment) -> tuple[dict[str, Value], bool]:
    """What the parameters are set to, and whether any is not the paper's."""
    values = {one.id: widget(experiment, one) for one in experiment.parameters}
    changed = any(values[one.id] != one.default for one in experiment.parameters)
    if values:
        st.button(
            "Back to the paper's setting",
            key="back",
            on_click=back,
            args=(experiment,),
            disabled=not changed,
        )
    return values, changed


def widget(experiment: Experiment, parameter: Parameter) -> Value:
    """A slider for a number, a box for a choice, a line for a text."""
    key, help_ = f"{experiment.id}-{parameter.id}", plain(parameter.about)
    if parameter.choices:
        return st.selectbox(
            parameter.title,
            parameter.choices,
            index=parameter.choices.index(str(parameter.default)),
            format_func=lambda choice: CHOICES.get(choice, choice),
            key=key,
            bind="query-params",
            filter_mode=None,
            help=help_,
            width=170,
        )
    if isinstance(parameter.default, str):
        return st.text_input(
            parameter.title,
            parameter.default,
            key=key,
            bind="query-params",
            help=help_,
            width=190 if len(experiment.parameters) > 2 else 330,
        )
    whole = isinstance(parameter.default, int)
    bounds = (parameter.minimum, parameter.maximum, parameter.default)
    low, high, default = (int(n) if whole else float(n) for n in bounds)
    return st.slider(
        parameter.title,
        low,
        high,
        default,
        step=1 if whole else 10.0 ** floor(log10((high - low) / 50)),
        key=key,
        bind="query-params",
        help=help_,
        width=150,
    )


def back(experiment: Experiment) -> None:
    """Set every parameter to the paper's value."""
    for parameter in experiment.parameters:
        st.session_state[f"{experiment.id}-{parameter.id}"] = parameter.default


def show_outcome(outcome: Outcome, sentence: str) -> None:
    """Chart, table and published figures at the left, claims at the right."""
    experiment = outcome.experiment
    figure = experiment_plots.draw(experiment.chart, outcome.drawn)
    left, right = st.container(key="outcome").columns([1.62, 1], gap="medium")
    right.container(key="claims").html(claims.claim_list(outcome.checks))
    with left:
        if figure:
            st.plotly_chart(
                figure,
                config=take_along.pictures(experiment.id),
                key=f"chart-{experiment.id}",
                alt=f"{experiment.title} {sentence}",
            )
            st.html(markup.paragraph(outcome.signature, "signature"))
    with left.container(key="tables"):
        show_table(outcome)
        if experiment.published:
            show_published(experiment, experiment.published())


def show_table(outcome: Outcome) -> None:
    """What is drawn as a table, in percent, and the way to take all of it along."""
    experiment = outcome.experiment
    numbers(
        claims.readable(outcome.drawn, experiment.chart),
        key=f"table-{experiment.id}",
        alt=f"The table of {label(experiment.id)}",
    )
    if len(outcome.drawn) < len(outcome.table):
        st.html(markup.paragraph(claims.rest_of(outcome), "note"))
    take_along.table(outcome.table, outcome.signature, experiment.id)


def show_published(experiment: Experiment, table: pd.DataFrame) -> None:
    """The paper's own figures, marked as such."""
    st.subheader("As published", anchor=False)
    numbers(
        claims.readable(table, experiment.chart),
        key=f"published-{experiment.id}",
        alt=f"The figures that {experiment.paper.name} prints",
    )
    source = f"Printed in {experiment.paper.at(experiment.where)}; not computed here."
    take_along.table(table, source, experiment.id, "as-published")


def numbers(table: pd.DataFrame, *, key: str, alt: str) -> None:
    """A table whose fractions of a number have two decimals."""
    decimals = st.column_config.NumberColumn(format="%.2f")
    st.dataframe(
        table,
        height=ROW * min(MOST_ROWS, 1 + len(table)) + 3,
        row_height=ROW,
        hide_index=True,
        column_config=dict.fromkeys(claims.with_decimals(table), decimals),
        placeholder="–",
        key=key,
        alt=alt,
    )


# The conformance sheet ----------------------------------------------------------------------------


def show_sheet() -> None:
    """Questions down, the six across."""
    st.title(SHEET_TITLE, anchor=False)
    with st.spinner(f"Putting the questions to the {HOW_MANY}"):
        sheet = state.conformance_sheet()
    signature = f"corescore {__version__} | {SHEET_TITLE} | made-up partitions"
    st.html(markup.paragraph(claims.sheet_sentence(sheet), "headline"))
    st.html(claims.sheet_rows(sheet))
    st.html(markup.paragraph(claims.SHEET_NOTE, "note") + markup.paragraph(signature, "signature"))
    st.subheader("The numbers behind the answers", anchor=False)
    numbers(claims.sheet_numbers(sheet), key="sheet_numbers", alt="What each answer was read from")
    take_along.table(sheet, signature, SHEET)


chosen = st.query_params.get(CHOSEN, "")
if chosen in IDS:
    show_navigation(chosen)
    if chosen == SHEET:
        show_sheet()
    else:
        show_experiment(BY_ID[chosen])
else:
    if chosen:
        st.html(markup.paragraph(f"There is no experiment “{chosen}”. These are all.", "headline"))
    show_gallery()
