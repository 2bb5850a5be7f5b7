"""`corescore score --metrics` with variants, and their list."""

import json
from pathlib import Path

import pytest

from corescore.__main__ import main
from corescore.metrics import VARIANTS
from corescore.util import bundled

SAMPLE = bundled("sample_data")
FILES = [str(Path(SAMPLE) / name) for name in ("key.conll", "cautious.conll")]


NAMED = {"table": "B³_0", "markdown": "B³_0", "csv": "b3-0", "latex": r"B$^3$$_0$"}


@pytest.mark.parametrize("format", NAMED)
def test_a_variant_is_shown_when_named(format, capsys):
    assert main(["score", *FILES, "--metrics", "bcub,b3-0", "--format", format]) == 0
    assert NAMED[format] in capsys.readouterr().out
    assert main(["score", *FILES, "--format", format]) == 0
    assert NAMED[format] not in capsys.readouterr().out


def test_every_variant_can_be_named_beside_a_metric_and_per_document(capsys):
    names = ["muc", *(metric.id for metric in VARIANTS)]
    options = ["--metrics", ",".join(names), "--per-document", "--format", "json"]
    assert main(["score", *FILES, *options, "--average", "macro"]) == 0
    (response,) = json.loads(capsys.readouterr().out)["responses"]
    assert list(response["scores"]) == list(response["macro"]) == names
    assert all(list(scores) == names for scores in response["per_document"].values())


def test_the_list_of_metrics_names_variants_and_their_papers(capsys):
    assert main(["metrics"]) == 0
    printed = capsys.readouterr().out
    for metric in VARIANTS:
        assert f"{metric.id:15}{metric.title}, a variant. One unit: {metric.unit}.\n" in printed
        assert metric.paper in printed


def test_a_name_that_is_none_is_refused_with_those_that_are(capsys):
    assert main(["score", *FILES, "--metrics", "b3-1"]) == 2
    said = capsys.readouterr().err
    assert "metric is 'b3-1'; expected one of: muc" in said
    assert "b3-0" in said


@pytest.mark.parametrize("name", ["scorch", "stanza"])
def test_what_a_scorer_prints_stands_alone_and_sums_on_request(name, capsys):
    words = ["score", *FILES, "--as", name]
    assert main([*words, "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["responses"]
    for averaged, extra in ((True, ()), (False, ("--average", "micro"))):
        assert main([*words, *extra]) == 0
        text = capsys.readouterr().out
        (line,) = (line for line in text.splitlines() if line.startswith(" MUC"))
        expected = found[name if averaged else "scores"]["muc"]
        ratios = [f"{100 * expected[one]:.2f}" for one in ("recall", "precision", "f1")]
        assert line.split()[1:4] == ratios
        assert ("recall is" in text) != averaged


@pytest.mark.parametrize("format", ["table", "markdown", "latex", "csv", "json"])
def test_every_format_names_key_and_response(format, capsys):
    assert main(["score", *FILES, "--format", format]) == 0
    text = capsys.readouterr().out
    assert "key" in text
    assert "cautious" in text
