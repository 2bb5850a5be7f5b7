"""Many systems in sentences: who is first, and who can be told apart."""

from dataclasses import replace

import pytest

from corescore.analysis.systems.many import groups
from corescore.analysis.systems.many import ranking as rank
from corescore.sentences import many as standings
from corescore.wording import share
from tests.support.samples import damaged_results


@pytest.fixture
def results():
    return damaged_results()


def test_the_sentences_say_who_is_first_and_where_metrics_part(results):
    found = rank(results, trials=200)
    said = standings.first(found.table, found, "lea")
    first = share(found.table.query("metric == 'lea'")["first"].max())
    assert said.startswith("Of 4 responses, r1 is first by all six")
    assert said.endswith(f"by LEA in {first} of 200 resamples.")
    n = found.opposed.loc["lea", "conll"]
    but = f"all but {n} of" if n else "all"
    assert standings.agreement(found).startswith(
        f"LEA and the CoNLL average rank {but} 6 pairs the same way"
    )


def test_all_that_are_first_most_often_are_named(results):
    found = rank({"one": results["r1"], "other": results["r1"], "third": results["r4"]}, trials=20)
    said = standings.first(found.table, found, "muc")
    assert said.startswith("Of 3 responses, one and other are each first by all six; by MUC")


def test_responses_that_are_equal_are_first_together(results):
    twins = {"one": results["r1"], "other": results["r1"], "third": results["r4"]}
    found = rank(twins, trials=20)
    assert "one and other tie for first" in standings.first(found.table, found, "muc")


def test_letters_are_shared_by_those_in_one_group(results):
    found = groups(results, "lea", trials=300)
    letters = standings.letters(found)
    for one in found.responses:
        for other in found.responses:
            together = any({one, other} <= set(group) for group in found.groups)
            assert bool(set(letters[one].split()) & set(letters[other].split())) == together


def test_the_note_says_who_can_be_told_apart(results):
    pair = {name: results[name] for name in ("r1", "r4")}
    assert standings.apart(groups(pair, "lea", trials=300)).startswith("All responses differ")
    twins = {"one": results["r1"], "other": results["r1"]}
    said = standings.apart(groups(twins, "lea", trials=300))
    assert said.startswith("No two responses differ")
    assert "300 exchanges, p ≥ 0.05 after Holm’s correction over 1 pair" in said
    three = groups({**twins, "third": results["r4"]}, "lea", trials=300)
    assert standings.apart(three).startswith(
        "Responses sharing a letter do not differ significantly; all others do."
    )
    crossing = replace(three, groups=tuple((name,) for name in three.responses))
    assert "Neither does 1 pair without a common letter, such as one" in standings.apart(crossing)
