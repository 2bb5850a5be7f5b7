"""Documents and corpora, what can be wrong with them, and the formats they are read from."""
