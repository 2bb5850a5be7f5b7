"""The register of URL names: what each query parameter means, and which pages use it.

A name has one meaning on all pages: Streamlit keeps a value in the URL of the next page, so pages
with different meanings for a name would overwrite each other's.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple


class Setting(NamedTuple):
    """A query parameter, and the widget that selects it; see settings.toml."""

    name: str
    meaning: str
    pages: str = "*"
    label: str = ""
    help: str | None = None
    placeholder: str | None = None
    width: int | None = None
    bare: bool = False
    lasting: bool = False
    searched: bool = False
    options: Mapping[str, str] = {}
    low: int = 0
    high: int = 0
    step: int = 1


_TABLES = tomllib.loads(Path(__file__).with_name("settings.toml").read_text(encoding="utf-8"))
SETTINGS = {name: Setting(name, **table) for name, table in _TABLES.items()}

# Names that were changed: the page, the former name, and the name now.
FORMER = (
    ("text", "find", "search"),
    ("lesson", "misled", "about"),
    ("credit", "metric", "by"),
    ("entities", "worst_by", "by"),
    ("entities", "weights_under", "by"),
    ("errors", "confused_by", "by"),
    ("compare", "credit_under", "by"),
    ("scorers", "followed", "by"),
)


# Views of a page that were pages, and what has gone: the former paths, the page, and what selects
# the view in its URL.
VIEWS: Mapping[str, tuple[str, str, str]] = {
    "links": ("entities", "drawn", "links"),
    "errata": ("experiments", "", ""),
    "many": ("compare", "systems", "many systems"),
    "data-sets": ("compare", "systems", "many systems"),
    "pitfalls": ("lesson", "", ""),
    "export": ("overview", "share", "open"),
}
