"""What is kept is told apart by all that it is made of: one part changes at a time."""

from types import SimpleNamespace

import pytest

from corescore.analysis.error_table.notes import NO_NOTES, Note, Notes
from corescore.analysis.errors.classes import INCORRECT
from corescore.counting.policies import Policies
from dashboard.session import analyses
from dashboard.session.caching import cached
from dashboard.session.files import Files, file_of
from dashboard.session.loaded import BY_CONTENT, Loaded, System
from dashboard.views import errors_list, export, many_systems
from tests.support.pages import run


def system(letter="A", response="r", *, key="k", policies=None, notes=NO_NOTES, other=None):
    result = SimpleNamespace(policies=policies or Policies())
    return System(letter, letter, result, None, ("key", key, "response", response), notes, other)


NOTES = Notes.of([Note("row")])
SYSTEM = system()
OTHER_SYSTEMS = {
    "the response": system(response="another"),
    "the key": system(key="another"),
    "the policies": system(policies=Policies(singletons="drop")),
    "the notes": system(notes=NOTES),
    "the system beside it": system(other=system("B")),
    "another system beside it": system(other=system("B", "another")),
}


def loaded(*systems, files=("one", "two")):
    files = Files(file_of("key", b"k"), tuple(file_of(name, name.encode()) for name in files))
    return Loaded("key", None, systems, files)


OTHERS_LOADED = {
    "A": loaded(system(response="another"), system("B")),
    "B": loaded(SYSTEM, system("B", "another")),
    "B's policies": loaded(SYSTEM, system("B", policies=Policies(match="head"))),
    "whether there is a B": loaded(SYSTEM),
}


def test_what_is_removed_is_told_apart_by_the_reading(monkeypatch):
    monkeypatch.setattr(analyses, "removal_table", lambda _, *, incorrect: incorrect)
    of = system(response="whose reading is asked for")
    assert [analyses.removal(of, incorrect=one) for one in INCORRECT] == list(INCORRECT)


@pytest.mark.usefixtures("few")
def test_a_sweep_is_told_apart_by_the_reading():
    app = run(view="perturb", seeds="1", do="more-precise:share=0.5")
    first = app.session_state["sweep"].job
    app.selectbox("step_0_more-precise_incorrect").select("linked").run()
    assert app.text_input("do").value == "more-precise:share=0.5,incorrect=linked"
    second = app.session_state["sweep"].job
    assert second is not first
    assert second.sweep.perturbation.incorrect == "linked"


def made_anew(work, of, other):
    """Whether something kept for the one is made anew for the other; what is kept stays so."""
    first = work(of)
    assert work(of) is first
    return work(other) is not first


@pytest.mark.parametrize("part", OTHER_SYSTEMS)
def test_what_is_made_of_a_system_is_told_apart_by(part):
    @cached(by=BY_CONTENT)
    def work(of: System):
        return object()

    of = system(other=system("B")) if part == "another system beside it" else SYSTEM
    assert made_anew(work, of, OTHER_SYSTEMS[part])


@pytest.mark.parametrize("part", OTHERS_LOADED)
def test_what_is_made_of_two_systems_is_told_apart_by(part):
    @cached(by=BY_CONTENT)
    def work(of: Loaded):
        return object()

    assert made_anew(work, loaded(SYSTEM, system("B")), OTHERS_LOADED[part])


@pytest.mark.parametrize("part", ["a file", "a policy", "which can be scored", "a setting"])
def test_what_is_made_of_many_systems_is_told_apart_by(part):
    @cached(by=many_systems._BY_FILES)
    def work(of, results, *, measure):
        return object()

    def results(**policies):
        return {"one": SimpleNamespace(policies=Policies(**policies))}

    of = loaded(SYSTEM)
    first = work(of, results(), measure="f1")
    assert work(of, results(), measure="f1") is first
    second = {
        "a file": lambda: work(loaded(SYSTEM, files=("one", "2")), results(), measure="f1"),
        "a policy": lambda: work(of, results(singletons="drop"), measure="f1"),
        "which can be scored": lambda: work(of, {}, measure="f1"),
        "a setting": lambda: work(of, results(), measure="recall"),
    }[part]()
    assert second is not first


def found(*, find="kind:missing", order="text", places=b"1"):
    """What the list shows, as far as its version asks."""
    return SimpleNamespace(find=find, order=order, places=SimpleNamespace(tobytes=lambda: places))


OTHERS_LISTED = {
    "the system": (system(response="another"), found()),
    "the policies": (system(policies=Policies(match="head")), found()),
    "the query": (SYSTEM, found(find="kind:extra")),
    "the order": (SYSTEM, found(order="cost.lea")),
    "the rows": (SYSTEM, found(places=b"2")),
}


@pytest.mark.parametrize("part", OTHERS_LISTED)
def test_the_list_is_told_apart_by(part):
    before = errors_list.list_version(SYSTEM, found())
    assert errors_list.list_version(SYSTEM, found()) == before
    assert errors_list.list_version(*OTHERS_LISTED[part]) != before


def test_a_report_made_under_other_policies_is_not_offered(monkeypatch):
    monkeypatch.setattr(export.report, "make", lambda *_, **__: "")
    app = run(view="export")
    app.button(key="make_report").click().run()
    assert not app.exception
    assert offered(app)
    app.selectbox(key="singletons").select("drop").run()
    assert not offered(app)


def offered(app):
    return [one for one in app.get("download_button") if "the report" in one.proto.label]
