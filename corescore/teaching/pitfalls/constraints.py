"""Two constraints on scores of clusterings, which Recasens & Hovy reject for coreference."""

from corescore.bibliography import AMIGO_2009, RECASENS_2011
from corescore.metrics import METRIC_IDS, title_of
from corescore.replication.experiment import Check
from corescore.replication.recasens2011.figs4_5 import FIGURE_4, FIGURE_5, toys
from corescore.scoring.scores import Scores, score_entities
from corescore.teaching.pitfalls.criteria import LINKS
from corescore.teaching.pitfalls.pitfall import GROUPS, Case, Claim, Pitfall, Position
from corescore.teaching.pitfalls.scored import SAME, Output
from corescore.teaching.pitfalls.telling import better, both, of_f1, portion, puts_first
from corescore.teaching.toy.links import links_of
from corescore.teaching.toy.toy import Toy
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

GROUP = GROUPS[2]
_READING = "its key is a reading of a scan"

# Figure 4: rag bag --------------------------------------------------------------------------------


def _with_bag(case: Case) -> Toy:
    """A with all its singletons in one entity, as the constraint has it."""
    (toy,) = case.a.toys
    bag = tuple(mention for entity in toy.response if len(entity) == 1 for mention in entity)
    kept = tuple(entity for entity in toy.response if len(entity) > 1)
    return Toy(toy.key, (*kept, bag) if bag else kept)


def _scored(toy: Toy) -> Scores:
    return score_entities(toy.key, toy.response)


def _rag_bag_why(case: Case) -> str:
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


def _itself(case: Case) -> Check:
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
    group=GROUP,
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
        Claim(
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


def _quantity_why(case: Case) -> str:
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
    group=GROUP,
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

PITFALLS = (RAG_BAG, QUANTITY)
