"""Notes on rows: their values, their files, and how far two annotators agree."""

import math
from fractions import Fraction
from multiprocessing import get_context

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import InputError, read
from corescore.analysis.error_table.notes import (
    Note,
    Notes,
    agreement,
    merged,
    notes_as_csv,
    notes_as_json,
    notes_of,
    notes_path,
    read_notes,
    tag_counts,
    tags_in,
    unknown_rows,
    update_notes,
    with_notes,
)
from corescore.corpus.packed import NOTES_ENDING

NAMES = ("d:0-1:b", "d:2-4:k", "x/y:5-6:r:2")
TABLE = pd.DataFrame({"id": NAMES, "cost_conll": [0.5, 0.25, -0.125]})
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=12)
NOTES = st.builds(
    Note,
    id=TEXTS.filter(bool),
    tags=TEXTS.map(tags_in),
    text=TEXTS,
)


def refusal(data: str) -> str:
    with pytest.raises(InputError) as caught:
        notes_of(data.encode(), "a.json")
    return str(caught.value)


@given(st.lists(NOTES))
def test_notes_come_back_from_both_kinds_of_file_as_they_were(given_notes):
    notes = Notes.of(given_notes)
    for written in (notes_as_json(notes), notes_as_csv(notes)):
        assert notes_of(written.encode(), "f").by_id == dict(notes.by_id)


def test_each_note_stands_in_a_line_of_its_own():
    notes = Notes.of([Note("a", ("x",), "two\nlines"), Note("b")])
    assert notes_as_json(notes).count("\n") == 4


def test_commas_divide_tags_and_blanks_and_quotes_are_none_of_them():
    assert tags_in(' world  knowledge, "odd",, odd ') == ("world knowledge", "odd")


def test_a_later_note_replaces_the_one_before_and_a_removed_one_is_not_seen():
    notes = Notes().with_note(Note("a", ("x",))).with_note(Note("a", ("y",)))
    assert notes.tags == ("y",)
    assert len(notes.without("a")) == 0


def test_tags_stand_by_how_often_they_are_given():
    assert Notes.of([Note("1", ("b",)), Note("2", ("a", "c")), Note("3", ("c",))]).tags == (
        *("c", "a", "b"),
    )


def test_the_columns_join_by_id():
    notes = Notes.of([Note(NAMES[1], ("x", "y"), "why"), Note(NAMES[2]), Note("elsewhere", ("x",))])
    joined = with_notes(TABLE, notes)
    assert joined["tag"].tolist() == ["", "x, y", ""]
    assert joined["note"].tolist() == ["", "why", ""]
    assert joined["seen"].tolist() == [False, True, True]


def test_without_notes_the_columns_are_empty():
    joined = with_notes(TABLE, Notes())
    assert joined[["tag", "note", "seen"]].values.tolist() == [["", "", False]] * 3
    assert len(with_notes(TABLE.iloc[:0], Notes.of([Note("a", ("x",))]))) == 0


def test_counts_and_costs_of_tags_are_those_of_the_rows_in_the_table():
    notes = Notes.of(
        [Note(NAMES[0], ("x",)), Note(NAMES[2], ("y", "x")), Note("elsewhere", ("x", "z"))]
    )
    counts = tag_counts(TABLE, notes)
    assert counts.values.tolist() == [["x", 2, 0.375], ["y", 1, -0.125]]
    assert tag_counts(TABLE, Notes()).empty


def test_rows_that_the_data_lack_are_told_and_kept():
    notes = Notes.of([Note("gone:1-2:k", ("x",)), Note(NAMES[0])])
    (warning,) = unknown_rows(notes, NAMES, "a.json")
    assert "a.json: 1 note about rows that these data do not have, such as 'gone:1-2:k'" in warning
    assert unknown_rows(notes.of_rows(NAMES), NAMES, "a.json") == ()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("", "a.json:1: the columns nothing; expected id, tag and note at least"),
        ("id,tag\n", "a.json:1: the columns id, tag"),
        ("id,tag,note,tag\n", "a.json:1: a column twice"),
        ('id,tag,note\nd,x,"a\nb"\n,x,y\n', "a.json:4: a note without an id"),
        ("id,tag,note\nd,x\n", "a.json:2: a row of 2 cells; expected 3"),
        ("id,tag,note\nd,x,y,z\n", "a.json:2: a row of 4 cells"),
        ('id,tag,note\nd,"x"y,z\n', "a.json:2: a row of CSV that is broken"),
        ("id,tag,note\nd,x,\nd,y,\n", "a.json:3: a second note on 'd'"),
        ('[\n{"id": "d", "tags": ["x"', "is cut short"),
        ('[\n{"id": "d", "tags": []}\n]', "a.json:2: a note with the fields id, tags"),
        ('[{"id": "d", "tags": [], "note": "", "who": 1}]', "the fields id, note, tags, who"),
        ('[\n{"id": "d", "tags": "x", "note": ""}]', "a.json:2: the tags x"),
        ('[\n\n{"id": "d", "tags": ["x, y"], "note": ""}]', "a.json:3: the tags ['x, y']"),
        ('[{"id": "d", "tags": [" "], "note": ""}]', "a.json:1: the tags [' ']"),
        ('[{"id": 3, "tags": [], "note": ""}]', "a.json:1: a note without an id"),
        ('[{"id": "d", "tags": [], "note": 4}]', "a.json:1: a note that is no text"),
        ("[4]", "a.json:1: a note with the fields no object"),
        ("{}", "a.json:1: a note with the fields no object"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(data, told):
    assert told in refusal(data)


def test_every_bad_note_is_told():
    bad = '{"id": "", "tags": [], "note": ""}'
    assert refusal(f"[\n{bad},\n{bad}\n]").count("without an id") == 2


def test_a_list_of_errors_that_was_exported_brings_its_notes_back():
    notes = Notes.of([Note(NAMES[1], ("x", "y"), "why"), Note(NAMES[2])])
    table = with_notes(TABLE, notes).assign(signature="corescore")
    assert notes_of(table.to_csv(index=False).encode(), "errors.csv").by_id == dict(notes.by_id)
    without = table.drop(columns="seen")
    again = notes_of(without.to_csv(index=False).encode(), "errors.csv")
    assert [*again.by_id] == [NAMES[1]]  # an empty note is none where nothing says it was seen


def test_a_file_is_changed_note_by_note_and_keeps_what_others_wrote(tmp_path):
    path = notes_path(str(tmp_path / "a.conll"))
    update_notes(path, lambda notes: notes.with_note(Note("a", ("x",))))
    update_notes(path, lambda notes: notes.with_note(Note("b")))
    assert [*read_notes(path).by_id] == ["a", "b"]
    assert [file.name for file in tmp_path.iterdir()] == [f"a.conll{NOTES_ENDING}"]


def write_notes(path, name, n):
    for number in range(n):
        update_notes(path, lambda notes, at=number: notes.with_note(Note(f"{name}{at}")))


@pytest.mark.slow
def test_two_processes_that_write_one_file_lose_no_note(tmp_path):
    path = notes_path(str(tmp_path / "a.conll"))
    processes = [
        get_context("spawn").Process(target=write_notes, args=(path, name, 25)) for name in "ab"
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
        assert process.exitcode == 0
    assert set(read_notes(path).by_id) == {f"{name}{at}" for name in "ab" for at in range(25)}
    assert [file.name for file in tmp_path.iterdir()] == [f"a.conll{NOTES_ENDING}"]


def test_two_changes_of_one_note_are_merged():
    before, theirs = Note("a", ("x", "y"), "old"), Note("a", ("y", "z"), "new")
    assert merged(theirs, before, Note("a", ("x", "w"), "old")) == Note("a", ("z", "w"), "new")
    assert merged(theirs, before, Note("a", ("x", "y"), "own")) == Note("a", ("y", "z"), "own")


def test_a_file_that_cannot_be_read_stays_as_it_is(tmp_path):
    path = tmp_path / "notes.json"
    path.write_text("[{]")
    with pytest.raises(InputError):
        update_notes(str(path), lambda notes: notes.with_note(Note("a")))
    assert path.read_text() == "[{]"


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        update_notes(str(tmp_path / "none" / "a.json"), lambda notes: notes)


def test_notes_in_a_folder_of_documents_are_no_document(tmp_path):
    document = '{"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}\n'
    (tmp_path / "d.jsonl").write_text(document)
    update_notes(notes_path(str(tmp_path / "d.jsonl")), lambda notes: notes.with_note(Note("a")))
    assert [document.name for document in read(tmp_path)] == ["d"]


# Agreement ----------------------------------------------------------------------------------------


def tagged(*rows):
    """Notes on rows 0, 1, …: their tags, None for one that was not seen."""
    return Notes.of(
        Note(str(at), tags_in(tags)) for at, tags in enumerate(rows) if tags is not None
    )


def test_kappa_is_agreement_beyond_chance_on_the_rows_both_have_seen():
    """x on 3 and on 2 of 4 rows, agreed on 3: p_e = 6/16 + 2/16, κ = (3/4 − 1/2) / (1/2)."""
    found = agreement(tagged("x", "x", "x", "", "x", None), tagged("x", "x", "", "", None, "x"))
    assert (found.rows, found.only_first, found.only_second) == (4, 1, 1)
    assert found.table.values.tolist() == [["x", 2, 1, 0, 1, 0.75, 0.5]]
    assert found.kappa == 0.5


def test_kappa_of_whole_rows_takes_a_set_of_tags_as_one_category():
    """Sets ab, a, ∅ against ba, b, ∅: p_o = 2/3, p_e = 1/9 + 1/9; κ = (2/3 − 2/9) / (7/9) = 4/7."""
    found = agreement(tagged("a, b", "a", ""), tagged("b, a", "b", ""))
    assert found.kappa == pytest.approx(float(Fraction(4, 7)))


def test_kappa_is_undefined_where_both_say_the_same_of_every_row():
    found = agreement(tagged("x", "x"), tagged("x", "x"))
    assert math.isnan(found.kappa)
    assert found.table["agreement"].tolist() == [1.0]
    assert found.table["kappa"].isna().all()


def test_without_a_row_that_both_have_seen_nothing_is_told():
    for first, second in ((Notes(), Notes()), (tagged("x"), tagged(None, "y"))):
        found = agreement(first, second)
        assert found.rows == 0
        assert math.isnan(found.kappa)
        assert found.table[["agreement", "kappa"]].isna().all(axis=None)
        assert len(found.table) == len({*first.tags, *second.tags})


@given(st.lists(st.tuples(st.sampled_from(["", "a", "b", "a, b"]), st.sampled_from(["", "a"]))))
def test_kappa_is_symmetric_and_at_most_one(rows):
    first, second = (tagged(*(pair[at] for pair in rows)) for at in (0, 1))
    one, other = agreement(first, second), agreement(second, first)
    assert one.kappa == pytest.approx(other.kappa, nan_ok=True)
    assert math.isnan(one.kappa) or -1 <= one.kappa <= 1
