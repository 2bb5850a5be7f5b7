"""How much memory reading takes."""

import tracemalloc

from tests.support.messages import refusal_of


def peak_of(call, *arguments):
    """The most memory that a call takes at once, in bytes, be its input read or refused."""
    tracemalloc.start()
    try:
        refusal_of(call, *arguments)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
