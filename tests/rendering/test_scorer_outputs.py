"""`score --format coval` and `--format corefud`, on files written here."""

import pytest

from corescore.__main__ import main

KEY = "(1) (1) (2) (3) (3)"
RESPONSE = "(1) (1) (1) - (2)"


@pytest.fixture
def conll(tmp_path):
    def rows(cells):
        return "".join(f"a\t0\t{at}\tw{at}\t{cell}\n" for at, cell in enumerate(cells.split()))

    paths = []
    for name, cells in (("key", KEY), ("response", RESPONSE)):
        path = tmp_path / f"{name}.conll"
        path.write_text(f"#begin document (a); part 000\n{rows(cells)}\n#end document\n")
        paths.append(str(path))
    return paths


@pytest.fixture
def conllu(tmp_path):
    paths = []
    for name, cells in (("key", KEY), ("response", RESPONSE)):
        path = tmp_path / f"{name}.conllu"
        entities = ("_" if cell == "-" else f"Entity=(e{cell[1]})" for cell in cells.split())
        rows = "".join(
            f"{at}\tw{at}" + "\t_" * 7 + f"\t{entity}\n"
            for at, entity in enumerate(entities, start=1)
        )
        begin = "# newdoc id = a\n# global.Entity = eid\n# sent_id = a-1\n"
        path.write_text(f"{begin}{rows}\n")
        paths.append(str(path))
    return paths


def printed(capsys, *words):
    assert main(["score", *words]) == 0
    return capsys.readouterr().out.splitlines()


def refused(capsys, *words):
    assert main(["score", *words]) == 2
    return capsys.readouterr().err


def test_coval_rounds_and_ends_in_the_conll_score(conll, capsys):
    """Found: 4 of 5 and 4 of 4. MUC: 1 of 2 and 1 of 2. B³: recall (1 + 1 + 1 + 1/2) / 5,
    precision (3 · (2/3 + 2/3 + 1/3) / 3 + 1) / 4 = (5/3 + 1) / 4. CEAF_e: ({1, 2} with {1, 2, 3})
    4/5 + ({4, 5} with {5}) 2/3 = 22/15 of 3 and 2. LEA: (2 · 1 + 1 · 0 + 2 · 0) / 5 and
    (3 · 1/3 + 1 · 0) / 4."""
    assert printed(capsys, *conll, "--as", "coval", "--format", "coval") == [
        "mentions   Recall: 80.00  Precision: 100.00  F1: 88.89",
        "muc        Recall: 50.00  Precision: 50.00  F1: 50.00",
        "bcub       Recall: 70.00  Precision: 66.67  F1: 68.29",
        "ceafe      Recall: 48.89  Precision: 73.33  F1: 58.67",
        "lea        Recall: 40.00  Precision: 25.00  F1: 30.77",
        "CoNLL score: 58.99",
    ]


def test_coval_tells_how_many_singletons_it_removed(conll, capsys):
    lines = printed(
        capsys,
        *(*conll, "--as", "coval", "--format", "coval", "--metrics", "muc"),
        *("--singletons", "drop"),
    )
    assert lines == [
        "1 and 1 singletons are removed from the key and system files, respectively",
        "muc        Recall: 50.00  Precision: 50.00  F1: 50.00",
    ]


def test_corefud_names_its_options_and_metrics(conllu, capsys):
    """Without singletons: muc 1 of 2, and 1 of 2."""
    words = (*conllu, "--as", "corefud", "--format", "corefud")
    lines = printed(capsys, *words)
    assert lines[:5] == [
        "The scorer is evaluating coreferential mentions, zeros (using dependent match method) "
        "using head match evaluation setting.",
        "The following metrics will be evaluated: muc, bcub, ceafe, ceafm, blanc, lea, mor, zero",
        "",
        "muc",
        "Recall: 50.00  Precision: 50.00  F1: 50.00",
    ]
    assert lines[-1].startswith("CoNLL score: ")
    assert lines[-2] == "Recall: 0.00  Precision: 0.00  F1: 0.00"
    shown = printed(capsys, *words, "--match", "exact", "--singletons", "keep", "--zeros", "linear")
    assert shown[0] == (
        "The scorer is evaluating coreferential mentions, singletons, zeros (using linear match "
        "method) using exact match evaluation setting."
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--format", "coval"], "without --as coval"),
        (["--format", "coval", "--as", "corefud"], "without --as coval"),
        (["--format", "coval", "--as", "coval", "--repeats", "first"], "expected listed"),
        (["--format", "coval", "--as", "coval", "--metrics", "vi"], "expected one of: mentions"),
        (["--format", "coval", "--as", "coval", "--per-document"], "scores of documents"),
        (["--format", "corefud", "--as", "corefud", "--match", "lenient"], "head or partial"),
    ],
)
def test_what_a_scorer_does_not_print_is_refused(words, message, conll, capsys):
    assert message in refused(capsys, *conll, *words)


def test_a_scorer_prints_one_response(conll, capsys):
    words = (*conll, conll[0], "--as", "coval", "--format", "coval")
    assert "several responses" in refused(capsys, *words)
