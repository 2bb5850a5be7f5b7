"""Reading CoNLL text, and `corescore score` as a whole process, against what no one can avoid."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import corescore
from corescore.corpus.documents import Corpus
from corescore.corpus.files import read_bytes
from tests.benchmarks.timing import Row, alternating, milliseconds
from tests.support.synthetic import BOOK, SHARED_TASK, Shape, synthesise

SHORT_TEXTS = Shape(documents=24, words=750, mentions=220, entities=90)
FLOOR = "import sys, numpy, scipy.optimize; [open(path, 'rb').read() for path in sys.argv[1:]]"


def rows():
    """Rows for the readers, then for the command."""
    with tempfile.TemporaryDirectory() as folder:
        for name, shape in (("a book", BOOK), ("short texts", SHORT_TEXTS)):
            paths = _written(synthesise(shape, np.random.default_rng(7)), folder)
            yield _reading(paths[0], f"CoNLL, {name}")
            if shape == BOOK:
                yield _command("corescore score of a book", paths)
        corpora = synthesise(SHARED_TASK, np.random.default_rng(7))
        paths = _written(corpora, folder)
        yield _reading(paths[0], "CoNLL, shared-task size")
        for ending, name in (("conllu", "CoNLL-U"), ("jsonl", "jsonl")):
            path = str(Path(folder, f"key.{ending}"))
            corescore.write(corescore.read(paths[0]), path)
            yield _reading(path, name)
        yield _command("corescore score", paths)
        yield _command("corescore score --as perl", paths, "--as", "perl")
        paths = _written([Corpus(corpus.documents[:1]) for corpus in corpora], folder)
        yield _command("corescore score of one short document", paths)


def _written(corpora, folder):
    paths = [str(Path(folder, name)) for name in ("key.conll", "response.conll")]
    for corpus, path in zip(corpora, paths, strict=True):
        corescore.write(corpus, path, force=True)
    return paths


def _reading(path, name):
    """The reader beside the least that is done without it: to split columns, or to parse JSON."""
    data = Path(path).read_bytes()
    floor, doing = _split, "a loop that splits its lines"
    if name == "jsonl":
        floor, doing = _parse, "parsing its lines alone"
    time, least = alternating(lambda: read_bytes(data, path), lambda: floor(data))
    megabytes = len(data) / 1e6
    against = f"{time / least:.2f} times {doing}"
    what = f"reading {megabytes:.1f} MB of {name}"
    goal = f"reading {name}"
    return Row(what, megabytes / time, time / least, against, unit="MB/s", goal=goal)


def _split(data):
    return [line.split() for line in data.decode().split("\n")]


def _parse(data):
    for line in data.splitlines():
        json.loads(line)


def _command(name, paths, *options):
    ours, floor = alternating(
        lambda: _run(["-m", "corescore", "score", *paths, *options]),
        lambda: _run(["-c", FLOOR, *paths]),
    )
    against = f"{ours / floor:.2f} times importing numpy and scipy.optimize ({milliseconds(floor)})"
    return Row(f"{name}, whole process", ours, ours / floor, against, goal=name)


def _run(arguments):
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
