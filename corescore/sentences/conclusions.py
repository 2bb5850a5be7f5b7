"""What can be concluded of two systems, for the reader of a page and for a paper."""

import math
from collections.abc import Mapping

import pandas as pd

from corescore.analysis.systems.evidence import Evidence
from corescore.analysis.systems.holds import KEPT, NONE
from corescore.bibliography import NOREEN_1989
from corescore.metrics import HOW_MANY, METRIC_IDS, title_of
from corescore.rendering.text import TextTable
