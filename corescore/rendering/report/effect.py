"""The mention identification effect in a report: scores and ranks of all systems without it."""

from collections.abc import Iterator
from dataclasses import replace

from corescore.analysis.systems.effect import identification_effect
from corescore.plots.many import slopes
from corescore.rendering import html as markup
from corescore.rendering import many as tables
from corescore.rendering.html import headline, note
from corescore.rendering.report.blocks import Block, Drawing, Subject
from corescore.sentences import many as many_sentences


def effect(subject: Subject) -> Iterator[Block]:
    """Scores and ranks before and after incorrectly resolved mentions are removed."""
    removed = identification_effect({system.title: system.result for system in subject.systems})
    made = tables.effect_table(removed)
    sentence, *other = made.said
    yield headline(sentence)
    yield Drawing(slopes(removed), "effect", sentence)
    yield note(" ".join([many_sentences.SLOPES, *other]))
    yield markup.drawn(replace(made, said=(), signature=subject.signature))
