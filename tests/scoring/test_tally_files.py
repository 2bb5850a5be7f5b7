"""Tallies in files: the same to the bit once they are read again, or refused in words."""

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corescore import InputError, load_tally, score
from corescore.corpus.files import read_bytes
from corescore.metrics.own import load_metrics
from tests.support.memory import peak_of
from tests.support.own_metric import OWN
from tests.support.strategies import corpora_of, pair_corpora
from tests.support.tallies import POLICIES, bits, numbers

IN_ONE_FOLDER = settings(
    max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
METADATA = b"corescore.tally"


def notation(*documents):
    return read_bytes("\n".join(documents).encode(), "key.txt", format="notation")


@pytest.fixture
def saved(tmp_path):
    """The path of a tally of two documents."""
    path = str(tmp_path / "a.parquet")
    key, response = notation("{a b} {c}", "{a b c}"), notation("{a} {b c}", "{a b} {c}")
    score(key, response).save(path)
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
    path = str(tmp_path / "a.parquet")
    tally.save(path, force=True)
    read = load_tally(path)
    assert bits(read) == bits(tally)
    assert numbers(read) == numbers(tally)
    assert read.signature == tally.signature


def test_a_tally_of_no_document_is_read_again(tmp_path):
    path = str(tmp_path / "a.parquet")
    empty = score(notation("{a}"), notation("{a}")).of_documents([])
    empty.save(path)
    assert bits(load_tally(path)) == bits(empty)


def test_a_tally_knows_the_files_it_was_scored_from(tmp_path):
    path = str(tmp_path / "a.parquet")
    key, response = (read_bytes(b"{a b}", name, format="notation") for name in ("k.txt", "r.txt"))
    score(key, response).save(path)
    assert load_tally(path).files == (("k.txt", "r.txt"),)


def test_a_file_that_exists_is_replaced_only_by_force(saved):
    tally = load_tally(saved)
    with pytest.raises(InputError, match=r"a\.parquet: .* exists"):
        tally.save(saved)
    tally.save(saved, force=True)


def test_a_file_that_was_scored_is_never_replaced(tmp_path):
    path = tmp_path / "key.txt"
    path.write_text("{a b}")
    key = read_bytes(path.read_bytes(), str(path), format="notation")
    with pytest.raises(InputError, match="an input"):
        score(key, key).save(str(path), force=True)


def test_a_metric_of_ones_own_is_given_again(tmp_path):
    source, path = tmp_path / "own.py", str(tmp_path / "a.parquet")
    source.write_text(OWN)
    own = load_metrics(str(source))
    made = score(notation("{a b}"), notation("{a} {b}"), metrics=own)
    made.save(path)
    assert "a metric 'own'" in refusal(path)
    assert bits(load_tally(path, metrics=own)) == bits(made.tally)


# --- Refused -------------------------------------------------------------------------------------


def test_a_missing_file_is_refused(tmp_path):
    assert "no such file" in refusal(str(tmp_path / "none.parquet"))


@pytest.mark.parametrize("content", [b"", b"#begin document (x);", b"PAR1", b"PAR1" * 9])
def test_what_is_no_parquet_is_refused(tmp_path, content):
    path = tmp_path / "a.parquet"
    path.write_bytes(content)
    assert "no Parquet that can be read" in refusal(str(path))


def test_another_table_is_refused(tmp_path):
    path = str(tmp_path / "a.parquet")
    pq.write_table(pa.table({"document": ["x"]}), path)
    assert "without the metadata of a tally" in refusal(path)


def test_a_later_format_is_refused(saved):
    said = refusal(changed(saved, format=2, corescore="9.1"))
    assert "a tally of format 2, saved by corescore 9.1; expected format 1" in said


@pytest.mark.parametrize("n_parts", [100_000_000, 10**30, -1])
def test_columns_that_only_the_metadata_have_are_refused_before_they_are_listed(saved, n_parts):
    changed(saved, metrics={"muc": 1, "lea": n_parts})
    assert peak_of(load_tally, saved) < 5_000_000
    assert "metadata that name" in refusal(saved)


@pytest.mark.parametrize(
    "metadata",
    [
        {"metrics": ["muc"]},
        {"metrics": {"muc": "1"}},
        {"files": ["a"]},
        {"policies": None},
        {"checksum": None},
        {"more": 1},
    ],
)
def test_metadata_of_other_types_are_refused(saved, metadata):
    assert "metadata that are not whole" in refusal(changed(saved, **metadata))


@pytest.mark.parametrize(
    "column", ["document", "words", "shared_mentions", "blanc.2.recall_numerator"]
)
def test_a_missing_column_is_refused(saved, column):
    assert f"no column '{column}'" in refusal(changed(saved, lambda table: table.drop([column])))


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("words", pa.array([1.0, 2.0])),
        ("muc.1.recall_numerator", pa.array([1.0, None])),
        ("document", pa.array([1, 2])),
    ],
)
def test_a_column_of_another_type_or_with_nulls_is_refused(saved, column, values):
    def replaced(table):
        return table.set_column(table.column_names.index(column), column, values)

    assert f"a column '{column}' of" in refusal(changed(saved, replaced))


@pytest.mark.parametrize(
    ("column", "value"), [("document", "x" * 10_000_000), ("fingerprint", "x" * 10_000_000)]
)
def test_a_text_that_is_written_once_for_many_rows_is_refused(saved, column, value):
    def long(table):
        indices = pa.array([0] * 15, pa.int32())
        texts = pa.DictionaryArray.from_arrays(indices, [value])
        at = table.column_names.index(column)
        repeated = pa.concat_tables([table.slice(0, 1)] * 15)
        return repeated.set_column(at, column, texts)

    changed(saved, long)
    assert "more than 100,000,000; " in refusal(saved)


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
    said = refusal(changed(saved, lambda table: table.slice(0, 1)))
    assert "values that are not those that were saved" in said
    assert "not those that were saved" in refusal(changed(saved, policies={"match": "head"}))


@pytest.mark.parametrize("text", ["a name", "fingerprint"])
def test_damaged_text_is_refused(tmp_path, text):
    """In a value, and in the name of a column: neither is read when the file is opened."""
    path = tmp_path / "a.parquet"
    made = score(notation("{a b} {c}"), notation("{a} {b c}")).tally
    replace(made, documents=("a name",)).save(str(path))
    content = path.read_bytes()
    assert text.encode() in content
    path.write_bytes(content.replace(text.encode(), b"\xff" * len(text)))
    assert "no Parquet" in refusal(str(path))


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
