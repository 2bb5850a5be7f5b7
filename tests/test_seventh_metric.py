"""A metric is one file and one line: the README's own, added as it says, works everywhere."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support import every_command, every_page
from tests.support.browser import open_at, served, turn_to, watched
from tests.support.seventh import plant

pytestmark = pytest.mark.slow

NAMED = {"score", "errors --impact", "metrics", "compare", "sweep", "conformance"}
PAGES = {"overview", "credit", "entities", "errors", "perturb", "compare", "many", "sandbox"}


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    return plant(tmp_path_factory.mktemp("seven"))


def run_in(tree, script):
    """What a script of tests/support prints in the copied project, as values."""
    done = subprocess.run(
        [sys.executable, Path(script.__file__)],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.long
def test_every_command_works_with_it_and_names_it(tree):
    for call in run_in(tree, every_command):
        words, said = " ".join(call["words"]), call["out"].casefold()
        if words.startswith("credit") and "shared" in words:
            assert call["code"] == 2
            assert call["err"].startswith("corescore: metric 'shared' does not tell ")
            continue
        assert call["code"] == 0, (words, call["err"])
        assert "traceback" not in call["err"].casefold()
        if call["words"][0] in NAMED or "--impact" in words:
            assert "shared" in said, words
    report = (tree / "report.html").read_text(encoding="utf-8")
    assert "How do the seven disagree" in report
    assert "Shared does not say" in report


@pytest.mark.long
def test_every_page_works_with_it_and_names_it(tree):
    pages = run_in(tree, every_page)
    assert not [error for page in pages.values() for error in page["exceptions"]]
    assert {page for page in PAGES if "Shared" not in pages[page]["text"]} == set()
    assert "How do the seven disagree" in pages["overview"]["text"]
    assert "Shared does not say" in pages["credit"]["text"]
    assert "Shared has no card" in pages["metrics"]["text"]
    assert "The arithmetic of Shared is not worked out here." in pages["sandbox"]["text"]


@pytest.mark.long
def test_a_browser_shows_it(tree, chromium):
    with served(cwd=tree) as address, watched(chromium, address) as page:
        open_at(page, address)
        expect(page.get_by_role("heading", level=1)).to_contain_text("the seven")
        expect(page.get_by_role("rowheader", name="Shared").first).to_be_visible()
        for name in ("Credit", "Two systems", "Sandbox", "Metrics"):
            turn_to(page, name)
            expect(page.get_by_test_id("stException")).to_have_count(0)
        page.get_by_role("radio", name="Shared").click()
        expect(page.get_by_text("Shared has no card")).to_be_visible()
