"""Sandbox: what if I move this mention?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl

import numpy as np
import streamlit as st

from corescore.corpus.problems import InputError, PolicyError, Problem, choose
from corescore.counting.counts import MEASURES
from corescore.metrics import METRIC_IDS, metric_of, name_of
from corescore.plots.scores import scores_of_toy
from corescore.rendering import classroom as toy_html
from corescore.rendering.columns import columns_of
from corescore.rendering.text import Table
from corescore.teaching import toy as edits
from corescore.teaching.criteria import COMMON
from corescore.teaching.examples import EXAMPLES, file_text, query_of, toy_of
from corescore.teaching.exercises import EXERCISES, LESSON, Exercise
from corescore.teaching.moves import what_if, what_if_table
from corescore.teaching.own import card_in_link, cards_text, of_toys
from corescore.teaching.toy import History, Toy
from corescore.wording import RATIOS
from dashboard.components.page import value_of
from dashboard.components.sandbox import boxes_of, sandbox_boxes
from dashboard.session import teaching
from dashboard.session.state import Slot, State, write_url
from dashboard.session.teaching import MADE
from dashboard.views import lesson
from dashboard.widgets.links import link_to_view
from dashboard.widgets.page import note, offer, question, say, side_by_side, subtitle
from dashboard.widgets.tables import clicked_cell, download, table

KEY, RESPONSE, SENTENCE = BOXES_OF_TEXT = ("toy_key", "toy_response", "toy_sentence")
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
        return {**dict(zip(BOXES_OF_TEXT, texts, strict=True)), **self.typed}

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
    """What the page shows, also in its widgets, and the toy that is kept as A."""

    sandbox = Slot(Sandbox(History((EXAMPLES[0].toy,))))
    toy_metric = Slot("")
    toy_measure = Slot("")
    card_a = Slot[Toy | None](None)
    toy_example = Slot[str | None](None)


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


def keep_in_url() -> None:
    """Write what is shown into the URL, once something was done."""
    shown = current()
    if not shown.is_new:
        return
    params = shown.params
    write_url({**dict.fromkeys(_PARAMS), **params})
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


# A card made of what the sandbox shows: A is what it began with, B what it is now -----------------

TEXTS = {
    "question": ("Question", "Both halves, or only one?"),
    "title": ("Title, shown with the answer", "CEAF does not see the second half"),
    "reason": ("Reason", "An entity of the key has one partner."),
}

ABOUT = (
    "A is the response before the first change, or the one you keep as A; B is the response as it "
    "is now. corescore dashboard --cards FILE opens a file of cards."
)


def show_maker() -> None:
    """The texts of a card; once all are there, the card as a link and as a file."""
    names = {one.id: one.name for one in COMMON}
    with st.expander("Make a card of this"):
        note(ABOUT)
        st.button("Keep this response as A", on_click=keep_as_a)
        texts = {
            name: st.text_input(label, placeholder=such, key=f"card_{name}")
            for name, (label, such) in TEXTS.items()
        }
        criterion = st.selectbox(
            "Better by", [*names], format_func=names.__getitem__, key="card_criterion"
        )
        if all(text.strip() for text in texts.values()):
            # The card as a link and as a file, or why it cannot be.
            history = current().history
            kept = _state.card_a
            before = kept if kept and kept.key == history.toy.key else history.toys[0]
            try:
                card = of_toys(before, history.toy, texts=texts, criterion=criterion)
            except InputError as error:
                st.html(toy_html.problems(str(error).splitlines(), done=False))
                return
            with side_by_side("center"):
                query = {MADE: card_in_link(card), "card": card.id}
                link_to_view("lesson", "Open the card to copy its link", **lesson.kept(query))
                offer(
                    "Card as a file", lambda: cards_text([card]), "cards.json", "application/json"
                )
        else:
            note("Fill in question, title and reason.")


def keep_as_a() -> None:
    """B is what follows."""
    _state.card_a = current().toy


# Every single move of the response, and the search for a worse response that scores higher --------


def show_what_if() -> None:
    """Every single move, ranked; a click applies it."""
    shown = current()
    moves = what_if(shown.toy, metric=shown.metric, measure=shown.measure)
    subtitle("What if: every single move")
    note(toy_html.what_if_sentence(moves, shown.metric, shown.measure))
    if not moves:
        return
    every = what_if_table(shown.toy, moves)
    key = f"toy_what_if {shown.query}"  # of this toy only: a row of another is another move

    def apply() -> None:
        if cell := clicked_cell(key):
            do(moves[cell[0]].applied)

    table(
        Table(toy_html.what_if_rows(every), columns_of("moves")),
        key=key,
        most=7,
        on_select=apply,
        alt="Every single move of the response, the greatest gain first.",
    )
    note("Click a row to make the move.")
    download(every, shown.signature, "sandbox", "moves")


# The edits that sandbox.js reports, taken over one after another ----------------------------------
# Each has a number. One may be reported several times, until the browser knows that it was taken
# over, and may have been made before the one ahead of it was drawn.


def take(reported: Sequence[Mapping[str, Any]] | None) -> None:
    """Apply the edits that are new, in order; say why where one cannot be."""
    problems: list[str] = []
    for edit in reported or ():
        number = int(edit["number"])
        if number <= current().taken:
            continue
        do(partial(_edited, edit))
        problems += current().problems
        keep(replace(current(), taken=number))
    if problems:
        shown = current()
        keep(replace(shown, problems=tuple(problems), wrong="edit"))


def _edited(edit: Mapping[str, Any], toy: Toy) -> Toy:
    side = edit["side"]

    def place(name: str) -> int:
        # The position of the entity that has most of these mentions.
        mentions = edit[name]
        entities = toy.key if side == "key" else toy.response
        shared = [len(set(entity) & set(mentions)) for entity in entities]
        if not any(shared):
            gone = f"the entity {', '.join(mentions)[:40]}"
            advice = "Choose another."
            raise InputError([Problem("the toy", 0, gone, "one that is still there", advice)])
        return shared.index(max(shared))

    match edit["do"]:
        case "move":
            is_entity = not isinstance(edit["to"], str)
            to = place("to") if is_entity else edit["to"]
            return edits.move(toy, edit["mention"], to, side=side)
        case "merge":
            return edits.merge(toy, place("into"), place("entity"), side=side)
        case "split":
            return edits.split(toy, place("entity"), side=side)
        case _:
            return edits.drop(toy, place("entity"), side=side)


STYLE = Path(__file__).with_name("sandbox_page.css")

BOXES = "toy_boxes"

FORMATS = {"conll": "CoNLL", "notation": "notation"}

SCALE = (
    "Percent. The small number is the change by the last move, and the dashed bar is F1 before it."
)

EDITS = {
    "Add a spurious one": edits.add_spurious,
    "Swap sides": edits.swap,
    "All singletons": edits.all_singletons,
    "One entity": edits.one_entity,
}


def page() -> None:
    """A toy that can be edited, with its scores."""
    question("What if I move this mention?")
    enter()
    lesson.dress()
    with st.container(key="sandbox"):
        st.html(STYLE)
        show()
    teaching.keep_in_tab()


@st.fragment
def show() -> None:
    """The page without its title: only this is drawn again after an edit."""
    keep_in_url()
    show_buttons()
    presents = lesson.is_presenting()
    if not presents:
        show_exercise()
    show_problems(typed=False)
    boxes, scores = st.columns([6, 5], gap="medium")
    with boxes:
        shown = current()
        news = toy_html.headline(shown.toy, shown.history.before)
        drawn = boxes_of(shown.toy, news=news, taken=shown.taken, is_dense=presents)
        sandbox_boxes(drawn, key=BOXES, on_edits=take)
    with scores:
        if presents:
            show_exercise()
        # The six scores, and what the last change did to them.
        history = current().history
        say(toy_html.headline(history.toy, history.before), "headline toy-headline")
        st.html(toy_html.scores(history.toy, history.before))
        if presents:
            return
        note(SCALE)
        download(
            history.toy.result.table.reset_index(),
            history.toy.result.signature,
            "sandbox",
            "scores",
            chart=lambda: scores_of_toy(history),
            signed=True,
        )
    # Key, response and sentence as text.
    texts = {
        KEY: ("Key as text", "Entities in braces: {abc}{d}, or {a1 a2} {b} for longer names."),
        RESPONSE: (
            "Response as text",
            "Entities in braces, like the key. If key or response has names of several letters, "
            "{abc} is one mention: write {a b c}.",
        ),
        SENTENCE: (
            "Sentence",
            "Mentions in brackets, each after its name: [a Mia] lost [b [a2 her] keys].",
        ),
    }
    # In every run: the browser may draw boxes whose values it was never sent.
    st.session_state.update(current().texts)
    for column, (name, (label, about)) in zip(st.columns([3, 3, 4]), texts.items(), strict=True):
        column.text_input(label, key=name, help=about, on_change=take_text, args=(name,))
    show_problems(typed=True)
    show_arithmetic()
    show_what_if()
    with st.expander("Download"):
        show_files()
    show_maker()


def undo() -> None:
    """Undo the last edit; one that is reported at the same time was made before."""
    take(value_of(BOXES, "edits"))
    _go(current().history.undone())


# Buttons and exercise -----------------------------------------------------------------------------


def show_buttons() -> None:
    """Examples, undo and redo, and the edits of the whole response; for a presenter what leads
    back, too, and no more than that."""
    shown, presents = current(), lesson.is_presenting()
    with side_by_side("center", gap="small"):
        if not presents:
            st.selectbox(
                "Example",
                [example.name for example in EXAMPLES],
                index=None,
                key=EXAMPLE,
                placeholder="Examples",
                on_change=take_example,
                label_visibility="collapsed",
                width=240,
            )
        st.button("Undo", on_click=undo, disabled=not shown.history.can_undo)
        st.button("Redo", on_click=redo, disabled=not shown.history.can_redo)
        if presents:
            show_ways_back()
            st.button("Leave the presentation", on_click=lesson.leave)
            return
        for label, edit in EDITS.items():
            st.button(label, on_click=do, args=(edit,))
        random = partial(edits.random_response, rng=np.random.default_rng())
        st.button("Random", on_click=do, args=(random,))


def show_exercise() -> None:
    """The goal of the exercise, if there is one."""
    shown = current()
    exercise = shown.exercise
    if exercise is None:
        return
    if exercise.progress(shown.toy)[0]:
        teaching.mark(exercise.id)
    with side_by_side("center", wrap=False):
        st.html(toy_html.exercise(exercise, shown.toy))
        if not lesson.is_presenting():
            show_ways_back()
            st.button("Leave the exercise", on_click=leave_exercise)


def show_ways_back() -> None:
    """To the start of the exercise, and to its step of the lesson."""
    exercise = current().exercise
    if exercise:
        st.button("Start again", on_click=open_toy, args=(exercise.start,))
    step = next((n for n, s in enumerate(LESSON, 1) if exercise and s.exercise == exercise), "")
    link_to_view("lesson", "Back to the lesson", **lesson.kept({"step": str(step)}))


def show_problems(*, typed: bool) -> None:
    """What is wrong with what was typed, or with the link or an edit."""
    shown = current()
    if shown.problems and (shown.wrong == "text") == typed:
        st.html(toy_html.problems(shown.problems, done=shown.wrong == "edit"))


# Scores, texts, arithmetic ------------------------------------------------------------------------


def show_arithmetic() -> None:
    """The selected metric, written out, below what selects it."""
    with side_by_side():
        for label, options, called, key in (
            ("The arithmetic of", METRIC_IDS, name_of, METRIC),
            ("Moves by", MEASURES, RATIOS.__getitem__, MEASURE),
        ):
            st.segmented_control(
                label, options, required=True, format_func=called, key=key, on_change=take_metric
            )
    shown = current()
    metric = metric_of(shown.metric)
    if metric.textbook:
        steps = metric.textbook(shown.toy.key, shown.toy.response)
        st.html(toy_html.arithmetic(steps, shown.toy))
    else:
        say(metric.no_textbook, "note")


def show_files() -> None:
    """A link to the toy, and the toy as files."""
    shown = current()
    st.code(f"{(st.context.url or '').partition('?')[0]}?{shown.query}", language=None)
    with st.container(horizontal=True):
        for format_, words in FORMATS.items():
            for side in ("key", "response"):
                offer(
                    f"{side.capitalize()} as {words}",
                    partial(file_text, shown.toy, side=side, format=format_),
                    f"toy.{side}.{'conll' if format_ == 'conll' else 'txt'}",
                )
