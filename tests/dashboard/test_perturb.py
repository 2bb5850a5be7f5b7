"""What the Perturb page begins with, and the sweeps that run beside it."""

import time
from functools import partial

import pytest

from corescore import score
from corescore.analysis.perturbation import PERTURBATIONS, parse_perturbation, perturb
from corescore.analysis.perturbation.sweep import Sweep
from corescore.corpus.files import read_bytes
from corescore.metrics import METRIC_IDS
from dashboard.session import files as sources
from dashboard.views.perturb import Complete, Job
from dashboard.views.perturb_steps import starting
from tests.support.pages import html, run


@pytest.fixture(scope="module")
def sample():
    files = sources.sample_files()
    return tuple(read_bytes(f.data, f.name) for f in (files.key, *files.responses))


@pytest.mark.parametrize("kind", sorted({*PERTURBATIONS} - {"singletons", "one-entity"}))
def test_a_step_begins_where_something_is_to_be_seen(kind, sample):
    key, response, *_ = sample
    before = score(key, response)
    after = score(key, perturb(key, response, [starting(kind)], seed=1))
    assert all(after[metric].f1 > 0 for metric in METRIC_IDS)
    assert all(abs(after[metric].f1 - before[metric].f1) > 0.001 for metric in ("bcub", "lea"))


def test_a_sweep_beside_the_page_makes_all_its_runs_and_can_be_stopped(sample):
    sweep = dropping(sample, doses=(0.0, 1.0), seeds=(1, 2))
    job = Job(sweep)
    wait_until(lambda: job.is_done)
    assert job.share == 1
    curve = job.curves("f1").set_index(["dose", "metric"])["mean"]
    assert curve[0.0, "lea"] == pytest.approx(sweep.result["lea"].f1)
    assert curve[1.0, "lea"] == 0  # nothing is left
    long = Job(endless(sample))
    long.stop()
    wait_until(lambda: long.is_done)
    assert long.share < 1


def test_a_sweep_that_is_complete_is_not_made_again_in_another_session(sample):
    sweep = dropping(sample, doses=(0.5,), seeds=(1, 2))
    complete = Complete(most=1)
    first = Job(sweep, complete.get(("one",)), on_done=partial(complete.keep, ("one",)))
    wait_until(lambda: first.is_done)
    again = Job(None, complete.get(("one",)))  # nothing that could be swept
    wait_until(lambda: again.is_done)
    assert again.runs == first.runs
    assert [run.seed for run in again.runs] == [1, 2]
    complete.keep(("two",), first.runs)
    assert not complete.get(("one",))


@pytest.mark.slow
def test_a_sweep_that_was_stopped_is_not_taken_for_complete(sample):
    complete = Complete()
    job = Job(endless(sample), on_done=partial(complete.keep, ("long",)))
    job.stop()
    wait_until(lambda: job.is_done)
    assert not complete.get(("long",))


def dropping(sample, *, doses, seeds):
    key, response, *_ = sample
    drop = parse_perturbation("drop")
    return Sweep(result=score(key, response), perturbation=drop, doses=doses, seeds=seeds)


def endless(sample):
    return dropping(sample, doses=(0.5,), seeds=range(1, 10**6))


def wait_until(holds):
    deadline = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.slow
def test_a_sweep_whose_browser_is_gone_stops(sample):
    there = [True, True, False]
    job = Job(endless(sample), is_wanted=lambda: there.pop(0))
    wait_until(lambda: job.is_done)
    assert (len(job.runs), job.is_left) == (2, True)


def failing(sample, *, after):
    """A sweep that fails after so many runs."""
    sweep = dropping(sample, doses=(0.0, 1.0), seeds=tuple(range(1, 6)))

    class Failing(Sweep):
        def __iter__(self):
            for _, made in zip(range(after), sweep, strict=False):
                yield made
            raise MemoryError

    return Failing(**vars(sweep))


@pytest.mark.slow
def test_a_sweep_that_fails_says_so_and_why(sample, monkeypatch, capfd):
    complete = Complete()
    job = Job(failing(sample, after=2), on_done=partial(complete.keep, ("it",)))
    wait_until(lambda: job.is_done)
    assert job.failure == "not enough memory"
    assert (job.said, complete.get(("it",))) == ("2 of 10 runs", ())
    assert "failed: not enough memory" in capfd.readouterr().err

    made = failing(sample, after=2)
    monkeypatch.setattr("dashboard.views.perturb._sweep", lambda *_: made)
    monkeypatch.setattr("dashboard.views.perturb._complete", Complete())
    app = run(view="perturb")
    wait_until(lambda: app.session_state["sweep"].job.is_done)
    app.run()
    assert "failed after 2 of 10 runs (not enough memory)" in html(app)
    assert "stopped" not in html(app)
    failed = app.session_state["sweep"].job
    next(one for one in app.button if one.label == "Try again").click().run()
    assert app.session_state["sweep"].job is not failed
