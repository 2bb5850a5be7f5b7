"""What is loaded and selected, and every cache."""
