"""Perturb: what does this damage (or repair) do to each metric?"""

import pandas as pd
import streamlit as st

from corescore.analysis.perturbation import LEFT_BEHIND, Dosed
from corescore.analysis.perturbation.effects import NOT_FALL, expectation, expectation_table
from corescore.corpus.files import WRITTEN
from corescore.corpus.problems import InputError
from corescore.metrics import CONLL, HOW_MANY, METRIC_IDS
from corescore.plots import scores as score_plots
from corescore.rendering import html as markup
from corescore.rendering import papers
from corescore.rendering.tables import file_name
from corescore.scoring.tables import change_table, opposite_changes
from corescore.sentences import errors as of_errors
from corescore.sentences import perturbation as sentences
from corescore.sentences.names import CHOICES
from corescore.wording import counted, incorrectly_resolved
from dashboard.components.passage import mentions
from dashboard.components.passage.component import show_passage
from dashboard.components.passage.passage import passage
from dashboard.session import analyses, scoring
from dashboard.session.loaded import Loaded, loaded_systems
from dashboard.views.perturb.shown import Shown
from dashboard.views.perturb.steps import FIRST_SEED, add_step, edit_text, show_steps
from dashboard.views.perturb.sweep import show_curves
from dashboard.widgets.charts import chart, kept
from dashboard.widgets.downloads import offer
from dashboard.widgets.link_values import whole_number
from dashboard.widgets.on_demand import is_wanted
from dashboard.widgets.page import headline, note, subtitle, title
from dashboard.widgets.selection import select_letter
from dashboard.widgets.tables import download

WINDOW = 200  # words
_before_and_after = kept(score_plots.before_and_after)
IN_NUMBERS = "Before and after, in numbers"


def page() -> None:
    """Perturb a response step by step."""
    loaded = loaded_systems()
    place = title("What does this damage (or repair) do to each metric?")
    if loaded.policies.keeps_repeats:
        with place:
            headline(sentences.REPEATED)
        return
    left, right = st.container(key="perturbed").columns([1, 2.1], gap="medium")
    with left:
        shown = select(loaded)
        file = st.container()
    before, after = shown.system.result, shown.perturbed.result
    changes = change_table(before, after)
    expected = expectation_table(before, after, expectation(shown.steps))
    with place:
        show_effect(shown, changes)
    other = shown.other_reading
    others = None if other is None else change_table(before, other.perturbed.result)
    with right:
        show_change(shown, changes, expected, others)
    show_numbers(shown, changes, expected, others)
    place_of_curves = st.container()
    show_text(shown)
    with file:
        show_download(shown)
    last = shown.steps[-1] if shown.steps else None
    if isinstance(last, Dosed):  # when all else has been sent: the sweep takes its time from it
        with place_of_curves:
            curves = show_curves(shown, last)
        curves.watch()


def select(loaded: Loaded) -> Shown:
    """The system, the steps and how they are applied."""
    letter = select_letter("Perturb", loaded)
    steps_place = st.container()
    add_step()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = whole_number("Seed", 0, 10**6, FIRST_SEED, key="seed")
        left_behind = st.selectbox(
            "Mentions left alone",
            LEFT_BEHIND,
            format_func=CHOICES.__getitem__,
            key="left_behind",
            bind="query-params",
            filter_mode=None,
            width=190,
        )
    edit_text()
    with steps_place:
        steps = show_steps()
    return Shown(loaded, loaded.system(letter), steps, seed, left_behind)


def show_download(shown: Shown) -> None:
    """The perturbed response as a file, by default in the format that it was read from."""
    of = scoring.format_of_system(shown.loaded, shown.system)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        selected = st.selectbox(
            "Written as",
            sorted(WRITTEN, key=lambda known: known is not of),
            format_func=lambda known: known.title,
            key=f"written_as {shown.system.name}",
            filter_mode=None,
            width=150,
        )
        if not is_wanted(shown.loaded, "Write the perturbed response", key="perturbed"):
            return
        text = shown.written(selected)
        if isinstance(text, InputError):
            note(f"It cannot be written as {selected.title}: {text}")
            return
        ending = selected.suffixes[0].removeprefix(".")
        name = f"{file_name(shown.system.name, 'perturbed')}.{ending}"
        offer("Download the perturbed response", lambda: text, name)
    for warning in selected.left_out(shown.perturbed.corpus):
        note(warning)


def show_effect(shown: Shown, changes: pd.DataFrame) -> None:
    """What the steps did, in a sentence."""
    system = shown.system
    if shown.steps:
        after = shown.perturbed.corpus
        headline(sentences.effect(system.title, system.corpus, after, changes))
    else:
        headline(f"Nothing is done to {system.title} yet: add a step.")


def show_change(
    shown: Shown, changes: pd.DataFrame, expected: pd.DataFrame, others: pd.DataFrame | None
) -> None:
    """The scores before and after, and which metrics do what they should.

    others  the changes under the other reading of incorrectly resolved mentions, if there is one
    """
    chart(
        _before_and_after(changes, others, _other_is(shown)),
        "before-and-after",
        shown.system.name,
        key="before_after",
        alt=f"Recall, precision and F1 of the {HOW_MANY} metrics before and after.",
        rows=IN_NUMBERS,
    )
    is_changed = bool(shown.perturbed.changed)
    st.html(papers.expectations(expected, changed=is_changed))
    _show_readings(shown, changes, others)


def _show_readings(shown: Shown, changes: pd.DataFrame, others: pd.DataFrame | None) -> None:
    """How many mentions are incorrectly resolved, and what the other reading changes."""
    if shown.incorrect is None:
        return
    found = incorrectly_resolved(*analyses.n_incorrectly_resolved(shown.system))
    note(f"Before any step, {shown.system.title} has {found}.")
    if others is not None and (other := of_errors.other_reading(shown.incorrect, changes, others)):
        note(other)
    if others is not None and expectation(shown.steps).recall == NOT_FALL:
        note(sentences.LEFT_ALONE)


def _other_is(shown: Shown) -> str:
    """Which incorrectly resolved mentions the other reading has."""
    return of_errors.READINGS["linked" if shown.incorrect == "all" else "all"]


def show_numbers(
    shown: Shown, changes: pd.DataFrame, expected: pd.DataFrame, others: pd.DataFrame | None
) -> None:
    """The same in numbers; those of the other reading if a change has the opposite sign there."""
    subtitle(IN_NUMBERS)
    every = [*METRIC_IDS, CONLL.id]
    caption = "Before and after"
    st.html(
        markup.change_rows(changes.loc[every], after="after", caption=caption, expected=expected)
    )
    if others is not None and opposite_changes(changes, others):
        caption = f"{caption}, with {_other_is(shown)}"
        note(f"{caption}:")
        st.html(markup.change_rows(others.loc[every], after="after", caption=caption))
    name = shown.system.name
    download(changes.reset_index(), shown.signature, "before-and-after", name)


def show_text(shown: Shown) -> None:
    """A document before and after on the same words, the most changed first."""
    subtitle("What changed in the text")
    changed = shown.perturbed.changed
    if not changed:
        note("No document changed.")
        return
    name = st.selectbox(
        "Document, the most changed first",
        list(changed),
        format_func=lambda one: f"{one}: {counted(changed[one], 'mention')}",
        key="changed_document",
        filter_mode=None,
        width=360,
    )
    before, after = shown.system.corpus[name], shown.perturbed.corpus[name]
    at = [*shown.system.corpus.by_name].index(name)  # keys must not be made of names
    words = before if before.words else after
    every = shown.drawn(name)
    pieces = markup.windows(words, WINDOW)
    above = st.container()
    first_change = next((d.start for d in every if d.is_error), 0)
    number = mentions.window_of(pieces, first_change)
    if len(pieces) > 1:
        number = st.pagination(len(pieces), default=number, key=f"changed_part_{at}")
    with above:
        show_passage(
            passage(words, every, every, pieces[number - 1], sides=mentions.BEFORE_AND_AFTER),
            key=f"changes_{at}_{number}",
        )
