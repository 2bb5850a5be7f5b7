"""Tables of mentions: class, slices and entities of each, and counts by slice.

Spans are half-open; a shared mention has the key's span. Entities are counted from 1 in the text
order of their first mentions, NA where a side lacks one.
"""

import numpy as np
import pandas as pd

from corescore.analysis.credit.tables import entity_numbers
from corescore.analysis.errors.mentions import (
    DUPLICATED,
    MENTION_CLASSES,
    duplicates,
    incorrectly_resolved,
    linked_in_key,
    mention_classes,
    spans,
    text_of,
    text_order,
)
from corescore.analysis.errors.slices import SLICES, slices
from corescore.arrays import IntArray
from corescore.corpus.problems import choose
from corescore.counting.comparison import Comparison, View
from corescore.counting.policies import Singletons


def mention_table(comparison: Comparison, *, singletons: Singletons = "keep") -> pd.DataFrame:
    """A row for each mention of either side, in text order; a span error is one row.

    Columns: document (a categorical of all documents, in the key's order, as in every table here),
    mention (its words), start, end, response_start, response_end (the response's span; NA where
    it lacks the mention), key_entity, response_entity, class (a categorical: correct, unlinked,
    incorrectly resolved, span error, missing, spurious, duplicated: `mention_classes`), and a
    categorical for each kind of slice (`errors.slices`; the key's where the key has the mention).
    A mention that the response lists in several entities has another row, of class duplicated,
    for each entity after the first.

    singletons  the policy of the comparison, which also applies to duplicates
    """
    classes = mention_classes(comparison)
    again, entity = duplicates(comparison, singletons=singletons)
    key = np.append(classes.key, np.full(len(again), -1))
    response = np.append(classes.response, again)
    number = np.append(classes.number, np.full(len(again), MENTION_CLASSES.index(DUPLICATED)))
    side = comparison.matching.response
    frame = mention_columns(comparison, key, response)
    frame.insert(4, "response_start", _values(side.start, response))
    frame.insert(5, "response_end", _values(side.end, response))
    first_of_document = np.searchsorted(side.entity_document, side.document[again])
    frame.loc[len(classes.key) :, "response_entity"] = entity - first_of_document + 1
    frame["class"] = _categorical(number, MENTION_CLASSES)
    frame = frame.assign(**slice_columns(comparison, key, response))
    return frame.iloc[text_order(comparison, key, response)].reset_index(drop=True)


def error_counts(table: pd.DataFrame, *, of: str, by: str = "document") -> pd.DataFrame:
    """Counts of errors: a row for each document or slice, a column for each value of `of`.

    table  of `mention_table`, `operation_table` or `link_table`
    of     the column to count: "class", "kind" or "status"
    by     "document", or a kind of slice: type, length, size, position, antecedent, genre

    Rows and columns without errors are included. Raises PolicyError for another `by`.
    """
    choose("by", by, ("document", *SLICES))
    return pd.crosstab(table[by], table[of], dropna=False)


def slice_table(comparison: Comparison, *, side: str = "recall") -> pd.DataFrame:
    """A row for each mention of the key (recall) or the response (precision), in the order of its
    arrays; a categorical for each kind of slice."""
    found = slices(comparison, side=side)
    return pd.DataFrame({kind: _categorical(s.number, s.names) for kind, s in found.items()})


def incorrectly_resolved_table(comparison: Comparison) -> pd.DataFrame:
    """A row for each incorrectly resolved mention, in text order (Moosavi & Strube 2016, §2).

    Columns: document, mention (its words), start, end, key_entity, response_entity,
    wrong_partners and wrong_spans (the other mentions of its response entity: a tuple of words,
    and one of (start, end)), right_partners and right_spans (the other mentions of its key
    entity; may be empty), key_singleton (whether it is a singleton in the key).
    """
    view = comparison.precision
    found = np.flatnonzero(incorrectly_resolved(comparison))
    key = view.own_partner[found]
    frame = mention_columns(comparison, key, found)
    sides = {"wrong": (view, found), "right": (comparison.recall, key)}
    for name, (own, mentions) in sides.items():
        partners = _partners(own, mentions)
        frame[f"{name}_partners"] = [_words(own, others) for others in partners]
        places = [_spans(own, others) for others in partners]
        frame[f"{name}_spans"] = pd.Series(places, dtype=object)
    return frame.assign(key_singleton=~linked_in_key(comparison)[found])


def partner_table(comparison: Comparison, *, most: int) -> pd.DataFrame:
    """`incorrectly_resolved_table` with the words of the first `most` partners of each mention.

    Columns: document, mention, start, end, wrong_partners, right_partners, and n_wrong and n_right,
    how many partners there are.
    """
    view = comparison.precision
    found = np.flatnonzero(incorrectly_resolved(comparison))
    key = view.own_partner[found]
    frame = mention_columns(comparison, key, found)[["document", "mention", "start", "end"]]
    for name, own, mentions in (("wrong", view, found), ("right", comparison.recall, key)):
        partners = _partners(own, mentions, most=most)
        frame[f"{name}_partners"] = [_words(own, others) for others in partners]
        frame[f"n_{name}"] = own.table.key_sizes[own.own_entity[mentions]] - 1
    return frame


def incorrectly_resolved_counts(comparison: Comparison) -> pd.DataFrame:
    """A row for each document: the numbers shared_mentions and incorrectly_resolved, share, the
    second divided by the first (NaN without shared mentions), and incorrect_singletons, how many
    of the incorrectly resolved mentions are singletons in the key."""
    view = comparison.precision
    n = len(comparison.key)
    document = view.own.document
    shared = np.bincount(document[view.own_cell >= 0], minlength=n)
    every = incorrectly_resolved(comparison)
    wrong = np.bincount(document[every], minlength=n)
    alone = np.bincount(document[every & ~linked_in_key(comparison)], minlength=n)
    frame = pd.DataFrame({"shared_mentions": shared, "incorrectly_resolved": wrong})
    frame.index = pd.Index([document.name for document in comparison.key], name="document")
    share = frame["incorrectly_resolved"] / frame["shared_mentions"]
    return frame.assign(share=share, incorrect_singletons=alone)


def mention_columns(comparison: Comparison, key: IntArray, response: IntArray) -> pd.DataFrame:
    """document, mention, start, end, key_entity and response_entity of mentions.

    key, response  (rows,) each mention's number on either side; −1 where the side lacks it
    """
    document, start, end = spans(comparison, key, response)
    matching = comparison.matching
    return pd.DataFrame(
        {
            "document": _categorical(document, tuple(doc.name for doc in comparison.key)),
            "mention": pd.Series(words_of(comparison, key, response), dtype=str),
            "start": start,
            "end": end,
            "key_entity": _values(entity_numbers(matching.key), key),
            "response_entity": _values(entity_numbers(matching.response), response),
        }
    )


def slice_columns(
    comparison: Comparison, key: IntArray, response: IntArray
) -> "dict[str, pd.Categorical[str]]":
    """The slices of mentions as in `mention_columns`: the key's where the key has the mention."""
    of_key, of_response = (slices(comparison, side=side) for side in ("recall", "precision"))
    numbers = {
        kind: np.where(
            key >= 0,
            np.append(of_key[kind].number, -1)[key],
            np.append(of_response[kind].number, -1)[response],
        )
        for kind in SLICES
    }
    return {kind: _categorical(number, of_key[kind].names) for kind, number in numbers.items()}


def _partners(view: View, mentions: IntArray, *, most: int | None = None) -> list[IntArray]:
    """The other mentions of the entity of each of these own mentions; the first `most` of them."""
    members = np.argsort(view.own_entity, kind="stable")
    end = np.cumsum(view.table.key_sizes)[view.own_entity[mentions]]
    first = end - view.table.key_sizes[view.own_entity[mentions]]
    end = end if most is None else np.minimum(end, first + most + 1)  # one may be the mention
    bounds = zip(mentions.tolist(), first.tolist(), end.tolist(), strict=True)
    parts = ((own, members[low:high]) for own, low, high in bounds)
    return [part[part != own][:most] for own, part in parts]


def _words(view: View, mentions: IntArray) -> tuple[str, ...]:
    if not len(mentions):
        return ()
    document = view.documents[view.own.document[mentions[0]]]
    return tuple(document.text_at(*span) for span in _spans(view, mentions))


def _spans(view: View, mentions: IntArray) -> tuple[tuple[int, int], ...]:
    starts, ends = view.own.start[mentions].tolist(), view.own.end[mentions].tolist()
    return tuple(zip(starts, ends, strict=True))


def words_of(comparison: Comparison, key: IntArray, response: IntArray) -> list[str]:
    """The words of mentions, given as in `MentionClasses`, joined by spaces; the key's if any."""
    texts = [text_of(comparison, number) for number in range(len(comparison.key))]
    words = [text.shown_words for text in texts]
    rows = zip(key.tolist(), *(at.tolist() for at in spans(comparison, key, response)), strict=True)
    sides = comparison.key, comparison.response
    return [
        " ".join(words[number][start:end])
        if (document := sides[of_key < 0][number]).attributes is None
        else texts[number].text(document.mention(start, end))
        for of_key, number, start, end in rows
    ]


def _categorical(numbers: IntArray, names: tuple[str, ...]) -> "pd.Categorical[str]":
    return pd.Categorical.from_codes(numbers, pd.Index(names))


def _values(values: IntArray, at: IntArray) -> "pd.Series[int]":
    """The values at these positions; NA where the position is −1."""
    found = pd.Series(np.append(values, 0)[at], dtype="Int64")
    return found.mask(at < 0)
