"""Garbage in the name of every format: what it costs until it is read or refused.

A file of a format becomes half a megabyte of garbage, of one of fourteen shapes, and is read in a
process of its own. The worst shape is compared with half as much of it: garbage takes as long as
there is of it, not its square.
"""

import json
import os
import re
import resource
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from corescore import InputError
from corescore.corpus.files import read_files
from corescore.corpus.packed import Files
from tests.benchmarks.timing import Row
from tests.support.every_format import FILES

MB = 10**6
SIZE = MB // 2
REPAIRED = "inline --repair-brackets"
KINDS = (*FILES, REPAIRED)
_OPENING = re.compile(r"[(\[{<]\w+")
_LETTERS = "(){}[]<>|/\"'=:;,-_# \t\n1a"


def _last_opening(good, n):
    """Its last bracket opens again and again."""
    last = [*_OPENING.finditer(good)] or [*re.finditer(r"\S+", good)]
    start, end = last[-1].span()
    return good[:start] + _filled(good[start:end], n) + good[start:]


def _middle_line(good, n):
    lines = good.splitlines(keepends=True)
    at = len(lines) // 2
    return "".join([*lines[:at], _filled(lines[at], n), *lines[at:]])


def _half_lines(good, n):
    return _filled("".join(line[: len(line) // 2] + "\n" for line in good.split("\n")), n)


def _filled(piece, n):
    return piece * (n // len(piece.encode()) + 1)


# Each makes so many bytes or a few more of garbage, given a file as it should be.
SHAPES = {
    "lines of {": lambda good, n: _filled("{\n", n),
    "good, then lines of }{": lambda good, n: good + _filled("}{\n", n),
    "good, then lines of b": lambda good, n: good + _filled("b\n", n),
    "good, then empty lines": lambda good, n: good + _filled("\n", n) + "}",
    "good, then tabs": lambda good, n: good + _filled("\t" * 9 + "\n", n),
    "<m with many id=": lambda good, n: "<m " + _filled("id=", n),
    "an id that begins with blanks": lambda good, n: "](#" + " " * n,
    '<m id="1"> never closed': lambda good, n: _filled('<m id="1">', n),
    "{e1 never closed": lambda good, n: _filled("{e1 ", n),
    "its last opening": _last_opening,
    "its middle line": _middle_line,
    "halves of its lines": _half_lines,
    "[ never closed": lambda good, n: good + _filled("[", n),
    "any characters": lambda good, n: good + "".join(Random(n).choices(_LETTERS, k=n)),
}


@dataclass(frozen=True)
class Cost:
    """What reading took for each MB: processor time in seconds, and memory in MB; how it ended."""

    seconds: float
    memory: float
    end: str


def garbage(kind, shape, n_bytes):
    """The files of a format, the first of them garbage of a shape."""
    every = FILES[kind.split()[0]]
    files = {name: text.encode() for name, text in every.items()}
    name, good = next(iter(every.items()))
    return files | {name: SHAPES[shape](good, n_bytes).encode()}


def cost(kind, files):
    """What it takes to read or refuse files in the name of a format, in a process of its own."""
    size = sum(map(len, files.values())) / MB
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        measured = [0, 0, "died"]
        try:
            measured = _measured(kind, files)
        except BaseException as error:
            measured = [0, 0, type(error).__name__]
        finally:
            os.write(write_end, json.dumps(measured).encode())
            os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        answer = pipe.read()
    _, status, usage = os.wait4(child, 0)
    if os.WIFSIGNALED(status):
        died = signal.Signals(os.WTERMSIG(status)).name
        return Cost((usage.ru_utime + usage.ru_stime) / size, usage.ru_maxrss / 1000 / size, died)
    seconds, memory, end = json.loads(answer)
    return Cost(seconds / size, memory / size, end)


def _measured(kind, files):
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    resource.setrlimit(resource.RLIMIT_AS, (6 * 10**9, 6 * 10**9))
    Path("/proc/self/clear_refs").write_text("5")
    before, begun = _peak(), time.process_time()
    try:
        end = end_of(kind, files)
    except Exception as error:
        end = f"{type(error).__name__}!"
    return [time.process_time() - begun, _peak() - before, end]


def _peak():
    """The most memory that this process has had, in MB."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1000


def end_of(kind, files):
    """ "read", or the first line of what it is refused with."""
    format_, *repaired = kind.split()
    every = Files("all", tuple(sorted(files)), files.__getitem__)
    try:
        read_files(every, format_, "key", bool(repaired))
    except InputError as error:
        return str(error).split("\n")[0]
    return "read"


def warm_up():
    """Read a little of each format, for a process that is then copied for each cost."""
    for kind in KINDS:
        for shape in SHAPES:
            end_of(kind, garbage(kind, shape, 100))


def least(kind, files):
    """The least of three costs: other programs only add to it."""
    return min((cost(kind, files) for _ in range(3)), key=lambda found: found.seconds)


def rows():
    """A row for each format: the shape of garbage that takes longest, beside half as much of it."""
    warm_up()
    for kind in KINDS:
        costs = {shape: least(kind, garbage(kind, shape, SIZE)) for shape in SHAPES}
        shape = max(costs, key=lambda one: costs[one].seconds)
        half = least(kind, garbage(kind, shape, SIZE // 2))
        ratio = 2 * costs[shape].seconds / half.seconds
        yield Row(
            f"a MB of garbage as {kind}: {shape}",
            costs[shape].seconds,
            ratio,
            f"{ratio:.1f} times half as much",
            megabytes=max(found.memory for found in costs.values()),
            goal="garbage",
        )
