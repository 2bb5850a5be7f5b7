"""Why scorers disagree, and GAP's own measure."""

import math
from dataclasses import asdict, replace
from math import isnan

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corescore import InputError, PolicyError, read
from corescore.__main__ import main
from corescore.analysis.gap import gap_counts, gap_table
from corescore.analysis.scorers import (
    ORDER,
    SHOWN,
    Rescored,
    differing,
    moved_documents,
    moved_mentions,
    rows_of,
    scorers,
    walk,
)
from corescore.analysis.search import (
    PrintedNumber,
    farthest,
    preset_table,
    printed_number,
    search,
    varied,
)
from corescore.corpus.documents import Corpus, Document
from corescore.corpus.files import read_bytes
from corescore.counting.policies import DEFAULTS, POLICY_VALUES, Policies
from corescore.metrics import MENTION_DIAGNOSTICS, METRIC_IDS, METRICS
from corescore.scoring.presets import PRESETS
from corescore.scoring.scores import score
from corescore.sentences.policies import CLAUSES, NAMES
from corescore.util import TOLERANCE, shapley_values
from tests.support.samples import first_files
from tests.support.texts import GAP_FILES, GAP_HEADER, columns, gap_row

# Why scorers disagree: walks that add up, and numbers from papers ---------------------------------

SAMPLE = first_files(6)
WORDS = tuple("abcdefgh")
names = st.sampled_from(sorted(scorers()))
spans = st.tuples(st.integers(0, 6), st.integers(1, 2), st.integers(0, 3))
rows = st.lists(spans, min_size=1, max_size=9, unique=True)


def corpus(*documents, words=WORDS):
    return Corpus(
        tuple(
            Document.of_rows(f"d{n}", [(at, at + length, e) for at, length, e in rows], words=words)
            for n, rows in enumerate(documents)
        )
    )


def pair(key, response):
    return Rescored(corpus(*key), corpus(*response))


both_sides = st.integers(1, 2).flatmap(
    lambda n: st.builds(pair, *[st.lists(rows, min_size=n, max_size=n)] * 2)
)


@pytest.fixture(scope="module")
def sample():
    key = read(SAMPLE / "key.conll", side="key")
    return {
        name: Rescored(key, read(SAMPLE / f"{name}.conll", side="response"))
        for name in ("cautious", "greedy")
    }


def without_parse(chosen):
    chosen |= {"mentions": chosen["mentions"].replace("np-only", "all")}
    return Policies.of(chosen | {"match": chosen["match"].replace("min-span", "exact")})


EVERY_POLICY = st.fixed_dictionaries(
    {
        name: st.sampled_from([value for value in values if value != "error"])
        for name, values in POLICY_VALUES.items()
    }
)


@given(
    both_sides,
    st.one_of(names.map(lambda name: scorers()[name].policies), EVERY_POLICY.map(without_parse)),
    st.sampled_from(SHOWN),
)
@example(
    pair([[(0, 1, 0)], [(0, 1, 0), (1, 1, 0)]], [[(0, 1, 0), (0, 2, 0)], [(0, 1, 0), (1, 1, 0)]]),
    Policies(singletons="stanza", mentions="without-nested"),
    "lea",
)
@settings(max_examples=100)
def test_what_is_shared_between_policies_is_what_scoring_says(of, policies, metric):
    """Any policies, asked after others that share what is counted."""
    for name in ("keep", "e2e"):  # fills what is kept
        for average in ("scorch", "micro"):
            of.value(replace(policies, singletons=name, average=average), metric)
    made = score(of.key, of.response, policies, metrics=(*METRICS, *MENTION_DIAGNOSTICS))
    expected = (made.means or made.scores)[metric].f1
    assert of.value(policies, metric) == pytest.approx(expected, abs=TOLERANCE, nan_ok=True)
    assert of.scores(policies).scores[metric].f1 == pytest.approx(made.scores[metric].f1)


@given(both_sides, names, names, st.permutations(ORDER))
def test_a_walk_adds_up_in_any_order(of, start, end, order):
    ends = scorers()[start].policies, scorers()[end].policies
    taken = walk(of, *ends, "conll", order=order)
    stations = [taken.first, *(step.score_after for step in taken.steps)]
    assert [step.score_before for step in taken.steps] == stations[:-1]
    assert stations[-1] == taken.last == of.value(ends[1], "conll")
    assert sum(step.difference for step in taken.steps) == pytest.approx(
        taken.difference, abs=TOLERANCE
    )
    assert [step.policy for step in taken.steps] == differing(of, *ends, order)
    changed = [asdict(step.before) | {step.policy: step.new} for step in taken.steps]
    assert changed == [asdict(step.after) for step in taken.steps]


def test_a_walk_to_a_scorer_without_a_number_or_in_half_an_order_is_refused():
    of = pair([[(0, 1, 0), (2, 1, 0)], []], [[(0, 1, 0), (2, 1, 0)], [(0, 1, 0)]])
    table = preset_table({"r": of}, scorers()).set_index("scorer")
    assert isnan(table["ceafe"]["stanza"])
    assert not isnan(table["muc"]["stanza"])
    ends = scorers()["perl"].policies, scorers()["stanza"].policies
    with pytest.raises(PolicyError, match="CEAFₑ is empty at the end; expected a number"):
        walk(of, *ends, "ceafe")
    with pytest.raises(PolicyError, match="expected each once"):
        walk(of, DEFAULTS, DEFAULTS, "conll", order=ORDER[1:])


def test_shapley_values_average_over_orders():
    # a alone 1, b alone 2, together 6: in the order ab b brings 5, in ba 2; a 1 and 4
    worth = np.array([0.0, 1, 2, 6])  # of nobody, a, b, both
    assert shapley_values(worth).tolist() == [(1 + 4) / 2, (5 + 2) / 2]


def test_every_policy_has_its_place_and_its_words():
    assert sorted(ORDER) == sorted(POLICY_VALUES) == sorted(NAMES)
    assert {name: tuple(clauses) for name, clauses in CLAUSES.items()} == {
        name: tuple(POLICY_VALUES[name]) for name in CLAUSES
    }
    assert set(CLAUSES) == set(POLICY_VALUES)


def test_the_table_has_what_a_scorer_has_and_invents_nothing(sample):
    table = preset_table(sample, scorers())
    for (name, response), row in table.set_index(["scorer", "response"]).iterrows():
        has = rows_of(scorers()[name])
        for metric in table.columns.drop(["scorer", "response", "refusal"]):
            assert isnan(row[metric]) == (metric not in has)
        assert row["conll"] == sample[response].value(scorers()[name].policies, "conll")
    assert set(table["refusal"]) == {""}
    low = table.set_index(["response", "scorer"])["conll"]
    for response, lowest, highest in farthest(table, "conll"):
        scores = low[response].dropna()
        assert scores[lowest] == scores.min() < scores.max() == scores[highest]
    recall = preset_table(sample, scorers(), measure="recall")
    assert "conll" not in recall
    assert recall["muc"].notna().all()


def test_a_scorer_that_refuses_the_files_says_why():
    key = corpus([(0, 1, 0), (3, 1, 0)])
    other = corpus([(0, 1, 0), (3, 1, 0)], words=tuple("abXdefgh"))
    table = preset_table({"r": Rescored(key, other)}, scorers()).set_index("scorer")
    for name, scorer in scorers().items():
        refuses = scorer.policies.words == "error"
        assert ("word" in table["refusal"][name]) == refuses
        assert isnan(table["muc"][name]) == refuses


def test_documents_and_mentions_that_a_step_moves():
    # Two singletons and one entity of two in the key; the response has one of the singletons.
    of = pair([[(0, 1, 0), (2, 1, 1), (4, 1, 2), (5, 1, 2)]], [[(0, 1, 0), (4, 1, 2), (5, 1, 2)]])
    (step,) = walk(of, DEFAULTS, replace(DEFAULTS, singletons="drop"), "bcub").steps
    mentions = moved_mentions(of, step, "bcub")
    left_out = mentions[mentions["change"] == "left out"]
    assert list(zip(left_out["side"], left_out["mention"], strict=True)) == [
        ("key", "a"),
        ("key", "c"),
        ("response", "a"),
    ]
    documents = moved_documents(of, step, "bcub")
    # B³: recall 3/4, precision 1, F1 6/7; then all is found.
    assert documents.iloc[0].to_dict() == {
        "document": "d0",
        "before": pytest.approx(6 / 7),
        "after": 1,
        "difference": pytest.approx(1 / 7),
    }


def test_mentions_that_another_matching_matches():
    of = pair([[(0, 2, 0), (4, 1, 0)]], [[(0, 1, 0), (4, 1, 0)]])
    (step,) = walk(of, DEFAULTS, replace(DEFAULTS, match="head"), "muc").steps
    mentions = moved_mentions(of, step, "muc")
    assert mentions[["mention", "change"]].to_numpy().tolist() == [["a b", "matched"]]
    assert (step.score_before, step.score_after) == (0, 1)


def test_an_average_moves_no_document(sample):
    of = sample["greedy"]
    (step,) = walk(of, DEFAULTS, replace(DEFAULTS, average="macro"), "bcub").steps
    assert step.difference != 0
    assert moved_documents(of, step, "bcub").empty
    assert moved_mentions(of, step, "bcub").empty


def test_a_document_that_one_scorer_leaves_out():
    whole = [(0, 1, 0), (2, 1, 0)]
    of = Rescored(corpus(whole, whole), corpus(whole))
    (step,) = walk(of, DEFAULTS, replace(DEFAULTS, missing_documents="skip"), "muc").steps
    assert (step.score_before, step.score_after) == (pytest.approx(2 / 3), 1)
    assert moved_documents(of, step, "bcub")["document"].to_list() == []
    assert "missing_documents" in varied([of], "muc")
    table = preset_table({"r": of}, scorers()).set_index("scorer")
    for name, scorer in scorers().items():
        refuses = scorer.policies.missing_documents == "error"
        assert bool(table["refusal"][name]) == refuses


@pytest.mark.slow
def test_words_and_mentions_are_varied_where_they_matter():
    key = corpus([(0, 2, 0), (0, 1, 0), (4, 1, 0)])
    other = corpus([(0, 2, 0), (0, 1, 0), (4, 1, 0)], words=tuple("abcxefgh"))
    of = Rescored(key, other)
    values = varied([of], "muc")
    assert values["words"] == ("ignore", "align")
    assert values["mentions"] == ("all", "without-nested")
    value = 100 * score(key, other, Policies(words="align", mentions="without-nested"))["lea"].f1
    named = search({"r": of}, PrintedNumber(value, 2)).rows["scorers"]
    assert any("perl" in row for row in named)
    assert not named.str.contains("corescore").any()  # it refuses other words


PARSED = [("it", "PRP", "*", "(2)"), ("the", "DT", "(NP(NP*", "(2(1"), ("dog", "NN", "*)", "1)")]
PARSED += [("of", "IN", "(PP*", "-"), ("Ann", "NNP", "(NP*)))", "2)")]


@pytest.mark.slow
def test_repeats_are_varied_where_two_mentions_have_one_minimum_span(tmp_path):
    """ "The dog" and "the dog of Ann" are of two entities; both have the minimum span "the dog"."""
    (tmp_path / "key.conll").write_text(columns([PARSED]))
    cells = zip(PARSED, ["(1)", "(1", "1)", "-", "-"], strict=True)
    other = [(*row[:3], entities) for row, entities in cells]
    (tmp_path / "other.conll").write_text(columns([other]))
    key, response = read(tmp_path / "key.conll"), read(tmp_path / "other.conll")
    of = Rescored(key, response)
    listed = Policies(match="min-span", repeats="listed")
    assert of.value(listed, "muc") == 0  # the entity of "the dog", which ends later, is looked up
    assert of.value(replace(listed, repeats="first"), "muc") == 1  # the longer stands first
    value = score(key, response, listed)["conll"].f1
    rows = search({"r": of}, PrintedNumber(100 * value, 4)).rows
    settings = rows[rows["metric"] == "conll"]["policies"].to_list()
    assert "match min-span, repeats listed" in settings
    exact = 100 * score(key, response)["lea"].f1
    named = search({"r": of}, PrintedNumber(exact, 4)).rows["scorers"].str.split(", ")
    assert any("coval" in scorers for scorers in named)  # whose `listed` is idle without repeats


def test_another_text_can_only_be_compared_by_position():
    of = Rescored(corpus([(0, 1, 0), (4, 1, 0)]), corpus([(0, 1, 0)], words=tuple("stuvwxyz")))
    assert "words" not in varied([of], "muc")


def test_only_policies_that_can_matter_are_varied():
    plain = pair([[(0, 1, 0), (1, 1, 0)]], [[(0, 1, 0), (1, 1, 0)]])
    twice = pair([[(0, 1, 0), (1, 1, 0), (0, 1, 1)]], [[(0, 1, 0), (1, 1, 0)]])
    assert set(varied([plain], "lea")) == {"singletons", "match", "average"}
    assert set(varied([twice], "blanc")) - set(varied([plain], "lea")) == {
        "repeats",
        "lookup",
        "blanc",
    }
    assert "error" in POLICY_VALUES["repeats"]
    assert "error" not in varied([twice], "muc")["repeats"]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PRESETS))
def test_the_search_finds_what_each_preset_prints(name, sample):
    one = {"greedy": sample["greedy"]}
    preset = PRESETS[name]
    for metric in ("conll", preset.metrics[0], preset.metrics[-1]):
        value = 100 * sample["greedy"].value(preset.policies, metric)
        rows = search(one, PrintedNumber(value, 2)).rows
        of_metric = rows[(rows["metric"] == metric) & (rows["measure"] == "f1")]
        assert any(name in row.split(", ") for row in of_metric["scorers"])
        assert of_metric["rounding"].str.startswith("rounded").any()


@pytest.mark.slow
def test_every_setting_that_is_found_prints_the_number(sample):
    values = (sample["greedy"].value(Policies(), metric) for metric in METRIC_IDS)
    each = ((f"{100 * value:.2f}", f"{int(10_000 * value) / 100:.2f}") for value in values)
    rounded, cut = next(both for both in each if both[0] != both[1])
    result = search(sample, printed_number(rounded))
    assert len(result.rows)
    assert result.nearest.empty
    for row in result.rows.itertuples():
        printed = {f"{100 * row.value:.2f}", f"{int(100 * 100 * row.value) / 100:.2f}"}
        assert rounded in printed or "mean of three" in row.rounding
    assert "cut" in search(sample, printed_number(cut)).rows["rounding"].to_list()


def test_stanza_is_named_for_the_lea_that_it_prints():
    """Recall 2/5 and precision 2/4 of the sums: 44.44. The mean of recall, 1/2, would make 50.00,
    which no setting prints."""
    of = pair(
        [[(0, 1, 0), (1, 1, 0)], [(0, 1, 0), (1, 1, 0), (2, 1, 0)]],
        [[(0, 1, 0), (1, 1, 0)], [(0, 1, 0), (3, 1, 0)]],
    )
    for text, printed in (("44.44", True), ("50.00", False)):
        rows = search({"r": of}, printed_number(text)).rows
        lea = rows[(rows["metric"] == "lea") & (rows["measure"] == "f1")]
        scorers_of = {name for names in lea["scorers"] for name in names.split(", ")}
        assert ("stanza" in scorers_of) == printed, text


def test_a_number_that_nothing_prints_has_neighbours():
    few = pair([[(0, 1, 0), (2, 3, 0), (4, 5, 1)]], [[(0, 1, 0), (2, 3, 1), (4, 5, 1)]])
    result = search({"few": few}, printed_number("99.9999"))
    assert result.rows.empty
    assert len(result.nearest)
    assert result.n_tried > 100


@pytest.mark.parametrize(
    "text, number",
    [
        ("62.74", PrintedNumber(62.74, 2)),
        (" 62,7%", PrintedNumber(62.7, 1)),
        ("0.6274", PrintedNumber(62.74, 2)),
        ("0.5", PrintedNumber(0.5, 1)),
        ("100", PrintedNumber(100, 0)),
    ],
)
def test_numbers_as_people_type_them(text, number):
    read_number = printed_number(text)
    assert read_number.percent == pytest.approx(number.percent)
    assert read_number.places == number.places


@pytest.mark.parametrize("text", ["", "abc", "-3", "1e2", "101", "62.74567", "nan"])
def test_what_is_no_number_is_refused(text):
    with pytest.raises(PolicyError, match="expected percent"):
        printed_number(text)


# GAP's own measure --------------------------------------------------------------------------------


def key_of(rows):
    """A key of (pronoun, whether it means A, whether it means B) rows."""
    lines = [gap_row(f"d{at}", *row) for at, row in enumerate(rows)]
    return read_bytes("\n".join([GAP_HEADER, *lines]).encode(), "gap.tsv")


def answers_of(rows):
    """A system's answers: (A, B) of each document."""
    lines = [f"d{at}\t{a}\t{b}" for at, (a, b) in enumerate(rows)]
    return read_bytes("\n".join(lines).encode(), "answers.tsv")


def counts(key, response):
    return {
        group: (
            *(one.true_positives, one.false_positives),
            *(one.false_negatives, one.true_negatives),
        )
        for group, one in gap_counts(key, response).items()
    }


KEY = key_of([("She", True, False), ("his", False, True), ("her", False, False)])


def test_pairs_are_counted_over_all_and_by_gender():
    response = answers_of([(True, True), (True, False), (False, False)])
    assert counts(KEY, response) == {
        "all": (1, 2, 1, 2),
        "masculine": (0, 1, 1, 0),
        "feminine": (1, 1, 0, 2),
    }


def test_a_missing_document_is_a_false_negative_for_each_name():
    response = answers_of([(True, False), (False, True)])
    assert counts(KEY, response)["feminine"] == (1, 0, 2, 1)


def test_the_table_ends_in_the_ratio_of_the_genders_if_there_is_one():
    # feminine: recall 1/1, precision 1/2, F1 2/3; masculine: 1
    table = gap_table(KEY, answers_of([(True, True), (False, True), (False, False)]))
    assert table["group"].tolist() == ["all", "masculine", "feminine", "feminine / masculine"]
    assert table["f1"].tolist() == pytest.approx([4 / 5, 1, 2 / 3, 2 / 3])
    assert table["precision"].tolist()[:3] == pytest.approx([2 / 3, 1, 1 / 2])
    assert math.isnan(table["recall"].tolist()[3])
    nothing = gap_table(KEY, answers_of([(False, False)] * 3))
    assert nothing["f1"].tolist() == pytest.approx([0, 0, 0, math.nan], nan_ok=True)


def test_any_response_over_the_texts_is_an_answer():
    text = (
        '{"doc_key": "d0", "tokens": ["Ann", "saw", "Bo", ".", "She"], '
        '"clusters": [[[0, 0], [4, 4], [1, 1]], [[2, 2]]]}'
    )
    assert counts(KEY, read_bytes(text.encode(), "a.jsonl"))["all"] == (1, 0, 4, 1)


LABELS = st.lists(
    st.tuples(st.sampled_from(["she", "He"]), *[st.booleans()] * 4), min_size=1, max_size=6
)


@given(LABELS)
def test_the_counts_are_those_of_the_labels(rows):
    key = key_of([(pronoun, a, b) for pronoun, a, b, _, _ in rows])
    response = answers_of([(a, b) for _, _, _, a, b in rows])
    pairs = [(row[1 + at], row[3 + at]) for row in rows for at in (0, 1)]
    expected = [pairs.count(pair) for pair in ((1, 1), (0, 1), (1, 0), (0, 0))]
    assert counts(key, response)["all"] == tuple(expected)


def test_a_key_without_the_three_spans_is_refused():
    key = read_bytes(b"#begin document (d0)\nd0 0 0 She (1)\n#end document\n", "key.conll")
    with pytest.raises(InputError, match=r"key\.conll: document 'd0' without a pronoun and two"):
        gap_counts(key, key)


def test_the_command_prints_the_table(tmp_path, capsys):
    key, answers = tmp_path / "gap-test.tsv", tmp_path / "answers.tsv"
    for name, text in GAP_FILES.items():
        (tmp_path / name).write_text(text)
    assert main(["gap", str(key), str(answers), "--format", "csv"]) == 0
    header, overall, *_ = capsys.readouterr().out.split("\n")
    assert header.startswith("group,recall,precision,f1,true_positives,false_positives")
    assert overall.startswith(f"all,1.0,{2 / 3},0.8,2,1,0,1,corescore")
    assert main(["gap", str(answers), str(answers)]) == 2
    assert "a key in the format GAP" in capsys.readouterr().err
