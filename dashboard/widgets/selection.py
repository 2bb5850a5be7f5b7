"""What is selected on more than one page: the document, the system, the metric, the mention.

A selection stands in the URL and is kept from page to page. For the document and the mention: what
the URL says counts; where it says nothing, what was selected last; and every page that shows one
writes it there, so that Back and Forward find it.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import streamlit as st
from streamlit.runtime.state import get_session_state

from corescore import Document
from corescore.analysis.errors.operations import slice_kinds
from corescore.metrics import name_of
from corescore.sentences.names import SLICE_NAMES
from corescore.wording import RATIOS
from dashboard.session.loaded import Loaded, System
from dashboard.session.url_names import FORMER
from dashboard.widgets import page as buttons
from dashboard.widgets.page import caution, plain

# What a link selects in a box that cannot hold it: put right in the URL, or refused and said ------
# Streamlit fails on some of it, and changes the rest without a word.

_REFUSED = "refused_numbers"  # sentences, by the box

_LONGEST = 20  # characters of what a link says that are quoted

# Short, so that no number is read that is too large for its kind.
_WHOLE, _DECIMAL = r"-?[0-9]{1,9}", r"-?[0-9]{1,9}(\.[0-9]{1,9})?"


def _correct(key: str, values: Sequence[str]) -> None:
    """Write other values, or none, into the URL, and draw the page again.

    `st.query_params` would not let us where Back led to such a link: a widget has the value then.
    """
    with get_session_state().query_params() as url:
        if values:
            url.set_corrected_value(key, values, "string_array_value")
        else:
            url.remove_param(key)
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
    if option := names.get(given.casefold()):
        st.session_state[key] = option
        _correct(key, [format_func(option)])


def switch(
    label: str,
    options: Sequence[str],
    *,
    key: str,
    default: str | None = None,
    format_func: Callable[[str], str] = str,
    is_lasting: bool = False,
    on_change: Callable[[str], None] | None = None,
    **looks: Any,
) -> str:
    """A row of buttons of which one is always selected, kept in the URL; the first by default.

    A lasting one keeps its selection on other pages, too. `on_change` is called with the key.
    """
    accept_ids(key, options, format_func)
    selected: str = st.segmented_control(
        label,
        options,
        default=options[0] if default is None else default,
        required=True,
        format_func=format_func,
        key=key,
        bind="query-params",
        persist_state="session" if is_lasting else None,
        on_change=on_change,
        args=(key,),
        **looks,
    )
    return selected


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
            del st.query_params[former]
            _correct(now, values)


# Numbers ------------------------------------------------------------------------------------------


def whole_number(
    label: str, low: int, high: int, value: int, *, key: str, step: int = 1, width: int = 110
) -> int:
    """A box for a whole number that the URL holds; `value` where the URL holds none that fits."""
    refuse_other_numbers(label, low, high, key=key)
    return st.number_input(label, low, high, value, step, key=key, bind="query-params", width=width)


def refuse_other_numbers(label: str, low: float, high: float, *, key: str) -> None:
    """Take what is no number from low to high out of the URL, such as "inf", and have that said.

    Call it just above the box. Where low is an int, the number has to be whole.
    """
    given = st.query_params.get(key)
    if given is None or _is_number_in(low, high, given):
        return
    short = given if len(given) <= _LONGEST else f"{given[:_LONGEST]}…"
    kind = "a whole number" if isinstance(low, int) else "a number"
    st.session_state.setdefault(_REFUSED, {})[key] = (
        f"The link sets “{label}” to “{short}”, but it has to be {kind} from {low:,} to {high:,}. "
        "The number in the box is used."
    )
    _correct(key, [])


def _is_number_in(low: float, high: float, given: str) -> bool:
    if not re.fullmatch(_WHOLE if isinstance(low, int) else _DECIMAL, given):
        return False
    return low <= float(given) <= high


def say_refused() -> None:
    """Say which numbers of the link were refused, as long as its page is shown."""
    for sentence in st.session_state.get(_REFUSED, {}).values():
        caution(sentence)


def forget() -> None:
    """Another page is shown."""
    st.session_state.pop(_REFUSED, None)


MOST_UNFILTERED = 12  # a longer list can be searched


def enter(page: str) -> None:
    """Note that a page is shown, so that it can tell whether it was just opened; keep what its URL
    selects, and write what is selected into it, also where the page itself shows no document."""
    if st.session_state.get("page") != page:
        st.session_state.update(page=page, has_arrived=True)
        forget()
        buttons.forget()
    document, mention = (st.query_params.get(name) for name in ("document", "mention"))
    if document is None:
        _write_selected()
    else:
        st.session_state["selected_document"] = document
        if mention is not None:
            st.session_state.update(selected_mention=mention, mention_document=document)


def _write_selected() -> None:
    document, mention = (st.session_state.get(f"selected_{of}") for of in ("document", "mention"))
    if document is not None:
        st.query_params["document"] = document
        if mention is not None and st.session_state.get("mention_document") == document:
            st.query_params["mention"] = mention


def _restore(key: str, options: Sequence[str]) -> None:
    """Send a box's selection to the browser and the URL again if the URL has lost it.

    The first option is the default. Where a page is clicked before the
    browser has drawn the boxes, the click comes without their selections. On the same page
    `persist_state` is enough: Streamlit then tells a box that is drawn late what it is.
    """
    if st.session_state.get(key) in options[1:] and key not in st.query_params:
        send_again(key)


def send_again(key: str) -> None:
    """Write a box's selection into the URL, if that has another one.

    To be called when the box has changed: where a mention is clicked and a box changed in one
    breath, both come with the URL from before, which would be kept but for the mention.
    """
    st.session_state[key] = st.session_state[key]


def chosen_beforehand() -> bool:
    """A box to tick: only the user knows whether the primary metric was chosen beforehand."""
    return st.checkbox(
        "I chose the primary metric before seeing the scores",
        key="beforehand",
        bind="query-params",
        help="Then the paragraph for a paper calls it “chosen beforehand”.",
    )


def select_lasting(
    label: str,
    options: Sequence[str],
    *,
    key: str,
    format_func: Callable[[str], str] = str,
    help: str | None = None,
    width: int | Literal["stretch"] = "stretch",
) -> str:
    """A box whose selection stands in the URL and survives a click made before it is drawn."""
    _restore(key, options)
    accept_ids(key, options, format_func)
    return st.selectbox(
        label,
        options,
        format_func=format_func,
        key=key,
        bind="query-params",
        persist_state="session",
        help=help,
        filter_mode="fuzzy" if len(options) > MOST_UNFILTERED else None,
        on_change=send_again,
        args=(key,),
        width=width,
    )


def letter_in_url(system: System) -> str:
    """What the switch between A and B calls a system, and with it the URL, in `of`."""
    return f"{system.letter}: {plain(system.name)}"


def selected_letter(loaded: Loaded) -> str:
    """The letter of the system that is shown, also above the switch: in the first run of a page
    that a link opens, the switch has no value yet."""
    if letter := st.session_state.get("of"):
        return str(letter)
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

    def label_of(letter: str) -> str:
        return letter_in_url(loaded.system(letter))

    return switch(
        label, letters, format_func=label_of, key="of", is_lasting=True, disabled=disabled
    )


def select_measure(label: str = "Measure", *, key: str = "measure") -> str:
    """A switch between recall, precision and F1."""
    return switch(
        label, list(RATIOS), default="f1", format_func=RATIOS.__getitem__, key=key, is_lasting=True
    )


def select_direction(*, key: str) -> str:
    """A switch between recall and precision."""
    return switch("Credit towards", ["recall", "precision"], key=key, on_change=send_again)


def select_metric(
    label: str, options: Sequence[str], *, key: str, first: str = "lea", width: int = 150
) -> str:
    """A box of metrics, one of which is the default."""
    accept_ids(key, options, name_of)
    return st.selectbox(
        label,
        options,
        index=options.index(first),
        format_func=name_of,
        key=key,
        bind="query-params",
        persist_state="session",
        filter_mode=None,
        width=width,
    )


def select_slice(key: Iterable[Document]) -> str:
    """A box of what mentions of the key's documents are sliced by."""
    return select_lasting(
        "Mentions by",
        slice_kinds(key),
        key="by_slice",
        format_func=SLICE_NAMES.__getitem__,
        width=300,
    )


# The mention that is selected on every page -----------------------------------------------------


def selected_mention() -> tuple[int, int] | None:
    """Start and end (in words, half-open) of the mention selected in the document shown.

    Call it below the box that chooses the document. A link's mention= counts first; a mention
    stays selected, on every page and in the URL, until another mention or document is selected.
    """
    linked = st.query_params.get("mention")
    if linked is not None and linked != st.session_state.get("selected_mention"):
        _select(linked)
    if st.session_state.get("mention_document") != st.session_state.get("document"):
        _select(None)
    selected = st.session_state.get("selected_mention")
    if linked is None and selected is not None:
        _select(selected)
    place = re.fullmatch(r"(\d{1,9})-(\d{1,9})", selected or "")
    return (int(place[1]), int(place[2])) if place else None


def select_mention(start: int, end: int) -> None:
    """Select a mention of the document shown, on every page."""
    _select(f"{start}-{end}")


def select_in_document(document: str, start: int, end: int, **also: str) -> None:
    """Select a document and a mention of it, on every page, in one step of the browser's history
    together with what `also` goes into the URL; to be called before the box of documents is
    drawn."""
    mention = f"{start}-{end}"
    st.session_state.update(document=document, selected_document=document)
    st.session_state.update(selected_mention=mention, mention_document=document)
    st.query_params.update(document=document, mention=mention, **also)


def clear_mention() -> None:
    """Select no mention."""
    _select(None)


def _select(mention: str | None) -> None:
    st.session_state["selected_mention"] = mention
    st.session_state["mention_document"] = st.session_state.get("document")
    if mention is None:
        st.query_params.pop("mention", None)
    else:
        st.query_params["mention"] = mention
