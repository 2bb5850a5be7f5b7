"""Several results over the documents that all of them have."""

from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from typing import TypeVar

import numpy as np

from corescore.arrays import IntArray
from corescore.corpus.problems import InputError, Problem
from corescore.counting.words import Few, list_documents
from corescore.scoring.scores import Scores, compared_by
from corescore.scoring.tally import Tally

Some = TypeVar("Some", bound=Tally)


def over_common_documents(results: Mapping[str, Some]) -> dict[str, Some]:
    """The results over the documents that all have, as where the policy `missing_documents` "skip"
    has left others out of each; a warning of a result says what is now left out of it, too.

    Raises InputError if they have no document in common.
    """
    common = set.intersection(*(set(result.documents) for result in results.values()))
    if not common:
        problem = Problem(
            next(iter(results)),
            0,
            "no document that the other responses have, too",
            "at least one that all have",
            "Score documents that a response lacks as empty, with missing documents 'empty'.",
        )
        raise InputError([problem])
    return {name: _over(result, common, name) for name, result in results.items()}


def _over(result: Some, common: Collection[str], name: str) -> Some:
    at = [i for i, document in enumerate(result.documents) if document in common]
    if len(at) == len(result.documents):
        return result
    lost = Few.of(document for document in result.documents if document not in common)
    warning = (
        f"{name} is scored without {list_documents(lost)}, which another response lacks: the "
        "responses are compared over the documents that all have."
    )
    of = _rows(result, np.array(at, dtype=np.int64))
    return replace(of, warnings=(*result.warnings, warning))


def _rows(result: Some, at: IntArray) -> Some:
    rows = result.rows(at)
    kept = {field.name: getattr(rows, field.name) for field in fields(rows)}
    if not isinstance(result, Scores):
        return replace(result, **kept)
    of = result.comparison
    sides = [of.key[i] for i in at], [of.response[i] for i in at]
    return replace(result, **kept, compared=compared_by(*sides, result.policies, result.metrics))
