"""A cluster of processes, one of which is killed; and shards that an HTTP server holds."""

import gzip
import os
import signal
from collections import Counter
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import ClassVar

import dask
import pytest
from distributed import Client, LocalCluster, WorkerPlugin
from fsspec.implementations.local import LocalFileSystem

from corescore import METRICS, InputError
from corescore.__main__ import main
from corescore.counting.policies import DEFAULTS
from corescore.distributed import ClusterRun, score
from tests.support.shards import ENTITIES, OTHERS, document, in_memory, numbers, write_shards

N_SHARDS = 12


@pytest.fixture
def sides(tmp_path):
    return tuple(
        write_shards(tmp_path / side, [[document(f"d{at}", of)] for at in range(N_SHARDS)])
        for side, of in (("gold", ENTITIES), ("out", OTHERS))
    )


@contextmanager
def two_processes():
    """A client of two workers."""
    settings = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "silence_logs": 50}
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, **settings) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.mark.slow
def test_a_worker_that_is_killed_in_the_middle_changes_nothing(sides):
    done = []
    with two_processes() as client:
        first, _ = client.run(os.getpid).values()

        def kill_one(shard):
            done.append(shard)
            if len(done) == 3:
                os.kill(first, signal.SIGKILL)

        run = ClusterRun.of(*sides, DEFAULTS, METRICS)
        scored = run.scored(client, keep_going=False, step=kill_one)
        assert first not in client.run(os.getpid).values()
    assert scored.refused == ()
    assert numbers(scored.tally) == numbers(in_memory(*sides))
    assert sorted(done) == sorted(shard.name for shard in run.shards)


@pytest.mark.slow
def test_the_unpack_limit_of_the_command_reaches_workers_that_were_started_before(tmp_path, capsys):
    sides = [
        write_shards(tmp_path / side, [[document("d", of)]], "conll.gz")
        for side, of in (("gold", ENTITIES), ("out", OTHERS))
    ]
    for file in tmp_path.glob("*/*.gz"):
        file.write_bytes(gzip.compress(file.read_bytes()))
    with two_processes() as client:
        command = ["score", *sides, "--scheduler", client.scheduler.address]
        assert main([*command, "--unpack-limit", "50B"]) == 2
        assert "gold/part-0.conll.gz: " in (said := capsys.readouterr().err)
        assert "more than 50; expected at most 50." in said
        assert main(command) == 0


class Deadly(WorkerPlugin):
    """Ends a worker where it reads one of the files, as one too large for it would."""

    def setup(self, worker):
        read = LocalFileSystem.cat_file

        def deadly(self, path, **options):
            if path.endswith("gold/part-7.conll"):
                os._exit(1)
            return read(self, path, **options)

        LocalFileSystem.cat_file = deadly


@pytest.mark.slow
def test_a_shard_that_kills_its_workers_is_told_and_the_rest_finishes(sides, tmp_path):
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), two_processes() as client:
        client.register_plugin(Deadly())
        run = ClusterRun.of(*sides, DEFAULTS, METRICS)
        scored = run.scored(client, keep_going=True)
    (said,) = scored.tally.warnings
    assert "gold/part-7.conll: a shard on which 1 worker died; expected one that" in said
    (tmp_path / "gold" / "part-7.conll").unlink()
    (tmp_path / "out" / "part-7.conll").unlink()
    assert numbers(scored.tally) == numbers(in_memory(*sides))


class Handler(SimpleHTTPRequestHandler):
    """Counts what is asked for, and answers the first request of a file in `failing` with 500."""

    asked: ClassVar[Counter[str]] = Counter()
    failing: ClassVar[set[str]] = set()

    def do_GET(self):
        self.asked[self.path] += 1
        if self.path in self.failing and self.asked[self.path] == 1:
            self.send_error(500)
        else:
            super().do_GET()

    def log_message(self, *arguments):
        pass


@pytest.fixture
def server(tmp_path):
    """The address of a server of the folder."""
    Handler.asked, Handler.failing = Counter(), set()
    serve = partial(Handler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as served:
        Thread(target=served.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{served.server_port}"
        served.shutdown()


@pytest.mark.slow
def test_shards_on_an_http_server_are_read_once_by_the_workers(sides, server):
    Handler.failing = {"/out/part-3.conll"}
    with two_processes() as client:
        tally = score(f"{server}/gold/", f"{server}/out/*.conll", client=client)
    assert numbers(tally) == numbers(in_memory(*sides))
    for number in range(N_SHARDS):
        assert Handler.asked[f"/gold/part-{number}.conll"] == 1 + (number == 3)
        assert Handler.asked[f"/out/part-{number}.conll"] == 1 + (number == 3)


@pytest.mark.slow
def test_what_an_http_server_lacks_or_has_wrong_is_told_by_its_url(sides, server, tmp_path):
    (tmp_path / "out" / "part-1.conll").write_text("#begin document (x);\nx 0 0 Ada (1\n")
    with two_processes() as client:
        with pytest.raises(InputError, match=rf"{server}/out/part-1\.conll:2: entity 1 opens here"):
            score(f"{server}/gold/", f"{server}/out/", client=client)
        with pytest.raises(InputError, match=rf"{server}/none/: no file"):
            score(f"{server}/none/", f"{server}/out/", client=client)
