"""Tables of mentions and of errors of entities, and of what the errors cost.

Spans are half-open; a shared mention has the key's span. Entities are counted from 1 in the text
order of their first mentions, NA where a side lacks one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd

from corescore.analysis.credit import weighted_credit
from corescore.analysis.errors.classes import (
    CORRECT,
    DUPLICATED,
    MENTION_CLASSES,
    SLICES,
    SPAN_ERROR,
    SPURIOUS,
    Incorrect,
    Mentions,
    align,
    category,
    incorrectly_resolved,
    linked_in_key,
    mention_classes,
    nullable,
    slices,
    with_duplicates,
)
from corescore.analysis.errors.operations import (
    DIVIDED_ENTITY,
    KINDS,
    MISSING_MENTION,
    OPERATION_OF,
    EntityParts,
    impact_table,
    operations,
    parts_of,
)
from corescore.corpus.documents import Corpus
from corescore.corpus.problems import choose
from corescore.counting.comparison import Comparison
from corescore.counting.contingency import Contingency, add_up, contingency
from corescore.counting.counts import MEASURES, divide
from corescore.counting.policies import Singletons
from corescore.metrics import BESIDE_IDS, METRICS, Metric
from corescore.scoring.scores import Result
from corescore.scoring.tables import change_table, count_table, document_summary
from corescore.util import BoolArray, IntArray, as_rows, picked, ranges

# Tables of mentions: class, slices and entities of each, and counts by slice ----------------------


def mention_table(comparison: Comparison, *, singletons: Singletons = "keep") -> pd.DataFrame:
    """One row per mention of either side, in text order; a span error is one row.

    Columns: document (a categorical of all documents, in the key's order, as in every table here),
    mention (its words), start, end, response_start, response_end (the response's span; NA where
    it lacks the mention), key_entity, response_entity, class (a categorical: correct, unlinked,
    incorrectly resolved, span error, missing, spurious, duplicated: `mention_classes`), and a
    categorical for each kind of slice (`classes.slices`; the key's where the key has the mention).
    A mention that the response lists in several entities has another row, of class duplicated,
    for each entity after the first.

    singletons  the policy of the comparison, which also applies to duplicates
    """
    mentions, _, again = with_duplicates(mention_classes(comparison), singletons=singletons)
    side, table = comparison.matching.response, mentions.columns()
    for at, name in enumerate(("start", "end"), start=4):
        place = picked(getattr(side, name), mentions.response, 0)
        table.insert(at, f"response_{name}", nullable(place, mentions.response >= 0))
    number = again - np.searchsorted(side.entity_document, mentions.document) + 1
    table["response_entity"] = table["response_entity"].mask(again >= 0, number)
    table["class"] = category(mentions.number, MENTION_CLASSES)
    return table.assign(**mentions.slices)


def error_counts(table: pd.DataFrame, *, column: str, by: str = "document") -> pd.DataFrame:
    """Counts of errors: one row per document or slice, one column per value of `column`.

    table   of `mention_table` or `operation_table`
    column  to count: "class" or "kind"
    by      "document", or a kind of slice: type, length, size, position, antecedent, genre

    Rows and columns without errors are included. Raises PolicyError for another `by`.
    """
    choose("by", by, ("document", *SLICES))
    return pd.crosstab(table[by], table[column], dropna=False)


def _words_and_spans(
    mentions: Mentions, bounds: Sequence[int]
) -> tuple[list[tuple[str, ...]], list[tuple[tuple[int, int], ...]]]:
    """The words and the spans of the mentions between each two bounds."""
    words = mentions.words
    spans = [*as_rows(mentions.start, mentions.end)]
    within = [slice(*ends) for ends in pairwise(bounds)]
    return [tuple(words[of]) for of in within], [tuple(spans[of]) for of in within]


def incorrectly_resolved_table(comparison: Comparison) -> pd.DataFrame:
    """`Result.incorrectly_resolved` (Moosavi & Strube 2016, §2)."""
    wrong = np.flatnonzero(incorrectly_resolved(comparison))
    key = comparison.precision.own_partner[wrong]
    frame = Mentions(comparison, key, wrong).columns()
    for name, side, mentions in (("wrong", "precision", wrong), ("right", "recall", key)):
        view = comparison.view(side)
        members, sizes = np.argsort(view.own_entity, kind="stable"), view.table.key_sizes
        entity = view.own_entity[mentions]
        end = np.cumsum(sizes)[entity]
        which, place = ranges(end - sizes[entity], end)
        is_other = members[place] != mentions[which]
        which = which[is_other]
        partners = Mentions.of_side(comparison, side, members[place][is_other])
        bounds = np.searchsorted(which, np.arange(len(wrong) + 1)).tolist()
        words, spans = _words_and_spans(partners, bounds)
        frame[f"{name}_partners"], frame[f"{name}_spans"] = words, pd.Series(spans, dtype=object)
    return frame.assign(key_singleton=~linked_in_key(comparison)[wrong])


def incorrectly_resolved_counts(comparison: Comparison) -> pd.DataFrame:
    """One row per document: the numbers shared_mentions and incorrectly_resolved, share, the
    second divided by the first (NaN without shared mentions), and incorrect_singletons, how many
    of the incorrectly resolved mentions are singletons in the key."""
    view, wrong = comparison.precision, incorrectly_resolved(comparison)
    are = {
        "shared_mentions": view.own_cell >= 0,
        "incorrectly_resolved": wrong,
        "incorrect_singletons": wrong & ~linked_in_key(comparison),
    }
    n = len(comparison.key)
    counts = {name: np.bincount(view.own.document[of], minlength=n) for name, of in are.items()}
    table = pd.DataFrame(counts, pd.Index(comparison.names, name="document"))
    table.insert(2, "share", table["incorrectly_resolved"] / table["shared_mentions"])
    return table


# Operations, one for each error ------------------------------------------------------------------


def operation_table(comparison: Comparison) -> pd.DataFrame:
    """`Result.errors`: the operations that turn the response into the key, one for each error
    (`operations`). After an altered span, later operations use the key's span.

    Raises PolicyError where a side lists a span twice under repeats "all".
    """
    parts = parts_of(comparison)
    number, kind, row = operations(parts).to_numpy().T
    begins = np.flatnonzero(np.diff(number, prepend=-1))
    kind_of, first = kind[begins], row[begins]
    mentions, every = parts.mentions.take(first), parts.mentions
    columns, document = mentions.columns(), mentions.document
    is_altered = KINDS.index(SPAN_ERROR)
    key = np.where(kind == is_altered, -1, every.key[row])
    affected = Mentions(comparison, key, every.response[row])
    words, spans = _words_and_spans(affected, [*begins.tolist(), len(row)])
    joins = np.isin(kind_of, [KINDS.index(name) for name in (MISSING_MENTION, DIVIDED_ENTITY)])
    into = np.where(joins, picked(parts.first, parts.gathers[first]), -1)
    target = every.take(np.where(kind_of == is_altered, first, into))
    names = np.array(KINDS, dtype=object)[kind_of]
    return pd.DataFrame(
        {
            "document": columns["document"],
            "group": _overlaps(parts)[first],
            "order": np.arange(len(first)) - np.searchsorted(document, document) + 1,
            "operation": pd.Series([OPERATION_OF[name] for name in names], dtype=str),
            "kind": category(kind_of, KINDS),
            "mentions": words,
            "spans": spans,
            "target": [
                place if place[0] >= 0 else None for place in as_rows(target.start, target.end)
            ],
            "key_entity": columns["key_entity"],
            "response_entity": columns["response_entity"],
            **mentions.slices,
        }
    )


def _overlaps(parts: EntityParts) -> IntArray:
    """(rows,) the overlap of entities of each mention, counted from 1 in each document in the text
    order of their first mentions."""
    entity = parts.response_entity + len(parts.table.key_sizes)
    entity = np.where(parts.key_entity >= 0, parts.key_entity, entity)
    number = pd.Series(pd.factorize(parts.table.component_of_entity[entity])[0])
    first = number.groupby(parts.mentions.document).transform("min")
    return (number - first + 1).to_numpy()


# What errors cost: the gain of fixing each kind, the credit of each slice -------------------------

GAINS = ("alone", "in_order", "last", "share")

ALL_KINDS = "all seven"


def gain_table(impact: pd.DataFrame, *, gain: str = "alone", measure: str = "f1") -> pd.DataFrame:
    """How much fixing each kind of error adds to a measure, in fractions.

    One row per kind and a last row, "all seven", for fixing everything; one column per
    metric.

    impact   of `corescore.analysis.errors.operations.impact_table`
    gain     alone: this kind and no other; in_order: after the kinds before it; last: after all
             others; share: on average over all orders (Shapley). in_order and share add up to
             the last row.
    measure  recall, precision or f1
    """
    choose("gain", gain, GAINS)
    rows = impact[impact["measure"] == choose("measure", measure, MEASURES)]
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

    One row per slice with a mention; the column mentions, their number, and one for each
    metric. A link counts half at each end; BLANC's parts are weighted as in its score. The
    mentions are those of the key (recall) or the response (precision).
    """
    slice_of = slices(comparison, side=side)[choose("by", by, SLICES)]
    number, names = np.asarray(slice_of.cat.codes, dtype=np.int64), slice_of.cat.categories
    table = pd.DataFrame({"mentions": np.bincount(number, minlength=len(names))}, names)
    for metric in metrics:
        table[metric.id] = np.nan
        if metric.credit is not None:
            shares = weighted_credit(comparison, metric, side=side)
            sums = (add_up(number, each, len(names)) for each in (shares.credit, shares.possible))
            table[metric.id] = divide(*sums, empty=np.nan)
    return table[table["mentions"] > 0]


# Errors as the command line prints them: by kind, document, entity or mention ---------------------


def by_kind(result: Result) -> pd.DataFrame:
    """One row per of the seven kinds: errors, documents that have it, and its first mention."""
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
    """One row per document: its incorrectly resolved mentions, their share of the shared
    mentions, and the number of errors of each kind."""
    counts = error_counts(operation_table(result.comparison), column="kind")
    resolved = incorrectly_resolved_counts(result.comparison).drop(columns="shared_mentions")
    table = resolved.join(counts.set_axis([str(name) for name in counts.columns], axis=1))
    return table.rename_axis("document").reset_index()


def by_entity(result: Result) -> pd.DataFrame:
    """One row per operation, with the mentions and entities that it affects."""
    columns = ("document", "order", "operation", "kind", "mentions")
    table = operation_table(result.comparison)[[*columns, "key_entity", "response_entity"]]
    return table.assign(mentions=table["mentions"].map(" | ".join))


def by_mention(result: Result) -> pd.DataFrame:
    """One row per mention of either side: its class and its slices."""
    return mention_table(result.comparison, singletons=result.policies.singletons)


def impact_report(result: Result) -> pd.DataFrame:
    """How much fixing each kind would gain under each metric."""
    shown = [metric for metric in result.metrics if metric.id not in BESIDE_IDS]
    return impact_table(result.comparison, shown)


def removal_table(result: Result, *, incorrect: Incorrect = "all") -> pd.DataFrame:
    """The scores without the incorrectly resolved mentions (Moosavi & Strube 2016, §2).

    One row per metric (and "conll"), indexed by its id; columns recall, precision, f1,
    recall_after and so on, and the differences recall_change and so on. None of these mentions
    has a correct link, so the recall of MUC and LEA does not change; the recall of other metrics
    falls, which is the mention identification effect. The policy for singletons comes first, metric
    by metric where it depends on the metric; what the removal leaves alone stays and is scored.
    Where mentions that a side lists twice are looked up, both scores are those of the pairs of
    mentions; split antecedents count in neither. Zeros and mention overlap have no row.

    incorrect  "all" of them, or only "linked" ones, as in `incorrectly_resolved`. With "linked", a
               singleton in the key may lose all its wrong partners: LEA then credits it, and its
               recall rises

    Raises PolicyError for another value of `incorrect`.
    """
    made: dict[Comparison, tuple[Contingency, Contingency]] = {}
    for comparison in {*result.compared.values()}:
        removed = incorrectly_resolved(comparison, incorrect=incorrect)
        made[comparison] = comparison.table, contingency(comparison.matching.without(removed))
    tables = {metric: made[comparison] for metric, comparison in result.compared.items()}
    metrics = tuple(metric for metric in result.metrics if metric.of_mentions is None)
    scored = replace(result, metrics=metrics)
    before, after = (
        replace(scored, counts={m.id: m.counts(tables[m.id][at]) for m in metrics}) for at in (0, 1)
    )
    plain = all(c.look_ups is None and c.plurals is None for c in made)
    return change_table(scored if plain else before, after)


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
    """One row per span that is a mention of the key or of a response, in text order.

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
    return category(number, OUTCOMES)


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
    n = np.bincount(documents, minlength=len(comparison.key))
    return pd.Series(n, index=comparison.names)


def document_errors(result: Result) -> pd.DataFrame:
    """The rows of `corescore.scoring.tables.document_summary` with the column span_errors."""
    return document_summary(result).assign(span_errors=span_errors(result.comparison))


def side_counts(key: Corpus, results: Mapping[str, Result]) -> pd.DataFrame:
    """What there is of the key and of each named result: `corescore.scoring.tables.count_table`
    with the column span_errors (NaN for the key)."""
    errors = {name: span_errors(result.comparison).sum() for name, result in results.items()}
    return count_table(key, results).assign(span_errors=pd.Series(errors))


def apart(table: pd.DataFrame, columns: Iterable[str]) -> pd.DataFrame:
    """The table with its missing and spurious mentions less those with a span error, as pages
    count them; `columns` names the two, and the table has span_errors."""
    return table.assign(**{name: table[name] - table["span_errors"] for name in columns})
