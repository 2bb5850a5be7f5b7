"""What the tests of the dashboard share."""

import gc
from functools import cache, partial

import pytest
from streamlit import config
from streamlit.runtime.scriptrunner.script_cache import ScriptCache

from dashboard.views import perturb
from tests.support import pages
from tests.support.browser import open_at, watched
from tests.support.pages import GIVEN, name_files
from tests.support.samples import RESPONSES, first_documents


@pytest.fixture(scope="session", autouse=True)
def _no_usage_statistics():
    """As `dashboard.launch` starts the app; they take 7% of a run."""
    config.set_option("browser.gatherUsageStats", False)


@pytest.fixture(scope="session", autouse=True)
def _compiled_once():
    """Each run of an AppTest compiles its script, though no test changes one: a third of a run of
    a small page."""
    compile_script = ScriptCache.get_bytecode
    compiled = cache(lambda path: compile_script(ScriptCache(), path))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ScriptCache, "get_bytecode", lambda _, path: compiled(path))
        yield


@pytest.fixture(scope="session", autouse=True)
def _short_sweeps():
    """A page of Perturb comes to its end with its sweep: at eleven doses that takes a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(perturb, "DOSES", (0.5, 1.0))
        yield


@pytest.fixture(scope="session", autouse=True)
def _garbage_collected_seldom():
    """The pages that are kept for all tests are many objects to look through: 10% of the time."""
    before = gc.get_threshold()
    gc.set_threshold(20_000, 20, 50)
    yield
    gc.set_threshold(*before)


@pytest.fixture(scope="module", autouse=True)
def _garbage_of_this_file():
    """What tests of other files keep is not looked through again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _no_files_given(monkeypatch):
    for variable in GIVEN:
        monkeypatch.setenv(variable, "")  # so that one that `launch` sets in a test is gone then
        monkeypatch.delenv(variable)


@pytest.fixture(scope="session")
def four_documents(tmp_path_factory):
    """Key and responses of the sample data, cut to four of its seventeen documents."""
    folder = tmp_path_factory.mktemp("four")
    paths = [folder / f"{name}.conll" for name in ("key", *RESPONSES)]
    for path in paths:
        path.write_text(first_documents(path.stem, 4), encoding="utf-8")
    return paths


@pytest.fixture
def give(monkeypatch, tmp_path):
    """Writes files, and names them as the command line does."""
    return partial(pages.give, monkeypatch, tmp_path)


@pytest.fixture
def few(four_documents, monkeypatch):
    """The app shows these: for tests in which nothing depends on how much is shown."""
    name_files(monkeypatch, *four_documents)


@pytest.fixture
def compared():
    """Two systems, by CEAFₑ."""
    return pages.page_of("compare", trials="100", by="CEAFₑ")


@pytest.fixture
def behind():
    """The same with what is behind the difference, by status."""
    return pages.page_of("compare", trials="100", right_by="status")


@pytest.fixture(scope="module")
def opened(chromium, address):
    """A page that goes from place to place, and an empty one."""
    with watched(chromium, address) as page, watched(chromium, address) as paper:
        page.bring_to_front()
        open_at(page, address)
        yield page, paper
