"""Work that is done once, whoever asks for it."""

import gc
from threading import Barrier, Thread
from weakref import ref

import pytest

from corescore.util import once, once_of


def test_threads_that_ask_at_the_same_time_get_what_was_made_once():
    n_threads, made, got = 8, [], []
    together = Barrier(n_threads)

    @once
    def doubled(number):
        made.append(number)
        return [2 * number]

    def ask():
        together.wait()
        got.append(doubled(7))

    threads = [Thread(target=ask) for _ in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [7]
    assert got == [[14]] * n_threads
    assert len({id(one) for one in got}) == 1


def test_who_asks_for_what_is_under_way_waits_for_it_and_others_do_not():
    begun, may_end = Barrier(2), Barrier(2)
    made = []

    @once
    def noted(name):
        if name == "slow":
            begun.wait()
            may_end.wait()
        made.append(name)
        return name

    slow, also_slow = (Thread(target=noted, args=["slow"]) for _ in range(2))
    slow.start()
    begun.wait()
    also_slow.start()
    assert noted("quick") == "quick"
    assert made == ["quick"]
    may_end.wait()
    slow.join()
    also_slow.join()
    assert made == ["quick", "slow"]


def test_what_failed_is_tried_again():
    tried = []

    @once
    def second_time(of):
        tried.append(of)
        if len(tried) == 1:
            raise ValueError(of)
        return of

    with pytest.raises(ValueError, match="x"):
        second_time("x")
    assert second_time("x") == "x"
    assert second_time("x") == "x"
    assert tried == ["x", "x"]


def test_work_may_ask_for_other_work_and_for_itself_on_something_else():
    @once
    def factorial(n):
        return n * factorial(n - 1) if n else 1

    assert factorial(5) == 120


class Thing:
    """Known by what it is, not by what it is like."""


def test_what_was_made_of_an_object_is_made_once_for_all_that_is_given():
    made = []

    @once_of
    def times(thing, given):
        made.append(given)
        return [given]

    one, other = Thing(), Thing()
    assert times(one, 2) is times(one, 2)
    assert times(one, 3) == [3]
    assert times(other, 2) is not times(one, 2)
    assert made == [2, 3, 2]


def test_what_was_made_of_an_object_is_forgotten_with_it():
    @once_of
    def of(thing, given):
        return Thing()

    thing = Thing()
    made = ref(of(thing, 1))
    gc.collect()
    assert made() is not None
    del thing
    gc.collect()
    assert made() is None
