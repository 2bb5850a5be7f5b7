"""Score the shards of two places on a cluster."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from distributed import Client

from corescore.corpus.problems import InputError
from corescore.counting.policies import Policies
from corescore.distributed.engine import Step, outcome_of
from corescore.distributed.files import Storage, files_at
from corescore.distributed.outcomes import Job
from corescore.distributed.shards import Shard, shards_of
from corescore.metrics import METRICS, Metric, metric_of
from corescore.scoring.scores import in_force
from corescore.scoring.tally import Tally


@dataclass(frozen=True)
class Scored:
    """What was counted, and the problems of each shard that was left out.

    exact  under another matching: the same by exact matching
    """

    tally: Tally
    refused: tuple[InputError, ...]
    exact: Tally | None

    @property
    def problems(self) -> tuple[str, ...]:
        """A warning of each problem of the shards that were left out."""
        every = (str(problem) for error in self.refused for problem in error.problems)
        return tuple(f"{problem} Its shard is left out." for problem in every)


@dataclass(frozen=True)
class Run:
    """The shards of a key and a response, and how they are scored."""

    job: Job
    metrics: tuple[Metric, ...]
    shards: tuple[Shard, ...]

    @classmethod
    def of(
        cls,
        key: str,
        response: str,
        policies: Policies,
        metrics: Sequence[Metric],
        *,
        storage: Storage | None = None,
        format: str | None = None,
        repair_brackets: bool = False,
    ) -> "Run":
        """List the files of both sides; see `score`. Raises InputError if there are none."""
        sides = [files_at(place, storage or {}) for place in (key, response)]
        names = sides[0].name, sides[1].name
        job = Job(policies, tuple(metrics), names, storage or {}, format, repair_brackets)
        return cls(job, in_force(policies, metrics), tuple(shards_of(*sides)))

    def scored(
        self, client: Client, *, keep_going: bool, step: Step = lambda shard: None
    ) -> Scored:
        """Count the shards on a cluster.

        step  is called with the name of each shard that is done

        Raises InputError with the problems of all shards, if they are not to be left out, or if
        none is left.
        """
        outcome = outcome_of(client, self.shards, self.job, step)
        if outcome.tally is None or (outcome.refused and not keep_going):
            raise InputError.of(outcome.refused)
        exact = outcome.exact and replace(outcome.exact, metrics=self.metrics)
        return Scored(replace(outcome.tally, metrics=self.metrics), outcome.refused, exact)


def score(
    key: str,
    response: str,
    *,
    client: Client,
    metrics: Sequence[Metric | str] = METRICS,
    keep_going: bool = False,
    format: str | None = None,
    repair_brackets: bool = False,
    storage_options: Storage | None = None,
    **policies: str,
) -> Tally:
    """Score a response against a key on a cluster: the workers read the files and count.

    key, response    each a folder, a pattern (`s3://bucket/gold/*.conll.gz`) or a file, by path or
                     by URL, as the workers see it; see `corescore.read` for what the files may be.
                     Files of both sides belong together by their names without endings, and so do
                     their documents, as when two folders are scored
    client           of the cluster; none is started
    keep_going       leave out the shards that cannot be scored, with a warning of each problem,
                     instead of raising
    format, repair_brackets
                     as in `corescore.read`
    storage_options  what fsspec is told besides the URLs, such as credentials
    metrics, policies
                     as in `corescore.score`

    The tally is that of scoring both folders in memory, to the bit. The texts stay on the workers;
    counts of documents come back. Raises InputError with the problems of all shards, and
    PolicyError, as `corescore.score`.
    """
    run = Run.of(
        key,
        response,
        Policies.of(policies),
        [metric_of(one) if isinstance(one, str) else one for one in metrics],
        storage=storage_options,
        format=format,
        repair_brackets=repair_brackets,
    )
    scored = run.scored(client, keep_going=keep_going)
    return replace(scored.tally, warnings=(*scored.tally.warnings, *scored.problems))
