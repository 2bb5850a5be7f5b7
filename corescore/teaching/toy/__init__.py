"""A small key and response to edit move by move, and the effect of each move on the scores."""
