"""Every page through Streamlit's own test runner: what it shows, and that nothing fails."""

import os
import re
from urllib.parse import parse_qs

import pytest

from corescore.analysis.errors.classes import CORRECT, DUPLICATED, FOUND, MENTION_CLASSES
from corescore.corpus.files import FORMATS
from corescore.metrics import METRIC_IDS
from dashboard.session import analyses, files
from dashboard.views.documents import orders_by
from tests.support.acts import choose, says
from tests.support.pages import (
    BAD,
    KEY,
    QUICK,
    RESPONSE,
    click_head,
    drawn,
    headlines,
    html,
    loaded_in,
    name_files,
    open_page,
    page_of,
    reads,
    run,
    upload,
)
from tests.support.texts import zipped


@pytest.mark.parametrize("view", ["documents", "text", "errors"])
def test_pages_run_with_one_system_too(view):
    app = page_of(view, b="none")
    assert [s.letter for s in loaded_in(app).systems] == ["A"]
    assert loaded_in(app).signature in html(app)


def test_a_link_restores_systems_and_policies():
    app = page_of(a="greedy.conll", singletons="leave them out", blanc="as Luo et al. 2014")
    loaded = loaded_in(app)
    assert [system.name for system in loaded.systems] == ["greedy", "cautious"]
    assert "singletons drop" in loaded.signature
    assert "blanc luo2014" in loaded.signature


def test_overview_says_what_is_shown_and_what_the_metrics_count_and_leads_to_the_worst():
    app = page_of(b="none")
    shown = html(app)
    result = loaded_in(app).results["A"]
    f1 = [result[metric].f1 for metric in METRIC_IDS]
    assert f"{100 * (max(f1) - min(f1)):.2f} points apart" in shown
    assert "Shown: key.conll against A (cautious). What" in shown
    assert reads(shown, "MUC", "link", "B³", "mention", "entity")
    conll = dict(zip(result.documents, result.document_scores["conll"].f1, strict=True))
    worst = sorted(conll, key=conll.__getitem__)[:5]
    links = [element.proto for element in app.get("page_link")]
    assert [link.label.replace("\\", "") for link in links] == [
        f"{100 * conll[name]:.2f} {name}" for name in worst
    ]
    assert [parse_qs(link.query_string)["document"] for link in links] == [[name] for name in worst]
    assert "the costliest first" in shown


def test_overview_counts_the_classes_of_mentions_and_leads_to_their_rows():
    app = page_of()
    shown = html(app)
    systems = loaded_in(app).systems
    counts = [analyses.class_counts(system).sum() for system in systems]
    by_name = dict(
        re.findall(r'<tr><th scope="row">(?:<b[^>]*>.</b>)?([^<]*)</th>(.*?)</tr>', shown)
    )
    for name in set(MENTION_CLASSES) - {DUPLICATED}:
        told = re.findall(r"<td>(?:<a[^>]*>)?([\d,]+)", by_name[name])
        assert [int(n.replace(",", "")) for n in told] == [of_class[name] for of_class in counts]
        leads = re.findall(r'href="([^"]*)"', by_name[name])
        assert len(leads) == (0 if name == CORRECT else len(systems))
    for of_class in counts:
        assert f"<td>{of_class[[*FOUND]].sum():,}</td></tr>" in shown
    alone = [analyses.n_incorrectly_resolved(system)[1] for system in systems]
    told = by_name["of which key singletons"]
    assert [int(n) for n in re.findall(r">(\d+)<", told)] == alone
    assert told.count("class%3Aincorrectly-resolved%20size%3A1") == len(systems)
    for system, of_class in zip(systems, counts, strict=True):
        bar = re.search(rf'aria-label="{re.escape(system.title)}: ([^"]*)"', shown)[1]
        widths = re.findall(r"flex-grow:(\d+)", shown.split(bar)[1].split("</div>")[0])
        assert [int(n) for n in widths] == [n for n in of_class[[*MENTION_CLASSES]] if n]


def test_overview_has_each_score_once_as_percent_and_once_as_a_fraction():
    app = page_of()
    shown, results = html(app), loaded_in(app).results
    chart = str([one["text"] for one in drawn(app, "six_metrics")["layout"]["annotations"]])
    assert "The six metrics</caption>" in shown
    for percent in {f"{100 * of[m].f1:.2f}" for of in results.values() for m in METRIC_IDS}:
        assert f"<b>{percent}" in chart
        assert f">{percent}<" not in shown


def test_means_over_documents_stand_beside_the_sums_when_asked_for():
    assert "Means over documents" not in html(page_of())
    assert "Means over documents" in html(page_of(average="sums, with means as well"))


def test_a_name_that_no_document_has_is_told():
    app = page_of("documents", named="no such name")
    assert says(app, "No document", "“no such name”", "all 17")
    assert not app.dataframe
    assert not app.get("plotly_chart")


def test_documents_come_worst_first_or_as_the_url_says():
    app = page_of("documents", by="LEA")
    result = loaded_in(app).results["A"]
    lea = dict(zip(result.documents, result.document_scores["lea"].f1, strict=True))
    rows = app.dataframe[0].value
    assert list(rows["document"]) == sorted(lea, key=lea.__getitem__)
    profile = {row.document: row.profile for row in rows.itertuples()}
    wrong = result_classes(app).loc["news_harbour", "incorrectly resolved"]
    n = result_classes(app).loc["news_harbour"].sum()
    assert profile["news_harbour"][0] == round(100 * wrong / n, 1)
    app = page_of("documents", sort="most missing", show="errors")
    missing = app.dataframe[0].value["missing_mentions"].to_list()
    assert missing == sorted(missing, reverse=True)


@pytest.mark.usefixtures("few")
def test_a_click_on_a_head_sorts_documents_by_its_column_and_a_second_the_other_way():
    app = run("documents")
    for order in ("greatest gain of B", "greatest loss of B"):
        click_head(app, app.dataframe[0].key, "difference")
        assert app.selectbox(key="sort").value == order
        values = app.dataframe[0].value["difference"].tolist()
        assert len(set(values)) > 1
        assert values == sorted(values, reverse=order == "greatest gain of B")


def test_documents_sorted_by_another_metric_stay_sorted_where_they_are_compared_by_it():
    app = run("documents", sort="highest LEA")
    choose(app, "by", "lea")
    assert app.selectbox(key="sort").value == "highest LEA"
    assert app.dataframe[0].value["lea"].is_monotonic_decreasing


@pytest.mark.slow
def test_every_column_of_documents_can_be_sorted_by_both_ways():
    app = page_of("documents", show="all")
    orders = app.selectbox(key="sort").options
    for column in app.dataframe[0].value:
        names = orders_by(column, "conll")
        assert set(names) <= set(orders)
        pages = [page_of("documents", show="all", sort=name) for name in names]
        first, second = (page.dataframe[0].value for page in pages)
        values = [sum(value) if column == "profile" else value for value in first[column]]
        assert values in (sorted(values), sorted(values, reverse=True))
        other = [sum(value) if column == "profile" else value for value in second[column]]
        assert other == values[::-1]


def result_classes(app):
    return analyses.class_counts(loaded_in(app).systems[0])


def test_the_chart_of_documents_is_their_distribution_where_sizes_hardly_differ(give):
    text = b"".join(KEY.replace(b"(d)", b"(d%d)" % at) for at in range(3))
    give(key_conll=text, a_conll=text)
    assert run("documents").segmented_control(key="across").value == "distribution"
    assert run("documents", across="words").segmented_control(key="across").value == "words"


def test_a_single_document_is_not_drawn_among_documents(give):
    give(key_conll=KEY, a_conll=KEY)
    assert not run("documents").get("plotly_chart")


def test_a_key_alone_leads_to_advice(give):
    give(key_conll=KEY)
    app = run()
    assert [heading.value for heading in app.title] == ["Nothing is scored yet"]
    (advice,) = (text.value for text in app.text)
    assert "key.conll is loaded (1 document)" in advice
    assert "Open a key" not in advice


def test_one_response_alone_is_not_told_to_use_a_box_that_is_not_there(give):
    give(key_conll=KEY, response_conll=RESPONSE)
    app = run("compare")
    assert "b" not in {box.key for box in app.selectbox}
    (said,) = headlines(app)
    assert "response B" not in said
    assert "command line" in said
    (said,) = headlines(run("compare", data="sample data", b="none"))
    assert "response B" in said


def test_nothing_uploaded_leads_to_advice():
    app = page_of(data=files.UPLOADED)
    assert ["Nothing is scored" in heading.value for heading in app.title] == [True]


def test_files_that_are_read_together_are_uploaded_as_an_archive():
    ann = "T1\tPerson 0 3\tMia\nT2\tPerson 9 12\ther\nR1\tCoref Arg1:T1 Arg2:T2\n"
    data = zipped({"d.ann": ann, "d.txt": "Mia gave her a bike."})
    app = upload(run(QUICK), ("gold.zip", data), ("out.zip", data), ("d.ann", ann.encode()))
    (system,) = loaded_in(app).systems
    assert (system.name, system.result["mentions"].f1) == ("out", 1)
    assert "without their words; expected &#39;d.txt&#39;," in html(app)


def test_the_boxes_for_uploads_list_the_formats():
    app = page_of()
    for box in ("key_file", "response_files"):
        assert all(known.title in app.file_uploader(key=box).help for known in FORMATS)


@pytest.fixture(params=["given", "uploaded"])
def open_files(request, give):
    def opened(**files):
        if request.param == "given":
            give(**files)
            return run(QUICK)
        return upload(run(QUICK), *((n.replace("_", "."), content) for n, content in files.items()))

    return opened


def test_unbalanced_brackets_are_left_out_and_counted_if_that_is_selected(open_files):
    answer = b"# d\n[She](#1) slept](#2)"
    app = open_files(key_conll=KEY, answer_md=answer)
    assert says(app, "answer.md:2", "closes a mention")
    assert "in the app, “Unbalanced brackets”" in html(app)
    choose(app, "brackets", "repair")
    loaded = loaded_in(app)
    assert loaded.systems[0].name == "answer"
    assert loaded.systems[0].result["mentions"].f1 == 1
    assert any("1 piece of markup" in warning for warning in loaded.systems[0].result.warnings)


JSONL_KEY, ENDS_AFTER = (
    f'{{"doc_key": "d", "tokens": ["a", "b", "c", "d"], "clusters": {clusters}}}'.encode()
    for clusters in ("[[[0, 0], [1, 2]]]", "[[[0, 1], [1, 3]]]")
)


def test_each_side_is_read_in_the_format_that_is_selected(open_files):
    app = open_files(key_jsonl=JSONL_KEY, response_jsonl=ENDS_AFTER)
    warnings = " ".join(loaded_in(app).warnings)
    assert "2 would if each ended one word earlier" in warnings
    assert "the format of its side under “Open your own files”" in warnings
    choose(app, "response_format", "jsonl-exclusive")
    assert loaded_in(app).systems[0].result["muc"].f1 == 1
    assert "would if each" not in " ".join(loaded_in(app).warnings)
    choose(app, "key_format", "jsonl-exclusive")
    assert "key.jsonl:1: the span [0, 0] in a document of 4 words" in html(app)


def test_uploads_that_are_all_bad_leave_what_was_loaded():
    app = upload(run(QUICK), ("mine.conll", KEY), ("bad.conll", BAD), ("worse.conll", b"x"))
    assert 'role="alert"' in html(app)
    assert "bad.conll:2" in html(app)
    assert "worse.conll" in html(app)
    assert loaded_in(app).key_name == "key.conll"


def test_a_policy_that_refuses_leaves_what_was_loaded(give):
    other = KEY.replace(b"(d)", b"(e)").replace(b"d\t", b"e\t")
    give(key_conll=KEY + other, response_conll=RESPONSE)
    app = run(QUICK)
    before = loaded_in(app).signature
    choose(app, "missing_documents", "error")
    assert 'role="alert"' in html(app)
    assert loaded_in(app).signature == before


def test_overview_says_what_its_whiskers_are():
    shown = html(page_of())
    assert reads(shown, "95%", "jackknife", "17 documents", "Student’s t")
    assert "Only 17 documents" in shown


def test_one_document_has_no_interval_and_the_overview_says_so(give):
    give(key_conll=KEY, response_conll=RESPONSE)
    shown = html(run())
    assert "Only 1 document" in shown
    assert "jackknife" not in shown


def give_folder(monkeypatch, tmp_path, **responses):
    """A key, and a folder of responses to it, named as the command line does."""
    (tmp_path / "outputs").mkdir()
    (tmp_path / "key.conll").write_bytes(KEY)
    for name, content in responses.items():
        (tmp_path / "outputs" / f"{name}.conll").write_bytes(content)
    name_files(monkeypatch, tmp_path / "key.conll", tmp_path / "outputs")


def test_each_file_of_a_folder_is_a_response_to_a_key_that_is_a_file(monkeypatch, tmp_path):
    give_folder(monkeypatch, tmp_path, r1=RESPONSE, r2=KEY, r3=RESPONSE)
    app = run(QUICK, a="r3.conll")
    assert app.selectbox(key="a").options == ["r1.conll", "r2.conll", "r3.conll"]
    names = [system.name for system in loaded_in(app).systems]
    assert names == ["r3", "r1"]


def test_a_bad_file_among_several_is_left_out_and_explained(monkeypatch, tmp_path):
    give_folder(monkeypatch, tmp_path, r1=BAD, r2=RESPONSE, r3=KEY.replace(b"She", b"He"), r4=KEY)
    app = run(QUICK)
    assert [system.name for system in loaded_in(app).systems] == ["r2", "r4"]
    assert app.selectbox(key="a").options == ["r2.conll", "r4.conll"]
    assert reads("".join(e.label for e in app.expander), "2 of 4", "left out")
    assert "r1.conll:2" in html(app)
    assert says(app, "r3.conll", "word 1", "&#39;She&#39;")


def test_what_was_left_out_of_an_upload_is_not_said_beside_what_is_wrong_with_the_next():
    app = run(QUICK)
    upload(app, ("k.conll", KEY), ("good.conll", RESPONSE), ("bad.conll", BAD))
    assert reads("".join(e.label for e in app.expander), "1 of 2", "left out")
    upload(app, ("k.conll", KEY), ("bad.conll", BAD))
    assert html(app).count("bad.conll:2") == 1
    assert "left out" not in "".join(e.label for e in app.expander)


def test_a_response_is_left_out_only_under_the_policies_that_refuse_it(monkeypatch, tmp_path):
    give_folder(monkeypatch, tmp_path, r1=RESPONSE, r2=KEY.replace(b"(1)", b"(1)|(2)"))
    app = run(QUICK, repeats="refuse the file")
    assert [system.name for system in loaded_in(app).systems] == ["r1"]
    choose(app, "repeats", "first")
    assert [system.name for system in loaded_in(app).systems] == ["r1", "r2"]
    assert "left out" not in "".join(e.label for e in app.expander)


def test_a_file_that_is_mended_comes_back(monkeypatch, tmp_path):
    give_folder(monkeypatch, tmp_path, r1=BAD, r2=RESPONSE)
    app = run(QUICK)
    (tmp_path / "outputs" / "r1.conll").write_bytes(KEY)
    os.utime(tmp_path / "outputs" / "r1.conll", (1, 1))
    app.run()
    assert app.selectbox(key="a").options == ["r1.conll", "r2.conll"]


def test_names_may_have_underscores_anywhere():
    key = KEY.replace(b"(d)", b"(_d__e_)")
    response = key.replace(b"(1)", b"-", 1)
    app = upload(run(QUICK), ("__key__.conll", key), ("_a__b_.conll", response))
    app.query_params.update(document="_d__e_", seeds="1")
    for view in ("errors", "perturb"):
        open_page(app, view)
    assert loaded_in(app).systems[0].name == "_a__b"


@pytest.mark.parametrize("view", [QUICK, "export"])
def test_a_page_shows_what_was_noticed(view, give):
    none = RESPONSE.replace(b"(7)", b"-")
    give(key_conll=KEY, a_conll=RESPONSE, b_conll=RESPONSE, c_conll=none)
    app = run(view, a="c.conll")
    (expander,) = (e for e in app.expander if reads(e.label, "2 warnings"))
    assert expander.proto.expanded
    assert len(re.findall(r"c\.conll has no mentions", html(app))) == 1
    assert len(re.findall(r"key\.conll and a have the same", html(app))) == 1


@pytest.mark.parametrize("told, is_open", [(b"-", True), (b"(1)|(1)", False)])
def test_a_sign_that_a_file_is_the_other_is_shown_open(told, is_open, give):
    give(key_conll=KEY, a_conll=KEY.replace(b"-", told))
    (expander,) = (e for e in run(QUICK).expander if reads(e.label, "1 warning"))
    assert expander.proto.expanded is is_open


def test_a_page_with_examples_of_its_own_says_nothing_of_the_files(give):
    none = RESPONSE.replace(b"(7)", b"-")
    give(key_conll=KEY, a_conll=RESPONSE, c_conll=none)
    app = run("sandbox", a="c.conll")
    assert not any("warning" in expander.label for expander in app.expander)
    assert "c.conll" not in html(app)


def test_many_systems_shows_warnings_of_the_others(give):
    none = RESPONSE.replace(b"(7)", b"-")
    give(key_conll=KEY, a_conll=RESPONSE, b_conll=RESPONSE, c_conll=none)
    app = run("many")
    assert any(reads(e.label, "1 warning", "other") for e in app.expander)
    assert len(re.findall(r"c\.conll has no mentions", html(app))) == 1


def test_without_warnings_there_is_nothing_to_open():
    assert not any("warning" in expander.label for expander in page_of().expander)


def test_overview_shows_exact_scores_beside_those_of_another_matching():
    assert "matched by" not in html(page_of())
    app = page_of(match="head")
    for system in loaded_in(app).systems:
        assert says(app, system.title, "matched by head")
