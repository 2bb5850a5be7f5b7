"""Uploaded files, kept while the server runs: a reload or a copied link opens them again.

They are found by a name that nobody can guess. It stands in the URL, and beside it what the files
are called, so that a link to files that are gone can say which they were.
"""

import secrets
from collections import OrderedDict
from dataclasses import replace
from threading import Lock

import streamlit as st

from dashboard.session.sources import UPLOADED, File, Files

MOST_UPLOADS, MOST_BYTES = 20, 2_000_000_000
MOST_NAMES = 6  # of files, in a URL


class Kept:
    """The uploads opened last, of all sessions, by their names.

    most, most_bytes  what is kept at most; the oldest uploads go first, the latest always stays
    """

    def __init__(self, most: int = MOST_UPLOADS, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._uploads: OrderedDict[str, Files] = OrderedDict()
        self._lock = Lock()

    def keep(self, files: Files) -> tuple[str, Files]:
        """Keep these files; the name to find them by, and they with the content that others that
        are the same have."""
        name = secrets.token_urlsafe()
        with self._lock:
            same = {file.stamp: file for kept in self._uploads.values() for file in _each(kept)}
            key, *responses = [replace(same.get(f.stamp, f), name=f.name) for f in _each(files)]
            files = self._uploads[name] = Files(key, tuple(responses))
            while len(self._uploads) > 1 and self._is_too_much():
                self._uploads.popitem(last=False)
        return name, files

    def get(self, name: str) -> Files | None:
        """The files of that name, if they are still here."""
        with self._lock:
            return self._uploads.get(name)

    def _is_too_much(self) -> bool:
        sizes = {f.stamp: f.size for kept in self._uploads.values() for f in _each(kept)}
        return len(self._uploads) > self._most or sum(sizes.values()) > self._most_bytes


def _each(files: Files) -> tuple[File, ...]:
    return (files.key, *files.responses)


_kept = Kept()


def show_upload(files: Files) -> None:
    """Keep uploaded files and show them, on every page and in the URL."""
    name, files = _kept.keep(files)
    _select(name, files, _names(files))
    st.session_state.update(received=files, data=UPLOADED)
    keep_in_url(is_shown=True)


def is_received(files: Files) -> bool:
    """Whether these are the files that this session uploaded last."""
    return files == st.session_state.get("received")


def reopen() -> None:
    """Show the upload that the URL names, as where a link or Back leads to it, if it is here."""
    name = st.query_params.get("upload")
    if name is not None and name != st.session_state.get("upload"):
        _select(name, _kept.get(name), st.query_params.get_all("files"))


def _select(name: str, files: Files | None, names: list[str]) -> None:
    st.session_state.update(upload=name, uploaded=files, upload_names=names)


def keep_in_url(*, is_shown: bool) -> None:
    """Write the name of this session's upload into the URL while the upload is shown; else out."""
    name = st.session_state.get("upload")
    if not is_shown:
        for of in ("upload", "files"):
            st.query_params.pop(of, None)
    elif name is not None and st.query_params.get("upload") != name:
        st.query_params.update(upload=name, files=st.session_state["upload_names"])


def _names(files: Files) -> list[str]:
    names = [file.name for file in _each(files)]
    more = len(names) - MOST_NAMES
    return names if more <= 0 else [*names[:MOST_NAMES], f"{more} more"]


def advice_where_gone() -> str:
    """What to do if the upload that the URL names is not here; "" if it names none."""
    if st.query_params.get("upload") is None:
        return ""
    names = ", ".join(st.session_state["upload_names"])
    which = f": {names}" if names else ""
    return (
        f"The link shows files that were uploaded in a browser{which}. The server that it was "
        f"copied from keeps the {MOST_UPLOADS} latest uploads, {MOST_BYTES / 1e9:.0f} GB of them "
        "at most, until it is stopped. Open the same files again under “Open your own files” in "
        "the side bar: what else the link selects stays selected."
    )
