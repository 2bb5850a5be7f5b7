"""What changes of the response do to the counts of a corpus, under any metric."""

from corescore.counting.counts import Counts
from corescore.counting.whatif import Changes, batches
from corescore.metrics.metric import Metric


def changed_counts(metric: Metric, changes: Changes) -> Counts:
    """(changes, parts) what to add to the corpus' counts: the closed form of a metric that has one,
    else the touched documents are counted anew."""
    return metric.changes(changes) if metric.changes else recounted(metric, changes)


def recounted(metric: Metric, changes: Changes) -> Counts:
    """(changes, parts) the same, for any metric: the touched documents, counted anew."""
    before = metric.counts(changes.table).rows(changes.document)
    after = [metric.counts(table) for table in batches(changes)]
    return Counts.of_documents(*after) - before if after else before
