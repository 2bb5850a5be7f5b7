"""Counts of a corpus → scores under named policies."""
