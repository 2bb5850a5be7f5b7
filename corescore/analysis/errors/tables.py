"""Tables of mentions and of errors of entities and links, and of what the errors cost."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd

from corescore.analysis.credit import document_mask, entity_numbers, links_of, weighted_credit
from corescore.analysis.errors.classes import (
    CORRECT,
    DUPLICATED,
    MENTION_CLASSES,
    MISSING,
    SPAN_ERROR,
    SPURIOUS,
    Incorrect,
    align,
    duplicates,
    incorrectly_resolved,
    linked_in_key,
    mention_classes,
    spans,
    text_of,
    text_order,
)
from corescore.analysis.errors.impact import impact
from corescore.analysis.errors.operations import (
    KINDS,
    OPERATION_OF,
    SLICES,
    EntityParts,
    Operations,
    operations,
    parts_of,
    slices,
)
from corescore.corpus.problems import choose
from corescore.counting.comparison import Comparison, View
from corescore.counting.contingency import Contingency, add_up, contingency
from corescore.counting.counts import MEASURES, divide
from corescore.counting.policies import Singletons
from corescore.metrics import BESIDE_IDS, METRICS, Metric
from corescore.scoring.scores import Result
from corescore.scoring.tables import change_table
from corescore.util import BoolArray, IntArray

# Tables of mentions: class, slices and entities of each, and counts by slice ----------------------
# Spans are half-open; a shared mention has the key's span. Entities are counted from 1 in the text
# order of their first mentions, NA where a side lacks one.


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
    return _with_partners(comparison).drop(columns=["n_wrong", "n_right"])


def partner_table(comparison: Comparison, *, most: int) -> pd.DataFrame:
    """`incorrectly_resolved_table` with the words of the first `most` partners of each mention.

    Columns: document, mention, start, end, wrong_partners, right_partners, and n_wrong and n_right,
    how many partners there are.
    """
    partners = ["wrong_partners", "n_wrong", "right_partners", "n_right"]
    return _with_partners(comparison, most)[["document", "mention", "start", "end", *partners]]


def _with_partners(comparison: Comparison, most: int | None = None) -> pd.DataFrame:
    """The incorrectly resolved mentions with their first `most` partners, or all."""
    view = comparison.precision
    found = np.flatnonzero(incorrectly_resolved(comparison))
    key = view.own_partner[found]
    frame = mention_columns(comparison, key, found)
    for name, own, mentions in (("wrong", view, found), ("right", comparison.recall, key)):
        partners = _partners(own, mentions, most=most)
        frame[f"{name}_partners"] = [_words(own, others) for others in partners]
        places = [_spans(own, others) for others in partners]
        frame[f"{name}_spans"] = pd.Series(places, dtype=object)
        frame[f"n_{name}"] = own.table.key_sizes[own.own_entity[mentions]] - 1
    return frame.assign(key_singleton=~linked_in_key(comparison)[found])


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
    found = {}
    for kind, of in of_key.items():
        numbers = np.append(of.number, -1)[key], np.append(of_response[kind].number, -1)[response]
        found[kind] = _categorical(np.where(key >= 0, *numbers), of.names)
    return found


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


# Tables of operations and of links, and what each kind of error costs -----------------------------

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


def _overlaps(parts: EntityParts) -> IntArray:
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
    comparison: Comparison, parts: EntityParts, found: Operations
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


def _targets(comparison: Comparison, parts: EntityParts, found: Operations) -> list[Span | None]:
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
               wrong as MUC counts (`corescore.analysis.credit.links_of`), or "all"
    documents  the names of some; None means all

    Raises PolicyError for another `which` or an unknown document.
    """
    mask = document_mask(comparison, documents)
    of_key, of_response = (
        links_of(view, which, among=mask[view.own.document])
        for view in (comparison.recall, comparison.precision)
    )
    wrong = ~of_response.correct
    first = _ends(comparison, of_key.first, of_response.first[wrong])
    second = _ends(comparison, of_key.second, of_response.second[wrong])
    status = np.append(np.where(of_key.correct, CORRECT, MISSING), [WRONG] * int(wrong.sum()))
    frame, others = (mention_columns(comparison, *ends) for ends in (first, second))
    frame.insert(1, "status", pd.Series(pd.Categorical(status, list(LINK_STATUSES))))
    for at, name in enumerate(("mention", "start", "end"), start=5):
        frame.insert(at, "other" if name == "mention" else f"other_{name}", others[name])
    frame["key_entity"] = frame["key_entity"].mask(status == WRONG)
    frame["response_entity"] = frame["response_entity"].mask(status == MISSING)
    frame = frame.assign(**slice_columns(comparison, *second))
    signs = {"end": -1, "start": 1, "other_end": -1, "other_start": 1}
    columns = [sign * frame[name] for name, sign in signs.items()]
    order = np.lexsort((*columns, frame["document"].cat.codes))
    return frame.iloc[order].reset_index(drop=True)


def _ends(comparison: Comparison, key: IntArray, response: IntArray) -> tuple[IntArray, IntArray]:
    """One end of the key's and the response's links as key and as response mentions; −1: none."""
    return (
        np.concatenate([key, comparison.precision.own_partner[response]]),
        np.concatenate([comparison.recall.own_partner[key], response]),
    )


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


# What errors cost: the gain of fixing each kind, the credit of each slice -------------------------

GAINS = ("alone", "in_order", "last", "share")

ALL_KINDS = "all seven"


def gain_table(impact: pd.DataFrame, *, gain: str = "alone", measure: str = "f1") -> pd.DataFrame:
    """How much fixing each kind of error adds to a measure, in fractions.

    A row for each kind and a last row, "all seven", for fixing everything; a column for each
    metric.

    impact   of `corescore.analysis.errors.tables.impact_table`
    gain     alone: this kind and no other; in_order: after the kinds before it; last: after all
             others; share: on average over all orders (Shapley). in_order and share add up to
             the last row.
    measure  recall, precision or f1
    """
    choose("gain", gain, GAINS)
    rows = impact[impact["measure"] == choose("measure", measure, ("recall", "precision", "f1"))]
    by_metric = rows.groupby("metric", sort=False)
    fixed = by_metric["cumulative"].transform("last")
    before = by_metric["cumulative"].shift().fillna(rows["score"])
    gains = {
        "alone": rows["alone"] - rows["score"],
        "in_order": rows["cumulative"] - before,
        "last": fixed - rows["all_but"],
        "share": rows["share"],
    }
    table = rows.assign(gain=gains[gain]).pivot(index="kind", columns="metric", values="gain")
    table = table.loc[rows["kind"].unique(), rows["metric"].unique()]
    table.loc[ALL_KINDS] = (fixed - rows["score"]).groupby(rows["metric"]).first()
    return table


def slice_credit(
    comparison: Comparison,
    metrics: Sequence[Metric] = METRICS,
    *,
    by: str = "type",
    side: str = "recall",
) -> pd.DataFrame:
    """The credit of the mentions of each slice as a share of the possible; NaN if that is 0.

    A row for each slice with a mention; the column mentions, their number, and one for each
    metric. A link counts half at each end; BLANC's parts are weighted as in its score. The
    mentions are those of the key (recall) or the response (precision).
    """
    slices = slice_table(comparison, side=side)[choose("by", by, SLICES)]
    number, n = slices.cat.codes.to_numpy().astype(np.int64), len(slices.cat.categories)
    table = pd.DataFrame(
        {"mentions": np.bincount(number, minlength=n)}, index=slices.cat.categories
    )
    for metric in metrics:
        if metric.credit is None:
            table[metric.id] = np.nan
            continue
        of = weighted_credit(comparison, metric, side=side)
        credit, possible = (add_up(number, each, n) for each in (of.credit, of.possible))
        table[metric.id] = divide(credit, possible, empty=np.nan)
    return table[table["mentions"] > 0]


# Errors as the command line prints them: by kind, document, entity or mention ---------------------


def by_kind(result: Result) -> pd.DataFrame:
    """A row for each of the seven kinds: errors, documents that have it, and its first mention."""
    errors = operation_table(result.comparison)
    grouped = errors.groupby("kind", observed=False)
    example = grouped["mentions"].first().map(lambda words: words[0], na_action="ignore")
    table = pd.DataFrame(
        {
            "errors": grouped.size(),
            "documents": grouped["document"].nunique(),
            "example": example.astype(object).where(example.notna(), None),
        }
    )
    return table.reindex(list(KINDS)).reset_index()


def by_document(result: Result) -> pd.DataFrame:
    """A row for each document: its incorrectly resolved mentions, their share of the shared
    mentions, and the number of errors of each kind."""
    counts = error_counts(operation_table(result.comparison), of="kind")
    resolved = incorrectly_resolved_counts(result.comparison).drop(columns="shared_mentions")
    table = resolved.join(counts.set_axis([str(name) for name in counts.columns], axis=1))
    return table.rename_axis("document").reset_index()


def by_entity(result: Result) -> pd.DataFrame:
    """A row for each operation, with the mentions and entities that it affects."""
    columns = ("document", "order", "operation", "kind", "mentions")
    table = operation_table(result.comparison)[[*columns, "key_entity", "response_entity"]]
    return table.assign(mentions=table["mentions"].map(" | ".join))


def by_mention(result: Result) -> pd.DataFrame:
    """A row for each mention of either side: its class and its slices."""
    return mention_table(result.comparison, singletons=result.policies.singletons)


def impact_report(result: Result) -> pd.DataFrame:
    """How much fixing each kind would gain under each metric."""
    shown = [metric for metric in result.metrics if metric.id not in BESIDE_IDS]
    return impact_table(result.comparison, shown)


def removal_table(result: Result, *, incorrect: Incorrect = "all") -> pd.DataFrame:
    """The scores without the incorrectly resolved mentions (Moosavi & Strube 2016, §2).

    A row for each metric (and "conll"), indexed by its id; columns recall, precision, f1,
    recall_after and so on, and the differences recall_change and so on. None of these mentions
    has a correct link, so the recall of MUC and LEA does not change; the recall of other metrics
    falls, which is the mention identification effect. Where mentions that a side lists twice are
    looked up, both scores are those of the pairs of mentions.

    incorrect  "all" of them, or only "linked" ones, as in `incorrectly_resolved`. With "linked", a
               singleton in the key may lose all its wrong partners: LEA then credits it, and its
               recall rises

    Raises PolicyError for another value of `incorrect`.
    """
    comparison = result.comparison
    removed = incorrectly_resolved(comparison, incorrect=incorrect)
    table = contingency(comparison.matching.without(removed))
    before = result if comparison.look_ups is None else _counted(result, comparison.table)
    return change_table(before, _counted(result, table))


def _counted(result: Result, table: Contingency) -> Result:
    return replace(result, counts={m.id: m.counts(table) for m in result.metrics})


LEVELS: dict[str, Callable[[Result], pd.DataFrame]] = {
    "kind": by_kind,
    "document": by_document,
    "entity": by_entity,
    "mention": by_mention,
}

# Two responses to one key: in which of them each mention is correct -------------------------------

BOTH_CORRECT, ONLY_A, ONLY_B = "both correct", "only A correct", "only B correct"

BOTH_WRONG = "both wrong"

OUTCOMES = (BOTH_CORRECT, ONLY_A, ONLY_B, BOTH_WRONG, SPURIOUS)

_SPAN = ["document", "start", "end"]


def outcome_table(a: pd.DataFrame, b: pd.DataFrame) -> pd.DataFrame:
    """A row for each span that is a mention of the key or of a response, in text order.

    a, b  the `corescore.analysis.errors.tables.mention_table` of two responses over one key

    Columns: document, start, end, type, key_entity, a_entity, b_entity (NA where that side has no
    such mention), and outcome, a categorical: both correct, only A correct, only B correct, both
    wrong, spurious (the key has no such mention). A mention is correct if its class is "correct":
    one that is unlinked or incorrectly resolved is not. Where a span is off, both spans have a row.
    """
    sides = [_by_span(table).add_suffix(f"_{name}") for name, table in (("a", a), ("b", b))]
    both = sides[0].join(sides[1], how="outer").reset_index()
    in_key = both["key_entity_a"].notna()
    correct = [both[f"correct_{name}"].eq(True).to_numpy() for name in "ab"]
    table = both[_SPAN].assign(
        type=both["type_a"].astype(object).fillna(both["type_b"].astype(object)),
        key_entity=both["key_entity_a"],
        a_entity=both["response_entity_a"],
        b_entity=both["response_entity_b"],
        outcome=outcomes(in_key.to_numpy(), *correct),
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
    return _categorical(number, OUTCOMES)


def _by_span(table: pd.DataFrame) -> pd.DataFrame:
    """type, key_entity, response_entity and correct of each span; a span error is two spans.

    A mention that the response lists twice has its first entity.
    """
    once = table[table["class"] != DUPLICATED]
    is_off = once["class"] == SPAN_ERROR
    key = once.assign(response_entity=once["response_entity"].mask(is_off))
    off = once[is_off]
    none = off["key_entity"].mask(is_off[is_off])
    off = off.assign(start=off["response_start"], end=off["response_end"], key_entity=none)
    spans = pd.concat([key, off]).astype({"start": "int64", "end": "int64"})
    spans["correct"] = spans["class"] == CORRECT
    columns = ["type", "key_entity", "response_entity", "correct"]
    return spans.drop_duplicates(_SPAN).set_index(_SPAN)[columns]


# Span errors beside the counts of missing and spurious mentions, which include them ---------------


def span_errors(comparison: Comparison) -> pd.Series:
    """How many mentions of each document have a span error, by the document's name.

    Each pairs one key mention with one response mention (`align`); counts of mentions that are
    shared or not have the first among the missing and the second among the spurious ones.
    """
    documents = comparison.precision.own.document[align(comparison).altered]
    names = [document.name for document in comparison.recall.documents]
    return pd.Series(np.bincount(documents, minlength=len(names)), index=names)


def with_span_errors(counts: pd.DataFrame, found: Mapping[str, pd.Series]) -> pd.DataFrame:
    """A table as of `count_table` with the column span_errors (NaN for the key).

    found  for each result, what `span_errors` finds
    """
    return counts.assign(span_errors=pd.Series({name: of.sum() for name, of in found.items()}))


def apart(table: pd.DataFrame, columns: Iterable[str]) -> pd.DataFrame:
    """The table with its missing and spurious mentions less those with a span error, as pages
    count them; `columns` names the two, and the table has span_errors."""
    return table.assign(**{name: table[name] - table["span_errors"] for name in columns})
