"""Reading CoNLL text, and `corescore score` as a whole process, against what no one can avoid."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import corescore
from corescore.corpus.formats import read_bytes
from tests.benchmarks.timing import Row, alternating, milliseconds
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
        yield _reading(paths[0], "CoNLL", "≥ 30 MB/s")
        conllu = str(Path(folder, "key.conllu"))
        corescore.write(corescore.read(paths[0]), conllu)
        yield _reading(conllu, "CoNLL-U", "≥ 15 MB/s")
        yield _command(paths)
        yield _command(paths, "--as", "perl")


def _reading(path: str, name: str, wanted: str) -> Row:
    data = Path(path).read_bytes()
    time, split = alternating(lambda: read_bytes(data, path), lambda: _split(data))
    megabytes = len(data) / 1e6
    against = f"{time / split:.1f} times splitting its lines at tabs"
    what = f"reading {megabytes:.1f} MB of {name}"
    return Row(what, megabytes / time, time / split, against, wanted, unit="MB/s")


def _split(data: bytes) -> None:
    for line in data.decode().split("\n"):
        line.split("\t")


def _command(paths: list[str], *options: str) -> Row:
    ours, floor = alternating(
        lambda: _run(["-m", "corescore", "score", *paths, *options]),
        lambda: _run(["-c", FLOOR, *paths]),
    )
    against = f"{ours / floor:.2f} times importing numpy and scipy.optimize ({milliseconds(floor)})"
    command = " ".join(("corescore score", *options))
    return Row(f"{command}, whole process", ours, ours / floor, against, "≤ 3 times")


def _run(arguments: list[str]) -> None:
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
