"""What the app uses of Streamlit's inside, which any release may change: sessions, the bytes of
uploads, and the URL behind the widgets.
"""

from collections.abc import Iterable, Sequence
from urllib.parse import parse_qs

from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import get_session_state
from streamlit.runtime.uploaded_file_manager import UploadedFile as UploadedFile

# Sessions -----------------------------------------------------------------------------------------


def this_session() -> str:
    """What the session is called whose page is drawn; "" if no server runs, as in tests."""
    context = get_script_run_ctx()
    return context.session_id if context and runtime.exists() else ""


def is_connected(session: str) -> bool:
    """Whether a browser shows that session at this moment."""
    return not session or runtime.get_instance().is_active_session(session)


def close_session(session: str) -> None:
    """End a session on the server."""
    runtime.get_instance().close_session(session)


# Uploads ------------------------------------------------------------------------------------------
# Streamlit keeps the content of the boxes for its session, and copies it whenever a page is drawn:
# with large files as much memory again, and again for a moment.


def n_bytes_kept(session: str) -> int:
    """How many bytes of uploads Streamlit keeps for a session."""
    files = runtime.get_instance().uploaded_file_mgr
    if not isinstance(files, MemoryUploadedFileManager):
        return 0
    return sum(len(file.data) for file in [*files.file_storage.get(session, {}).values()])


def bytes_in_box(upload: UploadedFile) -> bytes:
    """The bytes of a file in a box: those that Streamlit keeps, not the copy of them."""
    context = get_script_run_ctx()
    if context is None:
        return upload.getvalue()
    (kept,) = context.uploaded_file_mgr.get_files(context.session_id, [upload.file_id])
    return kept.data


def empty_boxes(uploads: Iterable[UploadedFile]) -> None:
    """Have Streamlit keep no bytes of these files, only that they are in their boxes."""
    context = get_script_run_ctx()
    if context is None or not isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        return
    files = context.uploaded_file_mgr
    for kept in files.get_files(context.session_id, [upload.file_id for upload in uploads]):
        if kept.data:
            files.add_file(context.session_id, kept._replace(data=b""))


# The URL ------------------------------------------------------------------------------------------
# `st.query_params` refuses to write a parameter that a widget is bound to, and leaves out what the
# page before selected under the same name.


def correct_url(name: str, values: Sequence[str]) -> None:
    """Write other values of a parameter, or none, into the URL, also if a widget has it."""
    with get_session_state().query_params() as url:
        if values:
            url.set_corrected_value(name, values, "string_array_value")
        else:
            url.remove_param(name)


def take_url_of_history(names: Iterable[str]) -> None:
    """After Back and Forward, read these parameters from the whole URL that they led to."""
    run = get_script_run_ctx()
    if run is None or not run.is_history_navigation:
        return
    given = parse_qs(run.query_string)
    with get_session_state().query_params() as url:
        for name in given.keys() & {*names}:
            if not url.has_param(name):
                url.set_corrected_value(name, given[name], "string_array_value")
        url.set_initial_query_params_from_current()
