"""What does not come out in Tables 1 and 4 of the paper, and in what its text says of them."""

from functools import partial

from corescore.bibliography import MOOSAVI_2016
from corescore.replication.claims import told_by
from corescore.replication.erratum import Erratum
from corescore.replication.moosavi2016 import table1_checks, table4_checks
from corescore.replication.moosavi2016.table4 import PRINTED as TABLE_4

ERRATA: tuple[Erratum, ...] = (
    Erratum(
        id="moosavi2016-table1-less-precise-b",
        paper=MOOSAVI_2016,
        where="Table 1, Less precise (b), and §2",
        kind="figure",
        printed="“the new entities are larger but their number is smaller”",
        computed="By the scores of the row about 2,429 entities are added, with about 284 links "
        "among them: 283 or 284 pairs and about 2,146 singletons.",
        arithmetic=table1_checks.row_b,
        cause="Perhaps only one link of each of the 283 entities came into the output that was "
        "scored, so that its other mentions became singletons.",
        experiment="moosavi2016-table1",
        claims=("count-less-b",),
    ),
    Erratum(
        id="moosavi2016-table4-peng",
        paper=MOOSAVI_2016,
        where="§6, Table 4",
        kind="statement",
        printed="“Peng’s precision is marginally better than recall”",
        computed="By LEA its precision is 58.97 and its recall 51.91: 7.06 points apart.",
        arithmetic=told_by(TABLE_4, table4_checks.peng_is_precise),
        cause="Probably another word was meant, such as markedly: the sentence sets LEA off from "
        "CEAF_e, whose recall and precision it calls similar.",
        experiment="moosavi2016-table4",
        claims=("peng-precision",),
    ),
)
OPEN_READINGS: tuple[Erratum, ...] = (
    Erratum(
        id="moosavi2016-table1-ceafe-of-b",
        paper=MOOSAVI_2016,
        where="§2, on Table 1",
        kind="statement",
        printed="“scores improve significantly over those of Base”",
        computed="F1 of CEAF_e is 57.05 for Base and 56.51 for Less precise (b); all other F1, all "
        "recall and every score of Less precise (a) rise.",
        arithmetic=partial(table1_checks.scores_rise_in_print, table1_checks.LESS_B),
        cause="Scores may be recall, of which the sentence before speaks. That output has many "
        "singletons, which lower precision of CEAF_e by almost as much as they raise recall.",
        experiment="moosavi2016-table1",
        claims=("f1-less-b",),
    ),
    Erratum(
        id="moosavi2016-single-entity",
        paper=MOOSAVI_2016,
        where="§3.1",
        kind="statement",
        printed="With all mentions of the key in a single response entity, MUC has a precision of "
        "78.44 and an F1 of 87.91.",
        computed="With one entity in all, a precision of 77.07 and an F1 of 87.05.",
        arithmetic=table4_checks.parts_in_print,
        cause="The scorer goes part by part, so that each part has an entity of its own, and cuts "
        "percentages. The paper counts 348 parts; two may have no mention: the boundary systems of "
        "Table 4 fit 346, too.",
        experiment="moosavi2016-table4",
        claims=("key-1ent-parts",),
    ),
)
