"""Garbage in the name of every format: what it costs until it is read or refused.

A file of a format becomes half a megabyte of garbage, of one of fourteen shapes, or of good text,
and is read in a process of its own. The worst shape is compared with the good text.
"""

import json
import os
import re
import resource
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from corescore import InputError
from corescore.corpus.files import read_files
from corescore.corpus.packed import Files
from tests.benchmarks.timing import Row
from tests.support.every_format import CONLL_UA, CONLLU, FILES, JSONS, WORDS

MB = 10**6
SIZE = MB // 2
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

_SENTENCE = "# sent_id"
_MORE = "and then they went to see what the others did ."
_WORDS = _MORE.split()
_ROWS = "".join(f"d\t0\t0\t{word}\t-\n" for word in _WORDS)


def _conllu(text: str) -> tuple[str, str]:
    head, sentence = text.split(_SENTENCE)
    return head, _SENTENCE + sentence


# Good text of a format: how it begins, and what is repeated, with %n for the number of the time.
REPEATED: Mapping[str, tuple[str, str]] = {
    "conll": ("#begin document (d); part 000\n", f"d\t0\t0\tMia\t(1)\n{_ROWS}\n"),
    "conllu": _conllu(CONLLU.replace(CONLLU[CONLLU.index("4.1") :], "\n")),
    "conll-ua": _conllu(CONLL_UA),
    "inline": ("# d\n", f'[Mia](#1) gave [[her](#1) "brother"](#2) a bike {_MORE}\n'),
    "winobias": ("", FILES["winobias"]["d.txt"]),
    "sacr": ("#title: It\n\n", f"{{e1 Mia}} gave {{e2 {{e1 her}} brother}} a bike {_MORE}\n"),
    "notation": ("", f"# d%n\n{{{' '.join(_WORDS)}}} {{a1 b1}}\n"),
}


def good_text(kind: str) -> dict[str, bytes]:
    """Half a megabyte of good text of a format, in long documents; of CoNLL for tables and XML."""
    known = kind.split()[0]
    if known in JSONS:
        name, document = "d.json", json.dumps(_long(JSONS[known]))
        n = SIZE // len(document) + 1
        text = "".join(_OWN_NAME.sub(rf"\g<1>{at}\2", document) + "\n" for at in range(n))
    else:
        known = known if known in REPEATED else "conll"
        name, (start, piece) = next(iter(FILES[known])), REPEATED[known]
        n = (SIZE - len(start)) // len(piece) + 1
        text = start + "".join(piece.replace("%n", str(at)) for at in range(n))
    return {name: text.encode()}


_OWN_NAME = re.compile(r'("(?:doc_key|docId|name|scene_id|id)": "\w+)(")')


def _long(value: object) -> object:
    """A document of JSON with its words a hundred times."""
    if value == WORDS:
        return WORDS * 100
    if isinstance(value, dict):
        return {name: _long(item) for name, item in value.items()}
    return [*map(_long, value)] if isinstance(value, list) else value


@dataclass(frozen=True)
class Cost:
    """What reading took for each MB: processor time in seconds, and memory in MB; how it ended."""

    seconds: float
    memory: float
    end: str


def garbage(kind: str, shape: str, n_bytes: int) -> dict[str, bytes]:
    """The files of a format, the first of them garbage of a shape."""
    every = FILES[kind.split()[0]]
    files = {name: text.encode() for name, text in every.items()}
    name, good = next(iter(every.items()))
    return files | {name: SHAPES[shape](good, n_bytes).encode()}


def cost(kind: str, files: dict[str, bytes]) -> Cost:
    """What it takes to read or refuse files in the name of a format, in a process of its own."""
    size = sum(map(len, files.values())) / MB
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        measured: list[object] = [0, 0, "died"]
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


def _measured(kind: str, files: dict[str, bytes]) -> list[object]:
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    resource.setrlimit(resource.RLIMIT_AS, (6 * 10**9, 6 * 10**9))
    Path("/proc/self/clear_refs").write_text("5")
    before, begun = _peak(), time.process_time()
    try:
        end = end_of(kind, files)
    except Exception as error:
        end = f"{type(error).__name__}!"
    return [time.process_time() - begun, _peak() - before, end]


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


def least(kind: str, files: dict[str, bytes]) -> Cost:
    """The least of three costs: other programs only add to it."""
    return min((cost(kind, files) for _ in range(3)), key=lambda found: found.seconds)


def rows() -> Iterator[Row]:
    """A row for each format: the shape of garbage that takes longest, beside good text."""
    warm_up()
    for kind in KINDS:
        compared = kind if kind.split()[0] in {*JSONS, *REPEATED} else "conll"
        good = least(compared, good_text(compared))
        costs = {shape: least(kind, garbage(kind, shape, SIZE)) for shape in SHAPES}
        shape, worst = max(costs.items(), key=lambda item: item[1].seconds)
        times = worst.seconds / good.seconds
        yield Row(
            f"a MB of garbage as {kind} ({shape})",
            worst.seconds,
            times,
            f"{times:.1f} times a MB of good {compared}",
            megabytes=max(found.memory for found in costs.values()),
            goal="garbage",
        )
