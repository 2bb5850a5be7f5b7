"""Overlaps: key and response entities that share mentions, directly or through other entities."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from corescore.analysis.credit import links_of, numbers_of_entities, weighted_credit
from corescore.analysis.errors.classes import CORRECT, MISSING, Mentions, text_of
from corescore.analysis.errors.operations import gains_of
from corescore.corpus.problems import choose
from corescore.counting.assignment import best_assignment
from corescore.counting.comparison import SIDES, Comparison, View
from corescore.counting.contingency import Contingency, add_up, pairs
from corescore.counting.policies import Singletons
from corescore.counting.whatif import Changes, Steps
from corescore.metrics import Metric
from corescore.metrics.standard import entity_similarity, shared_mentions
from corescore.util import BoolArray, FloatArray, IntArray, as_rows, by_key, picked


def overlap_table(
    comparison: Comparison, metric: Metric, *, singletons: Singletons = "keep"
) -> pd.DataFrame:
    """One row per overlap, the largest loss first; an entity that shares no mention is its own.

    Columns: group (its number, for `overlap_grid`), document, key_entities and response_entities
    (how many), key_mentions, response_mentions, shared_mentions, recall_loss and precision_loss
    (the credit that `metric` did not give, in its units; for the parts of BLANC that count,
    shares of their links), split and merged (how many of the key entities have mentions in several
    response entities, and how many of the response entities have mentions of several key
    entities), and loss: the F1 of the corpus that the metric gains if the key's entities replace
    the response's of this overlap, a fraction; NaN where the metric's counts are not those of
    pairs.

    singletons  the policy of the comparison, of both sides or by metric
    """
    table, sides = comparison.table, _sides(comparison)
    n = int(table.component_of_entity.max(initial=-1)) + 1
    document, frame = np.zeros(n, dtype=np.int64), pd.DataFrame({"group": np.arange(n)})
    (_, of_key), (_, of_response) = sides
    document[of_key], document[of_response] = table.key_document, table.response_document
    frame["document"] = [comparison.key[number].name for number in document]
    counted = {
        "key_entities": (of_key, np.ones_like(of_key)),
        "response_entities": (of_response, np.ones_like(of_response)),
        "key_mentions": (of_key, table.key_sizes),
        "response_mentions": (of_response, table.response_sizes),
        "shared_mentions": (of_key[table.cell_key], table.cell_sizes),
        "split": (of_key, np.bincount(table.cell_key, minlength=len(of_key)) > 1),
        "merged": (of_response, np.bincount(table.cell_response, minlength=len(of_response)) > 1),
    }
    for name, sizes in counted.items():
        frame[name] = add_up(*sizes, n).astype(int)
    for side, (view, overlap) in zip(SIDES, sides, strict=True):
        credit = weighted_credit(comparison, metric, side=side)
        lost = add_up(overlap[view.own_entity], credit.possible - credit.credit, n)
        frame[f"{side}_loss"] = lost * credit.whole
    changes = replaced_by_key(table, of_key, of_response, document)
    frame["loss"] = gains_of(comparison, changes, [metric], singletons=singletons)[:, 0]
    return frame.sort_values(["loss", "group"], ascending=[False, True], ignore_index=True)


def replaced_by_key(
    table: Contingency, of_key: IntArray, of_response: IntArray, document: IntArray
) -> Changes:
    """One change per overlap: the key's entities replace the response's.

    of_key, of_response  the overlap of each entity
    document             (overlaps,) the document of each
    """
    n_response, cell_overlap = len(table.response_sizes), of_response[table.cell_response]
    shared = table.response_shared
    spurious, none = table.response_sizes - shared, np.full(n_response, -1)
    key, response = np.arange(len(of_key)), np.arange(n_response)
    sizes, cells = table.key_sizes, -table.cell_sizes
    steps = (
        Steps(cell_overlap, table.cell_response, table.cell_key, cells, cells),
        Steps(of_response, response, none, -spurious, np.zeros_like(spurious)),
        Steps(of_key, n_response + key, key, sizes, sizes),
    )
    room = replace(  # for the new entities
        table,
        response_sizes=np.append(table.response_sizes, np.zeros_like(sizes)),
        response_document=np.append(table.response_document, table.key_document),
    )
    return Changes(room, document, Steps.joined(*steps))


def _sides(comparison: Comparison) -> list[tuple[View, IntArray]]:
    """The key's view and the response's, each with (entities,) the overlap of its entities."""
    overlaps = np.split(comparison.table.component_of_entity, [len(comparison.table.key_sizes)])
    return [*zip((comparison.recall, comparison.precision), overlaps, strict=True)]


MOST_NAMED = 3  # entities that are named of those merged with one, or of those that have parts


def entity_table(comparison: Comparison, metric: Metric, *, side: str = "recall") -> pd.DataFrame:
    """One row per entity of the key (recall) or the response (precision), the largest loss first.

    Columns: group (its overlap), document, entity (its number there), mentions, parts (how many of
    them each entity of the other side has, the most first: "4 + 2 + 1"), others (the numbers of
    the first MOST_NAMED of these entities), twinless (how many mentions the other side does not
    have), merged_with (the numbers of entities of its own side that one of the other side holds
    together with it, at most MOST_NAMED for each part), and loss: what the entity does not earn of
    what it could, as a fraction of the corpus' recall or precision under the metric. Losses add up
    to what the score lacks, but for a kind of BLANC's links that this side does not have.
    """
    is_key = choose("side", side, SIDES) == "recall"
    (view, overlaps), (other_view, _) = _sides(comparison)[:: 1 if is_key else -1]
    table, number, others = view.table, *map(numbers_of_entities, (view, other_view))
    weighted, n = weighted_credit(comparison, metric, side=side), len(table.key_sizes)
    parts, holders = [list[tuple[int, int]]() for _ in range(n)], dict[int, list[int]]()
    by_size = np.lexsort((table.cell_response, -table.cell_sizes))
    cells = table.cell_key[by_size], table.cell_response[by_size], table.cell_sizes[by_size]
    for own, other, size in as_rows(*cells):
        parts[own].append((other, size))
        holders.setdefault(other, []).append(own)
    merged = [
        [
            int(number[one])
            for other, _ in of_parts
            for one in [one for one in holders[other][: MOST_NAMED + 1] if one != own][:MOST_NAMED]
        ]
        for own, of_parts in enumerate(parts)
    ]
    frame = pd.DataFrame(
        {
            "group": overlaps,
            "document": [comparison.key[at].name for at in table.key_document.tolist()],
            "entity": number,
            "mentions": table.key_sizes,
            "parts": [" + ".join(str(size) for _, size in of_parts) for of_parts in parts],
            "others": [
                tuple(int(others[other]) for other, _ in of_parts[:MOST_NAMED])
                for of_parts in parts
            ],
            "twinless": table.key_sizes - table.key_shared,
            "merged_with": [tuple(dict.fromkeys(of_parts)) for of_parts in merged],
            "loss": add_up(view.own_entity, weighted.possible - weighted.credit, n)
            / weighted.n_parts,
        }
    )
    return frame.sort_values(["loss", "group"], ascending=[False, True], ignore_index=True)


@dataclass(frozen=True)
class Grid:
    """One overlap as a table: key entities × response entities.

    key_entities, response_entities  their numbers in the document, counted from 1
    key_sizes, response_sizes        their mentions
    shared       (key, response) mentions that both have
    aligned      (2, key, response) whether CEAFₘ (first) and CEAFₑ (second) pair the two
    """

    document: str
    key_entities: IntArray
    response_entities: IntArray
    key_sizes: IntArray
    response_sizes: IntArray
    shared: IntArray
    aligned: BoolArray

    def part(self, rows: IntArray, columns: IntArray) -> "Grid":
        """Some key and response entities, in this order."""
        cells = (rows[:, None], columns)
        return Grid(
            self.document,
            self.key_entities[rows],
            self.response_entities[columns],
            self.key_sizes[rows],
            self.response_sizes[columns],
            self.shared[cells],
            self.aligned[:, *cells],
        )


def grid_table(grid: Grid) -> pd.DataFrame:
    """One row per key and response entity of a grid that share mentions.

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
    place = (
        np.searchsorted(keys, table.cell_key[cells]),
        np.searchsorted(responses, table.cell_response[cells]),
    )
    shared = np.zeros((len(keys), len(responses)), dtype=np.int64)
    shared[place] = table.cell_sizes[cells]
    aligned = np.zeros((2, *shared.shape), dtype=bool)
    for by_metric, phi in zip(aligned, (shared_mentions, entity_similarity), strict=True):
        by_metric[place] = np.isin(cells, best_assignment(table.components, phi(table)))
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
    return grid.part(rows, np.sort(np.argsort(-in_common, kind="stable")[:most]))


def along_diagonal(grid: Grid) -> Grid:
    """The grid with its shared mentions near the diagonal: key entities by descending size, and
    response entities by the first key entity with which they share the most mentions, of several
    the one that shares more first. What is equal stays in text order."""
    rows = np.argsort(-grid.key_sizes, kind="stable")
    shared = grid.shared[rows]
    if not shared.size:
        return grid
    columns = np.lexsort((-shared.max(axis=0), shared.argmax(axis=0)))
    return grid.part(rows, columns)


def entities_of_overlaps(comparison: Comparison) -> list[dict[int, list[int]]]:
    """The numbers of the key's and of the response's entities in each overlap, in text order."""
    return [
        by_key(sorted(as_rows(overlaps, numbers_of_entities(view))))
        for view, overlaps in _sides(comparison)
    ]


# The mentions of one overlap of entities, and their links and pairs -------------------------------

WRONG = "wrong"  # a link that only the response has
AROUND = 8  # words before and after a mention

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
    (recall, of_key), (precision, of_response) = _sides(comparison)
    key = np.flatnonzero(of_key[recall.own_entity] == overlap)
    response = np.flatnonzero(of_response[precision.own_entity] == overlap)
    alone = response[precision.own_partner[response] < 0]
    mentions = Mentions.of_both(comparison, key, alone)
    table = mentions.columns().rename(columns={"mention": "text"}).drop(columns="document")
    entities = {name: table[name].fillna(0) for name in ("key_entity", "response_entity")}
    table = table[["start", "end", "text"]].assign(**entities).astype(dict.fromkeys(entities, int))
    return Members(table, mentions.key, mentions.response)


def overlap_of(comparison: Comparison, document: str, start: int, end: int) -> int | None:
    """The overlap that contains the mention with this span on either side; None without one."""
    number = comparison.names.index(document)
    for view, of in _sides(comparison):
        own = view.own
        there = (own.document == number) & (own.start == start) & (own.end == end)
        if there.any():
            return int(of[view.own_entity[there][0]])
    return None


def overlap_links(comparison: Comparison, members: Members, *, which: str) -> pd.DataFrame:
    """The links of an overlap: the key's, correct or missing, and the wrong ones of the response;
    "all" of them or the "minimum" that MUC counts.

    Columns: first and second (rows of `members.table`) and kind: correct, missing or wrong.
    """
    frames = []
    for view, rows, kind in (
        (comparison.recall, members.key, MISSING),
        (comparison.precision, members.response, WRONG),
    ):
        place = np.full(len(view.own.document), -1)
        place[rows[rows >= 0]] = np.flatnonzero(rows >= 0)
        links = links_of(view, which, among=place >= 0)
        frame = pd.DataFrame({"first": place[links.first], "second": place[links.second]})
        frame["kind"] = np.where(links.correct, CORRECT, kind)
        frames.append(frame[~links.correct] if kind == WRONG else frame)
    return pd.concat(frames, ignore_index=True)


def link_credit(
    comparison: Comparison, members: Members, links: pd.DataFrame, *, metric: str
) -> pd.DataFrame:
    """What each link of `overlap_links` earns, and its weight, of those that the metric credits.

    Columns: recall and precision, in units of their numerators; recall_weight and precision_weight,
    what the link could earn, in units of their denominators. NaN on a side without the link. With n
    mentions of the link's entity on a side: 1 for MUC, whose links are the minimum, and BLANC; 2/n
    for B³, in which each of two mentions earns 1/n by the other; size/links = 2/(n − 1) for LEA
    (Moosavi and Strube 2016). Raises PolicyError for a metric that credits no coreference links.
    """
    weight = _WEIGHTS[choose("metric", metric, _WEIGHTS)]
    first, kinds = links["first"].to_numpy(int), links["kind"].to_numpy()
    credit: dict[str, FloatArray] = {}
    table = comparison.table
    for side, view, sizes, rows, absent in (
        ("recall", comparison.recall, table.key_sizes, members.key, WRONG),
        ("precision", comparison.precision, table.response_sizes, members.response, MISSING),
    ):
        size = picked(sizes[view.own_entity], rows, 2)[first].astype(float)
        of_side = np.where(kinds == absent, np.nan, weight(np.where(kinds == absent, 2, size)))
        credit[side] = of_side * (kinds == CORRECT)
        credit[f"{side}_weight"] = of_side
    return pd.DataFrame(credit)


_WEIGHTS: Mapping[str, Callable[[FloatArray], FloatArray]] = {
    "muc": np.ones_like,
    "bcub": lambda sizes: 2 / sizes,
    "blanc": np.ones_like,
    "lea": lambda sizes: 2 / (sizes - 1),
}

LINK_METRICS = tuple(_WEIGHTS)


def link_counts(members: Members) -> dict[str, int]:
    """How many of all links of an overlap are correct, missing and wrong, without listing them."""
    names = ["key_entity", "response_entity"]
    has = members.table[names] > 0
    correct, n_key, n_response = (
        int(pairs(members.table.loc[of, by].value_counts().to_numpy()).sum())
        for of, by in ((has.all(axis=1), names), *((has[name], name) for name in names))
    )
    return {CORRECT: correct, MISSING: n_key - correct, WRONG: n_response - correct}


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
    """One row per pair of mentions in text order: first and second, their numbers from 1 and
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
    n = np.bincount(upper, minlength=len(PAIR_KINDS))
    return dict(zip(PAIR_KINDS, n.tolist(), strict=True))


def members_in_context(comparison: Comparison, members: Members, rows: IntArray) -> pd.DataFrame:
    """Some of the mentions with the words around them: columns before, text, after, start, end …"""
    number = Mentions(comparison, members.key, members.response).document[0]
    text, frame = text_of(comparison, number).shown_words, members.rows(rows).table
    around = [
        (" ".join(text[max(0, start - AROUND) : start]), " ".join(text[end : end + AROUND]))
        for start, end in zip(frame["start"], frame["end"], strict=True)
    ]
    before, after = zip(*around, strict=True) if around else ((), ())
    return frame.assign(before=before, after=after)
