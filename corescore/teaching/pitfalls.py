"""Where metrics disagree: small examples whose claims are checked by computing them.

The cards stand in `pitfalls.toml`: their texts and partitions, and each claim with the check that
tells whether it holds. What a card says of its numbers is computed here, two sentences a card.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from corescore.analysis.decomposition import DETECTION, GROUPS, LINKING
from corescore.analysis.long_documents import by_distance, by_size
from corescore.analysis.systems.effect import IdentificationEffect, identification_effect
from corescore.corpus.documents import Corpus, Document
from corescore.counting.policies import Policies
from corescore.metrics import METRIC_IDS, name_of
from corescore.metrics.variants import weighted_blanc
from corescore.replication.claims import numbers_of, read_data
from corescore.replication.experiment import Check
from corescore.scoring.scores import score
from corescore.teaching.criteria import (
    CRITERIA,
    CardClaim,
    Output,
    Pitfall,
    Position,
    ScoredCase,
    ScoredOutput,
    better,
    both,
    higher,
    is_full,
    link_counts,
    no_correct_link_more,
    of_f1,
    portion,
    puts_first,
    same_links,
)
from corescore.teaching.toy import Toy, links_of
from corescore.util import TOLERANCE, as_rows
from corescore.wording import counted, exact, number, percent, signed

__all__ = ["PITFALLS", "Pitfall"]

# About links --------------------------------------------------------------------------------------


def _linked(output: ScoredOutput) -> int:
    """The number of pairs of mentions that an output links."""
    return len(output.correct) + len(output.wrong)


def _too_many(output: ScoredOutput) -> str:
    muc = output.score("muc")
    return counted(muc.precision_denominator - muc.precision_numerator, "link")


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


def _falls_to_half(case: ScoredCase) -> Check:
    f1 = {name: case.a.score(name).f1 for name in ("blanc", "bcub", "ceafm")}
    holds = case.a.n_errors == 1 and f1["blanc"] < 1 / 2 < min(f1["bcub"], f1["ceafm"])
    return Check(holds, numbers_of(f1))


def _as_many_errors(case: ScoredCase) -> Check:
    numbers = f"A: {link_counts(case.a)}; B: {link_counts(case.b)}"
    return Check(case.a.n_errors == case.b.n_errors == 1, numbers)


# The weights α of BLANC's half about links, and the ids of BLANC with these
_ALPHA = {0.5: "blanc", 0.2: "blanc_0.2", 0.1: "blanc_0.1"}


def _alpha_why(case: ScoredCase) -> str:
    scores = "; ".join(
        f"with α = {weight:g}, {both(case, name)}" for weight, name in _ALPHA.items()
    )
    return (
        "BLANC gives the weight α to its half about links and the rest to its half about pairs "
        f"kept apart: {scores}. A makes {counted(case.a.n_errors, 'error')} and B "
        f"{case.b.n_errors}, whatever α is."
    )


def _turns(case: ScoredCase) -> Check:
    first = {weight: case.first(name) for weight, name in _ALPHA.items()}
    numbers = ", ".join(f"α = {weight:g}: {letter}" for weight, letter in first.items())
    return Check(len({*first.values()}) > 1, numbers)


def _softens(case: ScoredCase) -> Check:
    f1 = {weight: case.a.score(name).f1 for weight, name in _ALPHA.items()}
    scores = ", ".join(f"α = {weight:g}: {percent(value)}" for weight, value in f1.items())
    values = [*f1.values()]
    return Check(values == sorted(values) and values[0] < values[-1], f"A with {scores}")


# About mentions -----------------------------------------------------------------------------------


def _n_mentions(output: ScoredOutput) -> int:
    """The number of mentions in the response."""
    return sum(len(entity) for toy in output.toys for entity in toy.response)


def _correct_singletons(output: ScoredOutput) -> int:
    """The number of singletons that both sides have."""
    return sum(len(e) == 1 for toy in output.toys for e in {*toy.key} & {*toy.response})


def _lea_rises_most(case: ScoredCase) -> Check:
    by = _gains(case)
    most = all(by["lea"] > more + TOLERANCE for name, more in by.items() if name != "lea")
    return Check(most, f"B − A in points: {numbers_of(by, signed)}")


def _gains(case: ScoredCase) -> dict[str, float]:
    """By how much F1 of B is above that of A under each of the six."""
    return {name: case.b.score(name).f1 - case.a.score(name).f1 for name in METRIC_IDS}


def _joined_size(output: ScoredOutput) -> int:
    """The size of the entity with the spurious mention."""
    (toy,) = output.toys
    (extra,) = toy.spurious
    return next(len(entity) for entity in toy.response if extra in entity)


def _weight(output: ScoredOutput) -> str:
    size = _joined_size(output)
    correct, links = (n * (n - 1) // 2 for n in (size - 1, size))
    return f"{size} × {correct}/{links} = {exact(size * correct / links)}"


def _lost(case: ScoredCase, letter: str, group: str) -> dict[str, float]:
    """What each of the six loses of F1 to detection, linking or singletons; a fraction."""
    made = (case.a if letter == "A" else case.b).result.decomposition
    return dict(zip(made.metrics, made.of_group("f1", group).tolist(), strict=True))


def _detection_why(case: ScoredCase) -> str:
    lost, left = _lost(case, "A", DETECTION), _lost(case, "B", LINKING)
    return (
        "The decomposition fixes a missing mention by putting it where the key has it, so "
        f"A’s whole loss, {percent(lost['bcub'])} points of B³ and {percent(lost['lea'])} of LEA, "
        "goes to detection. A better detector may only find it, as in B, which still loses "
        f"{percent(left['bcub'])} of B³ and {percent(left['lea'])} of LEA, all to "
        "linking: the loss of a part does not predict the gain of a better system."
    )


def _loses_only_to(case: ScoredCase, letter: str, group: str) -> Check:
    """Each of the six loses something, and all of it to this group."""
    by_group = {one: _lost(case, letter, one) for one in GROUPS}
    lost = {name: by_group[group][name] for name in METRIC_IDS}
    holds = all(
        (abs(loss) > TOLERANCE) == (one == group)
        for one, losses in by_group.items()
        for loss in map(losses.__getitem__, METRIC_IDS)
    )
    return Check(holds, f"points lost to {group}: {numbers_of(lost)}")


def _found_is_not_won(case: ScoredCase) -> Check:
    """From A to B no metric gains what A loses to detection."""
    lost, gain = _lost(case, "A", DETECTION), _gains(case)
    gained = {name: f"{signed(more)} of {percent(lost[name])}" for name, more in gain.items()}
    holds = all(more < lost[name] - TOLERANCE for name, more in gain.items())
    return Check(holds, numbers_of(gained, str))


def _effect(case: ScoredCase) -> IdentificationEffect:
    """What the incorrectly resolved mentions of A and B do to scores and ranks."""
    return identification_effect({"A": case.a.result, "B": case.b.result})


def _lead_why(case: ScoredCase) -> str:
    effect = _effect(case)
    place = effect.metrics.index("ceafe")
    shares = percent(effect.shares[0, 0, 0, place])
    a, b = (percent(score) for score in effect.after[0, :, place])
    return (
        f"{counted(int(effect.n_mentions[0]))} of A have no correct link, but earn {shares}% of "
        f"its CEAFₑ recall for being found: without them A scores {a} and B {b}, so A leads "
        "because of them. It does not follow that finding them is worth nothing: a system that "
        "does not find a mention cannot link it."
    )


def _leads_by_wrong_links(case: ScoredCase, metrics: Sequence[str]) -> Check:
    """A is above B by these metrics, and below once incorrectly resolved mentions are removed."""
    effect = _effect(case)
    without, holds = [], True
    for name in metrics:
        place = effect.metrics.index(name)
        (before, after) = (of[:, place] for of in (effect.scores, effect.after[0]))
        holds = holds and before[0] > before[1] + TOLERANCE and after[0] < after[1] - TOLERANCE
        without.append(
            f"{name_of(name)} without them: A {percent(after[0])}, B {percent(after[1])}"
        )
    return Check(holds, "; ".join(without))


# About entities -----------------------------------------------------------------------------------


def _n_links(case: ScoredCase) -> int:
    """The number of links in the key."""
    return len(case.a.correct) + len(case.a.missed)


def _by_size(output: ScoredOutput) -> list[tuple[float, float]]:
    """What the smallest entities of the key earn of LEA's recall, and the larger ones: a part of
    it, and the share of what they could earn."""
    smallest = min(len(entity) for toy in output.toys for entity in toy.key)
    table = by_size(output.result, bounds=[smallest])
    of_lea = table[table["metric"] == "lea"]
    return [*as_rows(of_lea["credit"], of_lea["share"])]


def _by_size_why(case: ScoredCase) -> str:
    (small, small_share), (large, large_share) = _by_size(case.a)
    return (
        f"LEA’s recall of A is {portion(case.a, 'lea', 'recall')}: the large entity earns "
        f"{percent(large)} points of it and the small one {percent(small)}, which add up to the "
        "score but do not show how well each is resolved, as more mentions can earn more. Of the "
        f"credit it could earn, the large one has {percent(large_share)}% and the small one "
        f"{percent(small_share)}%."
    )


def _earns_most_where_worst(case: ScoredCase) -> Check:
    (small, small_share), (large, large_share) = _by_size(case.a)
    return Check(
        large > small + TOLERANCE and large_share < small_share - TOLERANCE,
        f"of LEA’s recall of A, the large entity earns {percent(large)} points, "
        f"{percent(large_share)}% of its possible credit, the small one {percent(small)}, "
        f"{percent(small_share)}%",
    )


def _by_distance(output: ScoredOutput) -> tuple[float, float]:
    """The shares of their possible credit that mentions next to their antecedent, and others,
    have of LEA's recall; its letters are words in their order."""
    (toy,) = output.toys
    key, response = (
        Corpus((Document.of_entities("card", [[(ord(m), ord(m) + 1) for m in e] for e in side]),))
        for side in (toy.key, toy.response)
    )
    table = by_distance(score(key, response), bounds=[1])
    _, near, far = table[table["metric"] == "lea"]["share"].tolist()
    return near, far


def _distant_why(case: ScoredCase) -> str:
    near, far = map(percent, _by_distance(case.a))
    return (
        f"Of their possible credit in LEA’s recall of A, near mentions earn {near}% and the "
        f"distant one {far}%, as a mention is paid for every link of its entity: a low share far "
        "away does not show which link is missed. MUC counts into how many parts an entity falls, "
        f"near or far: {both(case, 'muc')}."
    )


def _near_lose_as_much(case: ScoredCase) -> Check:
    near, far = _by_distance(case.a)
    holds = near < 1 - TOLERANCE and near <= far + TOLERANCE
    return Check(holds, f"near {percent(near)}%, distant {percent(far)}%")


def _with_bag(case: ScoredCase) -> Toy:
    """A with all its singletons in one entity, as the constraint has it."""
    (toy,) = case.a.toys
    bag = tuple(mention for entity in toy.response if len(entity) == 1 for mention in entity)
    kept = tuple(entity for entity in toy.response if len(entity) > 1)
    return Toy(toy.key, (*kept, bag) if bag else kept)


def _rag_bag_why(case: ScoredCase) -> str:
    toy = _with_bag(case)
    mixed, n_wrong = toy.result, len(links_of(toy).wrong)
    return (
        "An entity says of any two of its mentions that they corefer: A makes "
        f"{len(case.a.wrong)} wrong links, B {len(case.b.wrong)}, and all metrics prefer A, B³ "
        f"with {both(case, 'bcub')}. In the constraint itself A has a mixed entity too: with the "
        f"rest of A’s mentions linked, A makes {n_wrong} wrong links, and B³ prefers B "
        f"({percent(mixed['bcub'].f1)} against {of_f1(case.b, 'bcub')}), while BLANC sees no "
        f"difference ({percent(mixed['blanc'].f1)} and {of_f1(case.b, 'blanc')})."
    )


def _itself(case: ScoredCase) -> Check:
    """In the constraint itself B³, CEAFₑ and LEA prefer B; MUC, CEAFₘ and BLANC neither."""
    mixed = _with_bag(case).result
    more = {name: case.b.score(name).f1 - mixed[name].f1 for name in METRIC_IDS}
    values = (
        f"{name_of(name)}: A {percent(mixed[name].f1)}, B {of_f1(case.b, name)}" for name in more
    )
    prefer = {name for name, by in more.items() if by > TOLERANCE}
    alike = {name for name, by in more.items() if abs(by) < TOLERANCE}
    holds = prefer == {"bcub", "ceafe", "lea"} and alike == {"muc", "ceafm", "blanc"}
    return Check(holds, "; ".join(values))


# About averages and scorers -----------------------------------------------------------------------


def _n_with_errors(output: ScoredOutput) -> int:
    """The number of documents in which an output misses a link."""
    return sum(bool(links_of(toy).missing) for toy in output.toys)


def _fewer_links_asked(case: ScoredCase) -> Check:
    asked = [len(output.correct) + len(output.missed) for output in (case.a, case.b)]
    kept = {*case.b.correct} < {*case.a.correct} and {*case.b.missed} < {*case.a.missed}
    return Check(
        kept,
        f"links of the key: A {asked[0]}, B {asked[1]}; A: "
        f"{link_counts(case.a)}; B: {link_counts(case.b)}",
    )


def _with_singletons(case: ScoredCase) -> list[float]:
    return [output.toys[0].result["conll"].f1 for output in (case.a, case.b)]


def _primary_why(case: ScoredCase) -> str:
    a, b = map(percent, _with_singletons(case))
    return (
        f"Without all singletons, CoNLL is {both(case, 'conll')}, and with them, as in another "
        f"column of the shared tasks’ tables, A {a}, B {b}. Nor does the primary score show if "
        "spans are correct, as it matches heads, and its mean gives each data set the same weight, "
        "however small."
    )


def _ahead_with_singletons(case: ScoredCase) -> Check:
    a, b = _with_singletons(case)
    return Check(a > b + TOLERANCE, f"with singletons: A {percent(a)}, B {percent(b)}")


_OF_THREE = ("muc", "bcub", "ceafe")


def _of_three_why(case: ScoredCase) -> str:
    values = "; ".join(f"{name_of(name)} {both(case, name)}" for name in _OF_THREE)
    return (
        f"The average hides that its three members disagree: {values}; the mean is "
        f"{both(case, 'conll')}. Yet B has fewer correct links than A, {len(case.b.correct)} "
        f"instead of {len(case.a.correct)}, and more wrong ones, {len(case.b.wrong)} instead of "
        f"{len(case.a.wrong)}."
    )


def _worse_by_every_count(case: ScoredCase) -> Check:
    a, b = case.a, case.b
    holds = len(b.correct) < len(a.correct) and len(b.wrong) > len(a.wrong)
    return Check(holds, f"A: {link_counts(a)}; B: {link_counts(b)}")


def _gives_more(case: ScoredCase) -> Check:
    differences = {name: b - a for name in _OF_THREE for a, b in [case.values(name)]}
    gains = f"B − A in points: {numbers_of(differences, signed)}"
    return Check(sum(differences.values()) > TOLERANCE, gains)


def _two_scorers_why(case: ScoredCase) -> str:
    parts = case.a.score("blanc").parts
    apart, by_luo = parts["non_coreference"], case.b.score("blanc").parts["non_coreference"]
    return (
        f"The key is one entity, so it keeps {number(apart.recall_denominator)} pairs apart, "
        f"where the response keeps {number(apart.precision_denominator)}. The reference scorer "
        f"goes by the key, leaves that half of BLANC out and gives {of_f1(case.a, 'blanc')}; for "
        f"Luo et al. it counts as {percent(by_luo.f1)}, and the mean with the other half, "
        f"{percent(parts['coreference'].f1)}, is {of_f1(case.b, 'blanc')}."
    )


def _one_is_half(case: ScoredCase) -> Check:
    a, b = case.values("blanc")
    return Check(abs(b - a / 2) < TOLERANCE, both(case, "blanc"))


# The cards ----------------------------------------------------------------------------------------

_WHY: dict[str, Callable[[ScoredCase], str]] = {
    "muc-one-entity": lambda case: (
        "MUC asks only for the fewest links that hold an entity together: A has "
        f"{number(case.a.score('muc').recall_numerator)} of the key’s "
        f"{number(case.a.score('muc').recall_denominator)}, and its precision is still "
        f"{portion(case.a, 'muc', 'precision')}, as one entity of {len(case.a.toys[0].mentions)} "
        f"mentions needs no more than {number(case.a.score('muc').precision_denominator)}. By "
        f"pairs, A links {_linked(case.a)}, {len(case.a.wrong)} of them wrongly; B links "
        f"{_linked(case.b)}, {len(case.b.wrong)} of them wrongly."
    ),
    "muc-sizes": lambda case: (
        f"To MUC, joining two entities is {_too_many(case.a)} too many, whatever their sizes: the "
        f"precision of A is {portion(case.a, 'muc', 'precision')}, and that of B "
        f"{portion(case.b, 'muc', 'precision')}. By pairs, A makes {len(case.a.wrong)} wrong "
        f"links, as one of the entities that it joins is small, and B {len(case.b.wrong)}."
    ),
    "bcub-singletons": lambda case: (
        "B³ asks of each mention how much of its entity in the response belongs there, and a "
        "mention that is alone is never wrong about itself: the precision of A is "
        f"{portion(case.a, 'bcub', 'precision')}, that of B "
        f"{portion(case.b, 'bcub', 'precision')}. Yet A has {len(case.a.correct)} of the key’s "
        f"{_n_links(case)} links and B {len(case.b.correct)}; MUC, which counts links, has no "
        f"precision for A ({portion(case.a, 'muc', 'precision')}), and B³ even a recall of "
        f"{portion(case.a, 'bcub', 'recall')}, for mentions that only found themselves."
    ),
    "blanc-non-links": _kept_apart_why,
    "blanc-one-link": lambda case: (
        f"Each has {counted(case.a.n_errors, 'error')}: A misses the key’s only link, B has a "
        f"wrong one beside it, and B³ is {both(case, 'bcub')}, CEAFₘ {both(case, 'ceafm')}. But A, "
        f"with {len(case.a.correct)} correct links, resolves nothing; BLANC, where the one link "
        f"weighs as much as the {case.a.n_pairs - len(case.a.missed)} pairs to be kept apart, "
        f"leaps from {of_f1(case.a, 'blanc')} to {of_f1(case.b, 'blanc')}, which its authors call "
        "its weakness."
    ),
    "blanc-alpha": _alpha_why,
    "mentions-removed": lambda case: (
        f"B does not have the {_n_mentions(case.a) - _n_mentions(case.b)} mentions that A links to "
        f"wrong partners only, and with them {len(case.a.wrong) - len(case.b.wrong)} wrong links; "
        f"{len(case.b.correct)} of A’s {len(case.a.correct)} correct links stay. B³ pays each "
        "mention for being there, as if it were linked to itself, so its recall falls from "
        f"{portion(case.a, 'bcub', 'recall')} to {portion(case.b, 'bcub', 'recall')}."
    ),
    "mentions-added": lambda case: (
        f"B adds {_n_mentions(case.b) - _n_mentions(case.a)} mentions that A leaves out, in "
        f"entities where every link is wrong: {len(case.b.correct)} correct links as before, and "
        f"{len(case.b.wrong)} wrong ones instead of {len(case.a.wrong)}. B³ pays each of them for "
        "being there, as if it were linked to itself, so its recall rises from "
        f"{portion(case.a, 'bcub', 'recall')} to {portion(case.b, 'bcub', 'recall')}, while "
        f"precision falls to {portion(case.b, 'bcub', 'precision')}."
    ),
    "muc-singletons": lambda case: (
        "A singleton needs no link, so there is nothing for MUC to count: recall is "
        f"{portion(case.a, 'muc', 'recall')} for A and {portion(case.b, 'muc', 'recall')} for B. A "
        f"has {case.a.n_whole} of the key’s {case.a.n_key_entities} entities and B "
        f"{case.b.n_whole}, and LEA, which counts a singleton’s link to itself, gives A "
        f"{of_f1(case.a, 'lea')} and B {of_f1(case.b, 'lea')}."
    ),
    "singletons-inflate": lambda case: (
        f"Each of the {_correct_singletons(case.b)} correct singletons is a mention, and an "
        "entity, that is fully correct, and for LEA a link to itself: LEA goes from "
        f"{of_f1(case.a, 'lea')} to {of_f1(case.b, 'lea')}, B³ from {of_f1(case.a, 'bcub')} to "
        f"{of_f1(case.b, 'bcub')}, CEAFₑ from {of_f1(case.a, 'ceafe')} to "
        f"{of_f1(case.b, 'ceafe')}. The links are the same both times ({link_counts(case.b)}), and "
        f"MUC, which counts nothing else, gives {of_f1(case.a, 'muc')} and {of_f1(case.b, 'muc')}."
    ),
    "lea-mentions-alone": lambda case: (
        f"B has no link of two mentions and A {len(case.a.correct)} correct ones, but LEA gives a "
        f"singleton one link, to itself, which B has for {_correct_singletons(case.b)} mentions: "
        f"recall is {portion(case.b, 'lea', 'recall')} for B and "
        f"{portion(case.a, 'lea', 'recall')} for A. Only if the key has no singleton do mentions "
        "alone earn nothing under LEA."
    ),
    "bcub-repeats": lambda case: (
        "B³ adds up what each entity of the response shares with the key, and what is said twice "
        f"is added twice: recall goes from {portion(case.a, 'bcub', 'recall')} to "
        f"{portion(case.b, 'bcub', 'recall')}, and in LEA, which adds up links, from "
        f"{portion(case.a, 'lea', 'recall')} to {portion(case.b, 'lea', 'recall')}. Yet the links "
        f"are still {len(case.b.correct)} correct and {len(case.b.missed)} missed, which is why "
        "corescore counts a mention once, unless it is told otherwise."
    ),
    "lea-extra-mention": lambda case: (
        "LEA multiplies the size of an entity by the share of its links that are correct: "
        f"{_weight(case.a)} for the entity that x joins in A and {_weight(case.b)} in B, and with "
        f"the other entity precision is {portion(case.a, 'lea', 'precision')} and "
        f"{portion(case.b, 'lea', 'precision')}. Yet x makes {len(case.a.wrong)} wrong links in A "
        f"and {len(case.b.wrong)} in B."
    ),
    "detection-or-linking": _detection_why,
    "lead-by-wrong-links": _lead_why,
    "split-antecedents": lambda case: (
        "All links between mentions are correct, whatever e and f refer to, so a full score "
        "without split antecedents does not mean that the response knows who “they” are. With "
        "them, what e and f refer to is one more mention of their entity, without words, which "
        "counts as much as the metric itself finds of it: MUC’s recall is "
        f"{portion(case.b, 'muc', 'recall')}, LEA’s {portion(case.b, 'lea', 'recall')}."
    ),
    "ceaf-unaligned": lambda case: (
        "CEAF lets each entity of the key have one partner: A’s second half has none, so it adds "
        f"nothing to recall and lowers precision to {portion(case.a, 'ceafm', 'precision')}; B, "
        f"which simply leaves it out, has {portion(case.b, 'ceafm', 'precision')}. Yet A has "
        f"{len(case.a.correct)} of {_n_links(case)} correct links and B {len(case.b.correct)}, and "
        f"neither has a wrong one ({len(case.a.wrong)} and {len(case.b.wrong)})."
    ),
    "ceafe-sizes": lambda case: (
        f"To CEAFₑ every entity counts the same, the one of {max(map(len, case.a.toys[0].key))} "
        f"mentions like those of {min(map(len, case.a.toys[0].key))}: recall is "
        f"{portion(case.a, 'ceafe', 'recall')} for A and {portion(case.b, 'ceafe', 'recall')} for "
        f"B. By links, A has {len(case.a.correct)} of the key’s {_n_links(case)}, and B "
        f"{len(case.b.correct)}; by whole entities, A has {case.a.n_whole} of "
        f"{case.a.n_key_entities}, and B {case.b.n_whole}."
    ),
    "ceafe-split": lambda case: (
        "CEAFₑ pairs the entity with its largest part, and each further part is an entity too "
        f"many: precision is {portion(case.a, 'ceafe', 'precision')} for A and "
        f"{portion(case.b, 'ceafe', 'precision')} for B. But A chips off single mentions and keeps "
        f"{len(case.a.correct)} of {_n_links(case)} links, while B cuts across and keeps "
        f"{len(case.b.correct)}."
    ),
    "earned-by-size": _by_size_why,
    "distant-link": _distant_why,
    "rag-bag": _rag_bag_why,
    "size-against-quantity": lambda case: (
        f"A misses {len(case.a.missed)} of the key’s {_n_links(case)} links and B "
        f"{len(case.b.missed)}, with {len(case.a.wrong)} and {len(case.b.wrong)} wrong ones, so "
        f"BLANC gives {of_f1(case.a, 'blanc')} and {of_f1(case.b, 'blanc')}. But A breaks "
        f"{case.a.n_key_entities - case.a.n_whole} entities and B "
        f"{case.b.n_key_entities - case.b.n_whole}, and what is left of the large one still earns "
        f"credit: LEA’s recall is {portion(case.a, 'lea', 'recall')} and "
        f"{portion(case.b, 'lea', 'recall')}."
    ),
    "micro-macro": lambda case: (
        f"A errs in {_n_with_errors(case.a)} of {len(case.a.toys)} documents, small ones, and "
        f"misses {len(case.a.missed)} links; B errs in {_n_with_errors(case.b)}, the large one, "
        f"and misses {len(case.b.missed)}. In a mean over documents a small one weighs as much as "
        f"a large one, and B³ is {both(case, 'bcub')}; where counts are added up over all "
        f"documents and divided once, as in published scores, it is A {of_f1(case.a, 'bcub')}, B "
        f"{of_f1(case.b, 'bcub')}."
    ),
    "conll-average": _of_three_why,
    "blanc-two-scorers": _two_scorers_why,
    "primary-score": _primary_why,
    "book-windows": lambda case: (
        f"The cut asks for {len(case.b.correct) + len(case.b.missed)} of the key’s "
        f"{len(case.a.correct) + len(case.a.missed)} links and turns its entity into "
        f"{case.b.n_key_entities}, so less is missed, and LEA’s recall goes from "
        f"{portion(case.a, 'lea', 'recall')} to {portion(case.b, 'lea', 'recall')}. It takes "
        f"{len(case.a.correct) - len(case.b.correct)} correct links away, too, and MUC’s recall "
        f"goes from {portion(case.a, 'muc', 'recall')} to {portion(case.b, 'muc', 'recall')}."
    ),
}

# What a claim can name as its check
_CHECKS = {
    check.__name__.removeprefix("_"): check
    for check in (
        *(better, puts_first, higher, is_full, same_links, no_correct_link_more),
        *(_no_link_but_half, _falls_to_half, _as_many_errors, _turns),
        *(_softens, _lea_rises_most, _itself, _worse_by_every_count, _gives_more, _one_is_half),
        *(_loses_only_to, _found_is_not_won, _leads_by_wrong_links, _fewer_links_asked),
        *(_earns_most_where_worst, _near_lose_as_much, _ahead_with_singletons),
    )
}


def _card(name: str, card: dict[str, Any]) -> Pitfall:
    """A card of the file, in which each field of `Pitfall` stands by its name."""
    more = tuple(map(weighted_blanc, card.pop("weights", ())))
    a, b = (
        Output(**{**of, "policies": Policies(**of.get("policies", {}))})
        for of in (card.pop("a"), card.pop("b"))
    )
    return Pitfall(
        id=name,
        a=a,
        b=b,
        criterion=CRITERIA[card.pop("criterion")],
        reason=CRITERIA.get(card.pop("reason", "")),
        about=card.pop("about", ()),
        beside=(*card.pop("beside", ()), *(metric.id for metric in more)),
        more=more,
        why=_WHY[name],
        claims=tuple(
            CardClaim(one["says"], partial(_CHECKS[one["check"]], **one.get("given", {})))
            for one in card.pop("claims")
        ),
        positions=tuple(Position(**one) for one in card.pop("positions", ())),
        **card,
    )


PITFALLS: tuple[Pitfall, ...] = tuple(
    _card(name, card) for name, card in read_data("teaching/pitfalls.toml").items()
)
