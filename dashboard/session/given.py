"""Where the command line tells the app which files and cards to show.

Apart, since it is imported early.
"""

CARDS_VARIABLE = "CORESCORE_DASHBOARD_CARDS"
FILES_VARIABLE = "CORESCORE_DASHBOARD_FILES"
