"""What a notebook shows, and the calls of other scorers."""

import re

import nbformat
import pytest
from hypothesis import given
from lxml.etree import fromstring, strip_elements
from nbclient import NotebookClient

import corescore
from corescore import Corpus, Document, InputError, PolicyError, preset, score
from corescore.analysis.perturbation import Drop
from corescore.api import experiment
from corescore.migration import CorefEvaluator, compute
from corescore.scoring.presets import PRESETS
from corescore.util import bundled
from tests.support.samples import first_files
from tests.support.strategies import corpora_of, pair_corpora

# What a notebook shows: scores, differences, and passages with their marks ------------------------

SAMPLE = first_files(5)
MIA = ["Mia", "fed", "her", "cat", ".", "It", "purred", "."]


class Elements:
    """The mentions of a page, which have titles, and the words of its text, without styles."""

    def __init__(self, html):
        self.tree = fromstring(f"<div>{html}</div>")  # each element is closed
        strip_elements(self.tree, "style", with_tail=False)
        self.text = "".join(self.tree.itertext())
        self.mentions = [of.attrib for of in self.tree.iter("span") if "title" in of.attrib]

    def having(self, style):
        return sum(style in of["class"].split() for of in self.mentions)


def elements(shown):
    """Of what a notebook gets, which loads nothing."""
    html = shown._repr_html_()
    assert not re.search(r"<script|<link|<img|<iframe|url\(|@import|https?:", html)
    return Elements(html)


def of_mia(words=tuple(MIA), name="story"):
    """Missing: its cat; spurious: "purred"; her and Mia are found and linked."""
    key = Document.of_rows(name, [(0, 1, "a"), (2, 3, "a"), (2, 4, "b"), (5, 6, "b")], words=words)
    made = Document.of_rows(name, [(0, 1, "a"), (2, 3, "a"), (6, 7, "b"), (5, 6, "b")], words=words)
    return corescore.score(key, made)


@pytest.fixture(scope="module")
def result():
    return scored("greedy")


def scored(name, **policies):
    """Of a response of the sample."""
    return corescore.score(SAMPLE / "key.conll", SAMPLE / f"{name}.conll", **policies)


def test_the_passage_stands_once_with_the_key_and_once_with_the_response():
    found = elements(of_mia().show("story"))
    assert [of["title"] for of in found.mentions] == [
        "correct: key entity 1 (2 mentions), response entity 1 (2 mentions)",
        "missing: key entity 2 (2 mentions)",
        "correct: key entity 1 (2 mentions), response entity 1 (2 mentions)",
        "incorrectly resolved: key entity 2 (2 mentions), response entity 2 (2 mentions)",
        "correct: response entity 1 (2 mentions), key entity 1 (2 mentions)",
        "correct: response entity 1 (2 mentions), key entity 1 (2 mentions)",
        "incorrectly resolved: response entity 2 (2 mentions), key entity 2 (2 mentions)",
        "spurious: response entity 2 (2 mentions)",
    ]
    assert "The number before a mention is that of its entity." in found.text
    assert "match exact" in found.text
    assert "Words" not in found.text


def test_credit_shades_the_mentions_of_one_side_by_one_metric():
    result = of_mia()
    of_key = elements(result.show("story", credit="bcub")).mentions
    # B³ gives each mention the share of its entity that is found together: 2/2 and 1/2.
    assert [of["title"].split(",")[0] for of in of_key] == [
        "100.00%",
        "0.00%",
        "100.00%",
        "50.00%",
    ]
    of_response = elements(result.show("story", credit="lea", side="precision"))
    assert of_response.having("twinless") == 1
    assert "precision 2/4 = 50.00%" in of_response.text


def test_a_long_document_is_shown_in_parts_that_say_so():
    words = tuple(f"w{at}" for at in range(40))
    document = Document.of_rows("long", [(at, at + 1, at % 3) for at in range(40)], words=words)
    result = corescore.score(document, document)
    seen = []
    for start, part in ((0, "1 to 15 of 40"), (15, "16 to 30 of 40"), (30, "31 to 40 of 40")):
        found = elements(result.show("long", start=start, words=15))
        assert f"Words {part}." in found.text
        assert (f"start={start + 15} shows the next" in found.text) == (start < 30)
        seen += re.findall(r"w\d+", found.text)[: min(15, 40 - start)]
    assert seen == list(words)


def test_a_document_without_words_lists_its_mentions():
    found = elements(of_mia(()).show("story"))
    assert "4 mentions of the key; the words are not known." in found.text
    assert len([*found.tree.iter("td")]) == 2 * 4 * 2
    assert "3 to 4" in found.text
    assert "missing" in found.text
    assert "100.00" in elements(of_mia(()).show("story", credit="bcub")).text
    toys = corescore.score_entities([{1, 2}, {3}], [{1}, {2, 3, 4}])
    assert len(elements(toys.show("document")).mentions) == 3 + 4
    assert elements(toys.find().show()).mentions


def test_the_errors_found_are_shown_with_their_entities(result):
    found = result.find("given:wrong size>2", order="cost.lea")
    shown = elements(found.show(most=3))
    assert f"{len(found)} errors found by given:wrong size>2" in shown.text
    assert "The first 3; most=6 shows more." in shown.text
    assert 3 <= shown.having("chosen") <= 6  # in the key, in the response or in both
    assert shown.having("kin") > 0
    assert shown.text.count("to fix it") == 3
    assert "The first" not in elements(found.top(3).show()).text
    assert "0 errors" in elements(result.find("zzzz").show()).text


@pytest.mark.parametrize("metrics", [("lea",), ("b3-sys", "muc")])
def test_metrics_that_were_not_scored_are_not_needed(metrics):
    result = scored("greedy", metrics=metrics)
    assert elements(result.show(result.documents[0])).mentions
    assert elements(result.find("", order="text").show(most=2)).mentions
    if metrics == ("lea",):
        assert elements(result.show(result.documents[0], credit="lea")).mentions
        assert "LEA" in elements(result.compare(result, trials=10)).text


@pytest.mark.parametrize(
    "ask, said",
    [
        (lambda of: of.show("tale"), "document is 'tale'; expected one of: story"),
        (lambda of: of.show("story", credit="b"), "metric is 'b'; expected one of: muc, bcub"),
        (lambda of: of.show("story", side="left"), "side is 'left'; expected one of: recall"),
        (lambda of: of.show("story", start=8), "start is 8; 'story' has 8 words"),
        (lambda of: of.show("story", start=-1), "start is -1; 'story' has 8 words"),
        (lambda of: of.show("story", words=0), "words is 0; expected 1"),
        (lambda of: of.find().show(most=0), "most is 0; expected 1"),
        (lambda of: of.find().show(words=-1), "words is -1; expected 1"),
        (lambda of: of.show("story", credit="mentions"), "mentions does not define credit"),
    ],
)
def test_what_is_not_there_is_refused(ask, said):
    with pytest.raises(PolicyError, match=re.escape(said)):
        ask(of_mia())


# Scores -------------------------------------------------------------------------------------------


def test_a_result_and_its_tally_show_the_scores_with_their_fractions():
    result = of_mia()
    found = elements(result)
    # The key has 4 mentions in 2 entities: B³'s recall is (2/2 + 2/2 + 0 + 1/2) / 4.
    assert "B³2.50/462.50" in found.text
    assert "CoNLL" in found.text
    assert result.signature in found.text
    assert found.text.index("CoNLL") < found.text.index("Mentions")
    assert result._repr_html_() == result.tally._repr_html_()
    assert "Means" not in found.text


def test_means_over_documents_and_warnings_are_shown_too():
    key, response = (corescore.read(SAMPLE / f"{name}.conll") for name in ("key", "greedy"))
    made = corescore.score(key, Corpus(response.documents[1:]), average="macro")
    assert made.warnings
    for said in ("Means over documents (macro)", *made.warnings):
        assert said in elements(made).text


def test_a_pair_shows_which_is_ahead_and_whether_that_is_significant(result):
    pair = result.compare(scored("cautious"), trials=200, level=0.9)
    text = elements(pair).text
    for said in ("A is ahead under all six.", "with its 90% interval", pair.signature):
        assert said in text
    assert all(warning in text for warning in pair.warnings)


# Sweeps and experiments ---------------------------------------------------------------------------


def test_a_sweep_shows_the_mean_at_each_dose(result):
    swept = result.sweep(Drop(), doses=(0, 0.5), seeds=2)
    rows = swept.table.query("metric == 'lea' and measure == 'f1'").set_index("dose")
    assert rows["mean"][0] == result["lea"].f1
    text = elements(swept).text
    assert "the mean of 2 seeds" in text
    assert f"{100 * rows['mean'][0.5]:.2f}" in text
    assert len(swept.plot(measure="recall").data) > 0


@pytest.mark.parametrize(
    "ask, said",
    [
        (lambda of: of.sweep(Drop(number=1)), "has a number; expected none, as the doses are"),
        (
            lambda of: of.sweep(Drop(), seeds=0),
            "seeds is 0; expected a whole number from 1 to 1000",
        ),
        (lambda of: of.sweep(Drop(), seeds=10**12), f"seeds is {10**12}; expected"),
        (lambda of: of.sweep(Drop(), doses=()), "there is no dose"),
        (lambda of: of.sweep(Drop(), doses=1001 * [0.5]), "1001 doses; expected 1000 at most"),
    ],
)
def test_a_sweep_that_cannot_be_is_refused(ask, said):
    with pytest.raises(PolicyError, match=re.escape(said)):
        ask(of_mia())


def test_an_experiment_shows_its_claims_and_the_printed_figures(result):
    made = experiment("moosavi2016-table3")
    text = elements(made).text
    for claim, _ in made.checks:
        assert claim.says.split(".")[0].split(" CEAF")[0] in text
    assert "printed" in text
    assert made.signature in text
    sides = (Corpus(getattr(result.comparison, side)[:1]) for side in ("key", "response"))
    on_data = experiment("moosavi2016-table1", *sides)
    assert "computed on your data" in elements(on_data).text
    with pytest.raises(PolicyError, match="experiment is 'table'; expected one of: moosavi2016"):
        experiment("table")


# Results in a real Jupyter kernel: every cell ends in HTML that stands in the page by -------------

SAMPLE_OF_NOTEBOOK = bundled("sample_data")
CELLS = {
    "Result": f"""
import corescore
key, a, b = (
    corescore.read(f"{SAMPLE_OF_NOTEBOOK}/{{name}}.conll") for name in ("key", "cautious", "greedy")
)
result = corescore.score(key, b)
result""",
    "Pair": "result.compare(corescore.score(key, a), trials=100)",
    "passage": "result.show(result.documents[0])",
    "credit": 'result.show(result.documents[0], credit="bcub")',
    "errors": 'result.find("given:wrong size>2", order="cost.lea").show(most=2)',
    "sweep": """
from corescore.analysis.perturbation import Drop
result.sweep(Drop(), doses=(0, 0.5), seeds=1)""",
    "experiment": """
from corescore.api import experiment
experiment("moosavi2016-table3")""",
}


@pytest.mark.slow
def test_every_value_shows_itself_in_a_kernel():
    cells = [nbformat.v4.new_code_cell(text) for text in CELLS.values()]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = dict(zip(CELLS, (cell.outputs for cell in notebook.cells), strict=True))
    for name, outputs in shown.items():
        assert [output.output_type for output in outputs] == ["execute_result"], name
        assert outputs[0].data["text/html"].startswith('<div class="corescore cell">')
    plain = shown["passage"][0].data["text/plain"]
    assert plain == "Shown(title='news_harbour: key and response')"


# The calls of other scorers, against their rules written down slowly, over lists ------------------

# --- The e2e family: a count is (numerator, denominator) of recall and of precision ---------------


@given(pair_corpora())
def test_the_evaluator_gives_the_means_of_the_preset(pairs):
    """The preset is held to the rules of the family in test_presets.py."""
    evaluator = CorefEvaluator()
    assert evaluator.get_prf() == (0, 0, 0)
    for key, response in pairs:
        maps = ({m: c for c, of in enumerate(side) for m in of} for side in (response, key))
        evaluator.update(response, key, *maps)
    result = score(*corpora_of(pairs), **preset("e2e"))
    every = [result[name] for name in PRESETS["e2e"].metrics]
    means = [sum(getattr(one, of) for one in every) / 3 for of in ("precision", "recall", "f1")]
    assert evaluator.get_prf() == pytest.approx(means)
    found = evaluator.get_precision(), evaluator.get_recall(), evaluator.get_f1()
    assert found == evaluator.get_prf()


def test_a_mention_listed_twice_is_looked_up_in_its_last_cluster():
    """Key {a b} {c d}, response {a b} {c b}: b is looked up in {c b}. Of recall and precision, MUC
    has 0/2 and 1/2, B³ (1/2 + 1/2 + 1/2)/4 and (2²/2 + 1/2 + 1/2)/4, CEAFₑ (1 + 1/2)/2."""
    a, b, c, d = (0, 1), (2, 2), (5, 7), (9, 9)
    evaluator = CorefEvaluator()
    evaluator.update([[a, b], [c, b]], [[a, b], [c, d]])
    assert evaluator.get_recall() == pytest.approx((0 + 3 / 8 + 3 / 4) / 3)
    assert evaluator.get_precision() == pytest.approx((1 / 2 + 3 / 4 + 3 / 4) / 3)


# --- Stanza: mean recall and precision over documents, 0/0 is 0, then F1 of the two --------------


# --- Hugging Face's coval ------------------------------------------------------------------------


def rows(*cells):
    return [f"doc 0 {at} w{at} - - - - - - - {cell}" for at, cell in enumerate(cells)]


KEY = [rows("(1)", "(2)", "-"), rows("(1)", "(2)", "(3)")]
RESPONSE = [rows("(7)", "(8)", "-"), rows("(7)", "-", "(8)")]


def test_compute_reads_rows_and_names_scores_as_coval():
    """Mentions 4 of 5 and 4 of 4; MUC 1 of 2 and 1 of 2."""
    values = compute(predictions=RESPONSE, references=KEY)
    assert [*values] == [
        *(
            f"{metric}/{measure}"
            for metric in ("mentions", "muc", "bcub", "ceafe", "lea")
            for measure in ("recall", "precision", "f1")
        ),
        "conll_score",
    ]
    assert values["mentions/recall"] == pytest.approx(4 / 5)
    assert values["muc/precision"] == pytest.approx(1 / 2)
    f1 = sum(values[f"{metric}/f1"] for metric in ("muc", "bcub", "ceafe"))
    assert values["conll_score"] == pytest.approx(100 * f1 / 3)


def test_compute_drops_singletons_on_both_sides():
    """Without {3}: B³ recall ((2/2 + 2/2) + (1/2 + 0)) / 4, where {8} keeps a spurious mention."""
    values = compute(predictions=RESPONSE, references=KEY, keep_singletons=False)
    assert values["bcub/recall"] == pytest.approx((2 + 1 / 2) / 4)
    assert values["mentions/recall"] == pytest.approx(3 / 4)


def test_compute_takes_clusters_of_several_documents():
    a, b, c, d = (0, 0), (1, 1), (3, 3), (4, 4)
    same = compute(
        predictions=[[[a, c], [b, (5, 5)]]],
        references=[[[a, c], [b, d], [(5, 5)]]],
    )
    assert same == pytest.approx(compute(predictions=RESPONSE, references=KEY))
    two = compute(predictions=[[], [["a", "b"]]], references=[[["a", "b"]], [["a", "b"]]])
    assert two["muc/recall"] == pytest.approx(1 / 2)


def test_compute_takes_the_arguments_of_coval():
    """Without the mention inside another of its entity, or the verb phrase, one is left."""
    same = compute(
        predictions=RESPONSE,
        references=KEY,
        keep_singletons=True,
        NP_only=False,
        min_span=False,
        remove_nested=False,
    )
    assert same == compute(predictions=RESPONSE, references=KEY)
    nested, plain = [rows("(1|(1)", "1)", "(1)")], [rows("(1", "1)", "(1)")]
    assert compute(predictions=plain, references=nested)["mentions/recall"] == 2 / 3
    assert compute(predictions=plain, references=nested, remove_nested=True)["mentions/recall"] == 1
    key, response = (
        [["doc 0 0 w0 NN (NP* - - - - - (1", f"doc 0 1 w1 VB (VP*)) - - - - - {cell}"]]
        for cell in ("1)|(2)", "1)")
    )
    assert compute(predictions=response, references=key)["mentions/recall"] == 1 / 2
    assert compute(predictions=response, references=key, NP_only=True)["mentions/recall"] == 1
    assert compute(predictions=key, references=key, min_span=True)["mentions/recall"] == 1


def test_compute_refuses_what_it_cannot_read():
    with pytest.raises(InputError, match="never closes"):
        compute(predictions=[rows("(1", "-")], references=KEY[:1])
    with pytest.raises(InputError, match="parse"):
        compute(predictions=RESPONSE, references=KEY, NP_only=True)
    with pytest.raises(ValueError, match="NP_only and remove_nested are given"):
        compute(predictions=RESPONSE, references=KEY, NP_only=True, remove_nested=True)
    with pytest.raises(ValueError, match="1 prediction for 2 references"):
        compute(predictions=RESPONSE[:1], references=KEY)
    with pytest.raises(ValueError, match="1 prediction for 2 references"):
        compute(predictions=[[[1]]], references=[[[1]], [[2]]])
