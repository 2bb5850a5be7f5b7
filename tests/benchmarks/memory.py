"""The most memory that scoring 400,000 mentions in 323 MB of text takes, each way in a process."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

import corescore
from tests.benchmarks.timing import Row
from tests.support.synthetic import SHAPES, synthesise

SHAPE = "library"
SEED = 400
IN_MEMORY = """
import sys
import corescore
print(corescore.score(*map(corescore.read, sys.argv[1:])).scores["conll"])
"""


def rows() -> Iterator[Row]:
    """A row for both corpora in memory at once, and one for the command, which lets go of them."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder, name)) for name in ("key.conll", "response.conll")]
        subprocess.run([sys.executable, "-m", "tests.benchmarks.memory", *paths], check=True)
        megabytes = sum(Path(path).stat().st_size for path in paths) / 1e6
        n_mentions = SHAPES[SHAPE].documents * SHAPES[SHAPE].mentions
        of = f"{n_mentions} key mentions in {megabytes:.0f} MB"
        time_in_memory, in_memory = peak(["-c", IN_MEMORY, *paths])
        yield Row(f"in memory: {of}", time_in_memory, megabytes=in_memory)
        time_streamed, streamed = peak(["-m", "corescore", "score", *paths])
        ratio = time_streamed / time_in_memory
        against = f"{ratio:.2f} times as long as in memory, {streamed / in_memory:.2f} of its peak"
        what = f"corescore score: {of}"
        yield Row(what, time_streamed, ratio, against, megabytes=streamed, goal="streamed")


def peak(arguments: Sequence[str]) -> tuple[float, float]:
    """The seconds that a process of Python takes, and its resident megabytes at the peak.

    Raises RuntimeError if it fails.
    """
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    taken = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{arguments[:2]} ended with {process.returncode}")
    return taken, usage.ru_maxrss / 1024


def _write(*paths: str) -> None:
    for corpus, path in zip(
        synthesise(SHAPES[SHAPE], np.random.default_rng(SEED)), paths, strict=True
    ):
        corescore.write(corpus, path)


if __name__ == "__main__":
    _write(*sys.argv[1:])
