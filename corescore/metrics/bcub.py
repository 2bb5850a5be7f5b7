"""B³: how much of each mention's entity is found, averaged over mentions (Bagga & Baldwin 1998)."""

from collections.abc import Sequence

from corescore.bibliography import BAGGA_1998, PRADHAN_2014
from corescore.counting.contingency import Contingency
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
    NO_SHARED_MENTION,
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
    Ratio,
    Square,
    Summand,
    cells,
    in_halves,
    n_mentions,
    whole,
)
from corescore.wording import bracketed_sum, counted, number, ratio


def bcub_counts(table: Contingency) -> Counts:
    """Recall Σ_ij n_ij²/a_i / A, precision Σ_ij n_ij²/b_j / B.

    Range 0 to 1, in mentions; empty where a side has no mention. A mention that only one side
    has counts in its denominator alone (B³_all). Bagga & Baldwin 1998.

    In a table with `cell_held` h_ij, n_ij·h_ij replaces n_ij²: each of the n_ij mentions that are
    looked up in an entity earns a share for all h_ij mentions that the entity holds. CoNLL
    reference scorer v8.01.
    """
    held = table.cell_sizes if table.cell_held is None else table.cell_held
    products = table.cell_sizes.astype(float) * held
    return Counts.of(
        table.by_document(table.cell_document, products / table.key_sizes[table.cell_key]),
        table.n_key_mentions,
        table.by_document(
            table.cell_document, products / table.response_sizes[table.cell_response]
        ),
        table.n_response_mentions,
    )


def bcub_credit(table: Contingency) -> tuple[Unit, ...]:
    """1/a_i for a mention's link with itself, 2/a_i for each link with another mention."""
    key, response = 1 / table.key_sizes, 1 / table.response_sizes
    of_key, of_response = key[table.cell_key], response[table.cell_response]
    return (
        Unit(SELF_LINK, of_key, key, of_response, response),
        Unit(COREFERENCE_LINK, 2 * of_key, 2 * key, 2 * of_response, 2 * response),
    )


def _sentence(it: MentionFacts, earned: Sequence[Earned]) -> str:
    if not it.is_shared:
        return f"The {it.other} lacks it: 0 of the {counted(it.size)} of {it.own_name}"
    stand = "stands" if it.shared == 1 else "stand"
    return (
        f"{it.shared} of the {counted(it.size)} of {it.own_name} {stand} in {it.other_name}, "
        f"itself among them: {ratio(it.shared, it.size)}"
    )


def _entity(row: CreditRow, entity: EntityFacts) -> str:
    squares = bracketed_sum([f"{n}²" for n in entity.shared])
    why = f"{counted(entity.size)}, {entity.n_shared} of them in the {entity.other}"
    return row.told(why, f"{squares}/{entity.size}", number(entity.size))


def _mention(row: CreditRow, mention: MentionFacts) -> str:
    if not mention.is_shared:
        return row.told(f"the {mention.other} lacks it", "0", "1")
    why = f"{mention.shared} of its entity’s {mention.size} in {mention.other_name}"
    return row.told(why, f"{mention.shared}/{mention.size}", "1")


def _link(row: CreditRow, one: MentionFacts, two: MentionFacts | None) -> str:
    worth = f"{2 if two else 1}/{one.size}"
    return row.told(ends(one, two), worth if row.credit else "0", worth)


def _half(own: Entities, other: Entities) -> Half:
    """Σ n²/size over the cells / mentions."""
    above = [
        Summand(Ratio(Square(n), whole(len(own[i]))), i, j)
        for i, row in enumerate(cells(own, other))
        for j, n in enumerate(row)
        if n
    ]
    return above, whole(n_mentions(own))


_CARD = Card(
    id="bcub",
    name="B³",
    counts=(
        "Mention by mention: how much of the mention’s entity has the other side kept together "
        "with it? The mention itself counts as kept. The score is the mean over all mentions."
    ),
    parts=(
        Formulas(
            recall=r"\frac{1}{A} \sum_{i,j} \frac{n_{ij}^2}{a_i}",
            precision=r"\frac{1}{B} \sum_{i,j} \frac{n_{ij}^2}{b_j}",
        ),
    ),
    symbols=(KEY_SIZE, RESPONSE_SIZE, SHARED, MENTION_COUNTS),
    unit=(
        "One mention whose whole entity was found. In an entity of n mentions, being found at all "
        "earns a mention 1/n, and each other mention found together with it 1/n more."
    ),
    one=SAME_ENTITIES,
    zero=NO_SHARED_MENTION,
    empty=EMPTY_WITHOUT_MENTIONS,
    examples=(("{ab}{c}", ""), ("{ab}", "{cd}")),
    papers=(BAGGA_1998, PRADHAN_2014),
)


BCUB = Metric(
    id="bcub",
    title="B³",
    unit="share of a mention's entity",
    paper=BAGGA_1998.cited,
    counts=bcub_counts,
    credit=bcub_credit,
    colour="#3E97C9",
    recount="entities",
    explanation=Explainer(sentence=_sentence, entity=_entity, mention=_mention, link=_link),
    textbook=in_halves(_half),
    card=_CARD,
)
