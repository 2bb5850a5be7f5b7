"""Memory that was freed, which the C library would keep for later."""

import ctypes
import sys


def give_back_memory() -> None:
    """Return it to the system."""
    if sys.platform.startswith("linux"):
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # not of every C library
        if trim:
            trim(0)
