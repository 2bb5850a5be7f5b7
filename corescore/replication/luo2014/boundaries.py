"""Luo et al. 2014, §4.1: three rules for BLANC where a kind of link is missing."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pandas as pd

from corescore.bibliography import LUO_2014
from corescore.metrics import BLANC_VARIANTS, Metric
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.luo2014.examples import EXAMPLES, FIRST, f1_of, given, label, scored
from corescore.replication.partitions import partitions_of, score_partitions
from corescore.replication.toys import toy_parameters
from corescore.replication.verdict import Reading
from corescore.tolerances import TOLERANCE
from corescore.wording import percent, spelled

PARTING = ("{abcdef}", "{ab}{cde}{f}")
PARTING_TOO = ("{a}{b}{c}", "{ab}{c}")
RULES = ("reference", "luo2014", "recasens2011")
SAME_SINGLETON, OTHER_SINGLETON = ("{a}", "{a}"), ("{a}", "{b}")
SAME_MENTIONS = ("{abc}{de}", "{ab}{cde}")
CASES = (PARTING, PARTING_TOO, SAME_SINGLETON, *EXAMPLES, SAME_MENTIONS)


MOST = 4  # mentions of the partitions that are all compared
OF_PARTITIONS = f"of partitions of two to {spelled(MOST)} mentions"


def _boundaries(setting: Setting) -> pd.DataFrame:
    """Rows (example, rule): BLANC by each rule for a kind of link that a side lacks.

    Columns: example ("key / response"), metric (the rule: "reference", "luo2014" or
    "recasens2011"), recall, precision and f1 (fractions).
    """
    scores = scored([given(setting), *CASES], _rules())
    return scores[["example", "metric", "recall", "precision", "f1"]]


def _rules() -> list[Metric]:
    return [replace(BLANC_VARIANTS[name], id=name) for name in RULES]


def _has_kinds(partition: list[list[int]]) -> tuple[bool, bool]:
    """Whether it has coreference links, and non-coreference links."""
    return max(map(len, partition)) > 1, len(partition) > 1


@cache
def _same_mentions() -> tuple[int, int, int, int]:
    """Of all keys and responses with the same two to four mentions: the number, and how many have
    another BLANC by the new rule than by the old; the same of those whose response has no link of
    a kind that the key lacks."""
    every = [list(partitions_of(n)) for n in range(2, MOST + 1)]
    pairs = [(one, other) for of_n in every for one in of_n for other in of_n]
    f1 = score_partitions(pairs, _rules()).pivot(index="pair", columns="metric", values="f1")
    differ = ((f1["luo2014"] - f1["recasens2011"]).abs() > TOLERANCE).tolist()
    within = [
        all(of_key or not of_response for of_key, of_response in zip(*kinds, strict=True))
        for kinds in ([_has_kinds(side) for side in two] for two in pairs)
    ]
    n_off_within = sum(off for off, inside in zip(differ, within, strict=True) if inside)
    return len(pairs), sum(differ), sum(within), n_off_within


def _in_words(f1: dict[str, float]) -> str:
    return ", ".join(f"{rule} {percent(value)}" for rule, value in f1.items())


def _differ(table: pd.DataFrame) -> Check:
    f1 = f1_of(table, PARTING)
    off = abs(f1["reference"] - Fraction(8, 19)) + abs(f1["luo2014"] - Fraction(4, 19))
    return Check(off < TOLERANCE, _in_words(f1))


def _differ_too(table: pd.DataFrame) -> Check:
    f1 = f1_of(table, PARTING_TOO)
    return Check(abs(f1["luo2014"] - f1["reference"] / 2) < TOLERANCE, _in_words(f1))


def _no_link(table: pd.DataFrame) -> Check:
    examples = (SAME_SINGLETON, OTHER_SINGLETON)
    same, other = (f1_of(table, example) for example in examples)
    holds = (same["luo2014"], other["luo2014"], same["reference"]) == (1, 0, 0)
    numbers = (f"{label(example)}: {_in_words(f1_of(table, example))}" for example in examples)
    return Check(holds, "; ".join(numbers))


def _one_measure(table: pd.DataFrame) -> Check:
    f1 = f1_of(table, SAME_MENTIONS)
    return Check(max(f1.values()) - min(f1.values()) < TOLERANCE, _in_words(f1))


def _same_by_formulas(table: pd.DataFrame) -> Check:
    _, _, n, off = _same_mentions()
    return Check(off == 0, f"the same BLANC for {n - off} of {n} pairs {OF_PARTITIONS}")


def _same_as_old(table: pd.DataFrame) -> Check:
    n, off, _, off_within = _same_mentions()
    f1 = f1_of(table, PARTING)
    numbers = f"another BLANC for {off} of {n} pairs {OF_PARTITIONS}; {label(PARTING)}: "
    readings = (
        Reading("by the equations that the proof is of", off_within == 0),
        Reading("with the rules for empty parts of both papers", off == 0),
    )
    return Check(off == 0, numbers + _in_words(f1), readings=readings)


def _shared_only(table: pd.DataFrame) -> Check:
    f1 = f1_of(table, FIRST)
    return Check(f1["recasens2011"] > f1["luo2014"] + TOLERANCE, _in_words(f1))


BOUNDARY_CASES = Experiment(
    id="luo2014-boundaries",
    paper=LUO_2014,
    where="§4.1",
    title="Which rule for BLANC where a kind of link is missing?",
    setup=(
        "BLANC is the mean of two parts. What if a side has no link of one kind? Three rules are "
        "compared. reference, the rule of the reference scorer: the key decides which parts count. "
        "luo2014, the rule of this paper: a part counts unless neither side has such a link; if "
        "there is no link at all, the mentions decide. recasens2011, the rule of 2011: only shared "
        "mentions are scored, otherwise as reference. You can add your own key and response, which "
        "are shown first."
    ),
    run=_boundaries,
    chart=Chart("bars", x="example", x_title="key / response"),
    claims=(
        Claim(
            "Where only the response has non-coreference links, they are an empty part for this "
            "paper, but not for the reference scorer: 4/19 against 8/19.",
            "§4.1",
            _differ,
            id="only-response-apart",
            scope="property",
        ),
        Claim(
            "Likewise, where only the response has a coreference link, this paper gives half the "
            "score of the reference scorer.",
            "§4.1",
            _differ_too,
            id="only-response-together",
            scope="property",
        ),
        Claim(
            "Without any link this paper gives 1 for the same mentions and 0 for others; the "
            "reference scorer gives 0.",
            "§4.1",
            _no_link,
            id="no-link",
            scope="property",
        ),
        Claim(
            "With the same mentions on both sides and both kinds of links, BLANC is what it was in "
            "2011.",
            "abstract",
            _one_measure,
            id="one-measure",
            scope="universal",
        ),
        Claim(
            "With the same mentions, BLANC is what it was in 2011 unless the response has links of "
            "a kind that the key lacks.",
            "§4, our reading of the proof",
            _same_by_formulas,
            id="same-by-formulas",
            scope="universal",
            ours=True,
        ),
        Claim(
            "With the same mentions on both sides, BLANC is always what it was in 2011.",
            "§4, proposition",
            _same_as_old,
            note="The proof is of the formulas. Where only the response has links of a kind, "
            "§4.1 counts that kind with F1 0; in 2011 the key's kind counts alone.",
            id="same-as-old",
            scope="universal",
        ),
        Claim(
            "Leaving out missing and spurious mentions, as the BLANC of 2011 must, raises the "
            "score.",
            "our reading",
            _shared_only,
            id="shared-only",
            scope="property",
            ours=True,
        ),
    ),
    parameters=toy_parameters(*PARTING),
)
