"""Errata, open readings and statements → sentences and HTML."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from corescore.rendering.templates import render
from corescore.replication.erratum import KINDS, Erratum
from corescore.replication.statements import Tried
from corescore.replication.verdict import SCOPES, Reading
from corescore.sentences.verdicts import mark_of, readings_told
from corescore.wording import counted, listed

ERRATA_ABOUT = (
    "An erratum is what no reading rescues: its arithmetic, the readings that were tried, and the "
    "most likely cause. What stands in quotation marks is the paper's wording, all else is ours."
)
OPEN_ABOUT = (
    "What comes out under one reading of the paper and not under another, or what it leaves too "
    "open to be tried. None of this is held against the paper. What stands in quotation marks is "
    "the paper's wording, all else is ours."
)


def headline(kept: Sequence[Erratum], n_all: int) -> str:
    """24 places in 3 papers: 14 figures, 2 ranks and 8 statements."""
    if not kept:
        return f"None of the {n_all} places is of this kind in this paper."
    kinds = Counter(one.kind for one in kept)
    of = listed(counted(kinds[kind], kind) for kind in KINDS if kinds[kind])
    places = counted(len(kept), "place")
    some = places if len(kept) == n_all else f"{len(kept)} of {n_all} places"
    return f"{some} in {counted(len({one.paper for one in kept}), 'paper')}: {of}."


def erratum(row: Mapping[Hashable, Any]) -> Markup:
    """A row of `errata_table`: what is printed, what comes out, how, under which readings, and the
    likely cause, or what is left open."""
    readings = readings_of(row)
    mark = None if row["is_off"] else mark_of(row["verdict"], readings)
    return render("errata", "erratum", row=row, mark=mark, readings=readings_told(readings))


def readings_of(row: Mapping[Hashable, Any]) -> list[Reading]:
    """The readings of a row of `errata_table`."""
    both = ((True, row["held_under"]), (False, row["not_under"]))
    return [Reading(name, holds) for holds, names in both for name in names.split("; ") if name]


def statement(tried: Tried) -> Markup:
    """A statement with its verdict, its place and the reasons."""
    mark = mark_of(tried.verdict, tried.readings)
    scope = "; ".join(SCOPES[scope] for scope in tried.scopes)
    readings = readings_told(tried.readings)
    return render("errata", "statement", tried=tried, mark=mark, scope=scope, readings=readings)
