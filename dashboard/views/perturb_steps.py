"""The steps of a perturbation. The text box and the URL hold them as text, which widgets change."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from corescore import Corpus, InputError, Result
from corescore.analysis.perturbation import (
    LEFT_BEHIND,
    PERTURBATIONS,
    parse_perturbation,
    perturb,
    unperturbed,
)
from corescore.analysis.perturbation.base import Perturbation
from corescore.analysis.perturbation.sweep import changed_documents, mention_changes, other_reading
from corescore.corpus.files import Format
from corescore.corpus.problems import PolicyError
from corescore.scoring.scores import score
from dashboard.components.mentions import Drawn, of_changes, with_pieces
from dashboard.session.caching import cached
from dashboard.session.loaded import Loaded, System
from dashboard.session.scoring import format_of_system
from dashboard.session.state import state
from dashboard.widgets.page import plain, say, side_by_side
from dashboard.widgets.selection import typed

Steps = tuple[Perturbation, ...]

FIRST = "more-precise"

FIRST_SEED = 1

BETWEEN = ";"

A_FIFTH = 20  # percent

BEGINS_WITH_A_FIFTH = ("drop", "drop-entities", "move", "merge")  # all of it leaves no correct link

LABELS = {
    "share": "How much",
    "number": "Or how many",
    "of": "Which mentions",
    "incorrect": "Incorrectly resolved",
    "type": "Of which type",
    "order": "Which first",
    "into": "Into which entity",
    "size": "Linked by",
    "sizes": "Into parts of",
    "singletons": "Parts of one mention too",
    "pair": "Which two entities",
}


def parse_steps(text: str) -> Steps:
    """Perturbations as the URL holds them: "more-precise; drop:share=0.2". Raises PolicyError."""
    return tuple(parse_perturbation(part.strip()) for part in text.split(BETWEEN) if part.strip())


def write_steps(steps: Sequence[Perturbation]) -> str:
    """The inverse of `parse_steps`."""
    return f"{BETWEEN} ".join(step.spec for step in steps)


def edit_text() -> None:
    """The text box."""
    typed("do", FIRST)


def _read() -> Steps:
    """The steps of the text box; none, with the reason, if they cannot be read."""
    try:
        return parse_steps(state.steps)
    except PolicyError as error:
        say(f"The steps cannot be read: {error}.", "problems")
        return ()


def _write(steps: Sequence[Perturbation]) -> None:
    state.steps = write_steps(steps)


# Add, remove, set ---------------------------------------------------------------------------------


def add_step() -> None:
    """A box of perturbations; the one selected becomes the last step."""
    st.selectbox(
        "Add a step",
        list(PERTURBATIONS),
        index=None,
        format_func=lambda name: PERTURBATIONS[name].about,
        placeholder="Add a step",
        key="add_step",
        on_change=_add_selected,
        filter_mode=None,
        label_visibility="collapsed",
    )


def starting(name: str) -> Perturbation:
    """A perturbation as it is added: all of it, or a fifth where all would leave nothing to see."""
    step = PERTURBATIONS[name]()
    return with_parameter(step, "share", A_FIFTH) if name in BEGINS_WITH_A_FIFTH else step


def _add_selected() -> None:
    if state.add_step:
        _write([*_read(), starting(state.add_step)])
    state.add_step = None


def show_steps() -> Steps:
    """Each step with its parameters; the steps. Draw it below `edit_text`."""
    steps = _read()
    # Why a step was not changed: shown until the steps change, since the page may run again by
    # itself while the sweep is under way.
    text, problem = state.step_problem
    if problem and text == state.steps:
        say(f"The step stays as it was: {problem}.", "problems")
    for at, step in enumerate(steps):
        with side_by_side("center", key=f"step-{at}", gap="xsmall"):
            words = plain(f"{at + 1}. {step.description}")
            with st.popover(words, help=words, disabled=not step.kind.names):
                for name in step.kind.names:
                    _show_parameter(at, step, name)
            st.button("Remove this step", key=f"remove_{at}", on_click=_remove, args=(at,))
    return steps


def _remove(place: int) -> None:
    _write([step for number, step in enumerate(_read()) if number != place])


def _show_parameter(place: int, step: Perturbation, name: str) -> None:
    """A widget for one parameter of a step, set to its value."""
    entry, value = step.kind.parameters[name], getattr(step, name)
    label, about, choices = LABELS[name], entry.metadata["about"], entry.metadata["choices"]
    key = f"step_{place}_{step.kind.id}_{name}"
    st.session_state[key] = _in_widget(name, value)

    def change() -> None:
        # Give a step another parameter; keep the old one and say why if that cannot be.
        steps = list(_read())
        try:
            steps[place] = with_parameter(steps[place], name, st.session_state[key])
            _write(steps)
            state.step_problem = "", ""
        except PolicyError as error:
            state.step_problem = state.steps, str(error)

    looks: dict[str, Any] = {"key": key, "help": about, "on_change": change}
    if name == "share":
        has_number = step.number is not None
        st.slider(
            label,
            0,
            100,
            step=5,
            format="%d%%",
            width=190,
            disabled=has_number,
            **looks,
        )
    elif name == "number":
        st.number_input(
            label,
            0,
            value=None,
            placeholder="by share",
            width=120,
            **looks,
        )
    elif choices:
        options = choices if value in choices else (*choices, value)
        st.selectbox(label, options, filter_mode=None, width=170, **looks)
    elif isinstance(value, bool):
        st.toggle(label, **looks)
    elif isinstance(value, int):
        st.number_input(label, 1, 40, width=110, **looks)
    else:
        st.text_input(label, placeholder=about, width=170, **looks)


def _in_widget(name: str, value: object) -> object:
    """A parameter's value as its widget has it: a share in percent, no word as an empty one."""
    if isinstance(value, float):
        return round(100 * value)
    return "" if value is None and name != "number" else value


def with_parameter(step: Perturbation, name: str, value: object) -> Perturbation:
    """The step with another value, as its widget has it. A share and a number exclude each other.

    Raises PolicyError for a value out of its range.
    """
    if name == "share" and isinstance(value, int):
        return step.at(value / 100)
    if name == "number":
        number = value if isinstance(value, int) else None
        return replace(step, share=Perturbation.share, number=number)
    values: dict[str, Any] = {name: None if value == "" else value}
    return replace(step, **values)


# Perturbed responses, cached by their files, policies and steps -----------------------------------


@dataclass(frozen=True)
class Perturbed:
    """A response after some perturbations, and its score.

    before   the response, without singletons if the policies drop them
    changed  how many mentions are removed, new or moved in each document with any
    """

    corpus: Corpus
    result: Result
    before: Corpus
    changed: Mapping[str, int] = field(default_factory=dict)


class Applied(NamedTuple):
    """Steps, as text, and how they are applied."""

    steps: str
    seed: int = FIRST_SEED
    left_behind: str = LEFT_BEHIND[0]


@cached(24, "Perturbing and scoring")
def perturbed(loaded: Loaded, system: System, applied: Applied) -> Perturbed:
    """A system's response after the steps; unchanged if there are none."""
    if not applied.steps:
        return Perturbed(system.corpus, system.result, system.corpus)
    policies = system.result.policies
    corpus = perturb(
        loaded.key,
        system.corpus,
        parse_steps(applied.steps),
        seed=applied.seed,
        left_behind=applied.left_behind,
        singletons=policies.singletons,
        words=policies.words,
    )
    result = score(loaded.key, corpus, policies.of_perturbed)
    before = unperturbed(system.corpus, policies)
    return Perturbed(corpus, result, before, changed_documents(before, corpus))


@cached(16)
def drawn(loaded: Loaded, system: System, applied: Applied, document: str) -> tuple[Drawn, ...]:
    """The mentions of a document before and after the steps, as the page draws them."""
    changed = perturbed(loaded, system, applied)
    before, after = changed.before[document], changed.corpus[document]
    return with_pieces(of_changes(mention_changes(before, after)), (before, after))


@cached(4, "Writing the perturbed response", by={Format: lambda known: known.id})
def written(loaded: Loaded, system: System, applied: Applied, known: Format) -> str | InputError:
    """The perturbed response in a format, or what of it the format cannot hold."""
    try:
        return known.text(perturbed(loaded, system, applied).corpus)
    except InputError as error:
        return error


def in_other_reading(system: System, steps: Steps) -> Steps:
    """The steps with the other reading of incorrectly resolved mentions; none if they have no
    single one, or if the key has no singletons, in which the readings differ."""
    has_singletons = (system.result.comparison.table.key_sizes == 1).any()
    return other_reading(steps) if has_singletons else ()


def at_first(loaded: Loaded) -> Iterator[Callable[[], object]]:
    """What computes all that the page shows before anything is selected on it."""
    if loaded.policies.keeps_repeats:
        return
    for system in loaded.systems:
        yield partial(format_of_system, loaded, system)
        yield partial(perturbed, loaded, system, Applied(FIRST))
        if other := in_other_reading(system, parse_steps(FIRST)):
            yield partial(perturbed, loaded, system, Applied(write_steps(other)))
