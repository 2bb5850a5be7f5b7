"""A report: one HTML file with everything in it."""
