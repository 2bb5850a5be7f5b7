"""What each preset says of files that lack what it needs: by column or field, never in silence."""

import re

import pytest

from corescore import Corpus, Document, InputError, preset, score
from corescore.scoring.presets import PRESETS

WORDS = tuple("abcdefgh")
KEY = [(0, 1, 0), (3, 5, 0), (4, 6, 1)]
RESPONSE = [(0, 1, 0), (4, 5, 0)]


def corpus(rows, words=WORDS, *, names="d"):
    return Corpus(tuple(Document.of_rows(name, rows, words=words) for name in names))


def said(name, key, response, **policies):
    """The warnings, or the refusal."""
    try:
        return " ".join(score(key, response, **preset(name, **policies)).warnings)
    except InputError as error:
        return f"refused: {error}"


@pytest.mark.parametrize("name", PRESETS)
def test_heads(name):
    found = said(name, corpus(KEY), corpus(RESPONSE))
    needs = PRESETS[name].policies.match == "head"
    assert ("does not name the head of any mention (CoNLL-U: the field 'head'" in found) == needs
    assert bool(found) == needs


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("policy", [{"mentions": "np-only"}, {"match": "min-span"}])
def test_a_parse(name, policy):
    found = said(name, corpus(KEY), corpus(RESPONSE), **policy)
    assert "refused" in found
    assert re.search(r"'d' without a parse; .* column 6", found)


@pytest.mark.parametrize("name", PRESETS)
def test_the_same_words(name):
    found = said(name, corpus(KEY), corpus(RESPONSE, words=tuple("abcdefgx")))
    if PRESETS[name].policies.words == "ignore":
        assert "compared by position" in found
    else:
        assert "refused" in found
        assert "has 'x' as word 8; expected 'h'" in found


@pytest.mark.parametrize("name", PRESETS)
def test_a_document(name):
    found = said(name, corpus(KEY, names="de"), corpus(RESPONSE))
    expected = {
        "empty": "('e') of the key: scored as",
        "skip": "('e') of the key: left out",
        "error": "refused: response: no document 'e'",
    }
    assert expected[PRESETS[name].policies.missing_documents] in found


@pytest.mark.parametrize("name", PRESETS)
def test_mentions(name):
    assert "response has no mentions" in said(name, corpus(KEY), corpus([]))
