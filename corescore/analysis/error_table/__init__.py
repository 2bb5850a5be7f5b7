"""The error table: one row per error, over the whole corpus."""
