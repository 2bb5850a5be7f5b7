"""Pitfalls about entities: not aligned, large or small, split, mixed."""

from corescore.bibliography import MOOSAVI_2016
from corescore.teaching.pitfalls.criteria import LINKS, WHOLE_ENTITIES
from corescore.teaching.pitfalls.pitfall import GROUPS, Case, Pitfall
from corescore.teaching.pitfalls.scored import Output
from corescore.teaching.pitfalls.telling import (
    better,
    portion,
    puts_first,
)

GROUP = GROUPS[2]


def _n_links(case: Case) -> int:
    """The number of links in the key."""
    return len(case.a.correct) + len(case.a.missed)


# CEAF ---------------------------------------------------------------------------------------------


def _unaligned_why(case: Case) -> str:
    a, b = case.a.score("ceafm"), case.b.score("ceafm")
    return (
        "CEAF lets each entity of the key have one partner: A’s second half has none, so that it "
        f"adds nothing to recall and lowers precision to {portion(a, 'precision')}; B, which "
        f"simply lacks it, has {portion(b, 'precision')}. Yet A has {len(case.a.correct)} of "
        f"{_n_links(case)} correct links and B {len(case.b.correct)}, and neither has a wrong one "
        f"({len(case.a.wrong)} and {len(case.b.wrong)})."
    )


UNALIGNED = Pitfall(
    id="ceaf-unaligned",
    title="CEAF ignores correct links of entities that it has not aligned",
    group=GROUP,
    question="Both halves of an entity, or only one of them?",
    key="{abcdefgh}",
    a=Output("{abcd}{efgh}", "two halves"),
    b=Output("{abcd}", "one of the halves"),
    criterion=LINKS,
    about=("ceafm", "ceafe"),
    why=_unaligned_why,
    claims=(
        better("A", "A has fewer links wrong or missed."),
        puts_first("B", "ceafm", "ceafe", says="Both CEAF put B first."),
        puts_first("A", "muc", "bcub", "blanc", "lea", says="The other four put A first."),
    ),
    source=MOOSAVI_2016.at("Table 3 (cr1 and cr2)"),
)


def _like_large_why(case: Case) -> str:
    a, b = case.a.score("ceafe"), case.b.score("ceafe")
    sizes = sorted((len(entity) for entity in case.a.toys[0].key), reverse=True)
    return (
        f"To CEAF_e every entity counts the same, the one of {sizes[0]} mentions like those of "
        f"{sizes[-1]}: recall is {portion(a, 'recall')} for A and {portion(b, 'recall')} for B. "
        f"By links, A has {len(case.a.correct)} of the key’s {_n_links(case)}, and B "
        f"{len(case.b.correct)}; by whole entities, A has {case.a.n_whole} of "
        f"{case.a.n_key_entities}, and B {case.b.n_whole}."
    )


LIKE_LARGE = Pitfall(
    id="ceafe-sizes",
    title="CEAF_e weighs a tiny entity like a huge one",
    group=GROUP,
    question="The one large entity, or the two small ones?",
    key="{abcdefghijklmnopqrst}{uv}{wx}",
    a=Output("{abcdefghijklmnopqrst}", "finds the large entity"),
    b=Output("{uv}{wx}", "finds the small ones"),
    criterion=LINKS,
    about=("ceafe",),
    why=_like_large_why,
    claims=(
        better("A", "A has fewer links wrong or missed."),
        better("B", "B has more of the key’s entities just as they are.", by=WHOLE_ENTITIES),
        puts_first("B", "ceafe", says="CEAF_e puts B first."),
        puts_first("A", "muc", "bcub", "ceafm", "blanc", "lea", says="The other five put A first."),
    ),
    source=MOOSAVI_2016.at("§3.3; Figures 4 and 5"),
)


def _split_why(case: Case) -> str:
    a, b = case.a.score("ceafe"), case.b.score("ceafe")
    return (
        "CEAF_e pairs the entity with its largest part, and each further part is an entity too "
        f"many: precision is {portion(a, 'precision')} for A and {portion(b, 'precision')} for B. "
        f"But A chips off single mentions and keeps {len(case.a.correct)} of {_n_links(case)} "
        f"links, while B cuts across and keeps {len(case.b.correct)}."
    )


SPLIT = Pitfall(
    id="ceafe-split",
    title="CEAF_e charges for each part of a split entity, however small",
    group=GROUP,
    question="Two mentions split off, or the entity split in the middle?",
    key="{abcdefghi}",
    a=Output("{abcdefg}{h}{i}"),
    b=Output("{abcde}{fghi}"),
    criterion=LINKS,
    about=("ceafe", "muc"),
    why=_split_why,
    claims=(
        better("A", "A has fewer links wrong or missed."),
        puts_first("B", "ceafe", says="CEAF_e puts B first."),
        puts_first("B", "muc", says="So does MUC, which sees only into how many parts it falls."),
        puts_first("A", "bcub", "ceafm", "blanc", "lea", says="The other four put A first."),
    ),
    source=MOOSAVI_2016.at("Figure 6"),
)

PITFALLS = (UNALIGNED, LIKE_LARGE, SPLIT)
