"""Two responses together: the score if the better of the two could be taken each time."""

from dataclasses import dataclass, replace

import numpy as np

from corescore.analysis.perturbation.base import Draft
from corescore.analysis.significance import Stack, id_with, needed_for
from corescore.counting.comparison import Comparison
from corescore.counting.contingency import contingency
from corescore.metrics.blanc import BLANC
from corescore.scoring.scores import Result, counts_of
from corescore.scoring.tally import Tally, sums
from corescore.util import TOLERANCE, BoolArray, FloatArray


@dataclass(frozen=True)
class Together:
    """The score of one metric if the better of A and B could be taken: whoever chooses knows the
    key, so systems that combine A and B without it stay below. Fractions, of sums over documents.

    a, b         the scores of each
    by_document  the score of a real response, max over x of S(Σ_d (1 − x_d) A_d + x_d B_d): A_d and
                 B_d are the counts of document d, and x_d is 1 if B's document is taken. Searched:
                 x_d = 1 where B scores higher on d, then, as long as that raises S, the document
                 whose exchange raises it most. Never below a and b
    from_b       (documents,) by name, x: whether B's document is taken
    by_mention   a bound that no response passes whose correct links are those of A and of B. Each
                 mention of the key that either has is taken, with each correct link that either has
                 and all that follow from these (m linked to n in A, n to o in B), and nothing
                 wrong: recall R is that of this response, precision 1, and F1 2R / (1 + R), in
                 BLANC for each kind of link. NaN of precision, for tallies, where a mention
                 counts more than once or in split antecedents, and where BLANC is of shared
                 mentions alone

    Why it is a bound: any such response C has, of each entity of the key, only parts that lie
    within those taken here, as its correct links are among these. More mentions and larger parts
    never lower recall (MUC counts parts, B³ and LEA links within them, CEAF aligns the largest,
    BLANC counts links and, of the mentions found, all non-coreference links). So recall of C is at
    most R, its precision at most 1, and F1 rises with both.

    >>> import corescore
    >>> a, b = (corescore.score("key.conll", f"{name}.conll") for name in ("cautious", "greedy"))
    >>> both = a.compare(b).together("lea")
    >>> [round(100 * score, 2) for score in (both.a, both.b, both.by_document, both.by_mention)]
    [39.26, 45.49, 46.17, 63.76]
    """

    metric: str
    measure: str
    a: float
    b: float
    by_document: float
    from_b: dict[str, bool]
    by_mention: float


def together(a: Tally, b: Tally, metric: str = "conll", *, measure: str = "f1") -> Together:
    """What two responses reach together; see `Together`. Raises ValueError if the results are not
    over one key under the same policies, PolicyError for an unknown metric or measure."""
    metric = id_with(metric, measure, a.scores)
    stack, place = Stack.of_score(metric, measure, a, b)
    each = stack.scores(stack.values)[:, *place]
    alone = stack.observed[:, *place]
    # 0/0 is 0 here: a document with nothing to score is A's until its exchange raises the score
    chosen, by_document = _exchanged(stack, place, each[1] > each[0] + TOLERANCE)
    if by_document < alone.max():
        chosen = np.full(len(chosen), alone[1] > alone[0])
        by_document = alone.max()
    names = sorted(a.documents)
    return Together(
        metric,
        measure,
        float(alone[0]),
        float(alone[1]),
        float(by_document),
        dict(zip(names, chosen.tolist(), strict=True)),
        _by_mention(a, b, metric, measure),
    )


def _exchanged(stack: Stack, place: tuple[int, int], chosen: BoolArray) -> tuple[BoolArray, float]:
    """The choice after all exchanges of one document that raise the score, and the score."""

    def score(sums: FloatArray) -> FloatArray:
        scores: FloatArray = stack.scores(sums[None])[0, *place]
        return scores

    a, b = stack.values
    chosen = chosen.copy()
    while True:
        total = np.where(chosen, b, a).sum(axis=1, keepdims=True)
        best = float(score(total)[0])
        after = score(total + np.where(chosen, a - b, b - a))
        document = int(after.argmax())
        if after[document] <= best + TOLERANCE:
            return chosen, best
        chosen[document] = not chosen[document]


def _by_mention(a: Tally, b: Tally, metric: str, measure: str) -> float:
    if not (isinstance(a, Result) and isinstance(b, Result)) or measure == "precision":
        return np.nan
    if metric == BLANC.id and a.policies.blanc == "recasens2011":
        return np.nan
    needed = [member for member in a.metrics if member.id in needed_for(metric)]
    taken = {}
    for member in needed:
        both = a.compared[member.id], b.compared[member.id]
        if a.policies.keeps_repeats or any(one.plurals or one.look_ups for one in both):
            return np.nan
        counts = counts_of(member, _linked_by_either(*both), a.policies)
        taken[member.id] = replace(
            counts,
            precision_numerator=counts.recall_numerator,
            precision_denominator=counts.recall_numerator,
        )
    bound: float = getattr(sums(needed, taken)[metric], measure)
    return bound


def _linked_by_either(a: Comparison, b: Comparison) -> Comparison:
    """The key compared with its mentions that either has, in one entity where the correct links of
    both lead from one to the other."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    # Mentions of one cell (an entity of the key and one of a response) are linked correctly.
    cells = np.array([a.recall.own_cell, b.recall.own_cell])
    n_mentions, n_of_a = cells.shape[1], len(a.table.cell_key)
    side, mention = np.nonzero(cells >= 0)
    cell = n_mentions + cells[side, mention] + n_of_a * side
    n = n_mentions + n_of_a + len(b.table.cell_key)
    edges = coo_array((np.ones(len(mention)), (mention, cell)), shape=(n, n))
    part = connected_components(edges, directed=False)[1].astype(np.int64)
    shared, draft = np.unique(mention), Draft(a)
    matching = draft.matching(draft.key_mentions(shared, part[shared]))
    return replace(a, matching=matching, table=contingency(matching))
