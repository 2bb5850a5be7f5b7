"""Metrics of one's own, and a copy of the project with one of them."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from corescore.counting.counts import Counts
from corescore.metrics import Metric

# A metric that gives every document one half, and the comparison with an exact value --------------


def _half(table):
    n = np.ones(table.n_documents)
    return Counts.of(n, 2 * n, n, 2 * n)


OWN = Metric(id="own", title="Own", unit="half", paper="none", counts=_half)


def exactly(expected):
    return pytest.approx(float(expected), abs=1e-12)


# A file with a metric, as the documentation shows -------------------------------------------------

OWN_OF_OWN_METRIC = """
from corescore.metrics import Counts
from corescore.metrics import Metric


def counts(table):
    shared, key, response = (
        table.n_shared_mentions, table.n_key_mentions, table.n_response_mentions
    )
    return Counts.of(shared, key, shared, response)


OWN = Metric(id="own", title="Own", unit="mention", paper="none", counts=counts)
"""


# A copy of the project with the documentation's own metric registered, as its page says -----------

HOME = Path(__file__).parents[2]


def plant(folder):
    """Copy the project into a folder, and add the documentation's metric to it."""
    for name in ("corescore", "dashboard", "sample_data"):
        shutil.copytree(HOME / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    page = (HOME / "docs/howto/own-metric.md").read_text(encoding="utf-8")
    (written,) = re.findall(r"```python mymetric.py\n(.*?)```", page, re.DOTALL)
    (folder / "corescore/metrics/shared.py").write_text(written, encoding="utf-8")
    registry = folder / "corescore/metrics/registry.py"
    text = registry.read_text(encoding="utf-8")
    text = text.replace("    LEA,\n)", "    LEA,\n    SHARED,\n)")
    line = "from corescore.metrics.shared import SHARED\n"
    text = text.replace("\n\n__all__", f"\n{line}\n__all__", 1)
    assert len(re.findall(r"\bSHARED\b", text)) == 2
    registry.write_text(text, encoding="utf-8")
    return folder
