"""Many sessions at once, as of a class, without browsers: they speak Streamlit's own protocol."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.benchmarks.load import open_session, pages_of, show_all, shown
from tests.support.browser import served

SESSIONS = 50


async def pages_of_each(address):
    """What the sessions, all open at once, are sent of a page each, which differ; each page was
    shown once before."""
    stream = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    await show_all(stream)
    all_open = asyncio.Barrier(SESSIONS)

    async def one(number):
        async with open_session(stream) as session:
            pages = await pages_of(session)
            await all_open.wait()
            page = await shown(session, pages[number % len(pages)])
            await all_open.wait()
            return page

    return await asyncio.gather(*map(one, range(SESSIONS)))


def elements(page):
    """The kinds of the elements that were sent."""
    deltas = [message.delta for message in page if message.HasField("delta")]
    return [delta.new_element.WhichOneof("type") for delta in deltas]


@pytest.mark.slow
def test_fifty_sessions_at_once_are_held_and_each_gets_its_page():
    # Beside this thread, in which a browser's loop may be running
    with served() as address, ThreadPoolExecutor(1) as beside:
        pages = beside.submit(asyncio.run, pages_of_each(address)).result()
    assert len(pages) == SESSIONS
    for page in pages:
        assert "heading" in elements(page) or "html" in elements(page)
        assert "exception" not in elements(page)
