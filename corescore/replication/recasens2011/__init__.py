"""Recasens & Hovy 2011, BLANC."""
