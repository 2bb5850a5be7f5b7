"""Two systems: which is better, where, and is it significant?"""
