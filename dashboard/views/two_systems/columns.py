"""The columns of the tables of two systems: their heads, formats and help texts."""

from collections.abc import Sequence

import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from corescore.analysis.errors.classes import FOUND, SPAN_ERROR
from corescore.analysis.errors.operations import (
    CONFLATED_ENTITIES,
    DIVIDED_ENTITY,
    EXTRA_ENTITY,
    EXTRA_MENTION,
    MISSING_ENTITY,
    MISSING_MENTION,
)
from corescore.metrics import HOW_MANY, name_of
from corescore.sentences.compare import MAX_T_AND_HOLM
from corescore.sentences.names import MENTION_WORDS, SLICE_NAMES
from corescore.wording import RATIOS

Columns = dict[str, ColumnConfig]
UNITS = "credit, in the metric's units"
CLASS_MEANS = "; ".join(f"{kind}: {MENTION_WORDS[kind]}" for kind in FOUND)


def document_columns(metric: str, measure: str) -> Columns:
    """A row for each document."""
    number = st.column_config.NumberColumn
    score = f"{name_of(metric)} {RATIOS[measure]}, percent"
    return {
        "document": st.column_config.TextColumn(width=158),
        "a": number("A", format="%.2f", width=64, help=score),
        "b": number("B", format="%.2f", width=64, help=score),
        "difference": number("B − A", format="%+.2f", width=70, help="points"),
        "winner": st.column_config.TextColumn("ahead", width=64),
        "words": number("words", width=64, help="words of the key"),
        "key_mentions": number("mentions", width=80, help="mentions of the key"),
        "key_entities": number("entities", width=74, help="entities of the key"),
    }


def winner_columns(metrics: Sequence[str]) -> Columns:
    """A row for each document: the difference under each metric."""
    number = st.column_config.NumberColumn
    return {
        "document": st.column_config.TextColumn(width=150, pinned=True),
        **{
            name: number(name_of(name).split()[0], format="%+.2f", width=72, help="B − A, points")
            for name in metrics
        },
    }


def opposed_columns(one: str, other: str) -> Columns:
    """A row for each document on which two metrics name different winners."""
    number = st.column_config.NumberColumn
    return {
        "document": st.column_config.TextColumn(width=150),
        **{
            name: number(
                f"{name_of(name).split()[0]} B − A", format="%+.2f", width=110, help="points"
            )
            for name in (one, other)
        },
        "margin": number("both by", format="%.2f", width=74, help="points, or more"),
    }


def number_columns() -> Columns:
    """A row for each metric."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    ends = {"tested_low": ("from", 60, "simultaneous"), "tested_high": ("to", 60, "simultaneous")}
    ends |= {"bca_low": ("single", 60, "bootstrap, BCa"), "bca_high": ("to", 60, "BCa")}
    tests = {
        "p": ("p", "approximate randomisation"),
        "p_max": ("p, max T", f"the same, corrected for {HOW_MANY} tests by the largest"),
        "p_holm": ("p, Holm", f"the same, corrected for {HOW_MANY} tests. {MAX_T_AND_HOLM}"),
        "p_sign": ("p, sign", "sign test over documents"),
    }
    return {
        "metric": text(width=110),
        "a": number("A", format="%.2f", width=54, help="percent"),
        "b": number("B", format="%.2f", width=54, help="percent"),
        "difference": number("B − A", format="%+.2f", width=62, help="points"),
        **{
            name: number(head, format="%+.2f", width=width, help=f"95% interval ({by}), points")
            for name, (head, width, by) in ends.items()
        },
        **{
            name: text(head, width=64, help=note, alignment="right")
            for name, (head, note) in tests.items()
        },
    }


RUN_SHARES = ("a", "sd_a", "b", "sd_b", "difference", "low", "high")
RUN_TESTS = {
    "p": ("p", 60, "runs and documents resampled"),
    "p_holm": ("p, Holm", 60, f"the same, corrected for {HOW_MANY} tests"),
    "p_documents": ("p, these runs", 96, "documents are exchanged, all runs at once"),
    "p_runs": ("p, these documents", 124, "whole runs are exchanged"),
}


def run_columns() -> Columns:
    """A row for each metric: the means over runs."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    heads = {"a": "A", "sd_a": "± A", "b": "B", "sd_b": "± B"}
    points = {"difference": "B − A", "low": "from", "high": "to"}
    helps = dict.fromkeys(("sd_a", "sd_b"), "standard deviation over runs, points")
    return {
        "metric": text(width=110),
        **{
            name: number(head, format="%.2f", width=54, help=helps.get(name, "mean over runs"))
            for name, head in heads.items()
        },
        **{
            name: number(head, format="%+.2f", width=58, help="points; 95% interval from … to")
            for name, head in points.items()
        },
        **{
            name: text(head, width=width, help=about, alignment="right")
            for name, (head, width, about) in RUN_TESTS.items()
        },
    }


def condition_columns() -> Columns:
    """A row for each condition under which the difference is looked at again."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    return {
        "told": text("condition", width=290),
        "a": number("A", format="%.2f", width=64, help="percent"),
        "b": number("B", format="%.2f", width=64, help="percent"),
        "difference": number("B − A", format="%+.2f", width=70, help="points"),
        "outcome": text("sign", width=80),
        "refusal": text("why there is none", width=220),
    }


def mention_columns() -> Columns:
    """A row for each mention of which one system earns more."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    share = "percent of what it could earn"
    return {
        "mention": text(width=118),
        "document": text(width=118),
        "class_a": text("in A", width=136, help=CLASS_MEANS),
        "class_b": text("in B", width=136, help=CLASS_MEANS),
        "credit_a": number("A earns", format="%.2f", width=66, help=share),
        "credit_b": number("B earns", format="%.2f", width=66, help=share),
    }


def entity_columns() -> Columns:
    """A row for each entity of which one system earns more."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    return {
        "title": text("entity of the key", width=140),
        "document": text(width=112),
        "mentions": number(width=78),
        "kind": text("credited for", width=112),
        "credit_a": number("A earns", format="%.2f", width=66, help=UNITS),
        "credit_b": number("B earns", format="%.2f", width=66, help=UNITS),
        "possible": number("at most", format="%.2f", width=66, help="what it could earn"),
    }


UNEQUAL = {"mentions": mention_columns, "entities": entity_columns}

# Short, so that all kinds fit side by side on a small screen; the help text has the full name.
_SHORT_KINDS = {
    SPAN_ERROR: ("span", 62),
    CONFLATED_ENTITIES: ("conflated", 78),
    EXTRA_MENTION: ("extra m.", 70),
    EXTRA_ENTITY: ("extra e.", 70),
    MISSING_MENTION: ("missing m.", 80),
    MISSING_ENTITY: ("missing e.", 78),
    DIVIDED_ENTITY: ("divided", 68),
}


def error_columns(by: str, kinds: Sequence[str]) -> Columns:
    """A row for each document or slice: how many more errors of each kind B has."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    heads = {kind: _SHORT_KINDS[kind] for kind in kinds}
    return {
        by: text(SLICE_NAMES.get(by, by), width=134),
        **{
            kind: number(head, format="%+d", width=width, help=f"{kind}: B − A")
            for kind, (head, width) in heads.items()
        },
    }
