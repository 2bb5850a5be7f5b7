"""Perturb: what does this damage (or repair) do to each metric?"""

from typing import Any

import streamlit as st

from corescore.analysis.perturbation import LEFT_BEHIND, PERTURBATIONS, Dosed, Perturbation
from corescore.analysis.perturbation.effects import expectation, expectation_table, mention_changes
from corescore.analysis.perturbation.perturbation import MOST
from corescore.corpus.formats import FORMATS
from corescore.corpus.problems import InputError, PolicyError
from corescore.metrics import HOW_MANY, METRIC_IDS
from corescore.plots import perturb_charts
from corescore.rendering import html as markup
from corescore.rendering.files import file_name
from corescore.scoring.tables import change_table
from corescore.sentences import scores as sentences
from corescore.sentences.names import CHOICES
from corescore.wording import RATIOS, counted
from dashboard.components import passages
from dashboard.components.assets import asset
from dashboard.session import state
from dashboard.session.state import System
from dashboard.views import effects, perturbing
from dashboard.views.perturbing import Perturbed, Steps
from dashboard.widgets import choosing
from dashboard.widgets import downloads as take_along

FIRST = "more-precise"
DOSES = tuple(round(0.1 * at, 1) for at in range(11))
SECONDS = 0.4
WINDOW = 200
LABELS = {
    "share": "How much",
    "number": "Or how many",
    "of": "Which mentions",
    "type": "Of which type",
    "order": "Which first",
    "into": "Into which entity",
    "size": "Linked by",
    "sizes": "Into parts of",
    "singletons": "Parts of one mention too",
    "pair": "Which two entities",
}
FORMAT_NAMES = {"conll": "CoNLL", "jsonl": "JSON Lines", "notation": "brace notation"}


# The steps ----------------------------------------------------------------------------------------
# The box "do" holds them as text, and so does the URL; the widgets change that text.


def said() -> Steps:
    """The steps of the box; none, and why, if they cannot be read."""
    try:
        return perturbing.parse_steps(st.session_state["do"])
    except PolicyError as error:
        st.html(markup.paragraph(f"The steps cannot be read: {error}.", "problems"))
        return ()


def say(steps: list[Perturbation]) -> None:
    """Put the steps into the box."""
    st.session_state["do"] = perturbing.write_steps(steps)


def add_step() -> None:
    """Add the step that was chosen, and empty the box of choices."""
    chosen = st.session_state["add_step"]
    if chosen:
        say([*said(), PERTURBATIONS[chosen]()])
    st.session_state["add_step"] = None


def remove_step(at: int) -> None:
    """Take one step out."""
    say([step for number, step in enumerate(said()) if number != at])


def set_parameter(at: int, name: str, key: str) -> None:
    """Give a step another parameter; say what is wrong with it and keep the old one, if so."""
    steps = list(said())
    value = st.session_state[key]
    try:
        steps[at] = perturbing.with_parameter(steps[at], name, value)
        say(steps)
    except PolicyError as error:
        st.session_state["step_problem"] = str(error)


def show_step(at: int, step: Perturbation) -> None:
    """A step with its parameters."""
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(markup.paragraph(f"{at + 1}. {step.description}", "step"))
            st.button(
                "Remove", key=f"remove_{at}", on_click=remove_step, args=(at,), type="tertiary"
            )
        if step.parameters():
            with st.container(horizontal=True, vertical_alignment="bottom"):
                for name in step.parameters():
                    show_parameter(at, step, name)


def show_parameter(at: int, step: Perturbation, name: str) -> None:
    """A widget for one parameter of a step."""
    entry, value = step.parameters()[name], getattr(step, name)
    key, label = f"step_{at}_{step.id}_{name}", LABELS[name]
    choices = entry.metadata["choices"]
    common: dict[str, Any] = {
        "key": key,
        "help": entry.metadata["about"],
        "on_change": set_parameter,
        "args": (at, name, key),
    }
    if name == "share":
        st.session_state[key] = round(100 * value)
        is_counted = getattr(step, "number", None) is not None
        st.slider(label, 0, 100, step=5, format="%d %%", width=190, disabled=is_counted, **common)
    elif name == "number":
        st.session_state[key] = value
        st.number_input(label, 0, MOST, value=None, placeholder="by share", width=120, **common)
    elif choices:
        st.session_state[key] = value
        options = choices if value in choices else (*choices, value)
        st.selectbox(label, options, filter_mode=None, width=170, **common)
    elif isinstance(value, bool):
        st.session_state[key] = value
        st.toggle(label, **common)
    elif isinstance(value, int):
        st.session_state[key] = value
        st.number_input(label, 1, 40, width=110, **common)
    else:
        st.session_state[key] = value or ""
        st.text_input(label, placeholder=entry.metadata["about"], width=170, **common)


# What they do -------------------------------------------------------------------------------------


def download(perturbed: Perturbed, system: System) -> None:
    """The perturbed output as a file, first of all in the format that it was read from."""
    of = state.format_of_system(loaded, system)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Written as",
            [of, *(known for known in FORMATS if known is not of)],
            format_func=lambda known: FORMAT_NAMES[known.id],
            key=f"written_as {system.name}",
            filter_mode=None,
            width=150,
        )
        try:
            text = chosen.write(perturbed.corpus)
        except InputError as error:
            found = f"It cannot be written as {FORMAT_NAMES[chosen.id]}: {error}"
            st.html(markup.paragraph(found, "note"))
            return
        st.download_button(
            "Download the perturbed output",
            text,
            file_name=f"{file_name(system.name, 'perturbed')}{chosen.suffixes[0]}",
            on_click="ignore",
        )


def show_text() -> None:
    """A document before and after on the same words, the most changed first."""
    changed = perturbed.changed
    name = st.selectbox(
        "Document, the most changed first",
        list(changed),
        format_func=lambda one: f"{one}: {counted(changed[one], 'mention')}",
        key="changed_document",
        filter_mode=None,
        width=360,
    )
    before, after = (c[name] for c in (system.corpus, perturbed.corpus))
    words = before if before.words else after
    every = passages.of_changes(mention_changes(before, after))
    pieces = markup.windows(words, WINDOW)
    first = next((d.start for d in every if d.is_error), 0)
    above = st.container()
    number = passages.window_of(pieces, first)
    if len(pieces) > 1:
        number = st.pagination(len(pieces), default=number, key=f"changed_part_{name}")
    passage = st.components.v2.component(
        "corescore_changes", css=asset("passage.css"), js=asset("passage.js")
    )
    with above:
        passage(
            data=passages.passage(
                words, every, every, pieces[number - 1], sides=passages.BEFORE_AND_AFTER
            ),
            key=f"changes_{name}_{number}",
        )
    st.html(signature)


def show_curves() -> None:
    """The curves of the last step, as far as they have got."""
    measure = st.session_state["curves_of"]
    if job.runs:
        st.plotly_chart(
            perturb_charts.curves(job.curves(measure), measure),
            config=take_along.pictures("curves", measure, system.name),
            key="curves",
            alt=f"{RATIOS[measure]} of the {HOW_MANY} metrics by dose.",
        )
    if job.is_done:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(job.share, f"{len(job.runs)} of {len(job.sweep)} runs")
        st.button("Stop", on_click=job.stop)


@st.fragment(run_every=SECONDS)
def watch_curves() -> None:
    """The curves while they grow; the page is drawn once more when they are done."""
    show_curves()
    if job.is_done:
        st.rerun()


loaded = state.loaded()
st.title("What does this damage (or repair) do to each metric?", anchor=False)
headline = st.container()
if loaded.systems[0].result.policies.repeats == "all":
    headline.html(markup.paragraph(sentences.REPEATED_PERTURBED, "headline"))
    st.stop()
left, right = st.container(key="perturbed").columns([1, 2.1], gap="medium")
with left:
    letter = choosing.choose_letter("Perturb", loaded)
    steps_place = st.container()
    st.selectbox(
        "Add a step",
        list(PERTURBATIONS),
        index=None,
        format_func=lambda name: PERTURBATIONS[name].about,
        placeholder="Choose what to do next",
        key="add_step",
        on_change=add_step,
        filter_mode=None,
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = st.number_input(
            "Seed", 0, 10**6, value=1, key="seed", bind="query-params", width=110
        )
        left_behind = st.selectbox(
            "Mentions left alone",
            LEFT_BEHIND,
            format_func=CHOICES.__getitem__,
            key="left_behind",
            bind="query-params",
            filter_mode=None,
            width=190,
        )
    st.text_input(
        "The steps as text",
        value=FIRST,
        key="do",
        bind="query-params",
        help="As on the command line, with ; between: more-precise; drop:share=0.2",
    )
    download_place = st.container()
system = loaded.system(letter)
with steps_place:
    steps = said()
    problem = st.session_state.pop("step_problem", None)
    if problem:
        st.html(markup.paragraph(f"The step stays as it was: {problem}.", "problems"))
    for at, step in enumerate(steps):
        show_step(at, step)

perturbed = perturbing.perturbed(
    loaded, system, perturbing.write_steps(steps), seed=seed, left_behind=left_behind
)
before, after = system.result, perturbed.result
signature = markup.paragraph(effects.signature(before, steps, seed, left_behind), "signature")
changes = change_table(before, after)
expected = expectation_table(before, after, expectation(steps))
headline.html(
    markup.paragraph(effects.headline(system, perturbed.corpus, steps, changes), "headline")
)
with right:
    st.plotly_chart(
        perturb_charts.before_and_after(changes),
        config=take_along.pictures("before-and-after", system.name),
        key="before_after",
        alt=f"Precision, F1 and recall of the {HOW_MANY} metrics before and after.",
    )
    st.html(effects.expectations(expected, changed=bool(perturbed.changed)) + signature)
with download_place:
    download(perturbed, system)

st.subheader("Before and after, in numbers", anchor=False)
rows = changes.loc[[*METRIC_IDS, "conll"]]
st.html(markup.change_rows(rows, after="after", caption="Before and after", expected=expected))
said_of = effects.signature(before, steps, seed, left_behind)
take_along.table(changes.reset_index(), said_of, "before-and-after", system.name)

last = steps[-1] if steps else None
if isinstance(last, Dosed):
    st.subheader("How much of it?", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choosing.choose_measure("Curves of", key="curves_of")
        n_seeds = st.number_input(
            "Seeds", 1, 100, value=10, key="seeds", bind="query-params", width=110
        )
    before_it = perturbing.write_steps(steps[:-1])
    earlier = perturbing.perturbed(loaded, system, before_it, seed=seed, left_behind=left_behind)
    job = perturbing.job(
        earlier,
        last,
        doses=DOSES,
        seeds=n_seeds,
        left_behind=left_behind,
        of=(system.stamps, repr(before.policies), before_it, seed),
    )
    st.html(markup.paragraph(effects.curves(steps, job), "note"))
    if job.is_done:
        show_curves()
        curve = job.curves(st.session_state["curves_of"])
        take_along.table(curve, job.sweep.signature, "curves", system.name)
    else:
        watch_curves()
        st.html(markup.paragraph(job.sweep.signature, "signature"))

st.subheader("What changed in the text", anchor=False)
if perturbed.changed:
    show_text()
else:
    st.html(markup.paragraph("No document changed.", "note"))
