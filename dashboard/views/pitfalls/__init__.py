"""Pitfalls: where do metrics mislead?"""
