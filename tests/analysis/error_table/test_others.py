"""What another response makes of the mentions with an error."""

import pytest

import corescore
from corescore import Corpus, Document, Result
from corescore.analysis.error_table.rows import with_other
from corescore.analysis.errors.classes import CORRECT
from tests.support.error_links import write_hard_data, write_zeros

WORDS = ["Ann", "saw", "the", "old", "dog", "and", "it", "barked", "at", "her", "cat"]
KEY = [[(0, 1), (9, 10)], [(2, 5), (6, 7)], [(9, 11), (4, 5)]]


def scored(entities, **policies) -> Result:
    key, response = (
        Corpus((Document.of_entities("d", of, words=WORDS),)) for of in (KEY, entities)
    )
    return corescore.score(key, response, **policies)


def classes(result: Result, other: Result) -> dict[tuple[int, int], str | None]:
    """What the other makes of each mention with an error; None where it does not have it."""
    table = with_other(result.error_table, result, other)
    spans = zip(table["start"], table["end"], strict=True)
    said = table["other"].astype(object).where(table["other"].notna(), None)
    return dict(zip(spans, said, strict=True))


def test_a_mention_of_the_key_is_the_same_whatever_words_the_responses_give_it() -> None:
    one = scored([[(0, 1), (6, 7)], [(3, 5), (9, 10)]])
    other = scored([[(0, 1), (9, 10)], [(2, 5)], [(9, 11), (6, 7)]])
    assert classes(one, other) == {
        (0, 1): "correct",
        (2, 5): "unlinked",
        (4, 5): "missing",
        (6, 7): "incorrectly resolved",
        (9, 10): "correct",
        (9, 11): "incorrectly resolved",
    }


def test_a_spurious_mention_is_the_same_where_the_words_are() -> None:
    one = scored([*KEY, [(1, 2), (5, 6)], [(3, 4), (8, 9)]])
    other = scored([*KEY, [(1, 2), (3, 5)]])
    assert classes(one, other) == {(1, 2): "spurious", (5, 6): None, (3, 4): None, (8, 9): None}


def test_a_mention_listed_again_is_duplicated_where_the_other_lists_it_again() -> None:
    one = scored([*KEY, [(0, 1), (6, 7), (3, 4)], [(3, 4), (5, 6)]])
    again = scored([*KEY, [(0, 1), (3, 4)]])
    found = {span: said for span, said in classes(one, again).items() if span in [(0, 1), (6, 7)]}
    assert found == {(0, 1): "duplicated", (6, 7): "correct"}
    listed = with_other(one.error_table, one, again).query("`class` == 'duplicated' and start == 3")
    assert listed["other"].tolist() == ["spurious"]


@pytest.mark.parametrize("write", [write_hard_data, write_zeros])
@pytest.mark.parametrize("match", ["exact", "head", "partial"])
def test_what_one_has_wrong_and_the_other_correct_is_what_the_pair_counts(
    tmp_path, write, match
) -> None:
    key, *files = map(corescore.read, write(tmp_path))
    a, b = (corescore.score(key, file, match=match, words="ignore") for file in files)
    counted = a.compare(b).mentions("lea")["outcome"].value_counts()
    of_key = "class:unlinked,incorrectly-resolved,span-error,missing"
    assert len(b.find(f"{of_key} other:correct", other=a)) == counted["only A correct"]
    assert len(a.find(f"{of_key} other:correct", other=b)) == counted["only B correct"]
    for one, other in ((a, b), (b, a)):
        assert len(one.find(f"{of_key} other:wrong", other=other)) == counted["both wrong"]


def test_beside_itself_each_mention_has_the_class_that_it_has() -> None:
    one = scored([[(0, 1), (6, 7)], [(3, 5), (9, 10), (1, 2)], [(1, 2), (5, 6)]])
    table = with_other(one.error_table, one, one)
    assert (table["other"].astype(str) == table["class"].astype(str)).all()
    assert (table["class"] != CORRECT).sum() == len(one.find("class:wrong"))


def test_results_over_other_keys_are_refused() -> None:
    other = corescore.score_entities([{1, 2}], [{1}, {2}])
    with pytest.raises(ValueError, match="over other keys"):
        scored(KEY).find(other=other)
