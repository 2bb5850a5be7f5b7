"""Split antecedents, scored by the rules of the Universal Anaphora scorer."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import load_tally, perturb, preset, read, score, score_files
from corescore.corpus.documents import Corpus, Document
from corescore.rendering.scores import Report, as_json
from corescore.scoring.tally import Tally
from corescore.sentences.policies import statement
from tests.support.messages import message_of
from tests.support.oracle_split import possible

PARTS = {"blancc": ("blanc", "coreference"), "blancn": ("blanc", "non_coreference")}


def corpus(entities, plurals=(), name="d"):
    """A corpus of one document; mentions are the positions of words."""
    rows = [(at, at + 1, n) for n, mentions in enumerate(entities) for at in mentions]
    named = [(one, sorted(of)) for one, of in dict(plurals).items()]
    words = [chr(ord("a") + at) for at in range(12)]
    return Corpus((Document.of_rows(name, rows, words=words, split_antecedents=named),))


def numbers(result, metric):
    name, part = PARTS.get(metric, (metric, ""))
    of = result[name].parts[part] if part else result[name]
    return (
        of.recall_numerator,
        of.recall_denominator,
        of.precision_numerator,
        of.precision_denominator,
    )


# {a,b} {c,d} {e} {S,f,g}, S = [ab, cd]; and T = [ab, e]
KEY = corpus([[0, 1], [2, 3], [4], [5, 6]], {3: {0, 1}})
RESPONSE = corpus([[0, 1], [2, 3], [4], [5, 6]], {3: {0, 2}})


@pytest.mark.parametrize(
    "metric, recall, precision, f1",
    [
        ("muc", (1 + 1 + 1 / 1 + 1 / 2) / 4, 7 / 8, 7 / 8),
        ("bcub", (2 + 2 + 1 + (5 / 2) ** 2 / 3) / 8, (5 + (8 / 3) ** 2 / 3) / 8, 16915 / 18732),
        ("ceafm", (2 + 2 + 1 + 2 + 4 / 7) / 8, 53 / 56, 53 / 56),
        ("ceafe", (3 + 2 * (5 / 2) / 6) / 4, 23 / 24, 23 / 24),
        ("lea", (5 + 3 * (1 + 2 * 1 / 2) / 3) / 8, (5 + 3 * (1 + 2 * 2 / 3) / 3) / 8, 77 / 86),
        ("blancc", (1 + 1 + 1 + 2 * 2 / 3) / 5, 13 / 15, 13 / 15),
        ("blancn", (23 - 5) / 23, 18 / 23, 18 / 23),
        ("blanc", (13 / 15 + 18 / 23) / 2, 569 / 690, 569 / 690),
    ],
)
def test_what_both_plurals_share_is_what_their_member_is_worth(metric, recall, precision, f1):
    result = score(KEY, RESPONSE)
    name, part = PARTS.get(metric, (metric, ""))
    of = result[name].parts[part] if part else result[name]
    assert (of.recall, of.precision, of.f1) == pytest.approx((recall, precision, f1))


@st.composite
def sides(draw):
    """Disjoint entities of words, and which are plurals of which; none is its own element."""
    of_words = draw(st.lists(st.integers(-1, 4), min_size=1, max_size=9))
    entities = [[at for at, one in enumerate(of_words) if one == n] for n in range(5)]
    entities = draw(st.permutations([of for of in entities if of]))
    n = len(entities)
    plurals = {}
    for one in range(n - 1):
        elements = draw(st.sets(st.integers(one + 1, n - 1), max_size=3))
        if elements:
            plurals[one] = elements
    return entities, plurals


METRICS = ("muc", "bcub", "ceafm", "ceafe", "lea", *PARTS)


SINGLETONS = st.sampled_from(["keep", "drop"])


@given(sides(), sides(), SINGLETONS)
def test_the_counts_are_those_of_an_oracle_in_fractions(key, response, singletons):
    result = score(corpus(*key), corpus(*response), singletons=singletons)
    for metric in METRICS:
        every = possible(metric, key, response, drop=singletons == "drop")
        if not (key[1] or response[1]):
            assert len(every) == 1
        found = numbers(result, metric)
        assert any(found == pytest.approx([float(of) for of in one]) for one in every), metric


@given(sides(), sides())
def test_drop_scores_as_if_there_were_none(key, response):
    dropped = score(corpus(*key), corpus(*response), split_antecedents="drop")
    plain = score(corpus(key[0]), corpus(response[0]))
    for metric in METRICS:
        assert numbers(dropped, metric) == numbers(plain, metric)


@pytest.mark.parametrize("plurals", [{0: {0}}, {0: {1}, 1: {0}}, {0: {1}, 1: {2}, 2: {0}}])
def test_an_entity_that_is_its_own_element_is_refused(plurals):
    side = corpus([[0], [1], [2]], plurals)
    named = Corpus((replace(side.documents[0], file="key.conllu"),))
    message = message_of(score, named, corpus([[0, 1]]))
    assert message.startswith("key.conllu: entity '")
    assert "'d'" in message
    assert "among its own split antecedents" in message
    assert score(side, corpus([[0, 1]]), split_antecedents="drop")["muc"].recall == 0


def test_a_signature_a_statement_and_json_name_the_policy_where_the_files_have_any():
    plain = corpus([[0, 1], [2]])
    result = score(KEY, RESPONSE)
    assert " | split antecedents score | micro" in result.signature
    assert "split antecedents" in statement(result).lower()
    for policy in ("score", "drop"):
        without = score(plain, plain, split_antecedents=policy)
        assert "split" not in without.signature + statement(without)
    for key, has in ((KEY, True), (plain, False)):
        told = json.loads(as_json(Report("key", {"r": score(key, plain)}, ["muc"])))
        assert ("split_antecedents" in told["policies"]) is has
    perl = preset("perl", split_antecedents="score")
    assert "as perl" in score(plain, plain, **perl).signature
    assert "as perl" not in score(KEY, RESPONSE, **perl).signature


UA = """# global.columns = ID FORM IDENTITY
# newdoc id = d
1 Ann (EntityID=1|MarkableID=m1|ElementOf=3)
2 Bob (EntityID=2|MarkableID=m2|ElementOf=3)
3 they (EntityID=3|MarkableID=m3)
4 Cy (EntityID=4|MarkableID=m4)
5 they (EntityID=3|MarkableID=m5)
"""


def test_files_are_scored_as_in_memory_and_tallies_saved(tmp_path):
    paths = [str(tmp_path / name) for name in ("key.conllua", "response.conllua", "t.parquet")]
    (tmp_path / "key.conllua").write_text(UA)
    other = UA.replace("2|MarkableID=m2|ElementOf=3", "2|MarkableID=m2")
    (tmp_path / "response.conllua").write_text(other.replace("m4)", "m4|ElementOf=3)"))
    made, whole = score_files(*paths[:2], format="conll-ua"), score(*paths[:2])
    assert [numbers(made, name) for name in METRICS] == [numbers(whole, name) for name in METRICS]
    assert made.signature == whole.signature
    made.save(paths[2])
    assert load_tally(paths[2]).signature == made.signature
    assert Tally.sum([load_tally(paths[2])])["lea"] == made["lea"]
    assert 0 < whole["lea"].recall < 1


def anaphora(tmp_path, name, *rows):
    """A CoNLL-UA file; each row is a word and its brackets, as (entity, elements' plurals)."""
    lines = ["# global.columns = ID FORM IDENTITY", "# newdoc id = d"]
    for at, (word, *brackets) in enumerate(rows, 1):
        cells = (
            f"(EntityID={of}|MarkableID=m{at}{n}{'|ElementOf=' + whole if whole else ''})"
            for n, (of, whole) in enumerate(brackets)
        )
        lines.append(f"{at} {word} {''.join(cells) or '_'}")
    path = tmp_path / name
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def ratios(result, metric):
    return [result[metric].recall, result[metric].precision]


PEOPLE = [("Mia", ("1", "4")), ("she", ("1", "")), ("Tom", ("2", "4")), ("he", ("2", ""))]
THEY = ("they", ("4", ""))


@pytest.mark.parametrize("name", ["ua", "ua2"])
def test_a_span_that_one_entity_lists_twice_is_two_mentions_unless_it_is_a_plural(tmp_path, name):
    """Key {Mia, she} {Tom, he} {they, them, both}; the response has "them" twice, "both" never."""
    plural = [THEY, ("them", ("4", "")), ("both", ("4", ""))]
    twice = [THEY, ("them", ("4", ""), ("4", "")), ("both",)]
    files = [anaphora(tmp_path, f"{n}.ua", *PEOPLE, *of) for n, of in enumerate([plural, twice])]
    dropped = score(*files, **preset(name, singletons="keep", split_antecedents="drop"))
    # them–them is a link of the response, and none of the key's
    assert numbers(dropped, "blancc") == (1 + 1 + 1, 1 + 1 + 3, 1 + 1 + 1, 1 + 1 + 3)
    assert numbers(dropped, "blancn") == (15 - 3, 21 - 5, 15 - 3, 21 - 5)
    assert dropped["blanc"].parts["coreference"].f1 == pytest.approx(3 / 5)
    assert ratios(dropped, "bcub") == pytest.approx([(2 + 2 + 2**2 / 3) / 7, (2 + 2 + 3) / 7])
    scored = score(*files, **preset(name, singletons="keep", split_antecedents="score"))
    assert ratios(scored, "bcub") == pytest.approx([(2 + 2 + 3**2 / 4) / 8, (2 + 2 + 3) / 7])


@pytest.mark.parametrize("name", ["ua", "ua2"])
def test_an_element_that_does_not_refer_stays_in_the_set_and_is_scored_nowhere_else(tmp_path, name):
    """S = [Mia she, it, Tom he] and T = [Mia she, Tom he], and "it" does not refer."""
    (mia, she, tom, he), them = PEOPLE, ("them", ("4", ""))

    def side(file, it, people=(mia, tom)):
        rows = people[0], she, ("it", it), people[1], he, THEY, them
        return anaphora(tmp_path, f"{file}.ua", *rows)

    key, response = side("key", ("3-Pseudo", "4")), side("response", ("3-Pseudo", ""))
    result = score(key, response, **preset(name, singletons="keep", split_antecedents="score"))
    assert ratios(result, "muc") == pytest.approx([(1 + 1 + 1 + 2 / 3) / 4, 1])
    assert ratios(result, "bcub") == pytest.approx([(2 + 2 + (2 + 4 / 5) ** 2 / 3) / 7, 1])
    assert ratios(result, "lea") == pytest.approx([(2 + 2 + 3 * (1 + 2 * 4 / 5) / 3) / 7, 1])
    assert result["mentions"].recall_denominator == 6
    # the same for a plural that does not refer: it stands for its elements
    by_way = ("Mia", ("1", "3-Pseudo")), ("Tom", ("2", "3-Pseudo"))
    flat = score(
        side("by-way", ("3-Pseudo", "4"), by_way), response, **preset(name, zeros="linear")
    )
    assert flat["conll"].f1 == 1
    # a response that takes it for the name of someone has one of three elements of S more
    result = score(key, side("refers", ("3", "4")))
    assert ratios(result, "bcub") == pytest.approx([1, (2 + 2 + 3) / 8])


def test_an_element_that_does_not_refer_is_kept_where_the_text_is_aligned_or_perturbed(tmp_path):
    (mia, she, tom, he), of = PEOPLE, ("it", ("3-Pseudo", "4"))
    key = anaphora(tmp_path, "key.ua", ("Oh",), mia, she, of, tom, he, THEY)
    response = anaphora(tmp_path, "response.ua", mia, she, of, tom, he, THEY)
    assert score(key, response, words="align")["conll"].f1 == 1
    perturbed = perturb(key, key, "drop:share=0")
    assert score(key, perturbed)["conll"].f1 == 1
    assert read(key)["d"].non_referring == ((2, ((3, 4),)),)
    assert read(key)["d"].fingerprint != read(response)["d"].fingerprint
