"""Long work that is done once it is asked for, where there is much text."""

import streamlit as st

from dashboard.session.loaded import Loaded
from dashboard.widgets.buttons import clicked

MANY_WORDS = 100_000


def is_wanted(loaded: Loaded, words: str, *, key: str) -> bool:
    """Whether to do some work: at once, or if there is much text after a click on a button.

    words  what the button says it does; a click counts as long as the same files are shown
    """
    n_words = sum(len(document.words) for document in loaded.key)
    of = tuple(system.stamps for system in loaded.systems)
    if n_words < MANY_WORDS or st.session_state.get(f"wanted {key}") == of:
        return True
    about = f"With {n_words:,} words this takes a while, so it is done when you ask for it."
    if clicked(words, key=f"ask {key}", help=about):
        st.session_state[f"wanted {key}"] = of
        return True
    st.caption(about)
    return False
