"""A toy key and response that can be edited move by move, and what each move would do."""
