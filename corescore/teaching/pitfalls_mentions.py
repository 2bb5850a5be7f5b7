"""Pitfalls about mentions: found but incorrectly resolved, alone, said twice, one too many."""

from corescore.bibliography import BAGGA_1998, LUO_2016, MOOSAVI_2016, RECASENS_2011
from corescore.counting.policies import Policies
from corescore.metrics import METRIC_IDS, title_of
from corescore.replication.experiment import Check
from corescore.teaching.criteria import (
    GROUPS,
    LINKS,
    SAME,
    WHOLE_ENTITIES,
    CardClaim,
    Output,
    Pitfall,
    ScoredCase,
    ScoredOutput,
    better,
    keeps,
    link_counts,
    no_correct_link_more,
    of_f1,
    portion,
    puts_first,
    rises,
    same_links,
    sees_no_difference,
)
from corescore.util import TOLERANCE
from corescore.wording import number, written

GROUP = GROUPS[1]
_PAID_FOR_MENTIONS = ("bcub", "ceafm", "ceafe", "blanc")

# The mention identification effect ----------------------------------------------------------------


def _n_mentions(output: ScoredOutput) -> int:
    """The number of mentions in the response."""
    return sum(len(entity) for toy in output.toys for entity in toy.response)


def _removed_why(case: ScoredCase) -> str:
    a, b = case.a.score("bcub"), case.b.score("bcub")
    n_removed = _n_mentions(case.a) - _n_mentions(case.b)
    return (
        f"B lacks the {n_removed} mentions that A links to wrong partners only, and with them "
        f"{len(case.a.wrong) - len(case.b.wrong)} wrong links; {len(case.b.correct)} of A’s "
        f"{len(case.a.correct)} correct links stay. B³ pays each mention for being there, as if it "
        f"were linked to itself, so that its recall falls from {portion(a, 'recall')} to "
        f"{portion(b, 'recall')}."
    )


REMOVED = Pitfall(
    id="mentions-removed",
    title="Removing incorrectly resolved mentions lowers the score",
    group=GROUP,
    question="Keep incorrectly resolved mentions, or take them out?",
    key="{abc}{de}{fg}{hi}",
    a=Output("{abc}{df}{eh}{gi}", "as it was"),
    b=Output("{abc}", "without the incorrectly resolved mentions"),
    criterion=LINKS,
    about=_PAID_FOR_MENTIONS,
    why=_removed_why,
    claims=(
        better("B", "B has fewer links wrong or missed."),
        puts_first("A", *_PAID_FOR_MENTIONS, says="B³, both CEAF and BLANC put A first."),
        keeps("recall", "muc", "lea", says="The recall of MUC and LEA stays as it was."),
        puts_first("B", "muc", "lea", says="MUC and LEA put B first."),
    ),
    source=MOOSAVI_2016.at("§2, Table 1 (“more precise”)"),
)


def _added_why(case: ScoredCase) -> str:
    a, b = case.a.score("bcub"), case.b.score("bcub")
    n_added = _n_mentions(case.b) - _n_mentions(case.a)
    return (
        f"B adds {n_added} mentions that A leaves out, in entities where every link is wrong: "
        f"{len(case.b.correct)} correct links as before, and {len(case.b.wrong)} wrong ones "
        f"instead of {len(case.a.wrong)}. B³ pays each of them for being there, as if it were "
        f"linked to itself, so that its recall rises from {portion(a, 'recall')} to "
        f"{portion(b, 'recall')}, more than precision falls (to {portion(b, 'precision')})."
    )


ADDED = Pitfall(
    id="mentions-added",
    title="Adding wrong entities raises the score",
    group=GROUP,
    question="Leave mentions out, or add them in wrong entities?",
    key="{abc}{de}{fg}{hi}",
    a=Output("{abc}", "leaves mentions out"),
    b=Output("{abc}{dfh}{egi}", "adds them, all wrongly linked"),
    criterion=LINKS,
    about=_PAID_FOR_MENTIONS,
    why=_added_why,
    claims=(
        better("A", "A has fewer links wrong or missed."),
        no_correct_link_more("B has no correct link that A lacks, and more wrong ones."),
        puts_first("B", *_PAID_FOR_MENTIONS, says="B³, both CEAF and BLANC put B first."),
        keeps("recall", "muc", "lea", says="The recall of MUC and LEA stays as it was."),
        puts_first("A", "muc", "lea", says="MUC and LEA put A first."),
    ),
    source=MOOSAVI_2016.at("§2, Table 1 (“less precise”)"),
)

# Singletons ---------------------------------------------------------------------------------------


def _unseen_why(case: ScoredCase) -> str:
    a, b = case.a.score("muc"), case.b.score("muc")
    return (
        "An entity of one mention needs no link, so there is nothing for MUC to count: recall is "
        f"{portion(a, 'recall')} for A and {portion(b, 'recall')} for B. A has {case.a.n_whole} of "
        f"the key’s {case.a.n_key_entities} entities and B {case.b.n_whole}, and LEA, which counts "
        f"a singleton’s link to itself, gives A {of_f1(case.a, 'lea')} and B "
        f"{of_f1(case.b, 'lea')}."
    )


UNSEEN = Pitfall(
    id="muc-singletons",
    title="MUC does not see singletons",
    group=GROUP,
    question="Find the mentions that are alone, or leave them out?",
    key="{ab}{c}{d}{e}{f}",
    a=Output("{ab}{c}{d}{e}{f}"),
    b=Output("{ab}"),
    criterion=WHOLE_ENTITIES,
    about=("muc",),
    why=_unseen_why,
    claims=(
        better("A", "A has more of the key’s entities just as they are.", by=WHOLE_ENTITIES),
        sees_no_difference("muc", says="MUC gives both the same."),
        puts_first("A", *_PAID_FOR_MENTIONS, "lea", says="The other five put A first."),
    ),
    source=f"{RECASENS_2011.name}, §3.1, after {BAGGA_1998.name}",
)


def _correct_singletons(output: ScoredOutput) -> int:
    """The number of singletons that both sides have."""
    return sum(len(e) == 1 for toy in output.toys for e in {*toy.key} & {*toy.response})


def _inflated_why(case: ScoredCase) -> str:
    return (
        f"Each of the {_correct_singletons(case.b)} correct singletons is a mention, and an "
        f"entity, that is fully correct, and for LEA a link to itself: LEA goes from "
        f"{of_f1(case.a, 'lea')} to {of_f1(case.b, 'lea')}, B³ from {of_f1(case.a, 'bcub')} to "
        f"{of_f1(case.b, 'bcub')}, CEAF_e from {of_f1(case.a, 'ceafe')} to "
        f"{of_f1(case.b, 'ceafe')}. The links are the "
        f"same both times ({link_counts(case.b)}), and MUC, which counts nothing else, gives "
        f"{of_f1(case.a, 'muc')} and {of_f1(case.b, 'muc')}."
    )


def _lea_rises_most(case: ScoredCase) -> Check:
    by = {name: case.b.score(name).f1 - case.a.score(name).f1 for name in METRIC_IDS}
    told = (f"{title_of(name)} {written(100 * more, '+.2f')}" for name, more in by.items())
    most = all(by["lea"] > more + TOLERANCE for name, more in by.items() if name != "lea")
    return Check(most, f"B − A in points: {', '.join(told)}")


INFLATED = Pitfall(
    id="singletons-inflate",
    title="Singletons inflate LEA most, and B³, CEAF and BLANC too",
    group=GROUP,
    question="One response, scored twice: better without its singletons, or with them?",
    key="{abcd}{ef}{g}{h}{i}{j}{k}{l}",
    a=Output(
        "{ab}{ce}{df}{g}{h}{i}{j}{k}{l}",
        "scored without the singletons of both sides",
        Policies(singletons="drop"),
    ),
    b=Output("{ab}{ce}{df}{g}{h}{i}{j}{k}{l}", "scored with the singletons"),
    criterion=LINKS,
    about=("bcub", "ceafm", "ceafe", "blanc", "lea"),
    why=_inflated_why,
    claims=(
        same_links("The links are the same both times."),
        better(SAME, "Neither has fewer links wrong or missed."),
        rises("f1", "bcub", "ceafm", "ceafe", says="With singletons, B³ and both CEAF are higher."),
        rises("f1", "blanc", "lea", says="So are BLANC and LEA."),
        CardClaim("LEA rises most of all six.", _lea_rises_most),
        sees_no_difference("muc", says="MUC is the same."),
    ),
    source=RECASENS_2011.at("Tables 8 to 11"),
)


def _alone_why(case: ScoredCase) -> str:
    a, b = case.a.score("lea"), case.b.score("lea")
    return (
        f"B has no link of two mentions and A {len(case.a.correct)} correct ones, but LEA gives a "
        f"singleton one link, to itself, which B has for {_correct_singletons(case.b)} mentions: "
        f"recall is {portion(b, 'recall')} for B and {portion(a, 'recall')} for A. Only if the key "
        "has no singleton do mentions alone earn nothing under LEA."
    )


ALONE = Pitfall(
    id="lea-mentions-alone",
    title="LEA pays for mentions alone, if the key has singletons",
    group=GROUP,
    question="Correct links, or no link at all?",
    key="{abc}{d}{e}{f}{g}{h}",
    a=Output("{abc}", "the links and nothing else"),
    b=Output("{a}{b}{c}{d}{e}{f}{g}{h}", "every mention alone"),
    criterion=LINKS,
    about=("bcub", "ceafm", "ceafe", "lea"),
    why=_alone_why,
    claims=(
        better("A", "A has fewer links wrong or missed."),
        puts_first("B", "lea", says="LEA puts B first."),
        puts_first("B", "bcub", "ceafm", "ceafe", says="So do B³ and both CEAF."),
        puts_first("A", "muc", "blanc", says="MUC and BLANC put A first."),
    ),
    source=f"ours, after {MOOSAVI_2016.at('§4')} on self-links",
)

# Said twice; one too many -------------------------------------------------------------------------


def _twice_why(case: ScoredCase) -> str:
    (a, b), (lea, twice) = ((case.a.score(name), case.b.score(name)) for name in ("bcub", "lea"))
    return (
        "B³ adds up what each entity of the response shares with the key, and what is said twice "
        f"is added twice: recall goes from {portion(a, 'recall')} to {portion(b, 'recall')}, and "
        f"in LEA, which adds up links, from {portion(lea, 'recall')} to "
        f"{portion(twice, 'recall')}. Yet the links are still {len(case.b.correct)} correct and "
        f"{len(case.b.missed)} missed, which is why corescore counts a mention once, "
        "unless it is told otherwise."
    )


_ALL = Policies(repeats="all")
TWICE = Pitfall(
    id="bcub-repeats",
    title="Say it twice, and B³ pays twice; so do MUC, BLANC and LEA",
    group=GROUP,
    question="Each entity once, or each entity twice?",
    key="{abcd}",
    a=Output("{ab}{cd}", "", _ALL),
    b=Output("{ab}{ab}{cd}{cd}", "the same, said twice", _ALL),
    criterion=LINKS,
    about=("muc", "bcub", "blanc", "lea"),
    why=_twice_why,
    claims=(
        same_links("The links are the same, once or twice."),
        better(SAME, "Neither has fewer links wrong or missed."),
        rises("recall", "bcub", says="B³’s recall is higher for B."),
        puts_first("B", "bcub", says="B³ puts B first."),
        puts_first("B", "lea", says="So does LEA, which repeats are said not to trouble."),
        puts_first(
            "B", "muc", "blanc", says="So do BLANC and MUC, whose recall exceeds the whole."
        ),
        puts_first("A", "ceafm", "ceafe", says="CEAF, where an entity has one partner, falls."),
    ),
    source=f"{MOOSAVI_2016.name}, §3.2, after {LUO_2016.name}; §4 on LEA. The example is ours",
)


def _joined_size(output: ScoredOutput) -> int:
    """The size of the entity with the spurious mention."""
    (toy,) = output.toys
    (extra,) = toy.spurious
    return next(len(entity) for entity in toy.response if extra in entity)


def _weight(output: ScoredOutput) -> str:
    size = _joined_size(output)
    correct, links = (n * (n - 1) // 2 for n in (size - 1, size))
    return f"{size} × {correct}/{links} = {number(size * correct / links)}"


def _extra_why(case: ScoredCase) -> str:
    lea = case.a.score("lea"), case.b.score("lea")
    return (
        "LEA multiplies the size of an entity by the share of its links that are correct: "
        f"{_weight(case.a)} for the entity that x joins in A and {_weight(case.b)} in B, and with "
        f"the other entity precision is {portion(lea[0], 'precision')} and "
        f"{portion(lea[1], 'precision')}. Yet x makes {len(case.a.wrong)} wrong links in A and "
        f"{len(case.b.wrong)} in B."
    )


EXTRA = Pitfall(
    id="lea-extra-mention",
    title="LEA does not see where a single mention too many lands",
    group=GROUP,
    question="One mention too many, x: in the large entity, or in the small one?",
    key="{abcdefgh}{ij}",
    a=Output("{abcdefghx}{ij}", "x joins the large entity"),
    b=Output("{abcdefgh}{ijx}", "x joins the small one"),
    criterion=LINKS,
    about=("lea",),
    why=_extra_why,
    claims=(
        better("B", "B has fewer links wrong or missed."),
        sees_no_difference("lea", says="LEA gives both the same."),
        sees_no_difference("muc", "ceafm", says="So do MUC and CEAF_m."),
        puts_first("B", "bcub", says="B³ puts B first."),
        puts_first("A", "ceafe", "blanc", says="CEAF_e and BLANC even put A first."),
    ),
    source=MOOSAVI_2016.at("Figure 7 and §7.4"),
)

PITFALLS = (REMOVED, ADDED, UNSEEN, INFLATED, ALONE, TWICE, EXTRA)
