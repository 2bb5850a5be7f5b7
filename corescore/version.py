"""The version, which every signature line names."""

__version__ = "0.1.0"
