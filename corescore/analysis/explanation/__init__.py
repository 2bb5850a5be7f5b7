"""What each metric gives a mention or an entity, with the arithmetic in words and numbers."""
