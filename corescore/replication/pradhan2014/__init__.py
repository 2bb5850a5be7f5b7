"""Pradhan et al. 2014, the reference scorer."""
