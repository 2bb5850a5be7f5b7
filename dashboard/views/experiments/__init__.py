"""Experiments: do the published observations hold?"""
