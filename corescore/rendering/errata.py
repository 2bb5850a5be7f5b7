"""Errata and statements → a sentence and HTML."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from corescore.rendering.templates import render
from corescore.replication.erratum import KINDS, Erratum
from corescore.replication.statements import Tried
from corescore.sentences.verdicts import VERDICT_MARKS
from corescore.wording import counted, listed


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
    """A row of `errata_table`: what is printed, what comes out, how, and the likely cause."""
    return render("errata", "erratum", row=row)


def statement(tried: Tried) -> Markup:
    """A statement with its verdict, its place and the reasons."""
    mark = VERDICT_MARKS[tried.verdict]
    return render("errata", "statement", tried=tried, mark=mark)
