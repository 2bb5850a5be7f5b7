"""How changes of the response change the best alignment of entities."""

from collections.abc import Callable

from corescore.arrays import FloatArray
from corescore.counting.assignment import best_assignment
from corescore.counting.changes import Changes
from corescore.counting.contingency import Contingency, add_up
from corescore.counting.recounted import Groups, batches, touched_groups

Similarity = Callable[[Contingency], FloatArray]


def aligned_changes(changes: Changes, similarity: Similarity) -> FloatArray:
    """(changes,) how the summed similarity of the best alignment changes.

    similarity  table → (cells,) what the alignment maximises; of each cell alone

    Entities that no cell joins, not even by way of others, are aligned independently: only the
    touched components of the table are aligned anew.
    """
    table = changes.table
    components = Groups.components(table)
    weight = similarity(table)
    chosen = best_assignment(table.components, weight)
    of_chosen = components.of_key[table.cell_key[chosen]]
    now = add_up(of_chosen, weight[chosen], components.n)
    touched = touched_groups(changes, components)
    change = -changes.by_change(touched.change, now[touched.group])
    for some, after in batches(changes, components, touched):
        change[some] += _aligned_sum(after, similarity(after))
    return change


def _aligned_sum(table: Contingency, weight: FloatArray) -> FloatArray:
    chosen = best_assignment(table.components, weight)
    return table.by_document(table.cell_document[chosen], weight[chosen])
