"""The register of URL names: every name in use is registered once, for the pages that use it."""

import ast
from collections import Counter
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import dashboard
from dashboard.navigation import _SECTIONS
from dashboard.session.url_names import FORMER, REGISTER
from dashboard.views import errors_impact, errors_list, sandbox_session
from dashboard.widgets.policies import POLICIES
from tests.support.browser import open_at, turn_to, wait_until_idle
from tests.support.pages import run

ROOT = Path(dashboard.__file__).parent
PAGES = {
    f"dashboard.views.{module.removesuffix('.page')}": path
    for section in _SECTIONS.values()
    for path, _, module in section
}
ON = {one.name: one.pages.split() for one in REGISTER}
# Names that are read from a tuple, a mapping or the URL itself, looked at below.
COMPUTED = {
    "dashboard.session.link",
    "dashboard.views.errors_list",
    "dashboard.views.errors",
    "dashboard.views.experiments",
    "dashboard.views.sandbox_session",
    "dashboard.views.two_systems_argument",
    "dashboard.widgets.selection",
    "dashboard.widgets.policies",
}


def sources():
    """The modules of the app: their names, and their syntax trees."""
    for path in sorted(ROOT.rglob("*.py")):
        name = ".".join(("dashboard", *path.relative_to(ROOT).with_suffix("").parts))
        yield name, ast.parse(path.read_text(encoding="utf-8"))


def keyword(call, name):
    return next((one.value for one in call.keywords if one.arg == name), None)


def parameters(function):
    return [one.arg for one in (*function.args.args, *function.args.kwonlyargs)]


def defaults(function):
    """The parameters that have a constant by default."""
    arguments, filled = function.args.args, function.args.defaults
    both = [*zip(arguments[len(arguments) - len(filled) :], filled, strict=True)]
    both += zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
    return {one.arg: value.value for one, value in both if isinstance(value, ast.Constant)}


def calls(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def called(call):
    return ast.unparse(call.func).rpartition(".")[2]


def is_bound(call):
    return keyword(call, "bind") is not None


def binders(trees):
    """Functions that bind a widget to the name that they are called with: the parameter's place and
    name, and the name by default."""
    found = {"accept_ids": (0, "key", None), "rename_in_url": (0, "key", None)}
    while True:
        before = dict(found)
        for tree in trees.values():
            for function in (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)):
                names = parameters(function)
                for call in calls(function):
                    value = named(call, found)
                    if isinstance(value, ast.Name) and value.id in names:
                        n_positional = len(function.args.args)
                        at = names.index(value.id)
                        at = at if at < n_positional else 99  # by its name only
                        default = defaults(function).get(value.id)
                        found.setdefault(function.name, (at, value.id, default))
        if found == before:
            return found


def named(call, found):
    """The expression for the URL name that a call binds or asks for; None for other calls."""
    if is_bound(call):
        return keyword(call, "key")
    if called(call) in found:
        at, name, default = found[called(call)]
        given = keyword(call, name) or (call.args[at] if len(call.args) > at else None)
        return given or (ast.Constant(default) if default else None)
    of = call.func.value if isinstance(call.func, ast.Attribute) else None
    if of is not None and ast.unparse(of) == "st.query_params" and call.args:
        return call.args[0] if called(call) in ("get", "get_all", "pop") else None
    return None


def values(module, function, node):
    """The constants that an expression may be; none if it is computed."""
    if isinstance(node, ast.Constant):
        return {node.value}
    if isinstance(node, ast.IfExp):
        return values(module, function, node.body) | values(module, function, node.orelse)
    if isinstance(node, ast.Name):
        for one in ast.walk(function):
            if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == node.id:
                return values(module, function, one.value)
    if isinstance(node, (ast.Name, ast.Attribute)):
        loaded = import_module(module)
        try:
            value = eval(ast.unparse(node), vars(loaded))
        except (NameError, AttributeError):
            return set()
        return {value} if isinstance(value, str) else set()
    return set()


def subscripts(tree):
    """What is read, written, deleted and looked for in the URL by brackets and `in`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "st.query_params":
            yield node.slice
        elif (
            isinstance(node, ast.Compare) and ast.unparse(node.comparators[0]) == "st.query_params"
        ):
            yield node.left


@cache
def uses():
    """The URL names in use, each with its module; "" for one that is computed."""
    trees = dict(sources())
    found = binders(trees)
    found_uses = set()
    for module, tree in trees.items():
        if module == "dashboard.app":
            continue
        for function in (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)):
            asked_for = [named(call, found) for call in calls(function)]
            for node in (*(one for one in asked_for if one is not None), *subscripts(function)):
                if isinstance(node, ast.Name) and node.id in parameters(function):
                    continue  # its callers name it
                for name in values(module, function, node) or {""}:
                    found_uses.add((module, name))
    return found_uses


def page_of(module):
    return next((PAGES[one] for one in PAGES if f"{module}.".startswith(f"{one}.")), None)


def test_every_name_has_one_meaning():
    assert [name for name, n in Counter(one.name for one in REGISTER).items() if n > 1] == []
    pages = set(PAGES.values())
    assert all(on == ["*"] or (on and set(on) <= pages) for on in ON.values())
    assert all(one.meaning for one in REGISTER)


def test_every_name_in_use_is_registered_for_its_page():
    found = uses()
    assert {module for module, name in found if not name} <= COMPUTED
    wrong = {
        (module, name)
        for module, name in found
        if name
        and (
            name not in ON or not (page_of(module) is None or {"*", page_of(module)} & {*ON[name]})
        )
    }
    # The lesson and the sandbox show the pitfalls' cards
    shared = {use for use in wrong if use[0].startswith("dashboard.views.pitfalls")}
    assert wrong - shared == set()
    assert {name for _, name in shared} <= set(ON)
    assert len({name for _, name in found}) > 60


def test_names_that_are_computed_are_registered():
    assert set(POLICIES) <= set(ON)
    assert set(errors_list.NAMES) <= {name for name in ON if "errors" in ON[name]}
    assert {*errors_impact.PARAMETERS} <= {name for name in ON if "errors" in ON[name]}
    assert set(sandbox_session._PARAMS) == {name for name in ON if ON[name] == ["sandbox"]}


def test_no_name_is_registered_in_vain():
    by_register = {name for _, name in uses()} | {
        *POLICIES,
        *errors_list.NAMES,
        *sandbox_session._PARAMS,
    }
    by_links = {"files", "upload", "token", "errors_by", "from", "to"}
    assert set(ON) - by_register <= by_links


@pytest.mark.slow
@pytest.mark.parametrize(("page", "former", "now"), FORMER)
def test_old_links_select_the_same(page, former, now):
    value = {"search": "needle", "list": "Statements", "about": "LEA"}[now]
    app = run(view=page, **{former: value})
    assert former not in app.query_params
    assert app.query_params[now] in (value, [value])
    shown = {box.key: box.value for box in (*app.text_input, *app.segmented_control)}
    assert shown[now] in (value, value.lower())


@pytest.mark.slow
def test_back_from_text_leaves_the_query_of_errors(page, address):
    open_at(page, f"{address}/errors")
    search = page.get_by_role("combobox", name="Search the errors")
    search.fill("class:missing")
    search.press("Enter")
    wait_until_idle(page)
    turn_to(page, "Text")
    page.go_back()
    wait_until_idle(page)
    assert search.input_value() == "class:missing"
    assert "find=class" in page.url
