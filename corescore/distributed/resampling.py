"""Blocks of resamples as tasks of a cluster."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from distributed import Client

from corescore.analysis.significance.resampling import Block, Found
from corescore.analysis.significance.stack import Stack


@dataclass(frozen=True)
class OnCluster:
    """Where the blocks of a test are counted: `randomisation(a, b, run=OnCluster(client))`.

    The results are those of one process, to the bit.
    """

    client: Client

    def __call__(
        self, count: Callable[[Stack, Block], Found], stack: Stack, blocks: Iterable[Block]
    ) -> Iterator[Found]:
        """`count(stack, block)` of each block, in their order."""
        # The result of a task: what is only scattered is lost with the workers that have it
        held = self.client.submit(_itself, stack, pure=False)
        futures = [self.client.submit(count, held, block, pure=False) for block in blocks]
        yield from (future.result() for future in futures)


def _itself(stack: Stack) -> Stack:
    return stack
