"""Papers: their figures, printed and computed, and their observations."""

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import groupby

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from corescore import Corpus, replication
from corescore.corpus.problems import InputError, PolicyError
from corescore.counting.policies import DEFAULTS
from corescore.metrics import HOW_MANY, METRICS
from corescore.plots import experiments as experiment_plots
from corescore.plots import template
from corescore.rendering import html as markup
from corescore.rendering import papers
from corescore.rendering.text import Table
from corescore.replication import Experiment
from corescore.replication.conformance import QUESTIONS, conformance
from corescore.replication.experiment import Outcome, Parameter, Value, in_paper
from corescore.replication.experiment import run as run_experiment
from corescore.replication.printed import Printed
from corescore.sentences.names import CHOICES
from corescore.version import __version__
from corescore.wording import capital
from dashboard.session.caching import cached
from dashboard.session.loaded import System, is_loaded, loaded_systems
from dashboard.session.state import state, write_url
from dashboard.widgets.charts import chart
from dashboard.widgets.page import (
    headline,
    note,
    plain,
    question,
    say,
    side_by_side,
    subtitle,
    title,
)
from dashboard.widgets.selection import refuse_other_numbers, select_letter
from dashboard.widgets.tables import download, table


@cached(64, by={Experiment: lambda experiment: experiment.id})
def outcome_of(
    experiment: Experiment,
    values: Mapping[str, Value] | None = None,
    *,
    _key: Corpus | None = None,
    system: System | None = None,
) -> Outcome:
    """An experiment run with these values; if it runs on data, on a key and a system, under the
    policies that this is scored by.

    Raises PolicyError and InputError as the experiment does.
    """
    if values is None and not experiment.on_data:
        return in_paper(experiment)
    response = system.corpus if system else None
    policies = system.result.policies if system else DEFAULTS
    setting = experiment.setting(values, key=_key, response=response, policies=policies)
    return run_experiment(experiment, setting)


# What the Experiments page runs, cached -----------------------------------------------------------


@cached()
def conformance_sheet() -> pd.DataFrame:
    """What each of the six can and cannot tell: `corescore.replication.conformance`."""
    return conformance(METRICS)


# The experiments by their names in the URL, and the way from one to another -----------------------

SELECTED = "experiment"

NUMBERS = "numbers"

SHEET = "conformance"

SHEET_TITLE = "What each metric can and cannot distinguish"


def experiments() -> dict[str, Experiment]:
    """All experiments by their ids."""
    return {experiment.id: experiment for experiment in replication.EXPERIMENTS}


def rename() -> None:
    """Put the ids that experiments have now into a URL that has former ones, and start again."""
    before = st.query_params.get(SELECTED, "")
    name = replication.current(before)
    if name != before:
        own = [key for key in st.query_params if key.startswith(f"{before}-")]
        renamed = {key.replace(before, name, 1): st.query_params[key] for key in own}
        write_url({**dict.fromkeys(own), **renamed, SELECTED: name})
        st.rerun()


def open_(name: str) -> None:
    """Go to an experiment or the sheet; with an empty name, to the gallery."""
    write_url({SELECTED: name or None})


def label(name: str) -> str:
    """An experiment or the sheet, as a line of a list."""
    if name == SHEET:
        return SHEET_TITLE
    experiment = experiments()[name]
    return f"{experiment.paper.at(experiment.where)}: {experiment.title}"


def show_navigation(name: str) -> None:
    """The way to the gallery, to any other experiment, and to its neighbours."""
    names = [*experiments(), SHEET]
    place = names.index(name)
    before, after = names[place - 1], names[(place + 1) % len(names)]
    state.experiment_box = name
    with side_by_side("center"):
        st.button("All experiments", key="all_experiments", on_click=open_, args=("",))
        st.selectbox(
            "Experiment",
            names,
            format_func=label,
            key="experiment_box",
            on_change=lambda: open_(state.experiment_box),
            label_visibility="collapsed",
        )
        st.button("Previous", key="previous", on_click=open_, args=(before,))
        st.button("Next", key="next", on_click=open_, args=(after,))


# All experiments by paper; their claims are checked once all are shown ----------------------------


def show_gallery() -> None:
    """The experiments on the loaded files, and folded all others, in two columns."""
    every = list(experiments().values())
    headline = question("Printed, computed: the same direction?").empty()
    headline.html(markup.headline(papers.overall([], n_waiting=len(every))))
    with st.container(key="gallery"):
        on_data = [experiment for experiment in every if experiment.on_data]
        slots = show_rows(subtitle("On the loaded files"), on_data)
        others = [experiment for experiment in every if not experiment.on_data]
        slots |= show_rows(st.expander(f"The other {len(others)}, on the papers’ examples"), others)
        st.html(
            papers.heading("All papers", f"{len(QUESTIONS)} questions to each of the {HOW_MANY}")
        )
        st.button(SHEET_TITLE, key=f"open-{SHEET}", on_click=open_, args=(SHEET,), type="tertiary")
    with st.container(key="ahead"):  # not shown: the charts' code loads while one reads
        st.plotly_chart(template.nothing(), key="nothing")
    check_all(headline, [*on_data, *others], slots)


def show_rows(place: DeltaGenerator, every: Iterable[Experiment]) -> dict[str, DeltaGenerator]:
    """A line for each experiment, a paper below the other; the places for their tallies."""
    columns, heights = place.columns(2, gap="large"), [0, 0]
    slots: dict[str, DeltaGenerator] = {}
    for paper, group in groupby(every, key=lambda experiment: experiment.paper):
        of_paper = list(group)
        lower = heights.index(min(heights))
        heights[lower] += len(of_paper) + 2
        with columns[lower]:
            st.html(papers.heading(paper.name, paper.full_title))
            slots |= {experiment.id: row(experiment) for experiment in of_paper}
    return slots


def row(experiment: Experiment) -> DeltaGenerator:
    """One line of the gallery; the place for its tally."""
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
    slot.html(papers.waiting("on the loaded data" if experiment.on_data else "…"))
    return slot


def check_all(
    headline: DeltaGenerator, every: list[Experiment], slots: dict[str, DeltaGenerator]
) -> None:
    """Run what needs no data, in the order given, and say how many figures match and how many
    observations hold."""
    waiting = [experiment for experiment in every if not experiment.on_data]
    made: list[Outcome] = []
    for n, experiment in enumerate(waiting, 1):
        made.append(outcome_of(experiment))
        slots[experiment.id].html(papers.tally_line(made[-1]))
        headline.html(markup.headline(papers.overall(made, n_waiting=len(waiting) - n)))


# The conformance sheet: questions to every metric -------------------------------------------------

SIGNATURE = f"corescore {__version__} | {SHEET_TITLE} | made-up partitions"


# One experiment: set-up, parameters, chart beside claims, table, the published numbers ------------

NO_DATA = (
    "This one runs on a key and a response of yours. Open both in the sidebar, or select the "
    "sample data there."
)

NARROW = 8  # columns of a table that has room beside the claims


# Parameters ---------------------------------------------------------------------------------------


def select_values(experiment: Experiment) -> tuple[dict[str, Value], bool]:
    """The selected values of the parameters, and whether any is not the paper's."""
    if experiment.takes_key and is_loaded():
        # A box of the loaded key's documents: one that is selected becomes the experiment's key.
        key = loaded_systems().key
        box = f"{experiment.id} key of document"
        st.selectbox(
            "Your own key",
            [document.name for document in key],
            index=None,
            placeholder="the paper's",
            key=box,
            on_change=take_key,
            args=(experiment, box),
            filter_mode=None,
            width=136,
            help="The entity sizes of a document, without singletons if they are left out or the "
            "figure is about links alone.",
        )
        if state.key_problem:
            say(state.key_problem, "problems")
            state.key_problem = ""
    values = {one.id: widget(experiment, one) for one in experiment.parameters}
    is_changed = any(values[one.id] != one.default for one in experiment.parameters)
    if values:
        st.button(
            "Back to the paper's setting",
            key="back",
            on_click=restore,
            args=(experiment,),
            disabled=not is_changed,
        )
    return values, is_changed


def take_key(experiment: Experiment, box: str) -> None:
    """Set the parameters to the selected document's; to the paper's if none is."""
    name = st.session_state[box]
    if name is None:
        restore(experiment)
        return
    loaded = loaded_systems()
    try:
        values = experiment.values_of_key(loaded.key[name], singletons=loaded.policies.singletons)
    except PolicyError as error:
        state.key_problem = f"{name} cannot be the key: {error}."
        return
    for parameter, value in values.items():
        st.session_state[f"{experiment.id}-{parameter}"] = value


def restore(experiment: Experiment) -> None:
    """Set every parameter to the paper's value."""
    for parameter in experiment.parameters:
        st.session_state[f"{experiment.id}-{parameter.id}"] = parameter.default
    if experiment.takes_key:
        st.session_state[f"{experiment.id} key of document"] = None


def widget(experiment: Experiment, parameter: Parameter) -> Value:
    """A slider for a number, a box for a choice, a line for a text."""
    key, about = f"{experiment.id}-{parameter.id}", plain(parameter.about)
    if parameter.choices:
        return st.selectbox(
            parameter.title,
            parameter.choices,
            index=parameter.choices.index(str(parameter.default)),
            format_func=lambda choice: CHOICES.get(choice, choice),
            key=key,
            bind="query-params",
            filter_mode=None,
            help=about,
            width=170,
        )
    if isinstance(parameter.default, str):
        return st.text_input(
            parameter.title,
            parameter.default,
            key=key,
            bind="query-params",
            help=about,
            width=190 if len(experiment.parameters) > 2 else 330,
        )
    number = type(parameter.default)
    low, high = number(parameter.minimum), number(parameter.maximum)
    refuse_other_numbers(parameter.title, low, high, key=key)
    return st.slider(
        parameter.title,
        low,
        high,
        parameter.default,
        step=number(parameter.step),
        key=key,
        bind="query-params",
        help=about,
        width=150,
    )


# The outcome --------------------------------------------------------------------------------------


def show_outcome(outcome: Outcome, sentence: str, ran_on: str) -> None:
    """Chart, table and published numbers at the left, claims at the right; tables that have no room
    there are below, and above if there is no chart."""
    experiment = outcome.experiment
    beside = [(one, outcome.beside(one)) for one in experiment.printed]
    tables = [(one, rows, papers.as_table(rows, one.on)) for one, rows in beside]
    wide = [table for table in tables if table[2].n_columns > NARROW]
    figure = experiment_plots.draw(experiment.chart, outcome.drawn)
    show = partial(show_printed, outcome, ran_on=ran_on)
    if not figure:
        for table in wide:
            show(*table)
    left, right = st.container(key="outcome").columns([1.62, 1], gap="medium")
    listed = papers.claim_list(outcome.checks, counts=f"#{NUMBERS}")
    right.container(key="claims").html(listed)
    drawn = papers.readable_table(outcome.drawn, experiment.chart)
    with left:
        if figure:
            chart(
                figure,
                experiment.id,
                key=f"chart-{experiment.id}",
                alt=f"{experiment.title} {sentence}",
                rows=_called(experiment),
            )
    with left.container(key="tables"):
        for table in tables:
            if table[2].n_columns <= NARROW:
                show(*table)
        if len(drawn.columns) <= NARROW:
            show_table(outcome, drawn)
    if len(drawn.columns) > NARROW:
        show_table(outcome, drawn)
    if figure:
        for table in wide:
            show(*table)


def show_table(outcome: Outcome, drawn: Table) -> None:
    """What is drawn, as a table in percent; the download has all rows."""
    experiment = outcome.experiment
    st.html(f'<span id="{NUMBERS}"></span>')
    table(drawn, key=f"table-{experiment.id}", alt=_called(experiment), most=12)
    if len(outcome.drawn) < len(outcome.table):
        note(papers.rest_of(outcome))
    download(outcome.table, outcome.signature, experiment.id, signed=True)


def _called(experiment: Experiment) -> str:
    return f"The table of {label(experiment.id)}"


def show_printed(
    outcome: Outcome,
    printed: Printed,
    beside: pd.DataFrame,
    table: papers.FigureTable,
    *,
    ran_on: str,
) -> None:
    """The figures of one of the paper's tables, each above the computed one."""
    experiment = outcome.experiment
    source = experiment.source_of(printed)
    is_computed = bool(beside["computed"].notna().any())
    name = capital(printed.title)
    subtitle(f"{name}: printed and computed" if is_computed else f"{name}, as printed")
    note(papers.sentence(beside, printed, ran_on=ran_on))
    caption = f"The figures that {source} prints, each above the computed one"
    st.html(papers.html_table(table, caption))
    # This line says no policies, but where these figures, among others of the page, are printed.
    download(beside, f"Printed in {source}", experiment.id, printed.where, signed=True)


def page() -> None:
    """The experiment or sheet that the URL names, or the gallery of all."""
    rename()
    name = st.query_params.get(SELECTED, "")
    if name in experiments():
        show_navigation(name)
        # The whole experiment, run with the selected values.
        experiment = experiments()[name]
        place = title(plain(experiment.title))
        st.html(papers.about(experiment))
        if experiment.on_data and not is_loaded():
            with place:
                headline(NO_DATA)
            return
        on = loaded_systems() if experiment.on_data else None
        with side_by_side():
            system = on.system(select_letter("Response", on)) if on else None
            values, is_changed = select_values(experiment)
        try:
            with st.spinner("Running the experiment"):
                outcome = outcome_of(experiment, values, _key=on.key if on else None, system=system)
        except (InputError, PolicyError) as error:
            with place:
                headline(str(error))
            return
        ran_on = f"{system.title} against {on.key_name}" if on and system else ""
        sentence = papers.finding(outcome, changed=is_changed)
        sentence += f" Run on {ran_on}." if ran_on else ""
        with place:
            headline(sentence)
        show_outcome(outcome, sentence, ran_on)
    elif name == SHEET:
        show_navigation(name)
        # One row per question, one column per metric.
        title(SHEET_TITLE)
        with st.spinner(f"Putting the questions to the {HOW_MANY}"):
            sheet = conformance_sheet()
        headline(papers.sheet_sentence(sheet))
        st.html(papers.sheet_rows(sheet))
        note(papers.SHEET_NOTE)
        subtitle("The numbers behind the answers")
        shown = papers.sheet_numbers(sheet)
        table(shown, key="sheet_numbers", alt="The evidence for each answer", most=12)
        download(sheet, SIGNATURE, SHEET, signed=True)
    else:
        if name:
            headline(f"There is no experiment “{name}”. These are all.")
        show_gallery()
