"""Overlaps: key and response entities that share mentions, directly or through other entities."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from corescore.analysis.credit import links_of, numbers_of_entities, texts, weighted_credit
from corescore.analysis.errors.classes import CORRECT, MISSING
from corescore.analysis.errors.tables import WRONG
from corescore.corpus.problems import choose
from corescore.counting.assignment import best_assignment
from corescore.counting.comparison import Comparison, View
from corescore.counting.contingency import add_up
from corescore.metrics import Metric
from corescore.metrics.ceaf import entity_similarity, shared_mentions
from corescore.util import BoolArray, FloatArray, IntArray


def overlap_table(comparison: Comparison, metric: Metric) -> pd.DataFrame:
    """A row for each overlap, the largest loss first; an entity that shares no mention is its own.

    Columns: group (its number, for `overlap_grid`), document, key_entities and response_entities
    (how many), key_mentions, response_mentions, shared_mentions, recall_loss and precision_loss
    (the credit that `metric` did not give, in its units; for BLANC's parts as shares of their
    links), and loss: the mean of both losses as shares of the denominators, in the unit of a
    score.
    """
    table = comparison.table
    (_, of_key), (_, of_response) = _sides(comparison)
    n_overlaps = int(table.component_of_entity.max(initial=-1)) + 1
    document = np.zeros(n_overlaps, dtype=np.int64)
    document[of_key], document[of_response] = table.key_document, table.response_document
    names = np.array([document.name for document in comparison.key], dtype=object)
    recall, recall_share = _loss(comparison, metric, "recall", of_key, n_overlaps)
    precision, precision_share = _loss(comparison, metric, "precision", of_response, n_overlaps)
    frame = pd.DataFrame(
        {
            "group": np.arange(n_overlaps),
            "document": names[document],
            "key_entities": np.bincount(of_key, minlength=n_overlaps),
            "response_entities": np.bincount(of_response, minlength=n_overlaps),
            "key_mentions": add_up(of_key, table.key_sizes, n_overlaps).astype(int),
            "response_mentions": add_up(of_response, table.response_sizes, n_overlaps).astype(int),
            "shared_mentions": add_up(of_key[table.cell_key], table.cell_sizes, n_overlaps).astype(
                int
            ),
            "recall_loss": recall,
            "precision_loss": precision,
            "loss": (recall_share + precision_share) / 2,
        }
    )
    return frame.sort_values(["loss", "group"], ascending=[False, True], ignore_index=True)


_OfSide = tuple[View, IntArray]


def _sides(comparison: Comparison) -> tuple[_OfSide, _OfSide]:
    """The key's view and the response's, each with (entities,) the overlap of its entities."""
    overlap, n_key = comparison.table.component_of_entity, len(comparison.table.key_sizes)
    return (comparison.recall, overlap[:n_key]), (comparison.precision, overlap[n_key:])


def _loss(
    comparison: Comparison, metric: Metric, side: str, overlap: IntArray, n_overlaps: int
) -> tuple[FloatArray, FloatArray]:
    """(overlaps,) credit that was possible and not earned, and the same as a share of the score."""
    of_mention = overlap[comparison.view(side).own_entity]
    of = weighted_credit(comparison, metric, side=side)
    lost = add_up(of_mention, of.possible - of.credit, n_overlaps)
    return lost * (of.whole if of.n_parts == 1 else 1), lost / of.n_parts


@dataclass(frozen=True)
class Grid:
    """One overlap as a table: key entities × response entities.

    key_entities, response_entities  their numbers in the document, counted from 1
    key_sizes, response_sizes        their mentions
    shared       (key, response) mentions that both have
    aligned      (2, key, response) whether CEAF_m (first) and CEAF_e (second) pair the two
    """

    document: str
    key_entities: IntArray
    response_entities: IntArray
    key_sizes: IntArray
    response_sizes: IntArray
    shared: IntArray
    aligned: BoolArray


def grid_table(grid: Grid) -> pd.DataFrame:
    """A row for each key and response entity of a grid that share mentions.

    Columns: key_entity, key_mentions, response_entity, response_mentions, shared, and ceafm and
    ceafe: whether it pairs the two.
    """
    down, across = np.nonzero(grid.shared)
    by_ceafm, by_ceafe = grid.aligned
    return pd.DataFrame(
        {
            "key_entity": grid.key_entities[down],
            "key_mentions": grid.key_sizes[down],
            "response_entity": grid.response_entities[across],
            "response_mentions": grid.response_sizes[across],
            "shared": grid.shared[down, across],
            "ceafm": by_ceafm[down, across],
            "ceafe": by_ceafe[down, across],
        }
    )


def overlap_grid(comparison: Comparison, overlap: int) -> Grid:
    """The key × response grid of one overlap of `overlap_table`."""
    table = comparison.table
    keys, responses = (np.flatnonzero(of == overlap) for _, of in _sides(comparison))
    cells = np.flatnonzero(np.isin(table.cell_key, keys))
    at = (
        np.searchsorted(keys, table.cell_key[cells]),
        np.searchsorted(responses, table.cell_response[cells]),
    )
    shared = np.zeros((len(keys), len(responses)), dtype=np.int64)
    shared[at] = table.cell_sizes[cells]
    aligned = np.zeros((2, *shared.shape), dtype=bool)
    for by_metric, phi in zip(aligned, (shared_mentions, entity_similarity), strict=True):
        by_metric[at] = np.isin(cells, best_assignment(table.components, phi(table)))
    documents = (*table.key_document[keys], *table.response_document[responses])
    return Grid(
        comparison.key[documents[0]].name,
        numbers_of_entities(comparison.recall)[keys],
        numbers_of_entities(comparison.precision)[responses],
        table.key_sizes[keys],
        table.response_sizes[responses],
        shared,
        aligned,
    )


def grid_part(grid: Grid, *, first: int, most: int) -> Grid:
    """A part of a grid: `most` key entities, from the `first` on in descending size, and the `most`
    response entities that share the most mentions with them; both in text order."""
    by_size = np.argsort(-grid.key_sizes, kind="stable")
    rows = np.sort(by_size[first : first + most])
    in_common = grid.shared[rows].sum(axis=0)
    return _within(grid, rows, np.sort(np.argsort(-in_common, kind="stable")[:most]))


def along_diagonal(grid: Grid) -> Grid:
    """The grid with its shared mentions near the diagonal: key entities by descending size, and
    response entities by the first key entity with which they share the most mentions, of several
    the one that shares more first. What is equal stays in text order."""
    rows = np.argsort(-grid.key_sizes, kind="stable")
    shared = grid.shared[rows]
    if not shared.size:
        return grid
    columns = np.lexsort((-shared.max(axis=0), shared.argmax(axis=0)))
    return _within(grid, rows, columns)


def _within(grid: Grid, rows: IntArray, columns: IntArray) -> Grid:
    """Some key and response entities of a grid, in this order."""
    cells = (rows[:, None], columns)
    return Grid(
        grid.document,
        grid.key_entities[rows],
        grid.response_entities[columns],
        grid.key_sizes[rows],
        grid.response_sizes[columns],
        grid.shared[cells],
        grid.aligned[:, *cells],
    )


def entities_of_overlaps(
    comparison: Comparison,
) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """The numbers of the key's and of the response's entities in each overlap, in text order."""
    found: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
    for members, (view, overlaps) in zip(found, _sides(comparison), strict=True):
        numbers = numbers_of_entities(view).tolist()
        for overlap, number in sorted(zip(overlaps.tolist(), numbers, strict=True)):
            members.setdefault(overlap, []).append(number)
    return found


# The mentions of one overlap of entities, and their links and pairs -------------------------------

CORRECT_COREFERENCE, MISSING_COREFERENCE = "correct coreference", "missing coreference"

WRONG_COREFERENCE, CORRECT_NON_COREFERENCE = "wrong coreference", "correct non-coreference"

TWINLESS_PAIR = "pair on one side only"

PAIR_KINDS = (
    CORRECT_COREFERENCE,
    MISSING_COREFERENCE,
    WRONG_COREFERENCE,
    CORRECT_NON_COREFERENCE,
    TWINLESS_PAIR,
)


@dataclass(frozen=True)
class Members:
    """The mentions of one overlap, of either side, in text order.

    table  a row each: start, end, text, key_entity and response_entity (0 where a side lacks it)
    key, response  (rows,) the mention of each side, −1 where it lacks it
    """

    table: pd.DataFrame
    key: IntArray
    response: IntArray

    def part(self, first: int, end: int) -> "Members":
        """Those of the rows from `first` up to, not including, `end`."""
        return self.rows(np.arange(first, min(end, len(self.table))))

    def rows(self, rows: IntArray) -> "Members":
        """Those of these rows."""
        table = self.table.iloc[rows].reset_index(drop=True)
        return Members(table, self.key[rows], self.response[rows])

    def sample(self, most: int) -> tuple[str, int, IntArray]:
        """A sample of the largest entity: its side ("key" or "response"), its number, and the rows
        of at most so many of its mentions, spread evenly over the text."""
        sizes = {
            (side, number): size
            for side in ("key", "response")
            for number, size in enumerate(np.bincount(self.table[f"{side}_entity"]).tolist())
            if number
        }
        side, number = max(sizes, key=lambda of: sizes[of])
        rows = np.flatnonzero(self.table[f"{side}_entity"] == number)
        spread = np.unique(np.linspace(0, len(rows) - 1, min(most, len(rows))).astype(np.int64))
        return side, number, rows[spread]


def overlap_members(comparison: Comparison, overlap: int) -> Members:
    """The mentions of one overlap of `corescore.analysis.errors.overlaps.overlap_table`."""
    recall, precision = comparison.recall, comparison.precision
    key, response = (
        np.flatnonzero((of == overlap)[view.own_entity]) for view, of in _sides(comparison)
    )
    alone = response[precision.own_partner[response] < 0]
    keys = np.concatenate([key, np.full(len(alone), -1)])
    responses = np.concatenate([recall.own_partner[key], alone])
    of_key, of_response = _rows(recall, keys), _rows(precision, responses)
    table = of_key.where(pd.Series(keys >= 0), of_response)
    table["key_entity"] = np.where(keys >= 0, of_key["entity"], 0)
    table["response_entity"] = np.where(responses >= 0, of_response["entity"], 0)
    order = np.lexsort((-table["end"], table["start"]))
    table = table.drop(columns="entity").iloc[order].reset_index(drop=True)
    return Members(table, keys[order], responses[order])


def _rows(view: View, mentions: IntArray) -> pd.DataFrame:
    if not len(view.own.document):
        none = np.zeros(len(mentions), dtype=np.int64)
        return pd.DataFrame({"start": none, "end": none, "text": "", "entity": none})
    return pd.DataFrame(
        {
            "start": view.own.start[mentions],
            "end": view.own.end[mentions],
            "text": texts(view.documents, view.own, mentions),
            "entity": numbers_of_entities(view)[view.own_entity[mentions]],
        }
    )


def overlap_of(comparison: Comparison, document: str, start: int, end: int) -> int | None:
    """The overlap that contains the mention with this span on either side; None without one."""
    names = [known.name for known in comparison.key]
    for view, of in _sides(comparison):
        side = view.own
        there = (side.document == names.index(document)) & (side.start == start) & (side.end == end)
        if there.any():
            return int(of[view.own_entity[np.flatnonzero(there)[0]]])
    return None


def overlap_links(comparison: Comparison, members: Members, *, which: str) -> pd.DataFrame:
    """The links of an overlap: the key's, correct or missing, and the wrong ones of the response;
    "all" of them or the "minimum" that MUC counts.

    Columns: first and second (rows of `members.table`) and kind, one of LINK_STATUSES.
    """
    found = []
    for view, rows, kind in (
        (comparison.recall, members.key, MISSING),
        (comparison.precision, members.response, WRONG),
    ):
        place = np.full(len(view.own.document), -1)
        place[rows[rows >= 0]] = np.flatnonzero(rows >= 0)
        links = links_of(view, which, among=place >= 0)
        kept = ~links.correct if kind == WRONG else np.ones(len(links.first), dtype=bool)
        frame = pd.DataFrame(
            {"first": place[links.first[kept]], "second": place[links.second[kept]]}
        )
        frame["kind"] = np.where(links.correct[kept], CORRECT, kind)
        found.append(frame)
    return pd.concat(found, ignore_index=True)


def link_weights(
    comparison: Comparison, members: Members, links: pd.DataFrame, *, metric: str
) -> FloatArray:
    """(links,) what each link of `overlap_links` weighs, of those that the metric credits.

    In units of the denominator of recall or, for a wrong link, of precision. With n mentions of the
    link's entity: 1 for MUC, whose links are the minimum, and BLANC; 2/n for B³, in which each of
    two mentions earns 1/n by the other; size/links = 2/(n − 1) for LEA (Moosavi and Strube 2016).
    Raises PolicyError for a metric that credits no coreference links.
    """
    weight = _WEIGHTS[choose("metric", metric, _WEIGHTS)]
    found = np.zeros(len(links))
    first = links["first"].to_numpy(dtype=np.int64)
    is_wrong = (links["kind"] == WRONG).to_numpy()
    table = comparison.table
    for view, sizes, rows, of in (
        (comparison.recall, table.key_sizes, members.key, ~is_wrong),
        (comparison.precision, table.response_sizes, members.response, is_wrong),
    ):
        found[of] = weight(sizes[view.own_entity[rows[first[of]]]].astype(float))
    return found


_WEIGHTS: Mapping[str, Callable[[FloatArray], FloatArray]] = {
    "muc": np.ones_like,
    "bcub": lambda sizes: 2 / sizes,
    "blanc": np.ones_like,
    "lea": lambda sizes: 2 / (sizes - 1),
}

LINK_METRICS = tuple(_WEIGHTS)


def link_counts(members: Members) -> dict[str, int]:
    """How many of all links of an overlap are correct, missing and wrong, without listing them."""
    sides = ["key_entity", "response_entity"]
    key, response = (members.table.loc[members.table[side] > 0, side] for side in sides)
    both = members.table[(members.table[sides] > 0).all(axis=1)]
    correct = _n_pairs(both.value_counts(sides))
    n_key, n_response = _n_pairs(key.value_counts()), _n_pairs(response.value_counts())
    return {CORRECT: correct, MISSING: n_key - correct, WRONG: n_response - correct}


def _n_pairs(sizes: "pd.Series[int]") -> int:
    return int((sizes * (sizes - 1) // 2).sum())


def pair_kinds(members: Members) -> IntArray:
    """(mentions, mentions) the kind of each pair, by its index in PAIR_KINDS; −1 on the diagonal.

    A pair is coreferent on a side that has both mentions in one entity, and non-coreferent on a
    side that has them in two. All pairs that fit none of the first four kinds are of the last.
    """
    key, response = (members.table[f"{side}_entity"].to_numpy() for side in ("key", "response"))
    in_key, in_response = (np.outer(entity > 0, entity > 0) for entity in (key, response))
    key_link = in_key & np.equal.outer(key, key)
    response_link = in_response & np.equal.outer(response, response)
    kinds = np.select(
        [key_link & response_link, key_link, response_link, in_key & in_response],
        range(4),
        PAIR_KINDS.index(TWINLESS_PAIR),
    )
    np.fill_diagonal(kinds, -1)
    return kinds


def pair_table(members: Members, kinds: IntArray) -> pd.DataFrame:
    """A row for each pair of mentions in text order: first and second, their numbers from 1 and
    their words, and kind.

    kinds  of `pair_kinds`
    """
    first, second = np.triu_indices(len(kinds), k=1)
    called = [f"{n} {text}" for n, text in enumerate(members.table["text"], 1)]
    words = np.array(called, dtype=object)
    of_pair = [PAIR_KINDS[kind] for kind in kinds[first, second]]
    return pd.DataFrame({"first": words[first], "second": words[second], "kind": of_pair})


def pair_counts(kinds: IntArray) -> dict[str, int]:
    """The number of pairs of each of PAIR_KINDS."""
    upper = kinds[np.triu_indices(len(kinds), k=1)]
    return {name: int((upper == number).sum()) for number, name in enumerate(PAIR_KINDS)}


def members_in_context(
    comparison: Comparison, members: Members, rows: IntArray, *, words: int = 8
) -> pd.DataFrame:
    """Some of the mentions with the words around them: columns before, text, after, start, end …"""
    places = (comparison.recall, members.key), (comparison.precision, members.response)
    document = next(
        int(view.own.document[at[at >= 0][0]]) for view, at in places if (at >= 0).any()
    )
    text = comparison.key[document].shown_words or comparison.response[document].shown_words
    frame = members.rows(rows).table
    spans = list(zip(frame["start"], frame["end"], strict=True))
    before = [" ".join(text[max(0, start - words) : start]) for start, _ in spans]
    after = [" ".join(text[end : end + words]) for _, end in spans]
    return frame.assign(before=before, after=after)
