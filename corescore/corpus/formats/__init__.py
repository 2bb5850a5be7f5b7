"""Reading and writing: `read` finds out which format a file is in, `write` goes by its name."""
