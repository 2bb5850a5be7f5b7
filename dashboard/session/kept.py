"""Uploaded files, kept until all sessions that opened them have left for a while: a reload or a
copied link opens them again.

They are found by a name that nobody can guess.
"""

import secrets
from collections import OrderedDict
from collections.abc import Sequence, Set
from dataclasses import replace
from threading import Lock

import streamlit as st

from dashboard.session.holding import held, hold_files
from dashboard.session.sources import UPLOADED, Files

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
            data = {f.stamp_on_disk: f.data for kept in self._uploads.values() for f in kept.every}
            key, *responses = [
                replace(f, data=data.get(f.stamp_on_disk, f.data)) for f in files.every
            ]
            files = self._uploads[name] = Files(key, tuple(responses))
            while len(self._uploads) > 1 and self._is_too_much():
                self._uploads.popitem(last=False)
        return name, files

    def get(self, name: str) -> Files | None:
        """The files of that name, if they are still here."""
        with self._lock:
            return self._uploads.get(name)

    def forget(self, stamps: Set[str]) -> None:
        """Let go of the uploads with any of these contents."""
        with self._lock:
            for name, files in [*self._uploads.items()]:
                if any(file.stamp_on_disk in stamps for file in files.contents):
                    del self._uploads[name]

    def _is_too_much(self) -> bool:
        sizes = {f.stamp_on_disk: f.size for kept in self._uploads.values() for f in kept.contents}
        return len(self._uploads) > self._most or sum(sizes.values()) > self._most_bytes


_kept = Kept()
held.on_release(_kept.forget)


def show_upload(files: Files) -> None:
    """Keep uploaded files and show them, on every page and in the URL."""
    hold_files(files.contents)
    name, files = _kept.keep(files)
    _select(name, files, names_of(files))
    st.session_state.update(received=files, data=UPLOADED)


def is_received(files: Files) -> bool:
    """Whether these are the files that this session uploaded last."""
    return files == st.session_state.get("received")


def reopen(name: str, names: Sequence[str]) -> bool:
    """Select the upload of that name; whether it is still here.

    names  what its files are called, to be told where they are gone
    """
    files = _kept.get(name)
    if files:
        hold_files(files.contents)
    _select(name, files, names)
    return files is not None


def _select(name: str, files: Files | None, names: Sequence[str]) -> None:
    st.session_state.update(upload=name, uploaded=files, upload_names=[*names])


def names_of(files: Files) -> list[str]:
    """What files are called: the first few, and how many there are more."""
    names = [file.name for file in files.every]
    more = len(names) - MOST_NAMES
    return names if more <= 0 else [*names[:MOST_NAMES], f"{more} more"]
