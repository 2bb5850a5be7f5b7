"""The paragraph for a paper that says how something was scored."""

import pytest

from corescore import Corpus, Document, read, score
from corescore.__main__ import main
from corescore.analysis.scorers.rescored import Rescored, equal_here
from corescore.scoring.presets import PRESETS, preset
from corescore.sentences.policies import statement
from corescore.util import bundled
from corescore.version import __version__

KEY, RESPONSE = (bundled("sample_data") / f"{name}.conll" for name in ("key", "greedy"))


@pytest.fixture(scope="module")
def corpora():
    return read(KEY, side="key"), read(RESPONSE, side="response")


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_preset_is_named_with_version_and_signature(corpora, name):
    result = score(*corpora, **preset(name))
    said = statement(result)
    assert PRESETS[name].title in said
    assert f"corescore {__version__}" in said
    assert result.signature in said
    assert ("BLANC" in said.split(".")[0]) == ("blanc" in PRESETS[name].metrics)


def test_other_policies_name_no_scorer(corpora):
    said = statement(score(*corpora, singletons="drop"))
    assert "by the rules of" not in said
    assert "ingletons are removed" in said


def test_a_metric_that_the_scorer_lacks_is_said(corpora):
    policies = {k: v for k, v in preset("perl").items() if k != "metrics"}
    assert "(all metrics but LEA)" in statement(score(*corpora, **policies))


def test_scorers_that_give_the_same_scores_on_the_files_are_named_and_no_others():
    """Without repeats and singletons all agree on MUC; e2e drops what is not there."""
    key = Document.of_rows("d", [(0, 1, 0), (2, 3, 0), (4, 5, 1), (6, 7, 1)], words=[*"abcdefgh"])
    response = Document.of_rows("d", [(0, 1, 0), (2, 3, 0), (4, 5, 0)], words=[*"abcdefgh"])
    sides = Corpus((key,)), Corpus((response,))
    result = score(*sides, metrics=["muc", "bcub", "lea"])
    equal = equal_here(Rescored(*sides), result)
    assert set(equal) == {"perl", "coval", "ua", "ua2", "e2e", "scorch", "stanza", "corefud"}
    said = statement(result, equal=equal)
    assert "On these files, the CoNLL reference scorer v8.01 (all metrics but LEA), coval" in said
    single = Document.of_rows("d", [(0, 1, 0), (2, 3, 0), (4, 5, 1)], words=[*"abcdefgh"])
    sides = sides[0], Corpus((single,))
    equal = equal_here(Rescored(*sides), score(*sides, metrics=["bcub"]))
    assert not {"corefud", "e2e"} & {*equal}  # they leave the singleton out
    assert {"perl", "coval"} <= {*equal}


def test_the_command_names_scorers_that_give_the_same_scores(capsys):
    assert main(["statement", str(KEY), str(RESPONSE)]) == 0
    said = capsys.readouterr().out
    assert "CoNLL reference scorer v8.01 (all metrics" in said
    assert "coval (MUC, B³, CEAF_e and LEA)" in said
    assert "the scorer of e2e-coref" not in said


def test_the_command_prints_text_and_latex(capsys):
    words = ["statement", str(KEY), str(RESPONSE), "--as", "perl"]
    assert main(words) == 0
    assert "B³ and CEAF_e" in capsys.readouterr().out
    assert main([*words, "--format", "latex"]) == 0
    out = capsys.readouterr().out
    assert "B$^3$" in out
    assert "CEAF$_e$" in out
    assert "|" not in out
