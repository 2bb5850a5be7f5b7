"""What a perturbation did: to the scores, held against what it should do, and to the mentions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from corescore.analysis.perturbation.perturbation import Perturbation
from corescore.corpus.documents import Corpus, Document
from corescore.counting.comparison import compare
from corescore.metrics import DIAGNOSTICS
from corescore.metrics.alignment import best_alignment
from corescore.metrics.ceaf import shared_mentions
from corescore.scoring.scores import Scores
from corescore.scoring.tables import change_table
from corescore.tolerances import TOLERANCE

SAME, RISE, FALL = "should not change", "should rise", "should fall"
KEPT, REMOVED, ADDED, MOVED = "kept", "removed", "added", "moved"
CHANGES = (KEPT, REMOVED, ADDED, MOVED)


@dataclass(frozen=True)
class Expectation:
    """What recall and precision should do if a metric counts links that are right; "" where one
    cannot tell beforehand."""

    recall: str
    precision: str


# Moosavi & Strube 2016, Table 1: the first three. The others follow from what links they touch.
EXPECTATIONS = {
    "more-precise": Expectation(SAME, RISE),
    "less-precise-a": Expectation(SAME, FALL),
    "less-precise-b": Expectation(SAME, FALL),
    "add": Expectation(SAME, FALL),
    "split": Expectation(FALL, ""),
    "merge": Expectation("", FALL),
    "repair": Expectation(RISE, ""),
}


def expectation(steps: Sequence[Perturbation]) -> Expectation:
    """What all the steps together should do; "" where they would pull different ways."""
    each = [EXPECTATIONS.get(step.id, Expectation("", "")) for step in steps]
    recalls, precisions = ({getattr(e, side) for e in each} for side in ("recall", "precision"))
    return Expectation(*(of.pop() if len(of) == 1 else "" for of in (recalls, precisions)))


def expectation_table(before: Scores, after: Scores, expected: Expectation) -> pd.DataFrame:
    """Whether each metric does what it should. No row where nothing changed.

    Columns: metric (id), measure (recall or precision), expected, before, after, change (all
    fractions), kept. No row for a measure of which nothing is expected, nor for "conll", which
    has neither, nor for the diagnostics.
    """
    if after.comparison.response == before.comparison.response:
        expected = Expectation("", "")
    changes = change_table(before, after).to_dict("index")
    rows = []
    for metric in (known.id for known in before.metrics if known not in DIAGNOSTICS):
        for measure in ("recall", "precision"):
            should, row = getattr(expected, measure), changes[metric]
            if should:
                change = float(row[f"{measure}_change"])
                values = (row[measure], row[f"{measure}_after"], change)
                rows.append((metric, measure, should, *values, _is_kept(should, change)))
    names = ["metric", "measure", "expected", "before", "after", "change", "kept"]
    return pd.DataFrame(rows, columns=names)


def _is_kept(should: str, change: float) -> bool:
    if should == SAME:
        return abs(change) < TOLERANCE
    return change > TOLERANCE if should == RISE else change < -TOLERANCE


def mention_changes(before: Document, after: Document) -> pd.DataFrame:
    """What became of each mention of a document, in text order.

    Columns: start, end, before_entity, after_entity (Int64, counted from 1, NA where that side
    has no such mention), and change, a categorical: kept, removed, added, or moved. An entity
    after goes on the one before with which it shares most mentions, one to one and as many
    mentions as can be (the alignment of CEAF_m); a mention is moved if its two do not go on.
    """
    comparison = compare([before], [after])
    view, table = comparison.recall, comparison.table
    goes_on = np.zeros(len(table.cell_key) + 1, dtype=bool)
    goes_on[best_alignment(table, shared_mentions(table))] = True
    change = np.where(view.own_cell < 0, REMOVED, np.where(goes_on[view.own_cell], KEPT, MOVED))
    old = _rows(view.own.start, view.own.end, change)
    old["before_entity"] = view.own_entity + 1
    partner = np.append(view.other_entity + 1, -1)[view.own_partner]
    old["after_entity"] = np.where(view.own_partner < 0, -1, partner)
    new = comparison.precision
    alone = new.own_cell < 0
    added = _rows(new.own.start[alone], new.own.end[alone], ADDED)
    added["before_entity"], added["after_entity"] = -1, new.own_entity[alone] + 1
    both = pd.concat([old, added], ignore_index=True)
    for name in ("before_entity", "after_entity"):
        both[name] = both[name].astype("Int64").mask(both[name] < 0)
    both["change"] = pd.Categorical(both["change"], list(CHANGES))
    order = np.lexsort((-both["end"], both["start"]))
    names = ["start", "end", "before_entity", "after_entity", "change"]
    return both.iloc[order][names].reset_index(drop=True)


def _rows(start: object, end: object, change: object) -> pd.DataFrame:
    return pd.DataFrame({"start": start, "end": end, "change": change})


def changed_documents(before: Corpus, after: Corpus) -> dict[str, int]:
    """How many mentions are removed, new or moved in each document with any, the most first."""
    pairs = [(before.by_name.get(d.name) or d.with_entities(()), d) for d in after]
    changed = {
        old.name: int((mention_changes(old, new)["change"] != KEPT).sum())
        for old, new in pairs
        if not np.array_equal(old.rows, new.rows)
    }
    return dict(sorted(changed.items(), key=lambda item: -item[1]))
