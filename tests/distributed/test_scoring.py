"""Scoring on a cluster is scoring two folders in memory, to the bit; here in threads."""

import gzip
import shutil
from dataclasses import replace

import pytest

import corescore
from corescore import METRICS, InputError, PolicyError
from corescore.corpus.documents import Attributes
from corescore.corpus.packed import VARIABLE, unpacking_up_to
from corescore.counting.policies import DEFAULTS
from corescore.distributed import ClusterRun, count_shard, score
from tests.support.shards import BROKEN, OTHERS, document, in_memory, numbers, write_shards


@pytest.fixture
def sides(tmp_path):
    """Three shards of two documents a side."""
    names = [("a", "b"), ("c", "d"), ("e", "f")]
    key = [[document(name) for name in shard] for shard in names]
    response = [[document(name, OTHERS) for name in shard] for shard in names]
    return write_shards(tmp_path / "gold", key), write_shards(tmp_path / "out", response)


def refused(*arguments, **options):
    with pytest.raises(InputError) as raised:
        score(*arguments, **options)
    return str(raised.value)


def test_shards_are_scored_as_two_folders(client, sides):
    expected = in_memory(*sides)
    for key, response in (sides, [f"{side}/*.conll" for side in sides]):
        tally = score(key, response, client=client)
        assert numbers(tally) == numbers(expected)
        assert tally.warnings == ()
        assert tally.metrics == expected.metrics


def test_one_file_a_side_keeps_the_names_of_its_documents(client, sides):
    files = f"{sides[0]}/part-0.conll", f"{sides[1]}/part-1.conll"
    shutil.copy(f"{sides[1]}/part-0.conll", files[1])
    tally = score(*files, client=client)
    assert tally.documents == ("a", "b")
    assert numbers(tally) == numbers(in_memory(*files))


def test_policies_and_metrics_are_those_of_score(client, sides):
    asked = {"metrics": ["muc", "b3-0"], "singletons": "drop", "average": "macro"}
    tally, expected = score(*sides, client=client, **asked), in_memory(*sides, **asked)
    assert numbers(tally) == numbers(expected)
    assert str(tally.means) == str(expected.means)
    with pytest.raises(PolicyError, match="singletons"):
        score(*sides, client=client, singletons="sometimes")


def test_workers_unpack_as_much_as_the_run_was_told(client, tmp_path):
    """The limit is no longer in the environment when they do: it went with the run."""
    for name in ("gold", "out"):
        path = write_shards(tmp_path / name, [[document("a")]])
        data = (tmp_path / name / "part-0.conll").read_bytes()
        (tmp_path / name / "part-0.conll").unlink()
        (tmp_path / name / "part-0.conll.gz").write_bytes(gzip.compress(data))
    sides = str(tmp_path / "gold"), path
    with unpacking_up_to("50B"):
        told = ClusterRun.of(*sides, DEFAULTS, METRICS)
    with pytest.raises(InputError, match="more than 50; expected at most 50"):
        told.scored(client, keep_going=False)
    assert score(*sides, client=client).documents == ("part-0/a",)
    with unpacking_up_to("9kB"), pytest.MonkeyPatch.context() as environment:
        told = ClusterRun.of(*sides, DEFAULTS, METRICS)
        environment.setenv(VARIABLE, "50B")
        assert told.scored(client, keep_going=False).tally.documents == ("part-0/a",)


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
    sides = write_shards(tmp_path / "all", shards, "jsonl"), response
    tally = score(*sides, client=client, match="partial")
    assert numbers(tally) == numbers(in_memory(*sides, match="partial"))


def test_a_metric_of_ones_own_is_sent_along(client, sides):
    own = replace(METRICS[0], id="own", counts=lambda table: METRICS[0].counts(table))
    tally = score(*sides, client=client, metrics=[own])
    assert tally["own"] == tally["own"]
    assert tally["own"].f1 == in_memory(*sides)["muc"].f1
    assert tally.metrics[0] is own


@pytest.mark.slow
def test_many_shards_keep_their_order(client, tmp_path):
    n = 35
    key, response = (
        write_shards(tmp_path / side, [[document(f"d{at}", of)] for at in range(n)])
        for side, of in (("gold", [[(0, 1), (4, 5)]]), ("out", OTHERS))
    )
    assert numbers(score(key, response, client=client)) == numbers(in_memory(key, response))


def test_gzipped_shards_belong_to_plain_ones_of_their_names(client, sides, tmp_path):
    for number in range(3):
        plain = tmp_path / "out" / f"part-{number}.conll"
        plain.with_suffix(".conll.gz").write_bytes(gzip.compress(plain.read_bytes()))
        plain.unlink()
    assert numbers(score(*sides, client=client)) == numbers(in_memory(*sides))


def test_a_document_in_two_shards_is_refused_as_in_a_folder(client, sides, tmp_path):
    copy = tmp_path / "gold" / "part-1.conll.gz"
    copy.write_bytes(gzip.compress((tmp_path / "gold" / "part-1.conll").read_bytes()))
    said = refused(*sides, client=client)
    with pytest.raises(InputError) as raised:
        corescore.read(sides[0])
    assert said == str(raised.value)
    assert "a second document 'part-1/c'" in said


def test_a_poisoned_shard_is_told_with_file_and_line(client, sides, tmp_path):
    (tmp_path / "out" / "part-1.conll").write_text(BROKEN)
    said = refused(*sides, client=client)
    assert said.startswith(f"{sides[1]}/part-1.conll:2: entity 1 opens")


def test_the_problems_of_all_shards_are_told_in_order(client, sides, tmp_path):
    for number in (2, 0):
        (tmp_path / "out" / f"part-{number}.conll").write_text(BROKEN)
    first, second = refused(*sides, client=client).splitlines()
    assert "/part-0.conll:2: " in first
    assert "/part-2.conll:2: " in second


def test_keeping_going_leaves_the_poisoned_shard_out_and_says_so(client, sides, tmp_path):
    (tmp_path / "out" / "part-1.conll").write_text(BROKEN)
    tally = score(*sides, client=client, keep_going=True)
    (tmp_path / "out" / "part-1.conll").unlink()
    (tmp_path / "gold" / "part-1.conll").unlink()
    assert numbers(tally) == numbers(in_memory(*sides))
    (warning,) = tally.warnings
    assert warning.startswith(f"{sides[1]}/part-1.conll:2: ")
    assert warning.endswith("Its shard is left out.")


def test_where_no_shard_can_be_scored_keeping_going_is_no_result(client, sides, tmp_path):
    for number in range(3):
        (tmp_path / "out" / f"part-{number}.conll").write_text(BROKEN)
    assert len(refused(*sides, client=client, keep_going=True).splitlines()) == 3


def test_words_that_differ_are_refused_as_in_memory(client, sides, tmp_path):
    path = tmp_path / "out" / "part-2.conll"
    path.write_text(path.read_text().replace("waved", "smiled"))
    with pytest.raises(InputError) as raised:
        in_memory(*sides)
    assert refused(*sides, client=client) == str(raised.value)


def test_a_folder_and_a_file_do_not_belong_together(client, sides):
    said = refused(sides[0], f"{sides[1]}/part-0.conll", client=client)
    assert "a file; expected a folder or a pattern, as the key" in said


def test_a_worker_of_another_version_is_refused(sides):
    run = ClusterRun.of(*sides, DEFAULTS, METRICS)
    outcome = count_shard(run.shards[0], replace(run.job, version="0.0"))
    (refusal,) = outcome.refused
    assert "a worker with corescore" in str(refusal.error)
