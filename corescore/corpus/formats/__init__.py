"""Reading and writing: `read` finds out which format a file is in, `write` goes by its name."""

import gzip
import os

from corescore.corpus.documents import Corpus
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.reading import (
    format_of,
    format_of_bytes,
    read,
    read_bytes,
)
from corescore.corpus.formats.registry import FORMATS, WRITTEN, format_named
from corescore.corpus.formats.together import read_beside
from corescore.corpus.formats.writing import write_file
from corescore.corpus.problems import PolicyError

__all__ = [
    "FORMATS",
    "WRITTEN",
    "Format",
    "format_of",
    "format_of_bytes",
    "read",
    "read_beside",
    "read_bytes",
    "write",
]


def write(
    corpus: Corpus,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    force: bool = False,
) -> tuple[str, ...]:
    """Write a corpus; gzipped if `path` ends in .gz. A file is written whole or not at all.

    Returns a warning that counts the information the format does not hold, such as words or heads.

    format  the id of a format that is written, such as "conll"; found from the path's ending if
            None
    force   whether to replace a file that exists; one that the corpus was read from never is

    Raises InputError for what the format cannot hold, a file that is not replaced and a path that
    cannot be written, PolicyError if the ending is of no known format.
    """
    name = os.fspath(path)
    known = _format_of_name(name, format)
    data = known.text(corpus).encode()
    packed = gzip.compress(data, mtime=0) if name.endswith(".gz") else data
    read_from = {corpus.file, *(document.file for document in corpus)}
    beside = (other for file in read_from for other in read_beside(file))
    write_file(name, packed, force=force, inputs=(*read_from, *beside))
    return known.left_out(corpus)


def _format_of_name(name: str, format: str | None) -> Format:
    if format is not None:
        return format_named(format)
    plain = name.removesuffix(".gz").lower()
    if plain.endswith(".txt"):
        ids = ", ".join(known.id for known in WRITTEN)
        raise PolicyError(f"{name!r} could be in any format; expected one by name: {ids}")
    for known in WRITTEN:
        if plain.endswith(known.suffixes):
            return known
    endings = ", ".join(f"{known.suffixes[0]} ({known.id})" for known in WRITTEN)
    raise PolicyError(f"the ending of {name!r} is of no known format; expected one of: {endings}")
