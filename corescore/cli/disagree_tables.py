"""The tables of `corescore disagree`."""

from argparse import Namespace
from collections.abc import Mapping
from typing import Any

import pandas as pd

from corescore.analysis.scorers import (
    ORDER,
    OURS,
    SHOWN,
    Rescored,
    moved_documents,
    moved_mentions,
    scorers,
    walk,
)
from corescore.analysis.search import preset_table, printed_number, search
from corescore.metrics import name_of
from corescore.rendering.columns import Column, Columns, metric_column
from corescore.rendering.scores import short_names
from corescore.rendering.text import Table
from corescore.sentences import scorers as sentences
from corescore.version import __version__
from corescore.wording import RATIOS

Responses = Mapping[str, Rescored]


def presets(responses: Responses, metric: str, measure: str) -> Table:
    """What each scorer says of each response."""
    frame = preset_table(_short(responses), scorers(), measure=measure)
    columns: Columns = [
        Column("scorer", sentences.scorer_title, ("scorer",)),
        *["response"] * (len(responses) > 1),
        *(metric_column(name) for name in SHOWN if name in frame),
    ]
    refusals = frame[frame["refusal"] != ""]
    notes = [
        f"{RATIOS[measure]} in percent. – if a scorer does not have the metric.",
        sentences.spread(frame, metric),
        *(f"{row['scorer']} refuses the files: {row['refusal']}" for _, row in refusals.iterrows()),
    ]
    return Table(frame, columns, notes=notes, signature=_by(f"{RATIOS[measure]} by scorer"))


def walks(responses: Responses, options: Namespace) -> Table:
    """How each change of policy moves the score, from one scorer to another."""
    start, metric, measure = options.start or OURS, options.metric, options.measure
    ends = scorers()[start].policies, scorers()[options.to].policies
    rows: list[dict[str, Any]] = []
    notes = []
    for name, of in _short(responses).items():
        taken = walk(of, *ends, metric, measure=measure)
        for step in taken.steps:
            documents = moved_documents(of, step, metric, measure)
            rows.append(
                {
                    "response": name,
                    "policy": step.policy,
                    "from": step.old,
                    "to": step.new,
                    "before": step.score_before,
                    "after": step.score_after,
                    "difference": step.difference,
                    "documents": sentences.documents_moved(documents),
                    "mentions": sentences.mentions_moved(moved_mentions(of, step, metric)),
                }
            )
        notes.append(sentences.walked(taken, start, options.to, name))
    columns = ["response", "policy", "from", "to", "before", "after", "walk.difference"]
    columns += ["documents", "walk.mentions"]
    frame = pd.DataFrame(rows, columns=[name.removeprefix("walk.") for name in columns])
    notes.append(f"Changed in this order: {', '.join(ORDER)}.")
    about = _by(f"{name_of(metric)} {RATIOS[measure]} | from {start} to {options.to}")
    shown = columns[frame["response"].nunique() <= 1 :]
    return Table(frame, shown, notes=notes, signature=about)


def found(responses: Responses, text: str) -> Table:
    """The settings that print a number, or the nearest values."""
    number = printed_number(text)
    result = search(_short(responses), number)
    about = _by(f"settings that print {number}")
    return Table(result.rows, notes=(sentences.found(result),), signature=about)


def _by(about: str) -> str:
    return f"corescore {__version__} | {about}"


def _short(responses: Responses) -> dict[str, Rescored]:
    return dict(zip(short_names(responses), responses.values(), strict=True))
