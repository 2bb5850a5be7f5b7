"""How far two annotators agree in what they tag."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from corescore.analysis.error_table.notes import BETWEEN_TAGS, Notes


@dataclass(frozen=True)
class Agreement:
    """How two annotators tag the rows that both have seen.

    rows                      how many both have seen: there is a note of each, if an empty one
    only_first, only_second   how many just one of them has seen, which do not count
    kappa                     Cohen's κ, a row's category being the set of its tags
    table                     a row for each tag of either: tag; both, only_first, only_second and
                              neither: how many rows each tags with it; agreement, the share of
                              rows on which they agree; kappa, a row's category being whether it
                              has the tag

    κ = (p_o − p_e) / (1 − p_e), with p_o the share of rows in one category, p_e the share expected
    by chance (Cohen 1960); from −1 to 1. NaN where p_e is 1, since both put every row into the same
    category, and where no row was seen by both.
    """

    rows: int
    only_first: int
    only_second: int
    kappa: float
    table: pd.DataFrame


def agreement(first: Notes, second: Notes) -> Agreement:
    """Compare the notes of two annotators; `Notes.of_rows` leaves out what the data do not have."""
    seen = [row for row in first.by_id if row in second.by_id]
    pairs = [(first.by_id[row].tags, second.by_id[row].tags) for row in seen]
    sets = [[BETWEEN_TAGS.join(sorted(tags)) for tags in side] for side in zip(*pairs, strict=True)]
    return Agreement(
        rows=len(seen),
        only_first=len(first) - len(seen),
        only_second=len(second) - len(seen),
        kappa=cohens_kappa(*sets) if sets else math.nan,
        table=_by_tag(tuple(dict.fromkeys((*first.tags, *second.tags))), pairs),
    )


def _by_tag(
    tags: Sequence[str], pairs: Sequence[tuple[tuple[str, ...], tuple[str, ...]]]
) -> pd.DataFrame:
    rows = []
    for tag in tags:
        one, other = ([tag in side[at] for side in pairs] for at in (0, 1))
        both = sum(a and b for a, b in zip(one, other, strict=True))
        apart = sum(one) - both, sum(other) - both
        neither = len(pairs) - both - sum(apart)
        share = (both + neither) / len(pairs) if pairs else math.nan
        rows.append((tag, both, *apart, neither, share, cohens_kappa(one, other)))
    columns = ["tag", "both", "only_first", "only_second", "neither", "agreement", "kappa"]
    return pd.DataFrame(rows, columns=columns)


def cohens_kappa(one: Sequence[object], other: Sequence[object]) -> float:
    """Cohen's κ of two annotators' categories, row by row; NaN where it is not defined."""
    if len({*one, *other}) < 2:
        return math.nan
    from sklearn.metrics import cohen_kappa_score  # takes a second to import

    return float(cohen_kappa_score(one, other))
