"""Outcomes of many shards on a cluster: Dask runs the tasks, those of lost workers again."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from distributed import Client, Future, as_completed
from distributed.scheduler import KilledWorker

from corescore.corpus.problems import InputError, Problem
from corescore.distributed.files import UnreadableError
from corescore.distributed.outcomes import BOTH, Outcome, Refusal
from corescore.distributed.shards import Shard
from corescore.distributed.tasks import Job, Rest, add
from corescore.wording import counted

RETRIES = 2  # of a file that cannot be read; lost workers do not count
FAN_IN = 16  # outcomes that one task adds up
Step = Callable[[str], None]
Item = TypeVar("Item", Shard, Rest)


def outcome_of(
    client: Client,
    work: Callable[[Item, Job], Outcome],
    items: Sequence[Item],
    job: Job,
    step: Step,
) -> Outcome:
    """What `work` makes of one item or more, added up on the workers, in the order of the items.

    step  is called with the name of each item that is done
    """
    sums = Sums(client, len(items))
    for at, outcome in _counted(client, work, items, job):
        sums.put(at, outcome)
        step(items[at].name)
    return sums.total()


class Sums:
    """Outcomes that are added up on the workers as soon as all of a few neighbours are there."""

    def __init__(self, client: Client, n: int) -> None:
        self._client = client
        self._waiting: list[dict[int, Future[Outcome] | Outcome]] = [
            {} for _ in range(0, n, FAN_IN)
        ]
        self._left = [min(FAN_IN, n - first) for first in range(0, n, FAN_IN)]
        self._sums: dict[int, Future[Outcome]] = {}

    def put(self, at: int, outcome: Future[Outcome] | Outcome) -> None:
        """Take the outcome of this place; the last of some neighbours has them added up."""
        group = at // FAN_IN
        waiting = self._waiting[group]
        waiting[at] = outcome
        if len(waiting) == self._left[group]:
            self._sums[group] = self._add([waiting[place] for place in sorted(waiting)])
            waiting.clear()  # so that the workers forget them

    def total(self) -> Outcome:
        """The sum of all; neighbours first, so that no task has more than a few to fetch."""
        futures = [self._sums[group] for group in sorted(self._sums)]
        while len(futures) > 1:
            firsts = range(0, len(futures), FAN_IN)
            futures = [self._add(futures[at : at + FAN_IN]) for at in firsts]
        return self._result(futures[0])

    def _result(self, whole: Future[Outcome]) -> Outcome:
        """The result of the last sum. An outcome that was lost with its worker is counted again,
        and may be blamed for another's death there; by now nothing is left that kills."""
        for _ in range(RETRIES):
            try:
                return whole.result()
            except KilledWorker:
                whole.retry()
        return whole.result()

    def _add(self, outcomes: Sequence[Future[Outcome] | Outcome]) -> Future[Outcome]:
        return self._client.submit(add, *outcomes, pure=False)


def _counted(
    client: Client, work: Callable[[Item, Job], Outcome], items: Sequence[Item], job: Job
) -> Iterator[tuple[int, Future[Outcome] | Outcome]]:
    """The place and the outcome of each item, as soon as it is there.

    A worker that dies may hold other items than the one that it dies of, and all are blamed. So
    those that are blamed too often are counted once more, one by one.
    """

    def submitted(item: Item) -> Future[Outcome]:
        return client.submit(work, item, job, pure=False, retries=RETRIES)

    place: dict[Future[Outcome], int] = {submitted(item): at for at, item in enumerate(items)}
    blamed = []
    for future in as_completed([*place]):
        at = place.pop(future)
        if future.status == "error" and isinstance(future.exception(), KilledWorker):
            blamed.append(at)
        else:
            yield at, _settled(future, items[at])
    for at in sorted(blamed):
        for future in as_completed([submitted(items[at])]):
            yield at, _settled(future, items[at])


def _settled(future: Future[Outcome], item: Shard | Rest) -> Future[Outcome] | Outcome:
    """An outcome, which says why if there are no counts. Raises what is no problem of the shard."""
    if future.status != "error":
        return future
    error = future.exception()
    if isinstance(error, UnreadableError):
        problem = error.problem
    elif isinstance(error, KilledWorker):
        found = f"a shard on which {counted(error.allowed_failures + 1, 'worker')} died"
        advice = "Give the workers more memory, or split the shard."
        problem = Problem(item.name, 0, found, "one that a worker can hold", advice)
    else:
        raise error or RuntimeError(f"{item.name} was cancelled")
    return Outcome(refused=(Refusal(item.stem, BOTH, InputError([problem])),))
