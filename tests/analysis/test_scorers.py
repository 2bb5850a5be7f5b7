"""Why scorers disagree: walks that add up, Shapley values, rankings that flip, numbers found."""

from dataclasses import asdict, replace
from itertools import product
from math import isnan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import PolicyError, read
from corescore.analysis.scorers.rescored import SHOWN, Rescored, rows_of, scorers
from corescore.analysis.scorers.search import (
    PrintedNumber,
    farthest,
    flips,
    preset_table,
    printed_number,
    ranking_grid,
    search,
    varied,
)
from corescore.analysis.scorers.walk import (
    ORDER,
    differing,
    moved_documents,
    moved_mentions,
    shapley,
    shapley_values,
    walk,
)
from corescore.corpus.documents import Corpus, Document
from corescore.counting.policies import DEFAULTS, POLICY_VALUES, Policies
from corescore.metrics import MENTION_DIAGNOSTICS, METRIC_IDS, METRICS
from corescore.scoring.presets import PRESETS
from corescore.scoring.scores import score
from corescore.sentences.policies import CLAUSES, NAMES
from corescore.util import TOLERANCE
from tests.support.parses import columns
from tests.support.samples import first_files

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


@given(both_sides, names, st.sampled_from(SHOWN))
@settings(deadline=None, max_examples=60)
def test_what_is_scored_once_is_what_scoring_says(of, name, metric):
    policies = scorers()[name].policies
    every = (*METRICS, *MENTION_DIAGNOSTICS)
    made = score(of.key, of.response, policies, metrics=every)
    expected = (made.means or made.scores)[metric].f1
    assert of.value(policies, metric) == pytest.approx(expected, abs=TOLERANCE, nan_ok=True)


@pytest.mark.slow
@given(
    both_sides,
    st.fixed_dictionaries({name: st.sampled_from(v) for name, v in POLICY_VALUES.items()}),
    st.sampled_from(SHOWN),
)
@settings(deadline=None, max_examples=150)
def test_what_is_shared_between_policies_is_what_scoring_says(of, chosen, metric):
    """Any policies, asked after others that share what is counted."""
    chosen |= {"mentions": chosen["mentions"].replace("np-only", "all")}  # without a parse
    chosen |= {"match": chosen["match"].replace("min-span", "exact")}
    if "error" in (chosen["repeats"], chosen["missing_documents"]):
        return
    policies = Policies.of(chosen)
    for name in ("keep", "e2e"):  # fills what is kept
        for average in ("scorch", "micro"):
            of.value(replace(policies, singletons=name, average=average), metric)
    made = score(of.key, of.response, policies, metrics=(*METRICS, *MENTION_DIAGNOSTICS))
    expected = (made.means or made.scores)[metric].f1
    assert of.value(policies, metric) == pytest.approx(expected, abs=TOLERANCE, nan_ok=True)
    assert of.scores(policies).scores[metric].f1 == pytest.approx(made.scores[metric].f1)


@given(both_sides, names, names, st.permutations(ORDER))
@settings(deadline=None, max_examples=60)
def test_a_walk_adds_up_in_any_order(of, start, end, order):
    ends = scorers()[start].policies, scorers()[end].policies
    taken = walk(of, *ends, "conll", order=order)
    stations = [taken.first, *(step.score_after for step in taken.steps)]
    assert [step.score_before for step in taken.steps] == stations[:-1]
    assert stations[-1] == taken.last == of.value(ends[1], "conll")
    assert sum(step.difference for step in taken.steps) == pytest.approx(
        taken.difference, abs=TOLERANCE
    )
    assert [step.policy for step in taken.steps] == differing(*ends, order)
    changed = [asdict(step.before) | {step.policy: step.new} for step in taken.steps]
    assert changed == [asdict(step.after) for step in taken.steps]


@pytest.mark.slow
@given(both_sides, names, names)
@settings(deadline=None, max_examples=30)
def test_shapley_values_add_up_and_are_0_without_an_effect(of, start, end):
    ends = scorers()[start].policies, scorers()[end].policies
    values = shapley(of, *ends, "conll")
    difference = of.value(ends[1], "conll") - of.value(ends[0], "conll")
    assert sum(values.values()) == pytest.approx(difference, abs=TOLERANCE)
    assert {values[name] for name in ("blanc", "words") if name in values} <= {0.0}


def test_a_walk_to_a_scorer_without_a_number_is_refused():
    of = pair([[(0, 1, 0), (2, 1, 0)], []], [[(0, 1, 0), (2, 1, 0)], [(0, 1, 0)]])
    table = preset_table({"r": of}, scorers()).set_index("scorer")
    assert isnan(table["ceafe"]["stanza"])
    assert not isnan(table["muc"]["stanza"])
    ends = scorers()["perl"].policies, scorers()["stanza"].policies
    with pytest.raises(PolicyError, match="CEAF_e is empty at the end; expected a number"):
        walk(of, *ends, "ceafe")


def test_shapley_values_average_over_orders():
    # a alone 1, b alone 2, together 6: in the order ab b brings 5, in ba 2; a 1 and 4
    worth = {"": 0, "a": 1, "b": 2, "ab": 6}
    values = shapley_values(["a", "b"], lambda subset: worth["".join(sorted(subset))])
    assert values == {"a": (1 + 4) / 2, "b": (5 + 2) / 2}


def test_every_policy_has_its_place_and_its_words():
    assert sorted(ORDER) == sorted(POLICY_VALUES) == sorted(NAMES)
    assert {name: tuple(clauses) for name, clauses in CLAUSES.items()} == {
        name: tuple(POLICY_VALUES[name]) for name in CLAUSES
    }
    assert set(CLAUSES) == set(POLICY_VALUES)


def test_an_order_names_every_policy_once(sample):
    with pytest.raises(PolicyError, match="expected each once"):
        walk(sample["greedy"], DEFAULTS, DEFAULTS, "conll", order=ORDER[1:])


def test_the_table_has_what_a_scorer_has_and_invents_nothing(sample):
    table = preset_table(sample, scorers()).set_index(["scorer", "response"])
    for (name, response), row in table.iterrows():
        has = rows_of(scorers()[name])
        for metric in table.columns.drop("refusal"):
            assert isnan(row[metric]) == (metric not in has)
        assert row["conll"] == sample[response].value(scorers()[name].policies, "conll")
    assert set(table["refusal"]) == {""}


def test_the_recall_of_the_average_is_empty(sample):
    table = preset_table(sample, scorers(), measure="recall")
    assert "conll" not in table
    assert table["muc"].notna().all()


def test_a_scorer_that_refuses_the_files_says_why():
    key = corpus([(0, 1, 0), (3, 1, 0)])
    other = corpus([(0, 1, 0), (3, 1, 0)], words=tuple("abXdefgh"))
    table = preset_table({"r": Rescored(key, other)}, scorers()).set_index("scorer")
    for name, scorer in scorers().items():
        refuses = scorer.policies.words == "error"
        assert ("word" in table["refusal"][name]) == refuses
        assert isnan(table["muc"][name]) == refuses


def test_the_farthest_scorers_of_a_response(sample):
    table = preset_table(sample, scorers())
    low = {response: table.set_index(["response", "scorer"])["conll"] for response in sample}
    for response, lowest, highest in farthest(table, "conll"):
        scores = low[response][response].dropna()
        assert scores[lowest] == scores.min() < scores.max() == scores[highest]


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


def flipping():
    """Two responses, of which the choice about singletons decides: one has all singletons right
    and links nothing, the other links right and has no singleton."""
    key = [[(0, 1, 0), (1, 1, 1), (2, 1, 2), (3, 1, 3), (4, 1, 4), (5, 1, 4)]]
    singles = [[(0, 1, 0), (1, 1, 1), (2, 1, 2), (3, 1, 3), (4, 1, 4), (5, 1, 5)]]
    links = [[(4, 1, 4), (5, 1, 4)]]
    return {"singles": pair(key, singles), "links": pair(key, links)}


def test_the_grid_has_each_combination_once_and_names_the_smallest_flip():
    responses = flipping()
    grid = ranking_grid(responses, "bcub")
    policies = list(varied(responses.values(), "bcub"))
    n = 1
    for name in policies:
        n *= len(varied(responses.values(), "bcub")[name])
    assert len(grid) == n == len(grid[policies].drop_duplicates())
    assert grid["changed"].iloc[0] == 0
    assert grid["winner"].iloc[0] == "singles"
    fewest = flips(grid)
    assert set(fewest["changed"]) == {1}
    assert "drop" in set(fewest["singletons"])
    assert set(fewest["ranking"]) == {"links > singles"}
    for _, row in grid.iterrows():
        under = Policies.of({name: row[name] for name in policies})
        scores = {name: of.value(under, "bcub") for name, of in responses.items()}
        assert [row[f"score {name}"] for name in responses] == list(scores.values())


SETTINGS = {
    "mentions": ("all", "without-nested"),
    "singletons": POLICY_VALUES["singletons"],
    "match": ("exact", "head", "partial", "lenient"),
    "average": POLICY_VALUES["average"],
}


@pytest.mark.long
@pytest.mark.slow
@given(rows, rows, rows)
@settings(deadline=None, max_examples=6)
def test_the_grid_is_what_scoring_each_combination_by_itself_says(key, a, b):
    key = [*key, (0, 2, 0), (0, 1, 0)]  # one mention within another of its entity
    rescored = {name: pair([key], [of]) for name, of in (("a", a), ("b", b))}
    grid = ranking_grid(rescored, "conll")
    expected = {}
    for values in product(*SETTINGS.values()):
        policies = Policies.of(
            {**dict(zip(SETTINGS, values, strict=True)), "repeats": DEFAULTS.repeats}
        )
        made = [score(of.key, of.response, policies) for of in rescored.values()]
        f1 = [(one.means or one.scores)["conll"].f1 for one in made]
        first, second = (-1 if isnan(one) else round(one, 9) for one in f1)  # without one: last
        expected[values] = "a" if first > second else "b" if second > first else ""
    varied_here = [name for name in grid.columns if name in SETTINGS]
    assert varied_here == [*SETTINGS]
    plain = grid[grid["repeats"] == "first"] if "repeats" in grid else grid
    plain = plain[plain["lookup"] == "pairs"] if "lookup" in plain else plain
    assert (
        dict(zip(zip(*(plain[n] for n in SETTINGS), strict=True), plain["winner"], strict=True))
        == expected
    )
    default = tuple(getattr(DEFAULTS, name) for name in SETTINGS)
    distance = {
        values: sum(one != other for one, other in zip(values, default, strict=True))
        for values, winner in expected.items()
        if winner != expected[default]
    }
    fewest = flips(plain)
    assert len(fewest) == sum(n == min(distance.values(), default=0) for n in distance.values())
    assert set(fewest["changed"]) <= {min(distance.values(), default=0)}


@pytest.mark.slow
def test_words_and_mentions_are_varied_where_they_matter():
    key = corpus([(0, 2, 0), (0, 1, 0), (4, 1, 0)])
    other = corpus([(0, 2, 0), (0, 1, 0), (4, 1, 0)], words=("a", "b", "c", "x", *"efgh"))
    of = Rescored(key, other)
    values = varied([of], "muc")
    assert values["words"] == ("ignore", "align")
    assert values["mentions"] == ("all", "without-nested")
    grid = ranking_grid({"r": of}, "muc")
    assert grid["changed"].iloc[0] == 0
    assert set(grid["words"]) == {"ignore", "align"}
    value = 100 * score(key, other, Policies(words="align", mentions="without-nested"))["lea"].f1
    rows = search({"r": of}, PrintedNumber(value, 2)).rows
    assert len(rows)
    assert not rows["scorers"].str.contains("corescore").any()  # it refuses other words
    assert any("perl" in row for row in rows["scorers"])


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
    grid = ranking_grid({"r": of}, "muc")
    counts = grid.groupby("match")["repeats"].agg(set).to_dict()
    assert counts.pop("min-span") == set(POLICY_VALUES["repeats"]) - {"error"}
    assert set(map(frozenset, counts.values())) == {frozenset({"first"})}
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
    assert ranking_grid({"r": of}, "muc")["score r"].notna().all()


def test_two_that_are_alike_tie_and_nothing_flips():
    one = flipping()["links"]
    grid = ranking_grid({"a": one, "b": one}, "lea")
    assert set(grid["ranking"]) == {"a = b"}
    assert set(grid["winner"]) == {""}
    assert flips(grid).empty


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
    ("text", "number"),
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
