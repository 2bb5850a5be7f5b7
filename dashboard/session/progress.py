"""What is done of the lesson in this session: cards gone through, goals of exercises reached."""

import streamlit as st

_DONE = "lesson_done"  # ids of steps


def done() -> frozenset[str]:
    """The ids of the steps that are done."""
    return frozenset(st.session_state.get(_DONE, ()))


def mark(step: str) -> None:
    """A step is done from now on."""
    st.session_state[_DONE] = done() | {step}
