"""A click on a row, a cell or a point leads to what is shown there. No table or chart here has the
order of the file, so a click that takes a number of one order for that of another fails."""

from urllib.parse import parse_qs, urlsplit

import pytest

from corescore.analysis.error_table.confusion import term
from corescore.analysis.error_table.query import parse
from corescore.analysis.errors.overlaps import overlap_grid
from corescore.analysis.errors.tables import BOTH_WRONG, ONLY_A, ONLY_B
from corescore.analysis.perturbation import parse_perturbation, perturb
from corescore.corpus.files import read, write
from dashboard.session import analyses
from dashboard.session.access import DATA_SETS_VARIABLE
from dashboard.views.two_systems_argument import A_FIRST
from tests.support.clicks import click_cell, click_point, drawn, links, rows
from tests.support.pages import name_files, run
from tests.support.samples import SAMPLE

DOCUMENTS, GROUPS = "document_table worst first", "group_table 0"


@pytest.fixture(scope="module")
def documents():
    return run(view="documents", show="all")


def part(*names, **parameters):
    """Parts of Two systems."""
    return run(view="compare", parts=names, trials="100", **parameters)


@pytest.fixture(scope="module")
def by_kind():
    return run(view="errors", tab="by kind", of="B: greedy")


@pytest.fixture(scope="module")
def key():
    return read(SAMPLE / "key.conll")


def place(app):
    """The document that the last click leads to, and its words if it leads to a mention."""
    return app.session_state["clicked_document"], app.session_state["clicked_span"]


def mention(app):
    """The document and the mention that are selected on every page."""
    start, end = app.session_state["selected_mention"].split("-")
    return app.session_state["document"], int(start), int(end)


def listed(app):
    """The letter of the system whose errors the last click lists, these errors, and their order."""
    query = parse_qs(urlsplit(app.session_state["rows_url"]).query)
    system = app.session_state["loaded"].beside_other(query["of"][0][0])
    every = analyses.every_error(system)
    found = every[parse(query["find"][0]).matches(every)]
    return system.letter, found, query.get("order", [""])[0]


# Documents ----------------------------------------------------------------------------------------


def test_the_worst_documents_come_first_in_another_order_than_that_of_the_file(documents, key):
    names = rows(documents, DOCUMENTS)["document"].tolist()
    assert names != [document.name for document in key]
    assert rows(documents, DOCUMENTS)["conll"].is_monotonic_increasing


def test_a_row_of_documents_leads_to_its_text(documents):
    name = rows(documents, DOCUMENTS)["document"][2]
    click_cell(documents, DOCUMENTS, 2, "conll")
    assert place(documents) == (name, None)
    assert links(documents)[f"Read {name}"] == ("text", {"document": name})


@pytest.mark.parametrize(
    ("column", "of"),
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


# Two systems --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("of", "table"), {"documents": "documents_table", "argument": "winners"}.items()
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
    words = shown["mention" if listed_by == "mentions" else "title"]
    assert " ".join(key[document].words[start:end]).startswith(words.removesuffix("…")[:10])


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


@pytest.mark.parametrize(("outcome", "whose"), [(ONLY_A, "B"), (ONLY_B, "A"), (BOTH_WRONG, "A")])
def test_a_part_of_a_bar_leads_to_the_errors_of_the_system_that_is_wrong(outcome, whose):
    compared = part("mentions", right_by="status")
    chart = "parts mentions status"
    (bar,) = [
        trace
        for trace in drawn(compared, chart)["data"]
        if trace.get("customdata") and trace["customdata"][0][1] == outcome
    ]
    click_point(compared, chart, bar["customdata"][0])
    letter, found, _ = listed(compared)
    n = int(bar["hovertext"][0].split(", ")[-1].split(" of ")[0])
    assert (letter, len(found)) == (whose, n)


# Errors -------------------------------------------------------------------------------------------


def test_a_gain_leads_to_the_errors_of_its_kind_the_costliest_under_its_metric_first(by_kind):
    (points,) = [one for one in drawn(by_kind, "gains")["data"] if "customdata" in one]
    kind, metric = points["customdata"][-3]
    click_point(by_kind, "gains", [kind, metric])
    letter, found, order = listed(by_kind)
    assert (letter, order) == ("B", f"cost.{metric}")
    assert len(found)
    assert found["kind"].str.contains(kind).all()


def test_a_slice_leads_to_its_errors_the_costliest_under_its_metric_first(by_kind):
    (points,) = [one for one in drawn(by_kind, "slice_credit")["data"] if "customdata" in one]
    name, metric = points["customdata"][-2]
    click_point(by_kind, "slice_credit", [name, metric])
    letter, found, order = listed(by_kind)
    assert (letter, order) == ("B", f"cost.{metric}")
    assert len(found)
    assert parse(term("slice.type", name)).matches(found).all()


def test_an_error_of_a_kind_leads_to_its_document():
    app = run(view="errors", tab="by kind", kind="missing mentions")
    shown = rows(app, "examples_A_missing mention")
    number = int((shown["document"] != shown["document"][0]).to_numpy().argmax())
    click_cell(app, "examples_A_missing mention", number, "document")
    (query,) = [query for _, query in links(app).values() if "mention" in query]
    assert query["document"] == shown["document"][number]


# Entities, links, credit --------------------------------------------------------------------------


def test_a_row_of_overlaps_selects_its_first_mention():
    app = run(view="entities", scope="all documents")
    shown = rows(app, GROUPS)
    assert shown["loss"].is_monotonic_decreasing
    number = int((shown["document"] != shown["document"][0]).to_numpy().argmax())
    click_cell(app, GROUPS, number, "called")
    assert mention(app)[0] == shown["document"][number]


def test_a_cell_of_the_grid_shows_the_mentions_that_its_two_entities_share():
    app = run(view="entities", scope="all documents")
    comparison = app.session_state["loaded"].results["A"].comparison
    grid = overlap_grid(comparison, app.session_state["group"])
    key_entity, response_entity = next(
        (int(key), int(response))
        for down, key in enumerate(grid.key_entities)
        for across, response in enumerate(grid.response_entities)
        if key != response and grid.shared[down, across]
    )
    click_point(app, "grid", [key_entity, response_entity])
    members = app.dataframe[1].value
    assert set(members["key_entity"]) == {str(key_entity)}
    assert set(members["response_entity"]) == {str(response_entity)}


@pytest.mark.parametrize("column", ["first", "second"])
def test_a_cell_of_the_links_leads_to_the_mention_in_it(column, key):
    app = run(view="links", document="news_orchard", links="all links")
    (shown,) = [one for one in app.dataframe if one.key.startswith("link_table")]
    row = shown.value.iloc[-1]
    assert row["first"] != row["second"]
    click_cell(app, shown.key, len(shown.value) - 1, column)
    (place,) = [query for label, (_, query) in links(app).items() if label.startswith("Read “")]
    start, end = map(int, place["mention"].split("-"))
    assert " ".join(key["news_orchard"].words[start:end]) == row[column]


def test_a_point_of_the_arcs_selects_its_mention(key):
    app = run(view="links", document="news_orchard")
    (points,) = [one for one in drawn(app, "arcs")["data"] if one.get("customdata")]
    number = points["customdata"][2]
    told = points["hovertext"][2]
    click_point(app, "arcs", number)
    _, start, end = mention(app)
    assert " ".join(key["news_orchard"].words[start:end]) in told


def test_a_row_of_credit_selects_the_first_mention_of_its_entity(key):
    app = run(view="credit", metric="LEA")
    shown = app.dataframe[0]
    entities = shown.value["entity"].tolist()
    assert entities != sorted(entities)
    click_cell(app, shown.key, 2, "lost")
    document, start, end = mention(app)
    first = min(key[document].entities[entities[2] - 1])
    assert (start, end) == (first.start, first.end), entities


# Several files ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def responses(key, tmp_path_factory):
    """A key and four responses, the best of which comes last."""
    folder = tmp_path_factory.mktemp("responses")
    greedy = read(SAMPLE / "greedy.conll")
    write(key, folder / "key.conll")
    paths = [folder / "key.conll"]
    for name, share in {"p": "0.7", "q": "0.1", "r": "0.5", "s": "0.02"}.items():
        drop = parse_perturbation(f"drop:share={share}")
        paths.append(folder / f"{name}.conll")
        write(perturb(key, greedy, [drop], seed=1), paths[-1])
    return paths


@pytest.mark.parametrize(
    ("clicked", "a", "b"), [("s", "s.conll", "q.conll"), ("q", "q.conll", "p.conll")]
)
def test_a_click_on_a_line_makes_it_a_and_a_becomes_b_where_it_was_b(
    clicked, a, b, responses, monkeypatch
):
    name_files(monkeypatch, *responses)
    app = run(view="many", trials="100")
    assert [app.selectbox(key=letter).value for letter in "ab"] == ["p.conll", "q.conll"]
    click_point(app, "bumps", clicked)
    assert [app.selectbox(key=letter).value for letter in "ab"] == [a, b]


def test_a_cell_of_data_sets_opens_its_data_set_and_its_system(responses, tmp_path, monkeypatch):
    for data_set, names in {"books": "pqs", "news": "pqs"}.items():
        (tmp_path / "all" / data_set).mkdir(parents=True)
        for path in responses:
            if path.stem in {"key", *names}:
                (tmp_path / "all" / data_set / path.name).write_bytes(path.read_bytes())
    monkeypatch.setenv(DATA_SETS_VARIABLE, str(tmp_path / "all"))
    app = run(view="data-sets")
    assert rows(app, "data_sets_table")["system"].tolist() == ["s", "q", "p"]
    click_cell(app, "data_sets_table", 0, "1")
    assert app.selectbox(key="data").value == "data set news"
    assert app.selectbox(key="a").value == "s.conll"
