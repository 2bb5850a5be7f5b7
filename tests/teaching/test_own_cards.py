"""Cards of one's own: files, links, and what is wrong with them."""

import json
from base64 import urlsafe_b64encode

import pytest

from corescore import InputError
from corescore.teaching.own import (
    OwnCard,
    card_in_link,
    card_of_link,
    cards_text,
    of_toys,
    read_cards,
)
from corescore.teaching.toy import Toy

CARD = OwnCard(
    "Zwei Hälften", "Both halves, or one?", "Half has 1 of 6 links.", "{abcd}", "{ab}{cd}", "{ab}"
)
TEXTS = {"title": "T", "question": "Q?", "reason": "R."}


def written(tmp_path, text):
    path = tmp_path / "cards.json"
    path.write_text(text, encoding="utf-8")
    return str(path)


def problem_of(tmp_path, text):
    with pytest.raises(InputError) as caught:
        read_cards(written(tmp_path, text))
    (problem,) = caught.value.problems
    return problem


def test_a_card_comes_back_from_a_file_and_a_link(tmp_path):
    other = OwnCard("T", "Q?", "R.", "{ab}\n{c}", "{a}\n{c}", "{ab}\n{}", "entities")
    assert read_cards(written(tmp_path, cards_text([CARD, other]))) == (CARD, other)
    assert card_of_link(card_in_link(CARD)) == CARD
    assert CARD.id != other.id


def test_a_card_is_judged_and_scored_like_any_other():
    pitfall = CARD.pitfall
    assert pitfall.case.better == "A"  # 2 of 6 links instead of 1, none wrong
    assert pitfall.by("entities").case.better == "the same"
    assert pitfall.why(pitfall.case) == CARD.reason
    assert pitfall.case.first("lea") == "A"


def test_a_card_is_made_of_two_states_of_the_sandbox():
    before, after = Toy.of("{abc}{d}", "{ab}{c}"), Toy.of("{abc}{d}", "{abcd}")
    card = of_toys(before, after, texts=TEXTS, criterion="entities")
    assert card.pitfall.case.a.toys[0].response == (("a", "b"), ("c",))
    assert card.pitfall.case.b.toys[0].response == (tuple("abcd"),)
    with pytest.raises(InputError, match="mention 'a1'"):
        of_toys(Toy.of("{a1 b}", "{}"), Toy.of("{a1 b}", "{b}"), texts=TEXTS, criterion="links")


def test_a_file_that_is_no_json_is_told_by_its_line(tmp_path):
    problem = problem_of(tmp_path, '{"cards": [\n  {"title": }\n]}')
    assert (problem.line, problem.file.endswith("cards.json")) == (2, True)


@pytest.mark.parametrize("text", ["[]", "{}", '{"cards": []}', '{"cards": {"title": "T"}}'])
def test_a_file_without_cards_is_refused(tmp_path, text):
    assert problem_of(tmp_path, text).found == "no list 'cards'"


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"title": " "}, "nothing"),
        ({"reason": "x" * 1001}, "1,001 letters"),
        ({"reason": 3}, "no text as 'reason'"),
        ({"colour": "red"}, "an unknown 'colour'"),
        ({"criterion": "beauty"}, "the criterion 'beauty'"),
        ({"a": "{ab}\n{cd}"}, "documents of key: 1, a: 2, b: 1"),
        ({"key": "{a1 b}"}, "the mention 'a1'"),
        ({"b": "{" + " ".join("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTU") + "}"}, "47 men"),
    ],
)
def test_a_card_that_cannot_be_is_told_by_its_number(tmp_path, change, found):
    good = json.loads(cards_text([CARD]))["cards"][0]
    problem = problem_of(tmp_path, json.dumps({"cards": [good, {**good, **change}]}))
    assert "card 2" in problem.file
    assert problem.found.startswith(found)


def test_a_side_that_cannot_be_read_is_told(tmp_path):
    good = json.loads(cards_text([CARD]))["cards"][0]
    assert (
        "the side 'b'" in problem_of(tmp_path, json.dumps({"cards": [{**good, "b": "{ab"}]})).file
    )


def test_a_missing_field_and_a_missing_file_are_told(tmp_path):
    assert problem_of(tmp_path, '{"cards": [3]}').found == "no object"
    with pytest.raises(InputError, match="No such file"):
        read_cards(str(tmp_path / "none.json"))


NESTED = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize("text", [NESTED, '{"cards": [' + "1" * 5000 + "]}"])
def test_a_file_that_nests_without_end_or_holds_an_endless_number_is_refused(tmp_path, text):
    assert problem_of(tmp_path, text).found == "JSON that cannot be read"


def test_half_a_character_is_no_text_of_a_card(tmp_path):
    text = cards_text([CARD]).replace(CARD.title, "\\ud800")
    assert problem_of(tmp_path, text).found == "no text as 'title'"


@pytest.mark.parametrize(
    "value", ["", "x", "!!!", "eyJ0Ijox", "Mw", urlsafe_b64encode(NESTED.encode()).decode()]
)
def test_a_damaged_link_is_told(value):
    with pytest.raises(InputError, match=r"link|object"):
        card_of_link(value)
