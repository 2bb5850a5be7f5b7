"""Formats whose mentions point into a text that stands elsewhere, often in a second file."""
