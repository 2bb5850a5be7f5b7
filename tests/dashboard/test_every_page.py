"""What holds on every page: places, labels, hostile text, people with other eyes and hands."""

import json
import re
from itertools import pairwise
from urllib.parse import parse_qsl

import numpy as np
import pytest
from markupsafe import Markup
from playwright.sync_api import expect

import corescore
from corescore.analysis.errors.overlaps import overlap_links, overlap_members, overlap_table
from corescore.analysis.errors.tables import span_errors
from corescore.metrics import metric_of
from corescore.scoring.tables import size_table
from corescore.teaching.exercises import LESSON
from dashboard.navigation import SECTIONS
from dashboard.session.url_names import SETTINGS, VIEWS
from dashboard.widgets.charts import AS_TABLE
from tests.support.acts import says
from tests.support.browser import (
    MORE,
    MOST_WORDS,
    ROOFS,
    expect_to_fit,
    open_at,
    opening,
    problems,
    served,
    turn_on,
    turn_to,
    turn_to_place,
    watched,
)
from tests.support.browser import PAGES as PAGES_OF_FOR_EVERYONE
from tests.support.colours import contrast
from tests.support.pages import (
    assert_numbers_are_those_of_the_lists,
    boxes,
    charts,
    drawn,
    headed,
    html,
    links_in,
    loaded_in,
    name_files,
    names,
    numbers_in_tables,
    numbers_told,
    page_of,
    plain,
    run,
    sent_to,
    with_open_tables,
)
from tests.support.texts import NAME, WORDS

# Every page, and what a page shows only if its link asks for it: each is opened once, -------------

PAGES = [*(entry.path for section in SECTIONS.values() for entry in section), *VIEWS]
EXERCISE = next(number for number, step in enumerate(LESSON, 1) if step.exercise)
PLACES = (
    *PAGES,
    "documents?across=distribution",
    "text?document=news_harbour&mention=0-4",
    "text?together=true",
    "credit?metric=BLANC",
    "credit?metric=CEAFₑ",
    "links?links=all+links&of=B",
    "errors?tab=by+kind",
    "errors?tab=by+kind&gain_in=recall&mended=share",
    "perturb?do=more-precise&seeds=1",
    "experiments?experiment=moosavi2016-fig2",
    "experiments?experiment=moosavi2016-table1",
    "experiments?experiment=conformance",
    "compare?trials=100&right_by=status",
    "compare?compared=mentions+and+errors",
    "scorers?number=62.74",
    "pitfalls?card=blanc-alpha&revealed=yes",
    f"lesson?step={EXERCISE}",
    "lesson?step=1&revealed=yes",
    "metrics?metric=blanc",
)
# The gallery, and cards that ask first.
WITHOUT_SCORES = {"experiments", "errata", "pitfalls", "lesson"}
OF_ERRORS = {
    *("overview", "text", "text?together=true", "credit", "entities", "links"),
    *(
        "links?links=all+links&of=B",
        "errors?tab=by+kind",
        "compare?trials=100&right_by=status",
    ),
}
TAKE_SECONDS = {
    *("experiments", "errata", "experiments?experiment=conformance", "scorers?number=62.74")
}
ROUNDING = 0.006
# A blank before "%" but in a heading, four digits that count after a point but in an equation,
# 10000 without a comma
UNUSUAL = re.compile(
    r".{0,30}(?:(?<!F)\d[ \u00a0]%|(?<!=)[−+ ]\d*\.\d*[1-9]\d{3}(?!\d)|(?<![#.\w])[1-9]\d{4,}\b)"
    r".{0,12}"
)
BOXES = ("selectbox", "segmented_control", "multiselect", "number_input", "toggle", "slider")
SIGNED = re.compile(
    r'(?:<p class="note">(?P<of>[^<]*:)</p>\s*)?<p class="signature">(?P<said>[^<]*)</p>'
)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(place, marks=[pytest.mark.slow] * (place in TAKE_SECONDS)) for place in PLACES
    ],
)
def place(request):
    return request.param


@pytest.fixture
def link(place):
    view, _, query = place.partition("?")
    return {"view": view, **dict(parse_qsl(query))}


@pytest.fixture
def shown(link):
    return page_of(**link)


def test_the_signature_stands_once_on_a_page(place, shown):
    lines = [(line["of"], Markup(line["said"]).unescape()) for line in SIGNED.finditer(html(shown))]
    said = [text for _, text in lines]
    assert len(said) == html(shown).count('class="signature"')
    assert bool(said) == (place not in WITHOUT_SCORES)
    assert len(set(said)) == len(said)
    # A second one says what it is of, or where printed figures are from.
    assert sum(not (of or text.startswith("Printed in")) for of, text in lines) <= 1
    assert sorted(copied(shown)) == sorted(said)


def test_names_in_the_url_are_registered_for_the_page(link, shown):
    path = VIEWS.get(link["view"], [link["view"]])[0]
    protos = [getattr(node, "proto", None) for node in shown._tree]
    bound = {getattr(proto, "query_param_key", "") for proto in protos} - {""}
    assert bound
    own = link.get("experiment", "its")  # whose parameters begin with its name
    known = [SETTINGS[name] for name in bound if not name.startswith(own)]
    assert [one.name for one in known if not {"*", path} & {*one.pages.split()}] == []


def test_percent_is_written_without_a_blank_and_points_with_two_decimals(shown):
    told = [
        plain(html(shown)),
        *texts_in(one.proto.spec for one in shown.get("plotly_chart")),
    ]
    told += texts_in(one.proto.json for one in shown.get("bidi_component"))
    told += [str(getattr(one, "help", "")) for kind in BOXES for one in shown.get(kind)]
    wrong = [one for text in told for one in UNUSUAL.findall(text)]
    assert wrong == []


def texts_in(records):
    """The strings of records in JSON."""
    for record in filter(None, records):
        yield from strings(json.loads(record))


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings(one)


def copied(shown):
    """The texts that buttons of the page copy."""
    return [button["text"] for button in sent_to(shown, "copy_link") if button["text"]]


def test_every_chart_has_its_table_on_the_page(shown, link):
    opened = with_open_tables(**link)
    assert len(opened.dataframe) == len(shown.dataframe) + len(boxes(shown))
    tables = [one.value for one in opened.dataframe if one.proto.alt.startswith(AS_TABLE)]
    assert all(len(table) for table in tables)
    known = sorted(numbers_in_tables(opened))
    for one in charts(opened):
        assert one.has_box or any(
            one.named and name.startswith(one.named) for name in names(opened)
        )
        missing = [n for n in numbers_told(one) if not any(abs(n - k) < ROUNDING for k in known)]
        assert not missing, (one.alt, missing)


def test_a_number_leads_to_as_many_errors_as_it_says(place, shown):
    if place in OF_ERRORS or links_in(html(shown)):
        assert_numbers_are_those_of_the_lists(shown)


# Under each head of a table stands the number that the head names, as the analysis ----------------

DOCUMENTS = "document_table worst first"


def pair_of(app):
    results = loaded_in(app).results
    return results["A"], results["B"]


def f1_of(result, names, metric="conll"):
    f1 = dict(zip(result.documents, result.document_scores[metric].f1.tolist(), strict=True))
    return [100 * f1[name] for name in names]


def test_documents_of_two_systems(compared):
    shown, (a, b) = headed(compared, "documents_table"), pair_of(compared)
    names = shown["document"].tolist()
    assert shown["A %"].tolist() == pytest.approx(f1_of(a, names, "ceafe"))
    assert shown["B %"].tolist() == pytest.approx(f1_of(b, names, "ceafe"))
    assert shown["B − A"].tolist() == pytest.approx((shown["B %"] - shown["A %"]).tolist())
    assert says(compared, "CEAFₑ", "B first on", (shown["B − A"] > 0).sum())
    sizes = size_table(a).loc[names]
    assert shown["mentions"].tolist() == sizes["key_mentions"].tolist()
    assert shown["entities"].tolist() == sizes["key_entities"].tolist()


def test_on_how_many_documents_either_is_ahead(compared):
    a, b = pair_of(compared)
    bars = [one for one in drawn(compared, "wins")["data"] if one.get("customdata")]
    for bar, sign in zip(bars, (-1, 0, 1), strict=True):
        for (metric, _), told in zip(bar["customdata"], bar["hovertext"], strict=True):
            gap = b.document_scores[metric].f1 - a.document_scores[metric].f1
            n = int((np.sign(gap[~np.isnan(gap)].round(12)) == sign).sum())
            assert told.split(", ")[-1].startswith(f"{n} of "), (metric, sign)


def test_what_two_systems_earn_by_a_mention(behind):
    a, b = pair_of(behind)
    shown = headed(behind, "unequal mentions lea")
    every = a.compare(b).mentions("lea").set_index(["document", "mention"])
    alone = ~every.index.duplicated(keep=False)
    known = every[alone]
    for row in shown.head(60).to_dict("records"):
        place = row["document"], row["mention"]
        if place in known.index:
            of = known.loc[place]
            assert (row["A earns"], row["B earns"]) == pytest.approx(
                (100 * of["credit_a"], 100 * of["credit_b"])
            )
            assert (row["in A"], row["in B"]) == (of["class_a"], of["class_b"])


def test_documents_of_one_system():
    app = run("documents", show="all", of="B: greedy")
    result = loaded_in(app).results["B"]
    shown = headed(app, DOCUMENTS).set_index("document")
    sizes = size_table(result).loc[shown.index]
    off = span_errors(result.comparison).loc[shown.index]
    assert shown["span errors"].tolist() == off.tolist()
    assert (shown["missing"] + off).tolist() == sizes["missing_mentions"].tolist()
    assert (shown["spurious"] + off).tolist() == sizes["spurious_mentions"].tolist()
    assert shown["missing"].tolist() != shown["spurious"].tolist()
    assert shown["mentions"].tolist() == sizes["key_mentions"].tolist()
    for metric, head in {"muc": "MUC", "bcub": "B³", "lea": "LEA", "conll": "CoNLL"}.items():
        assert shown[head].tolist() == pytest.approx(f1_of(result, shown.index, metric))


def test_each_end_of_an_interval_and_each_p_of_two_systems():
    opened = {"dumbbells as a table": True}
    compared = run("compare", parts=["scores"], state=opened, trials="100")
    a, b = pair_of(compared)
    element = next(one for one in compared.dataframe if "p_holm" in one.value)
    heads = heads_of(element)
    ends = ("tested_low", "tested_high", "bca_low", "bca_high")
    assert [heads[name] for name in ends] == ["from", "to", "single", "to"]
    of = a.compare(b, trials=100).significance
    of = of[of["measure"] == "f1"].set_index("metric")
    shown = element.value
    lea = shown[shown["metric"].str.contains("LEA")].iloc[0]
    for name in ("a", "b", "difference", *ends):
        assert lea[name] == pytest.approx(100 * of.loc["lea", name])
    assert (heads["p"], heads["p_max"]) == ("p", "p (max T)")
    assert (heads["p_holm"], heads["p_sign"]) == ("p (Holm)", "p (sign)")


def test_overlaps_of_entities():
    app = run("entities", scope="all documents", of="B: greedy", entities="overlaps")
    comparison = loaded_in(app).results["B"].comparison
    shown = headed(app, "group_table 0")
    table = overlap_table(comparison, metric_of("lea"))
    names = {
        "key entities": "key_entities",
        "resp. entities": "response_entities",
        "key mentions": "key_mentions",
        "resp. mentions": "response_mentions",
        "shared": "shared_mentions",
    }
    for head, name in names.items():
        assert shown[head].tolist() == table[name].tolist()
    assert len({tuple(table[name]) for name in names.values()}) == len(names)
    assert shown["loss"].tolist() == pytest.approx((100 * table["loss"]).tolist())


def test_links_of_an_overlap():
    app = run("links", document="news_orchard", links="all links")
    comparison = loaded_in(app).results["A"].comparison
    members = overlap_members(comparison, app.session_state["group"])
    links = overlap_links(comparison, members, which="all")
    key = next(one.key for one in app.dataframe if one.key.startswith("link_table"))
    shown = headed(app, key)
    words = members.table["text"].tolist()
    assert shown["from"].tolist() == [words[at] for at in links["first"]]
    assert shown["to"].tolist() == [words[at] for at in links["second"]]
    assert shown["link"].tolist() == links["kind"].tolist()
    assert shown["from"].tolist() != shown["to"].tolist()
    assert {"correct", "missing", "wrong"} == {*links["kind"]}
    ends, is_correct = members.table.iloc[links["first"]].reset_index(), links["kind"] == "correct"
    for head, side, absent in (("R", "key_entity", "wrong"), ("P", "response_entity", "missing")):
        weights = 2 / (ends[side].map(members.table[side].value_counts()) - 1)  # LEA
        has = links["kind"] != absent
        assert shown[f"{head} weight"][has].tolist() == pytest.approx(weights[has].tolist())
        assert (shown[f"{head} credit"] == weights * is_correct)[has].all()
        assert shown[[f"{head} credit", f"{head} weight"]][~has].isna().all(axis=None)


def test_ranks_of_many_systems():
    app = run("many", trials="100")
    element = app.dataframe[0]
    heads = heads_of(element)
    assert (heads["low"], heads["high"], heads["first"]) == ("from", "to", "first in %")
    assert (element.value["low"] <= element.value["high"]).all()


def heads_of(element):
    columns = json.loads(element.proto.columns)
    return {name: column.get("label") for name, column in columns.items()}


# Words that are markup, formulas, marks of direction or endless are shown as they are -------------

REFERENCE = re.compile(r"&(#\w+|quot|lt|gt);")
MARKUP = "main script, .passage script, .katex, .stMain b > i, .passage img, .stHtml img"
PAGES_OF_HOSTILE_TEXT = (
    *((name, None) for name in ("Overview", "Documents", "Text", "Credit", "Entities", "Errors")),
    *(("Entities", "links"), ("Perturb", None), ("Compare", None), ("Compare", "many systems")),
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """The address of a dashboard over these words, each a mention; the response joins others."""
    folder = tmp_path_factory.mktemp("hostile")
    spans = [(at, at + 1) for at in range(len(WORDS))]
    sides = {
        "key": [spans[:4], spans[4:7], *([span] for span in spans[7:])],
        '<b>"a"': [spans[:2], [*spans[2:6]], spans[7:9], spans[13:]],
        "<i>$b$": [spans[:3], spans[4:9]],
        "c": [spans],
    }
    for side, entities in sides.items():
        document = corescore.Document.of_entities(NAME, entities, words=WORDS)
        corescore.write(corescore.Corpus((document,)), folder / f"{side}.conll")
    with served(*(str(folder / f"{side}.conll") for side in sides)) as url:
        yield url


def test_hostile_words_are_text_on_every_page(chromium, hostile):
    with watched(chromium, hostile, width=1024, scheme="dark") as page:
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        open_at(page, f"{hostile}/credit?metric=CEAFₑ")
        for name, view in PAGES_OF_HOSTILE_TEXT:
            turn_to(page, name, view)
            if name == "Overview":
                expect(page.locator(".headline").first).to_contain_text('<b>"a"')
            expect(page.locator(".signature").first).to_contain_text("corescore")
            assert page.locator(MARKUP).count() == 0
            expect_to_fit(page)
            if name in ("Text", "Credit"):
                for word in WORDS:
                    expect(page.get_by_test_id("stMain")).to_contain_text(word[:60])
            labels = page.locator(".js-plotly-plot text").all_text_contents()
            assert not [label for label in labels if REFERENCE.search(label)]
            assert name != "Credit" or any('"quoted"' in label for label in labels)
        # Nothing that the server forgets when the page is drawn anew, before the browser has it.
        assert not [url for url in asked if url.startswith(f"{hostile}/media/")]


# Pages that everybody can read: for a screen reader, with weak eyes, in both themes and -----------

# Whose parts others have, too: of these it is only asked how they open.
ALIKE = ("Documents", "Entities", "Perturb", "Papers", "Scoring rules", "Metrics")
PATHS_OF_ALIKE = ("documents", "entities", "perturb", "experiments", "scorers", "metrics")


@pytest.mark.parametrize(
    "name, view", [*((name, None) for name in PAGES_OF_FOR_EVERYONE), ("Entities", "links")]
)
def test_everybody_can_read_and_use_a_page_which_opens_with_what_it_is_about(opened, name, view):
    page, paper = opened
    turn_to(page, name, view)
    _expect_opening(page)
    if name not in ALIKE:
        assert problems(page, paper) == {}


@pytest.mark.parametrize("place", ["many", "errors?tab=by+kind", "lesson?step=1"])
def test_a_view_opens_with_what_it_is_about(opened, place):
    page, _ = opened
    turn_to_place(page, place)
    _expect_opening(page)


def _expect_opening(page):
    roofs = {f"datum, {width}": roof for (width, _), roof in ROOFS.items()}
    most = {"words": MOST_WORDS, **roofs}
    assert {what: n for what, n in opening(page).items() if n > most[what]} == {}


@pytest.mark.long
@pytest.mark.parametrize("place", [*MORE, *PATHS_OF_ALIKE])
def test_everybody_can_read_and_use_a_state(opened, place):
    page, paper = opened
    turn_to_place(page, place)
    assert problems(page, paper) == {}


def test_the_whole_name_of_a_file_is_shown_on_hover(opened):
    page, _ = opened
    turn_to(page, "Documents")
    box = page.locator(".st-key-b input")
    box.hover()
    expect(box).to_have_attribute("title", box.input_value())


def test_shades_of_credit_can_be_told_apart_and_read(opened):
    page, _ = opened
    turn_to(page, "Credit")
    for scheme in ("light", "dark"):
        turn_on(page, scheme)
        _expect_shades(page.locator(".scale .sample").evaluate_all(LOOKS))


def _expect_shades(shades):
    assert len(shades) == 5
    for (one, _), (other, _) in pairwise(shades):
        assert contrast(one, other) > 1.25
    assert all(contrast(*of_text) > 4.5 for of_text in shades)


# Ground and text of elements as a canvas paints them: red, green and blue, 0 to 255.
LOOKS = """nodes => nodes.map(node => {
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  const painted = (colour) => {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const { color, backgroundColor } = getComputedStyle(node);
  return [painted(backgroundColor), painted(color)];
})"""


# A perfect response -------------------------------------------------------------------------------


@pytest.fixture
def perfect(monkeypatch, tmp_path):
    """A response that is the key, of two documents."""
    text = "# a\n{a b} {c d e}\n# b\n{f g} {h}\n"
    paths = [tmp_path / name for name in ("key.txt", "same.txt")]
    for path in paths:
        path.write_text(text)
    name_files(monkeypatch, *paths)


@pytest.mark.usefixtures("perfect")
def test_a_perfect_response_has_no_worst_document_and_no_error_to_go_to():
    app = run("overview")
    assert "The lowest" not in html(app)
    assert "costliest first" not in html(app)
    app = run("documents")
    profile = json.loads(app.dataframe[0].proto.columns)["profile"]["type_config"]
    assert profile["y_min"] < profile["y_max"]


@pytest.mark.usefixtures("perfect")
@pytest.mark.parametrize("view", ["overview", "documents", "perturb", "scorers"])
def test_no_axis_of_a_perfect_response_has_a_tick_beyond_100_percent(view):
    layouts = [json.loads(one.proto.spec)["layout"] for one in run(view).get("plotly_chart")]
    axes = [
        axis
        for layout in layouts
        for name, axis in layout.items()
        if name.startswith(("xaxis", "yaxis")) and "percent" in str(axis.get("title", ""))
    ]
    assert axes
    assert all(max(axis["tickvals"]) <= 100 for axis in axes if "tickvals" in axis)
    assert [axis["range"][1] for axis in axes if "tickvals" not in axis and "range" in axis] <= [
        117
    ]


@pytest.mark.usefixtures("perfect")
def test_an_empty_list_of_errors_advises_nothing_that_cannot_help():
    app = run("errors")
    (listing,) = sent_to(app, "error_list")
    assert listing["empty"] == "There is nothing to list."
