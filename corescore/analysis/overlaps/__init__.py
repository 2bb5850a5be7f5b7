"""Groups of overlapping entities: their grids, mentions and links."""
