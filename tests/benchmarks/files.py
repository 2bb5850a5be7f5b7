"""Reading CoNLL text, and `corescore score` as a whole process, against what no one can avoid."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

import corescore
from corescore.corpus.documents import Corpus
from corescore.corpus.files import read_bytes
from tests.benchmarks.timing import Row, alternating, milliseconds
from tests.support.synthetic import SHARED_TASK, synthesise

FLOOR = "import sys, numpy, scipy.optimize; [open(path, 'rb').read() for path in sys.argv[1:]]"


def rows() -> Iterator[Row]:
    """A row for the reader, one for the command."""
    with tempfile.TemporaryDirectory() as folder:
        corpora = synthesise(SHARED_TASK, np.random.default_rng(7))
        paths = _written(corpora, folder)
        yield _reading(paths[0], "CoNLL")
        for ending, name in (("conllu", "CoNLL-U"), ("jsonl", "jsonl")):
            path = str(Path(folder, f"key.{ending}"))
            corescore.write(corescore.read(paths[0]), path)
            yield _reading(path, name)
        yield _command("corescore score", paths)
        yield _command("corescore score --as perl", paths, "--as", "perl")
    with tempfile.TemporaryDirectory() as folder:
        paths = _written([Corpus(corpus.documents[:1]) for corpus in corpora], folder)
        yield _command("corescore score of one short document", paths, goal="whole process")


def _written(corpora: Iterable[Corpus], folder: str) -> list[str]:
    paths = [str(Path(folder, name)) for name in ("key.conll", "response.conll")]
    for corpus, path in zip(corpora, paths, strict=True):
        corescore.write(corpus, path)
    return paths


def _reading(path: str, name: str) -> Row:
    """The reader beside the least that is done without it: to split columns, or to parse JSON."""
    data = Path(path).read_bytes()
    floor, doing = _split, "splitting its lines at tabs"
    if name == "jsonl":
        floor, doing = _parse, "parsing its lines alone"
    time, least = alternating(lambda: read_bytes(data, path), lambda: floor(data))
    megabytes = len(data) / 1e6
    against = f"{time / least:.1f} times {doing}"
    what = f"reading {megabytes:.1f} MB of {name}"
    goal = f"reading {name}"
    return Row(what, megabytes / time, time / least, against, unit="MB/s", goal=goal)


def _split(data: bytes) -> None:
    for line in data.decode().split("\n"):
        line.split("\t")


def _parse(data: bytes) -> None:
    for line in data.splitlines():
        json.loads(line)


def _command(
    name: str, paths: list[str], *options: str, goal: str = "whole process of a shared task"
) -> Row:
    ours, floor = alternating(
        lambda: _run(["-m", "corescore", "score", *paths, *options]),
        lambda: _run(["-c", FLOOR, *paths]),
    )
    against = f"{ours / floor:.2f} times importing numpy and scipy.optimize ({milliseconds(floor)})"
    return Row(f"{name}, whole process", ours, ours / floor, against, goal=goal)


def _run(arguments: list[str]) -> None:
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
