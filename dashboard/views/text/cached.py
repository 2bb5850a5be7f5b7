"""What the Text page computes, cached."""

from collections.abc import Mapping

import streamlit as st

from corescore.analysis.explanation.mention import Explanation, explain_mention
from corescore.analysis.explanation.shares import find_mention
from dashboard.components.passage.mentions import Drawn, of_one_system, with_pieces
from dashboard.session import analyses, scoring
from dashboard.session.analyses import six
from dashboard.session.loaded import BY_CONTENT, Loaded, System

Explained = Mapping[str, list[Explanation]]


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=BY_CONTENT)
def drawn(system: System, document: str) -> tuple[Drawn, ...]:
    """The mentions of a document as the page draws them."""
    table = analyses.mentions(system)
    sides = scoring.scored_key(system, document), scoring.scored_response(system, document)
    drawn = of_one_system(table[table["document"] == document])
    return with_pieces(drawn, sides)


@st.cache_resource(max_entries=256, show_spinner=False, hash_funcs=BY_CONTENT)
def explained(loaded: Loaded, document: str, span: tuple[int, int], *, side: str) -> Explained:
    """By the systems' letters, what each of the six gives a mention of one side and why; nothing
    where that system lacks it."""
    told: dict[str, list[Explanation]] = {}
    for letter, result in loaded.results.items():
        compared = result.comparison
        found = find_mention(compared, side=side, document=document, start=span[0], end=span[1])
        told[letter] = []
        if found is not None:
            told[letter] = explain_mention(compared, six(result), found, side=side)
    return told
