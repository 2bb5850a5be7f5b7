"""What is done once the browser of a session has gone: the session is closed, its uploads let go.

Both only after a while, since a reload is a browser that goes, and a line may break for a moment.
"""

import gc
import time
from asyncio import AbstractEventLoop

from streamlit import runtime

from dashboard.session.holding import held
from dashboard.session.memory import give_back_memory

# Seconds after which a session is closed, which has three files open until then. Streamlit itself
# forgets it after 120, but frees it some time later.
CLOSE = 30.0
STAY = 300.0  # seconds after which its uploads are let go; a reload finds them until then


def look_after_sessions(server: AbstractEventLoop) -> None:
    """Look after sessions that have left, as long as the server runs."""
    while True:
        time.sleep(min(CLOSE, STAY) / 4)
        server.call_soon_threadsafe(_close_absent)
        if held.let_go(held.absent(STAY)):
            gc.collect()
            give_back_memory()


def _close_absent() -> None:
    """Close the sessions that have left. Run by the server's loop, in which they also come back:
    none does meanwhile."""
    for session in held.absent(CLOSE):
        runtime.get_instance().close_session(session)
