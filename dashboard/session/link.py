"""Which files are shown, as the URL tells it and the browser's tab remembers it.

The URL holds what the files are called, so that a link can say which they were where they are not
here, and of an upload the name that it is kept by. The tab remembers that name, too: the app's
plain address, opened in the same tab, shows the upload again. A link to other data makes it forget.
"""

import re
from collections.abc import Callable, Sequence

import streamlit as st

from dashboard.components.page import store_in_tab
from dashboard.session.files import GIVEN, LINKED, SAMPLE, UPLOADED, Files, given_files
from dashboard.session.life import STAY
from dashboard.session.state import write_url
from dashboard.session.uploads import MOST_BYTES, MOST_UPLOADS, names_of, reopen, state

_OPEN = "under “Open your own files” in the sidebar"


def open_link(sample_has: Callable[[str], bool]) -> None:
    """Select the files that the URL names, as where a link or Back leads to them.

    sample_has  tells whether the sample data have a document of that name
    """
    url, upload = st.query_params, state.upload
    name, names = url.get("upload"), url.get_all("files")
    if state.is_plain is None:
        state.is_plain = name is None and not names and _may_be_of_upload(sample_has)
        state.selected_by_link = {of: url[of] for of in ("document", "mention") if of in url}
    if name is not None:
        if upload is None or name != upload.name:
            reopen(name, names)
    elif names and url.get("data", LINKED) == LINKED and names != state.files_in_url:
        missing = _not_given(names)
        state.gone = (names, missing) if missing else state.gone
        state.files_in_url, state.data = names, LINKED if missing else GIVEN


def _may_be_of_upload(sample_has: Callable[[str], bool]) -> bool:
    """Whether a link that names no files may be one to the upload that the tab remembers. A link to
    the sample data says so, or only names a document of theirs: they are shown by default."""
    data, document = st.query_params.get("data"), st.query_params.get("document")
    return data == UPLOADED or (data is None and (document is None or not sample_has(document)))


def _not_given(names: list[str]) -> list[str]:
    """Which of a link's files, the key first, the command line has not named."""
    given = given_files()
    if given is None:
        return names
    key, *responses = names
    here = {file.name for file in given.responses}
    others = [name for name in responses if not re.fullmatch(r"\d+ more", name)]
    return [
        *([key] if key != given.key.name else []),
        *(name for name in others if name not in here),
    ]


def keep_link(shown: str, files: Files | None) -> None:
    """Write into the URL which files are shown."""
    upload = state.upload if shown == UPLOADED else None
    names: Sequence[str] = upload.names if upload else ()
    if shown == LINKED and state.gone:
        names = state.gone[0]
    elif shown == GIVEN and files:
        names = names_of(files)
    state.files_in_url = names
    write_url({"upload": upload and upload.name, "files": names})


# In the tab ---------------------------------------------------------------------------------------


def keep_in_tab() -> None:
    """Let the tab remember which files are shown, or show those that it remembers; to be called
    once the browser knows its page: what the tab has runs the app again, on that page."""
    shown, upload, text = state.data, state.upload, None
    if upload and upload.files:
        text = "\n".join([upload.name, *upload.names]) if shown == UPLOADED else ""
    elif state.forgotten is not None or (shown in (SAMPLE, GIVEN) and not state.is_plain):
        text = ""  # a link to other data counts, after a reload, too
    elif not _is_asking():
        return  # a link to files that are gone
    store_in_tab("upload", text, on_stored=_restore)


def _is_asking() -> bool:
    """Whether the app was opened at a plain address, and nothing was selected since."""
    is_other = st.query_params.get("data", UPLOADED) != UPLOADED or state.upload is not None
    return bool(state.is_plain) and not is_other


def _restore(stored: str) -> None:
    """Show the upload that the tab remembers, with what the link selects in it."""
    if not _is_asking():
        return
    name, *names = stored.split("\n")
    if reopen(name, names):
        state.data, state.restored = UPLOADED, names
        write_url(state.selected_by_link)
    else:
        state.forgotten, state.upload = names, None


# What is said -------------------------------------------------------------------------------------


def said_of_tab(shown: str) -> str:
    """What became of the files that this tab showed before; "" where there is nothing to say."""
    if shown != UPLOADED:
        state.restored = ()
    if names := state.restored:
        return f"Opened in this tab before: {', '.join(names)}."
    if lost := state.forgotten:
        return (
            f"The files opened in this tab before are no longer on the server: {', '.join(lost)}. "
            f"Open them again {_OPEN}."
        )
    return ""


def advice_where_gone() -> str:
    """What to do if the files that the URL names are not here; "" if it names none."""
    if state.data == LINKED and state.gone:
        return _advice_on_given(*state.gone)
    if state.upload is None or "upload" not in st.query_params:
        return ""
    names = ", ".join(state.upload.names)
    which = f": {names}" if names else ""
    return (
        f"The link shows files that were uploaded in a browser{which}. The server that it was "
        f"copied from keeps the {MOST_UPLOADS} latest uploads, {MOST_BYTES / 1e9:.0f} GB of them "
        f"at most, until {STAY / 60:g} minutes after the last page that showed them was closed. "
        f"Open the same files again {_OPEN}: all other selections of the link are kept."
    )


def _advice_on_given(names: list[str], missing: list[str]) -> str:
    which = "them" if missing == names else ", ".join(missing)
    return (
        f"The link shows files that were named on the command line: {', '.join(names)}. This "
        f"server was started without {which}. Start the dashboard on these files and open the "
        f"link at its address, or open the files {_OPEN}: all other selections of the link "
        "are kept."
    )
