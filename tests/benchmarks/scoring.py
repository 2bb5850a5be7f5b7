"""All six metrics with per-document counts, in memory, against scorch's five on the same corpus."""

import resource
import subprocess
import sys

import numpy as np
import scorch.scores

import corescore
from tests.benchmarks.timing import Row, alternating, milliseconds, seconds
from tests.support.synthetic import SHAPES, synthesise

SEED = 20161
SECONDS_FOR_SCORCH = 20
BYTES_FOR_SCORCH = 4 * 2**30
SCORCH = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")


def rows():
    """One row per shape of corpus."""
    row, shared_task = _beside_scorch("shared-task", "shared-task size")
    yield row
    per_mention = shared_task / _mentions(_corpora("shared-task")[0])
    yield _beside_scorch("shattered", "shattered entities")[0]

    key, response = _corpora("book")
    book = seconds(lambda: corescore.score(key, response))
    what = f"book: one document, {_mentions(key)} key mentions in {key.documents[0].n_entities}"
    yield Row(what, book, against=f"scorch: {_scorch_outcomes('book')}", goal="book")

    time, megabytes = _alone("tangle")
    what = "tangle: one document, 30000 key mentions, one component"
    peer = f"scorch: {_scorch_outcomes('tangle')}"
    yield Row(what, time, against=peer, megabytes=megabytes, goal="tangle")

    key, response = _corpora("many")
    many = seconds(lambda: corescore.score(key, response), runs=3)
    ratio = many / _mentions(key) / per_mention
    against = f"{ratio:.2f} times shared-task size for each mention"
    what = f"many: {len(key)} documents, {_mentions(key)} key mentions"
    yield Row(what, many, ratio, against, goal="many")


def _beside_scorch(shape, name):
    """The row of a corpus that scorch scores in seconds, and our own time."""
    key, response = _corpora(shape)
    pairs = [*zip(_entity_sets(key), _entity_sets(response), strict=True)]
    ours, peer = alternating(
        lambda: corescore.score(key, response),
        lambda: [_scorch(name, *pair) for pair in pairs for name in SCORCH],
    )
    what = f"{name}: {len(key)} documents, {_mentions(key)} key mentions"
    against = f"scorch's five {milliseconds(peer)}: {peer / ours:.0f} times faster"
    return Row(what, ours, ours / peer, against, goal=name), ours


def _corpora(shape):
    return synthesise(SHAPES[shape], np.random.default_rng(SEED))


def _mentions(corpus):
    return sum(len(document.rows) for document in corpus)


def _entity_sets(corpus):
    return [
        [{(mention.start, mention.end) for mention in entity} for entity in document.entities]
        for document in corpus
    ]


def _scorch(metric, key, response):
    return getattr(scorch.scores, metric)(key, response)


def _alone(shape):
    """Seconds and peak megabytes of a process that makes and scores one corpus."""
    answer = _subprocess(["ours", shape], timeout=300)
    time, kilobytes = answer.stdout.split()
    return float(time), float(kilobytes) / 1024


def _scorch_outcomes(shape):
    """What becomes of each of scorch's metrics within the limits."""
    return ", ".join(f"{metric} {_scorch_outcome(shape, metric)}" for metric in SCORCH)


def _scorch_outcome(shape, metric):
    try:
        answer = _subprocess(["scorch", shape, metric], timeout=SECONDS_FOR_SCORCH)
    except subprocess.TimeoutExpired:
        return f"over {SECONDS_FOR_SCORCH} s"
    if answer.returncode:
        return f"out of {BYTES_FOR_SCORCH / 2**30:.0f} GB"
    return milliseconds(float(answer.stdout))


def _subprocess(arguments, *, timeout):
    command = [sys.executable, "-m", "tests.benchmarks.scoring", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)


def _main(who, shape, metric=""):
    key, response = _corpora(shape)
    if who == "ours":
        time = seconds(lambda: corescore.score(key, response), runs=3)
        print(time, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        return
    resource.setrlimit(resource.RLIMIT_AS, (BYTES_FOR_SCORCH, BYTES_FOR_SCORCH))
    pair = _entity_sets(key)[0], _entity_sets(response)[0]
    print(seconds(lambda: _scorch(metric, *pair), runs=1))


if __name__ == "__main__":
    _main(*sys.argv[1:])
