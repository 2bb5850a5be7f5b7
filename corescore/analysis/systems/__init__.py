"""Several responses to one key: which is better, where, and whether it may be luck."""
