"""The words around mentions and their antecedents."""

import corescore
from corescore.analysis.error_table.table import contexts, error_table
from corescore.corpus.files import read_bytes
from tests.support import gaps

TEXT = ["Ann", "met", "Bo", "and", "Eve", ".", "She", "gave", "him", "her", "old", "book", "."]


def compared(key, response, words=TEXT):
    sides = (
        corescore.Corpus((corescore.Document.of_entities("d", side, words=words),))
        for side in (key, response)
    )
    return corescore.score(*sides).comparison


def told(comparison, words=3):
    table = error_table(comparison)
    return table.join(contexts(comparison, table, words=words)).set_index("mention")


def test_mentions_and_both_antecedents_stand_between_the_words_around_them():
    comparison = compared([[(0, 1), (6, 7)], [(4, 5)]], [[(0, 1)], [(4, 5), (6, 7)]])
    she = told(comparison).loc["She"]
    assert (she["mention_before"], she["mention_after"]) == ("and Eve .", "gave him her")
    assert (she["given"], she["given_before"], she["given_after"]) == (
        "Eve",
        "met Bo and",
        ". She gave",
    )
    assert (she["antecedent"], she["antecedent_before"], she["antecedent_after"]) == (
        "Ann",
        "",
        "met Bo and",
    )


def test_without_an_antecedent_and_at_the_end_of_the_text_there_is_nothing():
    rows = told(compared([[(11, 13)]], [[(2, 3)]]))
    assert set(rows["given_before"]) == set(rows["antecedent_after"]) == {""}
    assert rows.loc["book .", "mention_after"] == ""
    assert rows.loc["book .", "mention_before"] == "him her old"


def test_the_index_is_that_of_the_rows_and_no_row_has_no_context():
    comparison = compared([[(0, 1)]], [[(2, 3)]])
    table = error_table(comparison)
    assert list(contexts(comparison, table.iloc[[1]]).index) == [1]
    assert contexts(comparison, table.iloc[:0]).empty


def test_names_of_mentions_are_no_context():
    comparison = corescore.score_entities([{"a", "b"}, {"c"}], [{"b", "c"}]).comparison
    assert set(contexts(comparison, error_table(comparison)).to_numpy().ravel()) == {""}


def test_words_that_are_not_in_the_text_are_shown_as_such():
    sides = (read_bytes(side, name) for side, name in ((gaps.KEY, "k"), (gaps.RESPONSE, "r")))
    comparison = corescore.score(*sides).comparison
    around = contexts(comparison, error_table(comparison), words=30)
    assert any("∅" in text for text in around.to_numpy().ravel())
