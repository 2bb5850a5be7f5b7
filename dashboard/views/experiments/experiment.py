"""One experiment: set-up, parameters, chart beside claims, table, the published numbers."""

from functools import partial

import pandas as pd
import streamlit as st

from corescore.corpus.problems import InputError, PolicyError
from corescore.plots import experiments as experiment_plots
from corescore.plots.experiments import change_table
from corescore.rendering import papers
from corescore.rendering.html import paragraph
from corescore.rendering.papers import erratum
from corescore.replication import Experiment
from corescore.replication.experiment import Outcome, Parameter, Value
from corescore.replication.papers import kinds_told
from corescore.replication.printed import Printed
from corescore.sentences.names import CHOICES
from corescore.wording import capital
from dashboard.session.loaded import is_loaded, loaded_systems
from dashboard.views.experiments import cached
from dashboard.views.experiments.links import claims_in_url, label
from dashboard.widgets.charts import chart
from dashboard.widgets.link_values import refuse_other_numbers
from dashboard.widgets.markdown import plain
from dashboard.widgets.page import headline, note, subtitle, title
from dashboard.widgets.selection import select_letter
from dashboard.widgets.tables import download, numbers

NO_DATA = (
    "This one runs on a key and a response of yours. Open both in the side bar, or select the "
    "sample data there."
)

NARROW = 8  # columns of a table that has room beside the claims


def show_experiment(experiment: Experiment) -> None:
    """The whole experiment, run with the selected values."""
    place = title(plain(experiment.title))
    st.html(papers.about(experiment))
    if experiment.on_data and not is_loaded():
        with place:
            headline(NO_DATA)
        return
    on = loaded_systems() if experiment.on_data else None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        system = on.system(select_letter("Response", on)) if on else None
        values, is_changed = select_values(experiment)
    try:
        with st.spinner("Running the experiment"):
            outcome = cached.outcome(experiment, values, _key=on.key if on else None, system=system)
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


# Parameters ---------------------------------------------------------------------------------------


def select_values(experiment: Experiment) -> tuple[dict[str, Value], bool]:
    """The selected values of the parameters, and whether any is not the paper's."""
    if experiment.takes_key and is_loaded():
        select_key(experiment)
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


def select_key(experiment: Experiment) -> None:
    """A box of the loaded key's documents: one that is selected becomes the experiment's key."""
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
    if problem := st.session_state.pop(f"{box} problem", ""):
        st.html(paragraph(problem, "problems"))


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
        st.session_state[f"{box} problem"] = f"{name} cannot be the key: {error}."
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
    there stand below."""
    experiment = outcome.experiment
    figure = experiment_plots.draw(experiment.chart, outcome.drawn)
    left, right = st.container(key="outcome").columns([1.62, 1], gap="medium")
    listed = papers.claim_list(outcome.checks, kinds=kinds_told(experiment), named=claims_in_url())
    right.container(key="claims").html(listed)
    with left:
        if figure:
            chart(
                figure,
                experiment.id,
                key=f"chart-{experiment.id}",
                alt=f"{experiment.title} {sentence}",
                rows=partial(change_table, experiment.chart, outcome.drawn)
                if experiment.chart.kind == "changes"
                else _called(experiment),
            )
    beside = [(one, outcome.beside(one)) for one in experiment.printed]
    tables = [(one, rows, papers.as_table(rows, one.on)) for one, rows in beside]
    drawn = papers.readable(outcome.drawn, experiment.chart)
    with left.container(key="tables"):
        for one in tables:
            if one[2].n_columns <= NARROW:
                show_printed(outcome, *one, ran_on=ran_on)
        if len(drawn.columns) <= NARROW:
            show_table(outcome, drawn)
    if len(drawn.columns) > NARROW:
        show_table(outcome, drawn)
    for one in tables:
        if one[2].n_columns > NARROW:
            show_printed(outcome, *one, ran_on=ran_on)
    show_errata(experiment)


def show_table(outcome: Outcome, drawn: pd.DataFrame) -> None:
    """What is drawn, as a table in percent; the download has all rows."""
    experiment = outcome.experiment
    numbers(drawn, key=f"table-{experiment.id}", alt=_called(experiment))
    if len(outcome.drawn) < len(outcome.table):
        note(papers.rest_of(outcome))
    download(outcome.table, outcome.signature, experiment.id)


def _called(experiment: Experiment) -> str:
    return f"The table of {label(experiment.id)}"


def show_printed(
    outcome: Outcome, of: Printed, beside: pd.DataFrame, table: papers.Table, *, ran_on: str
) -> None:
    """The figures of one of the paper's tables, each above the computed one."""
    experiment = outcome.experiment
    source = experiment.source_of(of)
    is_computed = bool(beside["computed"].notna().any())
    name = capital(of.title)
    subtitle(f"{name}: printed and computed" if is_computed else f"{name}, as printed")
    note(papers.sentence(beside, of, ran_on=ran_on))
    caption = f"The figures that {source} prints, each above the computed one"
    st.html(papers.html_table(table, caption))
    # This line says no policies, but where these figures, among others of the page, are printed.
    download(beside, f"Printed in {source}", experiment.id, of.where)


def show_errata(experiment: Experiment) -> None:
    """What the paper prints of this experiment and does not come out, or not under each reading."""
    every = cached.errata(experiment.id)
    for words, of in (
        ("What does not come out under any reading", every[every["is_off"]]),
        ("What depends on the reading", every[~every["is_off"]]),
    ):
        rows = of.to_dict("records")
        if rows:
            subtitle(words)
            for row in rows:
                st.html(erratum(row))
