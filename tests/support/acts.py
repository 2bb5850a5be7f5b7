"""What is done on a page under Streamlit's test runner, and what the page says then."""

from tests.support.pages import html, reads

_KINDS = (
    *("selectbox", "segmented_control", "toggle", "checkbox", "text_input", "number_input"),
    *("slider", "multiselect", "text_area"),
)


def choose(app, key, value):
    """Set the widget of this key; the app as it is drawn then."""
    (widget,) = (one for kind in _KINDS for one in getattr(app, kind) if one.key == key)
    return widget.set_value(value).run()


def press(app, name):
    """Press the button of this key or with these words on it."""
    return next(one for one in app.button if name in (one.key, one.label)).click().run()


def says(app, *parts):
    """Whether the page has these names and numbers, as `reads` looks for them."""
    return reads(html(app), *parts)
