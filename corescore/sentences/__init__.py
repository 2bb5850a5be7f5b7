"""Computed sentences: what is to be seen in a table or a chart."""
