"""Every public function and class has an example in its docstring, which is true."""

import shutil
from types import SimpleNamespace

import pytest

from corescore.util import bundled
from tests.support.examples import PUBLIC, failures


class Doc(list):
    """A stand-in for a spaCy Doc: its tokens in order, and span groups by their keys."""

    def __init__(self, words, *spans):
        super().__init__(
            SimpleNamespace(text=word, is_sent_start=None, tag_="", lemma_="") for word in words
        )
        self.spans = {"coref_clusters_1": [SimpleNamespace(start=a, end=b) for a, b in spans]}


@pytest.fixture(scope="module")
def sample_data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    for file in bundled("sample_data").glob("*.conll"):
        shutil.copy(file, folder)
    shutil.copytree(bundled("sample_data") / "split_antecedents", folder / "split_antecedents")
    return folder


@pytest.mark.parametrize("name", [n for n in PUBLIC if not n.startswith("corescore.distributed.")])
def test_every_public_name_has_an_example_and_it_is_true(name, sample_data, monkeypatch):
    """Those of a cluster are run in `tests/distributed`."""
    monkeypatch.chdir(sample_data)
    assert failures(name, nlp=lambda text: Doc(text[:-1].split(), (0, 1), (2, 3))) == ""
