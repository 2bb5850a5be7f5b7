"""The toy of the sandbox as HTML."""

import re

from corescore.metrics import metric_of
from corescore.rendering import classroom as sandbox_markup
from corescore.teaching.toy import Toy


def test_a_name_is_never_read_as_html():
    toy = Toy.of("{<b>x</b>,} {&}", "{<i> &}")
    steps = metric_of("bcub").textbook(toy.key, toy.response)
    drawn = sandbox_markup.arithmetic(steps, toy) + sandbox_markup.scores(toy, None)
    assert not re.search(r"<b>x|<i> ", drawn)
