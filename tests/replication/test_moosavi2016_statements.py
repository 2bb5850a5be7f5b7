"""What becomes of the statements of Moosavi & Strube 2016 on toys, and of the errata there."""

import pytest

from corescore.bibliography import MOOSAVI_2016
from corescore.replication import EXPERIMENTS
from corescore.replication.experiment import run
from corescore.replication.moosavi2016.errata_toys import ERRATA
from corescore.replication.statements import STATEMENTS, try_statements

# Those that do not hold, by how they begin
FALSE = {
    ("3.4", "BLANC suffers most"),
    ("4", "Mentions that several"),
    ("7.1, Figure 3", "BLANC is at least 20 %"),
}
NUMBERS = {
    "moosavi2016-figure1-them": "mention 16 is them1 of entity (5); mention 17 is them1 of",
    "moosavi2016-table3-blanc": "2 · 6 / (28 + 6) = 35.29; printed 32.29",
    "moosavi2016-table3-cut": "printed 92.30, rounded 92.31",
    "moosavi2016-blanc-mentions": "More precise: MUC 0.00, B³ −1.89, CEAF_e −3.96, BLANC −3.86",
    "moosavi2016-lea-repeats": "recall 33.33 with {cd} once, 50.00 with {cd} twice",
    "moosavi2016-figure2-zero": "MUC 0.00, B³ 0.00, CEAF_m 0.00, CEAF_e 0.00, BLANC 0.00",
    "moosavi2016-figure2-ceafe": "CEAF_e is 0.00 at 0 %",
    "moosavi2016-figure3-blanc": "BLANC 100.00",
    "moosavi2016-figures4-5-captions": "B³ 67.23, CEAF_e 30.00, LEA 67.23",
}


@pytest.mark.slow
def test_which_statements_on_toys_hold():
    ours = [e for e in EXPERIMENTS if e.paper is MOOSAVI_2016 and not e.on_data]
    sections = ("3.3", "3.4", "7.")
    toys = [
        s
        for s in STATEMENTS
        if s.paper is MOOSAVI_2016
        and (s.where.startswith(sections) or s.where == "4" or "repeats" in s.claims[0][0])
    ]
    assert len(toys) == 25
    tried = try_statements(toys, map(run, ours))
    verdicts = {(one.statement.where, one.statement.says): one.verdict for one in tried}
    wrong = {name for name, verdict in verdicts.items() if verdict != "holds"}
    assert {verdicts[name] for name in wrong} == {"does not hold"}
    begins = {
        (where, begin) for where, says in wrong for _, begin in FALSE if says.startswith(begin)
    }
    assert begins == FALSE
    assert len(wrong) == len(FALSE)


@pytest.mark.parametrize("erratum", ERRATA, ids=lambda erratum: erratum.id)
def test_an_erratum_is_off_and_its_arithmetic_says_how(erratum):
    check = erratum.arithmetic()
    assert check.holds is True
    assert NUMBERS[erratum.id] in check.numbers
    assert erratum.experiment in {experiment.id for experiment in EXPERIMENTS}
