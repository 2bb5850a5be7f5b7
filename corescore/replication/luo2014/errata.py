"""What is printed in the paper and does not come out."""

from corescore.bibliography import LUO_2014
from corescore.replication.erratum import Erratum, of_claim
from corescore.replication.experiment import Check
from corescore.replication.luo2014.boundaries import BOUNDARY_CASES
from corescore.replication.luo2014.links import links
from corescore.replication.pradhan2014.example import TOY
from corescore.replication.verdict import Reading

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
