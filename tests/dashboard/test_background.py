"""What is computed in the background: when, in which order, and that pages find it."""

import gc
from threading import Event, Thread
from weakref import finalize

import pytest

from corescore import PolicyError
from corescore.analysis.error_table import table
from corescore.counting.policies import Policies
from corescore.replication import EXPERIMENTS
from corescore.replication.experiment import in_paper
from dashboard import ahead
from dashboard.session import analyses, scoring
from dashboard.session import files as sources
from dashboard.session.background import Background
from dashboard.views import perturb_steps
from dashboard.views import two_systems_shown as compared
from tests.support.pages import KEY, RESPONSE, give, html, run


class Ended(BaseException):
    """Ends the work, which otherwise never does."""


def end():
    raise Ended


def test_the_steps_are_computed_one_after_the_other():
    done = []
    work = [lambda: done.append(1), lambda: done.append(2), end]
    worker = Background(lambda loaded: iter([lambda: done.append(loaded), *work]))
    worker.want("one")
    with pytest.raises(Ended):
        worker.work()
    assert done == ["one", 1, 2]


def test_what_cannot_be_computed_is_left_to_the_page_to_say():
    def fail():
        raise PolicyError("repeats")

    done = []
    worker = Background(lambda _: iter([fail, lambda: done.append(1), end]))
    worker.want("one")
    with pytest.raises(Ended):
        worker.work()
    assert done == [1]


def test_what_fails_is_said_on_standard_error_and_the_next_step_is_computed(capsys):
    def fail():
        raise MemoryError

    def break_():
        raise OSError(28, "No space left on device")

    done = []
    worker = Background(lambda _: iter([fail, break_, lambda: done.append(1), end]))
    worker.want("one")
    with pytest.raises(Ended):
        worker.work()
    assert done == [1]
    said = capsys.readouterr().err.splitlines()
    first, second = (line for line in said if line.startswith("corescore dashboard"))
    assert "failed: not enough memory" in first
    assert "OSError: [Errno 28] No space left on device" in second


def test_what_was_loaded_last_comes_first():
    done = []

    def of(loaded):
        if loaded == "new":
            return iter([lambda: done.append("new"), end])
        return iter(
            [lambda: done.append("old"), lambda: worker.want("new"), lambda: done.append(3)]
        )

    worker = Background(of)
    worker.want("old")
    with pytest.raises(Ended):
        worker.work()
    assert done == ["old", "new"]


def test_nothing_is_begun_while_a_page_is_drawn_and_it_goes_on_after_the_last():
    done, ended = [], Event()

    def last():
        ended.set()
        raise Ended

    def work():
        with pytest.raises(Ended):
            worker.work()

    worker = Background(lambda _: iter([lambda: done.append(1), last]))
    thread = Thread(target=work)
    with worker.drawing():
        with worker.drawing():
            worker.want("one")
            thread.start()
        assert not ended.wait(0.2)
        assert not done
    thread.join()
    assert done == [1]


def test_a_page_that_fails_does_not_hold_the_work_up():
    worker = Background(lambda _: iter([end]))
    with pytest.raises(ZeroDivisionError), worker.drawing():
        raise ZeroDivisionError
    worker.want("one")
    with pytest.raises(Ended):
        worker.work()


@pytest.mark.slow
def test_every_page_asks_for_what_it_has_loaded(monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_conll=KEY, response_conll=RESPONSE)
    wanted = []
    monkeypatch.setattr(ahead.background, "want", wanted.append)
    app = run(view="errors")
    assert not app.exception
    assert [system.name for system in wanted[-1].systems] == ["response"]


def test_pages_find_the_errors_that_were_computed_and_do_not_compute_them_again(
    monkeypatch, tmp_path
):
    give(monkeypatch, tmp_path, key_conll=KEY, response_conll=RESPONSE)
    files = sources.given_files()
    computed = []

    def counting(result):
        computed.append(result)
        return every_error(result)

    every_error = table.every_error
    monkeypatch.setattr(table, "every_error", counting)
    loaded = scoring.load(files, files.responses, Policies())
    for step in ahead.steps(loaded):
        if step.func in vars(analyses).values():
            step()
    assert len(computed) == 1
    assert not run(view="errors").exception
    assert len(computed) == 1


def test_perturb_opens_with_what_was_computed_for_both_systems(monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_conll=KEY, a_conll=RESPONSE, b_conll=RESPONSE)
    files = sources.given_files()
    loaded = scoring.load(files, files.responses, Policies())
    for step in perturb_steps.at_first(loaded):
        step()
    monkeypatch.setattr(perturb_steps, "perturb", None)  # cannot be done
    for letter in ("A: a", "B: b"):
        app = run(view="perturb", seeds="1", of=letter)
        assert not app.exception
        assert f"{letter[0]} ({letter[-1]}) still has 1 mention" in html(app)


def test_two_systems_opens_with_the_evidence_that_was_weighed(monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_conll=KEY, a_conll=RESPONSE, b_conll=RESPONSE)
    files = sources.given_files()
    loaded = scoring.load(files, files.responses, Policies())
    for step in compared.at_first(loaded):
        step()
    monkeypatch.setattr(compared, "weigh", None)  # cannot be done
    app = run(view="compare", parts=["argument"])
    assert not app.exception
    assert any("Comparable?" in box.label for box in app.expander)
    alone = scoring.load(files, files.responses[:1], Policies())
    assert not [*compared.at_first(alone)]


def test_nothing_is_perturbed_ahead_that_the_page_would_refuse(monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_conll=KEY, response_conll=RESPONSE)
    files = sources.given_files()
    assert not [
        *perturb_steps.at_first(scoring.load(files, files.responses, Policies(repeats="all")))
    ]


def test_every_experiment_without_data_is_among_the_steps(monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_conll=KEY, response_conll=RESPONSE)
    files = sources.given_files()
    steps = ahead.steps(scoring.load(files, files.responses, Policies()))
    prepared = [step.args[0] for step in steps if step.func is in_paper]
    assert prepared == [one for one in EXPERIMENTS if not one.on_data]


class Circle:
    """Refers to itself: only the collector of garbage frees it."""

    def __init__(self):
        self.me = self


def test_what_pages_leave_behind_is_freed_once_nobody_waits_for_one():
    collected = Event()
    worker = Background(lambda _: iter([end]), rest=0.01)

    def work():
        with pytest.raises(Ended):
            worker.work()

    gc.disable()
    try:
        left = Circle()
        finalize(left, collected.set)
        thread = Thread(target=work)
        thread.start()
        del left
        assert collected.wait(60)
    finally:
        gc.enable()
    worker.want("one")
    thread.join()
