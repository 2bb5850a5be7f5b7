"""The version, which every signature line names: `.dev0` until it is released."""

__version__ = "0.2.0.dev0"
