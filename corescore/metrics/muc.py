"""MUC: the links that a smallest set of links would need (Vilain et al. 1995)."""

from collections.abc import Sequence

import numpy as np

from corescore.bibliography import VILAIN_1995
from corescore.counting.contingency import Contingency
from corescore.counting.counts import Counts
from corescore.metrics.explanation import (
    CreditRow,
    Earned,
    EntityFacts,
    Explainer,
    MentionFacts,
    half_of_links,
    one_each,
)
from corescore.metrics.metric import (
    EMPTY_WITHOUT_LINKS,
    KEY_SIZE,
    NO_RIGHT_LINK,
    RESPONSE_SIZE,
    SAME_LINKED,
    SPANNING_LINK,
    Card,
    Formulas,
    Metric,
    Unit,
)
from corescore.metrics.textbook import Entities, Half, Summand, cells, difference, in_halves, total
from corescore.wording import counted, ratio


def muc_counts(table: Contingency) -> Counts:
    """Recall Σ_i (a_i − p_i) / Σ_i (a_i − 1), where key entity i falls into p_i parts.

    p_i counts the cells of i and each of its mentions that the response lacks, so a_i − p_i is
    Σ_j (n_ij − 1). Precision with the sides swapped. Range 0 to 1, in links; empty where a side
    has only singletons. Vilain et al. 1995.
    """
    correct = table.by_document(table.cell_document, table.cell_sizes - 1)
    return Counts.of(
        correct,
        table.by_document(table.key_document, table.key_sizes - 1),
        correct,
        table.by_document(table.response_document, table.response_sizes - 1),
    )


def muc_credit(table: Contingency) -> tuple[Unit, ...]:
    """1 for each spanning link; the parts into which the other side splits an entity need more."""
    cell, key, response = (
        np.ones(len(sizes)) for sizes in (table.cell_sizes, table.key_sizes, table.response_sizes)
    )
    return (Unit(SPANNING_LINK, cell, key, cell, response),)


def _sentence(it: MentionFacts, earned: Sequence[Earned]) -> str:
    correct, links = (round(2 * value) for value in (earned[0].credit, earned[0].possible))
    if not links:
        return "It is alone in its entity: MUC sees no link, so there is nothing to earn."
    end = "ends" if links == 1 else "end"
    return (
        f"{counted(links, 'spanning link')} of {it.own_name} {end} here; the {it.other} has "
        f"{correct} of them: {ratio(correct, links)}"
    )


def _entity(row: CreditRow, entity: EntityFacts) -> str:
    if entity.size == 1:
        return "one mention, no link: 0 of 0"
    parts = len(entity.shared) + entity.size - entity.n_shared
    why = f"{counted(entity.size)} in {counted(parts, 'part')}"
    return row.told(why, f"{entity.size} − {parts}", f"{entity.size} − 1")


def _half(own: Entities, other: Entities) -> Half:
    """Σ (size − parts) / Σ (size − 1): an entity falls into its cells and its missing mentions."""
    above = []
    for at, row in enumerate(cells(own, other)):
        size = len(own[at])
        parts = sum(n > 0 for n in row) + size - sum(row)
        above.append(Summand(difference(size, parts), at))
    return above, total(difference(len(entity), 1) for entity in own)


_CARD = Card(
    id="muc",
    name="MUC",
    counts=(
        "The links that hold entities together: an entity of n mentions needs n\u00a0−\u00a01 of "
        "them. MUC counts how many of those the other side has, too."
    ),
    parts=(
        Formulas(
            recall=r"\frac{\sum_i (a_i - p_i)}{\sum_i (a_i - 1)}",
            precision=r"\frac{\sum_j (b_j - q_j)}{\sum_j (b_j - 1)}",
        ),
    ),
    symbols=(
        KEY_SIZE,
        RESPONSE_SIZE,
        (
            r"p_i",
            "parts into which the response splits key entity i; each mention that it lacks is a "
            "separate part",
        ),
        (r"q_j", "the same for response entity j and the key"),
    ),
    unit=(
        "One link of the fewest that hold an entity together. An entity of n mentions can earn "
        "n\u00a0−\u00a01, and a singleton nothing."
    ),
    one=SAME_LINKED,
    zero=NO_RIGHT_LINK,
    empty=EMPTY_WITHOUT_LINKS,
    examples=(("{a}{b}", "{ab}"), ("{a}{b}", "{a}{b}")),
    papers=(VILAIN_1995,),
)


MUC = Metric(
    id="muc",
    title="MUC",
    unit="spanning link",
    paper=VILAIN_1995.cited,
    counts=muc_counts,
    credit=muc_credit,
    colour="#C58600",
    recount="entities",
    explanation=Explainer(sentence=_sentence, entity=_entity, mention=half_of_links, link=one_each),
    textbook=in_halves(_half),
    card=_CARD,
)
