"""Tables as files: the kinds of file, and their names."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import pandas as pd

from corescore.comma_separated import inert
from corescore.rendering.text import as_parquet, render_frame

_LONGEST = 90  # letters of a file's name


@dataclass(frozen=True)
class Kind:
    """A kind of file that a table can be written to, its values unrounded and with its signature:
    in a column of CSV, beside the rows of JSON, in the metadata of Parquet. No cell of CSV is a
    formula: spreadsheets open such files."""

    title: str
    ending: str
    mime: str
    write: Callable[[pd.DataFrame, str], str | bytes]


def _inert_csv(frame: pd.DataFrame, signature: str) -> str:
    return inert(render_frame(frame, signature, format="csv"))


KINDS = (
    Kind("CSV", "csv", "text/csv", _inert_csv),
    Kind("JSON", "json", "application/json", partial(render_frame, format="json")),
    Kind("Parquet", "parquet", "application/vnd.apache.parquet", as_parquet),
)


def file_name(*called: str) -> str:
    """What a file is and of which system, as a name without ending: "six-metrics-cautious"."""
    joined = "-".join(re.sub(r"[^\w.]+", "-", part).strip("-.") for part in called)
    return joined[:_LONGEST].strip("-.") or "corescore"
