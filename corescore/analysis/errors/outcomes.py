"""Two responses to one key: in which of them each mention is correct."""

import numpy as np
import pandas as pd

from corescore.analysis.errors.mentions import CORRECT, DUPLICATED, SPAN_ERROR, SPURIOUS
from corescore.arrays import BoolArray

BOTH_CORRECT, ONLY_A, ONLY_B = "both correct", "only A correct", "only B correct"
BOTH_WRONG = "both wrong"
OUTCOMES = (BOTH_CORRECT, ONLY_A, ONLY_B, BOTH_WRONG, SPURIOUS)
_SPAN = ["document", "start", "end"]


def outcome_table(a: pd.DataFrame, b: pd.DataFrame) -> pd.DataFrame:
    """A row for each span that is a mention of the key or of a response, in text order.

    a, b  the `corescore.analysis.errors.mention_tables.mention_table` of two responses over one key

    Columns: document, start, end, type, key_entity, a_entity, b_entity (NA where that side has no
    such mention), and outcome, a categorical: both correct, only A correct, only B correct, both
    wrong, spurious (the key has no such mention). A mention is correct if its class is "correct":
    one that is unlinked or incorrectly resolved is not. Where a span is off, both spans have a row.
    """
    sides = [_by_span(table).add_suffix(f"_{name}") for name, table in (("a", a), ("b", b))]
    both = sides[0].join(sides[1], how="outer").reset_index()
    in_key = both["key_entity_a"].notna()
    correct = [both[f"correct_{name}"].eq(True).to_numpy() for name in "ab"]
    table = pd.DataFrame(
        {
            **{name: both[name] for name in _SPAN},
            "type": both["type_a"].astype(object).fillna(both["type_b"].astype(object)),
            "key_entity": both["key_entity_a"],
            "a_entity": both["response_entity_a"],
            "b_entity": both["response_entity_b"],
            "outcome": outcomes(in_key.to_numpy(), *correct),
        }
    )
    longest_first = table.assign(end=-table["end"]).sort_values(_SPAN).index
    return table.loc[longest_first].reset_index(drop=True)


def outcomes(
    in_key: BoolArray, correct_a: BoolArray, correct_b: BoolArray
) -> "pd.Categorical[str]":
    """(mentions,) whether the key has a mention, and which response resolves it correctly."""
    number = np.select(
        [~in_key, correct_a & correct_b, correct_a, correct_b],
        [OUTCOMES.index(name) for name in (SPURIOUS, BOTH_CORRECT, ONLY_A, ONLY_B)],
        OUTCOMES.index(BOTH_WRONG),
    )
    return pd.Categorical.from_codes(number, pd.Index(OUTCOMES))


def _by_span(table: pd.DataFrame) -> pd.DataFrame:
    """type, key_entity, response_entity and correct of each span; a span error is two spans.

    A mention that the response lists twice has its first entity.
    """
    once = table[table["class"] != DUPLICATED]
    is_off = once["class"] == SPAN_ERROR
    key = once.assign(response_entity=once["response_entity"].mask(is_off))
    off = once[is_off]
    none = pd.Series(pd.NA, index=off.index, dtype="Int64")
    off = off.assign(start=off["response_start"], end=off["response_end"], key_entity=none)
    spans = pd.concat([key, off]).astype(dict.fromkeys(("start", "end"), "int64"))
    spans = spans.assign(key_entity=spans["key_entity"].astype("Int64"))
    spans = spans.assign(correct=spans["class"] == CORRECT)
    columns = ["type", "key_entity", "response_entity", "correct"]
    return spans.drop_duplicates(_SPAN).set_index(_SPAN)[columns]
