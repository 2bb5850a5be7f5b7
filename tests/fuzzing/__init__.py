"""Random damage to everything that is read: `make fuzz SECONDS=60`; a thousand cases in the suite.

A case is known by its target and its number, from which all of it is drawn:
`python -m tests.fuzzing reading 4711`.
"""
