"""A class before one dashboard: many sessions that turn pages, each after some thought.

The sessions speak Streamlit's own protocol, without a browser: what is measured is the server. Each
turns to a page at random, and has it when the server says that its run has ended. Every page was
shown once before, so that what all sessions share is computed.
"""

import asyncio
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from tests.benchmarks.much import app_on, files_of
from tests.benchmarks.timing import Row, milliseconds
from tests.benchmarks.visits import processor
from tests.support.synthetic import Shape

CLASS = Shape(
    documents=30, words=850, mentions=200, entities=60, missing=0.15, merged=0.1, moved=0.1
)
SECONDS = 30.0  # in which requests are made
_FOR_RERUN = ForwardMsg.FINISHED_EARLY_FOR_RERUN  # a run that ends early, as another is asked for


@dataclass(frozen=True)
class Crowd:
    """So many sessions, each thinking for a while, in seconds and on average, before each page."""

    sessions: int
    thought: float


CROWDS = (Crowd(30, 1), Crowd(50, 15))


def rows() -> Iterator[Row]:
    """Of each crowd how many pages a second the server makes, and what all but one of 100 wait."""
    with (
        tempfile.TemporaryDirectory() as folder,
        app_on(files_of(CLASS, Path(folder, "class"))) as (address, pid),
    ):
        asyncio.run(show_all(address))
        for crowd in CROWDS:
            before, start = processor(pid), time.perf_counter()
            waits = sorted(asyncio.run(_waits(address, crowd)))
            taken, spent = time.perf_counter() - start, processor(pid) - before
            yield from _rows(crowd, waits, taken, spent)


def _rows(crowd: Crowd, waits: list[float], taken: float, spent: float) -> Iterator[Row]:
    what = f"{crowd.sessions} sessions with {crowd.thought:g} s of thought"
    of = f"{len(waits)} pages, {milliseconds(spent / len(waits))} of the server's processor each"
    goals = ("pages of a crowd", "") if crowd.thought == 1 else ("", "waits of a class")
    yield Row(f"{what}, pages", len(waits) / taken, None, of, unit="/s", goal=goals[0])
    slow, median = waits[int(0.99 * len(waits))], waits[len(waits) // 2]
    half = f"half wait no more than {milliseconds(median)}"
    yield Row(f"{what}, 99% wait no more than", slow, None, half, goal=goals[1])


async def show_all(address: str) -> list[str]:
    """Show every page once; the pages."""
    async with open_session(address) as session:
        pages = await pages_of(session)
        for page in pages:
            await shown(session, page)
    return pages


async def _waits(address: str, crowd: Crowd) -> list[float]:
    """What each page that was asked for took, in seconds, of all sessions."""
    until = time.perf_counter() + max(SECONDS, 2 * crowd.thought)
    each = (_one(address, crowd, until, random.Random(n)) for n in range(crowd.sessions))
    return [wait for waits in await asyncio.gather(*each) for wait in waits]


async def _one(address: str, crowd: Crowd, until: float, rng: random.Random) -> list[float]:
    waits = []
    await asyncio.sleep(rng.uniform(0, crowd.thought))
    async with open_session(address) as session:
        pages = await pages_of(session)
        while time.perf_counter() < until:
            await asyncio.sleep(rng.uniform(0.5, 1.5) * crowd.thought)
            start = time.perf_counter()
            await shown(session, rng.choice(pages))
            waits.append(time.perf_counter() - start)
    return waits


# Streamlit's protocol -----------------------------------------------------------------------------


def open_session(address: str) -> connect:
    stream = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    # Browsers do not ask whether the server is still there.
    return connect(stream, subprotocols=["streamlit"], max_size=None, ping_interval=None)


async def pages_of(session: ClientConnection) -> list[str]:
    """The pages of the app, by what the protocol calls them; the first is shown."""
    for message in await shown(session, ""):
        if message.HasField("navigation"):
            return [page.page_script_hash for page in message.navigation.app_pages]
    raise RuntimeError("The app tells of no pages.")


async def shown(session: ClientConnection, page: str) -> list[ForwardMsg]:
    """Ask for a page; all that comes until it is shown."""
    asked = BackMsg()
    asked.rerun_script.page_script_hash = page
    await session.send(asked.SerializeToString())
    messages = []
    while True:
        message = ForwardMsg.FromString(await session.recv())
        messages.append(message)
        if message.HasField("script_finished") and message.script_finished != _FOR_RERUN:
            return messages
