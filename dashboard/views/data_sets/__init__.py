"""Data sets: which system is best over several?"""
