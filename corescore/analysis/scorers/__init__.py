"""Why two scorers give one file two scores: their policies, changed one at a time."""
