"""Texts for language models, as CRAC 2025 has them: read, and put back onto the key they are of."""

import random

import pytest

import corescore
from corescore.corpus.files import read_bytes
from corescore.corpus.problems import InputError
from corescore.counting.pairing import pair_documents
from tests.support.text2text import as_text

# 2.1 depends on `fed`, so it follows `fed` in the text; 5.1 on `it`, before it in the file.
KEY = """\
# global.Entity = eid-etype-head-other
# newdoc id = one
# sent_id = 1
1	Mia	_	PROPN	_	_	3	nsubj	_	Entity=(e1-person-1)
2	often	_	ADV	_	_	3	advmod	_	_
2.1	_	_	PRON	_	_	_	_	3:iobj	Entity=(e2-animal-1)
3	fed	_	VERB	_	_	0	root	_	_
4	her	_	PRON	_	_	6	nmod	_	Entity=(e3-animal-3(e1-person-1)
5	old	_	ADJ	_	_	6	amod	_	_
6	cat	_	NOUN	_	_	3	obj	_	Entity=e3)

# sent_id = 2
1	Then	_	ADV	_	_	2	advmod	_	_
2	slept	_	VERB	_	_	0	root	_	_
2.1	_	_	PRON	_	_	_	_	2:nsubj	Entity=(e3-animal-1)
2.2	_	_	PRON	_	_	_	_	2:nsubj	Entity=(e1-person-1)
3	10 000	_	NUM	_	_	2	obl	_	_

# newdoc id = two
# sent_id = 3
0.1	_	_	PRON	_	_	_	_	1:nsubj	Entity=(e4-person-1)
1	Ran	_	VERB	_	_	0	root	_	_

"""
TEXT = (
    "Mia|[e1] often fed ##|[e2] her|[e1],[e3 old cat|e3] Then slept ##|[e3] ##|[e1] 10_000\n"
    "Ran ##|[e1]\n"
)


def read_text(text, **more):
    return read_bytes(text.encode(), "system.txt", **more)


def put_on(key, response, **policies):
    return pair_documents(key, response, corescore.counting.policies.Policies(**policies)).response


KEYS = read_bytes(KEY.encode(), "key.conllu")


def known(document):
    """The mentions of a document: their words, head and entity."""
    attributes = document.attributes
    heads = attributes.head.tolist() if attributes else [-1] * len(document.rows)
    return [
        (mention.runs, head, entity)
        for mention, head, entity in zip(
            document.mentions, heads, document.entity_of.tolist(), strict=True
        )
    ]


def test_the_oracle_writes_the_text_by_hand():
    assert as_text(KEY, KEYS) == TEXT


def test_empty_nodes_and_heads_are_those_of_the_key_again():
    for key, document in zip(KEYS, put_on(KEYS, read_text(TEXT)), strict=True):
        assert known(document) == known(key)
        assert document.empty_nodes == key.empty_nodes
        assert document.sentence_starts == key.sentence_starts
    result = corescore.score(KEYS, read_text(TEXT), **corescore.preset("corefud"))
    assert result["conll"].f1 == 1


def test_the_json_of_the_same_tool_is_put_onto_the_key_in_the_same_way():
    json = (
        '{"doc_id": "two", "tokens": ["Ran", "##"], "clusters_token_offsets": [[[1, 1]]], '
        '"clusters_text_mentions": [["_"]]}'
    )
    document = put_on(KEYS, read_bytes(json.encode(), "x.json"))[1]
    assert known(document) == known(KEYS["two"])


def test_an_empty_node_that_the_key_lacks_matches_none():
    _, document = put_on(
        KEYS, read_text("a\nRan ##|[e1] ##|[e2]\n".replace("a\n", TEXT.split("\n")[0] + "\n"))
    )
    assert [runs for runs, *_ in known(document)] == [((0, 1),), ((2, 3),)]
    text = TEXT.replace("## ", "")
    assert corescore.score(KEYS, read_text(text)).warnings


def test_a_text_with_its_empty_nodes_where_the_file_has_them_is_read_too():
    text = TEXT.replace("often fed ##|[e2]", "often ##|[e2] fed").replace(
        "Ran ##|[e1]", "##|[e1] Ran"
    )
    for key, document in zip(KEYS, put_on(KEYS, read_text(text)), strict=True):
        assert known(document) == known(key)


def test_other_documents_are_matched_by_their_order_when_words_differ():
    text = TEXT.replace("Then", "Now").replace("Ran", "Run")
    found = corescore.score(KEYS, read_text(text), words="align")
    assert any("by their order" in warning for warning in found.warnings)
    assert found["muc"].recall == 1


@pytest.mark.parametrize(
    "line, spans",
    [
        ("a|[e1 b|[e1],e1]", [(0, 2), (1, 2)]),
        ("a|[e1 b|[e1,e1] c|e1]", [(0, 2), (1, 3)]),  # one closes at b, the next opens there
        ("a|[e1 b|[e1 c|e1] d|e1]", [(0, 4), (1, 3)]),
        ("a|[e1]-[e2 b|e2]", [(0, 1), (0, 2)]),
        ("a|b c||[e1]", [(1, 2)]),
    ],
)
def test_brackets_open_and_close_mentions(line, spans):
    (document,) = read_text(line)
    assert sorted(map(tuple, document.spans.tolist())) == sorted(spans)


@pytest.mark.parametrize(
    "line, found",
    [
        ("a|[e1] b|e2]", "'e2]' at 'b|e2]', which closes no mention"),
        ("a|[e1] b|[e2 c", "'[e2' at 'b', which is never closed"),
        ("a|[e1] b|[e2,e3", "'b|[e2,e3'"),
    ],
)
def test_brackets_without_a_partner_are_refused_or_left_out(line, found):
    with pytest.raises(corescore.InputError) as error:
        read_text(line)
    assert str(error.value).startswith(f"system.txt:1: {found}; expected each mention opened")
    corpus = read_text(line, repair_brackets=True)
    assert corpus.warnings == ("system.txt: 1 bracket without a partner left out.",)
    (document,) = corpus
    assert document.spans.tolist() == [[0, 1]]


def a_file(seed):
    """A document of three sentences with empty nodes anywhere, depending on any words, and mentions
    of words that follow each other in the file and in the text."""
    chance = random.Random(seed)
    lines = ["# global.Entity = eid", "# newdoc id = d"]
    rows = []
    for sentence in range(3):
        n = chance.randint(1, 5)
        ids = []
        for number in range(n + 1):
            ids += [str(number)] * (number > 0)
            ids += [f"{number}.{k}" for k in range(1, 1 + chance.choice((0, 0, 1, 2)))]
        for one in ids:
            empty = "." in one
            deps = "|".join(f"{p}:dep" for p in chance.sample(range(n + 1), 1)) if empty else "_"
            head = "_" if empty else chance.choice([str(k) for k in range(int(one))])
            rows.append([sentence, one, "_" if empty else f"w{one}", head, deps, ""])
    for entity in range(chance.randint(1, 5)):
        sentence = chance.randrange(3)
        own = [row for row in rows if row[0] == sentence]
        start = chance.randrange(len(own))
        end = chance.randrange(start, min(len(own), start + 3))
        if start == end:
            own[start][5] += f"(e{entity})"
        else:
            own[start][5] += f"(e{entity}"
            own[end][5] = f"e{entity})" + own[end][5]
    for before, row in zip([None, *rows], rows, strict=False):
        if before is None or before[0] != row[0]:
            lines += ["", f"# sent_id = {row[0]}"] if before else [f"# sent_id = {row[0]}"]
        entities = f"Entity={row[5]}" if row[5] else "_"
        lines.append("\t".join([row[1], row[2], "_", "X", "_", "_", row[3], "_", row[4], entities]))
    return "\n".join([*lines, "", ""])


def test_what_is_written_as_text_is_read_again_as_it_was():
    n_kept = 0
    for seed in range(300):
        file = a_file(seed)
        key = read_bytes(file.encode(), "key.conllu")
        text = as_text(file, key)
        if text is None:
            continue  # a mention loses words in that text
        n_kept += 1
        (document,) = put_on(key, read_text(text))
        of_text, of_key = (
            [(runs, entity) for runs, _, entity in known(of)] for of in (document, key["d"])
        )
        assert of_text == of_key, seed
        assert document.empty_nodes == key["d"].empty_nodes, seed
    assert n_kept > 100


def test_a_file_of_lines_without_mentions_is_no_such_text():
    good, plain = b"Mia|[e1] slept\n", b"b\n" * 1000
    assert len(read_bytes(good + plain, "x.txt", format="text2text-plain")) == 1001
    with pytest.raises(InputError, match=r"x\.txt:1002: more than 1,000 lines in a row"):
        read_bytes(good + plain + b"b\n", "x.txt", format="text2text-plain")
