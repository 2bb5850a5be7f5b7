"""Pradhan et al. 2014, poster: the figures of its Table 1."""

from pathlib import Path

from corescore.replication.printed import Printed

KEYS = ["data", "system", "metric"]
TABLE_1 = Printed("poster, Table 1", Path(__file__).with_name("table1.csv"), tuple(KEYS))
