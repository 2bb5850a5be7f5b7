"""Faults of the scripts of the pages, which only a browser runs."""

SCRIPTS = ()
