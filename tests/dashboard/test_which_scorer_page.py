"""The page that says why two scorers disagree."""

import pytest

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.files import write
from corescore.scoring.presets import PRESETS
from tests.support.pages import QUICK, headlines, html, name_files, open_page, page_of, reads, run

SCORERS = "scorers"


def frames(app, column):
    """The tables that have this column."""
    return [element.value for element in app.dataframe if column in element.value]


def test_a_row_for_each_scorer_and_response():
    app = page_of(view=SCORERS)
    (table,) = frames(app, "scorer")
    assert len(table) == 2 * (1 + len(PRESETS))
    assert table["lea"].isna().sum() == 2 * sum("lea" not in p.metrics for p in PRESETS.values())
    assert "points apart" in headlines(app)[0]


def test_the_walk_follows_the_url_and_adds_up():
    app = page_of(view=SCORERS, **{"from": "coval", "to": "Stanza"})
    chosen = [box.value for box in app.selectbox if box.key in ("from", "to")]
    assert len(chosen) == 2
    (steps,) = frames(app, "clause")
    assert steps["difference"].notna().all()


def test_the_steps_between_two_scorers_add_up_to_the_headline():
    app = page_of(view=SCORERS)
    (steps,) = frames(app, "clause")
    said = next(line for line in headlines(app) if "CorefUD" in line and "points." in line)
    total = float(said.split(": ")[1].split(" points")[0].replace("−", "-"))
    assert steps["difference"].sum() == pytest.approx(total, abs=0.006)


def test_orders_are_averaged_on_request():
    app = page_of(view=SCORERS, shapley="true")
    (steps,) = frames(app, "shapley")
    assert steps["shapley"].sum() == pytest.approx(steps["difference"].sum())


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_a_metric_that_a_scorer_lacks_has_no_walk():
    app = run(view=SCORERS)
    app.selectbox(key="followed").set_value("lea").run()
    assert not app.exception
    assert reads(html(app), "not have LEA")


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_the_metric_followed_is_kept_while_other_pages_are_open():
    app = run(view=SCORERS)
    app.selectbox(key="followed").set_value("lea").run()
    open_page(app, QUICK)
    open_page(app, SCORERS)
    assert app.selectbox(key="followed").value == "lea"


@pytest.mark.slow
def test_a_number_is_traced_and_a_wrong_one_is_named():
    app = run(view=SCORERS, number="51.10")
    assert any("51.10" in line and "perl" in line for line in headlines(app))
    app.text_input(key="number").set_value("many").run()
    assert "expected percent" in html(app)
    app.text_input(key="number").set_value("99.9999").run()
    assert any("Nothing prints 99.9999" in line for line in headlines(app))


def test_one_response_has_no_ranking():
    app = page_of(view=SCORERS, b="none")
    assert "ahead" not in " ".join(e.value for e in app.header)


def test_a_scorer_that_refuses_the_files_says_so(monkeypatch, tmp_path):
    words = "Mia", "slept"
    key, other = (
        Corpus((Document.of_rows("d", [(0, 1, 0), (1, 2, 0)], words=(w, "slept")),))
        for w in (words[0], "Lea")
    )
    paths = [tmp_path / "key.conll", tmp_path / "response.conll"]
    for path, corpus in zip(paths, (key, other), strict=True):
        write(corpus, path)
    name_files(monkeypatch, *paths)
    app = run(view=SCORERS, words="compare positions")
    assert reads(html(app), "CorefUD scorer 1.2", "refuses")
