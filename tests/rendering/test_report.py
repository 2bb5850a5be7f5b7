"""Tables as files, the score table in LaTeX, and the report that is one HTML file."""

import io
import json
import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from zipfile import ZipFile

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import expect

import corescore
from corescore.analysis.errors.classes import count_incorrectly_resolved
from corescore.analysis.errors.tables import removal_table
from corescore.analysis.long_documents import by_distance, by_size
from corescore.analysis.systems.comparability import System
from corescore.analysis.systems.effect import identification_effect
from corescore.analysis.systems.many import ranking
from corescore.analysis.systems.pair import Pair, evidence
from corescore.analysis.systems.runs import PairOverRuns
from corescore.cli.report import SECTIONS
from corescore.rendering.exhibits import Exhibit
from corescore.rendering.report import report, systems
from corescore.rendering.report.archive import archive
from corescore.rendering.scores import Report, as_latex
from corescore.rendering.tables import KINDS, file_name
from corescore.rendering.text import Table, latex, latex_table
from corescore.sentences.compare import QUESTIONS, conclusion
from corescore.sentences.many import moved
from corescore.sentences.runs import conclusion as runs_conclusion
from corescore.util import bundled
from corescore.wording import percent, signed
from tests.support.browser import watched
from tests.support.pages import reads
from tests.support.samples import first_files
from tests.support.shell import printed, refused
from tests.support.texts import NAME, WORDS

SIGNATURE = "corescore | of a test"
FRAME = pd.DataFrame(
    {
        "text": ["a|b", 'say "x", y', "ünï"],
        "fraction": [1 / 3, np.nan, 2 / 7],
        "number": [1, 2, 3],
        "spans": [(1, 2), (3, 4), (0, 9)],
    }
)
KEY, CAUTIOUS, GREEDY = (
    str(bundled("sample_data") / f"{name}.conll") for name in ("key", "cautious", "greedy")
)


def read_back(kind, content):
    """(signature, table) of what a file holds."""
    if kind == "csv":
        table = pd.read_csv(io.StringIO(content))
        return table["signature"][0], table
    if kind == "json":
        values = json.loads(content)
        return values["signature"], pd.DataFrame(values["rows"])
    table = pd.read_parquet(io.BytesIO(content))
    metadata = pq.read_schema(io.BytesIO(content)).metadata
    assert metadata[b"signature"].decode() == table.attrs["signature"]
    return table.attrs["signature"], table


# Tables -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.ending)
def test_a_table_comes_back_unrounded_and_with_its_signature(kind):
    signature, table = read_back(kind.ending, kind.write(FRAME, SIGNATURE))
    assert signature == SIGNATURE
    assert list(table["text"]) == list(FRAME["text"])
    np.testing.assert_array_equal(table["fraction"].astype(float), FRAME["fraction"])
    assert list(table["number"]) == [1, 2, 3]


TEXTS = st.text() | st.sampled_from(['"', "],\n  [", "\\n", "%s", "\u2028", "}, {"])
NUMBERS = st.integers() | st.floats() | st.booleans() | st.none()
NESTED = st.recursive(
    NUMBERS | TEXTS,
    lambda values: st.lists(values, max_size=3) | st.dictionaries(TEXTS, values, max_size=2),
    max_leaves=6,
)
COLUMNS = (TEXTS, NUMBERS, st.floats(), st.integers(-9, 9), st.tuples(TEXTS, NUMBERS), NESTED)


@given(st.data())
def test_json_is_what_the_json_module_writes_row_by_row(data):
    n = data.draw(st.integers(0, 4))
    names = data.draw(st.lists(TEXTS, min_size=1, max_size=4, unique=True))
    frame = pd.DataFrame(index=range(n))
    for name in names:
        values = st.lists(data.draw(st.sampled_from(COLUMNS)), min_size=n, max_size=n)
        frame[name] = pd.Series(data.draw(values), index=frame.index)
    plain = frame.astype(object).where(frame.notna(), None)
    values = {"signature": SIGNATURE, "rows": plain.to_dict(orient="records")}
    expected = json.dumps(values, ensure_ascii=False, indent=2) + "\n"
    assert Table(frame, signature=SIGNATURE).text("json") == expected


def test_a_column_of_several_kinds_of_values_is_text_in_parquet():
    frame = pd.DataFrame({"value": [1, "two", None]}, dtype=object)
    content = next(kind for kind in KINDS if kind.ending == "parquet").write(frame, SIGNATURE)
    _, table = read_back("parquet", content)
    assert list(table["value"][:2]) == ["1", "two"]
    assert table["value"].isna()[2]


def test_a_file_is_called_what_it_is_and_of_which_system():
    assert file_name("six metrics", "a/b: c") == "six-metrics-a-b-c"
    assert file_name("../..", "") == "corescore"
    assert len(file_name("m" * 5000)) < 255


# LaTeX --------------------------------------------------------------------------------------------

TOY_KEY = [{"a", "b", "c"}, {"d", "e", "f", "g"}]
A = corescore.score_entities(TOY_KEY, [{"a", "b"}, {"c", "d"}, {"f", "g", "h", "i"}])
B = corescore.score_entities(TOY_KEY, [{"a", "b", "c"}, {"d", "e"}, {"f", "g"}])


def test_latex_sets_no_score_bold_as_none_is_tested_and_names_the_policies():
    text = as_latex(Report("key", {"a_1.txt": A, "b&2.txt": B}))
    lines = text.splitlines()
    muc = next(line for line in lines if line.startswith("MUC "))
    cells = muc.removesuffix(r" \\").split(" & ")
    best = B["muc"]  # 3/5, 3/3 against 2/5, 2/5
    assert cells[1:4] == ["40.00"] * 3
    scores = best.recall, best.precision, best.f1
    assert cells[4:] == [f"{100 * value:.2f}" for value in scores]
    assert "no difference is tested" in text
    assert r" & \multicolumn{3}{c}{a\_1} & \multicolumn{3}{c}{b\&2} \\" in lines
    assert latex(A.signature) in text
    for rule in ("top", "mid", "bottom"):
        assert text.count(rf"\{rule}rule") == 1


def test_latex_prints_metrics_and_text_as_they_are_meant():
    assert latex("CEAFₘ") == "CEAF$_m$"
    assert latex("B³") == "B$^3$"
    assert latex("χ²") == r"$\chi$$^2$"
    assert latex("50% of {x} & \\y_1\n#2 $3") == (r"50\% of \{x\} \& \textbackslash{}y\_1 \#2 \$3")


@pytest.mark.parametrize("name", ["[bc/cctv] 1", "*"])
def test_no_row_of_latex_begins_as_an_option_of_the_line_before(name):
    text = latex_table(["", "F1"], [["a", "1"], [name, "2"]], note="")
    assert f"\n{{}}{name} & 2" in text


@given(st.text())
def test_no_text_can_end_a_cell_or_begin_a_command_in_latex(text):
    left = latex(text)
    for known in (r"\&", r"\%", r"\$", r"\#", r"\_", r"\{", r"\}", r"$^3$", "$-$", "$+$"):
        left = left.replace(known, "")
    left = left.replace("$_m$", "").replace("$_e$", "").replace(r"$\times$", "")
    left = left.replace("$^2$", "").replace(r"$\chi$", "").replace(r"$\pm$", "")
    for word in ("textbackslash", "textasciitilde", "textasciicircum", "textless", "ldots"):
        left = left.replace(rf"\{word}{{}}", "")
    left = left.replace(r"\textgreater{}", "").replace(r"\textbar{}", "")
    assert not set(left) & set("\\&%$#_{}~^\n\r")


def test_the_command_line_writes_parquet(tmp_path):
    path = tmp_path / "scores.parquet"
    printed(f"score {KEY} {CAUTIOUS} --format parquet --out {path}")
    result = corescore.score(corescore.read(KEY), corescore.read(CAUTIOUS))
    signature, table = read_back("parquet", path.read_bytes())
    assert signature == result.signature
    assert table.set_index("metric").loc["lea", "f1"] == result["lea"].f1


def test_a_name_is_no_html_in_markdown(tmp_path):
    key, response = "key <img src=x>.conll", "<script>1<script>.conll"
    shutil.copy(KEY, tmp_path / key)
    shutil.copy(GREEDY, tmp_path / response)
    files = " ".join(f"'{tmp_path / name}'" for name in (key, response))
    said = printed(f"score {files} {KEY} --metrics muc --format markdown")
    assert "<" not in said
    assert "&lt;script&gt;1&lt;script&gt;" in said


def test_a_bar_in_a_name_ends_no_cell_in_markdown():
    frame = FRAME.drop(columns="spans")
    lines = Table(frame, signature=SIGNATURE).text("markdown").splitlines()
    rows = [line.replace("\\|", "") for line in lines if line.startswith("|")]
    assert {line.count("|") for line in rows} == {len(frame.columns) + 1}


# The report ---------------------------------------------------------------------------------------


class Tags(HTMLParser):
    """The elements of a document, their attributes, and its text outside scripts and styles."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.text = [], ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        if self.elements[-1:] and self.elements[-1][0] not in ("script", "style"):
            self.text += data


def subject_of(key, **responses):
    systems = tuple(
        System(letter, name, corescore.score(key, response))
        for letter, (name, response) in zip("ABC", responses.items(), strict=False)
    )
    return report.Subject("key", key, systems)


def made(subject, *names):
    return report.make(subject, report.choose_sections(names, subject), date="2026-03-01")


OF_TWO = [name for name in SECTIONS if name != "effect"]


@pytest.fixture(scope="module")
def sample():
    """Some documents of the sample."""
    names = ("key", "cautious", "greedy")
    key, a, b = (corescore.read(first_files(6) / f"{name}.conll") for name in names)
    return subject_of(key, cautious=a, greedy=b)


@pytest.fixture(scope="module")
def three(sample):
    gold = System("C", "gold", corescore.score(sample.key, sample.key))
    return replace(sample, systems=(*sample.systems, gold))


@pytest.fixture(scope="module")
def full_sample():
    key, a, b = (corescore.read(path) for path in (KEY, CAUTIOUS, GREEDY))
    return subject_of(key, cautious=a, greedy=b)


@pytest.fixture(scope="module")
def whole(full_sample):
    """A report of all sections but the one that takes three responses."""
    return made(full_sample, *OF_TWO)


@pytest.fixture(scope="module")
def hostile():
    spans = [(at, at + 1) for at in range(len(WORDS))]
    key, response = (
        corescore.Corpus((corescore.Document.of_entities(NAME, entities, words=WORDS),))
        for entities in ([spans[:4], spans[4:7]], [spans[:2], spans[2:6], spans[7:9]])
    )
    return subject_of(key, **{"<img src=x onerror=alert(1)>": response, "</script>": key})


@pytest.mark.slow
def test_the_report_names_versions_date_and_policies_and_is_under_six_megabytes(whole, full_sample):
    text = Tags(whole).text
    for said in ("cautious", "greedy", "against key", full_sample.signature, "2026-03-01"):
        assert said in text
    for module in (corescore, np, scipy):
        assert module.__version__ in text
    assert len(whole.encode()) < 6_000_000


@pytest.mark.slow
def test_the_report_writes_percent_without_a_blank_and_large_numbers_with_a_comma(whole):
    unusual = re.compile(r".{0,30}(?:(?<!F)\d[ \u00a0]%|(?<![#.,/\w])[1-9]\d{4,}(?![.\w])).{0,12}")
    cells_apart = whole.replace("<t", " <t")  # else the numbers of two cells were one
    assert unusual.findall(Tags(cells_apart).text) == []


@pytest.mark.slow
def test_the_report_names_nothing_that_could_be_fetched(whole):
    elements = Tags(whole).elements
    links = [a[name] for _, a in elements for name in ("src", "href", "action") if name in a]
    assert links
    assert all(link.startswith("#") for link in links)
    assert {tag for tag, _ in elements}.isdisjoint({"link", "img", "iframe", "object", "form"})
    policy = next(a["content"] for tag, a in elements if tag == "meta" and "content" in a)
    assert policy.startswith("default-src 'none'")


@pytest.mark.long
@pytest.mark.slow
def test_every_table_and_chart_of_the_report_is_signed(whole):
    elements = [(tag, a.get("class", "")) for tag, a in Tags(whole).elements]
    signed = True
    for tag, style in elements:
        if style == "chart" or tag == "table":
            signed = False
        if style == "signature":
            signed = True
        if tag == "section" and style == "":
            assert signed
    assert signed


def test_documents_end_with_how_much_of_the_scores_is_local(sample):
    page = Tags(made(sample, "documents"))
    _, _, text = page.text.partition("How much of the score is local?")
    for system in sample.systems:
        whole = percent(system.result["lea"].f1)
        assert f"{system.title}: LEA F1 is " in text
        assert f"and {whole}% over whole texts" in text
        for by in by_distance, by_size:
            share = by(system.result).set_index("metric")["share"]["lea"].dropna().iloc[-1]
            said = text.split(f"{system.title}: ")[1:]
            assert any(f" {percent(share)}%." in of[:150] for of in said)
    n_charts = 1 + 1 + 2 * len(sample.systems)
    assert sum(a.get("class") == "chart" for _, a in page.elements) == n_charts


def test_hostile_names_and_words_are_text_in_the_report(hostile):
    of_hostile = Tags(made(hostile, "overview", "documents", "errors", "credit", "comparison"))
    scripts = [a for tag, a in of_hostile.elements if tag == "script"]
    assert [a.get("type") for a in scripts] == ["application/json", "text/plain", None]
    assert not [tag for tag, _ in of_hostile.elements if tag in ("img", "i")]
    assert not [name for _, a in of_hostile.elements for name in a if name.startswith("on")]
    assert "<img src=x onerror=alert(1)>" in of_hostile.text
    for word in WORDS:
        assert of_hostile.text.count(word) >= 6


@pytest.mark.slow
def test_the_same_subject_gives_the_same_file(hostile):
    names = ("overview", "credit")
    assert made(hostile, *names) == made(hostile, *names)
    assert archive(hostile) == archive(hostile)


def test_the_passage_stands_six_times_with_the_share_of_each_mention(sample):
    document = sample.key.documents[0].name
    one = report.Subject("key", sample.key, sample.systems[:1], (document,))
    elements = Tags(made(one, "credit")).elements
    panels = [a for _, a in elements if a.get("class") == "panel"]
    titles = [a["title"] for tag, a in elements if tag == "span" and "title" in a]
    assert len(panels) == 6
    assert len(titles) % 6 == 0
    assert any(title.startswith("0.00%, incorrectly resolved") for title in titles)


def test_singletons_in_the_key_are_told_beside_the_incorrectly_resolved(sample):
    number, singletons = count_incorrectly_resolved(sample.systems[0].result.comparison)
    assert number > singletons > 0
    errors = made(sample, "errors")
    row = errors.split("wrong partners only")[1].split("</tr>")[0]
    assert reads(row, number, "of which", singletons)
    removed = errors.split("Without the incorrectly resolved mentions of A")[1]
    assert reads(removed, number, "of which", singletons, "singletons in the key")
    linked = removal_table(sample.systems[0].result, incorrect="linked")
    assert "opposite sign" in removed
    change = signed(linked.loc["bcub", "recall_change"])
    assert change in removed.split("link in the key</caption>")[1]


def test_all_sections_that_apply_but_experiments_are_told_unless_some_are_named(sample, three):
    alone = report.Subject("key", sample.key, sample.systems[:1])
    default = ["overview", "documents", "errors", "credit", "comparison"]
    named = [*default, "experiments"]
    for names, subject, chosen in (
        ((), sample, default),
        ((), alone, default[:-1]),
        (named, sample, named),
        (SECTIONS, three, list(SECTIONS)),
    ):
        assert [section.id for section in report.choose_sections(names, subject)] == chosen
    with pytest.raises(corescore.PolicyError, match="section 'effect' takes three responses"):
        report.choose_sections(("effect",), sample)
    assert [s.id for s in report.choose_sections(("errors", "overview"), alone)] == [
        "overview",
        "errors",
    ]


def test_toys_with_names_that_only_one_side_has_are_told(tmp_path):
    texts = {"key": "{abc}{defg}", "a": "{ab}{cd}{fghi}", "b": "{abc}{de}{fg}"}
    for name, text in texts.items():
        (tmp_path / name).write_text(f"# toy\n{text}\n")
    key, a, b = (corescore.read(tmp_path / name) for name in texts)
    elements = Tags(made(subject_of(key, a=a, b=b), "credit")).elements
    mentions = [a for tag, a in elements if tag == "span" and "title" in a]
    assert len(mentions) == 2 * 6 * len("abcdefg")


# The first page -----------------------------------------------------------------------------------


def parts_of(html):
    """(the text of the first page, that of the sections), no-break spaces as spaces."""
    front, sections = html.replace("\u00a0", " ").split("<main>")
    return Tags(front).text, Tags(sections).text


def test_the_first_page_of_one_system_has_its_scores_method_and_caveats(sample):
    alone = report.Subject("key", sample.key, sample.systems[:1])
    front, sections = parts_of(made(alone, "documents"))
    score = alone.systems[0].result["lea"]
    of_lea = "".join(f"{100 * value:.2f}" for value in (score.recall, score.precision, score.f1))
    assert f"LEA{of_lea}" in front
    ends = alone.intervals["A"].table.query("metric == 'lea' and measure == 'f1'").iloc[0]
    assert f"{100 * ends['t_low']:.2f}–{100 * ends['t_high']:.2f}" in front
    order = [
        "A (cautious) lowest",
        "recall %",
        alone.signature,
        "Method",
        "Mentions match",
        "Caveats",
    ]
    assert [front.index(said) for said in order] == sorted(front.index(said) for said in order)
    assert "two best" not in sections


def test_the_first_page_of_two_systems_argues_and_links_to_its_evidence(sample):
    html = made(sample, "comparison")
    front, sections = parts_of(html)
    said = conclusion(sample.evidence, sample.titles)
    order = [
        said,
        *QUESTIONS,
        "difference95% interval",
        sample.pair.signature,
        "Method",
        "Caveats",
    ]
    assert [front.index(one) for one in order] == sorted(front.index(one) for one in order)
    assert said in sections
    assert "Comparable?" not in sections
    assert sections.index("For a paper: We compare") < sections.index("Under each metric")
    links = [a["href"] for tag, a in Tags(html).elements if tag == "a"]
    assert links == ["#comparison"]  # nothing leads to the errors, which are not in this report


@pytest.mark.slow
def test_three_systems_are_ranked_and_keep_the_letters_of_their_order(three):
    """The best is named last: the sections are about A and B, the first page ranks all."""
    html = made(three, "documents", "comparison")
    front, sections = parts_of(html)
    ranks = ranking({s.title: s.result for s in three.systems}).table.query("metric == 'conll'")
    rows = [f"{r.response}{100 * r.score:.2f}{r.rank}" for r in ranks.itertuples()]
    assert [front.index(row) for row in rows] == sorted(front.index(row) for row in rows)
    assert "Of 3 responses, C (gold) is first by all six" in front
    assert "mentions given to C?" in front[front.index("Caveats") :]
    first, best, gold = three.systems
    assert best.result["conll"].f1 > first.result["conll"].f1
    two = evidence(Pair(gold.result, best.result), "conll", letters=("C", "B"))
    assert conclusion(two, {"A": gold.title, "B": best.title}) in front
    assert sections.count(f"{first.title} and {best.title}.") == 2
    assert "Comparable?" in sections
    assert gold.title not in sections


def test_the_effect_of_incorrectly_resolved_mentions_is_about_all_systems(three):
    blocks = [*systems.effect(three)]
    found = identification_effect({system.title: system.result for system in three.systems})
    assert moved(found) in Tags(blocks[0]).text.replace("\u00a0", " ")
    (drawing,) = (block for block in blocks if isinstance(block, Exhibit))
    assert len(drawing.draw().data) == 3 * 7
    table = Tags(blocks[-1]).text
    assert all(system.title in table for system in three.systems)


@pytest.mark.slow
def test_the_primary_metric_ranks_systems_and_is_tested(sample, three):
    by = "lea"
    front, sections = parts_of(made(replace(sample, primary=by), "comparison"))
    said = conclusion(evidence(sample.pair, by), sample.titles)
    assert "LEA F1" in said
    assert said in front
    assert said in sections
    front, _ = parts_of(made(replace(three, primary=by), "documents"))
    assert "ranks by LEA" in front
    assert "by CoNLL" not in front


@pytest.mark.slow
def test_runs_of_two_systems_are_told_over_all(sample):
    names = ("a.run1.conll", "a.run2.conll", "b.run1.conll")
    first, second = (system.result for system in sample.systems)
    runs = [System(*one) for one in zip("ABC", names, (first, second, second), strict=True)]
    front, _ = parts_of(made(replace(sample, systems=tuple(runs)), "documents"))
    pair = PairOverRuns([first, second], [second])
    assert runs_conclusion(pair, "conll", "f1", {"A": "a", "B": "b"}) in front
    assert re.search(r"\d ± \d", front)
    assert all(said in front for said in ("a2 runs", "b1 run"))
    assert "Only 2 runs of a: with fewer" in front[front.index("Caveats") :]
    assert "over runs" not in parts_of(made(sample, "documents"))[0]


def test_caveats_beyond_the_first_few_are_folded(sample, monkeypatch):
    warnings = [f"key.conll:{line}: odd" for line in range(1, 9)]
    monkeypatch.setattr(report.Subject, "warnings", warnings)
    alone = report.Subject("key", sample.key, sample.systems[:1])
    html = made(alone, "credit")
    shown, folded = html.split("<main>")[0].split("<details>")
    assert [line in Tags(shown).text for line in warnings] == [True] * 5 + [False] * 3
    assert [line in Tags(folded).text for line in warnings] == [False] * 5 + [True] * 3
    assert "3 more" in Tags(folded).text


def test_a_report_too_large_is_refused(sample, monkeypatch):
    monkeypatch.setattr(report, "MOST_BYTES", 1000)
    with pytest.raises(corescore.PolicyError, match=r"2\.\d MB; expected 6 at most"):
        made(sample, "documents")


@pytest.mark.slow
def test_the_archive_has_every_table_in_every_kind_of_file(sample):
    with ZipFile(io.BytesIO(archive(sample))) as zipped:
        names = zipped.namelist()
        scores = zipped.read("csv/scores.csv").decode()
    by_kind = {
        k.ending: {n.split("/")[1].split(".")[0] for n in names if n.startswith(k.ending)}
        for k in KINDS
    }
    assert by_kind["csv"] == by_kind["json"] == by_kind["parquet"]
    assert {"scores", "counts", "comparison", "errors-A-cautious"} <= by_kind["csv"]
    assert {"scores.tex", "scores.md"} <= set(names)
    table = read_back("csv", scores)[1].query("response == 'greedy' and document.isna()")
    assert table.set_index("metric").loc["muc", "f1"] == sample.systems[1].result["muc"].f1


# The command --------------------------------------------------------------------------------------


def test_the_command_writes_the_report_of_its_date(tmp_path):
    path = tmp_path / "report.html"
    call = f"report {KEY} {GREEDY} --out {path} --date 2026-01-02"
    printed(f"{call} --sections overview --singletons drop")
    text = Tags(path.read_text()).text
    assert "2026-01-02" in text
    assert "singletons drop" in text
    assert "against key" in text


@pytest.mark.parametrize(
    "arguments, message",
    [
        ("--sections overview,poetry", "section is 'poetry'; expected one of: overview"),
        ("--sections comparison", "takes two responses"),
        ("--document nowhere", "document is 'nowhere'; expected one of: "),
        ("--sections documents --out no/such/report.html", "cannot be written"),
        (CAUTIOUS, "expected each response once"),
    ],
)
def test_what_cannot_be_reported_is_said_in_one_line(tmp_path, arguments, message):
    error = refused(f"report --out {tmp_path / 'report.html'} {KEY} {CAUTIOUS} {arguments}")
    assert message in error
    assert len(error.splitlines()) == 1


# In a browser -------------------------------------------------------------------------------------


# The widths of a chart and of the room it has.
WIDTHS = "all => all.map((c) => [c.querySelector('.main-svg').clientWidth, c.clientWidth])"


def test_the_report_opens_from_disk_with_the_network_off(stranger, whole, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(whole)
    with watched(stranger, path.as_uri()) as page:
        page.context.set_offline(True)
        open_folds = page.locator("details[open] > summary")
        page.goto(f"{path.as_uri()}#documents")
        expect(open_folds).to_have_text([re.compile("does it go wrong")])
        page.goto("about:blank")
        page.goto(path.as_uri())
        page.wait_for_function("globalThis.Plotly")
        assert page.locator("section > details").count() == len(OF_TWO)
        assert page.locator(".chart .main-svg").count() == 0
        page.get_by_role("link", name="Why?").click()
        expect(open_folds).to_have_text([re.compile("be fixed first")])
        expect(page.locator("details[open] .chart .main-svg").first).to_be_visible()
        page.locator("details:not([open]) > summary").evaluate_all(
            "all => all.forEach((summary) => summary.click())"
        )
        n_charts = page.locator(".chart").count()
        expect(page.locator(".chart:has(.main-svg)")).to_have_count(n_charts)
        assert n_charts > 20
        widths = page.locator(".chart").evaluate_all(WIDTHS)
        assert all(svg == room > 700 for svg, room in widths), widths
        wide, fits = page.evaluate("[document.body.scrollWidth, document.body.clientWidth]")
        assert wide <= fits
        page.locator("#chart-1").hover()
        with page.expect_download() as download:
            page.locator("#chart-1 .modebar-btn").click()
        assert download.value.suggested_filename == "six-metrics.svg"
        assert download.value.path().read_text().startswith("<svg")
        summaries = page.locator("details > summary")
        summaries.evaluate_all("all => all.slice(1).forEach((summary) => summary.click())")
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        assert page.locator("details:not([open])").count() == 0
        printed = page.locator(".chart").evaluate_all(WIDTHS)
        assert [svg for svg, _ in printed] == [700] * n_charts
        page.evaluate("window.dispatchEvent(new Event('afterprint'))")
        assert open_folds.count() == 1
