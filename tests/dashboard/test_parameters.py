"""What pages write into their URLs is read back where a link is opened."""

import pytest

from dashboard.navigation import _SECTIONS
from tests.support.pages import run

VIEWS = [entry[0] for section in _SECTIONS.values() for entry in section]
# Their options depend on a box beside them, which the same link changes.
DEPENDENT = {"document", "a", "b"}


def choices(app):
    """The boxes and switches whose selection stands in the URL, with what each shows."""
    widgets = [*app.selectbox, *app.segmented_control]
    return {w.key: w for w in widgets if w.proto.query_param_key and w.key not in DEPENDENT}


def shown(widget):
    """What is selected, in the words that stand in the URL."""
    value = widget.value
    return [widget.format_func(one) for one in (value if isinstance(value, list) else [value])]


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS)
def test_every_box_shows_what_its_link_selects(view):
    for key, widget in choices(run(view=view)).items():
        last = widget.options[-1]
        app = run(view=view, **{key: last})
        assert shown(choices(app)[key]) == [last], (key, last)


@pytest.mark.parametrize(
    ("view", "key", "given", "selected", "written"),
    [
        ("credit", "metric", "lea", "lea", "LEA"),
        ("entities", "worst_by", "CeafE", "ceafe", "CEAFₑ"),
        ("documents", "by", "bcub", "bcub", "B³"),
    ],
)
def test_a_link_may_name_a_metric_by_its_id(view, key, given, selected, written):
    app = run(view=view, **{key: given})
    assert app.selectbox(key=key).value == selected
    assert app.query_params[key] in (written, [written])


def test_a_metric_that_does_not_exist_leaves_the_first():
    assert run(view="credit", metric="nonsense").selectbox(key="metric").value == "muc"
