"""The script that takes the pictures of README and documentation: `make pictures`."""
