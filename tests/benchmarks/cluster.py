"""Shards on a cluster of two processes, and what a thousand million mentions would cost."""

import pickle
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
from distributed import Client, LocalCluster

import corescore
from corescore.counting.policies import DEFAULTS
from corescore.distributed import score_shards
from corescore.scoring.tally import Tally
from tests.benchmarks.cost import DASK, SENT, Cost, Load, makespan
from tests.benchmarks.timing import Row, alternating, milliseconds, seconds
from tests.support.synthetic import SHARED_TASK, synthesise

SHARD = replace(SHARED_TASK, documents=120)
N_SHARDS = 8
MENTIONS, WORKERS = 10**9, 100


def rows() -> Iterator[Row]:
    """A row for the cluster, one for what comes back, two for the cost model."""
    with tempfile.TemporaryDirectory() as folder, _two_processes() as client:
        sides = _written(Path(folder), N_SHARDS)
        load = _load(sides)
        ours, alone = alternating(
            lambda: _scored(sides, client),
            lambda: _in_memory(sides),
            runs=3,
            clock=time.perf_counter,
        )
        rate = load.n_bytes / 1e6 / ours
        against = f"{alone / ours:.2f} times as fast as one process ({milliseconds(alone)})"
        yield Row(DASK, rate, ours / alone, against, unit="MB/s")
        tally = _scored(sides, client)
        sent = len(pickle.dumps(tally)) / len(tally.documents)
        yield Row(SENT, sent, unit="B")
        yield from _predictions(client, Cost.measured(rate, sent))


def _predictions(client: Client, cost: Cost) -> Iterator[Row]:
    """A run of more shards and a large one, by the cost model."""
    with tempfile.TemporaryDirectory() as folder:
        sides = _written(Path(folder), 3 * N_SHARDS)
        load = _load(sides)
        measured = seconds(lambda: _scored(sides, client), runs=3, clock=time.perf_counter)
    expected = makespan(cost, load, workers=2)
    against = f"{measured / expected:.2f} times what the cost model says ({milliseconds(expected)})"
    what = f"{DASK}, three times the shards"
    yield Row(what, measured, measured / expected, against)
    n_shards = -(-MENTIONS // (SHARD.documents * SHARD.mentions))
    large = Load(load.shards[:1] * n_shards, n_shards * SHARD.documents)
    sent = large.n_documents * cost.bytes_of_document / 1e9
    against = f"the cost model: {large.n_bytes / 1e12:.2f} TB read, {sent:.1f} GB of counts sent"
    simulated = makespan(cost, large, workers=WORKERS)
    yield Row(f"simulated: 10⁹ mentions on {WORKERS} workers", simulated, None, against)


@contextmanager
def _two_processes() -> Iterator[Client]:
    settings = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, **settings) as cluster,
        Client(cluster) as client,
    ):
        yield client


def _written(folder: Path, n_shards: int) -> tuple[str, str]:
    """The folders of both sides, each with this many files."""
    sides = folder / "gold", folder / "out"
    for side, corpus in zip(sides, synthesise(SHARD, np.random.default_rng(11)), strict=True):
        side.mkdir()
        corescore.write(corpus, side / "part-000.conll")
        data = (side / "part-000.conll").read_bytes()
        for number in range(1, n_shards):
            (side / f"part-{number:03}.conll").write_bytes(data)
    return str(sides[0]), str(sides[1])


def _load(sides: tuple[str, str]) -> Load:
    of_sides = ([file.stat().st_size for file in sorted(Path(side).iterdir())] for side in sides)
    shards = tuple(map(sum, zip(*of_sides, strict=True)))
    return Load(shards, len(shards) * SHARD.documents)


def _scored(sides: tuple[str, str], client: Client) -> Tally:
    (made,) = score_shards(sides[0], sides[1:], client, DEFAULTS)
    return made.tally


def _in_memory(sides: tuple[str, str]) -> None:
    corescore.score(*map(corescore.read, sides))
