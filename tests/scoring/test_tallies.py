"""Tallies, their files, and the tables of results."""

import json
import math
import pickle
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corescore import Corpus, Document, InputError, PolicyError, load_tally, score
from corescore.corpus.files import read_bytes
from corescore.counting.pairing import pair_documents
from corescore.metrics import NAMED, metric_of
from corescore.metrics.own import load_metrics
from corescore.scoring.scores import Result, count
from corescore.scoring.tables import (
    change_table,
    count_table,
    difference_table,
    document_differences,
    document_summary,
    size_table,
    win_table,
)
from corescore.scoring.tally import Tally
from tests.support.own_metric import OWN_OF_OWN_METRIC as OWN
from tests.support.strategies import corpora_of, pair_corpora
from tests.support.tallies import POLICIES, bits, numbers, peak_of

# Tallies: what is kept of documents once they are counted adds up to what scoring them ------------


@given(pair_corpora(max_documents=6), st.sampled_from(POLICIES), st.data())
def test_tallies_of_batches_add_up_to_that_of_the_whole_to_the_bit(pairs, policies, data):
    key, response = corpora_of(pairs)
    whole = score(key, response, **policies)
    cuts = data.draw(st.lists(st.integers(0, len(pairs)), max_size=4).map(sorted))
    batches = [
        score(*(Corpus(side.documents[first:last]) for side in (key, response)), **policies)
        for first, last in zip([0, *cuts], [*cuts, len(pairs)], strict=True)
    ]
    added = replace(Tally.sum(batches), warnings=whole.warnings)
    assert bits(added) == bits(whole.tally)
    assert numbers(added) == numbers(whole)
    assert added.signature == whole.signature
    together = Result.sum(batches)
    assert together.table.equals(whole.table)
    assert together.per_document.equals(whole.per_document)


@given(pair_corpora(max_documents=6), st.data())
def test_rows_of_a_tally_are_those_of_scoring_these_documents(pairs, data):
    key, response = corpora_of(pairs)
    at = data.draw(st.permutations(range(len(pairs))))[: data.draw(st.integers(0, len(pairs)))]
    sides = (Corpus(tuple(side.documents[i] for i in at)) for side in (key, response))
    own = score(*sides, average="scorch").tally
    rows = score(key, response, average="scorch").rows(np.array(at, dtype=np.int64))
    assert bits(replace(rows, warnings=own.warnings)) == bits(own)
    assert numbers(rows) == numbers(own)


def notation(*documents):
    """A corpus of documents named 1, 2, …"""
    return read_bytes("\n".join(documents).encode(), "key.txt", format="notation")


def test_a_tally_of_paired_documents_is_that_of_their_scores():
    key, response = notation("{a b} {c}", "{a b c}"), notation("{a} {b c}", "{a b} {c}")
    pairing = pair_documents(key, response)
    made = score(key, response).tally
    assert bits(count(pairing).tally) == bits(replace(made, files=()))


def test_tallies_that_do_not_fit_together_do_not_add_up():
    """A sum, even of scores, and a tally have no documents."""
    scores = [score(notation("{a b}"), notation(text)) for text in ("{a} {b}", "{a b}")]
    other = replace(scores[1], documents=("2",))
    assert type(Tally.sum([scores[0], other])) is type(scores[0].tally) is Tally
    with pytest.raises(ValueError, match="both have a document '1' do not add up"):
        scores[0].tally + scores[1].tally
    with pytest.raises(ValueError, match=r"by corescore .* and 0\.0\.1 do not add"):
        scores[0].tally + replace(other.tally, version="0.0.1")
    with pytest.raises(ValueError, match="expected one or more"):
        Tally.sum([])


@pytest.mark.parametrize("blanc", ["reference", "luo2014", "recasens2011", "corefud"])
def test_a_tally_travels_to_another_process_and_back(blanc):
    key, response = notation("{a b} {c}"), notation("{a} {b c}")
    metrics = [metric_of("blanc"), *NAMED]
    tally = score(key, response, blanc=blanc, metrics=metrics).tally
    back = pickle.loads(pickle.dumps(tally))
    assert bits(back) == bits(tally)
    assert back.metrics == tally.metrics


@pytest.mark.parametrize(
    "key, other",
    [
        ("{a b} {c d}", "{a c} {b d}"),
        ("{a b} {c d}", "{a b} {c e}"),
        ("{a b}", "{a b} {c}"),
    ],
)
def test_fingerprints_tell_keys_apart_that_have_the_same_sizes(key, other):
    one, two = (notation(text).documents[0] for text in (key, other))
    assert one.fingerprint != two.fingerprint
    assert one.fingerprint == notation(key).documents[0].fingerprint


# Tallies in files: the same to the bit once they are read again, or refused in words --------------

IN_ONE_FOLDER = settings(
    max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
METADATA = b"corescore.tally"
CHANGED = "no tally, or one that was changed"


@pytest.fixture
def saved(tmp_path):
    """The path of a tally of two documents."""
    path = str(tmp_path / "a.parquet")
    score(notation("{a b} {c}", "{a b c}"), notation("{a} {b c}", "{a b} {c}")).save(path)
    return path


def changed(path, change=lambda table: table, **metadata):
    """The file with another table, and other values in its metadata."""
    table = pq.read_table(path)
    values = json.loads(table.schema.metadata[METADATA]) | metadata
    pq.write_table(change(table).replace_schema_metadata({METADATA: json.dumps(values)}), path)
    return path


def refusal(path):
    with pytest.raises(InputError) as caught:
        load_tally(path)
    (problem,) = caught.value.problems
    assert problem.file == path
    return str(problem)


NAMES = st.lists(st.text(st.characters(exclude_categories=("Cs",))), unique=True, min_size=6)


@IN_ONE_FOLDER
@given(pair_corpora(max_documents=6), st.sampled_from(POLICIES), NAMES, st.lists(st.text()))
def test_a_tally_is_the_same_to_the_bit_once_it_is_read(tmp_path, pairs, policies, names, warnings):
    made = score(*corpora_of(pairs), **policies)
    tally = replace(made.tally, documents=tuple(names[: len(pairs)]), warnings=tuple(warnings))
    for one in (tally, tally.of_documents([])):
        path = str(tmp_path / "a.parquet")
        one.save(path, force=True)
        read = load_tally(path)
        assert bits(read) == bits(one)
        assert numbers(read) == numbers(one)
        assert read.signature == one.signature


def test_a_tally_knows_the_files_it_was_scored_from_and_never_replaces_them(tmp_path):
    path, key = str(tmp_path / "a.parquet"), tmp_path / "key.parquet"
    key.write_text("{a b}")
    sides = (read_bytes(b"{a b}", file, format="notation") for file in (str(key), "r.txt"))
    result = score(*sides)
    result.save(path)
    assert load_tally(path).files == ((str(key), "r.txt"),)
    with pytest.raises(InputError, match=r"a\.parquet: .* exists"):
        result.save(path)
    with pytest.raises(InputError, match="an input"):
        result.save(str(key), force=True)


@pytest.mark.parametrize("name", ["a.csv", "a", "parquet"])
def test_a_tally_is_saved_under_no_other_ending(tmp_path, name):
    with pytest.raises(PolicyError, match=r"expected a name that ends in \.parquet"):
        score(notation("{a b}"), notation("{a} {b}")).save(str(tmp_path / name))
    assert not [*tmp_path.iterdir()]


def test_a_metric_of_ones_own_is_given_again(tmp_path):
    source, path = tmp_path / "own.py", str(tmp_path / "a.parquet")
    source.write_text(OWN)
    own = load_metrics(str(source))
    made = score(notation("{a b}"), notation("{a} {b}"), metrics=own)
    made.save(path)
    assert "a metric 'own'" in refusal(path)
    assert bits(load_tally(path, metrics=own)) == bits(made.tally)


# --- Refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"#begin document (x);", b"PAR1", b"PAR1" * 9])
def test_what_is_no_parquet_is_refused(tmp_path, content):
    path = tmp_path / "a.parquet"
    assert "no such file" in refusal(str(path))
    path.write_bytes(content)
    assert CHANGED in refusal(str(path))
    pq.write_table(pa.table({"document": ["x"]}), path)
    assert CHANGED in refusal(str(path))


@pytest.mark.parametrize(
    "metadata, said",
    [
        (
            {"format": 2, "corescore": "9.1"},
            "a tally of format 2, saved by corescore 9.1; expected format 1",
        ),
        *(
            (values, CHANGED)
            for values in (
                {"metrics": ["muc"]},
                {"metrics": {"muc": "1"}},
                {"files": ["a"]},
                {"policies": None},
                {"checksum": None},
                {"more": 1},
            )
        ),
        ({"policies": {"match": "head"}}, CHANGED),
    ],
)
def test_other_metadata_are_refused(saved, metadata, said):
    assert said in refusal(changed(saved, **metadata))


@pytest.mark.parametrize("n_parts", [100_000_000, 10**30, -1])
def test_columns_that_only_the_metadata_have_are_refused_before_they_are_listed(saved, n_parts):
    changed(saved, metrics={"muc": 1, "lea": n_parts})
    assert peak_of(load_tally, saved) < 5_000_000
    assert CHANGED in refusal(saved)


@pytest.mark.parametrize(
    "column, values",
    [
        ("words", pa.array([1.0, 2.0])),
        ("muc.1.recall_numerator", pa.array([1.0, None])),
        ("document", pa.array([1, 2])),
        *((name, None) for name in ("shared_mentions", "blanc.2.recall_numerator")),
    ],
)
def test_a_column_that_is_missing_of_another_type_or_with_nulls_is_refused(saved, column, values):
    def replaced(table):
        at = table.column_names.index(column)
        return table.remove_column(at) if values is None else table.set_column(at, column, values)

    assert CHANGED in refusal(changed(saved, replaced))


@pytest.mark.parametrize("column", ["document", "fingerprint"])
def test_a_text_that_is_written_once_for_many_rows_is_refused(saved, column):
    def long(table):
        once = pa.DictionaryArray.from_arrays(pa.array([0] * 15, pa.int32()), ["x" * 10_000_000])
        repeated = pa.concat_tables([table.slice(0, 1)] * 15)
        return repeated.set_column(table.column_names.index(column), column, once)

    assert "more than 100,000,000; " in refusal(changed(saved, long))


def test_numbers_that_are_written_once_for_many_rows_are_refused(saved):
    def long(table):
        n = 1_000_000
        zeros = pa.array(np.zeros(n, np.int8))
        texts = pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int32)), ["x"])
        columns = dict.fromkeys(table.column_names, zeros) | {
            "document": texts,
            "fingerprint": texts,
        }
        return pa.table(columns, metadata=table.schema.metadata)

    changed(saved, long)
    assert "more than 100,000,000; " in refusal(saved)


def test_values_that_were_not_saved_are_refused(saved):
    assert CHANGED in refusal(changed(saved, lambda table: table.slice(0, 1)))


@pytest.mark.parametrize("text", [b"a name", b"fingerprint"])
def test_damaged_text_is_refused(saved, text):
    """In a value, and in the name of a column: neither is read when the file is opened."""
    path = Path(saved)
    replace(load_tally(saved), documents=("a name", "b")).save(saved, force=True)
    content = path.read_bytes()
    assert text in content
    path.write_bytes(content.replace(text, b"\xff" * len(text)))
    assert CHANGED in refusal(saved)


@IN_ONE_FOLDER
@given(st.data())
def test_a_damaged_file_is_refused_or_the_same(tmp_path, data):
    path = tmp_path / "a.parquet"
    made = score(notation("{a b} {c}"), notation("{a} {b c}")).tally
    made.save(str(path), force=True)
    content = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    try:
        read = load_tally(str(path))
    except InputError:
        return
    assert bits(read) == bits(made)


# Tables say what the results hold: each figure derived by hand from one small pair ----------------

WORDS = tuple("abcdefghi")


def corpus(*documents):
    """A document for each list of entities; mention m stands at word m."""
    return Corpus(
        tuple(
            Document.of_entities(
                f"d{at}", [[(m, m + 1) for m in entity] for entity in entities], words=WORDS
            )
            for at, entities in enumerate(documents)
        )
    )


KEY = corpus([{0, 1, 2}, {3, 4, 5, 6}], [{0}])
A = score(KEY, corpus([{0, 1}, {2, 3}, {5, 6, 7, 8}], [{0}]))
B = score(KEY, KEY)


def test_sizes_tell_what_is_shared_missing_and_spurious():
    row = size_table(A).loc["d0"]
    assert (row["key_mentions"], row["response_mentions"], row["shared_mentions"]) == (7, 8, 6)
    assert (row["missing_mentions"], row["spurious_mentions"]) == (1, 2)
    assert size_table(A).loc["d1", "key_singletons"] == 1


def test_counts_stand_for_the_key_and_each_result():
    table = count_table(KEY, {"A": A, "B": B})
    assert table.index.tolist() == ["key", "A", "B"]
    assert table.loc["key", ["documents", "words", "mentions", "entities"]].tolist() == [
        2,
        18,
        8,
        3,
    ]
    assert math.isnan(table.loc["key", "shared"])
    assert table.loc["A", ["shared", "missing", "spurious"]].tolist() == [7, 1, 2]


def test_a_summary_has_the_f1_of_each_metric_and_nothing_where_nothing_is_scored():
    table = document_summary(A)
    assert table.loc["d0", "muc"] == pytest.approx(float(Fraction(2, 5)))
    assert table.loc["d0", "words"] == 9
    assert math.isnan(table.loc["d1", "muc"])


def test_differences_are_b_minus_a_and_wins_count_them():
    assert document_differences(A, B).loc["d0", "muc"] == pytest.approx(float(1 - Fraction(2, 5)))
    wins = win_table(A, B)
    assert wins.loc["muc"].to_dict() == {"a": 0, "b": 1, "ties": 0}
    assert wins.loc["bcub"].to_dict() == {"a": 0, "b": 1, "ties": 1}
    assert difference_table(A, B).loc["muc", "recall"] == pytest.approx(float(Fraction(3, 5)))
    assert (difference_table(A, A)["f1"] == 0).all()


def test_a_change_is_what_the_second_has_more_than_the_first():
    row = change_table(A, B).loc["muc"]
    for measure in ("recall", "precision", "f1"):
        before, after = getattr(A["muc"], measure), getattr(B["muc"], measure)
        assert (row[measure], row[f"{measure}_after"]) == (before, after)
        assert row[f"{measure}_change"] == after - before > 0
