"""Errata: what is printed and does not come out, and which statements hold?"""
