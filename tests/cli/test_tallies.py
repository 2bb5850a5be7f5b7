"""`score --save-tally`, and `compare` of such files."""

import json
import re

import pytest

from corescore.__main__ import main
from tests.support.samples import first_files

FAST = ("--trials", "50")
KEY, A, B = (str(first_files(6) / f"{name}.conll") for name in ("key", "cautious", "greedy"))


@pytest.fixture
def tallies(tmp_path, capsys):
    """The paths of tallies of both sample responses."""
    paths = []
    for response in (A, B):
        paths.append(str(tmp_path / f"{response.rpartition('/')[2]}.parquet"))
        assert main(["score", KEY, response, "--save-tally", paths[-1]]) == 0
    capsys.readouterr()
    return paths


def refusal(capsys, *words):
    assert main([*words]) == 2
    said = capsys.readouterr()
    assert not said.out
    return said.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--per-document",),
        ("--ranks",),
        ("--ranks", "--ties", "significance"),
        ("--measure", "recall"),
    ],
)
def test_tallies_compare_without_a_key_as_the_responses_do(tallies, capsys, options):
    for words in ((KEY, A, B), (KEY, *tallies), tallies):
        assert main(["compare", *words, *FAST, *options, "--format", "csv"]) == 0
    printed = capsys.readouterr().out
    for path, response in zip(tallies, (A, B), strict=True):
        printed = printed.replace(path, response)
    third = len(printed) // 3
    assert printed == 3 * printed[:third]


def test_a_tally_stands_beside_a_response_in_the_order_given(tallies, capsys):
    assert main(["compare", KEY, tallies[1], A, *FAST, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert (rows[0]["response_a"], rows[0]["response_b"]) == (tallies[1], A)


def test_saving_does_not_change_what_is_printed(tmp_path, capsys):
    for more in ([], ["--save-tally", str(tmp_path / "a.parquet")]):
        assert main(["score", KEY, A, *more]) == 0
    printed = capsys.readouterr().out
    assert printed == 2 * printed[: len(printed) // 2]


def test_a_tally_is_replaced_only_by_force(tallies, capsys):
    words = ["score", KEY, A, "--save-tally", tallies[0]]
    assert re.search(rf"{re.escape(str(tallies[0]))}: .* exists", refusal(capsys, *words))
    assert main([*words, "--force"]) == 0


def test_one_tally_holds_one_response(tmp_path, capsys):
    path = str(tmp_path / "a.parquet")
    assert "saves one response" in refusal(capsys, "score", KEY, A, B, "--save-tally", path)
    assert "ends in .parquet" in refusal(capsys, "score", KEY, A, "--save-tally", path + ".txt")


def test_a_tally_of_other_policies_is_refused(tallies, capsys):
    said = refusal(capsys, "compare", *tallies, "--singletons", "drop")
    assert f"--singletons is drop, but {tallies[0]} was counted under keep" in said


def test_tallies_that_do_not_go_together_are_refused(tallies, tmp_path, capsys):
    other = str(tmp_path / "head.parquet")
    assert main(["score", KEY, B, "--match", "head", "--save-tally", other]) == 0
    capsys.readouterr()
    said = refusal(capsys, "compare", tallies[0], other)
    assert other in said
    assert "results made under other policies" in said
    wrong_key = str(tmp_path / "wrong.parquet")
    assert main(["score", A, B, "--save-tally", wrong_key]) == 0
    capsys.readouterr()
    assert "results over other keys" in refusal(capsys, "compare", tallies[0], wrong_key)


def test_a_tally_as_key_takes_no_texts(tallies, capsys):
    said = refusal(capsys, "compare", tallies[0], A)
    assert f"{tallies[0]} is a tally, {A} is not" in said


def test_one_tally_alone_is_not_compared(tallies, capsys):
    assert "one response" in refusal(capsys, "compare", KEY, tallies[0])
    assert "named twice" in refusal(capsys, "compare", tallies[0], tallies[0])


def test_a_file_that_is_no_tally_is_refused(tmp_path, capsys):
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1")
    assert "no Parquet" in refusal(capsys, "compare", KEY, A, str(path))


def test_responses_that_lack_documents_are_compared_over_those_that_both_have(tmp_path, capsys):
    def write(name, *documents):
        text = "#begin document (%s); part 000\n%s 0 0 She (1)\n%s 0 1 slept (1)\n\n#end document\n"
        path = tmp_path / f"{name}.conll"
        path.write_text("".join(text % (of, of, of) for of in documents))
        return str(path)

    key, a, b = write("key", *"xyz"), write("a", *"xyz"), write("b", *"yz")
    assert main(["compare", key, a, b, "--missing-documents", "skip", *FAST]) == 0
    said = capsys.readouterr()
    assert "over 2 documents" in said.out
    assert f"{a} is scored without 1 document ('x')" in said.err
