"""A file with a metric, as the README tells its readers to write one."""

OWN = """
from corescore.metrics import Counts
from corescore.metrics import Metric


def counts(table):
    shared, key, response = (
        table.n_shared_mentions, table.n_key_mentions, table.n_response_mentions
    )
    return Counts.of(shared, key, shared, response)


OWN = Metric(id="own", title="Own", unit="mention", paper="none", counts=counts)
"""
