"""The sample data is what its README says, and can be made again."""

import subprocess
import sys
from fractions import Fraction

import pytest

from corescore import read, score
from corescore.corpus.files import write
from corescore.util import bundled

FOLDER = bundled("sample_data")
RESPONSES = ("cautious", "greedy", "heads", "nearest")
METRICS = ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea")


def scored(response):
    return score(read(FOLDER / "key.conll"), read(FOLDER / f"{response}.conll"))


def textbook(name, response, **policies):
    files = (FOLDER / "textbook" / f"{name}.{side}.txt" for side in ("key", response))
    return score(*map(read, files), **policies)


def exactly(expected):
    return pytest.approx(float(expected), abs=1e-12)


def f1_of(recall, precision):
    return 2 * recall * precision / (recall + precision)


@pytest.mark.slow
def test_the_resolvers_make_the_same_bytes_again(tmp_path):
    command = [sys.executable, "-m", "sample_data.resolvers", str(tmp_path)]
    subprocess.run(command, check=True)
    for response in RESPONSES:
        again = (tmp_path / f"{response}.conll").read_bytes()
        assert again == (FOLDER / f"{response}.conll").read_bytes()


@pytest.mark.parametrize("name", ["key", *RESPONSES])
def test_writing_what_was_read_gives_the_same_bytes(name, tmp_path):
    corpus = read(FOLDER / f"{name}.conll")
    write(corpus, tmp_path / "again.conll")
    assert not corpus.warnings
    assert (tmp_path / "again.conll").read_bytes() == (FOLDER / f"{name}.conll").read_bytes()


def test_cautious_is_more_precise_and_greedy_recalls_more():
    cautious, greedy = map(scored, RESPONSES[:2])
    for metric in ("muc", "bcub", "blanc", "lea", "mentions"):
        assert cautious[metric].precision > greedy[metric].precision
        assert cautious[metric].recall < greedy[metric].recall


def test_each_response_is_the_better_one_for_some_documents():
    cautious, greedy = (scored(name).document_scores["lea"].f1 for name in RESPONSES[:2])
    assert 0 < (cautious > greedy).sum() < len(cautious)


def test_the_metrics_rank_the_four_as_the_readme_says():
    results = {name: scored(name) for name in RESPONSES}
    order = {m: sorted(RESPONSES, key=lambda name: -results[name][m].f1) for m in METRICS}
    places = {metric: names.index("heads") + 1 for metric, names in order.items()}
    assert places == {"ceafe": 2, "ceafm": 3, "lea": 3, "muc": 4, "bcub": 4, "blanc": 4}
    ahead = [m for m in METRICS if results["nearest"][m].f1 > results["cautious"][m].f1]
    assert ahead == ["blanc"]


@pytest.mark.parametrize("response", RESPONSES)
def test_the_readme_has_the_scores(response):
    lines = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    row = next(line for line in lines if line.startswith(f"| `{response}` |"))
    result = scored(response)
    assert result.signature in "\n".join(lines)
    for metric in (*METRICS, "conll", "mentions"):
        assert f"| {100 * result[metric].f1:.2f} " in row


def test_the_readme_has_the_sizes_of_the_key():
    key = read(FOLDER / "key.conll")
    n_words = sum(len(document.words) for document in key)
    n_mentions = sum(len(document.mentions) for document in key)
    n_entities = sum(document.n_entities for document in key)
    n_singletons = sum(len(entity) == 1 for document in key for entity in document.entities)
    sizes = (
        f"{len(key)} documents, {n_words:,} words, {n_mentions:,} mentions, "
        f"{n_entities} entities, {n_singletons} of them singletons"
    )
    assert sizes in (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("response", "ceafm"),
    [
        ("a", Fraction(5 + 5, 12)),  # {1..5}, and {8..12} with {6..12}
        ("b", Fraction(5 + 2, 12)),  # {1..5} with {1..5,8..12}, and {6,7}
        ("c", Fraction(5, 12)),
        ("d", Fraction(1 + 1 + 1, 12)),
    ],
)
def test_luo_2005(response, ceafm):
    assert textbook("luo2005", response)["ceafm"].f1 == exactly(ceafm)


def test_recasens_and_hovy_2011():
    """{5,12} and {7,9} are right; {5,14}, {12,14} are missing; {4,6}, {7,14}, {9,14} are spurious.

    Of the 14·13/2 = 91 pairs, that leaves 84.
    """
    blanc = textbook("recasens2011", "response")["blanc"].f1
    coreference = f1_of(Fraction(2, 2 + 2), Fraction(2, 2 + 3))
    non_coreference = f1_of(Fraction(84, 84 + 3), Fraction(84, 84 + 2))
    assert blanc == exactly((coreference + non_coreference) / 2)


@pytest.mark.parametrize(
    ("response", "metric", "f1"),
    [
        ("cr1", "muc", f1_of(Fraction(3 + 3, 7), Fraction(1))),
        ("cr1", "ceafe", f1_of(Fraction(2 * 4, 8 + 4), Fraction(2 * 4, 8 + 4) / 2)),
        ("cr2", "muc", f1_of(Fraction(3, 7), Fraction(1))),
        ("cr2", "ceafe", Fraction(2 * 4, 8 + 4)),
        ("cr2", "blanc", f1_of(Fraction(6, 28), Fraction(1))),
    ],
)
def test_moosavi_and_strube_2016(response, metric, f1):
    assert textbook("moosavi2016", response)[metric].f1 == exactly(f1)


def test_pradhan_2014():
    """{abc} and {defg} against {ab}, {cd} and {fghi}: e is missing, h and i are spurious."""
    result = textbook("pradhan2014", "response")
    squares = Fraction(2**2 + 1, 3) + Fraction(1 + 2**2, 4)
    assert result["bcub"].recall == exactly(squares / 7)
    assert result["lea"].recall == exactly((3 * Fraction(1, 3) + 4 * Fraction(1, 6)) / 7)


def test_luo_2014():
    coreference = f1_of(Fraction(1, 3), Fraction(1, 2))  # bc; of ab, ac, bc and of bc, de
    non_coreference = f1_of(Fraction(2, 3), Fraction(2, 4))  # bd and cd, but not ad, be, ce
    f1 = textbook("luo2014", "response", blanc="luo2014").document_scores["blanc"].f1
    expected = [(coreference + non_coreference) / 2, 0, Fraction(1, 3), Fraction(1, 2)]
    assert expected[0] == Fraction(17, 35)
    assert list(f1) == [exactly(value) for value in expected]
