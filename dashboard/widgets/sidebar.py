"""The side bar: what is loaded, which system is A and which B, and the policies.

Everything but the uploads lives in the URL, so that a link opens the same thing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from corescore import InputError
from corescore.corpus.formats import FORMATS
from corescore.counting.policies import Policies
from corescore.rendering import html as markup
from dashboard.components.copy_link.component import copy_link
from dashboard.session import scoring, sources
from dashboard.session.loaded import is_loaded, loaded_systems, publish
from dashboard.session.sources import File, Files
from dashboard.widgets import selection
from dashboard.widgets.charts import select_format
from dashboard.widgets.page import show_warnings

NOBODY = "none"
MOST_UNFILTERED = 12  # a longer list of responses can be searched
# The labels stand in the URL, so that a link can be read too.
POLICIES: Mapping[str, tuple[str, Mapping[str, str], str]] = {
    "singletons": (
        "Entities of one mention",
        {
            "keep": "score them",
            "drop": "leave them out",
            "drop-response": "leave the response's out",
            "e2e": "by metric, as e2e-coref",
            "stanza": "by metric, as Stanza",
        },
        "Left out, they are removed before anything else is done.",
    ),
    "repeats": (
        "A mention listed twice",
        {
            "first": "its first entity counts",
            "error": "refuse the file",
            "all": "score both",
            "reference": "as the reference scorer",
            "listed": "as coval",
        },
        "Scored twice, overlapping entities can push recall and precision past 100 percent.",
    ),
    "blanc": (
        "BLANC where a part is empty",
        {
            "reference": "as the reference scorer",
            "luo2014": "as Luo et al. 2014",
            "recasens2011": "as Recasens and Hovy 2011",
            "corefud": "as the CorefUD scorer",
        },
        "The 2011 definition looks only at mentions that both sides have.",
    ),
    "match": (
        "When two mentions match",
        {
            "exact": "the same words",
            "head": "or the same head",
            "partial": "or within, around the head",
            "lenient": "or within, as many as possible",
            "min-span": "the same minimum span",
        },
        "One to one: mentions with the same words first, then those left over. Minimum spans are "
        "told by the parse in the key's file.",
    ),
    "lookup": (
        "What is scored",
        {"pairs": "the pairs of mentions", "table": "a table, as the CorefUD scorer"},
        "The table loses pairs where zeros stand at each other's place.",
    ),
    "mentions": (
        "Mentions",
        {
            "all": "all",
            "np-only": "without verb phrases",
            "without-nested": "not inside others of theirs",
        },
        "Verb phrases are told by the parse in the key's file.",
    ),
    "zeros": (
        "Zeros (words not in the text)",
        {
            "dependent": "match by dependency",
            "linear": "match by place",
            "drop": "leave them out",
        },
        "Only files with empty nodes have them, such as CorefUD.",
    ),
    "missing_documents": (
        "A document the response lacks",
        {"empty": "counts as empty", "error": "refuse the file", "skip": "leave it out"},
        "Counted as empty, all its key mentions are missing.",
    ),
    "words": (
        "Words that differ",
        {
            "error": "refuse the file",
            "ignore": "compare positions",
            "align": "align over characters",
        },
        "Align if both have the same text in another tokenisation, or nearly the same text. "
        "Positions alone are what the reference scorer compares.",
    ),
    "average": (
        "Over documents",
        {
            "micro": "sums",
            "macro": "sums, and means beside them",
            "scorch": "sums, and averages as scorch",
            "stanza": "sums, and averages as Stanza",
        },
        "Published scores are sums: counts are added over documents and divided once.",
    ),
}


_FORMATS = (
    f"{', '.join(known.title for known in FORMATS)}; plain, gzipped, or several files as a zip "
    "archive. The format is found from the content."
)


REPAIR = "repair"
_BRACKETS = {"refuse": "refuse the file", REPAIR: "leave them out"}
_ABOUT_BRACKETS = (
    "Brackets without a partner in inline markup, as language models write it. If they are left "
    "out, a warning counts them."
)


@dataclass(frozen=True)
class Selection:
    """What is selected in the side bar: what to load, which responses are A and B, how to score
    them; and what is wrong with uploads."""

    files: Files | None
    responses: list[File]
    policies: Policies
    problems: list[str]


def select() -> Selection:
    """Draw the side bar."""
    with st.sidebar:
        source, systems = st.container(), st.container()
        with st.expander("Open your own files"):
            key, responses = _uploaders()
        with st.expander("How it is scored"):
            policies = _policies()
        with st.expander("Download and share"):
            select_format()
            copy_link("Copy link to this view", key="copy_link")
    problems = _receive(key, responses, policies)
    with source:
        files = _select_source()
    with systems:
        responses = _select_systems(files, policies) if files else []
    return Selection(files, responses, policies, problems)


def load(selected: Selection) -> None:
    """Load what is selected, for all pages.

    A response that cannot be read or scored is left out, and a note above the page says why. If
    none is left, what was shown before stays.
    """
    left_out: dict[str, list[str]] = {}
    problems = list(selected.problems)
    try:
        if selected.files:
            left_out = _check(selected.files, selected.responses, selected.policies)
        problems += _load(selected, left_out)
    except InputError as error:
        problems += scoring.problem_lines(error)
    if problems:
        st.html(markup.problem_list(list(dict.fromkeys(problems)), kept=is_loaded()))
    if selected.files and 0 < len(left_out) < len(selected.files.responses):
        _say_left_out(left_out, len(selected.files.responses))
    if selected.files and is_loaded():
        show_warnings(loaded_systems().results.values(), about="what is shown")


def _check(files: Files, selected: list[File], policies: Policies) -> dict[str, list[str]]:
    """The responses that are left out. If A or B is found to be one, another takes its place.

    Raises InputError for the key.
    """
    scoring.check(files, selected, policies)
    left_out = scoring.left_out(files, policies)
    if len(left_out) < len(files.responses) and any(file.name in left_out for file in selected):
        st.rerun()
    return left_out


def _load(selected: Selection, left_out: dict[str, list[str]]) -> list[str]:
    """Publish what is to be shown; if nothing of it can be scored, leave what was and say why."""
    if selected.files is None:
        publish(None)
        return []
    if left_out and len(left_out) == len(selected.files.responses):
        return [line for lines in left_out.values() for line in lines]
    publish(scoring.load(selected.files, selected.responses, selected.policies))
    return []


def _say_left_out(left_out: dict[str, list[str]], of: int) -> None:
    n = len(left_out)
    is_ = "is left out: it" if n == 1 else "are left out: they"
    lines = [line for of_file in left_out.values() for line in _first(of_file)]
    with st.expander(f"{n} of {of} responses {is_} cannot be read or scored", expanded=n <= 3):
        st.html(markup.warning_list(lines))


def _first(lines: list[str], most: int = 3) -> list[str]:
    more = len(lines) - most
    return [*lines[:most], *([f"… and {more} more in the same file"] if more > 0 else [])]


# Uploads ----------------------------------------------------------------------------------------


def _uploaders() -> tuple[File | None, list[File]]:
    key = st.file_uploader("Key", key="key_file", help=_FORMATS)
    responses = st.file_uploader(
        "Responses",
        key="response_files",
        accept_multiple_files=True,
        help=f"One or more outputs for that key. {_FORMATS}",
    )
    brackets = _box(
        "Unbalanced brackets",
        list(_BRACKETS),
        key="brackets",
        format_func=_BRACKETS.__getitem__,
        help=_ABOUT_BRACKETS,
    )
    if (key is None) != (not responses):
        st.caption(f"Now add {'a key' if key is None else 'a response'}.")
    files = sources.named_apart(_file(response, brackets) for response in responses)
    return _file(key, brackets) if key else None, files


def _file(upload: UploadedFile, brackets: str) -> File:
    file = sources.file_of(upload.name, upload.getvalue())
    return file.repaired() if brackets == REPAIR else file


def _receive(key: File | None, responses: list[File], policies: Policies) -> list[str]:
    """Take over the uploaded files once some can be read and scored; else say why not."""
    if key is None or not responses:
        sides = [(key, "key")] if key else [(file, "response") for file in responses]
        return [line for file, side in sides for line in _read_problems(file, side)]
    files = Files(key, tuple(responses))
    if files == st.session_state.get("uploaded"):
        return []
    try:
        results = scoring.check(files, responses, policies)
    except InputError as error:
        return scoring.problem_lines(error)
    if not results:
        left_out = scoring.left_out(files, policies)
        return [line for lines in left_out.values() for line in lines]
    st.session_state["uploaded"] = files
    st.session_state["data"] = sources.UPLOADED
    return []


def _read_problems(file: File, side: str) -> list[str]:
    try:
        scoring.read_file(file, side=side)
    except InputError as error:
        return scoring.problem_lines(error)
    return []


# What is shown ----------------------------------------------------------------------------------


def _select_source() -> Files | None:
    offered = _sources()
    return offered[_box("Shown", list(offered), key="data")]


def _sources() -> dict[str, Files | None]:
    """What can be shown; the files of the command line come first."""
    given = sources.given_files()
    if given and st.session_state.get("brackets") == REPAIR:
        given = given.repaired()
    from_shell = {sources.GIVEN: given} if given else {}
    uploaded = st.session_state.get("uploaded")
    return {**from_shell, sources.SAMPLE: sources.sample_files(), sources.UPLOADED: uploaded}


def _select_systems(files: Files, policies: Policies) -> list[File]:
    """The responses that are A and, if there is one, B."""
    left_out = scoring.left_out(files, policies)
    by_name = {file.name: file for file in files.responses if file.name not in left_out}
    if not by_name:
        return []
    first = _box("Response A", list(by_name), key="a")
    others = [name for name in by_name if name != first]
    second = _box("Response B", [*others, NOBODY], key="b") if others else NOBODY
    return [by_name[name] for name in (first, second) if name in by_name]


def _policies() -> Policies:
    selected = {
        name: _box(label, list(words), key=name, format_func=words.__getitem__, help=note)
        for name, (label, words, note) in POLICIES.items()
    }
    return Policies.of(selected)


def _box(
    label: str,
    options: list[str],
    *,
    key: str,
    format_func: Callable[[str], str] = str,
    help: str | None = None,
) -> str:
    """A box whose selection stands in the URL and survives a click made before it is drawn."""
    selection.restore_selection(key, options)
    return st.selectbox(
        label,
        options,
        format_func=format_func,
        key=key,
        bind="query-params",
        persist_state="session",
        help=help,
        filter_mode="fuzzy" if len(options) > MOST_UNFILTERED else None,
    )
