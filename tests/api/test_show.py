"""What a notebook shows: scores, differences, and passages with their marks."""

import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest

import corescore
from corescore import Corpus, Document, PolicyError, Result, Tally
from corescore.analysis.perturbation import Drop, perturb
from corescore.analysis.perturbation.sweep import Sweep
from corescore.analysis.systems.pair import Pair
from corescore.api import experiment
from corescore.rendering.tables import Shown
from corescore.replication.experiment import Outcome
from tests.support.hostile import NAME, WORDS
from tests.support.samples import first_files

SAMPLE = first_files(5)
ELEMENTS = {
    *("div", "section", "header", "style", "h2", "h3", "p", "span", "b", "bdi", "small", "sub"),
    *("dl", "dt", "dd", "table", "caption", "thead", "tbody", "tr", "th", "td"),
}
MIA = ["Mia", "fed", "her", "cat", ".", "It", "purred", "."]


class Elements(HTMLParser):
    """Start tags with their attributes, and the words of the text, without styles."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data

    @property
    def mentions(self) -> list[dict[str, str | None]]:
        return [of for tag, of in self.tags if tag == "span" and "title" in of]

    def having(self, style: str) -> int:
        return sum(style in str(of["class"]).split() for of in self.mentions)


def elements(shown: Shown | Tally | Pair | Sweep | Outcome) -> Elements:
    """Of what a notebook gets, which loads nothing."""
    html = shown._repr_html_()
    assert not re.search(r"<script|<link|<img|<iframe|url\(|@import|https?:", html)
    found = Elements(html)
    assert found.open == []
    return found


def of_mia(words: tuple[str, ...] = tuple(MIA), name: str = "story") -> Result:
    """Missing: its cat; spurious: "purred"; her and Mia are found and linked."""
    key = Document.of_rows(name, [(0, 1, "a"), (2, 3, "a"), (2, 4, "b"), (5, 6, "b")], words=words)
    made = Document.of_rows(name, [(0, 1, "a"), (2, 3, "a"), (6, 7, "b"), (5, 6, "b")], words=words)
    return corescore.score(Corpus((key,)), Corpus((made,)))


@pytest.fixture(scope="module")
def result() -> Result:
    key, response = (corescore.read(SAMPLE / f"{name}.conll") for name in ("key", "greedy"))
    return corescore.score(key, response)


def test_the_passage_stands_once_with_the_key_and_once_with_the_response() -> None:
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


def test_credit_shades_the_mentions_of_one_side_by_one_metric() -> None:
    result = of_mia()
    of_key = elements(result.show("story", credit="bcub")).mentions
    # B³ gives each mention the share of its entity that is found together: 2/2 and 1/2.
    assert [str(of["title"]).split(",")[0] for of in of_key] == [
        "100.00%",
        "0.00%",
        "100.00%",
        "50.00%",
    ]
    of_response = elements(result.show("story", credit="lea", side="precision"))
    assert of_response.having("twinless") == 1
    assert "precision 2/4 = 50.00%" in of_response.text


def test_a_long_document_is_shown_in_parts_that_say_so() -> None:
    words = tuple(f"w{at}" for at in range(40))
    document = Document.of_rows("long", [(at, at + 1, at % 3) for at in range(40)], words=words)
    result = corescore.score(Corpus((document,)), Corpus((document,)))
    seen: list[str] = []
    for start, part in ((0, "1 to 15 of 40"), (15, "16 to 30 of 40"), (30, "31 to 40 of 40")):
        found = elements(result.show("long", start=start, words=15))
        assert f"Words {part}." in found.text
        assert (f"start={start + 15} shows the next" in found.text) == (start < 30)
        seen += re.findall(r"w\d+", found.text)[: min(15, 40 - start)]
    assert seen == list(words)


def test_a_document_without_words_lists_its_mentions() -> None:
    found = elements(of_mia(()).show("story"))
    assert "4 mentions of the key; the words are not known." in found.text
    rows = [of for tag, of in found.tags if tag == "td"]
    assert len(rows) == 2 * 4 * 2
    assert "3 to 4" in found.text
    assert "missing" in found.text
    assert "100.00" in elements(of_mia(()).show("story", credit="bcub")).text


def test_the_errors_found_are_shown_with_their_entities(result: Result) -> None:
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
def test_metrics_that_were_not_scored_are_not_needed(metrics: tuple[str, ...]) -> None:
    key, response = (corescore.read(SAMPLE / f"{name}.conll") for name in ("key", "greedy"))
    result = corescore.score(key, response, metrics=metrics)
    assert elements(result.show(result.documents[0])).mentions
    assert elements(result.find("", order="text").show(most=2)).mentions
    if metrics == ("lea",):
        assert elements(result.show(result.documents[0], credit="lea")).mentions


def test_toys_and_entities_of_any_kind_are_shown() -> None:
    made = corescore.score_entities([{1, 2}, {3}], [{1}, {2, 3, 4}])
    assert len(elements(made.show("document")).mentions) == 3 + 4
    assert elements(made.find().show()).mentions


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda of: of.show("tale"), "document is 'tale'; expected one of: story"),
        (lambda of: of.show("story", credit="b"), "metric is 'b'; expected one of: muc, bcub"),
        (lambda of: of.show("story", side="left"), "side is 'left'; expected one of: recall"),
        (lambda of: of.show("story", start=8), "start is 8; 'story' has 8 words"),
        (lambda of: of.show("story", start=-1), "start is -1; 'story' has 8 words"),
        (lambda of: of.show("story", words=0), "words is 0; expected 1"),
        (lambda of: of.find().show(most=0), "most is 0; expected 1"),
        (lambda of: of.find().show(words=-1), "words is -1; expected 1"),
        (lambda of: of.show("story", credit="mentions"), "mentions does not say what it credits"),
    ],
)
def test_what_is_not_there_is_refused(ask: Callable[[Result], Shown], said: str) -> None:
    with pytest.raises(PolicyError, match=re.escape(said)):
        ask(of_mia())


def test_hostile_text_adds_no_element_and_loses_no_letter() -> None:
    n = len(WORDS)
    key = Document.of_rows(NAME, [(at, at + 1, at // 2) for at in range(n)], words=WORDS)
    response = Document.of_rows(NAME, [(at, at + 1, at % 3) for at in range(n)], words=WORDS)
    result = corescore.score(Corpus((key,)), Corpus((response,)))
    for shown in (result.show(NAME), result.show(NAME, credit="lea"), result.find().show(most=99)):
        found = elements(shown)
        assert {tag for tag, _ in found.tags} <= ELEMENTS
        assert not [name for _, of in found.tags for name in of if name.startswith("on")]
        assert NAME in found.text
        for word in WORDS:
            assert word in found.text


# Scores -------------------------------------------------------------------------------------------


def test_a_result_and_its_tally_show_the_scores_with_their_fractions() -> None:
    result = of_mia()
    found = elements(result)
    # The key has 4 mentions in 2 entities: B³'s recall is (2/2 + 2/2 + 0 + 1/2) / 4.
    assert "B³2.50/462.50" in found.text
    assert "CoNLL average" in found.text
    assert result.signature in found.text
    assert found.text.index("CoNLL average") < found.text.index("Mention identification")
    assert result._repr_html_() == result.tally._repr_html_()
    assert "Means" not in found.text


def test_means_over_documents_and_warnings_are_shown_too() -> None:
    key, response = (corescore.read(SAMPLE / f"{name}.conll") for name in ("key", "greedy"))
    made = corescore.score(key, Corpus(response.documents[1:]), average="macro")
    text = elements(made).text
    assert made.warnings
    assert "Means over documents (macro)" in text
    for warning in made.warnings:
        assert warning in text


def test_a_pair_shows_which_is_ahead_and_whether_that_is_significant(result: Result) -> None:
    key, other = (corescore.read(SAMPLE / f"{name}.conll") for name in ("key", "cautious"))
    pair = result.compare(corescore.score(key, other), trials=200, level=0.9)
    text = elements(pair).text
    assert "A is ahead under all six." in text
    assert "with its 90% interval" in text
    assert pair.signature in text
    for warning in pair.warnings:
        assert warning in text
    of_lea = corescore.score(key, other, metrics=("lea",))
    assert "LEA" in elements(of_lea.compare(of_lea, trials=10)).text


# Sweeps and experiments ---------------------------------------------------------------------------


def test_a_sweep_shows_the_mean_at_each_dose(result: Result) -> None:
    swept = result.sweep(Drop(), doses=(0, 0.5), seeds=2)
    key, response = (Corpus(getattr(result.comparison, side)) for side in ("key", "response"))
    at_half = [
        corescore.score(key, perturb(key, response, [Drop(share=0.5)], seed=seed))["lea"].f1
        for seed in (1, 2)
    ]
    rows = swept.table.query("metric == 'lea' and measure == 'f1'").set_index("dose")
    assert rows["mean"][0] == result["lea"].f1
    assert rows["mean"][0.5] == pytest.approx(sum(at_half) / 2)
    text = elements(swept).text
    assert "the mean of 2 seeds" in text
    assert f"{100 * rows['mean'][0.5]:.2f}" in text
    assert len(swept.plot(measure="recall").data) > 0


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda of: of.sweep(Drop(number=1)), "has a number; expected none, as the doses are"),
        (
            lambda of: of.sweep(Drop(), seeds=0),
            "seeds is 0; expected a whole number from 1 to 1000",
        ),
        (lambda of: of.sweep(Drop(), seeds=10**12), f"seeds is {10**12}; expected"),
        (lambda of: of.sweep(Drop(), doses=()), "there is no dose"),
        (lambda of: of.sweep(Drop(), doses=1001 * [0.5]), "1001 doses; expected 1000 at most"),
        (lambda of: of.sweep(Drop(), doses=(2,)), "share of drop is 2;"),
        (lambda of: of.sweep(Drop(), left_behind="x"), "left behind is 'x'"),
    ],
)
def test_a_sweep_that_cannot_be_is_refused(ask: Callable[[Result], Sweep], said: str) -> None:
    with pytest.raises(PolicyError, match=re.escape(said)):
        ask(of_mia())


def test_an_experiment_shows_its_claims_and_the_printed_figures(result: Result) -> None:
    made = experiment("moosavi2016-table3")
    text = elements(made).text
    for claim, _ in made.checks:
        assert claim.says.split(".")[0].split(" CEAF")[0] in text
    assert "printed" in text
    assert made.signature in text
    key, response = (Corpus(getattr(result.comparison, side)) for side in ("key", "response"))
    on_data = experiment("moosavi2016-table1", key, response)
    assert "computed on your data" in elements(on_data).text
    with pytest.raises(PolicyError, match="experiment is 'table'; expected one of: moosavi2016"):
        experiment("table")
    with pytest.raises(PolicyError, match=r"runs on data; .* key .* response"):
        experiment("moosavi2016-table1")
