"""A metric that gives every document one half, and the comparison with an exact value."""

import numpy as np
import pytest

from corescore.counting.counts import Counts
from corescore.metrics import Metric


def _half(table):
    n = np.ones(table.n_documents)
    return Counts.of(n, 2 * n, n, 2 * n)


OWN = Metric(id="own", title="Own", unit="half", paper="none", counts=_half)


def exactly(expected):
    return pytest.approx(float(expected), abs=1e-12)
