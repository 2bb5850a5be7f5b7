"""The section of a report on the published experiments."""

import math
from collections.abc import Hashable, Iterator
from itertools import groupby
from typing import Any

from markupsafe import Markup

from corescore.corpus.documents import Corpus
from corescore.corpus.problems import InputError, PolicyError
from corescore.once import once
from corescore.plots import experiments as experiment_plots
from corescore.rendering import claims, errata, printed
from corescore.rendering.html import headline, note, rows_table, signature
from corescore.rendering.report.blocks import Block, Drawing, Subject, heading
from corescore.replication import EXPERIMENTS, Experiment
from corescore.replication.errata import ERRATA, OPEN_READINGS, errata_table
from corescore.replication.erratum import Erratum
from corescore.replication.experiment import Outcome, in_paper, run
from corescore.replication.printed import Printed
from corescore.sentences.verdicts import overall


def experiments(subject: Subject) -> Iterator[Block]:
    """Every published experiment rerun; those that need data run on the key and A."""
    outcomes = [outcome for one in EXPERIMENTS if (outcome := _outcome(one, subject))]
    yield headline(overall([outcome.checks for outcome in outcomes], n_waiting=0))
    ran_on = f"{subject.systems[0].title} against {subject.key_name}"
    for paper, of_paper in groupby(outcomes, key=lambda outcome: outcome.experiment.paper):
        yield heading(f"{paper.name}: {paper.full_title}")
        for outcome in of_paper:
            on_data = outcome.experiment.on_data
            yield from _shown(outcome, ran_on) if on_data else _in_paper(outcome.experiment)
    for title, of, about in (
        ("Errata of the papers", ERRATA, errata.ERRATA_ABOUT),
        ("Open readings", OPEN_READINGS, errata.OPEN_ABOUT),
    ):
        yield heading(title)
        yield headline(errata.headline(of, len(of))) + note(about)
        for row in _rows(of):
            yield errata.erratum(row)


@once
def _rows(of: tuple[Erratum, ...]) -> list[dict[Hashable, Any]]:
    """The rows of `errata_table`, each with its paper before the place."""
    table = errata_table(of)
    table["where"] = table["paper"] + ", " + table["where"]
    return table.to_dict("records")


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


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "–" if math.isnan(value) else f"{value:.2f}"
    return str(value)


def _shown(outcome: Outcome, ran_on: str) -> Iterator[Block]:
    experiment = outcome.experiment
    where = f"{experiment.where}, run on {ran_on}" if ran_on else experiment.where
    yield heading(f"{experiment.title} ({where})", 4)
    sentence = claims.finding(outcome, changed=False)
    yield headline(sentence) + claims.claim_list(outcome.checks)
    figure = experiment_plots.draw(experiment.chart, outcome.drawn)
    if figure:
        yield Drawing(figure, experiment.id, f"{experiment.title} {sentence}")
    else:
        yield drawn_table(outcome)
    for one in experiment.printed:
        yield from printed_beside(outcome, one, ran_on)
    yield signature(outcome.signature)


def drawn_table(outcome: Outcome, *, most: int | None = None) -> Markup:
    """The rows that the chart draws, the first `most` of them, as a table."""
    experiment = outcome.experiment
    table = claims.readable(outcome.drawn[:most], experiment.chart)
    rows = [[_cell(value) for value in row] for row in table.itertuples(index=False)]
    words = {
        at for at, cell in enumerate(rows[0] if rows else ()) if not cell.replace(".", "").isdigit()
    }
    return rows_table(experiment.title, [str(name) for name in table], rows, words=words)


def printed_beside(outcome: Outcome, one: Printed, ran_on: str) -> Iterator[Markup]:
    """The figures of one of the paper's tables, each above the computed one."""
    beside = outcome.beside(one)
    caption = f"{outcome.experiment.source_of(one)}, printed and computed"
    yield headline(f"{one.title}. {printed.sentence(beside, one, ran_on=ran_on)}")
    yield printed.html_table(printed.as_table(beside, one.on), caption)
