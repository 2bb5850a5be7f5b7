"""The tables of Credit as the page writes them, and how their columns are headed."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

from corescore.analysis.errors.classes import CORRECT, MISSING
from corescore.wording import in_percent
from dashboard.widgets.grid_cells import Columns


def depth_rows(rows: pd.DataFrame, titles: Mapping[int, str]) -> pd.DataFrame:
    """A `depth_table` in percent. By link, two entities stand by their numbers and titles where a
    row counts all links between them, and a link of a mention with itself says so."""
    shown = in_percent(rows, ["lost", "earned", "running"])
    if "other" not in rows:
        return shown
    shown["other"] = rows["other"].where(rows["other"].notna(), "itself")
    if "entity" in rows:
        of_two = rows["entity"].notna()
        for name, entity in (("mention", "entity"), ("other", "other_entity")):
            numbers = rows.loc[of_two, entity]
            shown.loc[of_two, name] = [f"entity {n}: {titles[n]}" for n in numbers]
    return shown


def non_coreference_rows(links: pd.DataFrame, side: str) -> pd.DataFrame:
    """Links of `explained_links`, right, or missing (of the key) or wrong (of the response); the
    entities of both ends (`key_entities`, `response_entities`), – where a side lacks an end."""
    lost = MISSING if side == "recall" else "wrong"
    shown = in_percent(links, ["lost"]).assign(status=np.where(links["credit"] == 1, CORRECT, lost))
    for of in ("key", "response"):
        ends = [_numbers(links[f"{end}{of}_entity"]) for end in ("", "other_")]
        shown[f"other_{of}_entity"] = ends[1]
        shown[f"{of}_entities"] = [" · ".join(both) for both in zip(*ends, strict=True)]
    return shown


def _numbers(entities: "pd.Series[int]") -> list[str]:
    return ["–" if pd.isna(entity) else str(entity) for entity in entities]


def depth_columns(by: str, side: str) -> Columns:
    """How the table's columns are headed and written."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    names = {
        "entity": {"entity": number("entity", width=62), "title": text("called", width=200)},
        "mention": {"mention": text("mention", width=220)},
        "link": {"mention": text("mention", width=160), "other": text("other end", width=160)},
    }[by]
    return {
        **names,
        "lost": number("lost", format="%.2f", width=60, help=f"points of the document's {side}"),
        "arithmetic": text("arithmetic", width=330),
        "kind": text("credited for", width=140),
        "earned": number("earned", format="%.2f", width=62, help=f"points of the {side}"),
        "running": number("earned so far", format="%.2f", width=92, help="ends at the score"),
    }


def non_coreference_columns(side: str, *, between: bool) -> Columns:
    """How the list of non-coreference links is headed and written."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    ends = {"other": text("other end", width=230)}
    entities = {
        f"other_{of}_entity": text(f"{of} entity", width=width, alignment="right")
        for of, width in (("key", 80), ("response", 116))
    }
    if between:
        ends = {"mention": text("mention", width=180), "other": text("other end", width=180)}
        entities = {
            f"{of}_entities": text(f"{of} entities", width=width, alignment="right")
            for of, width in (("key", 90), ("response", 124))
        }
    return {
        "status": text("link", width=66),
        **ends,
        "lost": number("lost", format="%.3f", width=60, help=f"points of the document's {side}"),
        "why": text("because", width=220),
        **entities,
        "credit": number("credit", format="%d", width=58, help="1 for a correct link, else 0"),
    }
