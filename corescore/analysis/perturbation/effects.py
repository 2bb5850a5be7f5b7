"""What a perturbation changed: the scores, beside what is expected of them, and the mentions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from corescore.analysis.errors.classes import INCORRECT
from corescore.analysis.perturbation.base import Perturbation, uses_incorrect
from corescore.corpus.documents import Corpus, Document
from corescore.counting.assignment import best_assignment
from corescore.counting.comparison import Comparison, compare
from corescore.metrics import BESIDE_IDS
from corescore.metrics.ceaf import shared_mentions
from corescore.scoring.scores import Result
from corescore.scoring.tables import change_table
from corescore.util import TOLERANCE, BoolArray

SAME, RISE, FALL = "should not change", "should rise", "should fall"
NOT_FALL = "should not fall"
KEPT, REMOVED, ADDED, MOVED = "kept", "removed", "added", "moved"
CHANGES = (KEPT, REMOVED, ADDED, MOVED)


@dataclass(frozen=True)
class Expectation:
    """How recall and precision should change if a metric counts correct links; "" if unknown."""

    recall: str
    precision: str


# The first four: Moosavi & Strube 2016, Table 1. The others follow from the links they change.
EXPECTATIONS = {
    "more-precise": Expectation(SAME, RISE),
    "less-precise-a": Expectation(SAME, FALL),
    "less-precise-b": Expectation(SAME, FALL),
    "less-precise-b-printed": Expectation(SAME, FALL),
    "add": Expectation(SAME, FALL),
    "split": Expectation(FALL, ""),
    "merge": Expectation("", FALL),
    "repair": Expectation(RISE, ""),
}
# A singleton in the key that loses its wrong partners may be left alone, and then is correct.
_MORE_PRECISE_LINKED = Expectation(NOT_FALL, RISE)


def expectation(steps: Sequence[Perturbation]) -> Expectation:
    """How all steps together should change the scores; "" where they have different effects."""
    each = [_expected(step) for step in steps]
    recalls, precisions = ({getattr(e, side) for e in each} for side in ("recall", "precision"))
    return Expectation(*(of.pop() if len(of) == 1 else "" for of in (recalls, precisions)))


def _expected(step: Perturbation) -> Expectation:
    if step.id == "more-precise" and uses_incorrect(step) and step.incorrect == "linked":
        return _MORE_PRECISE_LINKED
    return EXPECTATIONS.get(step.id, Expectation("", ""))


def other_reading(steps: Sequence[Perturbation]) -> tuple[Perturbation, ...]:
    """The steps with the other value of `incorrect`; none unless all that use it have the same."""
    used = {step.incorrect for step in steps if uses_incorrect(step)}
    if len(used) != 1:
        return ()
    (other,) = {*INCORRECT} - used
    return tuple(replace(step, incorrect=other) if uses_incorrect(step) else step for step in steps)


def expectation_table(before: Result, after: Result, expected: Expectation) -> pd.DataFrame:
    """Whether each metric changes as expected.

    Columns: metric (id), measure (recall or precision), expected, before, after, change (all
    fractions), kept. There is no row for a measure without an expectation, for "conll", which has
    neither measure, or for diagnostics, and none at all if the response did not change.
    """
    if after.comparison.response == before.comparison.response:
        expected = Expectation("", "")
    changes = change_table(before, after).to_dict("index")
    rows = []
    for metric in (known.id for known in before.metrics if known.id not in BESIDE_IDS):
        for measure in ("recall", "precision"):
            should, row = getattr(expected, measure), changes[metric]
            if should:
                change = float(row[f"{measure}_change"])
                values = (row[measure], row[f"{measure}_after"], change)
                rows.append((metric, measure, should, *values, is_kept(should, change)))
    names = ["metric", "measure", "expected", "before", "after", "change", "kept"]
    return pd.DataFrame(rows, columns=names)


def is_kept(should: str, change: float) -> bool:
    """Whether a change, a fraction, is what it should be: SAME, NOT_FALL, RISE or FALL."""
    if should == SAME:
        return abs(change) < TOLERANCE
    if should == NOT_FALL:
        return change > -TOLERANCE
    return change > TOLERANCE if should == RISE else change < -TOLERANCE


def mention_changes(before: Document, after: Document) -> pd.DataFrame:
    """How each mention of a document changed, in text order.

    Columns: start, end, before_entity, after_entity (Int64, counted from 1, NA where that side
    has no such mention), and change, a categorical: kept, removed, added, or moved. An entity
    before and one after are the same if CEAF_m aligns them (one to one, with as many shared
    mentions as possible); a mention is moved if its two entities are not the same.
    """
    comparison = compare([before], [after])
    view = comparison.recall
    change = np.where(view.own_cell < 0, REMOVED, np.where(_are_kept(comparison), KEPT, MOVED))
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


def _are_kept(comparison: Comparison) -> BoolArray:
    """(mentions before,) whether a mention stands in the same entity after."""
    table = comparison.table
    is_aligned = np.zeros(len(table.cell_key) + 1, dtype=bool)  # the last is that of no cell
    is_aligned[best_assignment(table.components, shared_mentions(table))] = True
    return is_aligned[comparison.recall.own_cell]


def changed_documents(before: Corpus, after: Corpus) -> dict[str, int]:
    """The number of removed, new or moved mentions by document, the largest first; none with 0."""
    pairs = [(before.by_name.get(d.name) or d.with_entities(()), d) for d in after]
    changed = [(old, new) for old, new in pairs if not np.array_equal(old.rows, new.rows)]
    comparison = compare([old for old, _ in changed], [new for _, new in changed])
    own, new = comparison.recall.own.document, comparison.precision
    places = np.concatenate([own[~_are_kept(comparison)], new.own.document[new.own_cell < 0]])
    counts = np.bincount(places, minlength=len(changed)).tolist()
    by_name = {old.name: n for (old, _), n in zip(changed, counts, strict=True)}
    return dict(sorted(by_name.items(), key=lambda item: -item[1]))
