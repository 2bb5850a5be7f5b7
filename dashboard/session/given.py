"""Where the command line tells the app which files to show: apart, since it is imported early."""

FILES_VARIABLE = "CORESCORE_DASHBOARD_FILES"
