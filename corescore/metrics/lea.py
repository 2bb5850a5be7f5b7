"""LEA: the resolved share of each entity's links, weighted by its size (Moosavi & Strube 2016)."""

from collections.abc import Sequence

import numpy as np

from corescore.bibliography import MOOSAVI_2016
from corescore.counting.contingency import Contingency, add_up, pairs
from corescore.counting.counts import Counts
from corescore.metrics.explanation import (
    CreditRow,
    Earned,
    EntityFacts,
    Explainer,
    MentionFacts,
    ends,
)
from corescore.metrics.metric import (
    COREFERENCE_LINK,
    EMPTY_WITHOUT_MENTIONS,
    KEY_SIZE,
    MENTION_COUNTS,
    NO_RIGHT_LINK,
    PAIRS,
    RESPONSE_SIZE,
    SAME_ENTITIES,
    SELF_LINK,
    SHARED,
    Card,
    Formulas,
    Metric,
    Unit,
)
from corescore.metrics.textbook import (
    Entities,
    Half,
    Product,
    Ratio,
    Summand,
    cells,
    in_halves,
    n_mentions,
    n_pairs,
    whole,
)
from corescore.util import BoolArray, FloatArray, IntArray
from corescore.wording import bracketed_sum, counted, number, ratio


def lea_counts(table: Contingency) -> Counts:
    """Recall Σ_i a_i · (Σ_j C(n_ij) / C(a_i)) / A; precision with the sides swapped.

    A singleton has one link, to itself, correct only if the other side has the same singleton,
    however often it has it. Where repeats are scored as they stand, a link of two mentions counts
    once for each entity of the other side that has it: recall and precision can then pass 1.
    Range 0 to 1, in mentions; empty where a side has no mention. Moosavi & Strube 2016.
    """
    return Counts.of(
        _resolved(table), table.n_key_mentions, _resolved(table.swapped), table.n_response_mentions
    )


def _resolved(table: Contingency) -> FloatArray:
    """(documents,) Σ_i a_i · (correct links of i / links of i)."""
    links = pairs(table.cell_sizes) * _each_link(table.key_sizes[table.cell_key])
    self_links = np.zeros(len(table.key_sizes))
    self_links[table.cell_key[_is_self_link(table)]] = 1
    of_singletons = add_up(table.key_document, self_links, table.n_documents)
    return add_up(table.cell_document, links, table.n_documents) + of_singletons


def _is_self_link(table: Contingency) -> BoolArray:
    """(cells,) whether both sides have the mention as a singleton."""
    of_key, of_response = table.key_sizes == 1, table.response_sizes == 1
    both: BoolArray = of_key[table.cell_key] & of_response[table.cell_response]
    return both


def lea_credit(table: Contingency) -> tuple[Unit, ...]:
    """a_i/C(a_i) for each link of an entity; 1 for a singleton that both sides have."""
    key, response = _each_link(table.key_sizes), _each_link(table.response_sizes)
    cells = np.flatnonzero(_is_self_link(table))
    of_key, of_response = np.zeros((2, len(table.cell_sizes)))
    for earned, entity in ((of_key, table.cell_key), (of_response, table.cell_response)):
        earned[cells[np.unique(entity[cells], return_index=True)[1]]] = 1
    in_key, in_response = (table.key_sizes == 1) * 1.0, (table.response_sizes == 1) * 1.0
    return (
        Unit(SELF_LINK, of_key, in_key, of_response, in_response),
        Unit(COREFERENCE_LINK, key[table.cell_key], key, response[table.cell_response], response),
    )


def _each_link(sizes: IntArray) -> FloatArray:
    """a/C(a), which is 2/(a − 1): the share of an entity's weight that each of its links has."""
    return 2.0 * (sizes > 1) / np.maximum(sizes - 1, 1)


def _sentence(it: MentionFacts, earned: Sequence[Earned]) -> str:
    if it.size == 1:
        alone = it.is_shared and it.other_size == 1
        there = "missing" if not it.is_shared else "alone there too" if alone else "not alone there"
        return (
            "It is alone in its entity, and its one link is to itself; in the "
            f"{it.other} it is {there}: {int(alone)} of 1"
        )
    correct, links = max(it.shared - 1, 0), it.size - 1
    return (
        f"The {it.other} has {correct} of its {counted(links, 'link')} in {it.own_name}: "
        f"{ratio(correct, links)}"
    )


def _entity(row: CreditRow, entity: EntityFacts) -> str:
    if entity.size == 1:
        return row.told("its link to itself", number(row.credit), "1")
    correct = [n * (n - 1) // 2 for n in entity.shared if n > 1]
    links = entity.size * (entity.size - 1) // 2
    why = f"{counted(entity.size)}, {sum(correct)} of {counted(links, 'link')}"
    expression = f"{entity.size} × {bracketed_sum([str(n) for n in correct])}/{links}"
    return row.told(why, expression, number(entity.size))


def _mention(row: CreditRow, mention: MentionFacts) -> str:
    if not mention.is_shared:
        return row.told(f"the {mention.other} lacks it", "0", "1")
    if mention.size == 1:
        there = "alone" if row.credit else "not alone"
        return row.told(f"alone, and {there} in the {mention.other}", number(row.credit), "1")
    correct, links = mention.shared - 1, mention.size - 1
    why = f"{correct} of its {counted(links, 'link')} in {mention.other_name}"
    return row.told(why, f"{correct}/{links}", "1")


def _link(row: CreditRow, one: MentionFacts, two: MentionFacts | None) -> str:
    if two is None:
        return _mention(row, one)
    worth = f"{one.size}/{one.size * (one.size - 1) // 2}"
    return row.told(ends(one, two), worth if row.credit else "0", worth)


def _half(own: Entities, other: Entities) -> Half:
    """Σ size · (correct links / links) / mentions; a singleton has one link, to itself."""
    singletons = {mention for entity in other if len(entity) == 1 for mention in entity}
    above = []
    for at, row in enumerate(cells(own, other)):
        size = len(own[at])
        correct = len(singletons & {*own[at]}) if size == 1 else sum(map(n_pairs, row))
        links = 1 if size == 1 else n_pairs(size)
        share = Ratio(whole(correct), whole(links))
        above.append(Summand(Product((whole(size), share)), at))
    return above, whole(n_mentions(own))


_CARD = Card(
    id="lea",
    name="LEA",
    counts=(
        "Entity by entity: what share of its coreference links has the other side? An entity "
        "weighs as much as it has mentions. A singleton has one link, to itself, which is correct "
        "only if it is a singleton on both sides."
    ),
    parts=(
        Formulas(
            recall=r"\frac{1}{A} \sum_i a_i \cdot \frac{\sum_j \binom{n_{ij}}{2}}{\binom{a_i}{2}}",
            precision=(
                r"\frac{1}{B} \sum_j b_j \cdot \frac{\sum_i \binom{n_{ij}}{2}}{\binom{b_j}{2}}"
            ),
        ),
    ),
    symbols=(
        KEY_SIZE,
        RESPONSE_SIZE,
        SHARED,
        MENTION_COUNTS,
        PAIRS,
    ),
    unit=(
        "One mention of an entity whose links are all correct. In an entity of n mentions each "
        "link earns 2/(n − 1): the more mentions, the less a single link is worth."
    ),
    one=SAME_ENTITIES,
    zero=NO_RIGHT_LINK + ", and no mention is a singleton on both",
    empty=EMPTY_WITHOUT_MENTIONS,
    examples=(("{ab}{c}", ""), ("{ab}", "{cd}")),
    papers=(MOOSAVI_2016,),
)


LEA = Metric(
    id="lea",
    title="LEA",
    unit="coreference link, weighted by its entity's size",
    paper=MOOSAVI_2016.cited,
    counts=lea_counts,
    credit=lea_credit,
    colour="#C26A97",
    recount="entities",
    explanation=Explainer(sentence=_sentence, entity=_entity, mention=_mention, link=_link),
    textbook=in_halves(_half),
    card=_CARD,
)
