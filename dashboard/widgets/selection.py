"""What is selected on more than one page: the document, the system, the metric, the mention.

A selection is in the URL and is kept from page to page. The document and the mention are a `Place`:
`enter` reads it from the URL or, where that has none, takes the last one, and `select` alone writes
it there, so that Back and Forward find it.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import pandas as pd
import streamlit as st

from corescore import Document
from corescore.analysis.errors.classes import slice_kinds
from corescore.metrics import CONLL, METRIC_IDS, SCORE_IDS, id_of, name_of
from corescore.sentences.names import SLICE_NAMES
from corescore.wording import RATIOS
from dashboard.session.loaded import Loaded, System
from dashboard.session.state import Place, Span, state, write_url
from dashboard.session.streamlit_inside import correct_url, take_url_of_history
from dashboard.session.url_names import FORMER, SETTINGS
from dashboard.widgets.page import caution, note, plain

# What a link selects in a box that cannot hold it: put right in the URL, or refused and said ------
# Streamlit fails on some of it, and changes the rest without a word.

_LONGEST = 20  # characters of what a link says that are quoted

# Short, so that no number is read that is too large for its kind.
_WHOLE, _DECIMAL = r"-?[0-9]{1,9}", r"-?[0-9]{1,9}(\.[0-9]{1,9})?"


def _correct(key: str, values: Sequence[str]) -> None:
    """Write other values, or none, into the URL, and draw the page again."""
    correct_url(key, values)
    st.rerun()


def accept_ids(key: str, options: Sequence[str], format_func: Callable[[str], str]) -> None:
    """Let a link select an option by its id, too, such as "lea" or "f1", and in any case: a box
    writes what it shows into the URL, "LEA" or "F1", and Streamlit reads only that.

    An empty value goes out of the URL: it would have a switch select nothing. Call it just above
    the box.
    """
    labels = {format_func(option): option for option in options}
    given = st.query_params.get(key)
    if given is None or given in labels:
        return
    if not given:
        _correct(key, [])
    names = {
        name.casefold(): option for label, option in labels.items() for name in (label, option)
    }
    option = names.get(given.casefold()) or id_of(given)
    if option in options:
        st.session_state[key] = option
        _correct(key, [format_func(option)])


def send_again(key: str) -> None:
    """Write a box's selection into the URL, if that has another one.

    To be called when the box has changed: where a mention is clicked and a box changed in one
    breath, both come with the URL from before, which would be kept but for the mention.
    """
    st.session_state[key] = st.session_state[key]


# A widget for each setting: how it looks is in settings.toml; what is selected, in the URL -------
# `options` and how they are `called` are those of the setting, unless the page has others.

MOST_UNFILTERED = 12  # a longer list can be searched

Called = Callable[[str], str] | None


def _offered(key: str, options: Sequence[str], called: Called) -> tuple[Sequence[str], Any]:
    words = SETTINGS[key].options
    return options or [*words], called or (str if options else words.__getitem__)


def bound(key: str, looks: Mapping[str, Any], label: str = "") -> dict[str, Any]:
    """What draws the widget of a setting, bound to the URL; `looks` and `label` replace those of
    the setting."""
    setting = SETTINGS[key]
    own = {name: getattr(setting, name) for name in ("help", "placeholder", "width")}
    return {
        "label": label or setting.label,
        "label_visibility": "collapsed" if setting.bare else "visible",
        **{name: value for name, value in own.items() if value is not None},
        **looks,
        "key": key,
        "bind": "query-params",
        "persist_state": "session" if setting.lasting else None,
    }


def switch(
    key: str,
    options: Sequence[str] = (),
    label: str = "",
    *,
    default: str | None = None,
    called: Called = None,
    on_change: Callable[[str], None] | None = None,
    **looks: Any,
) -> str:
    """A row of buttons of which one is always selected; the first by default. `on_change` is called
    with the key."""
    options, called = _offered(key, options, called)
    accept_ids(key, options, called)
    selected: str = st.segmented_control(
        options=options,
        default=options[0] if default is None else default,
        required=True,
        format_func=called,
        on_change=on_change,
        args=(key,),
        **bound(key, looks, label),
    )
    return selected


def pick(
    key: str,
    options: Sequence[str] = (),
    label: str = "",
    *,
    first: str | None = None,
    called: Called = None,
    **looks: Any,
) -> str:
    """A box, with the first option as the default unless another is given.

    A lasting selection of the former kind survives a click made before the box is drawn: such a
    click comes without it, so it is sent to the browser and the URL again.
    """
    setting, (options, called) = SETTINGS[key], _offered(key, options, called)
    is_sent = setting.lasting and first is None and key not in st.query_params
    if is_sent and st.session_state.get(key) in options[1:]:
        send_again(key)
    accept_ids(key, options, called)
    is_searched = setting.searched and len(options) > MOST_UNFILTERED
    selected: str = st.selectbox(
        options=options,
        index=0 if first is None else options.index(first),
        format_func=called,
        on_change=send_again,
        args=(key,),
        **bound(key, {"filter_mode": "fuzzy" if is_searched else None, **looks}, label),
    )
    return selected


def pills(key: str, options: Sequence[str], **looks: Any) -> Any:
    """A row of buttons of which any may be selected: a list; or one or none, if `looks` say so."""
    return st.pills(options=options, **bound(key, {"selection_mode": "multi", **looks}))


def toggled(key: str, label: str = "", **looks: Any) -> bool:
    """A switch that is on or off."""
    return st.toggle(**bound(key, looks, label))


def typed(key: str, value: str = "", **looks: Any) -> str:
    """A box for a text."""
    text: str = st.text_input(value=value, **bound(key, looks))
    return text


def rename_in_url(key: str, old: str, new: str) -> None:
    """Let links made before a filter's options were renamed select what they named.

    Call it just above the widget.
    """
    options = st.query_params.get_all(key)
    if any(old in option.split() for option in options):
        _correct(key, [re.sub(rf"\b{old}\b", new, option) for option in options])


def follow_former_names(page: str) -> None:
    """Give the parameters of an old link to a page their names of today."""
    for of_page, former, now in FORMER:
        if of_page == page and (values := st.query_params.get_all(former)):
            write_url({former: None})
            state.former_names |= {former}
            if now == "by":  # whose box is drawn already
                state.former_metric = values[-1]
                st.rerun()
            _correct(now, values)


# Numbers ------------------------------------------------------------------------------------------


def whole_number(key: str, value: int, label: str = "", *, width: int = 110) -> int:
    """A box for a whole number; `value` where the URL has none that fits."""
    setting = SETTINGS[key]
    refuse_other_numbers(label or setting.label, setting.low, setting.high, key=key)
    looks = {
        "min_value": setting.low,
        "max_value": setting.high,
        "step": setting.step,
        "width": width,
    }
    number: int = st.number_input(value=value, **bound(key, looks, label))
    return number


def refuse_other_numbers(label: str, low: float, high: float, *, key: str) -> None:
    """Take what is no number from low to high out of the URL, such as "inf", and have that said.

    Call it just above the box. Where low is an int, the number has to be whole.
    """
    given = st.query_params.get(key)
    if given is None or _is_number_in(low, high, given):
        return
    short = given if len(given) <= _LONGEST else f"{given[:_LONGEST]}…"
    kind = "a whole number" if isinstance(low, int) else "a number"
    sentence = (
        f"The link sets “{label}” to “{short}”, but it has to be {kind} from {low:,} to {high:,}. "
        "The number in the box is used."
    )
    state.refused_numbers = {**state.refused_numbers, key: sentence}
    _correct(key, [])


def _is_number_in(low: float, high: float, given: str) -> bool:
    is_number = re.fullmatch(_WHOLE if isinstance(low, int) else _DECIMAL, given)
    return bool(is_number) and low <= float(given) <= high


def say_refused() -> None:
    """Say which numbers of the link were refused, as long as its page is shown."""
    for sentence in state.refused_numbers.values():
        caution(sentence)


def enter(page: str) -> None:
    """Note that a page is shown, so that it can tell whether it was just opened; keep what its URL
    selects, and write what is selected into it, also where the page itself shows no document."""
    take_url_of_history(SETTINGS)
    if state.page != page:
        state.page, state.has_arrived, state.clicked_button = page, True, ""
        state.refused_numbers, state.former_names = {}, frozenset()
    document = st.query_params.get("document", place().document)
    if mention := span_in(st.query_params.get("mention")):
        select(document, mention)
    elif document is not None:
        select_document(document)


def chosen_beforehand() -> bool:
    """A box to tick: only the user knows whether the primary metric was chosen beforehand."""
    return st.checkbox(**bound("beforehand", {}))


def letter_in_url(system: System) -> str:
    """What the switch between A and B calls a system, and with it the URL, in `of`."""
    return f"{system.letter}: {plain(system.name)}"


def selected_letter(loaded: Loaded) -> str:
    """The letter of the system that is shown, also above the switch: in the first run of a page
    that a link opens, the switch has no value yet."""
    if state.letter:
        return state.letter
    given = st.query_params.get("of", "").casefold()
    names = {
        name.casefold(): system.letter
        for system in loaded.systems
        for name in (system.letter, letter_in_url(system))
    }
    return names.get(given, loaded.systems[0].letter)


def select_letter(label: str, loaded: Loaded, *, disabled: bool = False) -> str:
    """A switch between A and B; no switch where there is only A."""
    letters = [system.letter for system in loaded.systems]
    if len(letters) == 1:
        return letters[0]
    return switch(
        "of",
        letters,
        label,
        called=lambda letter: letter_in_url(loaded.system(letter)),
        disabled=disabled,
    )


def select_measure(key: str = "measure") -> str:
    """A switch between recall, precision and F1."""
    on_change = _take_measure if key == "measure" else None
    return switch(key, list(RATIOS), default="f1", called=RATIOS.__getitem__, on_change=on_change)


def _take_measure(key: str) -> None:
    """Let the primary metric be the first one again unless the URL has one: only F1 has CoNLL."""
    if "primary" not in st.query_params:
        state.primary = CONLL.id if st.session_state[key] == "f1" else "lea"


def select_metric(key: str, options: Sequence[str], *, first: str = "lea", **looks: Any) -> str:
    """A box of metrics, one of which is the default."""
    return pick(key, options, first=first, called=name_of, **looks)


# The metric of all pages, wherever one orders or labels -------------------------------------------


def select_metric_of_all() -> None:
    """The box of the metric, in the sidebar."""
    former, state.former_metric = id_of(state.former_metric), ""
    if former in SCORE_IDS:
        state.by = former
        correct_url("by", [name_of(former)])
    pick("by", [CONLL.id, *METRIC_IDS], called=name_of)


def metric_of_all() -> str:
    """The metric that is selected in the sidebar."""
    return state.by or CONLL.id


def metric_among(options: Sequence[str]) -> str:
    """The metric that is selected in the sidebar if it is one of these, else LEA or the first."""
    selected = metric_of_all()
    if selected in options:
        return selected
    return "lea" if "lea" in options else options[0]


def note_other_metric(metric: str) -> None:
    """Say why a part of the page is not about the metric that is selected, if it is not."""
    selected = metric_of_all()
    if metric != selected:
        about = "an average of three metrics" if selected == CONLL.id else "not possible here"
        note(
            f"{name_of(selected)} is {about}, so this is {name_of(metric)}. "
            "Select another under “Metric” in the sidebar."
        )


def is_linked(names: Iterable[str]) -> bool:
    """Whether the URL that the page was opened by has one of these names."""
    return not {*st.query_params, *state.former_names}.isdisjoint(names)


def select_slice(key: Iterable[Document]) -> str:
    """A box of what mentions of the key's documents are sliced by."""
    return pick("by_slice", slice_kinds(key), called=SLICE_NAMES.__getitem__)


# The document and the mention that are selected on every page -------------------------------------


def place() -> Place:
    """What is selected; the document is one that is loaded below the box that selects it."""
    return state.place


def select(document: str | None, mention: Span, **also: str) -> None:
    """Select a document and a mention of it, or none, in one step of the browser's history together
    with what `also` goes into the URL; to be called before the box of documents is drawn."""
    state.place = Place(document, mention)
    words = f"{mention[0]}-{mention[1]}" if mention else None
    write_url({"document": document, "mention": words, **also})


def select_document(name: str) -> None:
    """Select a document. A link may name a mention only: it is one of the first document."""
    document, mention = place()
    select(name, mention if document in (None, name) else None)


def select_mention(mention: Span) -> None:
    """Select a mention of the document shown, or none."""
    select(place().document, mention)


# What is too long for one page is shown in parts --------------------------------------------------


def turn(key: str, shown: object, part: int | None) -> None:
    """Turn to a part, if there is one, where another thing is `shown` than when this was called
    last, or what turns was left. Other turns stay."""
    is_left = key not in st.session_state and key not in st.query_params
    if part and (is_left or state.shown_in_parts.get(key, ()) != shown):
        st.session_state[key] = part
        if part > 1 and key in SETTINGS:  # after Back to a URL without it Streamlit shows the first
            correct_url(key, [str(part)])
    state.shown_in_parts = {**state.shown_in_parts, key: shown}


def turned(key: str, n_parts: int) -> int:
    """The part that is shown, from 1, with what turns to others, if there are any."""
    if n_parts == 1:
        return 1
    bind: Literal["query-params"] | None = "query-params" if key in SETTINGS else None
    return min(st.pagination(n_parts, key=key, bind=bind), n_parts)


def span_in(mention: str | None) -> Span:
    """A mention as the URL has it."""
    parts = re.fullmatch(r"(\d{1,9})-(\d{1,9})", mention or "")
    return (int(parts[1]), int(parts[2])) if parts else None


def span_of(row: pd.Series) -> tuple[int, int]:
    """The mention in a row of a table."""
    return int(row["start"]), int(row["end"])
