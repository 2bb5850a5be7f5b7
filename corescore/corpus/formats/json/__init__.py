"""The formats that are JSON: a file each, and what they share in `objects` and `fields`."""
