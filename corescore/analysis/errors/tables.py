"""Tables of errors of entities and links, and of what they cost.

Spans, entities and missing values are as in `corescore.analysis.errors.mention_tables`.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from corescore.analysis.credit.links import WHICH_LINKS
from corescore.analysis.credit.units import document_mask
from corescore.analysis.errors.impact import impact
from corescore.analysis.errors.mention_tables import mention_columns, slice_columns, words_of
from corescore.analysis.errors.mentions import CORRECT, MISSING, SPAN_ERROR, spans
from corescore.analysis.errors.operations import (
    KINDS,
    OPERATION_OF,
    Operations,
    Parts,
    operations,
    parts_of,
)
from corescore.arrays import IntArray
from corescore.corpus.problems import choose
from corescore.counting.comparison import Comparison
from corescore.counting.counts import MEASURES
from corescore.metrics import METRICS, Metric

WRONG = "wrong"
LINK_STATUSES = (CORRECT, MISSING, WRONG)

Span = tuple[int, int]


def operation_table(comparison: Comparison) -> pd.DataFrame:
    """The operations that turn the response into the key, one for each error (`operations`).

    Columns: document; group, the number of its overlap of entities in the document; order, its
    position among the document's operations; operation (alter span, split, remove, introduce,
    merge); kind (a categorical of the seven); mentions and spans, the mentions it affects: a tuple
    of words and one of (start, end); target, a span: for alter span the key's, for introduce and
    merge a mention of the entity that gets the mentions (None for a new entity); key_entity,
    response_entity; and the slices of the first mention, as in `mention_table`. After an altered
    span, later operations use the key's span.
    Raises PolicyError where a side lists a span twice under repeats "all".
    """
    parts = parts_of(comparison)
    found = operations(parts)
    document, kinds = parts.document[found.first], np.array(KINDS, dtype=object)[found.kind]
    firsts = parts.mentions.key[found.first], parts.mentions.response[found.first]
    frame = mention_columns(comparison, *firsts)
    texts, places = _affected(comparison, parts, found)
    return pd.DataFrame(
        {
            "document": frame["document"],
            "group": _overlaps(parts)[found.first],
            "order": np.arange(len(document)) - np.searchsorted(document, document) + 1,
            "operation": pd.Series([OPERATION_OF[kind] for kind in kinds], dtype=str),
            "kind": pd.Categorical(kinds, list(KINDS)),
            "mentions": texts,
            "spans": places,
            "target": _targets(comparison, parts, found),
            "key_entity": frame["key_entity"],
            "response_entity": frame["response_entity"],
            **slice_columns(comparison, *firsts),
        }
    )


def _overlaps(parts: Parts) -> IntArray:
    """(rows,) the overlap of entities of each mention, counted from 1 in each document in the text
    order of their first mentions."""
    component = parts.table.component_of_entity
    n_key = len(parts.table.key_sizes)
    is_key = parts.key_entity >= 0
    of_row = component[np.where(is_key, parts.key_entity, n_key + parts.response_entity)]
    _, first, which = np.unique(of_row, return_index=True, return_inverse=True)
    place = np.empty_like(first)
    place[np.argsort(first)] = np.arange(len(first))
    before = np.searchsorted(parts.document[np.sort(first)], parts.document)
    return place[which] - before + 1


def _affected(
    comparison: Comparison, parts: Parts, found: Operations
) -> tuple[list[tuple[str, ...]], list[tuple[Span, ...]]]:
    """The words and the spans of the mentions that each operation affects."""
    is_altered = found.kind[found.operation] == KINDS.index(SPAN_ERROR)
    key = np.where(is_altered, -1, parts.mentions.key[found.mention])
    response = parts.mentions.response[found.mention]
    words = words_of(comparison, key, response)
    _, start, end = spans(comparison, key, response)
    places = list(zip(start.tolist(), end.tolist(), strict=True))
    bounds = np.searchsorted(found.operation, np.arange(len(found.kind) + 1)).tolist()
    within = [slice(low, high) for low, high in pairwise(bounds)]
    return [tuple(words[at]) for at in within], [tuple(places[at]) for at in within]


def _targets(comparison: Comparison, parts: Parts, found: Operations) -> list[Span | None]:
    row = np.where(found.kind == KINDS.index(SPAN_ERROR), found.first, found.target)
    mentions = parts.mentions
    _, start, end = spans(comparison, mentions.key[row], mentions.response[row])
    rows = zip(row.tolist(), start.tolist(), end.tolist(), strict=True)
    return [(first, last) if at >= 0 else None for at, first, last in rows]


def link_table(
    comparison: Comparison, *, which: str = "minimum", documents: Sequence[str] | None = None
) -> pd.DataFrame:
    """Correct, missing and wrong links, in the text order of their second mentions.

    Columns: document, status (correct: both sides have it; missing: only the key; wrong: only the
    response), mention, start, end, other, other_start, other_end (its two mentions in text
    order), key_entity (NA if wrong), response_entity (NA if missing); and the slices of the second
    mention, as in `mention_table`.

    which      "minimum": a spanning tree of each entity, in which as many links are missing and
               wrong as MUC counts (`corescore.analysis.credit.links.spanning_links`), or "all"
    documents  the names of some; None means all

    Raises PolicyError for another `which` or an unknown document.
    """
    links = WHICH_LINKS[choose("which", which, WHICH_LINKS)]
    mask = document_mask(comparison, documents)
    of_key, of_response = links(comparison.recall, mask), links(comparison.precision, mask)
    wrong = ~of_response.correct
    first = _ends(comparison, of_key.first, of_response.first[wrong])
    second = _ends(comparison, of_key.second, of_response.second[wrong])
    status = np.append(np.where(of_key.correct, CORRECT, MISSING), [WRONG] * int(wrong.sum()))
    frame = _link_columns(mention_columns(comparison, *first), mention_columns(comparison, *second))
    frame.insert(1, "status", pd.Series(pd.Categorical(status, list(LINK_STATUSES))))
    frame["key_entity"] = frame["key_entity"].mask(status == WRONG)
    frame["response_entity"] = frame["response_entity"].mask(status == MISSING)
    frame = frame.assign(**slice_columns(comparison, *second))
    return frame.iloc[_text_order(frame)].reset_index(drop=True)


def _ends(comparison: Comparison, key: IntArray, response: IntArray) -> tuple[IntArray, IntArray]:
    """One end of the key's and the response's links as key and as response mentions; −1: none."""
    return (
        np.concatenate([key, comparison.precision.own_partner[response]]),
        np.concatenate([comparison.recall.own_partner[key], response]),
    )


def _link_columns(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    other = {"mention": "other", "start": "other_start", "end": "other_end"}
    frame = first[["document", *other]].join(second[[*other]].rename(columns=other))
    return frame.join(first[["key_entity", "response_entity"]])


def _text_order(frame: pd.DataFrame) -> IntArray:
    names = ("end", "start", "other_end", "other_start")
    columns = [frame[name] if "start" in name else -frame[name] for name in names]
    return np.lexsort((*columns, frame["document"].cat.codes))


def impact_table(
    comparison: Comparison, metrics: Sequence[Metric] = METRICS, *, shares: bool = True
) -> pd.DataFrame:
    """What each kind of error costs: a row for each metric, measure and kind (`impact`).

    Columns: metric (its id; "conll" last), measure (recall, precision, f1; of conll only f1),
    kind, errors (how many), score, and the score after fixing: alone (this kind and
    no other), all_but (every kind but this one), cumulative (this kind and those before it); share
    (the kind's part of the gap between the score and 1: its Shapley value; NaN unless `shares`,
    as it takes six times as long as the rest). All fractions.
    Raises PolicyError as `operation_table`.
    """
    found = impact(comparison, metrics, shares=shares)
    shape = found.share.shape
    index = pd.MultiIndex.from_product(
        [found.metrics, MEASURES, KINDS], names=["metric", "measure", "kind"]
    )
    columns = {
        "errors": np.broadcast_to(found.n_errors, shape),
        "score": np.broadcast_to(found.score[..., None], shape),
        "alone": found.alone,
        "all_but": found.all_but,
        "cumulative": found.cumulative,
        "share": found.share,
    }
    table = pd.DataFrame({name: value.ravel() for name, value in columns.items()}, index=index)
    return table.dropna(subset="score").reset_index()
