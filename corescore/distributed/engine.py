"""Outcomes of many shards on a cluster: Dask runs the tasks, those of lost workers again."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from distributed import Client, Future, as_completed
from distributed.scheduler import KilledWorker

from corescore.corpus.problems import InputError, Problem
from corescore.distributed.files import UnreadableError
from corescore.distributed.outcomes import BOTH, Outcome, Refusal
from corescore.distributed.shards import Shard
from corescore.distributed.tasks import Job, Rest
from corescore.wording import counted

RETRIES = 2  # of a file that cannot be read; lost workers do not count
Step = Callable[[str], None]
Item = TypeVar("Item", Shard, Rest)


def outcome_of(
    client: Client,
    work: Callable[[Item, Job], Outcome],
    items: Sequence[Item],
    job: Job,
    step: Step,
) -> Outcome:
    """What `work` makes of one item or more, added up in the order of the items.

    step  is called with the name of each item that is done
    """
    outcomes: dict[int, Outcome] = {}
    for at, outcome in _counted(client, work, items, job):
        outcomes[at] = outcome
        step(items[at].name)
    return Outcome.sum([outcomes[at] for at in range(len(items))])


def _counted(
    client: Client, work: Callable[[Item, Job], Outcome], items: Sequence[Item], job: Job
) -> Iterator[tuple[int, Outcome]]:
    """The place and the outcome of each item, fetched as soon as it is there.

    A worker that dies may hold other items than the one that it dies of, and all are blamed. So
    those that are blamed too often are counted once more, one by one. What is fetched cannot be
    lost with a worker.
    """

    def submitted(item: Item) -> Future[Outcome]:
        return client.submit(work, item, job, pure=False, retries=RETRIES)

    place: dict[Future[Outcome], int] = {submitted(item): at for at, item in enumerate(items)}
    blamed = []
    for future in as_completed([*place]):
        at = place.pop(future)
        try:
            yield at, _fetched(future, items[at])
        except KilledWorker:
            blamed.append(at)
    for at in sorted(blamed):
        try:
            yield at, _fetched(submitted(items[at]), items[at])
        except KilledWorker as error:
            yield at, _deadly(items[at], error)


def _fetched(future: Future[Outcome], item: Shard | Rest) -> Outcome:
    """An outcome, which says so if a file cannot be read. Raises KilledWorker."""
    try:
        return future.result()
    except UnreadableError as error:
        return _refused(item, error.problem)


def _deadly(item: Shard | Rest, error: KilledWorker) -> Outcome:
    found = f"a shard on which {counted(error.allowed_failures + 1, 'worker')} died"
    advice = "Give the workers more memory, or split the shard."
    return _refused(item, Problem(item.name, 0, found, "one that a worker can hold", advice))


def _refused(item: Shard | Rest, problem: Problem) -> Outcome:
    return Outcome(refused=(Refusal(item.stem, BOTH, InputError([problem])),))
