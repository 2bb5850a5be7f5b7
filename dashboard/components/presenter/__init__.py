"""Keys for pages that show one card after another."""
