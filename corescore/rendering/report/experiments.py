"""The published experiments in a report, printed and computed."""

from collections.abc import Iterator
from functools import partial
from itertools import groupby

from markupsafe import Markup

from corescore.corpus.documents import Corpus
from corescore.corpus.problems import InputError, PolicyError
from corescore.plots import experiments as experiment_plots
from corescore.rendering import html as markup
from corescore.rendering import papers
from corescore.rendering.exhibits import Exhibit
from corescore.rendering.html import headline, signature
from corescore.rendering.report.blocks import Block, Subject, heading
from corescore.replication import EXPERIMENTS, Experiment
from corescore.replication.experiment import Outcome, in_paper, run
from corescore.replication.printed import Printed
from corescore.util import once


def experiments(subject: Subject) -> Iterator[Block]:
    """Every published experiment rerun; those that need data run on the key and A."""
    outcomes = [outcome for one in EXPERIMENTS if (outcome := _outcome(one, subject))]
    yield headline(papers.overall(outcomes))
    ran_on = f"{subject.systems[0].title} against {subject.key_name}"
    for paper, of_paper in groupby(outcomes, key=lambda outcome: outcome.experiment.paper):
        yield heading(f"{paper.name}: {paper.full_title}")
        for outcome in of_paper:
            on_data = outcome.experiment.on_data
            yield from _shown(outcome, ran_on) if on_data else _in_paper(outcome.experiment)


@once
def _in_paper(experiment: Experiment) -> tuple[Block, ...]:
    """An experiment without data, which comes out the same in every report."""
    return tuple(_shown(in_paper(experiment), ""))


def _outcome(experiment: Experiment, subject: Subject) -> Outcome | None:
    """The experiment rerun; None if it needs data and cannot use the subject's."""
    if not experiment.on_data:
        return in_paper(experiment)
    result = subject.systems[0].result
    key, response = (Corpus(of) for of in (result.comparison.key, result.comparison.response))
    try:
        setting = experiment.setting(key=key, response=response, policies=result.policies)
        return run(experiment, setting)
    except (InputError, PolicyError):
        return None


def _shown(outcome: Outcome, ran_on: str) -> Iterator[Block]:
    experiment = outcome.experiment
    where = f"{experiment.where}, run on {ran_on}" if ran_on else experiment.where
    yield heading(f"{experiment.title} ({where})", 4)
    sentence = papers.finding(outcome, changed=False)
    yield headline(sentence) + papers.claim_list(outcome.checks)
    draw = partial(experiment_plots.draw, experiment.chart, outcome.drawn)
    if figure := draw():
        table = partial(papers.readable_table, outcome.drawn, experiment.chart)
        yield Exhibit(experiment.id, sentence, experiment.title, lambda: figure, table)
    else:
        yield drawn_table(outcome)
    for one in experiment.printed:
        yield from printed_beside(outcome, one, ran_on)
    yield signature(outcome.signature)


def drawn_table(outcome: Outcome, *, most: int | None = None) -> Markup:
    """The rows that the chart draws, the first `most` of them, as a table."""
    experiment = outcome.experiment
    shown = outcome.drawn[:most]
    return markup.table_rows(papers.readable_table(shown, experiment.chart, experiment.title))


def printed_beside(outcome: Outcome, one: Printed, ran_on: str) -> Iterator[Markup]:
    """The figures of one of the paper's tables, each above the computed one."""
    beside = outcome.beside(one)
    caption = f"{outcome.experiment.source_of(one)}, printed and computed"
    yield headline(f"{one.title}. {papers.sentence(beside, one, ran_on=ran_on)}")
    yield papers.html_table(papers.as_table(beside, one.on), caption)
