"""`corescore data-sets` and `corescore disagree`."""

import csv
import io
import json
import re
import shutil
from functools import cache

import numpy as np
import pytest

from corescore import preset, read, score
from corescore.analysis.systems.data_sets import DataSets
from corescore.sentences.many import leader
from tests.support.samples import first_files
from tests.support.shell import made, printed, refused, run

# `corescore data-sets`: a folder of data sets, what it prints of them, and what it ----------------

KEY, CAUTIOUS, GREEDY, HEADS = (
    first_files(3) / f"{name}.conll" for name in ("key", "cautious", "greedy", "heads")
)
# Which file each system gave for each data set: `a` leads all, `c` is last but on the last.
GIVEN = {
    "books": {"a": KEY, "b": GREEDY, "c": HEADS},
    "news": {"a": KEY, "b": CAUTIOUS, "c": HEADS},
    "talk": {"a": GREEDY, "b": CAUTIOUS, "c": HEADS},
    "web": {"a": KEY, "b": HEADS, "c": GREEDY},
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    place = tmp_path / "evaluation"
    for data_set, systems in GIVEN.items():
        (place / data_set).mkdir(parents=True)
        for name, file in {"key": KEY, **systems}.items():
            shutil.copy(file, place / data_set / f"{name}.conll")
    monkeypatch.chdir(tmp_path)
    return place


@cache
def scores_of_files(**policies):
    key = read(KEY)
    every = (KEY, CAUTIOUS, GREEDY, HEADS)
    return {path: score(key, read(path), **policies)["conll"].f1 for path in every}


DATA_SETS = "data-sets evaluation"


def retold(path, word):
    """A file in CoNLL with another word in place of each, and other document names."""
    lines = path.read_text().splitlines()
    for at, line in enumerate(lines):
        cells = line.split("\t")
        if line.startswith("#begin"):
            lines[at] = line.replace("(", f"({word}")
        elif len(cells) > 4:
            lines[at] = "\t".join([word + cells[0], *cells[1:3], word + cells[3], *cells[4:]])
    path.write_text("\n".join(lines) + "\n")


def test_data_sets_with_the_same_texts_are_told(folder):
    for data_set in ("talk", "web"):
        for path in (folder / data_set).iterdir():
            retold(path, data_set)
    err = run(DATA_SETS).err
    assert "books and news share texts (the same words in 3 and the same names of 3" in err
    assert err.count("share texts") == 1


def test_the_headline_names_both_winners_where_the_two_means_disagree():
    scores = np.array([[0.9, 0.5, 0.5], [0.6, 0.6, 0.6]])
    found = DataSets("conll", "f1", ("steady", "even"), ("x", "y", "z"), scores)
    said = leader(found)
    assert said.startswith("steady has the highest")
    assert "even has the best mean rank, 1.33 against 1.67" in said
    same = DataSets("conll", "f1", ("a", "b"), ("x", "y"), np.array([[0.9, 0.9], [0.6, 0.6]]))
    assert "rank" not in leader(same)


def test_the_table_has_each_data_set_their_mean_and_the_mean_rank(folder):
    conll = scores_of_files()
    lines = printed(DATA_SETS).splitlines()
    assert lines[0].split() == ["system", *GIVEN, "macro", "mean", "rank"]
    ranks = {"a": "1.00", "b": "2.25", "c": "2.75"}
    for line, system in zip(lines[2:5], "abc", strict=True):
        own = [conll[systems[system]] for systems in GIVEN.values()]
        scores = [f"{100 * value:.2f}" for value in (*own, sum(own) / 4)]
        assert line.split() == [system, *scores, ranks[system]]


def test_the_notes_say_what_is_tested_and_found(folder):
    notes = printed(DATA_SETS)
    assert "CoNLL: F1 in percent. Macro: the mean over 4 data sets, each alike." in notes
    # 12·4 / (3·4) · ((1 − 2)² + (2.25 − 2)² + (2.75 − 2)²)
    assert "χ² = 6.50, p = 0.042: the systems are not all ranked alike" in notes
    # (3!)³ orders; where all data sets agree, one in 216
    assert "all 216 orders of the systems are counted" in notes
    assert "be below 0.00463." in notes
    assert "0.05): 1.66." in notes  # 2.343·√(3·4 / 24)
    assert "within: a and b; b and c. Any other two systems differ." in notes
    n_documents = 4 * len(read(KEY).documents)
    assert notes.endswith(
        f"micro within each of 4 data sets | {n_documents} documents | conll f1\n"
    )


def test_files_have_fractions_and_a_row_for_each_system_and_data_set(folder):
    conll = scores_of_files()
    rows = list(csv.DictReader(io.StringIO(printed(f"{DATA_SETS} --format csv"))))
    found = {(row["data_set"], row["system"]): float(row["score"]) for row in rows}
    assert found == {
        (of, s): conll[path] for of, given in GIVEN.items() for s, path in given.items()
    }
    assert [row["rank"] for row in rows if row["system"] == "b"] == ["2.0", "2.0", "2.0", "3.0"]
    whole = made(DATA_SETS)
    assert whole["friedman"]["chi_square"] == pytest.approx(6.5)
    pairs = {(of["system_a"], of["system_b"]): of["p"] < whole["alpha"] for of in whole["pairs"]}
    assert pairs == {("a", "b"): False, ("a", "c"): True, ("b", "c"): False}
    assert whole["groups"] == [["a", "b"], ["b", "c"]]
    assert [float(row["macro"]) for row in rows] == [row["macro"] for row in whole["rows"]]


def test_the_table_for_a_paper_prints_in_plain_latex(folder):
    out = printed(f"{DATA_SETS} --format latex")
    assert r"$\chi$$^2$ = 6.50" in out
    assert "system & books & news & talk & web & macro & mean rank" in out


def test_the_page_has_conclusion_tables_and_diagram_and_loads_nothing(folder, tmp_path):
    page = tmp_path / "page.html"
    printed(f"{DATA_SETS} --format html --out {page}")
    text = page.read_text("utf-8")
    assert "better ranked: a than c." in text
    assert "highest mean CoNLL F1 over 4 data sets" in text
    assert re.search(r"best score .*\b4 of 4\.", text)
    assert "Mean ranks of 3 systems over 4 data sets" in text
    assert text.count('class="chart"') == 1
    assert "Friedman&#39;s test over 4 data sets" in text
    assert "http-equiv" in text
    assert not re.search(r"(src|href)=\"(?!#)", text)


def test_a_page_on_too_few_data_sets_concludes_nothing_and_draws_nothing(folder):
    for name in ("news", "talk", "web"):
        shutil.rmtree(folder / name)
    text = printed(f"{DATA_SETS} --format html")
    assert "You cannot conclude" in text
    assert 'class="chart"' not in text


SETTINGS = {
    "head match": {},
    "partial match": {"match": "partial"},
    "exact match": {"match": "exact"},
    "with singletons": {"singletons": "keep"},
}


def test_the_table_of_a_shared_task_has_averages_over_data_sets_by_its_settings(folder):
    lines = printed(f"{DATA_SETS} --as crac2025").splitlines()
    assert lines[0].split("  ")[0] == " system"
    of_setting = {
        setting: scores_of_files(**preset("corefud", **own)) for setting, own in SETTINGS.items()
    }
    expected = {}
    for system in "abc":
        for setting in SETTINGS:
            scores = [of_setting[setting][given[system]] for given in GIVEN.values()]
            expected[system, setting] = sum(scores) / len(scores)
    order = sorted("abc", key=lambda system: -expected[system, "head match"])
    assert [line.split() for line in lines[2:5]] == [
        [system, *(f"{100 * expected[system, one]:.2f}" for one in SETTINGS)] for system in order
    ]
    rows = made(f"{DATA_SETS} --as crac2024")["rows"]
    found = {(row["system"], row["setting"]): row["macro"] for row in rows}
    assert found == pytest.approx(expected)
    assert len(rows) == 3 * 4 * 4


@pytest.mark.parametrize(
    "more, said",
    [
        ("--match exact", "--match is given with --as crac2025, which has settings of its own"),
        ("--metric lea", "averages the F1 of CoNLL; expected no --metric, --measure"),
    ],
)
def test_a_shared_task_has_its_own_settings(folder, more, said):
    assert said in refused(f"{DATA_SETS} --as crac2025 {more}")


def test_what_is_no_response_is_left_out_of_a_data_set(folder):
    (folder / "books" / "metrics.json").write_text('{"f1": 0.5}')
    (folder / "README.md").write_text("The data sets of May.")
    answer = run(DATA_SETS)
    assert answer.code == 0
    assert [line.rpartition(": ")[2] for line in answer.err.splitlines()][:2] == [
        "README.md",
        "metrics.json",
    ]


def test_metric_measure_and_policies_are_those_asked_for(folder):
    for option, policies in (("", {}), ("--singletons drop", {"singletons": "drop"})):
        whole = made(f"{DATA_SETS} {option} --metric lea --measure recall")
        row = next(r for r in whole["rows"] if (r["system"], r["data_set"]) == ("c", "web"))
        assert row["score"] == score(read(KEY), read(GREEDY), **policies)["lea"].recall


def test_keys_and_responses_may_be_folders_and_packed_files(folder):
    (folder / "books" / "key.conll").unlink()
    for name, file in {"key": KEY, **GIVEN["books"]}.items():
        (folder / "books" / f"{name}.conll").unlink(missing_ok=True)
        (folder / "books" / name).mkdir()
        shutil.copy(file, folder / "books" / name / "text.conll")
    for name in ("key", "b"):
        shutil.make_archive(str(folder / "web" / name), "zip", folder / "web", f"{name}.conll")
        (folder / "web" / f"{name}.conll").unlink()
    (folder / "web" / ".DS_Store").write_text("nothing to read")
    (folder / "web" / "a.conll").rename(folder / "web" / "a.v1.conll")
    for name in ("books", "news", "talk"):
        place = folder / name
        a = place / ("a" if (place / "a").is_dir() else "a.conll")
        a.rename(place / a.name.replace("a", "a.v1", 1))
    lines = printed(DATA_SETS).splitlines()
    assert [line.split()[0] for line in lines[2:5]] == ["a.v1", "b", "c"]
    assert lines[2].split()[-1] == "1.00"


def test_one_data_set_is_not_tested(folder):
    for name in ("news", "talk", "web"):
        shutil.rmtree(folder / name)
    assert "Nothing is tested: Friedman's test needs at least three systems" in printed(DATA_SETS)
    whole = made(DATA_SETS)
    assert whole["friedman"] == {"chi_square": None, "p": None}
    assert (whole["critical_difference"], whole["groups"]) == (None, [])


def test_too_few_data_sets_for_any_two_to_differ_are_said(folder):
    for name in ("talk", "web"):
        shutil.rmtree(folder / name)
    assert "lie at most 2 apart: with so few data sets no two differ" in printed(DATA_SETS)
    assert "cannot be below 0.167. With so few, p cannot fall below 0.05" in printed(DATA_SETS)
    assert made(DATA_SETS)["orders"]["n"] == 6


def test_a_system_that_lacks_a_data_set_is_refused_by_name_or_left_out(folder):
    (folder / "news" / "b.conll").unlink()
    (folder / "web" / "b.conll").unlink()
    message = refused(DATA_SETS)
    for name in ("news", "web"):
        assert f"{name}: no response of b" in message
    answer = run(f"{DATA_SETS} --missing-systems skip")
    assert [line.split()[0] for line in answer.out.splitlines()[2:4]] == ["a", "c"]
    assert "evaluation/news has no response of b: left out of all data sets" in answer.err
    for name in "ac":
        (folder / "talk" / f"{name}.conll").unlink()
    assert "no such system" in refused(f"{DATA_SETS} --missing-systems skip")


def rename_key(folder):
    (folder / "news" / "key.conll").rename(folder / "news" / "gold.conll")


def second_key(folder):
    shutil.copy(KEY, folder / "news" / "key.txt")


def second_response(folder):
    shutil.copy(KEY, folder / "news" / "b.txt")


def file_beside(folder):
    (folder / "notes.txt").write_text("mine")


def no_response(folder):
    for name in "abc":
        (folder / "news" / f"{name}.conll").unlink()


def key_alone_a_folder(folder):
    (folder / "news" / "key.conll").unlink()
    (folder / "news" / "key").mkdir()
    shutil.copy(KEY, folder / "news" / "key")


def damaged_rows(folder):
    path = folder / "news" / "b.conll"
    before, _, after = path.read_text("utf-8").rpartition("(")
    path.write_text(before + after, "utf-8")
    shutil.copy(path, folder / "web")


@pytest.mark.parametrize(
    "change, messages",
    [
        (rename_key, ["news: no key; expected one. Name the key 'key'"]),
        (second_key, ["news: 2 keys (key.conll, key.txt); expected one."]),
        (second_response, ["news: 2 responses of b (b.conll, b.txt); expected one of each system"]),
        (file_beside, ["notes.txt: a file next to data sets; expected folders alone"]),
        (no_response, ["news: no response; expected one of each system next to the key"]),
        (key_alone_a_folder, ["a.conll: a file; expected"]),
        (damaged_rows, ["news/b.conll:", "web/b.conll:"]),
        (shutil.rmtree, ["evaluation: no such folder"]),
    ],
)
def test_what_is_no_folder_of_data_sets_is_refused(change, messages, folder):
    change(folder)
    said = refused(DATA_SETS)
    assert all(message in said for message in messages)


@pytest.mark.usefixtures("folder")
def test_a_single_data_set_is_no_folder_of_data_sets():
    for place in ("news", "news/key.conll"):
        said = refused(f"{DATA_SETS}/{place}")
        assert "expected a folder with a folder for each data set" in said


@pytest.mark.parametrize(
    "words, message",
    [
        ("--measure recall", "measure of conll is 'recall'; expected one of: f1"),
        ("--as perl --metric lea", "metric is 'lea'; expected one of: muc, bcub"),
        ("--as scorch", "--as scorch averages over documents"),
    ],
)
def test_what_the_scorer_or_metric_lacks_is_refused(words, message, folder):
    assert message in refused(f"{DATA_SETS} {words}")


def test_a_data_set_is_no_place_for_the_output(folder):
    message = refused(f"{DATA_SETS} --out evaluation/news/key.conll --force")
    assert "an input file, which is never overwritten" in message
    assert (folder / "news" / "key.conll").read_bytes() == KEY.read_bytes()


def drop_first_document(path):
    _, end, rest = path.read_text("utf-8").partition("#end document\n")
    assert end
    path.write_text(rest, "utf-8")


def test_systems_are_compared_over_the_documents_that_all_have(folder):
    path = folder / "talk" / "b.conll"
    drop_first_document(path)
    answer = run(f"{DATA_SETS} --missing-documents skip --metric lea --format json")
    row = next(
        r for r in json.loads(answer.out)["rows"] if (r["system"], r["data_set"]) == ("a", "talk")
    )
    shorter = score(read(path), read(GREEDY), missing_documents="skip").documents
    assert len(shorter) == len(read(KEY).documents) - 1
    whole = score(read(KEY), read(GREEDY))
    at = [whole.documents.index(name) for name in shorter]
    assert row["score"] == whole.tally.rows(np.array(at))["lea"].f1 != whole["lea"].f1
    assert "evaluation/talk/a.conll is scored without" in answer.err


def save_tallies(folder, data_sets=tuple(GIVEN), options=""):
    """Tallies take the place of responses, each beside its key."""
    for name in data_sets:
        for system in "abc":
            call = f"score {folder}/{name}/key.conll {folder}/{name}/{system}.conll {options}"
            printed(f"{call} --save-tally {folder}/{name}/{system}.parquet")
            (folder / name / f"{system}.conll").unlink()


@pytest.mark.slow
def test_tallies_need_no_key_and_give_the_same(folder):
    before = made(DATA_SETS)
    save_tallies(folder)
    assert made(DATA_SETS) == before
    for name in GIVEN:
        (folder / name / "key.conll").unlink()
    assert made(DATA_SETS) == before


@pytest.mark.slow
def test_tallies_stand_beside_responses(folder):
    before = made(DATA_SETS)
    save_tallies(folder, ("news", "web"))
    shutil.copy(KEY, folder / "web" / "a.conll")
    (folder / "web" / "a.parquet").unlink()
    assert made(DATA_SETS) == before


def test_tallies_that_do_not_go_with_the_key_or_the_policies_are_refused(folder):
    save_tallies(folder, ("news",))
    assert "news/a.parquet was counted under keep" in refused(f"{DATA_SETS} --singletons drop")
    assert "--as is perl, but" in refused(f"{DATA_SETS} --as perl")
    key = folder / "news" / "key.conll"
    drop_first_document(key)
    assert "over different keys" in refused(DATA_SETS)
    key.unlink()
    (folder / "news" / "b.parquet").rename(folder / "news" / "key.parquet")
    assert "key.parquet: a tally as the key; expected the key's own text" in refused(DATA_SETS)


def test_tallies_of_unlike_policies_are_refused(folder):
    save_tallies(folder, ("news",), "--singletons drop")
    (folder / "news" / "key.conll").unlink()
    save_tallies(folder, ("books",))
    for name in ("talk", "web"):
        shutil.rmtree(folder / name)
    assert "singletons drop" in refused(DATA_SETS)


# `corescore disagree`: the scorers' table, a walk, a search; and what it refuses ------------------

KEY_OF_DISAGREE_COMMAND, A, B = (
    str(first_files(3) / f"{name}.conll") for name in ("key", "cautious", "heads")
)


def rows(options):
    return list(csv.DictReader(io.StringIO(disagree(f"{options} --format csv"))))


def disagree(options):
    return printed(f"disagree {KEY_OF_DISAGREE_COMMAND} {options}")


def test_a_row_for_each_scorer_and_response():
    found = rows(f"{A} {B}")
    assert [row["response"] for row in found[:2]] == ["cautious", "heads"]
    perl = next(row for row in found if row["scorer"] == "perl")
    assert perl["lea"] == ""
    assert float(perl["muc"]) > 0


def test_the_table_says_how_far_scorers_are_apart(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    out = disagree(A)
    assert "CoNLL reference scorer v8.01 (perl)" in out
    assert "points apart" in out


def test_a_walk_adds_up():
    found = rows(f"{A} --from perl --to corefud")
    total = float(found[-1]["after"]) - float(found[0]["before"])
    assert sum(float(row["difference"]) for row in found) == pytest.approx(total, abs=1e-12)
    assert {"singletons", "match"} <= {row["policy"] for row in found}


def test_a_walk_begins_with_our_defaults_if_not_said_otherwise():
    (row,) = (row for row in rows(f"{A} --to scorch") if float(row["difference"]))
    assert (row["policy"], row["from"], row["to"]) == ("average", "micro", "scorch")


@pytest.mark.slow
def test_a_search():
    perl = next(row for row in rows(A) if row["scorer"] == "perl")
    found = json.loads(disagree(f"{A} --find {100 * float(perl['conll']):.2f} --format json"))
    assert "perl" in found["rows"][0]["scorers"]
    assert "Nothing prints 99.9999" in disagree(f"{A} --find 99.9999")


@pytest.mark.parametrize(
    "words, message",
    {
        "--to perl --metric lea": "perl has no LEA",
        "--from perl": "--to is missing",
        "--measure recall": "CoNLL has no recall",
        "--grid": "no option '--grid'",
        "--to e2e --shapley": "no option '--shapley'",
        "--find many": "expected percent",
        "{A}": "named twice",  # each process of the tests has its own
    }.items(),
)
def test_what_does_not_fit_together_is_refused(words, message):
    assert message in refused(f"disagree {KEY_OF_DISAGREE_COMMAND} {A} {words.format(A=A)}")


def test_files_that_no_scorer_takes_are_refused(tmp_path):
    other = tmp_path / "other.conll"
    other.write_text("#begin document (x); part 000\nx\t0\t0\tShe\t(1)\n\n#end document\n")
    assert "none of which" in refused(f"disagree {KEY_OF_DISAGREE_COMMAND} {other}")
