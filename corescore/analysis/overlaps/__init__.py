"""Overlaps of key and response entities: what each costs, its grid, mentions and links."""
