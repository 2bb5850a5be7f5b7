"""What is in the boxes for files. Streamlit keeps it for its session, and copies it whenever a page
is drawn: with large files as much memory again, and again for a moment."""

from collections.abc import Iterable

from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile


def bytes_in(upload: UploadedFile) -> bytes:
    """The bytes of a file in a box: those that Streamlit keeps, not the copy of them."""
    context = get_script_run_ctx()
    if context is None:
        return upload.getvalue()
    (kept,) = context.uploaded_file_mgr.get_files(context.session_id, [upload.file_id])
    return kept.data


def empty(uploads: Iterable[UploadedFile]) -> None:
    """Have Streamlit keep no bytes of these files, only that they are in their boxes."""
    context = get_script_run_ctx()
    if context is None or not isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        return
    files = context.uploaded_file_mgr
    for kept in files.get_files(context.session_id, [upload.file_id for upload in uploads]):
        if kept.data:
            files.add_file(context.session_id, kept._replace(data=b""))
