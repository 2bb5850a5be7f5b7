"""Scoring, resampling and random splits on a cluster."""

import gzip
import os
import shutil
import signal
import tempfile
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import dask
import fsspec
import numpy as np
import pytest
from distributed import Client, LocalCluster, WorkerPlugin
from fsspec.implementations.local import LocalFileSystem
from fsspec.registry import known_implementations
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import corescore
from corescore import METRICS, Document, InputError, PolicyError
from corescore.__main__ import main
from corescore.analysis.significance import Exchanges, blocks_of, randomisation
from corescore.corpus.documents import Attributes
from corescore.corpus.parts import Piece
from corescore.counting.policies import DEFAULTS
from corescore.distributed import (
    OnCluster,
    UnreadableError,
    bytes_of,
    open_shards,
    score,
    score_shards,
)
from corescore.scoring.run import Task, Work
from corescore.util import bundled
from tests.support.examples import PUBLIC, failures
from tests.support.strategies import partition_pairs
from tests.support.synthetic import Shape, synthesise
from tests.support.tallies import BROKEN, ENTITIES, OTHERS, document, in_memory, write_shards
from tests.support.tallies import numbers_of_shards as numbers

# A cluster of processes, one of which is killed; and shards that an HTTP server holds -------------

N_SHARDS = 12


@pytest.fixture
def sides_of_cluster(tmp_path):
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
def test_a_worker_that_is_killed_in_the_middle_changes_nothing(sides_of_cluster):
    done = []
    with two_processes() as client:
        first, _ = client.run(os.getpid).values()

        def kill_one(*progress):
            done.append(progress)
            if len(done) == 3:
                os.kill(first, signal.SIGKILL)

        (scored,) = score_shards(
            sides_of_cluster[0], sides_of_cluster[1:], client, DEFAULTS, progress=kill_one
        )
        assert first not in client.run(os.getpid).values()
    assert scored.refused == ()
    assert numbers(scored.tally) == numbers(in_memory(*sides_of_cluster))
    assert done == [(2 * at, 2 * N_SHARDS) for at in range(1, N_SHARDS + 1)]  # files of both sides


@pytest.mark.slow
def test_the_unpack_limit_of_the_command_reaches_workers_that_were_started_before(tmp_path, capsys):
    sides_of_cluster = [
        write_shards(tmp_path / side, [[document("d", of)]], "conll.gz")
        for side, of in (("gold", ENTITIES), ("out", OTHERS))
    ]
    for file in tmp_path.glob("*/*.gz"):
        file.write_bytes(gzip.compress(file.read_bytes()))
    with two_processes() as client:
        command = ["score", *sides_of_cluster, "--scheduler", client.scheduler.address]
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
def test_a_shard_that_kills_its_workers_is_told_and_the_rest_finishes(sides_of_cluster, tmp_path):
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), two_processes() as client:
        client.register_plugin(Deadly())
        (scored,) = score_shards(
            sides_of_cluster[0], sides_of_cluster[1:], client, DEFAULTS, keep_going=True
        )
    (said,) = scored.tally.warnings
    assert "gold/part-7.conll: a shard on which 1 worker died; expected one that" in said
    (tmp_path / "gold" / "part-7.conll").unlink()
    (tmp_path / "out" / "part-7.conll").unlink()
    assert numbers(scored.tally) == numbers(in_memory(*sides_of_cluster))


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
def test_shards_on_an_http_server_are_read_once_by_the_workers(sides_of_cluster, server):
    Handler.failing = {"/out/part-3.conll"}
    with two_processes() as client:
        tally = score(f"{server}/gold/", f"{server}/out/*.conll", client=client)
    assert numbers(tally) == numbers(in_memory(*sides_of_cluster))
    for number in range(N_SHARDS):
        assert Handler.asked[f"/gold/part-{number}.conll"] == 1 + (number == 3)
        assert Handler.asked[f"/out/part-{number}.conll"] == 1 + (number == 3)


@pytest.mark.slow
def test_what_an_http_server_lacks_or_has_wrong_is_told_by_its_url(
    sides_of_cluster, server, tmp_path
):
    (tmp_path / "out" / "part-1.conll").write_text("#begin document (x);\nx 0 0 Ada (1\n")
    with two_processes() as client:
        with pytest.raises(InputError, match=rf"{server}/out/part-1\.conll:2: entity 1 opens here"):
            score(f"{server}/gold/", f"{server}/out/", client=client)
        with pytest.raises(InputError, match=rf"{server}/none/: no file"):
            score(f"{server}/none/", f"{server}/out/", client=client)


# Scoring on a cluster is scoring two folders in memory, to the bit; here in threads ---------------


@pytest.fixture
def sides_of_scoring(tmp_path):
    """Three shards of two documents a side."""
    names = [("a", "b"), ("c", "d"), ("e", "f")]
    key = [[document(name) for name in shard] for shard in names]
    response = [[document(name, OTHERS) for name in shard] for shard in names]
    return write_shards(tmp_path / "gold", key), write_shards(tmp_path / "out", response)


def refused(*arguments, **options):
    with pytest.raises(InputError) as raised:
        score(*arguments, **options)
    return str(raised.value)


def test_shards_are_scored_as_two_folders(client, sides_of_scoring):
    expected = in_memory(*sides_of_scoring)
    for key, response in (sides_of_scoring, [f"{side}/*.conll" for side in sides_of_scoring]):
        tally = score(key, response, client=client)
        assert numbers(tally) == numbers(expected)
        assert tally.warnings == ()
        assert tally.metrics == expected.metrics
    with pytest.raises(PolicyError, match="singletons"):
        score(*sides_of_scoring, client=client, singletons="sometimes")


def test_one_file_a_side_keeps_the_names_of_its_documents(client, sides_of_scoring):
    files = f"{sides_of_scoring[0]}/part-0.conll", f"{sides_of_scoring[1]}/part-1.conll"
    shutil.copy(f"{sides_of_scoring[1]}/part-0.conll", files[1])
    tally = score(*files, client=client)
    assert tally.documents == ("a", "b")
    assert numbers(tally) == numbers(in_memory(*files))


def with_minimum_spans(name):
    plain = document(name)
    spans = [(start, start + 1) for start, _ in plain.spans.tolist()]
    return replace(plain, attributes=Attributes.of(len(spans), minimum=spans))


def test_minimum_spans_in_some_shards_only_are_refused_where_mentions_match_by_them(
    client, tmp_path
):
    response = write_shards(tmp_path / "out", [[document("a", OTHERS)], [document("b", OTHERS)]])
    some = write_shards(tmp_path / "some", [[with_minimum_spans("a")], [document("b")]], "jsonl")
    assert numbers(score(some, response, client=client)) == numbers(in_memory(some, response))
    said = refused(some, response, client=client, match="partial")
    assert said.startswith(f"{some}: minimum spans in some files only, under match 'partial'")
    shards = [[with_minimum_spans(name)] for name in ("a", "b")]
    sides_of_scoring = write_shards(tmp_path / "all", shards, "jsonl"), response
    tally = score(*sides_of_scoring, client=client, match="partial")
    assert numbers(tally) == numbers(in_memory(*sides_of_scoring, match="partial"))


def test_a_metric_of_ones_own_is_sent_along(client, sides_of_scoring):
    own = replace(METRICS[0], id="own", counts=lambda table: METRICS[0].counts(table))
    tally = score(*sides_of_scoring, client=client, metrics=[own])
    assert tally["own"] == tally["own"]
    assert tally["own"].f1 == in_memory(*sides_of_scoring)["muc"].f1
    assert tally.metrics[0] is own


def test_gzipped_shards_belong_to_plain_ones_of_their_names(client, sides_of_scoring, tmp_path):
    for number in range(3):
        plain = tmp_path / "out" / f"part-{number}.conll"
        plain.with_suffix(".conll.gz").write_bytes(gzip.compress(plain.read_bytes()))
        plain.unlink()
    assert numbers(score(*sides_of_scoring, client=client)) == numbers(in_memory(*sides_of_scoring))


def test_a_document_in_two_shards_is_refused_as_in_a_folder(client, sides_of_scoring, tmp_path):
    copy = tmp_path / "gold" / "part-1.conll.gz"
    copy.write_bytes(gzip.compress((tmp_path / "gold" / "part-1.conll").read_bytes()))
    said = refused(*sides_of_scoring, client=client)
    with pytest.raises(InputError) as raised:
        corescore.read(sides_of_scoring[0])
    assert said == str(raised.value)
    assert "a second document 'part-1/c'" in said


def poison(tmp_path, *numbers):
    for number in numbers:
        (tmp_path / "out" / f"part-{number}.conll").write_text(BROKEN)


def test_the_problems_of_all_shards_are_told_in_order(client, sides_of_scoring, tmp_path):
    poison(tmp_path, 2, 0)
    lines = refused(*sides_of_scoring, client=client).splitlines()
    for number, said in zip((0, 2), lines, strict=True):
        assert said.startswith(f"{sides_of_scoring[1]}/part-{number}.conll:2: entity 1 opens")
    poison(tmp_path, 1)
    assert len(refused(*sides_of_scoring, client=client, keep_going=True).splitlines()) == 3


def test_keeping_going_leaves_the_poisoned_shard_out_and_says_so(
    client, sides_of_scoring, tmp_path
):
    poison(tmp_path, 1)
    tally = score(*sides_of_scoring, client=client, keep_going=True)
    for side in ("out", "gold"):
        (tmp_path / side / "part-1.conll").unlink()
    assert numbers(tally) == numbers(in_memory(*sides_of_scoring))
    (warning,) = tally.warnings
    assert warning.startswith(f"{sides_of_scoring[1]}/part-1.conll:2: ")
    assert warning.endswith("Its shard is left out.")


def test_a_folder_and_a_file_do_not_belong_together(client, sides_of_scoring):
    said = refused(sides_of_scoring[0], f"{sides_of_scoring[1]}/part-0.conll", client=client)
    assert "a file; expected a folder or a pattern, as the key" in said


def test_a_worker_of_another_version_is_refused(sides_of_scoring):
    key, response = (Piece(open_shards(side, {}).sources[0]) for side in sides_of_scoring)
    (refusal,) = Work(version="0.0")(Task(0, ((key,), (response,)))).errors_of(1)
    assert "a worker with corescore" in str(refusal)


# Files are found and read alike wherever they are stored ------------------------------------------


@pytest.fixture
def folder(tmp_path):
    for name in ("b.conll", "a.conll.gz", ".hidden", "notes.txt"):
        (tmp_path / name).write_text(name)
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "c.conll").write_text("c")
    return tmp_path


def files_at(place):
    """The files of a place by their paths in it."""
    return {
        source.prefix + name: file
        for source in open_shards(place, {}).sources
        for name, file in source.files.items()
    }


def test_a_folder_has_its_files_in_order_and_a_pattern_those_that_match(folder):
    found = files_at(str(folder))
    assert [*found] == ["a.conll.gz", "b.conll", "notes.txt"]
    assert found["b.conll"].name == str(folder / "b.conll")
    assert [source.stem for source in open_shards(str(folder), {}).sources] == ["a", "b", "notes"]
    assert [*files_at(f"{folder}/*.conll*")] == ["a.conll.gz", "b.conll"]
    assert [*files_at(f"{folder}/**/*.conll")] == ["b.conll", "inner/c.conll"]


def test_files_are_named_as_they_were_written(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for place, name in (("*.conll", "b.conll"), ("./*.conll", "b.conll"), (".", "b.conll")):
        file = files_at(place)["b.conll"]
        assert file.name == name
        assert bytes_of(file, {}) == b"b.conll"


def test_one_file_stands_alone_even_with_a_bracket_in_its_name(tmp_path):
    path = tmp_path / "[gold]" / "key[1].conll"
    path.parent.mkdir()
    path.write_bytes(b"text")
    assert open_shards(str(path), {}).sources[0].stem == ""
    assert [bytes_of(file, {}) for file in files_at(str(path)).values()] == [b"text"]
    assert [*files_at(str(path.parent))] == ["key[1].conll"]


def test_urls_of_every_file_system_are_read():
    fsspec.filesystem("memory").pipe({"/test-files/gold/a.conll": b"a", "/test-files/b": b"b"})
    for place in ("memory://test-files/gold", "memory://test-files/gold/*.conll"):
        (file,) = files_at(place).values()
        assert file.name == "memory://test-files/gold/a.conll"
        assert bytes_of(file, {}) == b"a"


def test_a_place_that_cannot_be_read_is_refused(tmp_path, monkeypatch):
    monkeypatch.setitem(known_implementations, "s4", {"class": "s4fs.S4", "err": "Install s4fs"})
    (tmp_path / "empty").mkdir()
    for place, said in (
        ("s4://b/x", "s4://b/x: a URL that needs a package; expected Install"),
        ("nonsense://x", "no file that .*nonsense"),
        (str(tmp_path / "empty"), "no files"),
        (f"{tmp_path}/*.conll", "no files"),
    ):
        with pytest.raises(InputError, match=said):
            files_at(place)
    (file,) = files_at(str(tmp_path / "none.conll")).values()
    with pytest.raises(InputError, match=r"none.conll: no file .*\(No such file"):
        bytes_of(file, {})


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "a.conll"
    path.write_bytes(b"text")
    return files_at(str(path))["a.conll"]


def test_a_file_that_changes_while_it_is_read_is_refused(file, monkeypatch):
    read = LocalFileSystem.cat_file

    def grow(self, path, **options):
        data = read(self, path, **options)
        Path(path).write_bytes(b"another text")
        return data

    monkeypatch.setattr(LocalFileSystem, "cat_file", grow)
    with pytest.raises(InputError, match=r"a\.conll: .* changed"):
        bytes_of(file, {})


def test_what_may_pass_is_another_error_that_the_cluster_tries_again(file, monkeypatch):
    def fail(self, path, **options):
        raise TimeoutError("the disk is asleep")

    monkeypatch.setattr(LocalFileSystem, "cat_file", fail)
    with pytest.raises(UnreadableError, match=r"\(the disk is asleep\)"):
        bytes_of(file, {})


# However a corpus is cut into files and whoever counts it: the same to the bit, and in ------------

N_SHARDS_OF_RANDOM_SPLITS = 3
NAMES = tuple(f"d{number}" for number in range(5))
POLICIES = st.fixed_dictionaries(
    {},
    optional={
        "singletons": st.sampled_from(("keep", "drop")),
        "missing_documents": st.sampled_from(("empty", "skip", "error")),
        "match": st.sampled_from(("exact", "head")),
        "average": st.sampled_from(("macro", "scorch", "stanza")),
        "repeats": st.sampled_from(("first", "all", "error")),
        "words": st.sampled_from(("error", "ignore", "align")),
    },
)


@st.composite
def corpora(draw, moves):
    """For each side a list of documents a shard: some have other words or mentions listed twice;
    if one `moves`, some lack and some stand in another shard than their partner."""
    key = [[] for _ in range(N_SHARDS_OF_RANDOM_SPLITS)]
    response = [[] for _ in range(N_SHARDS_OF_RANDOM_SPLITS)]
    lacks = moves and draw(st.booleans())
    for name in draw(st.permutations(NAMES)):
        shard = draw(st.integers(0, N_SHARDS_OF_RANDOM_SPLITS - 1))
        sides = draw(partition_pairs(max_mentions=6))
        words = [f"{name}w{at}" for at in range(8)]
        other = [*words]
        if draw(st.integers(0, 9)) == 0:
            other[0] = "another"
        if not (lacks and draw(st.booleans())):
            key[shard].append(_document(name, sides[0], words))
        if not (lacks and draw(st.booleans())):
            shard = draw(st.integers(0, N_SHARDS_OF_RANDOM_SPLITS - 1)) if moves else shard
            twice = draw(st.booleans())
            response[shard].append(_document(name, sides[1], other, twice=twice))
    return key, response


def _document(name, partition, words, *, twice=False):
    entities = [[(m, m + 1) for m in sorted(entity)] for entity in partition]
    if twice and entities and entities[0]:
        entities.append([entities[0][0], (7, 8)])
    return Document.of_entities(name, entities, words=words)


def outcome(scored, *arguments, **options):
    """All that a user sees of it: numbers, and what is said."""
    try:
        tally = scored(*arguments, **options)
    except InputError as error:
        return None, str(error).splitlines()
    means = {name: repr(score) for name, score in tally.means.items()}
    return (numbers(tally), means), tally.warnings


# The threads of the cluster draw random numbers of their own, for the names of tasks.
quiet = pytest.mark.filterwarnings("ignore:Do not use the `random` module")


def outcomes(client, sides, policies):
    with tempfile.TemporaryDirectory() as folder:
        places = [
            write_shards(Path(folder, name), shards)
            for name, shards in zip(("gold", "out"), sides, strict=True)
        ]
        assume(any(sides[0]) and any(sides[1]))
        yield outcome(in_memory, *places, **policies)
        yield outcome(score, *places, client=client, **policies)


@pytest.mark.slow
@quiet
@settings(max_examples=15)
@given(corpora(moves=False), POLICIES)
def test_a_cluster_says_what_scoring_in_memory_says(client, sides, policies):
    expected, found = outcomes(client, sides, policies)
    assert found == expected


@pytest.mark.slow
@quiet
@settings(max_examples=15)
@given(corpora(moves=True), POLICIES)
def test_documents_find_their_partners_in_other_shards(client, sides, policies):
    """They are counted last, so of many they are the last that are named as examples."""
    (expected, lines), (found, others) = outcomes(client, sides, policies)
    assert found == expected
    assert len(others) == len(lines)
    assert expected is not None or sorted(others) == sorted(lines)


@pytest.mark.slow
@quiet
def test_the_only_documents_find_each_other_in_other_shards_by_their_texts(client, tmp_path):
    key, response = (
        [_document(name, [{0, 1}], [*"abcdefgh"[at:], name])] for at, name in enumerate(NAMES[:2])
    )
    places = [
        write_shards(tmp_path / name, shards)
        for name, shards in (("gold", [[], key, []]), ("out", [response, [], []]))
    ]
    expected = outcome(in_memory, *places, words="align")
    assert expected[0] is not None
    assert outcome(score, *places, client=client, words="align") == expected


# Randomisation and bootstrap on a cluster have the results of one process, to the bit -------------


@pytest.mark.slow
def test_randomisation_is_the_same(client):
    key, a = synthesise(
        Shape(documents=300, words=120, mentions=12, entities=4), np.random.default_rng(1)
    )
    half = len(key) // 2
    b = corescore.Corpus((*key.documents[:half], *a.documents[half:]))
    results = [corescore.score(key, response).tally for response in (a, b)]
    drawn = {"trials": 8000, "seed": 3}
    assert len([*blocks_of(Exchanges, len(key), **drawn)]) == 3
    expected = randomisation(*results, **drawn)
    found = randomisation(*results, **drawn, run=OnCluster(client))
    assert found.p.tobytes() == expected.p.tobytes()
    assert found.p_holm.tobytes() == expected.p_holm.tobytes()
    assert (expected.p[0] < 0.01).all()


@pytest.mark.parametrize("name", [name for name in PUBLIC if name.startswith("corescore.distr")])
def test_the_examples_in_docstrings_are_true(name, client, monkeypatch):
    monkeypatch.chdir(bundled("sample_data"))
    assert failures(name, client=client) == ""
