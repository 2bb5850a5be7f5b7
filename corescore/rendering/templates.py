"""Jinja2 templates → HTML. Every value is escaped unless it is `Markup` already."""

import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.environment import TemplateModule
from jinja2.ext import Extension
from markupsafe import Markup

from corescore.metrics import colour_of
from corescore.sentences.names import escaped, title
from corescore.wording import RATIOS, count, percent, signed


class JoinedLines(Extension):
    """Line breaks and indentation lay out a template; they are no part of the HTML."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return re.sub(r"\s*\n\s*", "", source)


ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    extensions=[JoinedLines],
)
ENVIRONMENT.filters |= {
    "count": count,
    "percent": percent,
    "signed": signed,
    "metric": title,  # the id of a metric → its name
    "prose": escaped,  # text → text with CEAF's subscripts
    "colour": colour_of,
}
ENVIRONMENT.globals |= {"RATIOS": RATIOS}


def render(template: str, block: str, /, **values: object) -> Markup:
    """The macro `block` of templates/`template`.html, called with these values."""
    return Markup(getattr(_module(template), block)(**values))


@cache
def _module(template: str) -> TemplateModule:
    return ENVIRONMENT.get_template(f"{template}.html").module
