"""Many systems: which is first, by which metric, and how sure is it?"""
