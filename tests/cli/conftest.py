"""Folders of shards, what `corescore score` makes of them, and signals that are heeded."""

import signal

import pytest

from corescore.__main__ import main
from tests.support.shards import ENTITIES, OTHERS, document, write_shards


@pytest.fixture
def folders(tmp_path):
    """A key and two responses, the second of which is perfect."""
    return [
        write_shards(tmp_path / side, [[document(f"d{at}", of)] for at in range(3)])
        for side, of in (("gold", ENTITIES), ("out", OTHERS), ("perfect", ENTITIES))
    ]


@pytest.fixture
def score(capsys):
    """Runs the command; its exit code, what it prints and what it says."""

    def run(*arguments):
        code = main(["score", *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def heeded():
    """Ctrl+C and a closed terminal are heeded by what the test starts: a shell has what it runs in
    the background ignore the one, nohup the other, and with it all that starts from there."""
    handlers = {signal.SIGINT: signal.default_int_handler, signal.SIGHUP: signal.SIG_DFL}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
