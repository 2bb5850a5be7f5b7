"""Reading CoNLL text, and `corescore score` as a whole process, against what no one can avoid."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import corescore
from corescore.corpus.formats import read_bytes
from tests.benchmarks.timing import Row, milliseconds, seconds
from tests.support.synthetic import SHARED_TASK, synthesise

FLOOR = "import sys, numpy, scipy.optimize; [open(path, 'rb').read() for path in sys.argv[1:]]"


def rows() -> Iterator[Row]:
    """A row for the reader, one for the command."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder, name)) for name in ("key.conll", "response.conll")]
        for corpus, path in zip(
            synthesise(SHARED_TASK, np.random.default_rng(7)), paths, strict=True
        ):
            corescore.write(corpus, path)
        yield _reading(paths[0])
        yield _command(paths)
        yield _command(paths, "--as", "perl")


def _reading(path: str) -> Row:
    data = Path(path).read_bytes()
    time = seconds(lambda: read_bytes(data, path))
    split = seconds(lambda: _split(data))
    speed = len(data) / 1e6 / time
    against = f"{time / split:.1f} times splitting its lines at tabs"
    return Row(
        f"reading {len(data) / 1e6:.1f} MB of CoNLL", f"{speed:.0f} MB/s", against, "≥ 30 MB/s"
    )


def _split(data: bytes) -> None:
    for line in data.decode().split("\n"):
        line.split("\t")


def _command(paths: list[str], *options: str) -> Row:
    ours = seconds(lambda: _run(["-m", "corescore", "score", *paths, *options]), runs=5)
    floor = seconds(lambda: _run(["-c", FLOOR, *paths]), runs=5)
    against = f"{ours / floor:.2f} times importing numpy and scipy.optimize ({milliseconds(floor)})"
    command = " ".join(("corescore score", *options))
    return Row(f"{command}, whole process", milliseconds(ours), against, "≤ 3 times")


def _run(arguments: list[str]) -> None:
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
