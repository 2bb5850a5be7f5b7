"""What is written as other scorers write it."""

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore.cli.scorers import main
from corescore.corpus.formats.conll_perl import ScorerStops
from corescore.rendering.scorer_outputs import reference_lines
from tests.support.shell import printed, refused

# The lines of the reference scorer, on files written here: its rules, message by message ----------

DASHES = "-" * 74


def file_of(*documents):
    """(name, cells) of each document; a word a row, its cell last."""
    lines = []
    for name, cells in documents:
        rows = (f"x\t{number}\tw{number}\t{cell}" for number, cell in enumerate(cells.split()))
        lines += [f"#begin document {name}", *rows, "", "#end document"]
    return "\n".join(lines) + "\n"


@pytest.fixture
def paths(tmp_path):
    """Writes texts to files of their own, and gives their paths."""
    numbers = count()

    def write(*texts):
        written = [tmp_path / f"{next(numbers)}.conll" for _ in texts]
        for path, text in zip(written, texts, strict=True):
            path.write_text(text, encoding="utf-8", newline="")
        return [str(path) for path in written]

    return write


def lines_of(*arguments):
    """The lines after the version; the message if the scorer stops."""
    lines, stop = [], ""
    try:
        for line in reference_lines(arguments):
            lines += line.split("\n")
    except ScorerStops as error:
        stop = str(error)
    return lines[1:], stop


def totals(lines):
    return lines[lines.index("====== TOTALS =======") + 1 :]


KEY = file_of(("(a); part 000", "(1 1) (2) - (1) (2) (3)"))
RESPONSE = file_of(("(a); part 000", "(7 7) (8) - (7) (7) (8)"))


def test_percentages_are_cut_and_floats_have_15_digits(paths):
    """B³ recall (1 + 1 + 1/2 + 1/2 + 1) / 5; precision (2/3 · 2 + 1/2 + 1/3 + 1/2) / 5."""
    shown, _ = lines_of("bcub", *paths(KEY, RESPONSE), "none")
    assert totals(shown) == [
        "Identification of Mentions: Recall: (5 / 5) 100%\tPrecision: (5 / 5) 100%\tF1: 100%",
        DASHES,
        "Coreference: Recall: (4 / 5) 80%\tPrecision: (2.66666666666667 / 5) 53.33%\tF1: 64%",
        DASHES,
    ]


def test_f1_is_multiplied_and_cut_in_the_order_of_that_scorer(paths):
    """Recall 6/8 and precision 6/7 make 0.8, which is 0.79999… in floating point: 79.99%."""
    key = file_of(("a", "(1) (2) (1) (2) (3)"))
    response = file_of(("a", "(1) (1)|(2) (1) (2) (3)"))
    (part,) = (
        line for line in lines_of("blanc", *paths(key, response), "none")[0] if "Non" in line
    )
    assert part == (
        "Non-coreference links: Recall: (6 / 8) 75%\tPrecision: (6 / 7) 85.71%\tF1: 79.99%"
    )


def test_nothing_over_nothing_is_0_percent(paths):
    nothing = file_of(("a", "- -"))
    shown, _ = lines_of("blanc", *paths(nothing, nothing), "none")
    empty = "Recall: (0 / 0) 0%\tPrecision: (0 / 0) 0%\tF1: 0%"
    assert totals(shown) == [
        f"Identification of Mentions: {empty}",
        DASHES,
        "",
        "Coreference:",
        f"Coreference links: {empty}",
        DASHES,
        f"Non-coreference links: {empty}",
        DASHES,
        "BLANC: Recall: (0 / 1) 0%\tPrecision: (0 / 1) 0%\tF1: 0%",
        DASHES,
    ]


def test_blanc_is_the_part_that_the_key_has(paths):
    key = file_of(("a", "(1) (2)"))
    response = file_of(("a", "(1) (1)"))
    both, key_alone = (lines_of("blanc", *paths(key, of), "none")[0][-2] for of in (key, response))
    assert both.startswith("BLANC: Recall: (1 / 1)")
    assert key_alone.startswith("BLANC: Recall: (0 / 1) 0%\tPrecision: (0 / 1)")


def test_a_document_shows_its_entities_as_brackets_are_met_and_mentions_as_they_close(paths):
    """In a word the one-word mentions come first; positions leave sentence ends out."""
    text = "#begin document d\nx\t(4(5)\nx\t(6)4)\n\nx\t(4)\n#end document\n"
    shown, _ = lines_of("muc", *paths(text, text), "d")
    assert shown[:6] == [
        "d:",
        "====> d:",
        "File d:",
        "Entity 0: (0,0)",
        "Entity 1: (0,1) (2,2)",
        "Entity 2: (1,1)",
    ]


def test_the_counts_of_a_document_follow_its_entities(paths):
    key = file_of(("d", "(1) (1) (2)"))
    response = file_of(("d", "(1) - (2) (3)"))
    shown, _ = lines_of("muc", *paths(key, response), "d")
    first = shown.index("Total key mentions: 3")
    assert shown[first : first + 7] == [
        "Total key mentions: 3",
        "Total response mentions: 3",
        "Strictly correct identified mentions: 2",
        "Partially correct identified mentions: 0",
        "No identified: 1",
        "Invented: 1",
        "Recall: (0 / 1) 0%\tPrecision: (0 / 0) 0%\tF1: 0%",
    ]


TWO = file_of(("a; part 0", "(1) (1)"), ("b; part 0", "(1) - (1)"))


def test_one_document_is_scored_alone_or_all_of_them(paths):
    files = paths(TWO, TWO)
    one, _ = lines_of("muc", *files, "b; part 0")
    assert "Coreference: Recall: (1 / 1) 100%\tPrecision: (1 / 1) 100%\tF1: 100%" in one
    assert one[0] == "b; part 0:"
    assert "a; part 0:" not in one
    every, _ = lines_of("muc", *files)
    assert [line for line in every if line in ("a; part 0:", "b; part 0:")] == [
        "a; part 0:",
        "b; part 0:",
    ]
    assert "Coreference: Recall: (2 / 2) 100%\tPrecision: (2 / 2) 100%\tF1: 100%" in every


def test_a_document_is_known_by_all_that_follows_its_mark(paths):
    other = TWO.replace("part 0", "part 000")
    shown, _ = lines_of("muc", *paths(TWO, other), "none")
    assert "Coreference: Recall: (0 / 2) 0%\tPrecision: (0 / 0) 0%\tF1: 0%" in shown


def test_a_document_that_the_response_lacks_has_no_name_there(paths):
    shown, _ = lines_of("muc", *paths(TWO, file_of(("a; part 0", "(1) (1)"))))
    at = shown.index("====> b; part 0:")
    assert shown[at : at + 7] == [
        "====> b; part 0:",
        "File b; part 0:",
        "Entity 0: (0,0) (2,2)",
        "====> :",
        "File :",
        "b; part 0:",
        "Total key mentions: 2",
    ]


def test_of_two_documents_of_one_name_the_last_is_scored_and_the_first_if_named(paths):
    files = paths(*[file_of(("a", "(1) (1)"), ("a", "(1) (1) (1)"))] * 2)
    assert any("(2 / 2)" in line for line in lines_of("muc", *files, "none")[0])
    assert any("(1 / 1)" in line for line in lines_of("muc", *files, "a")[0])


def test_blanc_shows_no_name_and_no_score_of_a_document(paths):
    shown, _ = lines_of("blanc", *paths(TWO, TWO))
    assert shown.count(":") == 2
    assert not [line for line in shown if line.startswith("Recall:")]


def test_all_has_a_heading_for_each_metric(paths):
    shown, _ = lines_of("all", *paths(TWO, TWO), "none")
    assert [line for line in shown if line.startswith("METRIC")] == [
        f"METRIC {metric}:" for metric in ("muc", "bcub", "ceafm", "ceafe", "blanc")
    ]


def test_1_and_01_are_two_entities(paths):
    key = file_of(("a", "(1) (1)"))
    response = file_of(("a", "(1) (01)"))
    shown, _ = lines_of("muc", *paths(key, response), "none")
    assert "Coreference: Recall: (0 / 1) 0%\tPrecision: (0 / 0) 0%\tF1: 0%" in shown


def test_repeats_are_told_with_the_numbers_of_their_mentions(paths):
    """The key's mentions are 0 (word 0), 1 (word 1), 2 (word 1 again)."""
    key = file_of(("a", "(1) (1)|(2)"))
    response = file_of(("a", "(1) (1)|(2) (3)|(4)"))
    shown, _ = lines_of("muc", *paths(key, response), "none")
    assert [line for line in shown if line.startswith("Repeated")] == [
        "Repeated mention in the key: 1, 1 12",
        "Repeated mention in the response: 1, 1 22",
    ]


def test_after_ten_repeats_of_a_run_the_scorer_refuses(paths, capsys):
    """Three repeats under each of muc, bcub and ceafm; under ceafe the second is the eleventh."""
    key = file_of(("a", "(1) (1) (1)"))
    response = file_of(("a", "(1)|(2) (1)|(2) (1)|(2)"))
    files = paths(key, response)
    shown, stop = lines_of("all", *files, "none")
    assert stop.startswith("Found too many repeated mentions (> 10) in the response")
    assert sum(line.startswith("Repeated") for line in shown) == 11
    assert shown[-3] == "METRIC ceafe:"
    assert main(["all", *files, "none"]) == 1
    assert main(["ceafe", *files, "none"]) == 0


def test_a_mention_that_does_not_close_stops_the_scorer(paths, capsys):
    files = paths(TWO, file_of(("a; part 0", "(1) (1)"), ("b; part 0", "(1 - -")))
    assert main(["muc", *files]) == 25
    told = capsys.readouterr()
    assert told.err == "Error: some mentions in the document do not close\n"
    assert told.out.endswith("====> b; part 0:\n")


def test_a_mention_that_closes_unopened_stops_it_with_word_and_line(paths):
    """Of seven lines of the key and the third of the response, `2)` is line 10, word 1."""
    key = file_of(("a", "(1) (1) - -"))
    _, stop = lines_of("muc", *paths(key, file_of(("a", "(1) 2)"))), "none")
    place = "at lib/CorScorer.pm line 292, <F> line 10."
    assert stop == f"Detected the end of a mention [2](1) without begin (?,1) {place}"


def test_a_file_that_is_not_there(paths, capsys):
    (file,) = paths(TWO)
    assert main(["all", "nowhere.conll", file]) == 2
    told = capsys.readouterr()
    place = "at lib/CorScorer.pm line 327."
    assert told.err == f"Can not open nowhere.conll: No such file or directory {place}\n"
    assert told.out.split("\n", 1)[1] == "\nMETRIC muc:\n"


def test_usage_and_unknown_metrics_are_no_errors(paths, capsys):
    files = paths(TWO, TWO)
    assert main(["muc", files[0]]) == 0
    assert "use: scorer.pl <metric> <keys_file> <response_file> [name]" in capsys.readouterr().out
    assert main(["lea", *files]) == 0
    assert capsys.readouterr().out.split("\n", 1)[1] == "Invalid metric\n"


def test_a_file_without_the_document_is_empty_and_told(paths, capsys):
    assert main(["muc", *paths(TWO, "Mia (1)\n")]) == 0
    assert "1.conll has no line '#begin document (NAME)'" in capsys.readouterr().err


CELLS = st.text(alphabet="()0123|+-\t\r_", max_size=8)


@given(st.lists(st.lists(CELLS, max_size=6), min_size=2, max_size=2), st.sampled_from(["", "a"]))
def test_any_brackets_are_scored_or_stop_the_scorer(tmp_path_factory, sides, name):
    folder = tmp_path_factory.mktemp("any")
    for side, cells in zip("kr", sides, strict=True):
        rows = "".join(f"w\t{cell}\n" for cell in cells)
        (folder / side).write_text(f"#begin document a\n{rows}#end document\n", newline="")
    arguments = "all", str(folder / "k"), str(folder / "r"), *([name] if name else [])
    shown, stop = lines_of(*arguments)
    assert stop or shown.count("====== TOTALS =======") == 5


# `score --format coval` and `--format corefud`, on files written here -----------------------------

KEY_OF_SCORER_OUTPUTS = "(1) (1) (2) (3) (3)"
RESPONSE_OF_SCORER_OUTPUTS = "(1) (1) (1) - (2)"


@pytest.fixture
def conll(tmp_path):
    paths = [tmp_path / f"{name}.conll" for name in ("key", "response")]
    for path, cells in zip(paths, (KEY_OF_SCORER_OUTPUTS, RESPONSE_OF_SCORER_OUTPUTS), strict=True):
        rows = "".join(f"a\t0\t{at}\tw{at}\t{cell}\n" for at, cell in enumerate(cells.split()))
        path.write_text(f"#begin document (a); part 000\n{rows}\n#end document\n")
    return " ".join(map(str, paths))


def test_coval_rounds_and_ends_in_the_conll_score(conll):
    """Found: 4 of 5 and 4 of 4. MUC: 1 of 2 and 1 of 2. B³: recall (1 + 1 + 1 + 1/2) / 5,
    precision (3 · (2/3 + 2/3 + 1/3) / 3 + 1) / 4 = (5/3 + 1) / 4. CEAFₑ: ({1, 2} with {1, 2, 3})
    4/5 + ({4, 5} with {5}) 2/3 = 22/15 of 3 and 2. LEA: (2 · 1 + 1 · 0 + 2 · 0) / 5 and
    (3 · 1/3 + 1 · 0) / 4."""
    assert printed(f"score {conll} --as coval --format coval").splitlines() == [
        "mentions   Recall: 80.00  Precision: 100.00  F1: 88.89",
        "muc        Recall: 50.00  Precision: 50.00  F1: 50.00",
        "bcub       Recall: 70.00  Precision: 66.67  F1: 68.29",
        "ceafe      Recall: 48.89  Precision: 73.33  F1: 58.67",
        "lea        Recall: 40.00  Precision: 25.00  F1: 30.77",
        "CoNLL score: 58.99",
    ]


def test_coval_tells_how_many_singletons_it_removed(conll):
    call = f"score {conll} --as coval --format coval --metrics muc --singletons drop"
    assert printed(call).splitlines() == [
        "1 and 1 singletons are removed from the key and system files, respectively",
        "muc        Recall: 50.00  Precision: 50.00  F1: 50.00",
    ]


def test_corefud_names_its_options_and_metrics(conll, tmp_path):
    """Without singletons: muc 1 of 2, and 1 of 2."""
    for name in ("key", "response"):
        printed(f"convert {tmp_path / name}.conll {tmp_path / name}.conllu")
    call = f"score {conll.replace('.conll', '.conllu')} --as corefud --format corefud"
    lines = printed(call).splitlines()
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
    shown = printed(f"{call} --match exact --singletons keep --zeros linear").splitlines()
    assert shown[0] == (
        "The scorer is evaluating coreferential mentions, singletons, zeros (using linear match "
        "method) using exact match evaluation setting."
    )


@pytest.mark.parametrize(
    "words, message",
    {
        "--format coval": "without --as coval",
        "--format coval --as corefud": "without --as coval",
        "--format coval --as coval --repeats first": "expected listed",
        "--format coval --as coval --metrics ace": "expected one of: mentions",
        "--format coval --as coval --per-document": "scores of documents",
        "--format corefud --as corefud --match lenient": "head or partial",
    }.items(),
)
def test_what_a_scorer_does_not_print_is_refused(words, message, conll):
    assert message in refused(f"score {conll} {words}")


def test_a_scorer_prints_one_response(conll):
    call = f"score {conll} {conll.split()[0]} --as coval --format coval"
    assert "several responses" in refused(call)
