"""The tables of Credit as the page writes them. No Streamlit here."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from corescore.dashboard.wording import in_percent
from corescore.errors.mentions import MISSING, RIGHT


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
    shown = in_percent(links, ["lost"]).assign(status=np.where(links["credit"] == 1, RIGHT, lost))
    for of in ("key", "response"):
        ends = [_numbers(links[f"{end}{of}_entity"]) for end in ("", "other_")]
        shown[f"other_{of}_entity"] = ends[1]
        shown[f"{of}_entities"] = [" · ".join(both) for both in zip(*ends, strict=True)]
    return shown


def _numbers(entities: "pd.Series[int]") -> list[str]:
    return ["–" if pd.isna(entity) else str(entity) for entity in entities]
