"""Every format of the registry: whatever was done to a file of it, it is read or refused."""

from itertools import cycle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore.corpus.files import FORMATS
from corescore.corpus.packed import Files
from corescore.corpus.reading import read_files
from tests.support.every_format import FILES
from tests.support.messages import refusal_of

IDS = tuple(known.id for known in FORMATS)


def read_all(files, format):
    """The corpus of these files, by their names, as the files of a folder."""
    return read_files(Files("all", tuple(sorted(files)), files.__getitem__), format, "key", False)


def bytes_of(files):
    return {name: text.encode() for name, text in files.items()}


def test_every_format_has_a_file_to_damage():
    assert FILES.keys() == {*IDS}


@pytest.mark.parametrize("format", IDS)
def test_the_file_to_damage_has_mentions(format):
    corpus = read_all(bytes_of(FILES[format]), format)
    assert sum(len(document.rows) for document in corpus) >= 2


ENDS = {"CR": ("\r",), "CR LF": ("\r\n",), "CR CR LF": ("\r\r\n",), "mixed": ("\r", "\n", "\r\n")}


@pytest.mark.parametrize("format", IDS)
@pytest.mark.parametrize("ends", ENDS)
def test_lines_may_end_in_any_way(ends, format):
    def ended(text):
        lines = zip(text.split("\n"), cycle(ENDS[ends]))
        return "".join(map("".join, lines)).encode()

    others = {name: ended(text) for name, text in FILES[format].items()}
    for named in (format, None):
        as_it_is, other = read_all(bytes_of(FILES[format]), named), read_all(others, named)
        assert other == as_it_is
        assert other.warnings == as_it_is.warnings


def markup_of(text):
    """What a file is made of: its signs, its cells, and beginnings of its lines."""
    signs = {sign for sign in text if not sign.isalnum()}
    return sorted({*signs, *text.split(), *(line[:12] for line in text.split("\n") if line)})


@st.composite
def damaged(draw, text):
    """A text after one to four changes: pieces left out, doubled, swapped or replaced, lines
    shuffled, bytes put in."""
    data = text.encode()
    pieces = st.sampled_from([*markup_of(text), "0", "-1", "99", "1" * 25, "é"])
    for _ in range(draw(st.integers(1, 4))):
        at, other = (draw(st.integers(0, len(data))) for _ in range(2))
        start, end = min(at, other), max(at, other)
        piece, short = data[start:end], draw(st.integers(1, 8))
        kind = draw(st.sampled_from(("cut", "drop", "double", "swap", "put", "lines", "bytes")))
        if kind == "cut":
            data = data[:end]
        elif kind == "drop":
            data = data[:start] + data[start + short :]
        elif kind == "double":
            data = data[:end] + piece + data[end:]
        elif kind == "swap":
            data = data[:start] + data[end : end + short] + piece + data[end + short :]
        elif kind == "put":
            data = data[:start] + draw(pieces).encode() + data[start + short * draw(BIT) :]
        elif kind == "bytes":
            data = data[:start] + draw(st.binary(max_size=3)) + data[start:]
        else:
            lines = data.splitlines(keepends=True)
            draw(st.randoms(use_true_random=False)).shuffle(lines)
            data = b"".join(lines)
    return data


BIT = st.integers(0, 1)


@st.composite
def damaged_files(draw, format):
    """The files of a format, one of them damaged, and sometimes without the others."""
    files = bytes_of(FILES[format])
    name = draw(st.sampled_from(sorted(files)))
    files[name] = draw(damaged(FILES[format][name]))
    alone = len(files) > 1 and draw(st.integers(0, 9)) == 0
    return {name: files[name]} if alone else files


def read_or_refused(files, format):
    for named in (format, None):
        lines = refusal_of(read_all, files, named)
        assert all(line.startswith(("all", "… and ")) for line in lines), lines


@pytest.mark.parametrize("format", IDS)
@settings(max_examples=20)
@given(st.data())
def test_any_damaged_file_is_read_or_refused(format, data):
    read_or_refused(data.draw(damaged_files(format)), format)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("format", IDS)
@settings(max_examples=400)
@given(st.data())
def test_any_of_many_damaged_files_is_read_or_refused(format, data):
    read_or_refused(data.draw(damaged_files(format)), format)
