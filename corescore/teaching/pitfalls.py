"""Where metrics disagree: small examples whose claims are checked by computing them."""

from corescore.bibliography import AMIGO_2009, LUO_2014, MOOSAVI_2016, PRADHAN_2014, RECASENS_2011
from corescore.counting.policies import Policies
from corescore.metrics import METRIC_IDS, title_of
from corescore.replication.experiment import Check
from corescore.replication.recasens2011.figures import FIGURE_4, FIGURE_5, toys
from corescore.scoring.scores import Result, score_entities
from corescore.teaching import pitfalls_links, pitfalls_mentions
from corescore.teaching.criteria import (
    DOCUMENTS,
    GROUPS,
    LINKS,
    SAME,
    WHOLE_ENTITIES,
    CardClaim,
    Output,
    Pitfall,
    Position,
    ScoredCase,
    better,
    both,
    of_f1,
    portion,
    puts_first,
    same_links,
)
from corescore.teaching.toy import Toy, links_of
from corescore.util import TOLERANCE
from corescore.wording import number, percent, written

__all__ = ["PITFALLS", "Pitfall"]

# Pitfalls about averages and scorers: means over documents, means of metrics, two scorers ---------

# Pitfalls about entities: not aligned, large or small, split, mixed -------------------------------

# Two constraints on scores of clusterings, which Recasens & Hovy reject for coreference -----------

GROUP = GROUPS[3]

# Over documents -----------------------------------------------------------------------------------


def _n_with_errors(case: ScoredCase) -> tuple[int, int]:
    """The numbers of documents in which A and B miss a link."""
    a, b = (sum(bool(links_of(toy).missing) for toy in out.toys) for out in (case.a, case.b))
    return a, b


def _over_documents_why(case: ScoredCase) -> str:
    n_a, n_b = _n_with_errors(case)
    return (
        f"A errs in {n_a} of {len(case.a.toys)} documents, small ones, and misses "
        f"{len(case.a.missed)} links; B errs in {n_b}, the large one, and misses "
        f"{len(case.b.missed)}. In a mean over documents a small one weighs as much as a large "
        f"one, and B³ is {both(case, 'bcub')}; where counts are added up over all documents and "
        f"divided once, as in published scores, it is A {of_f1(case.a, 'bcub')}, "
        f"B {of_f1(case.b, 'bcub')}."
    )


def _sums_put_a_first(case: ScoredCase) -> Check:
    f1 = {name: (case.a.score(name).f1, case.b.score(name).f1) for name in _ALL_SIX}
    told = (f"{title_of(name)}: A {percent(a)}, B {percent(b)}" for name, (a, b) in f1.items())
    return Check(all(a > b + TOLERANCE for a, b in f1.values()), "; ".join(told))


_ALL_SIX = ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea")

_MACRO = Policies(average="macro")

OVER_DOCUMENTS = Pitfall(
    id="micro-macro",
    title="A mean over documents can put first what their sum puts last",
    group=GROUP,
    question="Errors in several small documents, or in the large one?",
    key="{abcdef}{ghijkl}\n{mn}\n{op}\n{qr}",
    a=Output("{abcdef}{ghijkl}\n{m}{n}\n{o}{p}\n{q}{r}", "", _MACRO),
    b=Output("{ab}{cd}{ef}{gh}{ij}{kl}\n{mn}\n{op}\n{qr}", "", _MACRO),
    criterion=LINKS,
    about=(),
    why=_over_documents_why,
    claims=(
        better("A", "A has fewer links wrong or missed, over all documents."),
        better("B", "B has more documents without an error.", by=DOCUMENTS),
        puts_first("B", *_ALL_SIX, says="The mean over documents of all six puts B first."),
        CardClaim("The sums over documents of all six put A first.", _sums_put_a_first),
    ),
    source=f"Our example; {PRADHAN_2014.name} score by sums over documents",
    measure="macro",
    reason=DOCUMENTS,
)

# Over metrics -------------------------------------------------------------------------------------

_OF_THREE = ("muc", "bcub", "ceafe")


def _of_three_why(case: ScoredCase) -> str:
    told = "; ".join(f"{title_of(name)} {both(case, name)}" for name in _OF_THREE)
    return (
        f"The average hides that its three members disagree: {told}; the mean is "
        f"{both(case, 'conll')}. Yet B has fewer correct links than A, {len(case.b.correct)} "
        f"instead of {len(case.a.correct)}, and more wrong ones, {len(case.b.wrong)} instead of "
        f"{len(case.a.wrong)}."
    )


def _worse_by_every_count(case: ScoredCase) -> Check:
    a, b = case.a, case.b
    holds = len(b.correct) < len(a.correct) and len(b.wrong) > len(a.wrong)
    numbers = f"correct: A {len(a.correct)}, B {len(b.correct)}; wrong: A {len(a.wrong)}"
    return Check(holds, f"{numbers}, B {len(b.wrong)}")


def _gives_more(case: ScoredCase) -> Check:
    differences = {name: b - a for name in _OF_THREE for a, b in [case.values(name)]}
    told = ", ".join(
        f"{title_of(name)} {written(100 * by, '+.2f')}" for name, by in differences.items()
    )
    return Check(sum(differences.values()) > TOLERANCE, f"B − A in points: {told}")


OF_THREE = Pitfall(
    id="conll-average",
    title="The average of three metrics can rise while links get worse",
    group=GROUP,
    question="The largest entity alone, or a small one and a wrong merge?",
    key="{abc}{de}{fg}",
    a=Output("{abc}{d}{e}"),
    b=Output("{a}{bde}{fg}"),
    criterion=LINKS,
    about=("conll",),
    why=_of_three_why,
    claims=(
        better("A", "A has fewer links wrong or missed."),
        CardClaim("B has fewer correct links and more wrong ones.", _worse_by_every_count),
        puts_first("B", "conll", says="The CoNLL average puts B first."),
        puts_first("A", "muc", "bcub", says="Of its members, MUC and B³ put A first."),
        CardClaim("CEAF_e gives B more than MUC and B³ take from it together.", _gives_more),
    ),
    source=f"{MOOSAVI_2016.name}, §1, on averaging; the example is ours",
    beside=("conll",),
)

# Two scorers --------------------------------------------------------------------------------------


def _two_scorers_why(case: ScoredCase) -> str:
    parts = case.a.score("blanc").parts
    apart, by_luo = parts["non_coreference"], case.b.score("blanc").parts["non_coreference"]
    return (
        f"The key is one entity, so that it keeps {number(apart.recall_denominator)} pairs apart, "
        f"where the response keeps {number(apart.precision_denominator)}. The reference scorer "
        f"goes by the key, leaves that half of BLANC out and gives {of_f1(case.a, 'blanc')}; for "
        f"Luo et al. it counts as {percent(by_luo.f1)}, and the mean with the other half, "
        f"{percent(parts['coreference'].f1)}, is {of_f1(case.b, 'blanc')}."
    )


def _one_is_half(case: ScoredCase) -> Check:
    a, b = case.values("blanc")
    return Check(abs(b - a / 2) < TOLERANCE, both(case, "blanc"))


TWO_SCORERS = Pitfall(
    id="blanc-two-scorers",
    title="Two scorers, two BLANCs",
    group=GROUP,
    question="One response, two scorers: is it better for one of them?",
    key="{abcdef}",
    a=Output("{ab}{cde}{f}", "scored as the reference scorer does"),
    b=Output("{ab}{cde}{f}", "scored as Luo et al. define it", Policies(blanc="luo2014")),
    criterion=LINKS,
    about=("blanc",),
    why=_two_scorers_why,
    claims=(
        same_links("The links are the same both times."),
        better(SAME, "Neither has fewer links wrong or missed."),
        CardClaim("By Luo et al., BLANC is half of what the reference scorer gives.", _one_is_half),
        puts_first(
            SAME, "muc", "bcub", "ceafm", "ceafe", "lea", says="The other five are the same."
        ),
    ),
    source=f"{LUO_2014.name}, §4.1; {PRADHAN_2014.name}, the reference scorer",
)

AVERAGING_PITFALLS = (OVER_DOCUMENTS, OF_THREE, TWO_SCORERS)

CONSTRAINTS_GROUP = GROUPS[2]

_READING = "its key is a reading of a scan"

# Figure 4: rag bag --------------------------------------------------------------------------------


def _with_bag(case: ScoredCase) -> Toy:
    """A with all its singletons in one entity, as the constraint has it."""
    (toy,) = case.a.toys
    bag = tuple(mention for entity in toy.response if len(entity) == 1 for mention in entity)
    kept = tuple(entity for entity in toy.response if len(entity) > 1)
    return Toy(toy.key, (*kept, bag) if bag else kept)


def _scored(toy: Toy) -> Result:
    return score_entities(toy.key, toy.response)


def _rag_bag_why(case: ScoredCase) -> str:
    toy = _with_bag(case)
    mixed, n_wrong = _scored(toy), len(links_of(toy).wrong)
    return (
        "An entity says of any two of its mentions that they corefer: A makes "
        f"{len(case.a.wrong)} wrong links, B {len(case.b.wrong)}, and all metrics prefer A, B³ "
        f"with {both(case, 'bcub')}. In the constraint itself A has a mixed entity too: with the "
        f"rest of A’s mentions linked, A makes {n_wrong} wrong links, and B³ prefers B "
        f"({percent(mixed['bcub'].f1)} against {of_f1(case.b, 'bcub')}), while BLANC sees no "
        f"difference ({percent(mixed['blanc'].f1)} and {of_f1(case.b, 'blanc')})."
    )


def _itself(case: ScoredCase) -> Check:
    """In the constraint itself B³, CEAF_e and LEA prefer B; MUC, CEAF_m and BLANC neither."""
    mixed = _scored(_with_bag(case))
    more = {name: case.b.score(name).f1 - mixed[name].f1 for name in METRIC_IDS}
    told = (
        f"{title_of(name)}: A {percent(mixed[name].f1)}, B {of_f1(case.b, name)}" for name in more
    )
    prefer = {name for name, by in more.items() if by > TOLERANCE}
    alike = {name for name, by in more.items() if abs(by) < TOLERANCE}
    holds = prefer == {"bcub", "ceafe", "lea"} and alike == {"muc", "ceafm", "blanc"}
    return Check(holds, "; ".join(told))


_KEY_4, _ONE_STRAY, _RAG_BAG = toys()[FIGURE_4]

RAG_BAG = Pitfall(
    id="rag-bag",
    title="A clean entity does not make up for a mixed one",
    group=CONSTRAINTS_GROUP,
    question="d to g corefer with nothing: one of them in the entity, or all linked to each other?",
    key=_KEY_4,
    a=Output(_ONE_STRAY, "puts one of them into the entity"),
    b=Output(_RAG_BAG, "keeps the entity clean and links all of them"),
    criterion=LINKS,
    about=(),
    why=_rag_bag_why,
    claims=(
        better("A", "A has fewer links wrong or missed."),
        puts_first("A", *METRIC_IDS, says="All six put A first."),
        CardClaim(
            "With the rest of A’s mentions in one entity, as in the constraint, B³, CEAF_e and LEA "
            "put B first; MUC, CEAF_m and BLANC see no difference.",
            _itself,
        ),
    ),
    source=RECASENS_2011.at(f"Figure 4; {_READING}"),
    positions=(
        Position(
            AMIGO_2009.at("rag bag"),
            "A stray item does less harm among others that are mixed already than in a clean "
            "entity.",
        ),
        Position(
            RECASENS_2011.at("§3.2"),
            "B is not better: a stray mention is linked to every mention of the entity that it "
            "joins, clean or mixed.",
        ),
    ),
)

# Figure 5: size against quantity ------------------------------------------------------------------


def _quantity_why(case: ScoredCase) -> str:
    a, b = case.a, case.b
    n_links, lea = len(a.correct) + len(a.missed), (a.score("lea"), b.score("lea"))
    return (
        f"A misses {len(a.missed)} of the key’s {n_links} links and B {len(b.missed)}, with "
        f"{len(a.wrong)} and {len(b.wrong)} wrong ones, so that BLANC gives {of_f1(a, 'blanc')} "
        f"and {of_f1(b, 'blanc')}. But A breaks {a.n_key_entities - a.n_whole} entities and B "
        f"{b.n_key_entities - b.n_whole}, and what is left of the large one still earns credit: "
        f"LEA’s recall is {portion(lea[0], 'recall')} and {portion(lea[1], 'recall')}."
    )


_BUT_BLANC = tuple(name for name in METRIC_IDS if name != "blanc")

_KEY_5, _SMALL_ONES, _LARGE_ONE = toys()[FIGURE_5]

QUANTITY = Pitfall(
    id="size-against-quantity",
    title="MUC, B³, CEAF and LEA prefer one slip in a large entity to two in small ones",
    group=CONSTRAINTS_GROUP,
    question="Two small entities split, or one mention taken from a large one?",
    key=_KEY_5,
    a=Output(_SMALL_ONES, "splits both small entities"),
    b=Output(_LARGE_ONE, "takes a mention from the large one"),
    criterion=LINKS,
    about=_BUT_BLANC,
    why=_quantity_why,
    claims=(
        better(SAME, "Both miss as many links, and have none wrong."),
        puts_first(SAME, "blanc", says="BLANC, which counts pairs, gives both the same."),
        puts_first("B", *_BUT_BLANC, says="The other five put B first."),
    ),
    source=RECASENS_2011.at("Figure 5"),
    positions=(
        Position(
            AMIGO_2009.at("size against quantity"),
            "B is better: one slip in a large entity does less harm than many in small ones.",
        ),
        Position(
            RECASENS_2011.at("§3.2"),
            "B is not better: the larger an entity, the more links are lost with a mention.",
        ),
    ),
)

CONSTRAINTS_PITFALLS = (RAG_BAG, QUANTITY)


def _n_links(case: ScoredCase) -> int:
    """The number of links in the key."""
    return len(case.a.correct) + len(case.a.missed)


# CEAF ---------------------------------------------------------------------------------------------


def _unaligned_why(case: ScoredCase) -> str:
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
    group=CONSTRAINTS_GROUP,
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


def _like_large_why(case: ScoredCase) -> str:
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
    group=CONSTRAINTS_GROUP,
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


def _split_why(case: ScoredCase) -> str:
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
    group=CONSTRAINTS_GROUP,
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

ENTITIES_PITFALLS = (UNALIGNED, LIKE_LARGE, SPLIT)

PITFALLS: tuple[Pitfall, ...] = (
    *pitfalls_links.PITFALLS,
    *pitfalls_mentions.PITFALLS,
    *ENTITIES_PITFALLS,
    *CONSTRAINTS_PITFALLS,
    *AVERAGING_PITFALLS,
)
