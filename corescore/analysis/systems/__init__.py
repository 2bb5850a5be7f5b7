"""Several responses to one key: which is better, where, and whether chance could explain it."""
