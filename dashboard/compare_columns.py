"""How the tables of Two resolvers are headed and written."""

from typing import Any

import streamlit as st

from corescore.dashboard.wording import RATIOS, SLICE_NAMES, TITLES

UNITS = "credit, in the metric's units"
RIGHT_MEANS = "right: found, and not linked to wrong mentions only; it may stand alone"


def document_columns(metric: str, measure: str) -> dict[str, Any]:
    """How the table of documents is headed and written."""
    number = st.column_config.NumberColumn
    score = f"{TITLES[metric]} {RATIOS[measure]}, percent"
    return {
        "document": st.column_config.TextColumn(width=210, pinned=True),
        "a": number("A", format="%.2f", width=80, help=score),
        "b": number("B", format="%.2f", width=80, help=score),
        "difference": number("B − A", format="%+.2f", width=86, help="points"),
        "winner": st.column_config.TextColumn("ahead", width=70),
        "words": number("words", width=80, help="words of the key"),
        "key_mentions": number("mentions", width=86, help="mentions of the key"),
        "key_entities": number("entities", width=80, help="entities of the key"),
    }


def opposed_columns(one: str, other: str) -> dict[str, Any]:
    """How the list of documents with two winners is headed and written."""
    number = st.column_config.NumberColumn
    return {
        "document": st.column_config.TextColumn(width=150, pinned=True),
        **{
            name: number(f"{TITLES[name].split()[0]} B − A", format="%+.2f", help="points")
            for name in (one, other)
        },
        "margin": number("both by", format="%.2f", help="points, or more"),
    }


def number_columns() -> dict[str, Any]:
    """How the six in numbers are headed and written."""
    number = st.column_config.NumberColumn
    ends = {"bca_low": "from", "bca_high": "to"}
    tests = {
        "p": ("p", "approximate randomisation"),
        "p_holm": ("p, Holm", "corrected over the six"),
        "p_sign": ("p, sign", "sign test over documents"),
    }
    wins = {"wins_a": "A ahead", "ties": "tie", "wins_b": "B ahead"}
    return {
        "metric": st.column_config.TextColumn(width=110, pinned=True),
        "a": number("A", format="%.2f", help="percent"),
        "b": number("B", format="%.2f", help="percent"),
        "difference": number("B − A", format="%+.2f", help="points"),
        **{n: number(head, format="%+.2f", help="95 % (BCa)") for n, head in ends.items()},
        **{n: number(head, format="%.5f", help=note) for n, (head, note) in tests.items()},
        **{name: number(head, help="documents") for name, head in wins.items()},
    }


def mention_columns() -> dict[str, Any]:
    """How the list of mentions of which one has more right is headed and written."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    return {
        "mention": text(width=190, pinned=True),
        "document": text(width=150),
        "class_a": text("A has it", width=130, help=RIGHT_MEANS),
        "class_b": text("B has it", width=130, help=RIGHT_MEANS),
        "credit_a": number("A earns", format="%.2f", width=80, help="percent of what it could"),
        "credit_b": number("B earns", format="%.2f", width=80, help="percent of what it could"),
        "difference": number("B − A", format="%+.2f", width=86, help="points"),
    }


def entity_columns() -> dict[str, Any]:
    """How the list of entities that differ is headed and written."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    return {
        "title": text("entity of the key", width=190, pinned=True),
        "document": text(width=150),
        "mentions": number(width=80),
        "kind": text("credited for", width=140),
        "credit_a": number("A earns", format="%.2f", width=80, help=UNITS),
        "credit_b": number("B earns", format="%.2f", width=80, help=UNITS),
        "difference": number("B − A", format="%+.2f", width=80),
        "possible": number("at most", format="%.2f", width=80, help="what it could earn"),
    }


def error_columns(by: str, kinds: list[str]) -> dict[str, Any]:
    """How the differences in errors are headed and written."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    head = SLICE_NAMES.get(by, by)
    return {
        by: text(head, width=190, pinned=True),
        **{kind: number(kind, format="%+d", help="B − A") for kind in kinds},
    }
