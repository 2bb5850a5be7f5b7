"""Whether a difference is luck: counts of documents drawn anew, nothing scored twice."""
