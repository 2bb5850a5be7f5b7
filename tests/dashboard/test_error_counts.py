"""Queries behind the counts of errors, and one word for each count in all places."""

import re

import pytest

from corescore.__main__ import main
from corescore.util import bundled
from dashboard.widgets.error_counts import (
    MOST_ASKED,
    within_entities,
)
from tests.support.pages import headlines, html, page_of

KEY, CAUTIOUS = (str(bundled("sample_data") / f"{name}.conll") for name in ("key", "cautious"))
_COUNT = re.compile(r"\b(\d[\d,]*) (mentions? with errors|mentions with [a-z]+|errors?)\b")


def counts(text):
    """Every number of errors in a text, with the word after it."""
    return {(int(n.replace(",", "")), word) for n, word in _COUNT.findall(plain(text))}


def plain(text):
    text = re.sub(r"<(style|script).*?</\1>", "", text, flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", text))


@pytest.fixture
def printed(capsys):
    """What `corescore errors` prints of response A."""

    def run(*arguments):
        assert main(["errors", KEY, CAUTIOUS, *arguments]) == 0
        return capsys.readouterr().out

    return run


@pytest.mark.slow
def test_a_number_of_errors_has_the_same_word_everywhere(printed, tmp_path):
    report = tmp_path / "report.html"
    assert main(["report", KEY, CAUTIOUS, "--sections", "errors", "--out", str(report)]) == 0
    places = {
        "report": report.read_text(encoding="utf-8"),
        "kinds in the shell": printed(),
        "list in the shell": printed("--query", ""),
        "one by one": headlines(page_of(view="errors"))[0],
        "by kind": html(page_of(view="errors", tab="by kind")),
    }
    found = {place: counts(text) for place, text in places.items()}
    errors, mentions = (1086, "errors"), (1173, "mentions with errors")
    assert found == {
        "report": {errors, mentions},
        "kinds in the shell": {errors},
        "list in the shell": {mentions},
        "one by one": {mentions},
        "by kind": {errors, mentions},
    }


def test_the_mentions_with_errors_of_a_document_are_as_many_on_text_as_in_the_shell(printed):
    text = page_of(view="text", document="news_harbour")
    line = re.search(r"Mentions with errors of A[^:]*: (.*?missing)", plain(html(text)))[1]
    by_class = {words: int(n) for n, words in re.findall(r"(\d+) ([a-z ]+[a-z])", line)}
    assert sum(by_class.values()) == 53
    for words, n in by_class.items():
        name = words.removesuffix("s").replace(" ", "-")
        listed = printed("--query", f"doc:news_harbour class:{name}")
        assert counts(listed) == {(n, "mentions with errors")}
    assert counts(printed("--query", "doc:news_harbour -class:correct")) == {
        (53, "mentions with errors")
    }


def test_entities_are_asked_for_by_their_numbers_unless_they_are_too_many():
    assert within_entities("d", [1, 4], [2]) == "doc:d (entity:1,4 or entity.response:2)"
    assert within_entities("d", [], [2]) == "doc:d entity.response:2"
    assert within_entities("d", [], []) == within_entities("d", [*range(MOST_ASKED)], [1]) == ""
