"""Split antecedents in credit: what S of each plural earns, scores by type of mention, and the
score of split antecedents alone.

S is the mention without a span that `corescore.counting.split_antecedents` gives each plural. With
it a plural is larger by one, so credit here is not that of `analysis.credit`, which leaves S out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from corescore.analysis.credit import (
    RULES,
    MentionCredit,
    document_mask,
    links_of,
    mention_credit,
)
from corescore.analysis.errors.classes import mention_types
from corescore.analysis.errors.operations import refuse_look_ups
from corescore.analysis.explain import entity_names
from corescore.corpus.english import COARSE_TYPE, FINE_TYPES, MENTION_TYPES, UNKNOWN, ZERO
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.comparison import SIDES, Comparison, View, WithPlurals
from corescore.counting.contingency import add_up
from corescore.counting.counts import MEASURES, Counts
from corescore.counting.split_antecedents import (
    Plurals,
    WithMembers,
    counts_of_plurals,
    tables_with_plurals,
)
from corescore.metrics import Metric
from corescore.metrics.metric import SELF_LINK, Unit
from corescore.scoring.scores import Result, counts_of, counts_plurals
from corescore.scoring.tally import sums
from corescore.util import AnyArray, FloatArray, IntArray, picked
from corescore.wording import listed

SPLIT = "split antecedent"
TYPES = (*MENTION_TYPES[:-1], ZERO, SPLIT, UNKNOWN)  # of mentions, zeros apart from pronouns


@dataclass(frozen=True)
class CreditWithPlurals(MentionCredit):
    """The credit of one kind of unit on one side, in documents with split antecedents.

    credit, possible  (mentions and plurals,) of each mention of the side, then of each S
    table             what they are counted from
    """

    table: WithMembers


def credit_with_plurals(
    plurals: WithPlurals, metric: Metric, *, side: str
) -> list[CreditWithPlurals]:
    """The credits of mentions and of each S add up to the metric's counts of these documents.

    A link between S and a mention counts half for each, and S is worth less than a mention (w):

    self-link            w², of a mention 1
    aligned mention      w
    coreference link     w with each mention of its cell
    spanning link        w with the first mention of its cell; S without a cell has a link, worth 0
    non-coreference link w with each mention, and the product with each S, in other entities

    Raises PolicyError for a span that counts twice, one that is looked up as another, and a metric
    without credit.
    """
    refuse_look_ups(plurals.comparison, "credit of split antecedents expects")
    if metric.credit is None or not counts_plurals(metric):
        raise PolicyError(f"metric {metric.id!r} does not credit split antecedents")
    direction, table = SIDES.index(side), plurals.comparison.table
    of_side, elements = plurals.elements[1][direction], plurals.elements
    every = tables_with_plurals(
        metric.id, metric.counts, (table, table), elements[1], elements, plurals.drops
    )
    credited, view = [], plurals.comparison.view(side)
    for part, of_directions in enumerate(every):
        made = of_directions[direction]
        if metric.id == "muc":  # a link needs a mention in the same cell
            made = made._replace(worth=made.worth * (made.table.cell_sizes > 0))
        sizes: AnyArray = made.table.cell_sizes + made.worth
        units = metric.credit(replace(made.table, cell_sizes=np.where(sizes > 0, sizes, 1)))
        of_part = (unit for unit in units if unit.part == part)
        credited += [_spread(view, of_side, made, unit, direction) for unit in of_part]
    return credited


def _spread(
    view: View, plurals: Plurals, members: WithMembers, unit: Unit, direction: int
) -> CreditWithPlurals:
    """A unit's credit, spread over the mentions and the S of one side."""
    table = members.table if direction == 0 else members.table.swapped
    side, n_mentions = SIDES[direction], len(view.own_entity)
    # Of mentions, then of each S
    entity = members.rows[direction][np.append(view.own_entity, plurals.entity)]
    cell = np.append(picked(members.cells, view.own_cell), np.full(len(plurals.entity), -1))
    of_pairs = members.pairs.key if direction == 0 else members.pairs.response
    cell[n_mentions + of_pairs] = members.pair_cell
    cell[entity < 0] = -1
    is_s = np.arange(len(cell)) >= n_mentions
    n, w = picked(table.cell_sizes, cell, 0), picked(members.worth, cell, 0.0)
    size = picked(table.key_sizes, entity, 0)
    match RULES[unit.kind]:
        case "mentions":
            earned = np.where(is_s, w**2 if unit.kind == SELF_LINK else w, 1)
            own = np.ones(len(cell))
        case "all":
            earned, own = np.where(is_s, n * w, n - 1 + w) / 2, (size - 1) / 2
        case "minimum":
            links = links_of(view, "minimum")
            ends = np.concatenate([links.first, links.second])
            earned, own = (
                add_up(ends, np.tile(of_link / 2, 2), len(cell))
                for of_link in (links.correct, np.ones(len(links.first)))
            )
            earned[is_s], own[is_s] = w[is_s] / 2, 0.5
            # Of each plural one link, to a mention of its cell, else of its entity
            for one in np.flatnonzero(is_s & (entity >= 0)).tolist():
                group = entity if cell[one] < 0 or cell[one] not in cell[~is_s] else cell
                first = int(np.flatnonzero(group == group[one])[0])
                earned[first] += earned[one]
                own[first] += 0.5
        case _:
            others = table.apart(table.cell_sizes + members.worth)
            earned = np.where(is_s, w, 1) * picked(others, cell, 0.0) / 2
            n_all = picked(table.n_key_mentions, picked(table.key_document, entity), 0)
            own = (n_all - size) / 2
    rate, most = (
        picked(getattr(unit, f"{side}_{name}"), places, 0.0)
        for name, places in (("credit", cell), ("possible", entity))
    )
    return CreditWithPlurals(unit.kind, unit.part, rate * earned, most * own, members)


# The score by type of mention ---------------------------------------------------------------------


def by_type(result: Result) -> pd.DataFrame:
    """What mentions of each type earn of each score: their parts add up to it.

    Types are pronouns, names, nominals and zeros, of the key's mentions in recall and of the
    response's in precision; S of a plural is of a type of its own, "split antecedent". A part is
    the score if no mention of another type earned anything.

    Columns:

    metric, side  str      ids; "recall" or "precision"
    type          str      one of TYPES; those without mentions are left out
    mentions      int64    how many
    credit        float64  what they earn, in units of the numerator; of BLANC, of both parts
    possible      float64  what they could earn
    part          float64  of the score, a fraction: the parts of a metric and side add up to it

    Metrics that do not define credit are left out. Raises PolicyError where a side lists a span
    twice (repeats "all").

    >>> import corescore
    >>> from corescore.analysis.split_antecedents import by_type
    >>> sides = (f"split_antecedents/{name}.conllua" for name in ("key", "sets"))
    >>> table = by_type(corescore.score(*sides)).query("metric == 'lea' and side == 'recall'")
    >>> table[["type", "part"]].round(4).values.tolist()
    [['pronoun', 0.1871], ['name', 0.2538], ['nominal', 0.316], ['split antecedent', 0.0646]]
    """
    rows = []
    for metric in (one for one in result.metrics if one.credit):
        comparison = result.compared[metric.id]
        refuse_look_ups(comparison, "a score by type expects")
        counts = counts_of(metric, comparison, result.policies).total()
        for side in SIDES:
            types, units = _units(comparison, metric, side)
            n, most = np.bincount(types, minlength=len(TYPES)), np.zeros(len(TYPES))
            above = np.zeros((len(TYPES), counts.recall_numerator.shape[1]))
            for part, credit, possible in units:
                most += add_up(types, possible, len(TYPES))
                above[:, part] += add_up(types, credit, len(TYPES))
            for at in np.flatnonzero(n).tolist():
                own = replace(counts, **{f"{side}_numerator": above[[at]]})
                part_of_score = float(getattr(metric.score(own, empty=0), side)[0])
                values = int(n[at]), float(above[at].sum()), float(most[at]), part_of_score
                rows.append((metric.id, side, TYPES[at], *values))
    columns = ["metric", "side", "type", "mentions", "credit", "possible", "part"]
    return pd.DataFrame(rows, columns=columns)


def _units(
    comparison: Comparison, metric: Metric, side: str
) -> tuple[IntArray, list[tuple[int, FloatArray, FloatArray]]]:
    """The type of each mention and S, and of each kind of unit its part, and what these earn and
    could earn."""
    types, plain = _types(comparison, side), mention_credit(comparison, metric, side=side)
    plurals = comparison.plurals if counts_plurals(metric) else None
    if plurals is None:
        return types, [(unit.part, unit.credit, unit.possible) for unit in plain]
    here = ~np.isin(comparison.view(side).own.document, plurals.documents)
    with_s = credit_with_plurals(plurals, metric, side=side)
    direction, view = SIDES.index(side), plurals.comparison.view(side)
    scored = with_s[0].table.rows[direction][view.own_entity] >= 0
    known = plurals.elements[1][direction].entity >= 0
    split, kept = np.full(int(known.sum()), TYPES.index(SPLIT)), np.append(scored, known)
    every = np.concatenate([types[here], _types(plurals.comparison, side)[scored], split])
    return every, [
        (
            one.part,
            np.append(one.credit[here], of.credit[kept]),
            np.append(one.possible[here], of.possible[kept]),
        )
        for one, of in zip(plain, with_s, strict=True)
    ]


def _types(comparison: Comparison, side: str) -> IntArray:
    """(mentions,) the type of each, by its place in TYPES."""
    coarse = [TYPES.index(of if of == ZERO else COARSE_TYPE[of]) for of in FINE_TYPES]
    types: IntArray = np.array(coarse)[mention_types(comparison, side=side)["number"].to_numpy()]
    return types


# Each plural: with which it is aligned, what it earns ---------------------------------------------


def plural_table(
    result: Result,
    metric: str,
    *,
    side: str = "recall",
    documents: Sequence[str] | None = None,
) -> pd.DataFrame:
    """What a metric credits S of each plural of the key (recall) or the response (precision).

    Columns:

    document, metric, side  str
    kind                str      of the units that S earns, joined by ", "; a row for each part of
                                 BLANC
    entity              str      what the plural is called
    start, end          int64    of its first mention
    antecedents         str      what its elements are called
    aligned             str      what the elements of the other side's plural are called; "" if it
                                 is not aligned
    recall, precision, f1  float64  ρ, π and φ of its elements; 0 if it is not aligned
    worth               float64  what S counts in this direction, where a mention counts 1
    credit, possible    float64  what S earns and could earn, in units of the numerator

    The credits of S and of mentions, of which a plural has one more here than in `Result.credit`,
    add up to the numerator. Empty where there are no split antecedents, or they are left out.

    documents  some documents; all if None

    Raises PolicyError for an unknown metric, side or document, and as `credit_with_plurals`.

    >>> import corescore
    >>> from corescore.analysis.split_antecedents import plural_table
    >>> sides = (f"split_antecedents/{name}.conllua" for name in ("key", "sets"))
    >>> table = plural_table(corescore.score(*sides), "lea", documents=["ferry"])
    >>> table[["entity", "aligned", "credit", "possible"]].values.tolist()
    [['They', 'Nora and Her brother Piet', 1.0, 1.0], ['them', 'a lamp', 0.5, 1.0]]
    """
    scored = result.metric(metric)
    comparison = result.compared[scored.id]
    mask, direction = document_mask(comparison, documents), SIDES.index(choose("side", side, SIDES))
    names = {comparison.key[n].name for n in np.flatnonzero(mask)}
    every = _plural_rows(comparison.plurals, scored, SIDES[direction]) if comparison.plurals else ()
    rows = [(row[0], metric, side, *row[1:]) for row in every if row[0] in names]
    columns = ["document", "metric", "side", "kind", "entity", "start", "end", "antecedents"]
    columns += ["aligned", *MEASURES, "worth", "credit", "possible"]
    return pd.DataFrame(rows, columns=columns)


def _plural_rows(
    plurals: WithPlurals, metric: Metric, side: str
) -> Iterator[tuple[str | int | float, ...]]:
    direction, units = SIDES.index(side), credit_with_plurals(plurals, metric, side=side)
    sides = plurals.elements[1]
    called = [
        [*_plural_titles(plurals.comparison, of, name)]
        for of, name in zip(sides, SIDES, strict=True)
    ]
    view = plurals.comparison.view(side)
    n_mentions = len(view.own_entity)
    for part in dict.fromkeys(unit.part for unit in units):
        own = [unit for unit in units if unit.part == part]
        paired = own[0].table.pairs
        both = paired.key, paired.response
        pairs = both[direction], both[1 - direction]
        to = {int(s): n for n, s in enumerate(pairs[0])}
        for number, (document, name, antecedents) in enumerate(called[direction]):
            if sides[direction].entity[number] < 0:
                continue
            first = int(np.flatnonzero(view.own_entity == sides[direction].entity[number])[0])
            n = to.get(number, -1)
            three = [float(getattr(paired, of)[n]) if n >= 0 else 0.0 for of in MEASURES]
            cell = own[0].table.pair_cell[n] if n >= 0 else -1
            yield (
                document,
                ", ".join(unit.kind for unit in own),
                name,
                int(view.own.start[first]),
                int(view.own.end[first]),
                antecedents,
                called[1 - direction][pairs[1][n]][2] if n >= 0 else "",
                *three,
                float(own[0].table.worth[cell]) if cell >= 0 else 0.0,
                sum(float(unit.credit[n_mentions + number]) for unit in own),
                sum(float(unit.possible[n_mentions + number]) for unit in own),
            )


def _plural_titles(
    comparison: Comparison, plurals: Plurals, side: str
) -> Iterator[tuple[str, str, str]]:
    """The document of each plural, what it is called, and what its elements are called."""
    view = comparison.view(side)
    entities, names = entity_names(comparison, np.arange(len(view.own_entity)), side=side)
    titles = {entity: name or "–" for entity, name in zip(entities.tolist(), names, strict=True)}
    for at, entity in enumerate(plurals.entity.tolist()):
        if entity < 0:
            yield "", "", ""
            continue
        elements = [titles[one] for one in plurals.element[plurals.plural == at].tolist()]
        document = view.documents[view.table.key_document[entity]].name
        yield document, titles[entity], listed(elements) if elements else ""


# With, without, and alone -------------------------------------------------------------------------


SCORED, DROPPED, ALONE = "scored", "dropped", "alone"


def by_use(result: Result) -> pd.DataFrame:
    """The scores with split antecedents scored, dropped, and alone, beside each other.

    Alone, the numerators are those of the elements of aligned plurals, the denominators those of
    the elements of all, on either side: how much of what all plurals refer to is found. 0 where a
    side has none (`only_split_antecedent` of the Universal Anaphora scorer).

    Columns: use ("scored", "dropped" or "alone"), metric, recall, precision, f1 (fractions; NaN for
    CoNLL's recall and precision). Metrics that do not count split antecedents are left out. Empty
    where there are none, or they are left out.

    >>> import corescore
    >>> from corescore.analysis.split_antecedents import by_use
    >>> sides = (f"split_antecedents/{name}.conllua" for name in ("key", "sets"))
    >>> by_use(corescore.score(*sides)).query("metric == 'lea'")["f1"].round(4).tolist()
    [0.8554, 0.8965, 0.7796]
    """
    metrics = [
        one for one in result.metrics if counts_plurals(one) and result.compared[one.id].plurals
    ]
    rows = []
    for use in (SCORED, DROPPED, ALONE):
        counts = {one.id: _used(use, one, result) for one in metrics}
        rows += [(use, name, *score.ratios) for name, score in sums(metrics, counts).items()]
    return pd.DataFrame(rows, columns=["use", "metric", *MEASURES])


def _used(use: str, metric: Metric, result: Result) -> Counts:
    comparison = result.compared[metric.id]
    if use == ALONE:
        assert comparison.plurals
        return counts_of_plurals(metric.id, metric.counts, comparison.plurals.elements)
    comparison = comparison if use == SCORED else replace(comparison, plurals=None)
    return counts_of(metric, comparison, result.policies)
