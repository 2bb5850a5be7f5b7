"""Luo et al. 2014, BLANC for system mentions."""
