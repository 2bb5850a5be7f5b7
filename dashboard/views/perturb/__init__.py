"""Perturb: what does this damage (or repair) do to each metric?"""
