"""Pitfalls about links: MUC's minimum, links to oneself, and non-coreference links."""

from corescore.bibliography import LUO_2005, MOOSAVI_2016, RECASENS_2011
from corescore.metrics import title_of
from corescore.metrics.variants import weighted_blanc
from corescore.replication.experiment import Check
from corescore.replication.partitions import Partition
from corescore.replication.recasens2011.blanc import table_12_pairs
from corescore.teaching.criteria import (
    CORRECT_LINKS,
    GROUPS,
    LINKS,
    WRONG_LINKS,
    CardClaim,
    Output,
    Pitfall,
    ScoredCase,
    ScoredOutput,
    better,
    both,
    has_no_value,
    is_full,
    of_f1,
    portion,
    puts_first,
    sees_no_difference,
)
from corescore.util import TOLERANCE
from corescore.wording import counted, number, percent

GROUP = GROUPS[0]
WEIGHTS = (0.2, 0.1)
WEIGHT_OF_BLANC = 0.5


def _linked(output: ScoredOutput) -> int:
    """The number of pairs of mentions that an output links."""
    return len(output.correct) + len(output.wrong)


# MUC ----------------------------------------------------------------------------------------------


def _one_entity_why(case: ScoredCase) -> str:
    muc, n = case.a.score("muc"), len(case.a.toys[0].mentions)
    return (
        "MUC asks only for the fewest links that hold an entity together: A has "
        f"{number(muc.recall_numerator)} of the key’s {number(muc.recall_denominator)}, and its "
        f"precision is still {portion(muc, 'precision')}, as one entity of {n} mentions needs no "
        f"more than {number(muc.precision_denominator)}. By pairs, A links {_linked(case.a)}, "
        f"{len(case.a.wrong)} of them wrongly; B links {_linked(case.b)}, {len(case.b.wrong)} of "
        "them wrongly."
    )


ONE_ENTITY = Pitfall(
    id="muc-one-entity",
    title="Under MUC, putting everything in one entity wins",
    group=GROUP,
    question="Everything in one entity, or half of the entities whole?",
    key="{ab}{cd}{ef}{gh}",
    a=Output("{abcdefgh}"),
    b=Output("{ab}{cd}{e}{f}{g}{h}"),
    criterion=LINKS,
    about=("muc",),
    why=_one_entity_why,
    claims=(
        better("B", "B has fewer links wrong or missed."),
        puts_first("A", "muc", says="MUC puts A first."),
        is_full("A", "recall", "muc", says="MUC’s recall of A is complete."),
        puts_first(
            "B", "bcub", "ceafm", "ceafe", "blanc", "lea", says="The other five put B first."
        ),
    ),
    source=f"{LUO_2005.name}, on MUC; {RECASENS_2011.name}, Table 1, response c",
)


def _sizes_why(case: ScoredCase) -> str:
    a, b = case.a.score("muc"), case.b.score("muc")
    extra = counted(a.precision_denominator - a.precision_numerator, "link")
    return (
        f"To MUC, joining two entities is {extra} too many, whatever their sizes: the precision "
        f"of A is {portion(a, 'precision')}, and that of B {portion(b, 'precision')}. By pairs, A "
        f"makes {len(case.a.wrong)} wrong links, as one of the entities that it joins is small, "
        f"and B {len(case.b.wrong)}."
    )


SIZES = Pitfall(
    id="muc-sizes",
    title="MUC does not tell joining small entities from joining large ones",
    group=GROUP,
    question="Join a small entity to a large one, or two large ones?",
    key="{abcde}{fg}{hijkl}",
    a=Output("{abcde}{fghijkl}"),
    b=Output("{abcdehijkl}{fg}"),
    criterion=LINKS,
    about=("muc",),
    why=_sizes_why,
    claims=(
        better("A", "A has fewer links wrong or missed."),
        sees_no_difference("muc", says="MUC gives both the same."),
        puts_first(
            "A", "bcub", "ceafm", "ceafe", "blanc", "lea", says="The other five put A first."
        ),
    ),
    source=f"{RECASENS_2011.name}, Table 1, responses a and b (after {LUO_2005.name})",
)

# B³ -----------------------------------------------------------------------------------------------


def _alone_why(case: ScoredCase) -> str:
    a, b = case.a.score("bcub"), case.b.score("bcub")
    n_key = len(case.a.correct) + len(case.a.missed)
    return (
        "B³ asks of each mention how much of its entity in the response belongs there, and a "
        f"mention that is alone is never wrong about itself: the precision of A is "
        f"{portion(a, 'precision')}, that of B {portion(b, 'precision')}. Yet A has "
        f"{len(case.a.correct)} of the key’s {n_key} links and B {len(case.b.correct)}; MUC, which "
        f"counts links, has no precision for A ({portion(case.a.score('muc'), 'precision')}), and "
        f"B³ even a recall of {portion(a, 'recall')}, for mentions that only found themselves."
    )


ALONE = Pitfall(
    id="bcub-singletons",
    title="Leaving every mention alone has perfect B³ precision",
    group=GROUP,
    question="Every mention alone, or links of which some are wrong?",
    key="{abcd}{ef}",
    a=Output("{a}{b}{c}{d}{e}{f}"),
    b=Output("{abc}{def}"),
    criterion=WRONG_LINKS,
    about=("bcub",),
    why=_alone_why,
    claims=(
        better("A", "A has no wrong link, and fewer than B.", by=WRONG_LINKS),
        better("B", "B has fewer links wrong or missed."),
        is_full("A", "precision", "bcub", says="B³’s precision of A is complete."),
        puts_first("A", "bcub", says="B³’s precision puts A first."),
        has_no_value("muc", says="MUC has no precision of A: it has no link to divide by."),
        puts_first("B", "lea", says="LEA’s precision puts B first."),
    ),
    source=f"{LUO_2005.name}, on B³; {RECASENS_2011.name}, Table 1, response d",
    measure="precision",
)

# BLANC --------------------------------------------------------------------------------------------


def _kept_apart_why(case: ScoredCase) -> str:
    a, b = (output.score("blanc").parts["non_coreference"] for output in (case.a, case.b))
    return (
        "Half of BLANC is about the pairs that are not linked, and B, which links nothing, keeps "
        f"{number(b.recall_numerator)} of the key’s {number(b.recall_denominator)} such pairs "
        f"apart: that half is {percent(b.f1)}, and BLANC {of_f1(case.b, 'blanc')}, with "
        f"{len(case.b.correct)} correct links. A has "
        f"{counted(len(case.a.correct), 'correct link')} and {len(case.a.wrong)} wrong, but "
        f"keeps {number(a.recall_numerator)} pairs apart, as "
        f"it leaves the other mentions out, and gets {of_f1(case.a, 'blanc')}."
    )


def _no_link_but_half(case: ScoredCase) -> Check:
    score = case.b.score("blanc")
    other = score.parts["non_coreference"].f1
    numbers = (
        f"{counted(len(case.b.correct), 'correct link')}; the half about links "
        f"{percent(score.parts['coreference'].f1)}, the other {percent(other)}, "
        f"BLANC {percent(score.f1)}"
    )
    return Check(not case.b.correct and abs(score.f1 - other / 2) < TOLERANCE < score.f1, numbers)


KEPT_APART = Pitfall(
    id="blanc-non-links",
    title="BLANC pays for links that are rightly not made",
    group=GROUP,
    question="One entity and nothing else, or every mention alone?",
    key="{ab}{cd}{ef}{gh}",
    a=Output("{ab}", "leaves the other mentions out"),
    b=Output("{a}{b}{c}{d}{e}{f}{g}{h}", "links nothing"),
    criterion=LINKS,
    about=("blanc",),
    why=_kept_apart_why,
    claims=(
        better("A", "A has fewer links wrong or missed."),
        puts_first("B", "blanc", says="BLANC puts B first."),
        CardClaim(
            "BLANC pays B without a correct link, by its other half alone.", _no_link_but_half
        ),
        puts_first("A", "muc", "lea", says="MUC and LEA put A first."),
    ),
    source=f"{MOOSAVI_2016.name}, §3.4; {RECASENS_2011.name}, Figure 7",
)


def _letters(partition: Partition) -> str:
    """A partition of numbers in brace notation: 0 is a."""
    entities = ("".join(chr(ord("a") + mention) for mention in entity) for entity in partition)
    return "".join(f"{{{entity}}}" for entity in entities)


def _only_link_why(case: ScoredCase) -> str:
    a, b = case.a, case.b
    return (
        f"Each has {counted(a.n_errors, 'error')}: A misses the key’s only link, B has a wrong one "
        f"beside it, and B³ is {both(case, 'bcub')}, CEAF_m {both(case, 'ceafm')}. But A, with "
        f"{len(a.correct)} correct links, resolves nothing; BLANC, where the one link weighs as "
        f"much as the {a.n_pairs - len(a.missed)} pairs to be kept apart, leaps from "
        f"{of_f1(a, 'blanc')} to {of_f1(b, 'blanc')}, which its authors call its weakness."
    )


def _falls_to_half(case: ScoredCase) -> Check:
    blanc = case.a.score("blanc").f1
    rest = min(case.a.score(metric).f1 for metric in ("bcub", "ceafm"))
    numbers = f"BLANC {percent(blanc)}, {_scores(case.a, 'bcub', 'ceafm')}"
    return Check(case.a.n_errors == 1 and blanc < 1 / 2 < rest, numbers)


def _scores(output: ScoredOutput, *metrics: str) -> str:
    return ", ".join(f"{title_of(metric)} {of_f1(output, metric)}" for metric in metrics)


def _as_many_errors(case: ScoredCase) -> Check:
    holds = case.a.n_errors == case.b.n_errors == 1
    return Check(holds, f"A: {LINKS.words(case.a)}; B: {LINKS.words(case.b)}")


_KEY, _MISSES = (_letters(side) for side in table_12_pairs()["A"])
_FINDS = _letters(table_12_pairs()["D"][1])
ONLY_LINK = Pitfall(
    id="blanc-one-link",
    title="B³, CEAF and LEA give nothing for finding the only link",
    group=GROUP,
    question="The key has one link: miss it, or find it and add a wrong one?",
    key=_KEY,
    a=Output(_MISSES, "links nothing"),
    b=Output(_FINDS, "finds it, and has a wrong link"),
    criterion=CORRECT_LINKS,
    about=("bcub", "ceafm", "ceafe", "lea"),
    why=_only_link_why,
    claims=(
        better("B", "B has more correct links.", by=CORRECT_LINKS),
        CardClaim("Each has one link wrong or missed.", _as_many_errors),
        sees_no_difference("bcub", "ceafm", says="B³ and CEAF_m give both the same."),
        sees_no_difference("lea", says="So does LEA, which is younger than the paper."),
        puts_first("A", "ceafe", says="CEAF_e even puts A first."),
        puts_first("B", "muc", "blanc", says="MUC and BLANC put B first."),
        CardClaim(
            "One link missed, and BLANC is below half, while B³ and CEAF_m are above it.",
            _falls_to_half,
        ),
    ),
    source=RECASENS_2011.at("§5.1, Tables 12 and 13, responses A and D; §4.1.2"),
)

_ONE_LINK = "{ab}{c}{d}{e}{f}{g}{h}"
_NO_LINK = "{a}{b}{c}{d}{e}{f}{g}{h}"


def _alpha_name(weight: float) -> str:
    return "blanc" if weight == WEIGHT_OF_BLANC else f"blanc_{weight}"


def _alpha_why(case: ScoredCase) -> str:
    told = "; ".join(
        f"with α = {weight:g}, {both(case, _alpha_name(weight))}"
        for weight in (WEIGHT_OF_BLANC, *WEIGHTS)
    )
    return (
        "BLANC gives the weight α to its half about links and the rest to its half about pairs "
        f"kept apart: {told}. A makes {counted(case.a.n_errors, 'error')} and B "
        f"{case.b.n_errors}, whatever α is."
    )


def _turns(case: ScoredCase) -> Check:
    first = {weight: case.first(_alpha_name(weight)) for weight in (WEIGHT_OF_BLANC, *WEIGHTS)}
    numbers = ", ".join(f"α = {weight:g}: {letter}" for weight, letter in first.items())
    return Check(len({*first.values()}) > 1, numbers)


def _softens(case: ScoredCase) -> Check:
    weights = (WEIGHT_OF_BLANC, *WEIGHTS)
    f1 = [case.a.score(_alpha_name(weight)).f1 for weight in weights]
    told = (f"α = {weight:g}: {percent(at)}" for weight, at in zip(weights, f1, strict=True))
    return Check(f1 == sorted(f1) and f1[0] < f1[-1], f"A with {', '.join(told)}")


ALPHA = Pitfall(
    id="blanc-alpha",
    title="Which output BLANC prefers depends on the weight α",
    group=GROUP,
    question="The key has one link: miss it, or link two mentions too many?",
    key=_ONE_LINK,
    a=Output(_NO_LINK, "misses the link"),
    b=Output("{abcd}{e}{f}{g}{h}", "finds it, and links two mentions more"),
    criterion=LINKS,
    about=("blanc",),
    why=_alpha_why,
    claims=(
        better("A", "A has fewer links wrong or missed."),
        puts_first("B", "blanc", says="BLANC puts B first."),
        CardClaim("With a smaller α the order turns.", _turns),
        CardClaim("The smaller α, the less A loses by the missed link.", _softens),
    ),
    source=RECASENS_2011.at("§4.1.3 and Table 13; the example is ours"),
    beside=tuple(_alpha_name(weight) for weight in WEIGHTS),
    more=tuple(map(weighted_blanc, WEIGHTS)),
)

PITFALLS = (ONE_ENTITY, SIZES, ALONE, KEPT_APART, ONLY_LINK, ALPHA)
