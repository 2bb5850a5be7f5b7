"""Clicks on tables and charts under Streamlit's test runner, as the browser reports them, and the
links that they leave to be followed."""

import json
from urllib.parse import parse_qs

_NOTHING = {"rows": [], "columns": [], "cells": []}


def click_cell(app, table, row, column):
    """Click a cell of the table of this key; the app as it is drawn then."""
    return _select(app, _table(app, table), {**_NOTHING, "cells": [(row, column)]})


def click_head(app, table, column):
    """Click a column's head."""
    return _select(app, _table(app, table), {**_NOTHING, "columns": [column]})


def click_point(app, chart, stands_for):
    """Click a point of the chart of this key: `stands_for` is its `customdata`."""
    return _select(app, _chart(app, chart), {"points": [{"customdata": stands_for}]})


def rows(app, table):
    """The rows that the table of this key shows."""
    return _table(app, table).value


def drawn(app, chart):
    """What the chart of this key draws."""
    return json.loads(_chart(app, chart).proto.spec)


def _select(app, element, selection):
    states = app._tree.get_widget_states()
    told = json.dumps({"selection": selection})
    states.widgets.add(id=element.proto.id, string_value=told)
    clicked = app._run(states)
    assert not clicked.exception
    return clicked


def _table(app, key):
    return _only(app.dataframe, key)


def _chart(app, key):
    return _only(app.get("plotly_chart"), key)


def _only(elements, key):
    (found,) = (one for one in elements if one.key == key)
    return found


def links(app):
    """The page and the query that each link names, by what it says."""
    return {
        link.proto.label.replace("\\", ""): (
            link.proto.page,
            {name: value for name, (value,) in parse_qs(link.proto.query_string).items()},
        )
        for link in app.get("page_link")
    }


def headed(app, table):
    """The rows that the table of this key shows, each column under the head that it has there."""
    element = _table(app, table)
    columns = json.loads(element.proto.columns)
    heads = {name: column.get("label") or name for name, column in columns.items()}
    return element.value.rename(columns=heads)
