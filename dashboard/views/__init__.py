"""The pages, one module each, and the parts of large ones."""
