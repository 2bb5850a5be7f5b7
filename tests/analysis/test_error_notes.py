"""What stands beside the rows of the error table: notes, words, lemmas, another response."""

import math
from multiprocessing import get_context

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corescore
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
from corescore.analysis.error_table.query import QueryError
from corescore.analysis.error_table.rows import with_other
from corescore.analysis.error_table.table import contexts, error_table
from corescore.analysis.errors.classes import CORRECT
from corescore.corpus.files import read_bytes
from corescore.corpus.packed import NOTES_ENDING
from tests.support import gaps
from tests.support.errors import write_hard_data, write_zeros
from tests.support.letters import LETTERS, lettered
from tests.support.letters import scored as of_letters
from tests.support.messages import message_of

# Notes on rows: their values, their files, and how far two annotators agree -----------------------

NAMES = ("d:0-1:b", "d:2-4:k", "x/y:5-6:r:2")
TABLE = pd.DataFrame({"id": NAMES, "cost_conll": [0.5, 0.25, -0.125]})
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=12)
NOTES = st.builds(
    Note,
    id=TEXTS.filter(bool),
    tags=TEXTS.map(tags_in),
    text=TEXTS,
)


BAD = '{"id": "", "tags": [], "note": ""}'


@given(st.lists(NOTES))
def test_notes_come_back_from_both_kinds_of_file_as_they_were(given_notes):
    notes = Notes.of(given_notes)
    for written in (notes_as_json(notes), notes_as_csv(notes)):
        assert notes_of(written.encode(), "f").by_id == dict(notes.by_id)


def test_notes_have_tags_and_the_last_on_a_row_counts():
    # Commas divide tags; blanks and quotes are none of them
    assert tags_in(' world  knowledge, "odd",, odd ') == ("world knowledge", "odd")
    notes = Notes().with_note(Note("a", ("x",))).with_note(Note("a", ("y",)))
    assert notes.tags == ("y",)
    assert len(notes.without("a")) == 0
    # The most frequent first
    several = Notes.of([Note("1", ("b",)), Note("2", ("a", "c"), "two\nlines"), Note("3", ("c",))])
    assert several.tags == ("c", "a", "b")
    assert notes_as_json(several).count("\n") == 5  # each in a line of its own


def test_the_columns_join_by_id():
    notes = Notes.of([Note(NAMES[1], ("x", "y"), "why"), Note(NAMES[2]), Note("elsewhere", ("x",))])
    columns = ["tag", "note", "seen"]
    joined = with_notes(TABLE, notes)[columns].values.tolist()
    assert joined == [["", "", False], ["x, y", "why", True], ["", "", True]]
    assert with_notes(TABLE, Notes())[columns].values.tolist() == [["", "", False]] * 3
    assert with_notes(TABLE.iloc[:0], notes).empty


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
    "data, told",
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
        (f"[\n{BAD},\n{BAD}\n]", "a.json:3: a note without an id"),
    ],
)
def test_a_bad_file_is_refused_with_its_lines(data, told):
    assert told in message_of(notes_of, data.encode(), "a.json")


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


def test_a_change_that_changes_nothing_writes_no_file(tmp_path):
    path = notes_path(str(tmp_path / "a.conll"))
    update_notes(path, lambda notes: notes.without("a"))
    assert not [*tmp_path.iterdir()]


def test_a_file_of_ours_goes_with_its_last_note_and_any_other_stays(tmp_path):
    path = tmp_path / f"a.conll{NOTES_ENDING}"
    note = Note("a")
    update_notes(str(path), lambda notes: notes.with_note(note))
    update_notes(str(path), lambda notes: notes.without("a"))
    assert not path.exists()
    for theirs in (f" {notes_as_json(Notes.of([note]))}", notes_as_csv(Notes.of([note]))):
        path.write_text(theirs)
        update_notes(str(path), lambda notes: notes.without("a"))
        assert path.read_text() == "[]\n"


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
    with pytest.raises(InputError, match="cannot be written"):
        update_notes(str(tmp_path / "none" / "a.json"), lambda notes: notes.with_note(Note("a")))


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
    # A set of tags is one category, ab, a, ∅ against ba, b, ∅: p_o = 2/3, p_e = 1/9 + 1/9
    found = agreement(tagged("a, b", "a", ""), tagged("b, a", "b", ""))
    assert found.kappa == pytest.approx((2 / 3 - 2 / 9) / (7 / 9))
    # undefined where both say the same of every row
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


# What another response makes of the mentions with an error ----------------------------------------


KEY = "a j | cde g | jk e"


def scored(*sides):
    """Results of responses by letters, of which d and e or j and k may be one mention."""
    return [of_letters(KEY, side) for side in sides]


def classes(result, other):
    """What the other makes of each mention with an error; None where it does not have it."""
    table = with_other(result.error_table, result, other)
    said = table["other"].astype(object).where(table["other"].notna(), None)
    letters = [LETTERS[s:e] for s, e in zip(table["start"], table["end"], strict=True)]
    return dict(zip(letters, said, strict=True))


@pytest.mark.parametrize(
    "one, other, expected",
    [
        # A mention of the key is the same whatever words the responses give it
        (
            "a g | de j",
            "a j | cde | jk g",
            {
                "a": "correct",
                "cde": "unlinked",
                "e": "missing",
                "g": "incorrectly resolved",
                "j": "correct",
                "jk": "incorrectly resolved",
            },
        ),
        # A spurious one is the same where the words are
        (
            f"{KEY} | b f | d i",
            f"{KEY} | b de",
            {"b": "spurious", "f": None, "d": None, "i": None},
        ),
    ],
)
def test_each_mention_has_its_class_in_the_other_response(one, other, expected):
    assert classes(*scored(one, other)) == expected


def test_a_mention_listed_again_is_duplicated_where_the_other_lists_it_again():
    one, again = scored(f"{KEY} | a g d | d f", f"{KEY} | a d")
    found = classes(one, again)
    assert (found["a"], found["g"]) == ("duplicated", "correct")
    listed = with_other(one.error_table, one, again).query("`class` == 'duplicated' and start == 3")
    assert listed["other"].tolist() == ["spurious"]


@pytest.mark.parametrize("write", [write_hard_data, write_zeros])
@pytest.mark.parametrize("match", ["exact", "head", "partial"])
def test_what_one_has_wrong_and_the_other_correct_is_what_the_pair_counts(tmp_path, write, match):
    key, *files = map(corescore.read, write(tmp_path))
    a, b = (corescore.score(key, file, match=match, words="ignore") for file in files)
    counted = a.compare(b).mentions("lea")["outcome"].value_counts()
    of_key = "class:unlinked,incorrectly-resolved,span-error,missing"
    assert len(b.find(f"{of_key} other:correct", other=a)) == counted["only A correct"]
    assert len(a.find(f"{of_key} other:correct", other=b)) == counted["only B correct"]
    for one, other in ((a, b), (b, a)):
        assert len(one.find(f"{of_key} other:wrong", other=other)) == counted["both wrong"]


def test_beside_itself_each_mention_has_the_class_that_it_has():
    (one,) = scored("a g | de j b | b f")
    table = with_other(one.error_table, one, one)
    assert (table["other"].astype(str) == table["class"].astype(str)).all()
    assert (table["class"] != CORRECT).sum() == len(one.find("class:wrong"))
    other = corescore.score_entities([{1, 2}], [{1}, {2}])
    with pytest.raises(ValueError, match="over different keys"):
        one.find(other=other)


# The words around mentions and their antecedents --------------------------------------------------

TEXT = ["Ann", "met", "Bo", "and", "Eve", ".", "She", "gave", "him", "her", "old", "book", "."]


def in_context(key, response, words=3):
    table = of_letters(key, response, TEXT).error_table
    return table.join(contexts(of_letters(key, response, TEXT).comparison, table, words=words))


def test_mentions_and_both_antecedents_stand_between_the_words_around_them():
    she = in_context("a g | e", "a | e g").set_index("mention").loc["She"]
    told = {
        name: (she[name], she[f"{name}_before"], she[f"{name}_after"])
        for name in ("given", "antecedent")
    }
    assert (she["mention_before"], she["mention_after"]) == ("and Eve .", "gave him her")
    assert told["given"] == ("Eve", "met Bo and", ". She gave")
    assert told["antecedent"] == ("Ann", "", "met Bo and")


def test_without_an_antecedent_and_at_the_end_of_the_text_there_is_nothing():
    rows = in_context("lm", "c").set_index("mention")
    assert set(rows["given_before"]) == set(rows["antecedent_after"]) == {""}
    assert rows.loc["book .", "mention_after"] == ""
    assert rows.loc["book .", "mention_before"] == "him her old"
    named = corescore.score_entities([{"a", "b"}, {"c"}], [{"b", "c"}])  # names are no context
    around = contexts(named.comparison, named.error_table.iloc[[1]])
    assert list(around.index) == [1]
    assert set(around.to_numpy().ravel()) == {""}
    assert contexts(named.comparison, named.error_table.iloc[:0]).empty


def test_words_that_are_not_in_the_text_are_shown_as_such():
    sides = (read_bytes(side, name) for side, name in ((gaps.KEY, "k"), (gaps.RESPONSE, "r")))
    comparison = corescore.score(*sides).comparison
    around = contexts(comparison, error_table(comparison), words=30)
    assert any("∅" in text for text in around.to_numpy().ravel())


# Lemmas in the error table, and queries for them --------------------------------------------------

WORDS_OF_LEMMAS = ["Ann", "saw", "dogs", "and", "they", "barked", "at", "her", "cats"]
LEMMAS = ["Ann", "see", "dog", "and", "they", "bark", "at", "she", "cat"]


def scored_of_lemmas(lemmas_of_key=(), lemmas_of_response=()):
    sides = (("a h | c e", lemmas_of_key), ("a e | c h | hi", lemmas_of_response))
    return corescore.score(*(lettered(of, WORDS_OF_LEMMAS, lemmas=known) for of, known in sides))


def mentions(result, query):
    return sorted(result.find(query).table["mention"])


@pytest.mark.parametrize("sides", [(LEMMAS, ()), ((), LEMMAS), (LEMMAS, LEMMAS)])
def test_lemmas_of_either_side_are_found(sides):
    result = scored_of_lemmas(*sides)
    assert mentions(result, "lemma:she") == ["her", "her cats"]
    assert mentions(result, "lemma:c*") == mentions(result, "lemma:/^she c/") == ["her cats"]
    assert mentions(result, "given.lemma:dog") == ["her"]
    assert mentions(result, "antecedent.lemma:dog") == ["they"]


def test_a_word_alone_is_a_word_or_a_lemma_and_a_regular_expression_is_of_words():
    result = scored_of_lemmas(LEMMAS)
    assert mentions(result, "she") == mentions(result, "words:she") == ["her", "her cats"]
    assert mentions(result, "cats") == mentions(result, "cat") == ["her cats"]
    assert mentions(result, "/she/") == []
    table = scored_of_lemmas([*LEMMAS[:8], ""]).error_table  # unknown ones are left out
    assert dict(zip(table["mention"], table["lemma"], strict=True))["her cats"] == "she"


def test_without_lemmas_a_word_is_a_word_and_a_query_for_lemmas_says_what_has_them():
    result = scored_of_lemmas()
    assert mentions(result, "her") == ["her", "her cats"]
    assert mentions(result, "she") == []
    assert not [name for name in result.error_table if "lemma" in name]
    with pytest.raises(QueryError, match="No open file has lemmas; CoNLL-U"):
        result.find("lemma:she")
