"""What puts the error of a row right, in words."""

from collections.abc import Sequence

import numpy as np

from corescore.analysis.error_table.rows import ErrorRows
from corescore.analysis.errors.mentions import DUPLICATED, MISSING, SPAN_ERROR, SPURIOUS
from corescore.analysis.errors.operations import CONFLATED_ENTITIES, DIVIDED_ENTITY
from corescore.arrays import IntArray
from corescore.wording import counted

AROUND_IT = "leave it: fixing the mentions around it puts it right"


def fixes(
    rows: ErrorRows,
    *,
    span: Sequence[str],
    source: Sequence[str],
    target: Sequence[str],
) -> list[str]:
    """(rows,) what to do with each mention, such as "move it from entity 2 (a town) to entity 3
    (Oakland)"; of one with a span error first the span.

    All (rows,) and "" where there is none:
    span    the span that the key has for it, in words
    source  what its response entity is called; of a duplicated mention that which lists it again
    target  what the response entity is called in which most of its key entity is (`targets`)
    """
    altered, steps = rows.are(SPAN_ERROR).tolist(), _steps(rows, source, target)
    otherwise = "" if rows.parts is None else AROUND_IT
    found = []
    for is_altered, words, step in zip(altered, span, steps, strict=True):
        first = [f"give it the span {words}"] if is_altered else []
        found.append("; ".join([*first, step] if step else first) or otherwise)
    return found


def targets(rows: ErrorRows) -> IntArray:
    """(rows,) the response entity in which the largest part of each mention's key entity is, as a
    row of the table; −1 where no part is."""
    if rows.parts is None:
        return np.full(len(rows), -1)
    parts = rows.parts
    gathers = np.append(parts.gathers, -1)[rows.row]
    found: IntArray = np.append(parts.response_entity, -1)[np.append(parts.first, -1)[gathers]]
    return found


def _steps(rows: ErrorRows, source: Sequence[str], target: Sequence[str]) -> list[str]:
    """What each mention does between entities; "" where it stays."""
    conditions = [
        rows.are(DUPLICATED),
        rows.are(SPURIOUS),
        rows.are(MISSING) & (rows.parts is not None),
        rows.of_kind(DIVIDED_ENTITY),
        rows.of_kind(CONFLATED_ENTITIES),
    ]
    action = np.select(conditions, np.arange(len(conditions)), -1)
    ends = zip(action.tolist(), _others(rows).tolist(), source, target, strict=True)
    return [_step(*row) for row in ends]


def _step(action: int, others: int, source: str, target: str) -> str:
    match action:
        case 0:
            return f"remove the repetition from {source}"
        case 1:
            return f"remove it from {source}"
        case 2:
            return f"add it to {target}" if target else "add it as a new entity"
        case 3:
            return f"move it from {source} to {target}"
        case 4:
            more = f" and {counted(others, 'other')}" if others else ""
            return f"split it{more} off from {source}"
    return ""


def _others(rows: ErrorRows) -> IntArray:
    """(rows,) how many other mentions the part of each has."""
    if rows.parts is None:
        return np.zeros(len(rows), dtype=np.int64)
    part = np.append(rows.parts.part, -1)[rows.row]
    others: IntArray = np.append(rows.parts.table.cell_sizes, 1)[part] - 1
    return others
