"""Experiments: do the published observations hold?"""

from collections import Counter
from collections.abc import Mapping, Sequence
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
from corescore.plots.experiments import change_table
from corescore.rendering import html as markup
from corescore.rendering import papers
from corescore.rendering import papers as sheets
from corescore.rendering.html import paragraph
from corescore.rendering.papers import erratum
from corescore.replication import Experiment
from corescore.replication.conformance import QUESTIONS, conformance
from corescore.replication.erratum import Erratum
from corescore.replication.experiment import Outcome, Parameter, Value, in_paper
from corescore.replication.experiment import run as run_experiment
from corescore.replication.papers import ERRATA, OPEN_READINGS, errata_table, kinds_told
from corescore.replication.printed import Printed
from corescore.sentences.names import CHOICES
from corescore.sentences.verdicts import overall
from corescore.version import __version__
from corescore.wording import capital
from dashboard.session.caching import cached
from dashboard.session.loaded import BY_CONTENT, System, is_loaded, loaded_systems
from dashboard.session.url_names import page_named
from dashboard.widgets.charts import chart
from dashboard.widgets.page import headline, note, plain, subtitle, title
from dashboard.widgets.selection import refuse_other_numbers, select_letter
from dashboard.widgets.tables import download, numbers


@cached(max_entries=64, by={**BY_CONTENT, Experiment: lambda experiment: experiment.id})
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
def errata(experiment: str) -> pd.DataFrame:
    """Errata and open readings that an experiment computes:
    `corescore.replication.papers.errata_table`."""
    return errata_table(one for one in (*ERRATA, *OPEN_READINGS) if one.experiment == experiment)


@cached()
def conformance_sheet() -> pd.DataFrame:
    """What each of the six can and cannot tell: `corescore.replication.conformance`."""
    return conformance(METRICS)


# The experiments by their names in the URL, and the way from one to another -----------------------

SELECTED = "experiment"

CLAIMS = "claims"

BETWEEN = ","

SHEET = "conformance"

SHEET_TITLE = "What each metric can and cannot tell"


def experiments() -> dict[str, Experiment]:
    """All experiments by their ids."""
    return {experiment.id: experiment for experiment in replication.EXPERIMENTS}


def rename() -> None:
    """Put the ids that experiments have now into a URL that has former ones, and start again."""
    before = st.query_params.get(SELECTED, "")
    name = replication.current(before)
    if name != before:
        given = st.query_params.to_dict() | {SELECTED: name}
        renamed = {key.replace(f"{before}-", f"{name}-", 1): given[key] for key in given}
        st.query_params.from_dict(renamed)
        st.rerun()


def link_to_claims(name: str, claims: Sequence[str]) -> None:
    """A link to an experiment, with these of its claims marked."""
    query = {SELECTED: name}
    if claims:
        query[CLAIMS] = BETWEEN.join(claims)
    label = plain(f"See {experiments()[name].where}")
    st.page_link(page_named("experiments"), label=label, query_params=query)


def claims_in_url() -> list[str]:
    """The ids of the claims that the URL names."""
    return st.query_params.get(CLAIMS, "").split(BETWEEN)


def open_(name: str) -> None:
    """Go to an experiment or the sheet; with an empty name, to the gallery."""
    st.query_params.pop(CLAIMS, None)
    if name:
        st.query_params[SELECTED] = name
    else:
        st.query_params.pop(SELECTED, None)


def label(name: str) -> str:
    """An experiment or the sheet, as a line of a list."""
    if name == SHEET:
        return SHEET_TITLE
    experiment = experiments()[name]
    return f"{experiment.paper.at(experiment.where)}: {experiment.title}"


def show_navigation(name: str) -> None:
    """The way to the gallery, to any other experiment, and to its neighbours."""
    names = [*experiments(), SHEET]
    at = names.index(name)
    before, after = names[at - 1], names[(at + 1) % len(names)]
    st.session_state["experiment_box"] = name
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("All experiments", key="all_experiments", on_click=open_, args=("",))
        st.selectbox(
            "Experiment",
            names,
            format_func=label,
            key="experiment_box",
            on_change=lambda: open_(st.session_state["experiment_box"]),
            label_visibility="collapsed",
        )
        st.button("Previous", key="previous", on_click=open_, args=(before,))
        st.button("Next", key="next", on_click=open_, args=(after,))


# All experiments by paper; their claims are checked once all are shown ----------------------------


def show_gallery() -> None:
    """The experiments in two columns, a paper below the other."""
    every = list(experiments().values())
    headline = title("Do the published observations hold?").empty()
    headline.html(markup.headline(overall([], n_waiting=len(every))))
    columns = st.container(key="gallery").columns(2, gap="large")
    heights = [0, 0]
    slots: dict[str, DeltaGenerator] = {}
    for paper, group in groupby(every, key=lambda experiment: experiment.paper):
        of_paper = list(group)
        lower = heights.index(min(heights))
        heights[lower] += len(of_paper) + 2
        with columns[lower]:
            st.html(papers.heading(paper.name, paper.full_title))
            slots |= {experiment.id: row(experiment) for experiment in of_paper}
    with columns[heights.index(min(heights))]:
        st.html(
            papers.heading("All papers", f"{len(QUESTIONS)} questions to each of the {HOW_MANY}")
        )
        st.button(SHEET_TITLE, key=f"open-{SHEET}", on_click=open_, args=(SHEET,), type="tertiary")
    with st.container(key="ahead"):  # not shown: the charts' code loads while one reads
        st.plotly_chart(template.nothing(), key="nothing")
    check_all(headline, every, slots)


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


def _is_a_claim(erratum: Erratum) -> bool:
    return erratum.kind == "statement" and bool(erratum.claims)


def check_all(
    headline: DeltaGenerator, every: list[Experiment], slots: dict[str, DeltaGenerator]
) -> None:
    """Run what needs no data, one after the other, and say what holds; below it how many errata
    there are, but for those of statements that a claim checks: it does not hold."""
    waiting = [experiment for experiment in every if not experiment.on_data]
    n_errata = Counter(one.experiment for one in ERRATA if not _is_a_claim(one))
    checked = []
    for n, experiment in enumerate(waiting, 1):
        checked.append(outcome_of(experiment).checks)
        tally = papers.tally_line(checked[-1], n_errata=n_errata[experiment.id])
        slots[experiment.id].html(tally)
        headline.html(markup.headline(overall(checked, n_waiting=len(waiting) - n)))


# The conformance sheet: questions to every metric -------------------------------------------------

SIGNATURE = f"corescore {__version__} | {SHEET_TITLE} | made-up partitions"


def show_sheet() -> None:
    """A row for each question, a column for each metric."""
    title(SHEET_TITLE)
    with st.spinner(f"Putting the questions to the {HOW_MANY}"):
        sheet = conformance_sheet()
    headline(sheets.sheet_sentence(sheet))
    st.html(sheets.sheet_rows(sheet))
    note(sheets.SHEET_NOTE)
    subtitle("The numbers behind the answers")
    shown = sheets.sheet_numbers(sheet)
    numbers(shown, key="sheet_numbers", alt="What each answer was read from")
    download(sheet, SIGNATURE, SHEET)


# One experiment: set-up, parameters, chart beside claims, table, the published numbers ------------

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
    every = errata(experiment.id)
    for words, of in (
        ("What does not come out under any reading", every[every["is_off"]]),
        ("What depends on the reading", every[~every["is_off"]]),
    ):
        rows = of.to_dict("records")
        if rows:
            subtitle(words)
            for row in rows:
                st.html(erratum(row))


def page() -> None:
    """The experiment or sheet that the URL names, or the gallery of all."""
    rename()
    name = st.query_params.get(SELECTED, "")
    if name in experiments():
        show_navigation(name)
        show_experiment(experiments()[name])
    elif name == SHEET:
        show_navigation(name)
        show_sheet()
    else:
        if name:
            headline(f"There is no experiment “{name}”. These are all.")
        show_gallery()
