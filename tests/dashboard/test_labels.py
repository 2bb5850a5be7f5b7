"""Under each head of a table stands the number that the head names, as the analysis counts it."""

import json

import numpy as np
import pytest

from corescore.analysis.errors.overlaps import overlap_links, overlap_members, overlap_table
from corescore.analysis.errors.tables import span_errors
from corescore.analysis.systems.data_sets import DataSets
from corescore.metrics import metric_of
from corescore.scoring.tables import size_table
from dashboard.views import data_sets
from tests.support.clicks import drawn, headed
from tests.support.pages import page_of, run

DOCUMENTS = "document_table worst first"


@pytest.fixture
def compared():
    return page_of(view="compare", trials="100", right_by="status")


def pair_of(app):
    results = app.session_state["loaded"].results
    return results["A"], results["B"]


def f1_of(result, names, metric="conll"):
    f1 = dict(zip(result.documents, result.document_scores[metric].f1.tolist(), strict=True))
    return [100 * f1[name] for name in names]


def test_documents_of_two_systems(compared):
    shown, (a, b) = headed(compared, "documents_table"), pair_of(compared)
    names = shown["document"].tolist()
    by = compared.selectbox(key="by").value
    assert shown["A"].tolist() == pytest.approx(f1_of(a, names, by))
    assert shown["B"].tolist() == pytest.approx(f1_of(b, names, by))
    assert shown["B − A"].tolist() == pytest.approx((shown["B"] - shown["A"]).tolist())
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


def test_what_two_systems_earn_by_a_mention(compared):
    a, b = pair_of(compared)
    shown = headed(compared, "unequal mentions lea")
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
    app = run(view="documents", show="all", of="B: greedy")
    result = app.session_state["loaded"].results["B"]
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
    compared = run(view="compare", parts=["scores"], state=opened, trials="100")
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
    assert (heads["p"], heads["p_max"]) == ("p", "p, max T")
    assert (heads["p_holm"], heads["p_sign"]) == ("p, Holm", "p, sign")


def test_overlaps_of_entities():
    app = run(view="entities", scope="all documents", of="B: greedy")
    comparison = app.session_state["loaded"].results["B"].comparison
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
    app = run(view="links", document="news_orchard", links="all links")
    comparison = app.session_state["loaded"].results["A"].comparison
    members = overlap_members(comparison, app.session_state["group"])
    links = overlap_links(comparison, members, which="all")
    key = next(one.key for one in app.dataframe if one.key.startswith("link_table"))
    shown = headed(app, key)
    words = members.table["text"].tolist()
    assert shown["from"].tolist() == [words[at] for at in links["first"]]
    assert shown["to"].tolist() == [words[at] for at in links["second"]]
    assert shown["link"].tolist() == links["kind"].tolist()
    assert shown["from"].tolist() != shown["to"].tolist()


def test_ranks_of_many_systems():
    app = run(view="many", trials="100")
    element = app.dataframe[0]
    heads = heads_of(element)
    assert (heads["low"], heads["high"], heads["first"]) == ("from", "to", "first in %")
    assert (element.value["low"] <= element.value["high"]).all()


def heads_of(element):
    columns = json.loads(element.proto.columns)
    return {name: column.get("label") for name, column in columns.items()}


def test_the_best_rank_on_a_data_set_has_the_darkest_cell_and_the_worst_none():
    scores = np.array([[0.1, 0.9], [0.5, 0.5], [0.9, 0.1]])
    found = DataSets("lea", "f1", ("x", "y", "z"), ("one", "two"), scores)
    styler = data_sets.shaded(found, data_sets.rows(found, data_sets.SCORES))
    styler._compute()
    columns = list(styler.data.columns)
    shades = {
        (styler.data["system"][row], columns[column]): float(looks[0][1].split(",")[-1].strip(" )"))
        for (row, column), looks in styler.ctx.items()
        if looks
    }
    assert shades["z", "0"] > shades["y", "0"] > shades["x", "0"] == 0
    assert shades["x", "1"] > shades["y", "1"] > shades["z", "1"] == 0
