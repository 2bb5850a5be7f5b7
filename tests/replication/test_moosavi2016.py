"""The experiments of Moosavi & Strube 2016 on data: Tables 1 and 4."""

import pytest

from corescore import PolicyError, read
from corescore.metrics import METRICS
from corescore.metrics.diagnostics import MENTIONS
from corescore.metrics.lea import LEA
from corescore.replication.experiment import run
from corescore.replication.moosavi2016.table1 import COUNTS
from corescore.util import bundled
from tests.support.experiments import BY_ID
from tests.support.strategies import corpora_of

ON_DATA = ["moosavi2016-table1", "moosavi2016-table4"]
RESPONSES = ("cautious", "greedy")
FOLDER = bundled("sample_data")


@pytest.fixture(scope="module", params=RESPONSES)
def on_data(request):
    key, response = (read(FOLDER / f"{name}.conll") for name in ("key", request.param))
    made = {
        name: run(BY_ID[name], BY_ID[name].setting(key=key, response=response)) for name in ON_DATA
    }
    return key, response, made


# Table 1 and Table 4 ------------------------------------------------------------------------------


def test_the_effect_shows_on_the_sample_data(on_data):
    _, _, made = on_data
    holds = {claim.id: check.holds for claim, check in made["moosavi2016-table1"].checks}
    assert [holds[f"recall-{of}"] for of in ("more", "less-a", "less-b")] == [True] * 3


def test_more_precise_is_without_the_incorrectly_resolved(on_data):
    _, _, made = on_data
    systems = (
        made["moosavi2016-table1"]
        .table.groupby("system")[["mentions", "incorrectly_resolved"]]
        .first()
    )
    base, more = systems.loc["Base"], systems.loc["More precise"]
    assert base["incorrectly_resolved"] > 0
    assert more["incorrectly_resolved"] == 0
    assert more["mentions"] == base["mentions"] - base["incorrectly_resolved"]


def test_table_1_can_leave_singletons_of_the_key_alone():
    """0 is alone in the key and goes by default; the missing 3, 4 and 5 make one wrong pair,
    without 3, which is alone there, none."""
    key, response = corpora_of([([{0}, {1, 2}, {3}, {4, 5}], [{0, 1}, {2}])])
    table_1, sizes, says = BY_ID["moosavi2016-table1"], {}, {}
    for incorrect in ("all", "linked"):
        setting = table_1.setting({"incorrect": incorrect}, key=key, response=response)
        made = run(table_1, setting)
        says[incorrect] = made.by_claim["recall-more"].numbers
        table = made.table.groupby("system").first()
        sizes[incorrect] = {
            "wrong": table.loc["Base", ["incorrectly_resolved", "incorrect_singletons"]].tolist(),
            "more": table.loc["More precise", "mentions"],
            "added": table.loc["Less precise (a)", "added_entities"],
        }
    assert sizes["all"] == {"wrong": [2, 1], "more": 1, "added": 1}
    assert sizes["linked"] == {"wrong": [1, 0], "more": 2, "added": 0}
    assert says["all"].startswith("2 incorrectly resolved mentions removed, of which 1 is")
    assert says["linked"].startswith("1 incorrectly resolved mention removed;")
    with pytest.raises(PolicyError, match="'none'; expected one of: all, linked"):
        table_1.setting({"incorrect": "none"}, key=key, response=response)


def test_less_precise_adds_as_many_entities_as_fit(on_data):
    key, response, made = on_data
    pairs = groups = 0
    for document in key:
        there = {*response[document.name].mentions}
        left = [sum(m not in there for m in entity) for entity in document.entities]
        n, most = sum(left), max(left)
        pairs += min(n // 2, n - most)
        groups += sorted(left)[-2]  # so many turns have two entities or more to take from
    added = made["moosavi2016-table1"].table.groupby("system")["added_entities"].first()
    of_pairs_and_singletons = added.pop("Less precise (b), as printed")
    assert added.to_dict() == {
        "Base": 0,
        "More precise": 0,
        "Less precise (a)": pairs,
        "Less precise (b)": groups,
    }
    assert of_pairs_and_singletons >= groups


def test_published_counts_stand_beside_and_are_the_papers_own():
    published = COUNTS.numbers
    assert dict(zip(published["system"], published["removed_or_added"], strict=True)) == {
        "More precise": 1075,
        "Less precise (a)": 1350,
        "Less precise (b)": 283,
    }


@pytest.mark.slow
def test_another_seed_adds_other_entities_of_the_same_number(on_data):
    key, response, made = on_data
    experiment, first = BY_ID["moosavi2016-table1"], made["moosavi2016-table1"].table
    setting = experiment.setting({"seed": 2}, key=key, response=response)
    second = experiment.run(setting)
    assert (second["added_entities"] == first["added_entities"]).all()
    assert not second.equals(first)
    assert experiment.run(setting).equals(second)


def test_an_output_without_an_error_has_nothing_to_remove_or_to_add():
    key = read(FOLDER / "key.conll")
    experiment = BY_ID["moosavi2016-table1"]
    outcome = run(experiment, experiment.setting(key=key, response=key))
    told = {claim for claim, check in outcome.by_claim.items() if check.holds is not None}
    assert told == {"consistent"}  # F1 is the harmonic mean, whatever is scored


@pytest.mark.slow
@pytest.mark.parametrize("name", ON_DATA)
def test_experiments_on_data_score_what_they_are_given(name, on_data):
    key, response, _ = on_data
    experiment = BY_ID[name]
    for metrics in ((LEA,), (*METRICS, MENTIONS)):
        outcome = run(experiment, experiment.setting(metrics=metrics, key=key, response=response))
        conll = {"conll"} if len(metrics) > 1 else set()
        assert set(outcome.table["metric"]) == {metric.id for metric in metrics} | conll


@pytest.mark.parametrize("name", ON_DATA)
def test_experiments_on_data_ask_for_data(name):
    with pytest.raises(PolicyError, match="expected a key and a response"):
        BY_ID[name].setting()
