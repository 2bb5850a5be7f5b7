"""What becomes of the statements of Moosavi & Strube 2016 on toys, and of the errata there."""

import pytest

from corescore.bibliography import MOOSAVI_2016
from corescore.replication import EXPERIMENTS
from corescore.replication.experiment import run
from corescore.replication.moosavi2016.errata import _OF_TOYS, _OPEN_IN_TOYS
from corescore.replication.papers import STATEMENTS, try_statements
from tests.support.experiments import DEPENDS

# Those that depend on the reading, by how they begin; all others hold
OPEN = {
    ("3.4", "BLANC suffers most"),
    ("4", "LEA discriminates more"),
    ("4", "Mentions that several"),
    ("7.1", "In the paper's experiments, CEAF_e drops"),
    ("7.1, Figure 2", "BLANC is never above"),
    ("7.1, Figure 3", "BLANC is at least 20%"),
}
NUMBERS = {
    "moosavi2016-figure1-them": "mention 16 is them1 of entity (5); mention 17 is them1 of",
    "moosavi2016-table3-blanc": "2 · 6 / (28 + 6) = 35.29; printed 32.29",
    "moosavi2016-table3-cut": "printed 92.30, rounded 92.31",
    "moosavi2016-blanc-mentions": "all mentions of the key earn BLANC 46.85",
    "moosavi2016-lea-mentions-alone": "LEA 0.00 if the key has none, 17.71 with 17 singletons",
    "moosavi2016-lea-repeats": "recall 33.33 with {cd} once, 50.00 with {cd} twice",
    "moosavi2016-figure2-blanc": "the closest, by 0.83 points",
    "moosavi2016-figure3-ceafe": "CEAF_e 25.33 at 0%, 21.83 at 20%",
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
    assert {verdicts[name] for name in wrong} == {DEPENDS}
    begins = {
        (where, begin) for where, says in wrong for _, begin in OPEN if says.startswith(begin)
    }
    assert begins == OPEN
    assert len(wrong) == len(OPEN)


@pytest.mark.parametrize("erratum", [*_OF_TOYS, *_OPEN_IN_TOYS], ids=lambda erratum: erratum.id)
def test_the_arithmetic_of_a_place_says_how_it_is_off(erratum):
    check = erratum.arithmetic()
    assert NUMBERS[erratum.id] in check.numbers
    assert erratum.experiment in {experiment.id for experiment in EXPERIMENTS}
