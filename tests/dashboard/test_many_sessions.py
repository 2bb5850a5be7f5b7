"""Many sessions at once, as of a class, without browsers: they speak Streamlit's own protocol."""

import asyncio

import pytest

from tests.benchmarks.load import open_session, show_all, shown
from tests.support.browser import run_beside

SESSIONS = 50


async def pages_of_each(address):
    """What the sessions, all open at once, are sent of a page each, which differ; each page was
    shown once before."""
    pages = await show_all(address)
    all_open = asyncio.Barrier(SESSIONS)

    async def one(number):
        async with open_session(address) as session:
            await all_open.wait()
            page = await shown(session, pages[number % len(pages)])
            await all_open.wait()
            return page

    return await asyncio.gather(*map(one, range(SESSIONS)))


def elements(page):
    """The kinds of the elements that were sent."""
    deltas = [message.delta for message in page if message.HasField("delta")]
    return [delta.new_element.WhichOneof("type") for delta in deltas]


@pytest.mark.long
@pytest.mark.slow
def test_fifty_sessions_at_once_are_held_and_each_gets_its_page(address):
    pages = run_beside(pages_of_each(address))
    assert len(pages) == SESSIONS
    for page in pages:
        assert "heading" in elements(page) or "html" in elements(page)
        assert "exception" not in elements(page)
