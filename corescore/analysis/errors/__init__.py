"""Every error: classes of mentions, operations of seven kinds, slices, impact, and their tables."""
