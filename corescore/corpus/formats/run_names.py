"""Several runs of one system, told by the names of their files."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from corescore.corpus.problems import PolicyError

# `.run1` or `.seed42`, also one after the other, before another ending or at the end of the name
_RUN = re.compile(r"((?:\.(?:run|seed)[0-9]+)+)(?=\.|$)", re.IGNORECASE)


def run_of(path: str) -> tuple[str, str] | None:
    """The system and the run that a file or folder is named after; None if it is named after none.

    A run is `.runN` or `.seedN` in the name, upper or lower case; the system is what stands before
    it, with the folder: `out/a.run1.conll.gz` is run1 of `out/a`. What comes after it, such as the
    endings of a format and of compression, does not matter.
    """
    place = Path(path)
    found = _RUN.search(place.name)
    if found is None or not found.start():
        return None
    return str(place.parent / place.name[: found.start()]), found[1][1:].lower()


def is_run_of_same(path: str, other: str) -> bool:
    """Whether two paths name runs of one system."""
    one, two = run_of(path), run_of(other)
    return one is not None and two is not None and one[0] == two[0]


def by_system(paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The runs of each system, by what `run_of` calls it, in the order in which systems are first
    named, their runs by number. A path that names no run is a system of its own.

    Raises PolicyError for two runs of a system with the same name.
    """
    systems: dict[str, dict[str, str]] = {}
    for path in paths:
        system, name = run_of(path) or (path, "")
        runs = systems.setdefault(system, {})
        if name in runs:
            raise PolicyError(
                f"{runs[name]} and {path} are both {name} of {system}; expected each run once"
            )
        runs[name] = path
    return {
        system: tuple(runs[name] for name in sorted(runs, key=_by_number))
        for system, runs in systems.items()
    }


def several_runs(paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The same, where two systems or more are named and one of them has several runs; else none."""
    systems = by_system(paths)
    return systems if 1 < len(systems) < sum(map(len, systems.values())) else {}


def counted_runs(paths: Iterable[str]) -> dict[str, int]:
    """How many runs of each system are named, of those with more than one."""
    runs = Counter(run[0] for path in paths if (run := run_of(path)))
    return {system: n for system, n in runs.items() if n > 1}


def _by_number(name: str) -> list[tuple[str, int]]:
    """run2 before run10."""
    return [(kind, int(number)) for kind, number in re.findall(r"([a-z]+)([0-9]+)", name)]
