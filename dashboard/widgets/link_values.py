"""What a link selects in a box that cannot hold it: put right in the URL, or refused and said.

Streamlit fails on some of it, and changes the rest without a word.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st
from streamlit.runtime.state import get_session_state

from dashboard.session.url_names import FORMER
from dashboard.widgets.page import caution

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
