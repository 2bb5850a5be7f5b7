"""Pitfalls about averages and scorers: means over documents, means of metrics, two scorers."""

from corescore.bibliography import LUO_2014, MOOSAVI_2016, PRADHAN_2014
from corescore.counting.policies import Policies
from corescore.metrics import title_of
from corescore.replication.experiment import Check
from corescore.teaching.pitfalls.criteria import DOCUMENTS, LINKS
from corescore.teaching.pitfalls.pitfall import GROUPS, Case, Claim, Pitfall
from corescore.teaching.pitfalls.scored import SAME, Output
from corescore.teaching.pitfalls.telling import better, both, of_f1, puts_first, same_links
from corescore.teaching.toy.links import links_of
from corescore.tolerances import TOLERANCE
from corescore.wording import number, percent, written

GROUP = GROUPS[3]

# Over documents -----------------------------------------------------------------------------------


def _n_with_errors(case: Case) -> tuple[int, int]:
    """The numbers of documents in which A and B miss a link."""
    a, b = (sum(bool(links_of(toy).missing) for toy in out.toys) for out in (case.a, case.b))
    return a, b


def _over_documents_why(case: Case) -> str:
    n_a, n_b = _n_with_errors(case)
    return (
        f"A errs in {n_a} of {len(case.a.toys)} documents, small ones, and misses "
        f"{len(case.a.missed)} links; B errs in {n_b}, the large one, and misses "
        f"{len(case.b.missed)}. In a mean over documents a small one weighs as much as a large "
        f"one, and B³ is {both(case, 'bcub')}; where counts are added up over all documents and "
        f"divided once, as in published scores, it is A {of_f1(case.a, 'bcub')}, "
        f"B {of_f1(case.b, 'bcub')}."
    )


def _sums_put_a_first(case: Case) -> Check:
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
        Claim("The sums over documents of all six put A first.", _sums_put_a_first),
    ),
    source=f"Our example; {PRADHAN_2014.name} score by sums over documents",
    measure="macro",
    reason=DOCUMENTS,
)

# Over metrics -------------------------------------------------------------------------------------

_OF_THREE = ("muc", "bcub", "ceafe")


def _of_three_why(case: Case) -> str:
    told = "; ".join(f"{title_of(name)} {both(case, name)}" for name in _OF_THREE)
    return (
        f"The average hides that its three members disagree: {told}; the mean is "
        f"{both(case, 'conll')}. Yet B has fewer correct links than A, {len(case.b.correct)} "
        f"instead of {len(case.a.correct)}, and more wrong ones, {len(case.b.wrong)} instead of "
        f"{len(case.a.wrong)}."
    )


def _worse_by_every_count(case: Case) -> Check:
    a, b = case.a, case.b
    holds = len(b.correct) < len(a.correct) and len(b.wrong) > len(a.wrong)
    numbers = f"correct: A {len(a.correct)}, B {len(b.correct)}; wrong: A {len(a.wrong)}"
    return Check(holds, f"{numbers}, B {len(b.wrong)}")


def _gives_more(case: Case) -> Check:
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
        Claim("B has fewer correct links and more wrong ones.", _worse_by_every_count),
        puts_first("B", "conll", says="The CoNLL average puts B first."),
        puts_first("A", "muc", "bcub", says="Of its members, MUC and B³ put A first."),
        Claim("CEAF_e gives B more than MUC and B³ take from it together.", _gives_more),
    ),
    source=f"{MOOSAVI_2016.name}, §1, on averaging; the example is ours",
    beside=("conll",),
)

# Two scorers --------------------------------------------------------------------------------------


def _two_scorers_why(case: Case) -> str:
    parts = case.a.score("blanc").parts
    apart, by_luo = parts["non_coreference"], case.b.score("blanc").parts["non_coreference"]
    return (
        f"The key is one entity, so that it keeps {number(apart.recall_denominator)} pairs apart, "
        f"where the response keeps {number(apart.precision_denominator)}. The reference scorer "
        f"goes by the key, leaves that half of BLANC out and gives {of_f1(case.a, 'blanc')}; for "
        f"Luo et al. it counts as {percent(by_luo.f1)}, and the mean with the other half, "
        f"{percent(parts['coreference'].f1)}, is {of_f1(case.b, 'blanc')}."
    )


def _one_is_half(case: Case) -> Check:
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
        Claim("By Luo et al., BLANC is half of what the reference scorer gives.", _one_is_half),
        puts_first(
            SAME, "muc", "bcub", "ceafm", "ceafe", "lea", says="The other five are the same."
        ),
    ),
    source=f"{LUO_2014.name}, §4.1; {PRADHAN_2014.name}, the reference scorer",
)

PITFALLS = (OVER_DOCUMENTS, OF_THREE, TWO_SCORERS)
