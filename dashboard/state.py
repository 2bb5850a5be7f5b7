"""What is loaded and how it is scored: the only caller of reading and scoring, all of it cached.

Cached values are keyed on what a file holds and on the policies, never on the objects, and are
shared by all sessions: they are never changed.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import streamlit as st

from corescore import Corpus, InputError, Result, read, score
from corescore.dashboard.launch import FILES_VARIABLE
from corescore.dashboard.markup import plain
from corescore.documents import Document
from corescore.formats import FORMATS, read_bytes
from corescore.pairing import pair_documents
from corescore.scoring import Policies
from corescore.statuses import MentionStatus, mention_statuses

SAMPLE, GIVEN, UPLOADED = "sample data", "files from the command line", "uploaded files"
_RESPONSES = ("cautious.conll", "greedy.conll")


@dataclass(frozen=True)
class File:
    """A file or folder that can be loaded: its name on the page, what tells its content from any
    other's, and the content itself, or the path where it is."""

    name: str
    stamp: str
    data: bytes | None = None
    path: str = ""


@dataclass(frozen=True)
class Files:
    """A key and the responses that go with it."""

    key: File
    responses: tuple[File, ...]


@dataclass(frozen=True)
class System:
    """A response as it is scored: its letter, its name, its documents and its result."""

    letter: str
    name: str
    corpus: Corpus
    result: Result

    @property
    def title(self) -> str:
        """How a sentence calls it: A (cautious)."""
        return f"{self.letter} ({self.name})"


@dataclass(frozen=True)
class Loaded:
    """What the pages show: the key, and system A and perhaps B."""

    key_name: str
    key: Corpus
    systems: tuple[System, ...]

    @property
    def results(self) -> dict[str, Result]:
        """The results by the systems' letters."""
        return {system.letter: system.result for system in self.systems}

    @property
    def signature(self) -> str:
        return self.systems[0].result.signature

    def system(self, letter: str) -> System:
        """The system of that letter; A if there is none."""
        return next((s for s in self.systems if s.letter == letter), self.systems[0])


# Where files come from --------------------------------------------------------------------------


@cache
def sample_files() -> Files:
    """The sample data: a key and two responses."""
    folder = resources.files("corescore.sample_data")
    found = [folder / name for name in ("key.conll", *_RESPONSES)]
    key, *responses = [file_of(f.name, f.read_bytes()) for f in found if f.is_file()]
    return Files(key, tuple(responses))


def given_files() -> Files | None:
    """The files that the command line named, read again when they change."""
    paths = json.loads(os.environ.get(FILES_VARIABLE, "[]"))
    if not paths:
        return None
    names = [Path(path).name for path in paths]
    key, *responses = [
        File(name if names.count(name) == 1 else path, _path_stamp(path), path=path)
        for name, path in zip(names, paths, strict=True)
    ]
    return Files(key, tuple(responses))


def _path_stamp(path: str) -> str:
    place = Path(path)
    files = [place, *sorted(place.iterdir())] if place.is_dir() else [place]
    return f"{path} {[(f.name, f.stat().st_mtime_ns) for f in files if f.exists()]}"


def file_of(name: str, data: bytes) -> File:
    """An uploaded file."""
    return File(name, hashlib.sha256(data).hexdigest(), data)


def short_name(name: str) -> str:
    """A file's name without the ending of its format."""
    plain = name.removesuffix(".gz")
    endings = [ending for known in FORMATS for ending in known.suffixes]
    ending = next((ending for ending in endings if plain.endswith(ending)), "")
    return plain.removesuffix(ending).rstrip("._-") or name


# Reading and scoring ----------------------------------------------------------------------------


def load(key: File, responses: Sequence[File], policies: Policies) -> Loaded:
    """Read and score. Raises InputError for what cannot be read or scored."""
    corpus = read_file(key, side="key")
    systems = tuple(
        System(
            letter,
            short_name(file.name),
            read_file(file, side="response"),
            _result(key, file, policies),
        )
        for letter, file in zip("AB", responses, strict=False)
    )
    return Loaded(key.name, corpus, systems)


def read_file(file: File, *, side: str) -> Corpus:
    """The documents of a file. Raises InputError."""
    return _read(file.name, file.stamp, side, file)


@st.cache_resource(max_entries=16, show_spinner="Reading the files")
def _read(name: str, stamp: str, side: str, _file: File) -> Corpus:
    if _file.data is not None:
        return read_bytes(_file.data, name, side=side)
    return read(_file.path, side=side)


def _result(key: File, response: File, policies: Policies) -> Result:
    stamps = (key.name, key.stamp, response.name, response.stamp)
    return _score(stamps, policies, key, response)


@st.cache_resource(
    max_entries=32, show_spinner="Scoring with all six metrics", hash_funcs={Policies: repr}
)
def _score(stamps: tuple[str, ...], policies: Policies, _key: File, _response: File) -> Result:
    return score(
        read_file(_key, side="key"),
        read_file(_response, side="response"),
        match=policies.match,
        singletons=policies.singletons,
        repeats=policies.repeats,
        blanc=policies.blanc,
        missing_documents=policies.missing_documents,
        average=policies.average,
    )


def paired_document(loaded: Loaded, system: System, name: str) -> tuple[Document, Document]:
    """The key's and the response's document of that name; an empty one if the response lacks it."""
    found = system.corpus.by_name.get(name)
    response = Corpus((found,) if found else (), system.corpus.file)
    pairing = pair_documents(Corpus((loaded.key[name],), loaded.key.file), response)
    return pairing.key[0], pairing.response[0]


def statuses(key: Document, response: Document, policies: Policies) -> tuple[MentionStatus, ...]:
    """What became of each mention of one document."""
    return mention_statuses(key, response, by=policies.match, singletons=policies.singletons)


def problem_lines(error: InputError) -> list[str]:
    """One line for each problem of an error."""
    return str(error).splitlines()


# What the pages see -----------------------------------------------------------------------------


def publish(loaded: Loaded | None) -> None:
    """Make it what the pages of this session show."""
    st.session_state["loaded"] = loaded


def is_loaded() -> bool:
    """Whether this session has anything to show."""
    return st.session_state.get("loaded") is not None


def loaded() -> Loaded:
    """What this session shows; stops the page with advice if there is nothing to show."""
    current = st.session_state.get("loaded")
    if current is None or not current.systems:
        st.title("Nothing is scored yet", anchor=False)
        st.write(_NEXT_STEP)
        st.stop()
    return current


_NEXT_STEP = (
    "Open a key and at least one response in the side bar (any of CoNLL, JSON Lines and "
    "brace notation, plain or gzipped), or choose the sample data there."
)


def choose_letter(label: str, loaded: Loaded) -> str:
    """A switch between A and B; no switch where there is only A."""
    letters = [system.letter for system in loaded.systems]
    if len(letters) == 1:
        return letters[0]
    return st.segmented_control(
        label,
        letters,
        default=letters[0],
        required=True,
        format_func=lambda letter: f"{letter}: {plain(loaded.system(letter).name)}",
        key="of",
        bind="query-params",
    )
