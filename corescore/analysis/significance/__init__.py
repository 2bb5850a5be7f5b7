"""Is a difference significant? Counts of documents are resampled; nothing is scored twice."""
