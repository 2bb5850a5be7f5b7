"""Work that is done once in a process, also where several threads ask for it at the same time."""

from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock, RLock
from typing import TypeVar

Of = TypeVar("Of", bound=Hashable)
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
