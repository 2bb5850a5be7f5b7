"""Clicks on tables and charts, and what they show."""

from functools import partial
from urllib.parse import parse_qs, urlsplit

import pytest

from corescore.analysis.error_table.facets import term
from corescore.analysis.error_table.query import matching, parse
from corescore.analysis.errors.overlaps import overlap_grid
from corescore.analysis.errors.tables import BOTH_CORRECT, BOTH_WRONG, ONLY_A, ONLY_B
from corescore.analysis.explain import share_table
from corescore.analysis.systems.documents import A_MORE, B_MORE, BOTH_ALL, BOTH_PART, NOTHING
from corescore.corpus.files import read
from corescore.metrics import METRICS, SCORE_IDS
from corescore.wording import percent
from dashboard.components.mentions import Drawn, kept
from dashboard.views import documents as documents_of_shown
from dashboard.views.two_systems_argument import A_FIRST
from tests.support.acts import press, says
from tests.support.pages import (
    KEY,
    RESPONSE,
    click_cell,
    click_point,
    drawn,
    html,
    links,
    listed_errors,
    loaded_in,
    page_of,
    rows,
    run,
)
from tests.support.samples import SAMPLE

# A click on a row, a cell or a point leads to what is shown there. No table or chart --------------

DOCUMENTS, GROUPS = "document_table worst first", "group_table 0"


def names_of(app):
    """The documents that are listed, by their names."""
    return sorted(rows(app, DOCUMENTS)["document"])


def every_name(app):
    return sorted(document.name for document in loaded_in(app).key)


@pytest.fixture(scope="module")
def documents():
    return run("documents", show="all")


def part(*names, **parameters):
    """Parts of Two systems."""
    return run("compare", parts=names, trials="100", **parameters)


@pytest.fixture(scope="module")
def by_kind():
    return run("errors", tab="by kind", of="B: greedy")


@pytest.fixture(scope="module")
def key():
    return read(SAMPLE / "key.conll")


def place(app):
    """The document that the last click leads to, and its words if it leads to a mention."""
    return app.session_state["clicked"]


def mention(app):
    """The document and the mention that are selected on every page."""
    document, span = app.session_state["place"]
    return document, *span


def listed(app):
    """The letter of the system whose errors the last click lists, these errors, and their order."""
    query = parse_qs(urlsplit(app.session_state["rows_url"]).query)
    letter = query["of"][0][0]
    every = listed_errors(app, letter)
    found = every[matching(parse(query["find"][0]), every)]
    return letter, found, query.get("order", [""])[0]


# Documents ----------------------------------------------------------------------------------------


def test_a_row_of_documents_leads_to_its_text(documents):
    name = rows(documents, DOCUMENTS)["document"][2]
    click_cell(documents, DOCUMENTS, 2, "conll")
    assert place(documents) == (name, None)
    assert links(documents)[f"Read {name}"] == ("text", {"document": name})


@pytest.mark.parametrize(
    "column, of",
    {
        "incorrectly_resolved": "incorrectly resolved",
        "unlinked": "unlinked",
        "missing_mentions": "missing",
        "spurious_mentions": "spurious",
    }.items(),
)
def test_a_number_of_errors_leads_to_these_errors_of_its_document(column, of, documents):
    shown = rows(documents, DOCUMENTS)
    number = int(shown[column].to_numpy().nonzero()[0][-1])
    click_cell(documents, DOCUMENTS, number, column)
    letter, found, _ = listed(documents)
    assert (letter, len(found)) == ("A", shown[column][number])
    assert set(found["class"]) == {of}
    assert set(found["document"]) == {shown["document"][number]}


def test_a_window_along_the_longest_text_leads_to_its_first_mention(key):
    app = run("documents", state={"local": True})
    (points,) = [one for one in drawn(app, "along")["data"] if "customdata" in one]
    stands_for = points["customdata"][1]
    name, start, end = stands_for
    first, last = map(int, points["hovertext"][1].split("words ")[1].split("<")[0].split("–"))
    starts = [at for at, _, _ in key[name].rows.tolist() if first <= at < last]
    assert min(starts) == start
    click_point(app, "along", stands_for)
    assert place(app) == (name, (start, end))
    there = {"document": name, "mention": f"{start}-{end}"}
    assert links(app)[f"Read {name}"] == ("text", there)


# Two systems --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "of, table", {"documents": "documents_table", "argument": "winners"}.items()
)
def test_a_row_of_a_table_of_two_systems_leads_to_its_document(of, table, key):
    compared = part(of, preferring=A_FIRST)
    names = rows(compared, table)["document"].tolist()
    assert names != [document.name for document in key]
    click_cell(compared, table, 1, "document")
    assert place(compared) == (names[1], None)


def test_of_two_metrics_that_disagree_the_click_sets_both_and_a_row_leads_to_its_document():
    compared = part("argument", preferring=A_FIRST)
    (points,) = [one for one in drawn(compared, "opposed")["data"] if "customdata" in one]
    one, other = points["customdata"][3]
    click_point(compared, "opposed", [one, other])
    assert compared.selectbox(key="one").value == one
    assert compared.selectbox(key="other").value == other


@pytest.mark.parametrize("listed_by", ["mentions", "entities"])
def test_a_row_where_two_systems_differ_most_leads_to_its_words(listed_by, key):
    app = part("unequal", listed=listed_by)
    shown = rows(app, f"unequal {listed_by} lea").iloc[2]
    click_cell(app, f"unequal {listed_by} lea", 2, "document")
    document, (start, end) = place(app)
    assert document == shown["document"]
    assert f"[ {' '.join(key[document].words[start:end])} ]" in shown["around"]


def test_a_kind_of_error_leads_to_the_errors_of_the_system_that_was_clicked():
    compared = part("errors")
    traces = drawn(compared, "errors")["data"]
    for letter, trace in zip("AB", traces, strict=True):
        of, kind = trace["customdata"][2]
        click_point(compared, "errors", [of, kind])
        whose, found, _ = listed(compared)
        assert (of, whose) == (letter, letter)
        assert len(found)
        assert found["kind"].str.contains(kind).all()


def test_a_part_of_a_bar_leads_to_the_errors_of_the_system_that_is_wrong():
    compared, chart = part("mentions", right_by="status"), "parts mentions status"
    bars = [one for one in drawn(compared, chart)["data"] if one.get("customdata")]
    by_outcome = {bar["customdata"][0][1]: bar for bar in bars}
    for outcome, whose in {ONLY_A: "B", ONLY_B: "A", BOTH_WRONG: "A"}.items():
        bar = by_outcome[outcome]
        click_point(compared, chart, bar["customdata"][0])
        letter, found, _ = listed(compared)
        n = int(bar["hovertext"][0].split(", ")[-1].split(" of ")[0])
        assert (letter, len(found)) == (whose, n), outcome


# Errors -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "chart, at, find",
    [("gains", -3, partial(term, "kind")), ("slice_credit", -2, partial(term, "slice.type"))],
)
def test_a_gain_leads_to_the_errors_of_its_kind_the_costliest_under_its_metric_first(
    chart, at, find, by_kind
):
    (points,) = [one for one in drawn(by_kind, chart)["data"] if "customdata" in one]
    name, metric = points["customdata"][at]
    click_point(by_kind, chart, [name, metric])
    letter, found, order = listed(by_kind)
    assert (letter, order) == ("B", f"cost.{metric}")
    assert len(found)
    assert matching(parse(find(name)), found).all()


# Entities, links, credit --------------------------------------------------------------------------


def test_a_row_of_overlaps_selects_its_first_mention():
    app = run("entities", scope="all documents", entities="overlaps")
    shown = rows(app, GROUPS)
    assert shown["loss"].is_monotonic_decreasing
    number = int((shown["document"] != shown["document"][0]).to_numpy().argmax())
    click_cell(app, GROUPS, number, "called")
    assert mention(app)[0] == shown["document"][number]


def test_a_cell_of_the_grid_shows_the_mentions_that_its_two_entities_share():
    app = run("entities", scope="all documents")
    comparison = loaded_in(app).results["A"].comparison
    grid = overlap_grid(comparison, app.session_state["group"])
    key_entity, response_entity, n_shared = next(
        (int(key), int(response), grid.shared[down, across])
        for down, key in enumerate(grid.key_entities)
        for across, response in enumerate(grid.response_entities)
        if key != response and grid.shared[down, across]
    )
    click_point(app, "grid", [key_entity, response_entity])
    members = app.dataframe[1].value
    assert len(members) == n_shared
    assert set(members["key_entity"]) == {str(key_entity)}
    assert set(members["response_entity"]) == {str(response_entity)}


@pytest.mark.parametrize("column", ["first", "second"])
def test_a_cell_of_the_links_leads_to_the_mention_in_it(column, key):
    app = run("links", document="news_orchard", links="all links")
    (shown,) = [one for one in app.dataframe if one.key.startswith("link_table")]
    row = shown.value.iloc[-1]
    assert row["first"] != row["second"]
    click_cell(app, shown.key, len(shown.value) - 1, column)
    (place,) = [query for label, (_, query) in links(app).items() if label.startswith("Read “")]
    start, end = map(int, place["mention"].split("-"))
    assert " ".join(key["news_orchard"].words[start:end]) == row[column]


def test_a_point_of_the_arcs_selects_its_mention(key):
    app = run("links", document="news_orchard")
    (points,) = [one for one in drawn(app, "arcs")["data"] if one.get("customdata")]
    number = points["customdata"][2]
    told = points["hovertext"][2]
    click_point(app, "arcs", number)
    _, start, end = mention(app)
    assert " ".join(key["news_orchard"].words[start:end]) in told


def test_a_row_of_credit_selects_the_first_mention_of_its_entity(key):
    app = run("credit", metric="LEA")
    shown = app.dataframe[0]
    entities = shown.value["entity"].tolist()
    assert entities != sorted(entities)
    click_cell(app, shown.key, 2, "lost")
    document, start, end = mention(app)
    first = min(key[document].entities[entities[2] - 1])
    assert (start, end) == (first.start, first.end), entities
    leads = {"document": document, "mention": f"{start}-{end}"}
    assert ("text", leads) in links(app).values()


def test_a_link_in_a_table_of_credit_leads_to_its_other_end():
    app = run("credit", metric="BLANC", mention="42-45")
    click_cell(app, app.dataframe[1].key, 0, "other")
    leads = {"document": "news_harbour", "mention": "0-6"}  # The new sea wall at Saltby
    assert ("text", leads) in links(app).values()


def test_a_square_names_its_pair_which_leads_to_the_text():
    app = run("links")
    (square,) = [one.key for one in app.get("plotly_chart") if one.key.startswith("pairs ")]
    click_point(app, square, [0, 1])
    said = html(app)
    assert "“The new sea wall at Saltby” and “it”: missing coreference." in said
    assert "In the key, both in entity 1; in the response," in said
    leads = {"document": "news_harbour", "mention": "21-22"}
    assert ("text", leads) in links(app).values()


def test_a_row_of_moves_is_done_in_the_sandbox():
    app = run("sandbox", k="abcdefgh", r="abcd.efgh", m="ceafe")
    click_cell(app, app.dataframe[0].key, 1, 0)
    moved = app.text_input(key="toy_response").value
    assert moved != "{a b c d} {e f g h}"


# Several files ------------------------------------------------------------------------------------


def test_a_click_on_a_line_makes_it_a_and_a_becomes_b_where_it_was_b(give):
    files = {"r_conll": RESPONSE, "p_conll": RESPONSE, "q_conll": KEY, "s_conll": KEY}
    give(key_conll=KEY, **files)
    app = run("many", trials="100")
    both = ("r.conll", "p.conll"), ("p.conll", "r.conll"), ("s.conll", "r.conll")
    for clicked, shown in zip((None, "p", "s"), both, strict=True):
        if clicked:
            click_point(app, "bumps", clicked)
        assert tuple(app.selectbox(key=letter).value for letter in "ab") == shown


# What a page shows belongs to what it is shown under: heads to their numbers, shades to -----------

DOCUMENT = "news_orchard"


# Two systems --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "chart, heads",
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
def test_each_head_stands_over_the_numbers_of_its_part(chart, heads, compared, behind):
    figure = drawn(compared if chart == "wins" else behind, chart)
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
    ahead = {"A": -1, "B": 1, "tie": 0}
    for row in shown.to_dict("records"):
        assert ahead[row["winner"]] * row["difference"] >= 0


@pytest.mark.parametrize("first", ["A", "B"])
def test_of_documents_that_metrics_judge_differently_those_asked_for_are_listed(first):
    wanted = {"A": "A by the one", "B": "B by the one"}[first]
    app = part("argument", one="MUC", other="CEAFₑ", preferring=wanted)
    shown = next(one for one in app.dataframe if one.key.startswith("opposed_table"))
    under_muc, under_ceafe = shown.value["muc"], shown.value["ceafe"]
    assert ((under_muc < 0) == (first == "A")).all()
    assert ((under_ceafe > 0) == (first == "A")).all()


# Documents ----------------------------------------------------------------------------------------


def test_the_lowest_score_has_the_strongest_shade_and_the_highest_none():
    app = page_of("documents", show="all")
    shown = rows(app, DOCUMENTS).set_index("document")
    styler = documents_of_shown._shaded(shown[[*SCORE_IDS]], shown)
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
    app = page_of("documents", named="NEWS")
    assert names_of(app) == [name for name in every_name(app) if "news" in name] != every_name(app)


def test_the_answer_is_about_the_documents_that_are_listed():
    app = page_of("documents", named="story", by="LEA")
    worst, *others = rows(app, DOCUMENTS)["document"]
    assert len(others) == 3
    assert says(app, f"is weakest on {worst}", f"best on {others[-1]}", "of 4 documents")


def test_documents_are_filtered_by_size_and_the_link_says_so():
    app = page_of("documents", words_from="380", words_to="390")
    result = loaded_in(app).results["A"]
    sizes = dict(zip(result.documents, result.lengths["words"].tolist(), strict=True))
    found = [name for name in every_name(app) if 380 <= sizes[name] <= 390]
    assert names_of(app) == found
    assert 0 < len(found) < len(sizes)
    assert app.query_params["words_from"] == "380"


def test_documents_are_filtered_by_genre():
    app = page_of("documents", genre="news")
    assert names_of(app) == [name for name in every_name(app) if name.startswith("news_")]


@pytest.mark.parametrize("of, n", [("A: cautious", 15), ("B: greedy", 6)])
def test_documents_are_filtered_by_the_errors_that_the_selected_response_makes(of, n):
    app = page_of("documents", of=of, having="other:correct size>9")
    every = listed_errors(app, of[0])
    wrong = every[every["class"].ne("correct") & every["other"].eq("correct")]
    assert names_of(app) == sorted({*wrong["document"][wrong["key_size"] > 9]})
    assert says(app, f"Listed: {n} of 17 documents")
    assert app.query_params["having"] == "other:correct size>9"


def test_a_wrong_query_of_errors_filters_no_document_and_that_is_said():
    app = page_of("documents", having="kind:divided size>many")
    assert len(names_of(app)) == 17
    assert says(app, "Not filtered by errors", "many")
    app = page_of("documents", having="size>400")
    assert says(app, "No document has", "genre, size and errors")


# The box of documents -----------------------------------------------------------------------------


@pytest.mark.parametrize("letter", ["A", "B"])
def test_the_box_of_documents_has_the_scores_of_the_system_that_is_selected(letter):
    names = {"A": "A: cautious", "B": "B: greedy"}
    app = run("text", of=names[letter], worst_first="true").run()
    loaded = loaded_in(app)
    results = loaded.results
    assert results["A"].document_scores["conll"].f1.tolist() != (
        results["B"].document_scores["conll"].f1.tolist()
    )
    result = results[letter]
    f1 = dict(zip(result.documents, result.document_scores["conll"].f1.tolist(), strict=True))
    worst_first = sorted(f1, key=f1.__getitem__)
    shown = [option.rsplit(" · ", 1)[1] for option in app.selectbox(key="document").options]
    assert shown == [f"CoNLL {percent(f1[name])}" for name in worst_first]


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
    app = run("credit", metric="LEA", document=DOCUMENT)
    result = loaded_in(app).results["A"]
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
    lost = [one for one in order if is_lost[one]]
    for place, label, end in (
        (start, "Next loss", after),
        (after, "Previous loss", start),
        (lost[0], "Previous loss", lost[-1]),
    ):
        app.query_params["mention"] = f"{place[0]}-{-place[1]}"
        app.run()
        press(app, label)
        assert app.session_state["place"].mention == (end[0], -end[1])


def following(is_lost, place):
    """The next loss after a place in the text."""
    return next(one for one in sorted(is_lost) if one > place and is_lost[one])
