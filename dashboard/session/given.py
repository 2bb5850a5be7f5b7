"""Where the command line tells the app what to show, and whether to others.

Apart, since it is imported early.
"""

import os

CARDS_VARIABLE = "CORESCORE_DASHBOARD_CARDS"
DATA_SETS_VARIABLE = "CORESCORE_DASHBOARD_DATA_SETS"
FILES_VARIABLE = "CORESCORE_DASHBOARD_FILES"
GENRES_VARIABLE = "CORESCORE_DASHBOARD_GENRES"
SHARED_VARIABLE = "CORESCORE_DASHBOARD_SHARED"  # "" if this machine alone reaches the app


def is_shared() -> bool:
    """Whether others than the user of this computer may use the app."""
    return bool(os.environ.get(SHARED_VARIABLE))
