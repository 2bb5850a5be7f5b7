"""What a page shows belongs to what it is shown under: heads to their numbers, shades to the worst,
sentences and boxes to the system that is selected, curves to the settings above them."""

import pytest

from corescore.analysis.errors.tables import BOTH_CORRECT, BOTH_WRONG, ONLY_A, ONLY_B
from corescore.analysis.explain import share_table
from corescore.analysis.systems.mentions import (
    A_MORE,
    B_MORE,
    BOTH_ALL,
    BOTH_PART,
    NOTHING,
)
from corescore.metrics import METRICS
from corescore.wording import percent
from dashboard.components.mentions import Drawn, kept
from dashboard.views import documents
from tests.support.clicks import drawn, rows
from tests.support.pages import name_files, page_of, run

DOCUMENT = "news_orchard"


# Two systems --------------------------------------------------------------------------------------


@pytest.fixture
def compared():
    return page_of(view="compare", trials="100", right_by="status")


@pytest.mark.parametrize(
    ("chart", "heads"),
    {
        "parts mentions muc bcub ceafm ceafe blanc lea": {
            A_MORE: "A",
            BOTH_ALL: "all",
            BOTH_PART: "part",
            NOTHING: "none",
            B_MORE: "B",
        },
        "parts mentions status": {
            ONLY_A: "A",
            BOTH_CORRECT: "both",
            BOTH_WRONG: "neither",
            ONLY_B: "B",
        },
        "wins": {"A ahead": "A", "tie": "tie", "B ahead": "B"},
    }.items(),
)
def test_each_head_stands_over_the_numbers_of_its_part(chart, heads, compared):
    figure = drawn(compared, chart)
    notes = figure["layout"]["annotations"]
    bars = [one for one in figure["data"] if one.get("customdata")]
    assert [bar["customdata"][0][1] for bar in bars] == list(heads)
    for bar, head in zip(bars, heads.values(), strict=True):
        (above,) = [
            note
            for note in notes
            if note["y"] == 1 and note["text"] == head and note["yanchor"] == "bottom"
        ]
        beside = [note for note in notes if note["xshift"] == above["xshift"] and note is not above]
        counts = [text.split(", ")[-1].split(" of ")[0] for text in bar["hovertext"]]
        assert [note["text"] for note in sorted(beside, key=lambda note: note["y"])] == counts


def test_documents_of_two_systems_are_listed_from_the_greatest_gain_of_b(compared):
    shown = rows(compared, "documents_table")
    assert shown["difference"].is_monotonic_decreasing
    assert not shown["difference"].is_monotonic_increasing
    assert shown["difference"].tolist() == pytest.approx((shown["b"] - shown["a"]).tolist())
    ahead = {"A": -1, "B": 1, "tie": 0}
    for row in shown.to_dict("records"):
        assert ahead[row["winner"]] * row["difference"] >= 0


@pytest.mark.parametrize("first", ["A", "B"])
def test_of_documents_that_metrics_judge_differently_those_asked_for_are_listed(first):
    wanted = {"A": "A by the one", "B": "B by the one"}[first]
    app = run(
        view="compare",
        parts=["argument"],
        trials="100",
        one="MUC",
        other="CEAFₑ",
        preferring=wanted,
    )
    shown = next(one for one in app.dataframe if one.key.startswith("opposed_table"))
    under_muc, under_ceafe = shown.value["muc"], shown.value["ceafe"]
    assert ((under_muc < 0) == (first == "A")).all()
    assert ((under_ceafe > 0) == (first == "A")).all()


# Documents ----------------------------------------------------------------------------------------


def test_the_lowest_score_has_the_strongest_shade_and_the_highest_none():
    app = page_of(view="documents", show="all")
    shown = rows(app, "document_table worst first").set_index("document")
    styler = documents._shaded(shown, shown)
    styler._compute()
    shades = {}
    for (row, column), looks in styler.ctx.items():
        for _, look in looks:
            shades[row, shown.columns[column]] = float(look.split(",")[-1].strip(" )"))
    for metric in ("muc", "conll"):
        scores, column = shown[metric].tolist(), metric
        worst, best = scores.index(min(scores)), scores.index(max(scores))
        assert shades.get((worst, column), 0) == pytest.approx(0.5)
        assert shades.get((best, column), 0) == 0
        by_score = [shades.get((row, column), 0) for row in range(len(scores))]
        assert [shade for _, shade in sorted(zip(scores, by_score, strict=True))] == sorted(
            by_score, reverse=True
        )


def test_the_search_by_name_drops_the_other_documents():
    app = page_of(view="documents", named="NEWS")
    names = rows(app, "document_table worst first")["document"].tolist()
    every = [document.name for document in app.session_state["loaded"].key]
    assert sorted(names) == sorted(name for name in every if "news" in name)
    assert len(names) < len(every)


# The box of documents -----------------------------------------------------------------------------


@pytest.mark.parametrize("letter", ["A", "B"])
def test_the_box_of_documents_has_the_scores_of_the_system_that_is_selected(letter):
    names = {"A": "A: cautious", "B": "B: greedy"}
    app = run(view="text", of=names[letter], worst_first="true").run()
    loaded = app.session_state["loaded"]
    results = loaded.results
    assert results["A"].document_scores["conll"].f1.tolist() != (
        results["B"].document_scores["conll"].f1.tolist()
    )
    result = results[letter]
    f1 = dict(zip(result.documents, result.document_scores["conll"].f1.tolist(), strict=True))
    worst_first = sorted(f1, key=f1.__getitem__)
    shown = [option.rsplit(" · ", 1)[1] for option in app.selectbox(key="document").options]
    assert shown == [percent(f1[name]) for name in worst_first]


# The filters of Text ------------------------------------------------------------------------------


FIRST, SECOND = (
    Drawn(0, 2, "correct", "name", (1, 3), (0, 1)),
    Drawn(4, 5, "missing", "pronoun", (2, 0), (0,)),
)
FILTERS = {
    "a status": {"kinds": ["correct"]},
    "a type": {"type_": "name"},
    "an entity": {"entity": 1},
    "errors": {"spans": {(0, 2)}},
    "no error": {"spans": {(0, 2), (4, 6)}},
    "the selected entity": {"selected": FIRST, "of_selected": True},
}


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_drops_what_does_not_pass_it(name):
    assert kept((FIRST, SECOND), **FILTERS[name]) == (FIRST,)
    assert kept((FIRST, SECOND)) == (FIRST, SECOND)


def test_the_mention_that_is_selected_passes_all_filters():
    hidden = {"kinds": ["unlinked"], "type_": "nominal", "entity": 9, "spans": set()}
    for one, of in hidden.items():
        assert kept((FIRST, SECOND), selected=SECOND, **{one: of}) == (SECOND,)


# Credit -------------------------------------------------------------------------------------------


def test_losses_go_past_mentions_that_lose_nothing_in_either_direction():
    app = run(view="credit", metric="LEA", document=DOCUMENT)
    result = app.session_state["loaded"].results["A"]
    shares = share_table(result.comparison, METRICS, side="recall", document=DOCUMENT)
    spans = list(zip(shares["start"], -shares["end"], strict=True))
    is_lost = dict(zip(spans, shares["lea"] < 1, strict=True))
    order = sorted(is_lost)
    # A loss, then a mention that earns all, and that under MUC is not followed by the same loss.
    under_muc = dict(zip(spans, shares["muc"] < 1, strict=True))
    start, after = next(
        (one, following(is_lost, one))
        for n, one in enumerate(order)
        if is_lost[one] and not is_lost[order[n + 1]]
        if following(is_lost, one) != following(under_muc, one)
    )
    for place, label, end in (
        (start, "Next loss", after),
        (after, "Previous loss", start),
    ):
        app.query_params["mention"] = f"{place[0]}-{-place[1]}"
        app.run()
        next(one for one in app.button if one.label == label).click().run()
        assert app.session_state["selected_mention"] == f"{end[0]}-{-end[1]}"


def following(is_lost, place):
    """The next loss after a place in the text."""
    return next(one for one in sorted(is_lost) if one > place and is_lost[one])


# Sweeps -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def perturbed(four_documents):
    with pytest.MonkeyPatch.context() as patch:
        name_files(patch, *four_documents)
        return run(view="perturb", seeds="1", do="split:share=0.2; drop:share=0.25")


SETTINGS = {
    "mentions left alone": lambda app: app.selectbox(key="left_behind").select_index(1).run(),
    "the seed": lambda app: app.number_input(key="seed").set_value(7).run(),
    "how many seeds": lambda app: app.number_input(key="seeds").set_value(2).run(),
    "a step before": lambda app: (
        app.text_input(key="do").set_value("split:share=0.3; drop:share=0.25").run()
    ),
    "the last step": lambda app: (
        app.text_input(key="do").set_value("split:share=0.3; drop:share=0.25,of=correct").run()
    ),
    "the policies": lambda app: app.selectbox(key="singletons").select("drop").run(),
    "the response": lambda app: app.selectbox(key="a").select("greedy.conll").run(),
}


@pytest.mark.usefixtures("few")
def test_a_sweep_is_not_made_anew_if_no_setting_changes(perturbed):
    before = perturbed.session_state["sweep"].job
    perturbed.run()
    assert perturbed.session_state["sweep"].job is before


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_sweep_is_made_anew_if_a_setting_changes(setting, perturbed):
    before = perturbed.session_state["sweep"].job
    SETTINGS[setting](perturbed)
    assert not perturbed.exception
    assert perturbed.session_state["sweep"].job is not before
