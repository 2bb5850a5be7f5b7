"""Both sides of a corpus paired, matched and counted: the one table that feeds every metric."""
