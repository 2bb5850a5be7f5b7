"""Work on several processors: the same function for each task, in processes, results in order."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, TypeVar

from corescore.corpus.problems import InputError, Problem

Task = TypeVar("Task")
Made = TypeVar("Made")
_held: list[Callable[[Any], Any]] = []  # in a process of its own: what it does with each task
WAITING = 2  # tasks a process that are made ahead: enough that none is idle, few enough for memory


def in_processes(work: Callable[[Task], Made], tasks: Iterable[Task], n: int) -> Iterator[Made]:
    """`work` of each task, in the order of the tasks, by `n` processes; by none of its own for 1.

    Function, tasks and results are pickled, the function once a process. Processes are started anew
    (not forked), so that all systems do the same, and end with this generator, however it ends.
    Raises what `work` raises; InputError if a process is killed.
    """
    if n == 1:
        yield from map(work, tasks)
        return
    given = iter(tasks)
    pool = ProcessPoolExecutor(n, get_context("spawn"), _begin, (work,))
    try:
        running = deque(_submitted(pool, task) for task in islice(given, WAITING * n))
        while running:
            made = running.popleft().result()
            running.extend(_submitted(pool, task) for task in islice(given, 1))
            yield made
    except BrokenProcessPool as error:
        found = "a process that ended before its work, perhaps killed for want of memory"
        problem = Problem(f"--workers {n}", 0, found, "one that finishes", "Use fewer workers.")
        raise InputError([problem]) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _submitted(pool: ProcessPoolExecutor, task: Any) -> Future[Any]:
    """A task for the pool. A process that it starts inherits that Ctrl+C is held back, so that it
    gets none while it still imports; ours comes as soon as the task is given."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        return pool.submit(_do, task)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(_do, task)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(work: Callable[[Any], Any]) -> None:
    """In a new process: leave Ctrl+C to the first process, and end with it."""
    _held.append(work)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _do(task: Any) -> Any:
    return _held[0](task)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
