"""Whether the browser of a session is still there."""

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx


def this_session() -> str:
    """What the session is called whose page is drawn; "" where no server runs, as in tests."""
    context = get_script_run_ctx()
    return context.session_id if context and runtime.exists() else ""


def is_connected(session: str) -> bool:
    """Whether a browser shows that session at this moment."""
    return not session or runtime.get_instance().is_active_session(session)
