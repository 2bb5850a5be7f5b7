"""What does not come out in Tables 1 and 4 of the paper, and in what its text says of them."""

from corescore.bibliography import MOOSAVI_2016
from corescore.replication.erratum import Erratum
from corescore.replication.moosavi2016 import table1_checks, table4_checks

ERRATA: tuple[Erratum, ...] = (
    Erratum(
        id="moosavi2016-table1-less-precise-b",
        paper=MOOSAVI_2016,
        where="Table 1, Less precise (b), and §2",
        kind="figure",
        printed="The scores are of an output with 283 more wrong entities, larger than pairs.",
        computed="By these scores about 2,429 entities are added, with about 284 links among them: "
        "283 or 284 pairs and about 2,146 singletons.",
        arithmetic=table1_checks.row_b_is_off,
        cause="Perhaps only one link of each of the 283 entities came into the output that was "
        "scored, so that its other mentions became singletons.",
        experiment="moosavi2016-table1",
    ),
    Erratum(
        id="moosavi2016-table1-ceafe-of-b",
        paper=MOOSAVI_2016,
        where="§2, on Table 1",
        kind="statement",
        printed="The scores of B³, CEAF and BLANC rise when wrong entities are added.",
        computed="F1 of CEAF_e is 57.05 for Base and 56.51 for Less precise (b); all others rise.",
        arithmetic=table1_checks.f1_of_b_is_off,
        cause="The statement may be of (a) alone, or of recall. That output has many singletons, "
        "which lower precision of CEAF_e by almost as much as they raise recall.",
        experiment="moosavi2016-table1",
    ),
    Erratum(
        id="moosavi2016-single-entity",
        paper=MOOSAVI_2016,
        where="§3.1",
        kind="statement",
        printed="MUC has a precision of 78.44 and an F1 of 87.91 if all mentions of the key are in "
        "a single response entity.",
        computed="A precision of 77.07 and an F1 of 87.05; what is printed fits one entity for "
        "each of 346 parts, both numbers cut.",
        arithmetic=table4_checks.one_entity_is_off,
        cause="The scorer goes part by part, so that each part has an entity of its own. The paper "
        "counts 348 parts; two of them may have no mention.",
        experiment="moosavi2016-table4",
    ),
)
