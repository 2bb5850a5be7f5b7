"""BLANC: coreference and non-coreference links, each scored, then averaged.

Recasens & Hovy 2011 for mentions that both sides have; Luo et al. 2014 for all others.

BLANC: what is counted, by four rules, and how a score follows.

What the card of BLANC says.

BLANC in words, and worked out as in a textbook.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from corescore.bibliography import LUO_2014, PRADHAN_2014, RECASENS_2011
from corescore.counting.contingency import Contingency, pairs
from corescore.counting.counts import MEASURES, Counts, Score, empty_score, score_counts
from corescore.metrics.explanation import (
    CreditRow,
    Earned,
    EntityFacts,
    Explainer,
    MentionFacts,
    half_of_links,
    one_each,
    together,
)
from corescore.metrics.metric import (
    BOTH,
    COREFERENCE_LINK,
    KEY_SIZE,
    MENTION_COUNTS,
    NON_COREFERENCE_LINK,
    PAIRS,
    RESPONSE_SIZE,
    SHARED,
    Card,
    EmptyCase,
    Formulas,
    Metric,
    Unit,
    Variant,
    harmonic_mean,
)
from corescore.metrics.textbook import (
    PRECISION,
    RECALL,
    Entities,
    Half,
    Quotient,
    Step,
    Sum,
    Summand,
    cells,
    difference,
    in_halves,
    mean_step,
    n_mentions,
    n_pairs,
    total,
    whole,
    with_f1,
)
from corescore.util import AnyArray, BoolArray, FloatArray
from corescore.wording import counted, listed, number


def blanc_counts(table: Contingency) -> Counts:
    """Links that both sides have, of those of the key and of the response; two parts.

    Coreference: ΣC(n_ij) of ΣC(a_i) and ΣC(b_j). Non-coreference: C(m) − ΣC(n_i·) − ΣC(n_·j)
    + ΣC(n_ij) of C(A) − ΣC(a_i) and C(B) − ΣC(b_j). In links. Luo et al. 2014.
    """
    return _both_parts(
        table,
        table.key_links,
        pairs(table.n_key_mentions) - table.key_links,
        table.response_links,
        pairs(table.n_response_mentions) - table.response_links,
    )


def blanc_shared_counts(table: Contingency) -> Counts:
    """The same among the mentions that both sides have, as in Recasens & Hovy 2011.

    Coreference: ΣC(n_ij) of ΣC(n_i·) and ΣC(n_·j); the other pairs of the m shared mentions are
    the non-coreference links. The paper knows no twinless mentions, so they are left out.
    """
    links = pairs(table.n_shared_mentions)
    key_links, response_links = table.key_links_of_shared, table.response_links_of_shared
    return _both_parts(table, key_links, links - key_links, response_links, links - response_links)


def _both_parts(
    table: Contingency,
    key_coreference: FloatArray,
    key_non_coreference: FloatArray,
    response_coreference: FloatArray,
    response_non_coreference: FloatArray,
) -> Counts:
    coreference = table.shared_links
    in_key, in_response = table.key_links_of_shared, table.response_links_of_shared
    non_coreference = pairs(table.n_shared_mentions) - in_key - in_response + coreference
    return Counts.of_parts(
        Counts.of(coreference, key_coreference, coreference, response_coreference),
        Counts.of(non_coreference, key_non_coreference, non_coreference, response_non_coreference),
    )


def blanc_luo_counts(table: Contingency) -> Counts:
    """`blanc_counts` and a third part, the mentions, which decides where nobody has a link."""
    m, a, b = table.n_shared_mentions, table.n_key_mentions, table.n_response_mentions
    return Counts.of_parts(blanc_counts(table), Counts.of(m, a, m, b))


def blanc_credit(table: Contingency) -> tuple[Unit, ...]:
    """1 for each link that both sides have, in the part of its kind."""
    return _link_units(table, shared_only=False)


def blanc_shared_credit(table: Contingency) -> tuple[Unit, ...]:
    """The same among the mentions that both sides have."""
    return _link_units(table, shared_only=True)


def _link_units(table: Contingency, *, shared_only: bool) -> tuple[Unit, ...]:
    cell, key, response = (
        np.ones(len(sizes)) for sizes in (table.cell_sizes, table.key_sizes, table.response_sizes)
    )
    return tuple(
        Unit(kind, cell, key, cell, response, part=part, shared_only=shared_only)
        for part, kind in enumerate((COREFERENCE_LINK, NON_COREFERENCE_LINK))
    )


def blanc_score(counts: Counts, *, empty: float) -> Score[FloatArray]:
    """R, P and F of each part, then the mean of the two, where only the key decides what counts.

    No key link at all: empty. No coreference link in the key: the non-coreference part alone; no
    non-coreference link in the key: the coreference part alone. Range 0 to 1. F is not the
    harmonic mean of R and P. This is what the reference scorer v8.01 prints.
    """
    coreference, non_coreference = _parts(counts, empty=empty)
    no_coreference = coreference.recall_denominator == 0
    no_non_coreference = non_coreference.recall_denominator == 0
    nothing = np.full(len(no_coreference), empty)
    return _mean(coreference, non_coreference, no_coreference, no_non_coreference, nothing)


def blanc_luo_score(counts: Counts, *, empty: float) -> Score[FloatArray]:
    """R, P and F of each part, then the mean of the two, where both sides decide (§4.1).

    A part counts unless neither side has a link of it. With no link at all on either side, 1 if
    both have the same mentions, else 0. Range 0 to 1. Luo et al. 2014.
    """
    coreference, non_coreference = _parts(counts, empty=empty)
    mentions = score_counts(counts.part(2), empty=1)
    same = (mentions.recall == 1) & (mentions.precision == 1)
    return _mean(
        coreference, non_coreference, _no_link(coreference), _no_link(non_coreference), same
    )


def blanc_corefud_score(counts: Counts, *, empty: float) -> Score[FloatArray]:
    """As `blanc_luo_score`, but 0 with no link at all on either side, as the CorefUD scorer."""
    coreference, non_coreference = _parts(counts, empty=empty)
    lacks = _no_link(coreference), _no_link(non_coreference)
    return _mean(coreference, non_coreference, *lacks, np.zeros(len(lacks[0])))


def _parts(counts: Counts, *, empty: float) -> tuple[Score[FloatArray], Score[FloatArray]]:
    return score_counts(counts.part(0), empty=empty), score_counts(counts.part(1), empty=empty)


def _no_link(part: Score[FloatArray]) -> BoolArray:
    no_link: BoolArray = part.recall_denominator + part.precision_denominator == 0
    return no_link


def _mean(
    coreference: Score[FloatArray],
    non_coreference: Score[FloatArray],
    no_coreference: BoolArray,
    no_non_coreference: BoolArray,
    nothing: AnyArray,
) -> Score[FloatArray]:
    """The mean of the two parts, or the one that counts, or `nothing` where none does.

    Inside the mean, a part's 0/0 is 0.
    """
    cases = [no_coreference & no_non_coreference, no_coreference, no_non_coreference]

    def combine(c: FloatArray, n: FloatArray) -> FloatArray:
        return np.select(cases, [nothing, n, c], (np.nan_to_num(c) + np.nan_to_num(n)) / 2)

    return replace(
        empty_score(len(no_coreference)),
        recall=combine(coreference.recall, non_coreference.recall),
        precision=combine(coreference.precision, non_coreference.precision),
        f1=combine(coreference.f1, non_coreference.f1),
        parts={"coreference": coreference, "non_coreference": non_coreference},
    )


_LINKS = r"\sum_{i,j} \binom{n_{ij}}{2}"

_APART = (
    r"\binom{m}{2} - \sum_i \binom{n_{i\cdot}}{2} - \sum_j \binom{n_{\cdot j}}{2} + "
    r"\sum_{i,j} \binom{n_{ij}}{2}"
)

ONLY_COREFERENCE = "the part of the coreference links alone"

ONLY_NON_COREFERENCE = "the part of the non-coreference links alone"

MEAN = EmptyCase("otherwise", "the mean of the two parts")


def _by_the_key(the_key: str) -> tuple[EmptyCase, ...]:
    return (
        EmptyCase(f"{the_key} has no link of either kind", "empty"),
        EmptyCase(f"{the_key} has no coreference link", ONLY_NON_COREFERENCE),
        EmptyCase(f"{the_key} has no non-coreference link", ONLY_COREFERENCE),
        MEAN,
    )


_BY_BOTH = (
    EmptyCase("neither side has a coreference link", ONLY_NON_COREFERENCE),
    EmptyCase("neither side has a non-coreference link", ONLY_COREFERENCE),
    MEAN,
)

CARD = Card(
    id="blanc",
    name="BLANC",
    counts=(
        "All pairs of mentions, of two kinds: those that corefer, and those that do not. Each kind "
        "has a recall and a precision of its own, and both kinds weigh the same, however many "
        "pairs they have."
    ),
    parts=(
        Formulas(
            recall=rf"\frac{{{_LINKS}}}{{\sum_i \binom{{a_i}}{{2}}}}",
            precision=rf"\frac{{{_LINKS}}}{{\sum_j \binom{{b_j}}{{2}}}}",
            f1=harmonic_mean("c"),
            of="coreference links",
            sign="c",
        ),
        Formulas(
            recall=rf"\frac{{{_APART}}}{{\binom{{A}}{{2}} - \sum_i \binom{{a_i}}{{2}}}}",
            precision=rf"\frac{{{_APART}}}{{\binom{{B}}{{2}} - \sum_j \binom{{b_j}}{{2}}}}",
            f1=harmonic_mean("n"),
            of="non-coreference links",
            sign="n",
        ),
        Formulas(
            recall=r"\frac{R_c + R_n}{2}",
            precision=r"\frac{P_c + P_n}{2}",
            f1=r"\frac{F_c + F_n}{2}",
        ),
    ),
    symbols=(
        KEY_SIZE,
        RESPONSE_SIZE,
        SHARED,
        (r"n_{i\cdot},\ n_{\cdot j}", "mentions of i, of j that the other side has"),
        MENTION_COUNTS,
        BOTH,
        PAIRS,
    ),
    unit=(
        "One pair of mentions about which both sides say the same. Where a side has L pairs of "
        "that kind, it is worth 1/(2L) of recall or precision."
    ),
    one="both sides have the same entities, if the key has links of both kinds",
    zero="there is no pair of mentions about which both sides say the same",
    empty=(
        "One of the two parts may have nothing to score. There are four rules for that; select "
        "one in the side bar under “How it is scored”."
    ),
    examples=(
        ("{abcdef}", "{ab}{cde}{f}"),
        ("{abc}", "{ab}{d}"),
        ("{a}{b}", "{ab}"),
        ("{a}", "{a}"),
        ("{a}", "{b}"),
    ),
    papers=(RECASENS_2011, LUO_2014, PRADHAN_2014),
    variants=(
        Variant("reference", "The reference scorer: the key decides", _by_the_key("the key")),
        Variant(
            "luo2014",
            "Luo et al. 2014: both sides decide",
            (
                EmptyCase("neither side has a link, and both have the same mentions", "1"),
                EmptyCase("neither side has a link, and their mentions differ", "0"),
                *_BY_BOTH,
            ),
        ),
        Variant(
            "recasens2011",
            "Recasens and Hovy 2011: the key decides, and only mentions that both sides have count",
            _by_the_key("the key, without its missing mentions,"),
        ),
        Variant(
            "corefud",
            "The CorefUD scorer: as Luo et al. 2014, but for documents without links",
            (EmptyCase("neither side has a link", "0"), *_BY_BOTH),
        ),
    ),
)


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


def _entity(row: CreditRow, entity: EntityFacts) -> str:
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


BLANC = Metric(
    id="blanc",
    title="BLANC",
    unit="coreference or non-coreference link",
    paper=f"{LUO_2014.cited}; {PRADHAN_2014.cited}",
    counts=blanc_counts,
    repeats="links",
    credit=blanc_credit,
    score=blanc_score,
    colour="#D55E00",
    recount="entities",
    explanation=EXPLAINER,
    textbook=blanc_steps,
    card=CARD,
)

BLANC_LUO2014 = replace(
    BLANC,
    paper=LUO_2014.cited,
    counts=blanc_luo_counts,
    score=blanc_luo_score,
)

BLANC_RECASENS2011 = replace(
    BLANC,
    paper=RECASENS_2011.cited,
    counts=blanc_shared_counts,
    credit=blanc_shared_credit,
)

BLANC_COREFUD = replace(BLANC, score=blanc_corefud_score)

BLANC_VARIANTS = {
    "reference": BLANC,
    "luo2014": BLANC_LUO2014,
    "recasens2011": BLANC_RECASENS2011,
    "corefud": BLANC_COREFUD,
}
