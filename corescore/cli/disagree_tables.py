"""The tables of `corescore disagree`: a frame with fractions, and the same to be read."""

import argparse
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from corescore.analysis.scorers.rescored import OURS, SHOWN, Rescored, scorers
from corescore.analysis.scorers.search import preset_table, printed_number, ranking_grid, search
from corescore.analysis.scorers.walk import (
    ORDER,
    Walk,
    moved_documents,
    moved_mentions,
    shapley,
    walk,
)
from corescore.metrics import title_of
from corescore.rendering.scores import short_names
from corescore.rendering.text import TextTable
from corescore.sentences import scorers as sentences
from corescore.wording import RATIOS, percent, signed

Responses = Mapping[str, Rescored]
Tables = tuple[pd.DataFrame, TextTable, str]


def presets(responses: Responses, metric: str, measure: str) -> Tables:
    """What each scorer says of each response."""
    frame = preset_table(_short(responses), scorers(), measure=measure)
    shown = [name for name in SHOWN if name in frame]
    head = ["scorer", *(["response"] * (len(responses) > 1)), *map(title_of, shown)]
    rows = [
        [
            sentences.scorer_title(str(row["scorer"])),
            *([str(row["response"])] * (len(responses) > 1)),
            *(percent(row[name]) for name in shown),
        ]
        for _, row in frame.iterrows()
    ]
    refusals = frame[frame["refusal"] != ""]
    notes = [
        f"{RATIOS[measure]} in percent. – stands where a scorer does not have the metric.",
        sentences.spread(frame, metric),
        *(f"{row['scorer']} refuses the files: {row['refusal']}" for _, row in refusals.iterrows()),
    ]
    left = range(1 + (len(responses) > 1))
    return frame, TextTable(head, rows, left, tuple(notes)), f"{RATIOS[measure]} by scorer"


def walks(responses: Responses, options: argparse.Namespace) -> Tables:
    """How each change of policy moves the score, from one scorer to another."""
    start, metric, measure = options.start or OURS, options.metric, options.measure
    ends = scorers()[start].policies, scorers()[options.to].policies
    rows: list[dict[str, Any]] = []
    notes = []
    for name, of in _short(responses).items():
        taken = walk(of, *ends, metric, measure=measure)
        shares = shapley(of, *ends, metric, measure=measure) if options.shapley else {}
        rows += _steps(name, of, taken, shares)
        notes.append(sentences.walked(taken, start, options.to, name))
    columns = ["response", "policy", "from", "to", "before", "after", "difference"]
    columns += [*(["shapley"] if options.shapley else []), "documents", "mentions"]
    frame = pd.DataFrame(rows, columns=columns)
    notes.append(f"Changed in this order: {', '.join(ORDER)}.")
    about = f"{title_of(metric)} {RATIOS[measure]} | from {start} to {options.to}"
    return frame, _readable_walk(frame, tuple(notes)), about


def _steps(
    name: str, of: Rescored, taken: Walk, shares: Mapping[str, float]
) -> list[dict[str, Any]]:
    rows = []
    for step in taken.steps:
        documents = moved_documents(of, step, taken.metric, taken.measure)
        row: dict[str, Any] = {
            "response": name,
            "policy": step.policy,
            "from": step.old,
            "to": step.new,
            "before": step.score_before,
            "after": step.score_after,
            "difference": step.difference,
            "shapley": shares.get(step.policy),
            "documents": sentences.documents_moved(documents),
            "mentions": sentences.mentions_moved(moved_mentions(of, step, taken.metric)),
        }
        rows.append(row)
    return rows


def _readable_walk(frame: pd.DataFrame, notes: tuple[str, ...]) -> TextTable:
    written = {"before": percent, "after": percent, "difference": signed, "shapley": signed}
    columns = [name for name in frame if name != "response" or frame["response"].nunique() > 1]
    return _written(frame[columns], written, notes)


def _written(
    frame: pd.DataFrame, written: Mapping[str, Callable[[Any], str]], notes: tuple[str, ...]
) -> TextTable:
    """A frame as texts: some columns as a function writes them, numbers at their right edge."""
    columns = [str(name) for name in frame]
    cells = [[written.get(name, str)(value) for value in frame[name]] for name in columns]
    left = [at for at, name in enumerate(columns) if frame[name].dtype.kind != "f"]
    return TextTable(columns, list(zip(*cells, strict=True)), left, notes)


def grid(responses: Responses, metric: str, measure: str) -> Tables:
    """The order of the responses under each combination of policies."""
    frame = ranking_grid(_short(responses), metric, measure=measure)
    scores = [str(name) for name in frame if str(name).startswith("score ")]
    head = ["policies", *(name.removeprefix("score ") for name in scores), "ranking"]
    rows = [
        [
            sentences.changed_policies(row, frame),
            *(percent(row[name]) for name in scores),
            str(row["ranking"]),
        ]
        for _, row in frame.iterrows()
    ]
    notes = (f"{title_of(metric)} in percent.", sentences.rankings(frame))
    about = f"{title_of(metric)} {RATIOS[measure]} | {len(frame)} combinations of policies"
    return frame, TextTable(head, rows, (0, len(head) - 1), notes), about


def found(responses: Responses, text: str) -> Tables:
    """The settings that print a number, or the nearest values."""
    number = printed_number(text)
    result = search(_short(responses), number)
    said = sentences.found(result)
    written: dict[str, Callable[[Any], str]] = {
        "metric": title_of,
        "measure": RATIOS.__getitem__,
        "value": percent,
    }
    shown = _written(result.rows, written, (said,))
    return result.rows, shown, f"settings that print {number}"


def _short(responses: Responses) -> dict[str, Rescored]:
    return dict(zip(short_names(responses), responses.values(), strict=True))
