"""The list of errors: what a query, an order and a row of the URL show."""

import json
from dataclasses import asdict

import pytest

import corescore
from corescore.sentences.errors import NO_KIND
from dashboard.session import analyses
from dashboard.views import errors_list
from dashboard.widgets.links import error_url
from tests.support import gaps
from tests.support.hostile import NAME, WORDS
from tests.support.pages import (
    KEY,
    REPEATS,
    RESPONSE,
    give,
    headlines,
    html,
    name_files,
    page_of,
    reads,
    run,
)

ERRORS = "errors"


def listed(app):
    """What the list of errors is given to draw."""
    components = app.get("bidi_component")
    drawn = [c.proto.json for c in components if c.proto.component_name == "corescore_error_list"]
    assert len(drawn) == 1
    return json.loads(drawn[0])


def costs(shown):
    return [float(row["cost"].replace("−", "-")) for row in shown["rows"]]


def test_the_costliest_errors_come_first_and_are_counted_above():
    app = page_of(view=ERRORS, moved="true")
    shown = listed(app)
    table = errors_of(app)
    assert headlines(app)[0].startswith(f"A (cautious) has {len(table):,} mentions with errors.")
    assert shown["n"] + sum(row["more"] for row in every_row(app)) == len(table)
    assert shown["order"] == "cost.conll"
    assert costs(shown) == sorted(costs(shown), reverse=True)
    assert costs(shown)[0] > 0


def test_a_query_and_an_order_of_the_url_are_followed():
    every = listed(page_of(view=ERRORS))
    app = page_of(view=ERRORS, find="class:missing", order="cost.lea")
    shown = listed(app)
    assert 0 < shown["n"] < every["n"]
    assert {row["status"] for row in shown["rows"]} == {"missing"}
    assert {row["letter"] for row in shown["rows"]} == {"m"}
    assert costs(shown) == sorted(costs(shown), reverse=True)
    assert "LEA" in headlines(app)[0]
    assert f"{shown['n']:,} of the 1,173 mentions with errors of A" in headlines(app)[0]


@pytest.mark.parametrize("order", ["text", "size", "distance", "mention", "unknown"])
def test_every_order_lists_the_same_errors(order):
    find = "doc:news_harbour"
    one, other = (run(view=ERRORS, find=find, **by) for by in ({}, {"order": order}))
    number = analyses.fixes(one.session_state["loaded"].system("A"))
    place = {row: at for at, row in enumerate(errors_of(one)["id"])}
    fixes = [
        sorted(number[place[row["id"]]] for row in listed(app)["rows"]) for app in (one, other)
    ]
    assert fixes[0] == fixes[1] != []


def errors_of(app):
    return analyses.every_error(app.session_state["loaded"].system("A"))


def every_row(app):
    """All rows of the list, in the windows in which they are sent."""
    system = app.session_state["loaded"].system("A")
    n, moved = listed(app)["n"], app.toggle(key="moved").value
    sent = [
        errors_list.rows(system, "", "cost.conll", -1, first, moved)
        for first in range(0, n, errors_list.WINDOW)
    ]
    return [asdict(row) for rows in sent for row in rows]


def test_correct_mentions_that_a_fix_only_moves_are_hidden_until_the_switch_lists_them():
    app = run(view=ERRORS)
    table = errors_of(app)
    correct = table[table["class"] == "correct"]
    shown = listed(app)
    assert "correct" not in {row["status"] for row in every_row(app)}
    assert shown["n"] + sum(row["more"] for row in every_row(app)) == len(table) - len(correct)
    assert f"hides {len(correct)} correct" in headlines(app)[0]
    assert facet_of(shown, "Class of the mention").get("correct") is None
    app.toggle(key="moved").set_value(True).run()
    assert [row["status"] for row in every_row(app)].count("correct") > 0
    assert facet_of(listed(app), "Class of the mention")["correct"] == f"{len(correct)}"


def facet_of(shown, title):
    """The numbers of a facet by its values."""
    (found,) = (facet for facet in shown["facets"] if facet["title"] == title)
    return {value["words"]: value["count"] for value in found["values"]}


def test_a_link_to_counted_mentions_lists_correct_ones_if_they_are_counted():
    app = page_of(view=ERRORS, find="class:correct")
    n = (errors_of(app)["class"] == "correct").sum()
    assert listed(app)["n"] == 0
    assert f"{n} of the 1,173" in headlines(app)[0]
    system = app.session_state["loaded"].system("A")
    assert "moved=true" in error_url("kind:divided-entity", system)
    assert "moved" not in error_url("class:missing", system)
    assert "moved" not in error_url("", system)


def test_the_kind_of_mentions_that_other_fixes_resolve_is_explained():
    kinds = facet_of(listed(page_of(view=ERRORS)), "Kind of error")
    assert "none" not in kinds
    assert kinds[NO_KIND] == "75"
    by_kind = html(page_of(view=ERRORS, tab="by kind"))
    assert f">{NO_KIND}<" in by_kind
    assert ">none<" not in by_kind


def test_a_fix_of_several_mentions_has_one_row_and_opens_to_all_of_them():
    app = run(view=ERRORS, moved="true")
    head = next(row for row in every_row(app) if row["more"] > 1)
    table = errors_of(app)
    n, of_head = listed(app)["n"], table[table["id"] == head["id"]].iloc[0]
    app.query_params["row"] = head["id"]
    opened = listed(app.run())
    assert opened["n"] == n + head["more"]
    at = opened["at"] - opened["first"]
    parts = opened["rows"][at : at + head["more"] + 1]
    assert parts[0]["id"] == head["id"]
    assert [row["is_part"] for row in parts] == [False] + [True] * head["more"]
    rows = table[table["id"].isin([row["id"] for row in parts])]
    assert len(rows) == head["more"] + 1
    assert rows["response_entity"].nunique() == 1
    assert rows["key_entity"].nunique() == 1
    assert (rows["cost_conll"] == of_head["cost_conll"]).all()
    assert all(row["more"] == 0 for row in parts)


def test_the_headline_counts_each_fix_once():
    app = run(view=ERRORS, moved="true")
    table = errors_of(app)
    number = analyses.fixes(app.session_state["loaded"].system("A"))
    gains = {n: gain for n, gain in zip(number, table["cost_conll"], strict=True) if n >= 0}
    n_gain = sum(gain > 0 for gain in gains.values())
    assert f"{n_gain:,} of the {len(gains):,} fixes gain something" in headlines(app)[0]
    assert n_gain < (table["cost_conll"] > 0).sum()


def test_a_query_with_an_error_says_where_and_keeps_the_last_list():
    app = run(view=ERRORS, find="class:missing")
    last = listed(app)
    app.query_params["find"] = "class:missing size>many"
    shown = listed(app.run())
    assert shown["find"] == "class:missing size>many"
    assert shown["problem"]["says"]
    assert shown["find"][: shown["problem"]["start"]].startswith("class:missing size")
    assert (shown["n"], shown["rows"]) == (last["n"], last["rows"])
    assert headlines(app)[0].startswith(f"{last['n']} of the")


def test_a_query_that_finds_nothing_says_what_to_do():
    app = page_of(view=ERRORS, find="class:missing class:spurious")
    assert listed(app)["n"] == 0
    assert "term" in listed(app)["empty"]
    assert headlines(app)[0].startswith("None of the")


def test_the_row_of_the_url_is_open_and_its_mention_selected_on_every_page():
    row = listed(page_of(view=ERRORS))["rows"][3]
    app = page_of(view=ERRORS, row=row["id"])
    shown = listed(app)
    assert (shown["row"], shown["at"]) == (row["id"], 3)
    assert row["mention"]["words"] in html(app)
    assert "Credit towards" in html(app)
    assert app.query_params["document"] == row["document"]
    place = row["id"].removeprefix(f"{row['document']}:").split(":")[0]
    assert app.query_params["mention"] == place


def test_an_open_row_that_the_query_does_not_find_stays_open():
    row = next(r for r in listed(page_of(view=ERRORS))["rows"] if r["status"] != "missing")
    app = page_of(view=ERRORS, row=row["id"], find="class:missing")
    assert listed(app)["at"] == -1
    assert "Credit towards" in html(app)


def test_a_row_that_is_not_there_is_said():
    app = page_of(view=ERRORS, row="elsewhere:1-2:k")
    assert reads(html(app), "A (cautious)", "no error", "“elsewhere:1-2:k”")
    assert listed(app)["at"] == -1


def test_b_has_errors_of_its_own():
    app = run(view=ERRORS)
    of_a = listed(app)
    app.session_state["of"] = "B"
    app.run()
    assert listed(app)["version"] != of_a["version"]
    assert headlines(app)[0].startswith("B (greedy) has")


def opened_one_after_another(app, most=6):
    """Opens the first rows of the list."""
    for row in listed(app)["rows"][:most]:
        app.query_params["row"] = row["id"]
        app.run()
        assert not app.exception
        assert listed(app)["row"] == row["id"]


def test_without_errors_the_page_says_so(monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_txt=KEY, response_txt=RESPONSE)
    app = run(view=ERRORS)
    assert [reads(line, "A (response)", "no errors") for line in headlines(app)] == [True]
    assert listed(app)["n"] == 0


@pytest.mark.parametrize("repeats", REPEATS)
def test_mentions_listed_twice(repeats, monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_txt=KEY, response_txt=KEY.replace(b"(1)", b"(1)|(2)"))
    app = run(view=ERRORS, repeats=repeats)
    opened_one_after_another(app)


def test_mentions_without_words(monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_txt=b"{a b} {c}", response_txt=b"{b c} {d}")
    app = run(view=ERRORS)
    assert listed(app)["n"] == 4
    opened_one_after_another(app)


def test_mentions_with_gaps_and_words_that_are_not_in_the_text(monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_conllu=gaps.KEY, response_conllu=gaps.RESPONSE)
    app = run(view=ERRORS)
    assert listed(app)["n"] > 0
    opened_one_after_another(app)


def test_hostile_words(monkeypatch, tmp_path):
    spans = [(at, at + 1) for at in range(len(WORDS))]
    sides = {"key": [spans[:4], spans[4:7]], "response": [spans[:2], [*spans[2:6]], spans[7:9]]}
    for side, entities in sides.items():
        document = corescore.Document.of_entities(NAME, entities, words=WORDS)
        corescore.write(corescore.Corpus((document,)), tmp_path / f"{side}.conll")
    name_files(monkeypatch, *(tmp_path / f"{side}.conll" for side in sides))
    app = run(view=ERRORS)
    opened_one_after_another(app, most=9)
    assert "<script>alert" not in html(app)
