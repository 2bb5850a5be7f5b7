"""What holds for all experiments: their names, and the names of their claims."""

from collections import Counter

import pytest

from corescore.replication import EXPERIMENTS


def test_no_two_experiments_have_or_had_the_same_name():
    names = Counter(name for one in EXPERIMENTS for name in (one.id, *one.former))
    assert max(names.values()) == 1


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda experiment: experiment.id)
def test_each_claim_of_an_experiment_has_an_id_of_its_own(experiment):
    ids = [claim.id for claim in experiment.claims]
    assert all(ids)
    assert len(set(ids)) == len(ids)
