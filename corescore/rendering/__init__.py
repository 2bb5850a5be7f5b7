"""Results as text, files and HTML."""
