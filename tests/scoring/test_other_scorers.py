"""Files that list a span twice, or lack something, score as in the scorer that a preset imitates.

`other_scorers.jsonl` has made-up pairs of files, without their words, and what other scorers print
for them: coval 87071a6 (ns-moosavi/coval), the Universal Anaphora scorer f4adb45
(juntaoy/universal-anaphora-scorer), the CorefUD scorer 4fd7b0e (ufal/corefud-scorer), scorch
5b45932 (LoicGrobol/scorch), e2e's evaluator as in fastcoref 8888e51 (shon-otmazgin/fastcoref), and
Stanza 1f4bfdd2 (stanfordnlp/stanza).
"""

import json
from itertools import count
from pathlib import Path

import pytest

from corescore import from_char_clusters, preset, score, score_entities
from corescore.corpus.files import read_bytes

CASES = [
    json.loads(line)
    for line in Path(__file__).with_name("other_scorers.jsonl").read_text("utf-8").splitlines()
]
PAIRS = [(case, label) for case in CASES for label in case["figures"]]


def conll(documents):
    """Columns of the cells of each sentence."""
    return "".join(
        f"#begin document {name}\n"
        + "".join(
            "".join(f"d 0 {at} w {cell}\n" for at, cell in enumerate(sentence.split(" "))) + "\n"
            for sentence in cells.split(" / ")
        )
        + "#end document\n"
        for name, cells in documents.items()
    )


def numbered(cells):
    """The number of each row and its cell; one that begins with a dot is of an empty node."""
    n, empty = 0, count(1)
    for cell in cells:
        if cell[0] == ".":
            yield f"{n}.{next(empty)}", cell[1:]
        else:
            n, empty = n + 1, count(1)
            yield str(n), cell


def conllua(documents):
    columns = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY"
    return f"# global.columns = {columns}\n" + "".join(
        f"# newdoc id = {name}\n"
        + "".join(
            f"{number}\tw{8 * TAB}\t{cell}\n"
            for number, cell in numbered(cells.replace(" / ", " ").split(" "))
        )
        + "\n"
        for name, cells in documents.items()
    )


TAB = "\t_"


def conllu(documents):
    return "# global.Entity = eid-etype-head-other\n" + "".join(
        f"# newdoc id = {name}\n"
        + "".join(
            "".join(
                f"{number}\tw\t_\t_\t_\t_\t{int(number != '1')}\tdep\t_\t"
                + (f"Entity={cell}\n" if cell != "_" else "_\n")
                for number, cell in numbered(sentence.split(" "))
            )
            + "\n"
            for sentence in cells.split(" / ")
        )
        for name, cells in documents.items()
    )


def jsonl(documents):
    return "".join(
        json.dumps({"doc_key": name, "sentences": [["w"] * 50], "clusters": clusters}) + "\n"
        for name, clusters in documents.items()
    )


FORMATS = {"conll": conll, "conllua": conllua, "conllu": conllu, "jsonl": jsonl}


def as_labelled(case, label):
    """The result of a case under a preset with its options, as the command line takes them."""
    key, response = (
        read_bytes(FORMATS[case["format"]](case[side]).encode(), side, side=side)
        for side in ("key", "response")
    )
    name, *options = label.split(" ")
    policies = zip(options[::2], options[1::2], strict=True)
    return score(
        key, response, **preset(name, **{one[2:].replace("-", "_"): to for one, to in policies})
    )


@pytest.mark.parametrize(
    "case, label", PAIRS, ids=[f"{case['case']} {label}" for case, label in PAIRS]
)
def test_scores_are_those_of_the_other_scorer(case, label):
    result = as_labelled(case, label)
    for metric, figures in case["figures"][label].items():
        found = (result.means or result)[metric]
        for value, figure in zip((found.recall, found.precision, found.f1), figures, strict=True):
            assert figure is None or value == pytest.approx(figure, abs=1e-6), metric


# Rules that the pairs do not show -----------------------------------------------------------------


def corpora(*sides):
    return (read_bytes(conll({"(d)": cells}).encode(), "it") for cells in sides)


def test_crossing_brackets_of_one_span_are_met_as_they_close():
    """coval on key (1 1) (1) (2), where (6 closes before (5: MUC 1/1, 1/2."""
    key, response = corpora("(1 1) (1) (2)", "(5|(6 6)|5) (5) (6)")
    result = score(key, response, **preset("coval"))
    assert (result["muc"].recall, result["muc"].precision) == (1, 0.5)
    assert result["lea"].precision == 0.5


def test_entities_of_json_are_in_the_order_of_the_list():
    """e2e: B³ 76.92. The mention 3 is looked up in the second entity, though that begins first."""
    key = read_bytes(jsonl({"d": [[[2, 2], [3, 3]], [[0, 0], [3, 3]]]}).encode(), "key")
    response = read_bytes(jsonl({"d": [[[0, 0], [3, 3]]]}).encode(), "it")
    result = score(key, response, **preset("e2e"))
    assert 100 * result["bcub"].f1 == pytest.approx(76.92, abs=0.005)
    assert 100 * result["muc"].f1 == pytest.approx(66.67, abs=0.005)


def test_a_repeated_object_stays_in_the_first_entity_of_the_list():
    """`z` stays with `y`, though `x` before them is in the third entity, too: 3 links, 1 right."""
    response = [["x"], ["y", "z"], ["x", "z"]]
    with pytest.warns(UserWarning, match="the response lists 2 mentions more than once"):
        found = score_entities([["y", "z"]], response, repeats="first")
    assert found["muc"].recall == 1


def test_a_document_that_ua_lacks_is_left_out_and_its_words_are_not_compared():
    ua = {"u0": "(EntityID=1|MarkableID=a) (EntityID=1|MarkableID=b)"}
    key = read_bytes(conllua({**ua, "u1": ua["u0"]}).encode(), "key")
    other = read_bytes(conllua(ua).replace("\tw\t", "\tv\t").encode(), "it")
    result = score(key, other, **preset("ua"))
    assert result["conll"].f1 == 1
    assert ["left out" in result.warnings[0], "by position" in result.warnings[1]] == [True, True]


def test_words_of_scorch_are_not_compared():
    key, response = from_char_clusters("a b", [[(0, 1)]]), from_char_clusters("x b", [[(0, 1)]])
    assert score(key, response, **preset("scorch")).means["blanc"].f1 == 1


def test_without_nested_and_singletons_an_entity_left_with_one_mention_goes():
    """coval's `remove_nested` keeps such an entity whole, but with `remove_singletons` it goes."""
    key, response = corpora("(1|(1) 1) (2) (2)", "(1|(1) 1) (2) (2)")
    counted = {
        singletons: score(key, response, mentions="without-nested", singletons=singletons)
        for singletons in ("keep", "drop")
    }
    assert [result["bcub"].recall_denominator for result in counted.values()] == [4, 2]
