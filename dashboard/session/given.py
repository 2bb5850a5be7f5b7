"""Where the command line tells the app which files and cards to show, and whether to others.

Apart, since it is imported early.
"""

CARDS_VARIABLE = "CORESCORE_DASHBOARD_CARDS"
FILES_VARIABLE = "CORESCORE_DASHBOARD_FILES"
SHARED_VARIABLE = "CORESCORE_DASHBOARD_SHARED"  # "" if this machine alone reaches the app
