"""What the sandbox holds in this session, its edits, and its link.

The history of toys, the metric, the measure and the exercise are kept in the session. What is shown
now also stands in the URL; a URL that says something else, because of a link or the browser's Back,
is followed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal
from urllib.parse import parse_qsl

import streamlit as st

from corescore.corpus.problems import InputError, PolicyError, choose
from corescore.counting.counts import MEASURES
from corescore.metrics import METRIC_IDS, name_of
from corescore.teaching.examples import EXAMPLES, query_of, toy_of
from corescore.teaching.exercises import EXERCISES, Exercise
from corescore.teaching.toy import History, Toy
from corescore.wording import RATIOS
from dashboard.session import url_names
from dashboard.session.state import Slot, State

KEY, RESPONSE, SENTENCE = TEXTS = ("toy_key", "toy_response", "toy_sentence")
METRIC, MEASURE, EXAMPLE = "toy_metric", "toy_measure", "toy_example"
_PARAMS = ("t", "k", "r", "m", "x", "s")
_BY_ID = {exercise.id: exercise for exercise in EXERCISES}


@dataclass(frozen=True)
class Sandbox:
    """What the page shows.

    problems  what is wrong with a link, a typed text or an edit, a line each
    wrong     which of these it is
    typed     what was typed and cannot be read, by the box; it stays there
    url       our parameters of the URL when it was last read or written
    is_new    whether something was done that the URL does not say yet
    taken     the number of the last edit made in the boxes that was taken over
    """

    history: History
    metric: str = "bcub"
    measure: str = "f1"
    exercise: Exercise | None = None
    problems: tuple[str, ...] = ()
    wrong: Literal["", "link", "text", "edit"] = ""
    typed: Mapping[str, str] = field(default_factory=dict)
    url: Mapping[str, str] | None = None
    is_new: bool = False
    taken: int = 0

    @property
    def toy(self) -> Toy:
        return self.history.toy

    @property
    def texts(self) -> dict[str, str]:
        """What is in the text boxes."""
        toy = self.toy
        texts = (toy.key_notation, toy.response_notation, toy.text)
        return {**dict(zip(TEXTS, texts, strict=True)), **self.typed}

    @property
    def score_name(self) -> str:
        """The score that moves are about."""
        return f"{name_of(self.metric)} {RATIOS[self.measure]}"

    @property
    def signature(self) -> str:
        """The policies, and the score that moves are about."""
        return f"{self.toy.result.signature} | {self.score_name}"

    @property
    def query(self) -> str:
        """The end of a link to what is shown."""
        exercise = self.exercise.id if self.exercise else ""
        link = query_of(self.toy, metric=self.metric, exercise=exercise)
        return link if self.measure == "f1" else f"{link}&s={self.measure}"

    @property
    def params(self) -> dict[str, str]:
        """The same by parameter."""
        return dict(parse_qsl(self.query, keep_blank_values=True))


class _State(State):
    """What the page shows, also in its widgets."""

    sandbox = Slot(Sandbox(History((EXAMPLES[0].toy,))))
    toy_metric = Slot("")
    toy_measure = Slot("")
    toy_example: Slot[str | None] = Slot(None)


_state = _State()


def current() -> Sandbox:
    """What is shown."""
    return _state.sandbox


def keep(shown: Sandbox) -> None:
    """Keep what is shown; the switches follow."""
    _state.sandbox = shown
    _state.toy_metric, _state.toy_measure = shown.metric, shown.measure


# The URL ------------------------------------------------------------------------------------------


def enter() -> None:
    """Follow the URL where it says something new; call it once a run, before all widgets."""
    url = {name: st.query_params[name] for name in _PARAMS if name in st.query_params}
    has_arrived, _state.has_arrived = _state.has_arrived, False
    shown = current()
    if shown.url is not None and (url == shown.url or (has_arrived and not url)):
        if has_arrived:
            keep(replace(shown, url=url, is_new=True))
        return
    try:
        # Raises InputError and PolicyError for a URL that cannot be followed.
        exercise = _BY_ID[choose("exercise", url["x"], _BY_ID)] if "x" in url else None
        start = exercise.start if exercise else EXAMPLES[0].toy
        toy = toy_of(url) if "k" in url or "r" in url else start
        fresh = shown.url is None or (exercise is not None and exercise != shown.exercise)
        shown = replace(
            shown,
            history=History((toy,)) if fresh else shown.history.then(toy),
            metric=choose(
                "metric", url.get("m", exercise.metric if exercise else "bcub"), METRIC_IDS
            ),
            measure=choose("measure", url.get("s", "f1"), MEASURES),
            exercise=exercise,
            problems=(),
            typed={},
        )
    except (InputError, PolicyError) as error:
        shown = replace(shown, problems=tuple(str(error).splitlines()), wrong="link")
    keep(replace(shown, url=url, is_new=False))


def write_url() -> None:
    """Write what is shown into the URL, once something was done."""
    shown = current()
    if not shown.is_new:
        return
    params = shown.params
    url_names.write_url({**dict.fromkeys(_PARAMS), **params})
    keep(replace(shown, url=params, is_new=False))


# What is done -------------------------------------------------------------------------------------


def do(edit: Callable[[Toy], Toy], *, typed: Mapping[str, str] | None = None) -> None:
    """Apply an edit to the toy; if it cannot be, say why.

    typed  what is in the text boxes that the edit reads
    """
    shown = current()
    try:
        toy = edit(shown.toy)
    except (InputError, PolicyError) as error:
        problems = tuple(str(error).splitlines())
        wrong: Literal["text", "edit"] = "edit" if typed is None else "text"
        keep(replace(shown, problems=problems, wrong=wrong, typed=typed or shown.typed))
    else:
        _go(shown.history.then(toy))


def undo() -> None:
    """Go back to the toy before."""
    _go(current().history.undone())


def redo() -> None:
    """Go to the toy after."""
    _go(current().history.redone())


def _go(history: History) -> None:
    keep(replace(current(), history=history, problems=(), typed={}, is_new=True))


def open_toy(toy: Toy) -> None:
    """Show another toy; this can be undone."""
    do(lambda _: toy)


def take_text(name: str) -> None:
    """Read the text box that has changed; what is no toy stays as typed, with the reason."""
    texts = {**current().texts, name: st.session_state[name]}
    do(lambda _: Toy.of(*texts.values()), typed=texts)


def take_example() -> None:
    """Open the selected example."""
    example = next((e for e in EXAMPLES if e.name == _state.toy_example), None)
    _state.toy_example = None
    if example:
        leave_exercise()
        open_toy(example.toy)


def take_metric() -> None:
    """Take over the selected metric and measure."""
    metric, measure = _state.toy_metric, _state.toy_measure
    keep(replace(current(), metric=metric, measure=measure, is_new=True))


def leave_exercise() -> None:
    """Leave the exercise; the toy stays."""
    keep(replace(current(), exercise=None, is_new=True))
