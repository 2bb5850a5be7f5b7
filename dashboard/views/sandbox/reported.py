"""The edits that sandbox.js reports, taken over one after another.

Each has a number. One may be reported several times, until the browser knows that it was taken
over, and may have been made before the one ahead of it was drawn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from corescore.corpus.problems import InputError, Problem
from corescore.teaching import toy as edits
from corescore.teaching.toy import Toy
from dashboard.views.sandbox import session


def take(reported: Sequence[Mapping[str, Any]]) -> None:
    """Apply the edits that are new, in order; say why where one cannot be."""
    problems: list[str] = []
    for edit in reported:
        number = int(edit["number"])
        if number <= session.current().taken:
            continue
        session.do(partial(_edited, edit))
        problems += session.current().problems
        st.session_state["sandbox"] = replace(session.current(), taken=number)
    if problems:
        shown = session.current()
        st.session_state["sandbox"] = replace(shown, problems=tuple(problems), wrong="edit")


def _edited(edit: Mapping[str, Any], toy: Toy) -> Toy:
    side = edit["side"]

    def place(name: str) -> int:
        return _place(toy, edit[name], side)

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


def _place(toy: Toy, mentions: Sequence[str], side: str) -> int:
    """The position of the entity that has most of these mentions.

    Raises InputError if no entity of that side has any.
    """
    entities = toy.key if side == "key" else toy.response
    shared = [len(set(entity) & set(mentions)) for entity in entities]
    if not any(shared):
        found = f"the entity {', '.join(mentions)[:40]}"
        advice = "Choose another."
        raise InputError([Problem("the toy", 0, found, "one that is still there", advice)])
    return shared.index(max(shared))
