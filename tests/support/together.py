"""Files that are read together, in a folder and in an archive."""

import io
import zipfile

from corescore import read
from corescore.corpus.files import read_bytes
from tests.support.messages import message_of


def put(folder, files):
    """Write files by their paths within a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def zipped(files):
    """The bytes of a zip archive of files by their paths."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def read_together(files, **options):
    """The corpus of files by their paths."""
    return read_bytes(zipped(files), "all.zip", **options)


def refused_together(files, **options):
    """Why files are refused, as paths within the archive all.zip."""
    return message_of(read_together, files, **options)


def read_every_way(folder, files, first):
    """The corpus of a pair of files, which is the same by folder, by archive and by first file."""
    put(folder, files)
    corpora = [read(folder), read_together(files), read(folder / first)]
    assert corpora[0] == corpora[1] == corpora[2]
    return corpora[0]


def texts(document):
    """The entities of a document as sets of its mentions' words."""
    return sorted(sorted(document.text(m) for m in entity) for entity in document.entities)
