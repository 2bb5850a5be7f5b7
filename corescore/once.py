"""Work that is done once in a process, also where several threads ask for it at the same time."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import wraps
from threading import Lock, RLock
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

Of = TypeVar("Of", bound=Hashable)
Given = TypeVar("Given", bound=Hashable)
Made = TypeVar("Made")


def once(work: Callable[[Of], Made]) -> Callable[[Of], Made]:
    """`work`, done once for each argument: whoever asks meanwhile waits. Errors are not kept."""
    made: dict[Of, Made] = {}
    under_way: dict[Of, RLock] = {}
    changing = Lock()

    @wraps(work)
    def one(of: Of) -> Made:
        with changing:
            doing = under_way.setdefault(of, RLock())
        with doing:
            if of not in made:
                made[of] = work(of)
            return made[of]

    return one


@dataclass
class _Kept(Generic[Given, Made]):
    """What was made of an object, by what else was given; the lock is held while it is made."""

    making: RLock = field(default_factory=RLock)
    made: dict[Given, Made] = field(default_factory=dict)


def once_of(work: Callable[[Of, Given], Made]) -> Callable[[Of, Given], Made]:
    """`work`, done once for an object and what else is given: forgotten when the object is.

    What is made must not hold the object, which would then never be forgotten.
    """
    kept: WeakKeyDictionary[Of, _Kept[Given, Made]] = WeakKeyDictionary()
    changing = Lock()

    @wraps(work)
    def one(of: Of, given: Given) -> Made:
        with changing:
            known = kept.setdefault(of, _Kept())
        with known.making:
            if given not in known.made:
                known.made[given] = work(of, given)
            return known.made[given]

    return one
