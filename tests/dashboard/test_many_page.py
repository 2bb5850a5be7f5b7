"""The page that ranks three responses or more."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from playwright.sync_api import expect

import corescore
from corescore.analysis.perturbation import perturb
from corescore.analysis.perturbation.spec import parse_perturbation
from corescore.analysis.systems.documents import document_correlation
from corescore.analysis.systems.groups import groups
from corescore.analysis.systems.ranking import ranking as rank
from corescore.corpus.formats import write
from corescore.installation import bundled
from corescore.plots import many_systems as many_plots
from corescore.sentences import many_systems as standings
from corescore.wording import share
from dashboard.session import sources
from dashboard.session.given import FILES_VARIABLE
from dashboard.session.loaded import Loaded
from dashboard.views.many_systems import cached
from tests.support.browser import click_point, downloaded, expect_to_fit, open_at, served, watched
from tests.support.pages import BAD, html, run

MANY = "many"
SAMPLE = str(bundled("sample_data"))
DAMAGES = {"r1": "0.1", "r2": "0.3", "r3": "0.32", "r4": "0.7"}


@pytest.fixture(scope="module")
def corpora():
    key, greedy = (corescore.read(f"{SAMPLE}/{name}.conll") for name in ("key", "greedy"))
    return key, {
        name: perturb(key, greedy, [parse_perturbation(f"drop:share={share}")], seed=1)
        for name, share in DAMAGES.items()
    }


@pytest.fixture(scope="module")
def results(corpora):
    key, responses = corpora
    return {name: corescore.score(key, response) for name, response in responses.items()}


@pytest.fixture(scope="module")
def paths(corpora, tmp_path_factory):
    """A key, and a folder of four responses and a file that cannot be read."""
    folder = tmp_path_factory.mktemp("many")
    (folder / "outputs").mkdir()
    write(corpora[0], folder / "key.conll")
    for name, response in corpora[1].items():
        write(response, folder / "outputs" / f"{name}.conll")
    (folder / "outputs" / "r5.conll").write_bytes(BAD)
    return [str(folder / "key.conll"), str(folder / "outputs")]


@pytest.fixture
def given(paths, monkeypatch):
    monkeypatch.setenv(FILES_VARIABLE, json.dumps(paths))


def shown_rows(app):
    return app.dataframe[0].value.set_index("response")


def test_ranks_and_how_sure_they_are_stand_in_the_table(given, results):
    app = run(view=MANY, trials="300")
    found = rank(results, trials=300).table
    expected = found[found["metric"] == "lea"].set_index("response")
    rows = shown_rows(app)
    assert rows["rank"].to_dict() == expected["rank"].to_dict()
    assert rows["score"].to_dict() == pytest.approx((100 * expected["score"]).to_dict())
    assert rows["first"].to_dict() == pytest.approx((100 * expected["first"]).to_dict())
    tested = groups(results, "lea", trials=300)
    assert rows["letters"].to_dict() == standings.letters(tested)
    assert "300 exchanges" in html(app)
    assert "| 300 trials | seed 0" in html(app)


def test_responses_that_do_not_differ_share_a_rank_where_the_link_says_so(given, results):
    tested = groups(results, "lea", measure="precision", trials=200)
    shared, by_score = tested.shared_ranks, {name: n for n, name in enumerate(tested.responses, 1)}
    assert shared != by_score
    app = run(view=MANY, trials="200", measure="precision", ties="no significant difference")
    rows = shown_rows(app)
    assert rows["rank"].to_dict() == shared
    assert rows["by_score"].to_dict() == by_score  # to which the interval belongs
    assert rows["by_score"].between(rows["low"], rows["high"]).all()
    assert "share the best one’s rank" in html(app)
    app.selectbox(key="ties").select("equal").run()
    assert shown_rows(app)["rank"].to_dict() == by_score
    assert "share the best one’s rank" not in html(app)


def test_rankings_of_few_responses_are_not_correlated(given):
    app = run(view=MANY, trials="100")
    charts = [one.proto.id for one in app.get("plotly_chart")]
    assert not any("over_responses" in one for one in charts)
    assert any("over_documents" in one for one in charts)  # 17 of them
    assert "τ is not shown over 4 responses" in html(app)


def test_a_file_that_cannot_be_read_is_left_out_and_said_above_the_page(given):
    app = run(view=MANY, trials="100")
    assert list(shown_rows(app).index) == ["r1", "r2", "r3", "r4"]
    assert "1 of 5 responses is left out" in "".join(e.label for e in app.expander)
    assert "r5.conll" not in app.selectbox(key="a").options


def test_other_responses_are_not_read_before_the_page_is_opened(given):
    app = run()
    assert not app.expander or "left out" not in "".join(e.label for e in app.expander)
    assert "every_result" not in app.session_state


def test_metric_and_measure_come_from_the_link(given, results):
    app = run(view=MANY, by="B³", measure="recall", trials="100")
    recall = {name: 100 * result["bcub"].recall for name, result in results.items()}
    assert shown_rows(app)["score"].to_dict() == pytest.approx(recall)
    assert "conll" not in app.selectbox(key="by").options
    assert "How sure are the ranks by B³?" in [heading.value for heading in app.header]


@pytest.mark.parametrize("b", ["greedy.conll", "none"])
def test_fewer_than_three_responses_lead_to_advice(monkeypatch, b):
    paths = [f"{SAMPLE}/{name}.conll" for name in ("key", "cautious", "greedy")]
    monkeypatch.setenv(FILES_VARIABLE, json.dumps(paths))
    app = run(view=MANY, data="files from the command line", b=b)
    assert "three responses or more; cautious and greedy are open here" in html(app)
    assert not app.dataframe


def test_a_changed_policy_scores_all_anew(given):
    app = run(view=MANY, trials="100")
    before = shown_rows(app)["score"]
    app.selectbox(key="singletons").select("drop").run()
    assert "singletons drop" in html(app)
    assert (shown_rows(app)["score"] != before).any()


# Sentences and charts -----------------------------------------------------------------------------


def test_the_sentences_say_who_is_first_and_where_metrics_part(results):
    found = rank(results, trials=200)
    said = standings.first(found.table, found, "lea")
    first = share(found.table.query("metric == 'lea'")["first"].max())
    assert said.startswith("Of 4 responses, r1 is first by all six")
    assert said.endswith(f"by LEA in {first} of 200 resamples.")
    n = found.opposed.loc["lea", "conll"]
    but = f"all but {n} of" if n else "all"
    assert standings.agreement(found).startswith(
        f"LEA and the CoNLL average rank {but} 6 pairs the same way"
    )


def test_all_that_are_first_most_often_are_named(results):
    found = rank({"one": results["r1"], "other": results["r1"], "third": results["r4"]}, trials=20)
    said = standings.first(found.table, found, "muc")
    assert said.startswith("Of 3 responses, one and other are each first by all six; by MUC")


def test_responses_that_are_equal_are_first_together(results):
    twins = {"one": results["r1"], "other": results["r1"], "third": results["r4"]}
    found = rank(twins, trials=20)
    assert "one and other tie for first" in standings.first(found.table, found, "muc")


def test_letters_are_shared_by_those_in_one_group(results):
    found = groups(results, "lea", trials=300)
    letters = standings.letters(found)
    for one in found.responses:
        for other in found.responses:
            together = any({one, other} <= set(group) for group in found.groups)
            assert bool(set(letters[one].split()) & set(letters[other].split())) == together


def test_the_note_says_who_can_be_told_apart(results):
    pair = {name: results[name] for name in ("r1", "r4")}
    assert standings.apart(groups(pair, "lea", trials=300)).startswith("All responses differ")
    twins = {"one": results["r1"], "other": results["r1"]}
    said = standings.apart(groups(twins, "lea", trials=300))
    assert said.startswith("No two responses differ")
    assert "300 exchanges, p ≥ 0.05 after Holm’s correction over 1 pair" in said
    three = groups({**twins, "third": results["r4"]}, "lea", trials=300)
    assert standings.apart(three).startswith(
        "Responses sharing a letter do not differ significantly; all others do."
    )
    crossing = replace(three, groups=tuple((name,) for name in three.responses))
    assert "Neither does 1 pair without a common letter, such as one" in standings.apart(crossing)


def test_each_response_is_a_line_through_its_ranks(results):
    table = rank(results, trials=50).table
    figure = many_plots.bumps(table, ["muc", "lea"], {"r2": "A", "r4": "B"}, "f1")
    by_name = {trace.customdata[0]: trace for trace in figure.data}
    ranks = table.set_index(["response", "metric"])["rank"]
    for name in results:
        assert list(by_name[name].y) == [ranks[name, "muc"], ranks[name, "lea"]]
    assert by_name["r4"].line.dash == "dot"
    assert by_name["r4"].marker.symbol == "circle-open"
    assert [trace.customdata[0] for trace in figure.data][-1] == "r2"  # A lies over all others
    assert "<b>A r2</b>" in [note.text for note in figure.layout.annotations]
    assert by_name["r1"].hovertext[0].startswith("r1: 1st of 4 by MUC F1, ")


def test_the_ranks_in_the_resamples_stand_on_each_point(results):
    table = rank(results, trials=50).table
    figure = many_plots.bumps(table, ["lea"], {}, "f1")
    rows = table[table["metric"] == "lea"].set_index("response")
    for trace in figure.data:
        row, error = rows.loc[trace.customdata[0]], trace.error_y
        assert (trace.y[0] + error.array[0], trace.y[0] - error.arrayminus[0]) == (
            row["high"],
            row["low"],
        )


def test_differences_of_scores_are_drawn_to_scale(results):
    table = rank(results, trials=50).table
    figure = many_plots.score_lines(table, ["muc", "lea"], {"r2": "A"}, "f1")
    for trace in figure.data:
        of = results[trace.customdata[0]]
        assert list(trace.y) == pytest.approx([100 * of["muc"].f1, 100 * of["lea"].f1])
    heights = sorted(note.y for note in figure.layout.annotations)
    low, high = figure.layout.yaxis.range
    pixels = (figure.layout.height - 38) / (high - low)
    assert min(b - a for a, b in pairwise(heights)) * pixels >= 17 - 1e-6


def test_the_axis_is_to_scale_unless_ranks_are_asked_for(given):
    assert "the axis is to scale" in html(run(view=MANY, trials="100"))
    assert "Responses that tie share a rank" in html(run(view=MANY, trials="100", axis="rank"))


def test_markup_in_a_name_is_text(results):
    named = {"<b>x</b>": results["r1"], "y": results["r2"], "z": results["r3"]}
    found = rank(named, trials=20)
    figure = many_plots.bumps(found.table, ["muc", "lea"], {}, "f1")
    notes = [note.text for note in figure.layout.annotations]
    assert "&lt;b&gt;x&lt;/b&gt;" in notes
    shares = many_plots.rank_shares(found.shares[:, 0], list(named), [1, 2, 3], {}, row_height=24)
    assert shares.data[0].hovertext[0][0].startswith("&lt;b&gt;x")


def test_the_cells_of_the_correlation_are_kendalls_tau(results):
    table = document_correlation(results["r1"]).loc[["muc", "lea"], ["muc", "lea"]]
    figure = many_plots.correlations(table, "over documents")
    tau = table.loc["lea", "muc"]
    assert figure.data[0].z[1][0] == tau
    assert figure.data[0].text[1][0] == f"{tau:.2f}"


def test_a_ranking_is_told_from_that_of_other_responses(results, corpora):
    """What is cached by file is not taken for another choice of responses."""
    file = sources.file_of("key", b"k")
    files = sources.Files(file, tuple(sources.file_of(name, b"") for name in results))
    loaded = Loaded("key", corpora[0], (), files)
    fewer = {name: result for name, result in results.items() if name != "r1"}
    of = {"measure": "f1", "trials": 10, "seed": 0}
    assert cached.ranking(loaded, results, **of).responses == tuple(results)
    assert cached.ranking(loaded, fewer, **of).responses == tuple(fewer)


# In the browser -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_click_on_a_line_makes_it_system_a(chromium, paths):
    with served(*paths) as url, watched(chromium, url) as page:
        open_at(page, f"{url}/many?by=MUC&trials=200")
        expect(page.get_by_role("heading", level=1)).to_contain_text("Which is first")
        expect(page.locator(".headline").first).to_contain_text("Of 4 responses, r1 is first")
        expect(page.get_by_text("1 of 5 responses is left out")).to_be_visible()
        expect(page.locator(".st-key-over_documents .main-svg").first).to_be_visible()
        lines = page.locator(".st-key-bumps .scatterlayer .trace")
        expect(lines).to_have_count(4)
        click_point(lines.first.locator(".point").first)
        expect(page).to_have_url(re.compile(r"a=r[34]\.conll"))
        expect(page.locator(".st-key-bumps .annotation").filter(has_text="A r")).to_have_count(1)
        text = downloaded(page, "ranks-f1", "CSV").path().read_text()
        assert text.startswith("response,metric,score,rank,first")
        assert "200 trials" in text
        expect_to_fit(page)
