"""Names of documents that are shortened can still be told apart."""

from hypothesis import given
from hypothesis import strategies as st

from corescore.sentences.many import LONGEST, common_beginning, told_apart

SHARED = "harbour_corpus_2021_"


def test_short_names_stay():
    names = ["news_harbour", "news_library", "x" * LONGEST]
    assert told_apart(names) == {name: name for name in names}
    assert common_beginning(names) == ""


def test_what_all_names_begin_with_is_left_out():
    names = [f"{SHARED}{end}" for end in ("ferry", "ferries_and_quays", "lighthouse")]
    assert common_beginning(names) == SHARED
    assert [*told_apart(names).values()] == ["…ferry", "…ferries_and_quays", "…lighthouse"]


def test_a_long_name_loses_its_middle():
    name = "story_of_the_lighthouse_and_its_keeper"
    assert told_apart([name, "ferry"]) == {name: "story_of_the…nd_its_keeper", "ferry": "ferry"}


def test_a_narrow_column_takes_less():
    name = "story_of_the_lighthouse"
    assert told_apart([name, "ferry"]) == {name: name, "ferry": "ferry"}
    assert told_apart([name, "ferry"], longest=20)[name] == "story_of_…lighthouse"


def test_a_beginning_that_is_a_whole_name_or_hardly_anything_stays():
    assert common_beginning([SHARED, f"{SHARED}lighthouse"]) == ""
    assert common_beginning(["GUM_of_a_lighthouse_and_a_keeper", "GUM_ferry"]) == ""
    assert common_beginning([f"{SHARED}lighthouse"]) == ""


def test_names_that_would_look_alike_stay_whole():
    names = [f"begins_alike_{n}_ends_alike_too" for n in range(3)]
    assert told_apart(["other", *names]) == {name: name for name in ("other", *names)}


@given(st.lists(st.text("ab_", min_size=1, max_size=60), max_size=8), st.text("ab_", max_size=40))
def test_names_are_told_apart(ends, start):
    names = {start + end for end in ends}
    shown = told_apart(names)
    assert set(shown) == names
    assert len(set(shown.values())) == len(names)
