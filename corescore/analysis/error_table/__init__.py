"""The error table: a row for each error, over the whole corpus."""
