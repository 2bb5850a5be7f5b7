"""Much data: what is too much to draw is shown in part, the part is named, and the rest reached."""

import re

import numpy as np
import pytest
import streamlit as st
from pandas.testing import assert_frame_equal

from corescore import score
from corescore.analysis.errors.overlaps import overlap_members, overlap_table
from corescore.analysis.systems import comparability
from corescore.corpus.files import write
from corescore.metrics import METRICS
from dashboard.views import entities, links
from dashboard.widgets import charts, page, tables, uploads
from tests.support.pages import BAD, RESPONSE, give, html, name_files, reads, run
from tests.support.synthetic import SMALL_TANGLE, synthesise


@pytest.fixture(scope="module")
def corpora():
    return synthesise(SMALL_TANGLE, np.random.default_rng(2))


@pytest.fixture(scope="module")
def comparison(corpora):
    return score(*corpora).comparison


@pytest.fixture(scope="module")
def worst(comparison):
    lea = next(metric for metric in METRICS if metric.id == "lea")
    return int(overlap_table(comparison, lea)["group"].iloc[0])


@pytest.fixture
def tangled(corpora, tmp_path, monkeypatch):
    """The app is given one document whose entities overlap."""
    for corpus, name in zip(corpora, ("key.conll", "response.conll"), strict=True):
        write(corpus, tmp_path / name)
    name_files(monkeypatch, tmp_path / "key.conll", tmp_path / "response.conll")


@pytest.mark.slow
def test_a_long_table_is_turned_page_by_page_and_says_which_rows_it_has(tangled, monkeypatch):
    whole = run(view="entities").dataframe[1].value
    monkeypatch.setattr(tables, "MOST_ROWS", 50)
    app = run(view="entities")
    assert len(whole) > 100
    pieces = []
    pages = -(-len(whole) // 50)
    key = next(k for k in app.session_state if k.endswith(f"page of {pages}"))
    for number in range(1, pages + 1):
        app.session_state[key] = number
        app.run()
        said = f"Rows {50 * number - 49} to {min(50 * number, len(whole))} of {len(whole)}."
        assert any(said in caption.value for caption in app.caption)
        pieces += app.dataframe[1].value["text"].tolist()
    assert pieces == whole["text"].tolist()


def test_a_click_on_a_later_page_of_a_table_finds_its_own_row(tangled, monkeypatch):
    monkeypatch.setattr(tables, "MOST_ROWS", 50)
    app = run(view="entities")
    key = next(k for k in app.session_state if "page of" in k)
    app.session_state[key] = 2
    app.run()
    shown = app.dataframe[1].value
    widget = f"{key.partition(' page of')[0]} from 50"
    app.session_state[widget] = {"selection": {"cells": [(3, "text")], "rows": [], "columns": []}}
    app.run()
    assert not app.exception
    assert any(shown["text"].iloc[3][:40] in link.proto.label for link in app.get("page_link"))


def test_a_large_grid_shows_a_part_says_which_and_turns_to_the_rest(tangled, monkeypatch):
    monkeypatch.setattr(entities, "_MOST_ENTITIES", 7)
    monkeypatch.setattr(entities, "_PART", 7)
    app = run(view="entities")
    said = re.search(r"Shown: 7 of (\d+)", html(app))
    assert said
    assert "Turn the pages" in html(app)
    key = next(k for k in app.session_state if k.startswith("grid part"))
    last = -(-int(said[1]) // 7)
    app.session_state[key] = last
    app.run()
    assert f"Shown: {int(said[1]) - 7 * (last - 1)} of {said[1]} key entities" in html(app)


@pytest.mark.parametrize("which", ["all links", "MUC's minimum"])
def test_a_long_overlap_shows_the_links_of_a_part_of_its_mentions(tangled, monkeypatch, which):
    monkeypatch.setattr(links, "_MOST_ARCS", 10_000)
    before = run(view="links", links=which)
    monkeypatch.setattr(links, "_MOST_MENTIONS", 60)
    app = run(view="links", links=which)
    assert reads(html(app), "Shown", "1 to 60")
    assert re.findall(r"“.*”, .* in the key, .*", html(app)) == re.findall(
        r"“.*”, .* in the key, .*", html(before)
    )
    key = next(k for k in app.session_state if k.startswith("links part"))
    app.session_state[key] = 2
    app.run()
    assert not app.exception
    assert reads(html(app), "Shown", "61 to 120")


def test_a_selected_mention_turns_to_its_part_of_the_links(tangled, monkeypatch, comparison, worst):
    monkeypatch.setattr(links, "_MOST_MENTIONS", 60)
    mention = overlap_members(comparison, worst).table.iloc[130]
    app = run(view="links", mention=f"{mention['start']}-{mention['end']}")
    assert reads(html(app), "Shown", "121 to 180")


def test_the_box_of_overlaps_lists_the_worst_and_says_how_many_there_are(tangled, monkeypatch):
    n = len(run(view="links").selectbox(key="link_group").options)
    monkeypatch.setattr(links, "_MOST_OVERLAPS", 3)
    app = run(view="links")
    assert len(app.selectbox(key="link_group").options) == 3
    assert reads(html(app), "worst 3", n)


@pytest.mark.slow
def test_long_work_is_done_when_it_is_asked_for(tangled, monkeypatch):
    at_once = run(view="scorers")
    monkeypatch.setattr(charts, "MANY_WORDS", 1000)
    app = run(view="scorers")
    assert len(app.dataframe) == 0
    assert any("2,000 words" in caption.value for caption in app.caption)
    app.button(key="ask scorers").click().run()
    app.run()
    assert_frame_equal(app.dataframe[0].value, at_once.dataframe[0].value)


@pytest.mark.slow
def test_the_perturbed_response_of_a_long_text_is_written_when_it_is_asked_for(
    tangled, monkeypatch
):
    monkeypatch.setattr(charts, "MANY_WORDS", 1000)
    app = run(view="perturb")
    label = "Download the perturbed response"
    assert label not in [button.proto.label for button in app.get("download_button")]
    app.button(key="ask perturbed").click().run()
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


def test_loading_leaves_a_bad_file_to_the_page_which_says_what_is_wrong(tmp_path, monkeypatch):
    monkeypatch.setattr(uploads, "SILENT", 0)
    give(monkeypatch, tmp_path, key_conll=BAD, response_conll=RESPONSE)
    assert "key.conll:2" in html(run())


def test_the_first_of_many_warnings_are_listed_and_all_are_offered(tangled, monkeypatch):
    monkeypatch.setattr(page, "MOST_WARNINGS", 2)
    warnings = ["one: a", "two: b", "three: c"]
    monkeypatch.setattr(comparability, "warnings_of", lambda results: [*warnings])
    app = run()
    assert "two: b" in html(app)
    assert "three: c" not in html(app)
    assert reads(html(app), "first 2 of 3")
    labels = [button.proto.label for button in app.get("download_button")]
    assert any("all warnings" in label for label in labels)


def test_what_was_loaded_with_a_bar_stays_in_its_place_in_the_next_run(tangled, monkeypatch):
    monkeypatch.setattr(uploads, "SILENT", 0)
    app = run(view="text")
    title = next(place for place, node in app.main.children.items() if node.type == "title")
    app.query_params["mention"] = "0-1"
    app.run()
    assert app.main.children[title].type == "title"
