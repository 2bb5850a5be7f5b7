"""What the tests of counting share."""

import pytest

from corescore import read


@pytest.fixture
def corpus(tmp_path):
    """A corpus read from a text that is written to a file of this name."""

    def write(text, name="key.conll"):
        path = tmp_path / name
        path.write_text(text)
        return read(path)

    return write
