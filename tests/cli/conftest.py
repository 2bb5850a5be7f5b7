"""Folders of shards, and signals that are heeded."""

import signal

import pytest

from tests.support.tallies import ENTITIES, OTHERS, document, write_shards


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """A key and two responses, the second of which is perfect; calls are made beside them."""
    monkeypatch.chdir(tmp_path)
    return [
        write_shards(tmp_path / side, [[document(f"d{at}", of)] for at in range(3)])
        for side, of in (("gold", ENTITIES), ("out", OTHERS), ("perfect", ENTITIES))
    ]


@pytest.fixture
def heeded():
    """Ctrl+C and a closed terminal are heeded by what the test starts: a shell has what it runs in
    the background ignore the one, nohup the other, and with it all that starts from there."""
    handlers = {signal.SIGINT: signal.default_int_handler, signal.SIGHUP: signal.SIG_DFL}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
