"""One experiment: set-up, parameters, chart beside claims, table, the published numbers."""

import streamlit as st

from corescore.corpus.problems import InputError, PolicyError
from corescore.plots import experiments as experiment_plots
from corescore.rendering import claims
from corescore.replication import Experiment
from corescore.replication.experiment import Outcome, Parameter, Value
from corescore.replication.printed import Printed
from corescore.sentences.names import CHOICES
from dashboard.session.loaded import is_loaded, loaded_systems
from dashboard.views.experiments import cached
from dashboard.views.experiments.links import label
from dashboard.views.experiments.numbers import show_numbers
from dashboard.widgets.charts import chart
from dashboard.widgets.markdown import plain
from dashboard.widgets.page import headline, note, signature, subtitle, title
from dashboard.widgets.selection import select_letter
from dashboard.widgets.tables import download

NO_DATA = (
    "This one runs on a key and a response of yours. Open both in the side bar, or select the "
    "sample data there."
)


def show_experiment(experiment: Experiment) -> None:
    """The whole experiment, run with the selected values."""
    place = title(plain(experiment.title))
    st.html(claims.about(experiment))
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
    ran_on = f" Run on {system.title} against {on.key_name}." if on and system else ""
    sentence = claims.finding(outcome, changed=is_changed) + ran_on
    with place:
        headline(sentence)
    show_outcome(outcome, sentence)


# Parameters ---------------------------------------------------------------------------------------


def select_values(experiment: Experiment) -> tuple[dict[str, Value], bool]:
    """The selected values of the parameters, and whether any is not the paper's."""
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


def restore(experiment: Experiment) -> None:
    """Set every parameter to the paper's value."""
    for parameter in experiment.parameters:
        st.session_state[f"{experiment.id}-{parameter.id}"] = parameter.default


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
    return st.slider(
        parameter.title,
        number(parameter.minimum),
        number(parameter.maximum),
        parameter.default,
        step=number(parameter.step),
        key=key,
        bind="query-params",
        help=about,
        width=150,
    )


# The outcome --------------------------------------------------------------------------------------


def show_outcome(outcome: Outcome, sentence: str) -> None:
    """Chart, table and published numbers at the left, claims at the right."""
    experiment = outcome.experiment
    figure = experiment_plots.draw(experiment.chart, outcome.drawn)
    left, right = st.container(key="outcome").columns([1.62, 1], gap="medium")
    listed = claims.claim_list(outcome.checks, on_data=experiment.on_data)
    right.container(key="claims").html(listed)
    with left:
        if figure:
            chart(
                figure,
                experiment.id,
                key=f"chart-{experiment.id}",
                alt=f"{experiment.title} {sentence}",
            )
            signature(outcome.signature)
    with left.container(key="tables"):
        show_table(outcome)
        for printed in experiment.printed:
            show_printed(outcome, printed)


def show_table(outcome: Outcome) -> None:
    """What is drawn, as a table in percent; the download has all rows."""
    experiment = outcome.experiment
    show_numbers(
        claims.readable(outcome.drawn, experiment.chart),
        key=f"table-{experiment.id}",
        alt=f"The table of {label(experiment.id)}",
    )
    if len(outcome.drawn) < len(outcome.table):
        note(claims.rest_of(outcome))
    download(outcome.table, outcome.signature, experiment.id)


def show_printed(outcome: Outcome, printed: Printed) -> None:
    """The figures of one of the paper's tables, each beside the computed one."""
    experiment, beside = outcome.experiment, outcome.beside(printed)
    source = experiment.source_of(printed)
    subtitle(f"As printed: {printed.title}")
    show_numbers(
        claims.printed_and_computed(beside),
        key=f"printed-{experiment.id}-{printed.where}",
        alt=f"The figures that {source} prints, beside the computed ones",
    )
    download(beside, f"Printed in {source}", experiment.id, printed.where)
