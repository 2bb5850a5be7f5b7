"""Two responses against one key: which of them has each mention right."""

import numpy as np
import pandas as pd

from corescore.analysis.errors.mentions import DUPLICATED, RIGHT, SPAN_ERROR, SPURIOUS
from corescore.arrays import BoolArray

BOTH_RIGHT, ONLY_A, ONLY_B = "both right", "only A right", "only B right"
BOTH_WRONG = "both wrong"
OUTCOMES = (BOTH_RIGHT, ONLY_A, ONLY_B, BOTH_WRONG, SPURIOUS)
_SPAN = ["document", "start", "end"]


def outcome_table(a: pd.DataFrame, b: pd.DataFrame) -> pd.DataFrame:
    """A row for each span that is a mention of the key or of a response, in text order.

    a, b  the `corescore.analysis.errors.mention_tables.mention_table` of two responses over one key

    Columns: document, start, end, type, key_entity, a_entity, b_entity (NA where that side has no
    such mention), and outcome, a categorical: both right, only A right, only B right, both wrong,
    spurious (the key has no such mention). A mention is right where its class is "right": one
    that is unlinked or incorrectly resolved is not. Where a span is off, both spans have a row.
    """
    sides = [_by_span(table).add_suffix(f"_{name}") for name, table in (("a", a), ("b", b))]
    both = sides[0].join(sides[1], how="outer").reset_index()
    in_key = both["key_entity_a"].notna()
    right = [both[f"right_{name}"].eq(True).to_numpy() for name in "ab"]
    table = pd.DataFrame(
        {
            **{name: both[name] for name in _SPAN},
            "type": both["type_a"].astype(object).fillna(both["type_b"].astype(object)),
            "key_entity": both["key_entity_a"],
            "a_entity": both["response_entity_a"],
            "b_entity": both["response_entity_b"],
            "outcome": outcomes(in_key.to_numpy(), *right),
        }
    )
    longest_first = table.assign(end=-table["end"]).sort_values(_SPAN).index
    return table.loc[longest_first].reset_index(drop=True)


def outcomes(in_key: BoolArray, right_a: BoolArray, right_b: BoolArray) -> "pd.Categorical[str]":
    """(mentions,) the outcome of each: whether the key has it, and which response has it right."""
    number = np.select(
        [~in_key, right_a & right_b, right_a, right_b],
        [OUTCOMES.index(name) for name in (SPURIOUS, BOTH_RIGHT, ONLY_A, ONLY_B)],
        OUTCOMES.index(BOTH_WRONG),
    )
    return pd.Categorical.from_codes(number, pd.Index(OUTCOMES))


def _by_span(table: pd.DataFrame) -> pd.DataFrame:
    """type, key_entity, response_entity and right of each span; of a span error's two, each alone.

    The response's entity of a mention that it lists twice is the first.
    """
    once = table[table["class"] != DUPLICATED]
    is_off = once["class"] == SPAN_ERROR
    key = once.assign(response_entity=once["response_entity"].mask(is_off))
    off = once[is_off]
    none = pd.Series(pd.NA, index=off.index, dtype="Int64")
    off = off.assign(start=off["response_start"], end=off["response_end"], key_entity=none)
    spans = pd.concat([key, off]).astype(dict.fromkeys(("start", "end"), "int64"))
    spans = spans.assign(key_entity=spans["key_entity"].astype("Int64"))
    spans = spans.assign(right=spans["class"] == RIGHT)
    columns = ["type", "key_entity", "response_entity", "right"]
    return spans.drop_duplicates(_SPAN).set_index(_SPAN)[columns]
