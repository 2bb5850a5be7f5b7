"""The Perturb page: steps, what they do to the scores and to the text, and curves of the dose."""

import json
import re

import pytest
from playwright.sync_api import expect

import corescore
from corescore import score
from corescore.analysis.perturbation import PERTURBATIONS, parse_perturbation, perturb
from corescore.corpus.files import read_bytes
from corescore.scoring.tables import change_table
from corescore.wording import signed
from dashboard.session import files as sources
from tests.support.browser import open_at, turn_to
from tests.support.pages import KEY, RESPONSE, give, html, page_of, reads, run

PERTURB = "perturb"


@pytest.fixture(scope="module")
def sample():
    files = sources.sample_files()
    return tuple(read_bytes(f.data, f.name) for f in (files.key, *files.responses))


def changes_of(sample, steps, seed=1):
    key, response, *_ = sample
    done = perturb(key, response, [parse_perturbation(step) for step in steps], seed=seed)
    return change_table(score(key, response), score(key, done))


def test_the_page_opens_with_the_incorrectly_resolved_removed_and_says_what_broke(sample):
    app = page_of(view=PERTURB, seeds="1")
    changes = changes_of(sample, ["more-precise"])
    shown = html(app)
    assert f"MUC ({signed(changes.loc['muc', 'f1_change'])})" in shown
    assert f"B³ ({signed(changes.loc['bcub', 'f1_change'])})" in shown
    assert "Recall should not change" in shown
    kept, broken = (shown.split(word)[1].split("</p>")[0] for word in ("met by", "not met by"))
    assert ("MUC" in kept, "LEA" in kept) == (True, True)
    assert all(metric in broken for metric in ("B³", "CEAF", "BLANC"))


def test_the_page_counts_singletons_in_the_key_and_shows_the_other_reading(sample):
    """Of the 114 incorrectly resolved mentions of A, 13 are; CEAF_e falls with them, else rises."""
    every, linked = (
        changes_of(sample, [step]) for step in ("more-precise", "more-precise:incorrect=linked")
    )
    after, before = (signed(of.loc["ceafe", "f1_change"]) for of in (linked, every))
    assert (before[0], after[0]) == ("−", "+")
    shown = html(page_of(view=PERTURB, seeds="1"))
    assert reads(shown, "114", "incorrectly resolved", "13", "singletons")
    assert f"CEAFₑ F1 {after} instead of {before}." in shown
    assert reads(shown, "Before and after, with only", "link in the key")
    assert "◇" in drawn(page_of(view=PERTURB, seeds="1"))
    app = page_of(view=PERTURB, seeds="1", do="more-precise:incorrect=linked")
    assert f"CEAFₑ F1 {before} instead of {after}." in html(app)
    assert reads(html(app), "Before and after, with all")
    assert signed(linked.loc["bcub", "f1_change"]) in html(app)
    assert "LEA credits" in html(app)
    dropped = page_of(view=PERTURB, seeds="1", do="drop:share=0.2")
    assert "singletons in the key" not in html(dropped)
    added = page_of(view=PERTURB, seeds="1", do="less-precise-b:incorrect=linked")
    assert reads(html(added), "114", "incorrectly resolved", "13", "singletons")
    assert "LEA credits" not in html(added)


def drawn(app):
    """The charts of a page, as text."""
    return "\n".join(str(json.loads(c.proto.spec)) for c in app.get("plotly_chart"))


@pytest.mark.slow
@pytest.mark.parametrize("kind", PERTURBATIONS)
def test_every_perturbation_can_be_shown(kind):
    app = page_of(view=PERTURB, seeds="1", do=f"{kind}")
    assert f"| {kind} | seed 1 |" in html(app)


def test_a_link_with_steps_and_seed_shows_their_scores(sample):
    app = page_of(view=PERTURB, seeds="1", do="drop:share=0.2,of=right; split:share=0.3", seed="7")
    changes = changes_of(sample, ["drop:share=0.2,of=right", "split:share=0.3"], seed=7)
    for metric in ("muc", "lea", "conll"):
        assert signed(changes.loc[metric, "f1_change"]) in html(app)


@pytest.mark.slow
def test_a_step_is_added_changed_and_removed():
    app = run(view=PERTURB, seeds="1")
    app.selectbox("add_step").select("drop").run()
    assert app.text_input("do").value == "more-precise; drop:share=0.2"
    app.slider("step_1_drop_share").set_value(25).run()
    assert app.text_input("do").value == "more-precise; drop:share=0.25"
    app.button("remove_0").click().run()
    assert app.text_input("do").value == "drop:share=0.25"
    assert not app.exception


@pytest.mark.usefixtures("few")
def test_a_number_takes_the_place_of_the_share():
    app = run(view=PERTURB, seeds="1", do="drop:share=0.25")
    app.number_input("step_0_drop_number").set_value(3).run()
    assert app.text_input("do").value == "drop:number=3"
    assert reads(html(app), "Drop 3", "each document")
    assert app.slider("step_0_drop_share").disabled
    app.number_input("step_0_drop_number").set_value(None).run()
    assert app.text_input("do").value == "drop"
    assert not app.exception


@pytest.mark.usefixtures("few")
def test_a_step_that_cannot_be_is_explained_and_the_old_one_stays():
    app = run(view=PERTURB, seeds="1", do="split")
    app.text_input("step_0_split_sizes").set_value("many").run()
    assert "sizes" in html(app)
    assert app.text_input("do").value == "split"
    app.text_input("do").set_value("nothing-known").run()
    assert "perturbation is &#39;nothing-known&#39;" in html(app)
    assert not app.exception


def test_without_steps_nothing_changes():
    app = page_of(view=PERTURB, seeds="1", do="")
    assert reads(html(app), "Nothing", "A (cautious)")


def test_a_document_of_one_word_can_be_perturbed(monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_conll=KEY, response_conll=RESPONSE)
    app = run(view=PERTURB, seeds="1", do="drop")
    assert "0 mentions" in html(app)


@pytest.mark.parametrize("name", ["a__b", "_a", "a_", "__"])
def test_a_document_can_have_any_name(monkeypatch, tmp_path, name):
    key, response = (
        re.sub(rb"(#begin document \().*?\)", rb"\1" + name.encode() + b")", text)
        for text in (KEY, RESPONSE)
    )
    give(monkeypatch, tmp_path, key_conll=key, response_conll=response)
    app = run(view=PERTURB, seeds="1", do="drop")
    assert not app.exception
    assert name in app.selectbox("changed_document").value


@pytest.mark.usefixtures("few")
def test_a_sweep_that_its_browser_left_is_begun_again():
    app = run(view=PERTURB, seeds="1")
    left = app.session_state["sweep"].job
    left.is_left = True
    assert app.run().session_state["sweep"].job is not left


@pytest.mark.slow
def test_the_text_shows_what_is_removed_and_the_curves_come(page, address):
    open_at(page, f"{address}/perturb")
    expect(page.locator(".passage .legend")).to_contain_text("removed")
    expect(page.locator(".passage .count")).to_contain_text("change")
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
    expect(page.locator(".st-key-curves .js-plotly-plot")).to_have_count(1)
    expect(page.locator(".st-key-curves .js-plotly-plot")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the perturbed").click()
    assert download.value.suggested_filename == "cautious-perturbed.conll"
    perturbed = corescore.read(download.value.path())
    files = sources.sample_files()
    response = read_bytes(files.responses[0].data, "cautious.conll")
    before, after = (sum(len(d.rows) for d in c) for c in (response, perturbed))
    assert after < before
    expect(page.locator('[data-testid="stException"]')).to_have_count(0)


@pytest.mark.slow
def test_a_click_that_comes_while_a_sweep_is_at_work_is_not_lost(page, address):
    stop = page.get_by_test_id("stMain").get_by_role("button", name="Stop", exact=True)
    page.goto(f"{address}/perturb?seeds=50")
    stop.wait_for()
    turn_to(page, "Sandbox")
    expect(stop).to_have_count(0)
