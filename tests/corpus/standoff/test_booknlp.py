"""BookNLP: mentions by word numbers, on the words of a second table."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore.corpus.files import read_bytes
from tests.support.messages import message_of, refusal_of
from tests.support.together import read_every_way, refused_together, texts, zipped

HEADER = "paragraph_ID\tsentence_ID\ttoken_ID_within_document\tword\tfine_POS_tag\n"
WORDS = [
    ("Mia", "NNP", 0),
    ('"', "''", 0),
    ("gave", "VBD", 0),
    ("her", "PRP$", 0),
    ("it", "PRP", 1),
]
TOKENS = HEADER + "".join(f"0\t{s}\t{i}\t{w}\t{t}\n" for i, (w, t, s) in enumerate(WORDS))
TOP = "COREF\tstart_token\tend_token\tprop\tcat\ttext\n"
ENTITIES = TOP + "7\t0\t0\tPROP\tPER\tMia\n7\t3\t3\tPRON\tPER\ther\n9\t3\t4\tNOM\tVEH\ther it\n"


def test_mentions_stand_on_the_words_of_the_tokens(tmp_path):
    files = {"emma.entities": ENTITIES, "emma.tokens": TOKENS}
    (document,) = read_every_way(tmp_path, files, "emma.entities")
    assert document.name == "emma"
    assert texts(document) == [["Mia", "her"], ["her it"]]
    assert document.sentence_starts == (0, 4)
    assert document.tags == ("NNP", "''", "VBD", "PRP$", "PRP")
    assert document.attributes.entity_type == ("PER", "VEH", "PER")
    assert document.attributes.mention_type == ("PROP", "NOM", "PRON")


@pytest.mark.parametrize(
    ("entities", "tokens", "said"),
    [
        (TOP + "7\t4\t5\tPROP\tPER\tit\n", TOKENS, "x.entities:2: a mention from word 4 to 5;"),
        (TOP + "7\t1\t0\tPROP\tPER\tit\n", TOKENS, "x.entities:2: a mention from word 1 to 0;"),
        (TOP + "7\t3\t9\tPROP\tPER\ther\n", TOKENS, "x.entities:2: a mention from word 3 to 9;"),
        (TOP + "7\t0\t0\tPROP\tPER\tAnn\n", TOKENS, "x.entities:2: 'Ann' from word 0 to 0, where"),
        (TOP + "\t0\t0\tPROP\tPER\tMia\n", TOKENS, "x.entities:2: a mention without an entity;"),
        (TOP + "7\t0\t0\n", TOKENS, "x.entities:2: 3 columns; expected 6, as in line 1."),
        (TOP[:-6] + "\n", TOKENS, "x.entities:1: no column text; expected a header with COREF"),
        (ENTITIES, "word\n", "x.tokens:1: no column sentence_ID and token_ID_within_document;"),
        (ENTITIES, TOKENS + "0\t1\t4\tso\tRB\n", "x.tokens:7: a second word 4; expected each"),
    ],
)
def test_rows_that_cannot_be_right_are_refused(entities, tokens, said):
    message = refused_together({"x.entities": entities, "x.tokens": tokens})
    assert message.startswith(f"all.zip/{said}")


def test_the_words_alone_are_refused_by_their_name():
    message = message_of(read_bytes, TOKENS.encode(), "emma.tokens")
    assert message.startswith("emma.tokens:1: the words of BookNLP (.tokens), without mentions;")
    message = message_of(read_bytes, ENTITIES.encode(), "emma.entities")
    assert "expected 'emma.tokens'," in message


ROWS = st.lists(st.sampled_from(["7", "0", "-1", "4", "Mia", "", "PER"]), max_size=7)


@settings(max_examples=200)
@given(st.lists(ROWS.map("\t".join), max_size=4), st.lists(ROWS.map("\t".join), max_size=4))
def test_any_rows_are_read_or_refused(entities, tokens):
    files = {"x.entities": TOP + "\n".join(entities), "x.tokens": TOKENS + "\n".join(tokens)}
    lines = refusal_of(read_bytes, zipped(files), "all.zip", format="booknlp")
    assert all("all.zip" in line for line in lines)
