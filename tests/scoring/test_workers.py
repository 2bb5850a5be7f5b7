"""Work of several processes: in order, with its errors, and no process outlives it."""

import os
import signal
import subprocess
import sys
from itertools import count, islice
from multiprocessing import active_children

import pytest

from corescore import InputError
from corescore.corpus.problems import Problem
from corescore.scoring.run import WAITING, in_processes

pytestmark = pytest.mark.slow


def process_of(task):
    return task, os.getpid()


def refuse(task):
    raise InputError([Problem("key.conll", task, "a", "b", "c")], more=task)


def kill(task):
    os.kill(os.getpid(), signal.SIGKILL)


def test_one_process_is_this_one():
    assert [*in_processes(process_of, range(3), 1)] == [(task, os.getpid()) for task in range(3)]


def test_results_come_in_the_order_of_the_tasks_and_no_more_is_made_than_waits():
    made = count()
    results = in_processes(process_of, made, 2)
    first = [*islice(results, 6)]
    assert [task for task, _ in first] == [*range(6)]
    assert os.getpid() not in {pid for _, pid in first}
    assert next(made) <= 6 + 2 * WAITING
    results.close()
    assert active_children() == []


def test_an_error_comes_back_as_it_was():
    with pytest.raises(InputError) as raised:
        [*in_processes(refuse, [7], 2)]
    assert str(raised.value) == "key.conll:7: a; expected b. c\n… and 7 more"
    assert active_children() == []


def test_a_process_that_is_killed_is_told():
    with pytest.raises(InputError, match="--workers 2: a process that ended before its work"):
        [*in_processes(kill, [1], 2)]


def held_back(task):
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals are not held back")
def test_a_process_gets_no_ctrl_c_from_its_very_start_and_the_first_one_does():
    assert [*in_processes(held_back, [0], 2)] == [True]
    assert not held_back(0)


def test_processes_end_when_the_first_is_killed():
    """They hold the pipe that is read here: it ends with the last of them."""
    script = (
        "import os, signal\n"
        "from itertools import count\n"
        "from tests.scoring.test_workers import process_of\n"
        "from corescore.scoring.run import in_processes\n"
        "if __name__ == '__main__':\n"
        "    results = in_processes(process_of, count(), 2)\n"
        "    print(next(results), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert answer.returncode == -signal.SIGKILL
    assert answer.stdout.startswith("(0, ")
