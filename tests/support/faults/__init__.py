"""The faults that `make faults` makes, one at a time: each should fail a test."""

from tests.support.faults.core import CORE
from tests.support.faults.dashboard import DASHBOARD
from tests.support.faults.scripts import SCRIPTS

FAULTS = (*CORE, *DASHBOARD, *SCRIPTS)
