"""BLANC in words, and worked out as in a textbook."""

from collections.abc import Sequence

from corescore.counting.counts import MEASURES
from corescore.metrics.explanation import (
    Earned,
    EntityFacts,
    Explainer,
    MentionFacts,
    Row,
    half_of_links,
    one_each,
    together,
)
from corescore.metrics.expressions import Quotient, Sum, difference, total, whole
from corescore.metrics.metric import COREFERENCE_LINK
from corescore.metrics.textbook import (
    PRECISION,
    RECALL,
    Entities,
    Half,
    Step,
    Summand,
    cells,
    in_halves,
    mean_step,
    n_mentions,
    n_pairs,
    with_f1,
)
from corescore.wording import counted, listed, number


def _sentence(it: MentionFacts, earned: Sequence[Earned]) -> str:
    """Each part's links that end at the mention, each link as a share of its part."""
    told = [f"{2 * e.credit:,.0f} of its {counted(2 * e.possible, e.kind)}" for e in earned]
    words = f"The {it.other} has {listed(told)}"
    terms = [(2 * e.credit, 2 * e.possible, e.whole) for e in earned if e.whole]
    correct, links = (" + ".join(f"{t[i]:,.0f}/{t[2]:,.0f}" for t in terms) for i in (0, 1))
    credit, possible = together(earned)
    if not possible:
        return f"{words}: nothing to earn"
    return f"{words}; each by all of its kind: ({correct}) / ({links}) = {credit / possible:.3f}"


def _entity(row: Row, entity: EntityFacts) -> str:
    if row.kind == COREFERENCE_LINK:
        return row.told("links within it", number(row.credit), number(row.possible))
    correct, links = (number(2 * value) for value in (row.credit, row.possible))
    return row.told("half of each link", f"{correct}/2", f"{links}/2")


EXPLAINER = Explainer(sentence=_sentence, entity=_entity, mention=half_of_links, link=one_each)


def coreference(own: Entities, other: Entities) -> Half:
    """Links that both sides have / links."""
    above = [
        Summand(whole(n_pairs(n)), i, j)
        for i, row in enumerate(cells(own, other))
        for j, n in enumerate(row)
        if n
    ]
    return above, total(whole(n_pairs(len(entity))) for entity in own)


def non_coreference(own: Entities, other: Entities) -> Quotient:
    """All links of the shared mentions − linked here − linked there + linked on both / others."""
    rows, columns = cells(own, other), cells(other, own)
    shared = n_pairs(sum(map(sum, rows)))
    here, there = (sum(n_pairs(sum(row)) for row in side) for side in (rows, columns))
    both = sum(n_pairs(n) for row in rows for n in row)
    linked = sum(n_pairs(len(entity)) for entity in own)
    above = Sum((*difference(shared, here, there).terms, whole(both)))
    return Quotient(above, difference(n_pairs(n_mentions(own)), linked))


def blanc_steps(key: Entities, response: Entities) -> list[Step]:
    """Both parts, then the means of those that count: the kinds of link that the key has.

    Empty parts are treated as in the reference scorer (Pradhan et al. 2014).
    """
    of = " of non-coreference links"
    linked = in_halves(coreference, " of coreference links")(key, response)
    apart = with_f1(
        Step(RECALL + of, non_coreference(key, response)),
        Step(PRECISION + of, non_coreference(response, key)),
        of,
    )
    n_linked = sum(n_pairs(len(entity)) for entity in key)
    counting = [
        *([linked] if n_linked else []),
        *([apart] if n_pairs(n_mentions(key)) > n_linked else []),
    ]
    means = [mean_step(name, [part[at] for part in counting]) for at, name in enumerate(MEASURES)]
    return [*linked, *apart, *means]
