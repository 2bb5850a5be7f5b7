"""The file formats: what a format is, one module per family, and the list of all."""
