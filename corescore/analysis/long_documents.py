"""Long documents: how much of a score is local, how it falls with distance, where it is low.

Books are scored as one document of up to hundreds of thousands of words (BookCoref, Martinelli et
al. 2025), on which a system that only links near mentions can still score well.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from corescore.analysis.credit import in_groups, weighted_credit
from corescore.analysis.errors.operations import refuse_look_ups
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.comparison import Comparison, WithPlurals
from corescore.counting.contingency import Contingency, contingency_of, entities
from corescore.counting.counts import MEASURES, Counts
from corescore.counting.sides import Side
from corescore.counting.split_antecedents import (
    BothPlurals,
    OfElements,
    Plurals,
    counts_with_plurals,
    tables_with_plurals,
)
from corescore.metrics import Metric
from corescore.scoring.scores import Result, counts_of, counts_plurals
from corescore.scoring.tally import scores_of, sums
from corescore.util import IntArray, places_in
from corescore.wording import counted

SIZES = (512, 1024, 2048, 4096, 8192, 16384, 32768)  # words of a window
SHORT_SIZES = (32, 64, 128, 256)  # of texts that are all shorter
STRIP = 48  # windows of a strip along a text, at most
LEAST = 50  # words of each


def lengths(comparison: Comparison) -> IntArray:
    """(documents,) the words of each, or the end of its last mention if the words are unknown."""
    both = zip(comparison.key, comparison.response, strict=True)
    length = np.array([max(len(k.words), len(r.words)) for k, r in both], dtype=np.int64)
    for side in comparison.matching.sides:
        np.maximum.at(length, side.document, side.end)
    return length


# By the distance of a mention to its antecedent, and by the size of its entity --------------------


def by_distance(
    result: Result, *, side: str = "recall", bounds: Sequence[int] = ()
) -> pd.DataFrame:
    """What each metric credits mentions by the distance to their antecedent: of the key's mentions
    in the key (recall), or of the response's in the response (precision). Of a group g of mentions:

        credit(g) = Σ_{m ∈ g} credit(m) / D,  possible(g) = Σ_{m ∈ g} possible(m) / D

    where D is the denominator of the score, and the credits of all mentions add up to its
    numerator, as in `Result.credit`.

    bounds  the most words of each group but the last, by default 50, 500 and 5,000

    Columns:

    metric    str      id; metrics that do not say what they credit have no rows
    distance  str      the group, in words; first the mentions that have no antecedent
    mentions  int64    how many
    credit    float64  what they earn, as a part of the score: adds up to its recall or precision
    possible  float64  what they could earn; adds up to 1, or to a half where BLANC counts a kind of
                       links that this side does not have
    share     float64  credit / possible; NaN if nothing can be earned

    A link counts half at each end; BLANC's parts weigh as in its score. Split antecedents are left
    out: the credits add up to the score without them. Raises PolicyError for another side, for
    bounds that do not rise, for a span that counts twice and one that is looked up as another.

    >>> import corescore
    >>> from corescore.analysis.long_documents import by_distance
    >>> result = corescore.score("key.conll", "cautious.conll")
    >>> table = by_distance(result, bounds=[50]).query("metric == 'lea'")
    >>> table[["distance", "credit"]].round(4).values.tolist()
    [['first of its entity', 0.1785], ['up to 50 words', 0.0918], ['more than 50 words', 0.0189]]
    >>> abs(float(table["credit"].sum()) - result["lea"].recall) < 1e-12
    True
    """
    return _by_group(result, "distance", side, bounds)


def by_size(result: Result, *, side: str = "recall", bounds: Sequence[int] = ()) -> pd.DataFrame:
    """What each metric credits mentions by the size of their entity: of the key's entities in the
    key (recall), or of the response's in the response (precision). Singletons, short and long
    chains may be resolved very differently (Duron-Tejedor et al. 2023).

    bounds  the most mentions of each group but the last, by default 1 (singletons) and 9

    Columns: `size`, the mentions of an entity in words, and else those of `by_distance`, whose
    formulas apply. Raises PolicyError as it does.

    >>> import corescore
    >>> from corescore.analysis.long_documents import by_size
    >>> result = corescore.score("key.conll", "cautious.conll")
    >>> table = by_size(result).query("metric == 'lea'")
    >>> table[["size", "credit", "share"]].round(4).values.tolist()
    [['1', 0.1562, 0.5687], ['2 to 9', 0.102, 0.2191], ['10 or more', 0.0311, 0.1197]]
    """
    return _by_group(result, "size", side, bounds)


def _by_group(result: Result, by: str, side: str, bounds: Sequence[int]) -> pd.DataFrame:
    tables = [pd.DataFrame(columns=["metric", by, "mentions", "credit", "possible", "share"])]
    for metric in result.six:
        if metric.credit is None:
            continue
        comparison = result.compared[metric.id]
        refuse_look_ups(comparison, f"credit by {by} expects")
        shares = weighted_credit(comparison, metric, side=side)
        values = pd.DataFrame({"credit": shares.credit, "possible": shares.possible})
        values /= shares.n_parts
        rows = np.arange(len(values))
        table = in_groups(comparison.view(side), by, rows, values, bounds=bounds)
        table.insert(0, "metric", metric.id)
        tables.append(table)
    return pd.concat(tables[1:] or tables, ignore_index=True)


# By windows: the texts of both sides cut alike ----------------------------------------------------


@dataclass(frozen=True)
class Windows:
    """Key and response with each window as a document of its own.

    document, start  (windows,) the document and the first word of each
    sides            the cut sides
    table            theirs
    """

    document: IntArray
    start: IntArray
    sides: tuple[Side, Side]
    table: Contingency


def windows_of(comparison: Comparison, words: int, length: IntArray | None = None) -> Windows:
    """The windows of so many words.

    An entity is cut, too: its mentions in two windows are two entities. A mention belongs to the
    window in which it starts; one that matches a key mention, to that mention's.

    length  (documents,) the words of each; by default `lengths`
    """
    length = lengths(comparison) if length is None else length
    n_windows = np.maximum(1, -(-length // words))
    first = np.cumsum(n_windows) - n_windows
    document, place = places_in(n_windows)
    matching = comparison.matching
    k, r = matching.key_mention, matching.response_mention
    of_key, of_response = (first[side.document] + side.start // words for side in matching.sides)
    of_response[r] = of_key[k]
    sides = _cut_side(matching.key, of_key), _cut_side(matching.response, of_response)
    return Windows(document, place * words, sides, contingency_of(len(document), *sides, k, r))


def _cut_side(side: Side, window: IntArray) -> Side:
    """The side with a window as the document of each mention, and its entities cut."""
    width = 1 + side.entity.max(initial=0)
    codes, entity = np.unique(window * width + side.entity, return_inverse=True)
    return side._replace(document=window, entity=entity, entity_document=codes // width)


def _plurals_in(plurals: Plurals, side: Side, cut: Side, *, drop: bool) -> Plurals:
    """The plurals of a side in its windows: in each, the elements that have mentions there.

    drop  whether singletons of the whole text are left out
    """
    whole, sizes, _ = entities(side)
    elements = plurals.sets
    left = {*plurals.others.tolist()}
    left |= {*np.flatnonzero(sizes == 1).tolist()} - elements.keys() if drop else set()
    about = np.isin(whole, [*left, *elements, *plurals.element.tolist()])
    columns = (column[about].tolist() for column in (cut.document, whole, cut.entity))
    row_of = {(window, of): row for window, of, row in sorted({*zip(*columns, strict=True)})}
    named = [
        (row, [row_of[window, one] for one in elements[of] if (window, one) in row_of])
        for (window, of), row in row_of.items()
        if of in elements
    ]
    others = [row for (_, of), row in row_of.items() if of in left]
    return Plurals.of_rows([(row, of) for row, of in named if of], others)


def _cut_plurals(plurals: WithPlurals, words: int, length: IntArray) -> OfElements:
    """The table of the windows of documents with split antecedents, whose lengths these are, and
    the plurals by its entities."""
    comparison = plurals.comparison
    cut = windows_of(comparison, words, length)
    sides = comparison.matching.sides, cut.sides
    both = zip(plurals.elements[1], *sides, plurals.drops, strict=True)
    key, response = (_plurals_in(p, side, its, drop=drop) for p, side, its, drop in both)
    return cut.table, (key, response)


def _with_plurals(metric: Metric, table: Contingency, sides: BothPlurals) -> Counts:
    """The counts of a metric of the windows of `_cut_plurals`."""
    id_and_counts = metric.id, metric.counts
    elements, none = (table, sides), (False, False)
    tables = tables_with_plurals(*id_and_counts, (table, table), sides, elements, none)
    return counts_with_plurals(*id_and_counts, tables)


def by_window(result: Result, sizes: Sequence[int] = ()) -> pd.DataFrame:
    """The scores if the texts of both sides were cut into windows: how much of each is local.

    Each entity e becomes the entities e ∩ w of the windows w, on both sides, and each window is
    scored as a document: the counts of all are added up and divided once, whatever the `average`,
    so that the last rows are the scores of `result`.

    A split antecedent has in each window the elements that have mentions there.

    sizes  words of a window, each less than the longest text has; by default those of SIZES, or of
           SHORT_SIZES if no text is so long

    Columns:

    words                  Int64    of a window; NA for the texts as they are, the last rows
    windows                int64    how many
    metric                 str      id; "conll" last if its three are there
    recall, precision, f1  float64  over all windows together

    Raises PolicyError for a size below 1, one that no text is longer than, a span that counts twice
    and one that is looked up as another.

    >>> import corescore
    >>> from corescore.analysis.long_documents import by_window
    >>> result = corescore.score("key.conll", "cautious.conll")
    >>> table = by_window(result, [64]).query("metric == 'lea'")
    >>> table[["windows", "f1"]].round(4).values.tolist()  # of 64 words, then whole texts
    [[111.0, 0.512], [17.0, 0.3926]]
    """
    longest = int(lengths(result.comparison).max(initial=0))
    for size in sizes:
        if not 1 <= size < longest:
            raise PolicyError(
                f"windows of {counted(size, 'word')}; expected 1 or more, and fewer than the "
                f"{longest:,} of the longest text"
            )
    _check_paired_once(result)
    rows = []
    usual = SIZES if longest > SIZES[0] else SHORT_SIZES
    for words in (*(sizes or [size for size in usual if size < longest]), None):
        counts, n_windows = _window_counts(result, words)
        rows += [
            (words, n_windows, metric, *of.ratios)
            for metric, of in sums(result.six, counts).items()
        ]
    table = pd.DataFrame(rows, columns=["words", "windows", "metric", *MEASURES])
    return table.astype({"words": "Int64"})


def _check_paired_once(result: Result) -> None:
    for comparison in {result.compared[metric.id] for metric in result.six}:
        refuse_look_ups(comparison, "windows expect")


def _window_counts(result: Result, words: int | None) -> tuple[dict[str, Counts], int]:
    """The counts of each window by metric, and how many windows there are."""
    made: dict[Comparison, Windows] = {}
    cut: dict[Comparison, OfElements] = {}
    counts = {}
    for metric in result.six:
        comparison = result.compared[metric.id]
        if words is None:
            counts[metric.id] = counts_of(metric, comparison, result.policies)
            continue
        if comparison not in made:
            made[comparison] = windows_of(comparison, words)
        windows = made[comparison]
        counts[metric.id] = metric.counts(windows.table)
        if (plurals := comparison.plurals) and counts_plurals(metric):
            rows = np.flatnonzero(np.isin(windows.document, plurals.documents))
            if comparison not in cut:
                length = lengths(comparison)[plurals.documents]
                cut[comparison] = _cut_plurals(plurals, words, length)
            more = _with_plurals(metric, *cut[comparison])
            counts[metric.id] = counts[metric.id].with_rows(rows, more)
    return counts, len(next(iter(counts.values())).recall_numerator)


def along(result: Result, document: str, *, words: int | None = None) -> pd.DataFrame:
    """The scores of each window of one text, in its order.

    words  of a window; by default a STRIP-th of the text, but at least LEAST

    Columns: start, end (in words), key_mentions, response_mentions, then the F1 of each metric by
    its id, NaN where a window has nothing to score. Raises PolicyError for an unknown document, and
    as `by_window`.

    >>> import corescore
    >>> from corescore.analysis.long_documents import along
    >>> result = corescore.score("key.conll", "cautious.conll")
    >>> table = along(result, "news_harbour", words=200)
    >>> table[["start", "end", "lea"]].round(4).values.tolist()
    [[0.0, 200.0, 0.4514], [200.0, 372.0, 0.4865]]
    """
    number = result.documents.index(choose("document", document, result.documents))
    length = int(lengths(result.comparison)[number])
    if words is None:
        words = min(length, max(LEAST, -(-length // STRIP)))
    if not 1 <= words <= length:
        raise PolicyError(
            f"windows of {counted(words, 'word')}; expected 1 to {length:,}, those of the text"
        )
    _check_paired_once(result)
    windows = windows_of(result.comparison, words)
    document_of, start, table = windows.document, windows.start, windows.table
    counts, _ = _window_counts(result, words)
    scores = scores_of(result.six, counts, empty=np.nan)
    mine = document_of == number
    frame = pd.DataFrame(
        {
            "start": start[mine],
            "end": np.minimum(start[mine] + words, length),
            "key_mentions": table.n_key_mentions[mine].astype(np.int64),
            "response_mentions": table.n_response_mentions[mine].astype(np.int64),
        }
    )
    return frame.assign(**{name: score.f1[mine] for name, score in scores.items()})
