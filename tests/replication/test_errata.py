"""Every erratum is worked out, and every figure that differs when recomputed is on a list."""

from collections import Counter

import pytest

from corescore.replication import EXPERIMENTS
from corescore.replication.erratum import KINDS
from corescore.replication.experiment import in_paper
from corescore.replication.papers import ERRATA, OPEN_READINGS, errata_table

EVERY = (*ERRATA, *OPEN_READINGS)
BY_ID = {experiment.id: experiment for experiment in EXPERIMENTS}


def by_id(erratum):
    return erratum.id


def differing(experiment):
    """The printed figures that differ when recomputed in the default setting."""
    outcome = in_paper(experiment)
    for printed in experiment.printed:
        for row in outcome.beside(printed).query("differs").to_dict("records"):
            yield (*(row[name] for name in printed.on), row["figure"])


@pytest.mark.parametrize("erratum", EVERY, ids=by_id)
def test_each_place_is_worked_out_and_explained(erratum):
    check = erratum.arithmetic()
    assert check.numbers
    assert erratum.cause
    assert erratum.printed != erratum.computed


def test_every_erratum_has_a_name_of_its_own_a_kind_and_an_experiment_that_there_is():
    assert max(Counter(map(by_id, EVERY)).values()) == 1
    assert {erratum.kind for erratum in EVERY} <= set(KINDS)
    assert {erratum.experiment for erratum in EVERY} <= {"", *BY_ID}


def test_the_table_has_a_row_for_each_with_its_arithmetic():
    table = errata_table(EVERY)
    assert table["id"].tolist() == [erratum.id for erratum in EVERY]
    assert table["is_off"].tolist() == [True] * len(ERRATA) + [False] * len(OPEN_READINGS)
    assert table["arithmetic"].str.len().min() > 0


@pytest.mark.parametrize(
    "experiment", [one for one in EXPERIMENTS if one.printed and not one.on_data], ids=by_id
)
def test_each_figure_that_differs_when_recomputed_is_on_the_list(experiment):
    off = set(differing(experiment))
    errata = [erratum for erratum in EVERY if erratum.experiment == experiment.id]
    assert {cell for erratum in errata for cell in erratum.cells} == off


def test_an_experiment_on_data_has_no_cell_on_the_list():
    on_data = {experiment.id for experiment in EXPERIMENTS if experiment.on_data}
    assert not [one.id for one in EVERY if one.cells and one.experiment in on_data]


@pytest.mark.parametrize(
    ("experiment", "printed"),
    [
        pytest.param(one, printed, id=f"{one.id} {printed.where}")
        for one in EXPERIMENTS
        for printed in one.printed
    ],
)
def test_no_row_of_a_printed_table_is_there_twice(experiment, printed):
    assert not printed.cells.duplicated([*printed.on]).any()
