"""What changes of the response do to the counts of a corpus, under any metric."""

import numpy as np

from corescore.counting.changes import Changes
from corescore.counting.counts import Counts
from corescore.counting.recounted import Groups, Touched, batches
from corescore.metrics.metric import Metric


def changed_counts(metric: Metric, changes: Changes) -> Counts:
    """(changes, parts) what to add to the corpus' counts: the closed form of a metric that has one,
    else the touched documents are counted anew."""
    return metric.changes(changes) if metric.changes else _recounted(metric, changes)


def _recounted(metric: Metric, changes: Changes) -> Counts:
    documents = Groups.documents(changes.table)
    touched = Touched(np.arange(len(changes.document)), changes.document)
    before = metric.counts(changes.table).rows(changes.document)
    after = [metric.counts(table) for _, table in batches(changes, documents, touched)]
    return Counts.of_documents(*after) - before if after else before
