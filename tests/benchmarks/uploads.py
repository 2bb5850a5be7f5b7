"""The app with a key and a response of 100 MB each uploaded: how much memory it takes until it has
computed, in the background too, all that it computes of them.

Their rows are as wide as those of GUM, with as many mentions to so many words.
"""

import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, expect, sync_playwright

from corescore.corpus.documents import Corpus
from corescore.corpus.formats.conllu import write_conllu
from tests.benchmarks.app import CHROMIUM
from tests.benchmarks.much import app_on, load, peak, seconds_of, wait
from tests.benchmarks.timing import Row
from tests.benchmarks.visits import rest
from tests.support.browser import IDLE, OWN_FILES
from tests.support.chromium import find_chromium
from tests.support.synthetic import Shape, synthesise

GUM = Shape(documents=1_080, words=940, mentions=265, entities=130, missing=0.2, moved=0.1)
_SEED = 200
# From the part of speech to the dependencies, and what the last column says besides the entities;
# with a dash that is not ASCII, as most texts have one.
_COLUMNS = "NOUN\tNN\tNumber=Sing\t0\troot\t0:root|4:nsubj:xsubj"
_MORE = "Discourse=joint–list:4->9"


def rows() -> Iterator[Row]:
    """One row."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        paths = _files(Path(folder))
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM)
        with app_on([]) as (address, pid):
            page = browser.new_page()
            page.set_default_timeout(600_000)
            page.add_init_script(path=IDLE)
            load(page, address)
            taken = seconds_of(partial(_upload, page, paths))
            stood = peak(pid)
            rest(pid)
            megabytes = sum(path.stat().st_size for path in paths) / 1e6
            what = f"app, {megabytes:.0f} MB of key and response uploaded"
            until = f"{stood:.0f} MB until the page stood" if stood else ""
            yield Row(what, taken, None, until, megabytes=peak(pid), goal="upload")
        browser.close()


def _files(folder: Path) -> list[Path]:
    paths = [folder / "key.conllu", folder / "response.conllu"]
    corpora = synthesise(GUM, np.random.default_rng(_SEED))
    for path, corpus in zip(paths, corpora, strict=True):
        path.write_text(_wide(corpus))
    return paths


def _wide(corpus: Corpus) -> str:
    return "\n".join(map(_filled, write_conllu(corpus).split("\n")))


def _filled(line: str) -> str:
    """A row with something in each of its columns; other lines as they are."""
    if not line[:1].isdigit():
        return line
    number, word, *_, last = line.split("\t")
    said = _MORE if last == "_" else f"{_MORE}|{last}"
    return "\t".join((number, word, word, _COLUMNS, said))


def _upload(page: Page, paths: Sequence[Path]) -> float:
    """Until the first page shows them."""
    page.get_by_text(OWN_FILES, exact=True).click()
    for at, path in enumerate(paths):
        box = page.get_by_test_id("stFileUploader").nth(at)
        box.locator("input").first.set_input_files(path)
        expect(box.get_by_text(path.name)).to_be_visible()
        wait(page)
    shown = page.get_by_role("combobox", name="Shown")
    expect(shown).to_have_value("uploaded files", timeout=600_000)
    return wait(page)
