"""The façade: scores that know their tables, errors, comparison and plots. The top layer."""
