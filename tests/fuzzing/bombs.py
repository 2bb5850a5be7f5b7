"""Garbage in the name of every format: `python -m tests.fuzzing.bombs [FORMAT …]` prints a table of
the processor time and the memory that each takes per MB until it is read or refused.

A file of a format becomes half a megabyte or two megabytes of one of twelve shapes of garbage, and
is read in a process of its own.
"""

import os
import re
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from corescore import InputError
from corescore.corpus.files import read_files
from corescore.corpus.packed import Files
from tests.support.every_format import FILES

MB = 10**6
SIZES = (MB // 2, 2 * MB)
MOST = (1.0, 60.0)  # processor time, and MB, for each MB, refused or read all the same
_YARDSTICK = 0.03  # seconds that `_yardstick` takes on a machine where that time is the limit
REPAIRED = "inline --repair-brackets"
KINDS = (*FILES, REPAIRED)
_OPENING = re.compile(r"[(\[{<]\w+")
_LETTERS = "(){}[]<>|/\"'=:;,-_# \t\n1a"


def _last_opening(good: str, n: int) -> str:
    """Its last bracket opens again and again."""
    last = [*_OPENING.finditer(good)] or [*re.finditer(r"\S+", good)]
    start, end = last[-1].span()
    return good[:start] + _filled(good[start:end], n) + good[start:]


def _middle_line(good: str, n: int) -> str:
    lines = good.splitlines(keepends=True)
    at = len(lines) // 2
    return "".join([*lines[:at], _filled(lines[at], n), *lines[at:]])


def _half_lines(good: str, n: int) -> str:
    return _filled("".join(line[: len(line) // 2] + "\n" for line in good.split("\n")), n)


def _filled(piece: str, n: int) -> str:
    return piece * (n // len(piece.encode()) + 1)


# Each makes so many bytes or a few more of garbage, given a file as it should be.
SHAPES: dict[str, Callable[[str, int], str]] = {
    "lines of {": lambda good, n: _filled("{\n", n),
    "good, then lines of }{": lambda good, n: good + _filled("}{\n", n),
    "good, then lines of b": lambda good, n: good + _filled("b\n", n),
    "good, then empty lines": lambda good, n: good + _filled("\n", n) + "}",
    "good, then tabs": lambda good, n: good + _filled("\t" * 9 + "\n", n),
    '<m id="1"> never closed': lambda good, n: _filled('<m id="1">', n),
    "{e1 never closed": lambda good, n: _filled("{e1 ", n),
    "its last opening": _last_opening,
    "its middle line": _middle_line,
    "halves of its lines": _half_lines,
    "[ never closed": lambda good, n: good + _filled("[", n),
    "any characters": lambda good, n: good + "".join(Random(n).choices(_LETTERS, k=n)),
}


TRIES = 5


@dataclass(frozen=True)
class Cost:
    """What reading some garbage took: processor time in seconds, on a machine as fast as the one
    that the limit is for; memory in MB; and how it ended."""

    n_bytes: int
    seconds: float
    memory: float
    end: str

    @property
    def is_too_much(self) -> bool:
        """Whether it is more than reading may take."""
        return any(n > most for n, most in zip(self.per_mb, MOST, strict=True))

    @property
    def per_mb(self) -> tuple[float, float]:
        """Seconds and MB for each MB of garbage."""
        return self.seconds * MB / self.n_bytes, self.memory * MB / self.n_bytes


def garbage(kind: str, shape: str, n_bytes: int) -> dict[str, bytes]:
    """The files of a format, the first of them garbage of a shape."""
    every = FILES[kind.split()[0]]
    files = {name: text.encode() for name, text in every.items()}
    name, good = next(iter(every.items()))
    return files | {name: SHAPES[shape](good, n_bytes).encode()}


def cost(kind: str, shape: str, n_bytes: int) -> Cost:
    """What it takes to read or refuse garbage in the name of a format, in a process of its own."""
    files = garbage(kind, shape, n_bytes)
    size = sum(map(len, files.values()))
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        told = "died"
        try:
            told = _measured(kind, files)
        except BaseException as error:
            told = f"0 0 {type(error).__name__}"
        finally:
            os.write(write_end, told.encode())
            os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        told = pipe.read()
    _, status, usage = os.wait4(child, 0)
    if os.WIFSIGNALED(status):
        died = signal.Signals(os.WTERMSIG(status)).name
        return Cost(size, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000, died)
    seconds, memory, end = told.split(" ", 2)
    return Cost(size, float(seconds), float(memory), end)


def cost_alone(kind: str, shape: str, n_bytes: int) -> Cost:
    """The same, measured again while it is too much: other programs only add to it."""
    found = cost(kind, shape, n_bytes)
    for _ in range(TRIES - 1):
        if not found.is_too_much:
            break
        found = cost(kind, shape, n_bytes)
    return found


def _measured(kind: str, files: dict[str, bytes]) -> str:
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    resource.setrlimit(resource.RLIMIT_AS, (6 * 10**9, 6 * 10**9))
    Path("/proc/self/clear_refs").write_text("5")
    before, begun = _peak(), time.process_time()
    try:
        end = end_of(kind, files)
    except Exception as error:
        end = f"{type(error).__name__}!"
    took, more = time.process_time() - begun, _peak() - before
    slower = max(1, sum(_yardstick() for _ in range(3)) / 3 / _YARDSTICK)
    return f"{took / slower} {more} {end}"


def _yardstick() -> float:
    """The processor time of some work of the kind that reading is: how fast this machine is now."""
    begun = time.process_time()
    words: dict[str, list[int]] = {}
    for n, match in enumerate(re.finditer(r"\w+|[^\w\s]", "(a) b1 c2 [d] e, " * 8000)):
        words.setdefault(match[0], []).append(n)
    return time.process_time() - begun


def _peak() -> float:
    """The most memory that this process has had, in MB."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1000


def end_of(kind: str, files: dict[str, bytes]) -> str:
    """ "read", or the first line of what it is refused with."""
    format_, *repaired = kind.split()
    every = Files("all", tuple(sorted(files)), files.__getitem__)
    try:
        read_files(every, format_, "key", bool(repaired))
    except InputError as error:
        return str(error).split("\n")[0]
    return "read"


def warm_up() -> None:
    """Read a little of each format, for a process that is then copied for each cost."""
    for kind in KINDS:
        for shape in SHAPES:
            end_of(kind, garbage(kind, shape, 100))


def table(kinds: list[str]) -> Iterator[str]:
    """A line for each format and shape."""
    yield f"{'format':16}{'shape':26}{'0.5 MB':>16}{'2 MB':>18}   per MB"
    for kind in kinds:
        for shape in SHAPES:
            costs = [cost_alone(kind, shape, n) for n in SIZES]
            told = "".join("{:7.2f} s {:6.0f} MB".format(*one.per_mb) for one in costs)
            mark = "!" if any(one.is_too_much for one in costs) else " "
            yield f"{kind:16}{shape:26}{told}  {mark} {costs[1].end[:60]}"


if __name__ == "__main__":
    warm_up()
    for line in table(sys.argv[1:] or [*KINDS]):
        print(line, flush=True)
