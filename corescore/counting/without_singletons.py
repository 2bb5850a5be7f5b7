"""Changes of the response where a policy drops singletons, before or after the change."""

from dataclasses import replace

import numpy as np

from corescore.counting.contingency import Contingency, add_up
from corescore.counting.whatif import Changes, Steps
from corescore.util import BoolArray, IntArray


def dropping_new_singletons(changes: Changes) -> Changes:
    """The changes after which each response entity that they reduce to one mention, or begin with
    one, is dropped. Those that are singletons before stay."""
    sizes = changes.sizes
    single = np.flatnonzero((sizes.after == 1) & (sizes.before != 1))
    shared, numbers = (
        changes.within_entities(np.asarray, weight)[1][single].astype(np.int64)
        for weight in (None, np.arange(len(changes.table.key_sizes)))
    )
    leaving = _of_one_mention(sizes.change[single], sizes.response[single], shared, numbers, -1)
    return replace(changes, steps=Steps.joined(changes.steps, leaving))


def _of_one_mention(
    change: IntArray, response: IntArray, shared: IntArray, key: IntArray, sign: int
) -> Steps:
    """One mention, shared with `key` or not, leaves (−1) or joins (1) each response entity."""
    one = np.full(len(change), sign)
    return Steps(change, response, np.where(shared > 0, key, -1), one, sign * shared)


def without_singletons(changes: Changes, *, of_key: bool) -> Changes:
    """The same changes of the table without the response's singletons and, if `of_key`, the key's.

    A mention that joins a singleton makes a new entity of the two.
    """
    table, steps = changes.table, changes.steps
    keys = table.key_sizes > 1 if of_key else np.ones(len(table.key_sizes), dtype=bool)
    responses = table.response_sizes > 1
    n_left = int(responses.sum())
    is_new = np.append(~responses, True)[steps.response]
    joins = np.append(~responses, False)[steps.response] & (steps.mentions > 0)
    shared = np.minimum(table.response_shared, 1)
    numbers = add_up(table.cell_response, table.cell_key * table.cell_sizes, len(shared))
    of = steps.response[joins]
    met = _of_one_mention(steps.change[joins], of, shared[of], numbers[of].astype(np.int64), 1)
    stays = ~is_new | (steps.response == len(responses)) | joins
    every = Steps.joined(steps.rows(stays), met)
    return Changes(
        _kept(table, keys, responses),
        changes.document,
        _renumbered(
            every, keys, np.append(np.where(responses, _numbers(responses), n_left), n_left)
        ),
    )


def _renumbered(steps: Steps, keys: BoolArray, number: IntArray) -> Steps:
    """The steps with the numbers of what stays; with a key entity that goes nothing is shared."""
    key = np.append(np.where(keys, _numbers(keys), -1), -1)[steps.key]
    shared = np.where(key < 0, 0, steps.shared)
    return replace(steps, response=number[steps.response], key=key, shared=shared)


def _kept(table: Contingency, keys: BoolArray, responses: BoolArray) -> Contingency:
    cells = keys[table.cell_key] & responses[table.cell_response]
    return Contingency(
        table.n_documents,
        table.key_sizes[keys],
        table.key_document[keys],
        table.response_sizes[responses],
        table.response_document[responses],
        _numbers(keys)[table.cell_key[cells]],
        _numbers(responses)[table.cell_response[cells]],
        table.cell_sizes[cells],
    )


def _numbers(kept: BoolArray) -> IntArray:
    return np.cumsum(kept) - 1
