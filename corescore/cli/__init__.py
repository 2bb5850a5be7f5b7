"""The commands: one file for each kind, and what they share."""
