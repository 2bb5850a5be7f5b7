"""Work in the background, what is cached, and much data."""

import gc
import re
from threading import Event, Thread
from types import SimpleNamespace
from unittest.mock import Mock
from weakref import finalize

import numpy as np
import pytest
import streamlit as st
from pandas.testing import assert_frame_equal

from corescore import PolicyError, score
from corescore.analysis.error_table import table
from corescore.analysis.error_table.notes import NO_NOTES, Note, Notes
from corescore.analysis.errors.overlaps import overlap_members, overlap_table
from corescore.analysis.perturbation import parse_perturbation
from corescore.analysis.systems.pair import Pair
from corescore.corpus.files import write
from corescore.counting.policies import Policies
from corescore.metrics import metric_of
from corescore.replication import EXPERIMENTS
from corescore.replication.experiment import in_paper
from dashboard import ahead
from dashboard.session import analyses, background, scoring
from dashboard.session import files as sources
from dashboard.session.background import Background
from dashboard.session.caching import cached
from dashboard.session.files import Files, file_of
from dashboard.session.loaded import BY_CONTENT, Loaded, System
from dashboard.views import (
    entities,
    errors_list,
    links,
    many_systems,
    perturb,
    perturb_steps,
    share,
)
from dashboard.views import two_systems_shown as compared
from dashboard.widgets import charts, page, tables, uploads
from tests.support.acts import choose, press, says
from tests.support.pages import BAD, KEY, RESPONSE, html, name_files, reads, run, turn
from tests.support.synthetic import SMALL_TANGLE, synthesise

# What is computed in the background: when, in which order, and that pages find it -----------------


class Ended(BaseException):
    """Ends the work, which otherwise never does."""


def end():
    raise Ended


def work_through(of, wanted="one"):
    """Do the steps that are made of what a page wants."""
    worker = Background(of, rest=0)
    with worker.drawing():
        worker.want(wanted)
    with pytest.raises(Ended):
        worker.work()


def test_the_steps_are_computed_one_after_the_other():
    done = []
    work = [lambda: done.append(1), lambda: done.append(2), end]
    work_through(lambda loaded: iter([lambda: done.append(loaded), *work]))
    assert done == ["one", 1, 2]


def test_what_cannot_be_computed_is_left_to_the_page_to_say():
    def fail():
        raise PolicyError("repeats")

    done = []
    work_through(lambda _: iter([fail, lambda: done.append(1), end]))
    assert done == [1]


def test_what_fails_is_said_on_standard_error_and_the_next_step_is_computed(capsys):
    def fail():
        raise MemoryError

    def break_():
        raise OSError(28, "No space left on device")

    done = []
    work_through(lambda _: iter([fail, break_, lambda: done.append(1), end]))
    assert done == [1]
    said = capsys.readouterr().err.splitlines()
    first, second = (line for line in said if line.startswith("corescore dashboard"))
    assert "failed: not enough memory" in first
    assert "OSError: [Errno 28] No space left on device" in second


def test_what_was_loaded_last_comes_first():
    done = []

    def of(loaded):
        if loaded == "new":
            return iter([lambda: done.append("new"), end])
        return iter(
            [lambda: done.append("old"), lambda: worker.want("new"), lambda: done.append(3)]
        )

    worker = Background(of, rest=0)
    with worker.drawing():
        worker.want("old")
    with pytest.raises(Ended):
        worker.work()
    assert done == ["old", "new"]


def test_nothing_is_begun_while_a_page_is_drawn_nor_in_the_moment_after_the_last(monkeypatch):
    done, ended, now = [], Event(), [0]
    monkeypatch.setattr(background, "monotonic", lambda: now[0])

    def last():
        ended.set()
        raise Ended

    def work():
        with pytest.raises(Ended):
            worker.work()

    worker = Background(lambda _: iter([lambda: done.append(1), last]), rest=0.01)
    thread = Thread(target=work)
    with worker.drawing():
        with worker.drawing():
            worker.want("one")
            thread.start()
        assert not ended.wait(0.1)
    assert not ended.wait(0.1)
    assert not done
    now[0] = 1
    thread.join()
    assert done == [1]


def test_a_page_that_fails_does_not_hold_the_work_up():
    worker = Background(lambda _: iter([end]), rest=0)
    with pytest.raises(ZeroDivisionError), worker.drawing():
        raise ZeroDivisionError
    worker.want("one")
    with pytest.raises(Ended):
        worker.work()


@pytest.mark.slow
def test_every_page_asks_for_what_it_has_loaded(monkeypatch, give):
    give(key_conll=KEY, response_conll=RESPONSE)
    wanted = []
    monkeypatch.setattr(ahead.background, "want", wanted.append)
    run("errors")
    assert [system.name for system in wanted[-1].systems] == ["response"]


def load(most=9, **policies):
    """What the app shows of the files of the command line, and so many of their responses."""
    files = sources.given_files()
    return scoring.load(files, files.responses[:most], Policies(**policies))


def test_pages_find_the_errors_that_were_computed_and_do_not_compute_them_again(monkeypatch, give):
    give(key_conll=KEY, response_conll=RESPONSE)
    computed = []

    def counting(result):
        computed.append(result)
        return every_error(result)

    every_error = table.every_error
    monkeypatch.setattr(table, "every_error", counting)
    for step in ahead.steps(load()):
        if step.func in vars(analyses).values():
            step()
    assert len(computed) == 1
    run("errors")
    assert len(computed) == 1


def test_perturb_opens_with_what_was_computed_for_both_systems(monkeypatch, give):
    give(key_conll=KEY, a_conll=RESPONSE, b_conll=RESPONSE)
    for step in perturb_steps.at_first(load()):
        step()
    monkeypatch.setattr(perturb_steps, "perturb", None)  # cannot be done
    for letter in ("A: a", "B: b"):
        app = run("perturb", seeds="1", of=letter)
        assert f"{letter[0]} ({letter[-1]}) still has 1 mention" in html(app)


def test_two_systems_opens_with_evidence_and_examples_that_were_computed(monkeypatch, give):
    give(key_conll=KEY, a_conll=RESPONSE, b_conll=RESPONSE)
    for step in compared.at_first(load()):
        step()
    monkeypatch.setattr(compared, "weigh", None)  # cannot be done
    monkeypatch.setattr(Pair, "mentions", None)
    app = run("compare", parts=["examples", "argument"])
    assert any(box.label.startswith("Comparable") for box in app.expander)
    assert not [*compared.at_first(load(1))]


def test_nothing_is_perturbed_ahead_that_the_page_would_refuse(give):
    give(key_conll=KEY, response_conll=RESPONSE)
    assert not [*perturb_steps.at_first(load(repeats="all"))]


def test_every_experiment_without_data_is_among_the_steps(give):
    give(key_conll=KEY, response_conll=RESPONSE)
    steps = ahead.steps(load())
    prepared = [step.args[0] for step in steps if step.func is in_paper]
    assert prepared == [one for one in EXPERIMENTS if not one.on_data]


class Circle:
    """Refers to itself: only the collector of garbage frees it."""

    def __init__(self):
        self.me = self


def test_what_pages_leave_behind_is_freed_once_nobody_waits_for_one():
    collected = Event()
    worker = Background(lambda _: iter([end]), rest=0.01)

    def work():
        with pytest.raises(Ended):
            worker.work()

    gc.disable()
    try:
        left = Circle()
        finalize(left, collected.set)
        del left
        with worker.drawing():
            pass
        thread = Thread(target=work)
        thread.start()
        collected.wait()  # for as long as the test may take
    finally:
        gc.enable()
    worker.want("one")
    thread.join()


# What is kept is told apart by all that it is made of: one part changes at a time -----------------


def system(letter="A", response="r", *, key="k", policies=None, notes=NO_NOTES, other=None):
    result = SimpleNamespace(policies=policies or Policies())
    return System(letter, letter, result, None, ("key", key, "response", response), notes, other)


NOTES = Notes.of([Note("row")])
SYSTEM = system()
OTHER_SYSTEMS = {
    "the response": system(response="another"),
    "the key": system(key="another"),
    "the policies": system(policies=Policies(singletons="drop")),
    "the notes": system(notes=NOTES),
    "the system beside it": system(other=system("B")),
    "another system beside it": system(other=system("B", "another")),
}


def loaded(*systems, files=("one", "two")):
    files = Files(file_of("key", b"k"), tuple(file_of(name, name.encode()) for name in files))
    return Loaded("key", None, systems, files)


OTHERS_LOADED = {
    "A": loaded(system(response="another"), system("B")),
    "B": loaded(SYSTEM, system("B", "another")),
    "B's policies": loaded(SYSTEM, system("B", policies=Policies(match="head"))),
    "whether there is a B": loaded(SYSTEM),
}


def made_anew(work, of, other):
    """Whether something kept for the one is made anew for the other; what is kept stays so."""
    first = work(of)
    assert work(of) is first
    return work(other) is not first


@pytest.mark.parametrize("part", OTHER_SYSTEMS)
def test_what_is_made_of_a_system_is_told_apart_by(part):
    @cached(by=BY_CONTENT)
    def work(of: System):
        return object()

    of = system(other=system("B")) if part == "another system beside it" else SYSTEM
    assert made_anew(work, of, OTHER_SYSTEMS[part])


@pytest.mark.parametrize("part", OTHERS_LOADED)
def test_what_is_made_of_two_systems_is_told_apart_by(part):
    @cached(by=BY_CONTENT)
    def work(of: Loaded):
        return object()

    assert made_anew(work, loaded(SYSTEM, system("B")), OTHERS_LOADED[part])


@pytest.mark.parametrize("part", ["a file", "a policy", "which can be scored", "a setting"])
def test_what_is_made_of_many_systems_is_told_apart_by(part):
    @cached(by=many_systems._BY_FILES)
    def work(of, results, *, measure):
        return object()

    def results(**policies):
        return {"one": SimpleNamespace(policies=Policies(**policies))}

    of = loaded(SYSTEM)
    first = work(of, results(), measure="f1")
    assert work(of, results(), measure="f1") is first
    second = {
        "a file": lambda: work(loaded(SYSTEM, files=("one", "2")), results(), measure="f1"),
        "a policy": lambda: work(of, results(singletons="drop"), measure="f1"),
        "which can be scored": lambda: work(of, {}, measure="f1"),
        "a setting": lambda: work(of, results(), measure="recall"),
    }[part]()
    assert second is not first


OTHERS_SWEPT = {
    "mentions left alone": {"left_behind": "drop"},
    "the seed": {"seed": 7},
    "how many seeds": {"n_seeds": 2},
    "a step before": {"steps": "split:share=0.3; drop"},
    "the last step": {"steps": "split:share=0.2; drop:of=correct"},
    "the policies": {"of": system(policies=Policies(singletons="drop"))},
    "the response": {"of": system(response="another")},
}


def swept(*, of=SYSTEM, steps="split:share=0.2; drop", seed=1, left_behind="keep", n_seeds=1):
    """The sweep that the page Perturb has then."""
    made = [parse_perturbation(step) for step in steps.split("; ")]
    shown = perturb.Shown(None, of, made, seed, left_behind)
    return perturb.job(shown, made[-1], n_seeds=n_seeds)


@pytest.mark.parametrize("setting", OTHERS_SWEPT)
def test_a_sweep_is_made_anew_if_a_setting_changes(setting, monkeypatch):
    monkeypatch.setattr(perturb, "_state", SimpleNamespace(sweep=None))
    monkeypatch.setattr(perturb, "_sweep", lambda *_: None)
    monkeypatch.setattr(perturb, "this_session", lambda: None)
    monkeypatch.setattr(perturb, "Job", lambda *_, **__: Mock(is_left=False))
    before = swept()
    assert swept() is before
    assert swept(**OTHERS_SWEPT[setting]) is not before


def found(*, find="kind:missing", order="text", places=b"1"):
    """What the list shows, as far as its version asks."""
    return SimpleNamespace(find=find, order=order, places=SimpleNamespace(tobytes=lambda: places))


OTHERS_LISTED = {
    "the system": (system(response="another"), found()),
    "the policies": (system(policies=Policies(match="head")), found()),
    "the query": (SYSTEM, found(find="kind:extra")),
    "the order": (SYSTEM, found(order="cost.lea")),
    "the rows": (SYSTEM, found(places=b"2")),
}


@pytest.mark.parametrize("part", OTHERS_LISTED)
def test_the_list_is_told_apart_by(part):
    before = errors_list.list_version(SYSTEM, found())
    assert errors_list.list_version(SYSTEM, found()) == before
    assert errors_list.list_version(*OTHERS_LISTED[part]) != before


def test_a_report_made_under_other_policies_is_not_offered(monkeypatch):
    monkeypatch.setattr(share.report, "make", lambda *_, **__: "")
    app = run("export")
    press(app, "make_report")
    assert offered(app)
    choose(app, "singletons", "drop")
    assert not offered(app)


def offered(app):
    return [one for one in app.get("download_button") if "the report" in one.proto.label]


# Much data: what is too much to draw is shown in part, the part is named, and the rest ------------


@pytest.fixture(scope="module")
def corpora():
    return synthesise(SMALL_TANGLE, np.random.default_rng(2))


@pytest.fixture(scope="module")
def comparison(corpora):
    return score(*corpora).comparison


@pytest.fixture
def tangled(corpora, tmp_path, monkeypatch):
    """The app is given one document whose entities overlap."""
    for corpus, name in zip(corpora, ("key.conll", "response.conll"), strict=True):
        write(corpus, tmp_path / name)
    name_files(monkeypatch, tmp_path / "key.conll", tmp_path / "response.conll")


@pytest.mark.slow
def test_a_long_table_is_turned_page_by_page_and_says_which_rows_it_has(tangled, monkeypatch):
    whole = run("entities").dataframe[1].value
    monkeypatch.setattr(tables, "MOST_ROWS", 50)
    app = run("entities")
    assert len(whole) > 100
    pieces = []
    pages = -(-len(whole) // 50)
    key = next(k for k in app.session_state if "cell_table" in k and "page of" in k)
    for number in range(1, pages + 1):
        app.session_state[key] = number
        app.run()
        said = f"Rows {50 * number - 49} to {min(50 * number, len(whole))} of {len(whole)}."
        assert any(said in caption.value for caption in app.caption)
        pieces += app.dataframe[1].value["text"].tolist()
    assert pieces == whole["text"].tolist()


def test_a_click_on_a_later_page_of_a_table_finds_its_own_row(tangled, monkeypatch):
    monkeypatch.setattr(tables, "MOST_ROWS", 50)
    app = run("entities")
    key = next(k for k in app.session_state if "page of" in k and "cell_table" in k)
    app.session_state[key] = 2
    app.run()
    shown = app.dataframe[1].value
    widget = f"{key.partition(' page of')[0]} from 50"
    app.session_state[widget] = {"selection": {"cells": [(3, "text")], "rows": [], "columns": []}}
    app.run()
    assert any(shown["text"].iloc[3][:40] in link.proto.label for link in app.get("page_link"))


def test_a_large_grid_shows_a_part_says_which_and_turns_to_the_rest(tangled, monkeypatch):
    monkeypatch.setattr(entities, "_MOST_ENTITIES", 7)
    monkeypatch.setattr(entities, "_PART", 7)
    app = run("entities")
    said = re.search(r"Shown: 7 of (\d+)", html(app))
    assert said
    assert "Page forward" in html(app)
    last = -(-int(said[1]) // 7)
    turn(app, "grid part", last)
    assert f"Shown: {int(said[1]) - 7 * (last - 1)} of {said[1]} key entities" in html(app)


@pytest.mark.parametrize("which", ["all links", "MUC's minimum"])
def test_a_long_overlap_shows_the_links_of_a_part_of_its_mentions(tangled, monkeypatch, which):
    monkeypatch.setattr(links, "_MOST_ARCS", 10_000)
    before = run("links", links=which)
    monkeypatch.setattr(links, "_MOST_MENTIONS", 60)
    app = run("links", links=which)
    assert says(app, "Shown", "1 to 60")
    assert re.findall(r"“.*”, .* in the key, .*", html(app)) == re.findall(
        r"“.*”, .* in the key, .*", html(before)
    )
    turn(app, "links part", 2)
    assert says(app, "Shown", "61 to 120")


def test_a_selected_mention_turns_to_its_part_of_the_links(tangled, monkeypatch, comparison):
    monkeypatch.setattr(links, "_MOST_MENTIONS", 60)
    worst = overlap_table(comparison, metric_of("lea"))["group"].iloc[0]
    mention = overlap_members(comparison, int(worst)).table.iloc[130]
    app = run("links", mention=f"{mention['start']}-{mention['end']}")
    assert says(app, "Shown", "121 to 180")


def test_the_box_of_overlaps_lists_the_worst_and_says_how_many_there_are(tangled, monkeypatch):
    n = len(run("links").selectbox(key="link_group").options)
    monkeypatch.setattr(links, "_MOST_OVERLAPS", 3)
    app = run("links")
    assert len(app.selectbox(key="link_group").options) == 3
    assert says(app, "worst 3", n)


@pytest.mark.slow
def test_long_work_is_done_when_it_is_asked_for(tangled, monkeypatch):
    at_once = run("scorers")
    monkeypatch.setattr(charts, "MANY_WORDS", 1000)
    app = run("scorers")
    assert len(app.dataframe) == 0
    assert any("2,000 words" in caption.value for caption in app.caption)
    press(app, "ask scorers")
    app.run()
    assert_frame_equal(app.dataframe[0].value, at_once.dataframe[0].value)


@pytest.mark.slow
def test_the_perturbed_response_of_a_long_text_is_written_when_it_is_asked_for(
    tangled, monkeypatch
):
    monkeypatch.setattr(charts, "MANY_WORDS", 1000)
    app = run("perturb")
    label = "Download the perturbed response"
    assert label not in [button.proto.label for button in app.get("download_button")]
    press(app, "ask perturbed")
    assert label in [button.proto.label for button in app.get("download_button")]


def test_large_files_are_loaded_step_by_step_and_what_pages_need_is_found(tangled, monkeypatch):
    said = []
    monkeypatch.setattr(uploads, "SILENT", 0)
    plain = st.delta_generator.DeltaGenerator.progress
    monkeypatch.setattr(
        st.delta_generator.DeltaGenerator,
        "progress",
        lambda self, value, text=None: (said.append((value, text)), plain(self, value, text))[1],
    )
    app = run()
    shares, words = zip(*said, strict=True)
    assert reads(words[0], "Reading key.conll", "0.1 MB", "1 of 6")
    assert reads(words[2], "Scoring response.conll", "3 of 6")
    assert reads(words[5], "errors of response.conll", "6 of 6")
    assert sorted(set(shares)) == list(shares)
    assert shares[0] == 0
    assert not app.get("progress")
    said.clear()
    app.run()
    assert not said


def test_loading_leaves_a_bad_file_to_the_page_which_says_what_is_wrong(monkeypatch, give):
    monkeypatch.setattr(uploads, "SILENT", 0)
    give(key_conll=BAD, response_conll=RESPONSE)
    assert "key.conll:2" in html(run())


def test_the_first_of_many_warnings_are_listed_and_all_are_offered(tangled, monkeypatch):
    monkeypatch.setattr(page, "MOST_WARNINGS", 2)
    warnings = ["one: a", "two: b", "three: c"]
    monkeypatch.setattr(Loaded, "warnings", warnings)
    app = run()
    assert "two: b" in html(app)
    assert "three: c" not in html(app)
    assert says(app, "first 2 of 3")
    labels = [button.proto.label for button in app.get("download_button")]
    assert any("all warnings" in label for label in labels)


def test_what_was_loaded_with_a_bar_stays_in_its_place_in_the_next_run(tangled, monkeypatch):
    monkeypatch.setattr(uploads, "SILENT", 0)
    app = run("text")
    before = place_of_document_box(app)
    app.query_params["mention"] = "0-1"
    app.run()
    assert place_of_document_box(app) == before


def place_of_document_box(app):
    """The place, on the page, of the line that has the box of documents."""
    lines = app.main.children.items()
    return next(at for at, line in lines if "document" in {getattr(n, "key", "") for n in line})
