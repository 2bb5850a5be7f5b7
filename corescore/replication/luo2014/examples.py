"""Luo et al. 2014: BLANC where key and response have different mentions."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path

import pandas as pd

from corescore.bibliography import LUO_2014
from corescore.corpus.formats.notation import read_notation
from corescore.metrics import BLANC_VARIANTS, Metric
from corescore.metrics.diagnostics import LINKS
from corescore.replication.claims import needing
from corescore.replication.erratum import Erratum, of_claim
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Reading, Setting
from corescore.replication.partitions import (
    NON_COREFERENCE,
    partitions_of,
    score_partitions,
    toy_pair,
    toy_parameters,
    with_diagnostics,
)
from corescore.replication.pradhan2014.example import TOY
from corescore.replication.printed import Printed
from corescore.util import TOLERANCE
from corescore.wording import percent, spelled

# Links of a partition as sets, as the paper writes them: C (coreference) and N (the others) -------

Link = frozenset[str]


def links(partition: str) -> tuple[set[Link], set[Link]]:
    """C and N of a partition in brace notation: the links within its entities, and between them."""
    (document,) = read_notation(partition, "the partition")
    entities = [[document.words[m.start] for m in entity] for entity in document.entities]
    mentions = [mention for entity in entities for mention in entity]
    within = {frozenset(two) for entity in entities for two in combinations(entity, 2)}
    return within, {frozenset(two) for two in combinations(mentions, 2)} - within


def in_words(one: set[Link]) -> str:
    """ab, ac, bc; "none" where there are none."""
    return ", ".join(sorted("".join(sorted(link)) for link in one)) or "none"


Example = tuple[str, str]  # key and response in brace notation

PRINTED = Printed("§4.2", Path(__file__).with_name("examples.csv"), ("example", "metric"))

TWINLESS = ("{abc}{de}", "{bc}{efg}")


def _read_examples() -> dict[Example, Fraction]:
    table = PRINTED.cells.query("metric == 'blanc'")
    pairs = (example.split(" / ") for example in table["example"])
    return {
        (key, response): Fraction(f1)
        for (key, response), f1 in zip(pairs, table["f1"], strict=True)
    }


EXAMPLES = _read_examples()

FIRST, *OTHERS = EXAMPLES


def label(example: Example) -> str:
    return " / ".join(example)


def given(setting: Setting) -> Example:
    """The key and response of the parameters."""
    return setting.text("key"), setting.text("response")


def scored(examples: Sequence[Example], metrics: Sequence[Metric]) -> pd.DataFrame:
    """`score_partitions` of each different example, with its label in a column "example"."""
    different = list(dict.fromkeys(examples))
    scores = score_partitions([toy_pair(*example) for example in different], metrics)
    scores.insert(0, "example", [label(different[pair]) for pair in scores["pair"]])
    return scores.drop(columns="pair")


def f1_of(table: pd.DataFrame, example: Example) -> dict[str, float]:
    """F1 of an example by metric; empty if the example is not in the table."""
    rows = table[table["example"] == label(example)]
    return dict(zip(rows["metric"], rows["f1"], strict=True))


def _examples(setting: Setting) -> pd.DataFrame:
    """Rows (example, metric), with "links" and "non_coreference", the two parts of BLANC.

    Columns: example ("key / response"), metric, recall, precision and f1 (fractions), and their
    numerators and denominators: recall_numerator and so on (NaN for BLANC, a mean of two parts).
    """
    metrics = with_diagnostics(setting.metrics, LINKS, NON_COREFERENCE)
    return scored([given(setting), *OTHERS], metrics)


def _matches(example: Example) -> Callable[[pd.DataFrame], Check]:
    @needing("blanc")
    def check(table: pd.DataFrame) -> Check:
        f1, expected = f1_of(table, example), EXAMPLES[example]
        if not f1:
            return Check(None, "replaced by another example")
        links = _links_in_words(table, example)
        numbers = f"{links}; F {percent(f1['blanc'])}, expected {expected}"
        return Check(abs(f1["blanc"] - expected) < TOLERANCE, numbers)

    return check


def _on_no_list(table: pd.DataFrame) -> Check:
    """Whether the response has no link ab at all, and the key neither cf nor fg."""
    of_key, of_response = (set.union(*links(side)) for side in TWINLESS)
    missing, spurious = of_key - of_response, of_response - of_key
    holds = frozenset("ab") in missing and {frozenset("cf"), frozenset("fg")} <= spurious
    numbers = f"{label(TWINLESS)}: in the key only {in_words(missing)}; in the response only "
    return Check(holds, numbers + in_words(spurious))


def _links_in_words(table: pd.DataFrame, example: Example) -> str:
    rows = table[table["example"] == label(example)].set_index("metric")
    fields = ["recall_numerator", "recall_denominator", "precision_denominator"]
    kinds = {"links": "coreference", "non_coreference": "non-coreference"}
    parts = [(kind, *rows[fields].loc[row].astype(int)) for row, kind in kinds.items()]
    return "; ".join(
        f"{kind} links: {of_key} in the key, {of_response} in the response, {correct} correct"
        for kind, correct, of_key, of_response in parts
    )


TOY_EXAMPLES = Experiment(
    id="luo2014-examples",
    paper=LUO_2014,
    where="§4.2",
    title="What is BLANC where the response lacks or invents mentions?",
    setup=(
        "Four keys and responses with mentions that only one side has. A link is correct if both "
        "sides have it, whether it is a coreference link or a non-coreference link; links of "
        "missing and spurious mentions count on the side that has them. Shown beside the metrics: "
        "the coreference links alone (links) and the non-coreference links alone. The first key "
        "and response can be changed."
    ),
    run=_examples,
    chart=Chart("bars", x="example", x_title="key / response"),
    claims=(
        Claim(
            "The coreference link bc is correct, and so are the non-coreference links bd and cd: "
            "F = 17/35.",
            f"§4.2: {label(FIRST)}",
            _matches(FIRST),
            id="example-1",
            scope="result",
        ),
        Claim(
            "Without a shared mention BLANC is 0.",
            f"§4.2: {label(OTHERS[0])}",
            _matches(OTHERS[0]),
            id="example-2",
            scope="result",
        ),
        Claim(
            "If neither side has a coreference link, only the non-coreference links count: "
            "F = 1/3.",
            f"§4.2: {label(OTHERS[1])}",
            _matches(OTHERS[1]),
            id="example-3",
            scope="result",
        ),
        Claim(
            "If neither side has a non-coreference link, only the coreference links count: "
            "F = 1/2.",
            f"§4.2: {label(OTHERS[2])}",
            _matches(OTHERS[2]),
            id="example-4",
            scope="result",
        ),
        Claim(
            "With other mentions, a link of the key may be no link of the response at all, and the "
            "other way round: ab of the key; cf and fg of the response.",
            f"§4: {label(TWINLESS)}",
            _on_no_list,
            id="on-no-list",
            scope="result",
        ),
    ),
    parameters=toy_parameters(*FIRST),
    printed=(PRINTED,),
)

# Luo et al. 2014, §4.1: three rules for BLANC where a kind of link is missing ---------------------

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

# What is printed in the paper and does not come out -----------------------------------------------

KEY = str(TOY[0].default)  # of the worked example of that year's poster


def _rand() -> Check:
    """The Rand index of a key against itself: with |T| below the line, and as printed."""
    within, between = links(KEY)
    total = len(within | between)
    correct, below = len(within) + len(between), total * (total - 1) // 2
    numbers = (
        f"{KEY} against itself: ({len(within)} + {len(between)}) / {total} = "
        f"{correct / total:g}; as printed, with ½ · {total} · {total - 1} below the line, "
        f"{correct} / {below} = {correct / below:g}"
    )
    right = correct == below
    return Check(right, numbers, readings=(Reading("T_k as §2 defines it, of links", right),))


def _proof() -> Check:
    """|C_k ∩ T_r| and |C_k without T_r| where key and response have the same mentions."""
    within, between = links(KEY)
    shared, missing = len(within & (within | between)), len(within - (within | between))
    numbers = f"{KEY} against itself: |C_k ∩ T_r| = {shared}, |C_k \\ T_r| = {missing}"
    zero = shared == 0
    return Check(zero, numbers, readings=(Reading("C_k and T_r as §2 defines them", zero),))


ERRATA: tuple[Erratum, ...] = (
    Erratum(
        id="luo2014-equation-1",
        paper=LUO_2014,
        where="§3, equation 1",
        kind="formula",
        printed="The denominator of the Rand index is ½ |T_k| (|T_k| − 1).",
        computed="|T_k|: T_k is the set of links already, not of mentions. As printed, a response "
        "that is equal to the key does not score 1.",
        arithmetic=_rand,
        cause="The formula for the number of links of |T| mentions, put in for the links.",
    ),
    Erratum(
        id="luo2014-proof",
        paper=LUO_2014,
        where="§4, proof",
        kind="formula",
        printed="With the same mentions on both sides, |C_k ∩ T_r| = 0.",
        computed="|C_k \\ T_r| = 0: no coreference link of the key is missing in the response. "
        "|C_k ∩ T_r| is |C_k|.",
        arithmetic=_proof,
        cause="∩ in place of \\; the step before it has the right sign.",
        experiment=BOUNDARY_CASES.id,
    ),
)

OPEN_READINGS: tuple[Erratum, ...] = (
    Erratum(
        id="luo2014-proposition",
        paper=LUO_2014,
        where="§4, proposition",
        kind="statement",
        printed="With the same mentions on both sides, the new BLANC is the old one.",
        computed="By the formulas, yes; not where only the response has links of a kind. By §4.1 "
        "such a kind counts with F1 0; by Recasens & Hovy 2011, §4.1.2, the key's kind counts "
        "alone.",
        arithmetic=of_claim(BOUNDARY_CASES, "same-as-old"),
        cause="The proof is of the formulas alone, and the rules for boundary cases differ.",
        experiment=BOUNDARY_CASES.id,
        claims=("same-as-old",),
    ),
)
