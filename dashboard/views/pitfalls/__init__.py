"""Pitfalls: where do metrics disagree?"""
