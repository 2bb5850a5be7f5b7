"""The page Perturb."""

import json
import time
from functools import partial

import pytest
from playwright.sync_api import expect

import corescore
from corescore import score
from corescore.analysis.perturbation import PERTURBATIONS, parse_perturbation, perturb
from corescore.analysis.perturbation.sweep import Sweep
from corescore.metrics import METRIC_IDS
from corescore.scoring.tables import change_table
from corescore.wording import signed
from dashboard.views.perturb import Complete, Job
from dashboard.views.perturb_steps import starting
from tests.support.acts import choose, press, says
from tests.support.browser import open_at, place_of, turn_to
from tests.support.pages import KEY, RESPONSE, html, page_of, reads, run
from tests.support.samples import RESPONSES, SAMPLE

# The Perturb page: steps, what they do to the scores and to the text, and curves of the -----------

PERTURB = "perturb"


@pytest.fixture(scope="module")
def sample():
    return tuple(corescore.read(SAMPLE / f"{name}.conll") for name in ("key", *RESPONSES))


@pytest.fixture
def tiny(give):
    give(key_conll=KEY, response_conll=RESPONSE)


def changes_of(sample, steps, seed=1):
    key, response, _ = sample
    done = perturb(key, response, [parse_perturbation(step) for step in steps], seed=seed)
    return change_table(score(key, response), score(key, done))


def test_the_page_opens_with_the_incorrectly_resolved_removed_and_says_what_broke(sample):
    app = page_of(PERTURB, seeds="1")
    changes = changes_of(sample, ["more-precise"])
    shown = html(app)
    assert f"MUC ({signed(changes.loc['muc', 'f1_change'])})" in shown
    assert f"B³ ({signed(changes.loc['bcub', 'f1_change'])})" in shown
    assert "Recall should not change" in shown
    kept, broken = (shown.split(word)[1].split("</p>")[0] for word in ("met by", "not met by"))
    assert ("MUC" in kept, "LEA" in kept) == (True, True)
    assert all(metric in broken for metric in ("B³", "CEAF", "BLANC"))


def test_singletons_that_are_dropped_go_before_the_steps_and_their_counts():
    app = page_of(PERTURB, seeds="1", singletons="drop")
    assert says(app, "722 mentions instead of 823", "CEAFₑ (−2.04)")


def test_the_page_counts_singletons_in_the_key_and_shows_the_other_reading(sample):
    """Of the 114 incorrectly resolved mentions of A, 13 are; CEAFₑ falls with them, else rises."""
    every, linked = (
        changes_of(sample, [step]) for step in ("more-precise", "more-precise:incorrect=linked")
    )
    after, before = (signed(of.loc["ceafe", "f1_change"]) for of in (linked, every))
    assert (before[0], after[0]) == ("−", "+")
    shown = html(page_of(PERTURB, seeds="1"))
    assert reads(shown, "114", "incorrectly resolved", "13", "singletons")
    assert f"CEAFₑ F1 {after} instead of {before}." in shown
    assert reads(shown, "Before and after, with only", "link in the key")
    assert "◇" in drawn(page_of(PERTURB, seeds="1"))
    app = page_of(PERTURB, seeds="1", do="more-precise:incorrect=linked")
    assert f"CEAFₑ F1 {before} instead of {after}." in html(app)
    assert says(app, "Before and after, with all")
    assert signed(linked.loc["bcub", "f1_change"]) in html(app)
    assert "LEA credits" in html(app)
    assert "LEA credits" not in shown


def drawn(app):
    """The charts of a page, as text."""
    return "\n".join(str(json.loads(c.proto.spec)) for c in app.get("plotly_chart"))


@pytest.mark.slow
@pytest.mark.parametrize("kind", PERTURBATIONS)
def test_every_perturbation_can_be_shown(kind):
    app = page_of(PERTURB, seeds="1", do=f"{kind}")
    assert f"| {kind} | seed 1 |" in html(app)


def test_a_link_with_steps_and_seed_shows_their_scores(sample):
    app = page_of(PERTURB, seeds="1", do="drop:share=0.2,of=right; split:share=0.3", seed="7")
    changes = changes_of(sample, ["drop:share=0.2,of=right", "split:share=0.3"], seed=7)
    for metric in ("muc", "lea", "conll"):
        assert signed(changes.loc[metric, "f1_change"]) in html(app)
    assert "singletons in the key" not in html(app)


@pytest.mark.slow
def test_a_step_is_added_changed_and_removed():
    app = run(PERTURB, seeds="1")
    choose(app, "add_step", "drop")
    assert app.text_input("do").value == "more-precise; drop:share=0.2"
    choose(app, "step_1_drop_share", 25)
    assert app.text_input("do").value == "more-precise; drop:share=0.25"
    press(app, "remove_0")
    assert app.text_input("do").value == "drop:share=0.25"


@pytest.mark.usefixtures("tiny")
def test_a_number_takes_the_place_of_the_share():
    app = run(PERTURB, seeds="1", do="drop:share=0.25")
    choose(app, "step_0_drop_number", 3)
    assert app.text_input("do").value == "drop:number=3"
    assert any(reads(str(box.proto), "Drop 3", "each document") for box in app.get("popover"))
    assert app.slider("step_0_drop_share").disabled
    choose(app, "step_0_drop_number", None)
    assert app.text_input("do").value == "drop"


@pytest.mark.usefixtures("tiny")
def test_a_step_that_cannot_be_is_explained_and_the_old_one_stays():
    app = run(PERTURB, seeds="1", do="split")
    choose(app, "step_0_split_sizes", "many")
    assert "sizes" in html(app)
    assert app.text_input("do").value == "split"
    choose(app, "do", "nothing-known")
    assert "perturbation is &#39;nothing-known&#39;" in html(app)


def test_without_steps_nothing_changes():
    app = page_of(PERTURB, seeds="1", do="")
    assert says(app, "Nothing", "A (cautious)")


def test_a_document_can_have_any_name_and_lose_all(give):
    key, response = (text.replace(b"(d)", b"(__)") for text in (KEY, RESPONSE))
    give(key_conll=key, response_conll=response)
    app = run(PERTURB, seeds="1", do="drop")
    assert "0 mentions" in html(app)
    assert app.selectbox("changed_document").value == "__"


@pytest.mark.usefixtures("tiny")
def test_a_sweep_is_begun_again_if_its_browser_left_it_or_a_setting_changes():
    app = run(PERTURB, seeds="1")
    jobs = [app.session_state["sweep"].job]
    assert app.run().session_state["sweep"].job is jobs[0]
    jobs[0].is_left = True
    jobs.append(app.run().session_state["sweep"].job)
    choose(app, "seeds", 2)
    jobs.append(app.session_state["sweep"].job)
    assert len({*map(id, jobs)}) == 3


def test_the_text_shows_what_is_removed_and_the_curves_come(page, address, sample):
    open_at(page, f"{address}/perturb")
    step = page.locator(".st-key-step-0 button p").first
    assert step.evaluate("it => it.scrollWidth <= it.clientWidth && it.clientHeight < 25")
    expect(page.locator(".passage .legend")).to_contain_text("removed")
    expect(page.locator(".passage .count")).to_contain_text("change")
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
    expect(page.locator(".st-key-curves .js-plotly-plot")).to_have_count(1)
    expect(page.locator(".st-key-curves .js-plotly-plot")).to_be_visible()
    page.get_by_text("Seed, steps as text, download").click()
    button = page.get_by_role("button", name="Download the perturbed")
    place_of(button)  # the box is still opening: a click on what moves is lost
    with page.expect_download() as download:
        button.click()
    assert download.value.suggested_filename == "cautious-perturbed.conll"
    perturbed = corescore.read(download.value.path())
    before, after = (sum(len(d.rows) for d in c) for c in (sample[1], perturbed))
    assert after < before


@pytest.mark.long
def test_a_click_that_comes_while_a_sweep_is_at_work_is_not_lost(page, address):
    stop = page.get_by_test_id("stMain").get_by_role("button", name="Stop", exact=True)
    page.goto(f"{address}/perturb?seeds=50")
    stop.wait_for()
    turn_to(page, "Sandbox")
    expect(stop).to_have_count(0)


# What the Perturb page begins with, and the sweeps that run beside it -----------------------------


@pytest.mark.parametrize("kind", sorted({*PERTURBATIONS} - {"singletons", "one-entity"}))
def test_a_step_begins_where_something_is_to_be_seen(kind, sample):
    key, response, _ = sample
    before = score(key, response)
    after = score(key, perturb(key, response, [starting(kind)], seed=1))
    assert all(after[metric].f1 > 0 for metric in METRIC_IDS)
    assert all(abs(after[metric].f1 - before[metric].f1) > 0.001 for metric in ("bcub", "lea"))


def test_a_sweep_beside_the_page_makes_all_its_runs_and_can_be_stopped(sample):
    sweep = dropping(sample, doses=(0.0, 1.0), seeds=(1, 2))
    job = Job(sweep)
    wait_until(lambda: job.is_done)
    assert job.share == 1
    curve = job.curves("f1").set_index(["dose", "metric"])["mean"]
    assert curve[0.0, "lea"] == pytest.approx(sweep.result["lea"].f1)
    assert curve[1.0, "lea"] == 0  # nothing is left
    long = Job(endless(sample))
    long.stop()
    wait_until(lambda: long.is_done)
    assert long.share < 1


def test_a_sweep_that_is_complete_is_not_made_again_in_another_session(sample):
    sweep = dropping(sample, doses=(0.5,), seeds=(1, 2))
    complete = Complete(most=1)
    first = Job(sweep, complete.get(("one",)), on_done=partial(complete.keep, ("one",)))
    wait_until(lambda: first.is_done)
    again = Job(None, complete.get(("one",)))  # nothing that could be swept
    wait_until(lambda: again.is_done)
    assert again.runs == first.runs
    assert [run.seed for run in again.runs] == [1, 2]
    complete.keep(("two",), first.runs)
    assert not complete.get(("one",))


@pytest.mark.slow
def test_a_sweep_that_was_stopped_is_not_taken_for_complete(sample):
    complete = Complete()
    job = Job(endless(sample), on_done=partial(complete.keep, ("long",)))
    job.stop()
    wait_until(lambda: job.is_done)
    assert not complete.get(("long",))


def dropping(sample, *, doses, seeds):
    key, response, _ = sample
    drop = parse_perturbation("drop")
    return Sweep(result=score(key, response), perturbation=drop, doses=doses, seeds=seeds)


def endless(sample):
    return dropping(sample, doses=(0.5,), seeds=range(1, 10**6))


def wait_until(holds):
    while not holds():  # no longer than a test may take
        time.sleep(0.02)


@pytest.mark.slow
def test_a_sweep_whose_browser_is_gone_stops(sample):
    there = [True, True, False]
    job = Job(endless(sample), is_wanted=lambda: there.pop(0))
    wait_until(lambda: job.is_done)
    assert (len(job.runs), job.is_left) == (2, True)


def failing(sample, *, after):
    """A sweep that fails after so many runs."""
    sweep = dropping(sample, doses=(0.0, 1.0), seeds=tuple(range(1, 6)))

    class Failing(Sweep):
        def __iter__(self):
            for _, made in zip(range(after), sweep, strict=False):
                yield made
            raise MemoryError

    return Failing(**vars(sweep))


@pytest.mark.slow
def test_a_sweep_that_fails_says_so_and_why(sample, monkeypatch, capfd):
    complete = Complete()
    job = Job(failing(sample, after=2), on_done=partial(complete.keep, ("it",)))
    wait_until(lambda: job.is_done)
    assert job.failure == "not enough memory"
    assert (job.said, complete.get(("it",))) == ("2 of 10 runs", ())
    assert "failed: not enough memory" in capfd.readouterr().err

    made = failing(sample, after=2)
    monkeypatch.setattr("dashboard.views.perturb._sweep", lambda *_: made)
    monkeypatch.setattr("dashboard.views.perturb._complete", Complete())
    app = run("perturb")
    wait_until(lambda: app.session_state["sweep"].job.is_done)
    app.run()
    assert "failed after 2 of 10 runs (not enough memory)" in html(app)
    assert "stopped" not in html(app)
    failed = app.session_state["sweep"].job
    press(app, "Try again")
    assert app.session_state["sweep"].job is not failed
