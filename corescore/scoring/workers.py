"""Work on several processors: the same function for each task, in processes, results in order."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context, parent_process
from threading import Thread, current_thread, main_thread
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
    """A task for the pool. Where it starts processes, these inherit that Ctrl+C is held back, so
    that they get none while they still import."""
    with _ctrl_c_held_back():
        return pool.submit(_do, task)


@contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """Ctrl+C comes after what is done here: a process that is not told all it needs would say so.

    To block the signal is not enough: another thread, such as one of the linear algebra, takes it,
    and Python tells the main thread, the only one that it interrupts.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    came: list[int] = []
    is_main = current_thread() is main_thread()
    handler = signal.signal(signal.SIGINT, lambda n, _: came.append(n)) if is_main else None
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if handler is not None:
            signal.signal(signal.SIGINT, handler)
    if came:
        signal.raise_signal(signal.SIGINT)


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
