"""Outcomes of many shards on a cluster: Dask runs the tasks, those of lost workers again."""

from collections.abc import Callable, Iterator, Sequence

from distributed import Client, Future, as_completed
from distributed.scheduler import KilledWorker

from corescore.corpus.problems import InputError, Problem
from corescore.distributed.files import UnreadableError
from corescore.distributed.outcomes import Job, Outcome, add, count_shard
from corescore.distributed.shards import Shard
from corescore.wording import counted

RETRIES = 2  # of a file that cannot be read; lost workers do not count
FAN_IN = 16  # outcomes that one task adds up
Step = Callable[[str], None]


def outcome_of(client: Client, shards: Sequence[Shard], job: Job, step: Step) -> Outcome:
    """What all shards come to, added up on the workers, in the order of the shards.

    step  is called with the name of each shard that is done
    """
    sums = Sums(client, len(shards))
    for at, outcome in _counted(client, shards, job):
        sums.put(at, outcome)
        step(shards[at].name)
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
    client: Client, shards: Sequence[Shard], job: Job
) -> Iterator[tuple[int, Future[Outcome] | Outcome]]:
    """The place and the outcome of each shard, as soon as it is there.

    A worker that dies may hold other shards than the one that it dies of, and all are blamed. So
    those that are blamed too often are counted once more, one by one.
    """
    place = {
        client.submit(count_shard, shard, job, pure=False, retries=RETRIES): at
        for at, shard in enumerate(shards)
    }
    blamed = []
    for future in as_completed([*place]):
        at = place.pop(future)
        if future.status == "error" and isinstance(future.exception(), KilledWorker):
            blamed.append(at)
        else:
            yield at, _settled(future, shards[at])
    for at in sorted(blamed):
        alone = client.submit(count_shard, shards[at], job, pure=False, retries=RETRIES)
        yield from ((at, _settled(future, shards[at])) for future in as_completed([alone]))


def _settled(future: Future[Outcome], shard: Shard) -> Future[Outcome] | Outcome:
    """An outcome, which says why if there are no counts. Raises what is no problem of the shard."""
    if future.status != "error":
        return future
    error = future.exception()
    if isinstance(error, UnreadableError):
        problem = error.problem
    elif isinstance(error, KilledWorker):
        found = f"a shard on which {counted(error.allowed_failures + 1, 'worker')} died"
        advice = "Give the workers more memory, or split the shard."
        problem = Problem(shard.name, 0, found, "one that a worker can hold", advice)
    else:
        raise error or RuntimeError(f"{shard.name} was cancelled")
    return Outcome(None, (InputError([problem]),))
