"""Score the shards of two places on a cluster."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from distributed import Client

from corescore.corpus.formats.ceilings import ceiling_in_force, limit_in_force
from corescore.corpus.problems import InputError, Problem
from corescore.counting.policies import Policies
from corescore.distributed.engine import Step, outcome_of
from corescore.distributed.files import Storage, files_at
from corescore.distributed.outcomes import RESPONSE, Outcome, Refusal
from corescore.distributed.pairing import Others, others_of
from corescore.distributed.shards import Shard, shards_of
from corescore.distributed.tasks import Job, count_rest, count_shard
from corescore.metrics import METRICS, Metric, metric_of
from corescore.scoring.noticed import empty_average, has_mixed_cores, side_warnings
from corescore.scoring.scores import in_force
from corescore.scoring.tally import Tally


@dataclass(frozen=True)
class Scored:
    """What was counted, and why shards were left out, which is also in the warnings.

    exact  under another matching: the same by exact matching
    """

    tally: Tally
    refused: tuple[Refusal, ...]
    exact: Tally | None


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
        """List the files of both sides; see `score`. Raises InputError if there are none, and
        PolicyError if the unpack limit in force here is no size."""
        ceiling_in_force()
        sides = [files_at(place, storage or {}) for place in (key, response)]
        names = sides[0].name, sides[1].name
        limit = limit_in_force()
        job = Job(policies, tuple(metrics), names, storage or {}, format, repair_brackets, limit)
        return cls(job, in_force(policies, metrics), tuple(shards_of(*sides)))

    def scored(
        self, client: Client, *, keep_going: bool, step: Step = lambda shard: None
    ) -> Scored:
        """Count the shards on a cluster.

        step  is called with the name of each shard that is done

        Raises InputError with the problems of all shards, if they are not to be left out, or if
        none is left.
        """
        first = outcome_of(client, count_shard, self.shards, self.job, step)
        if first.refused and not keep_going and any(not of.error.stage for of in first.refused):
            raise first.error()
        first = first.without_refused() if keep_going else first
        try:
            others = others_of(first, self.shards, self.job)
        except InputError as error:
            raise InputError.of([*(of.error for of in first.refused), error]) from error
        outcome = first
        if others.rests:
            rest = outcome_of(client, count_rest, others.rests, self.job, lambda name: None)
            outcome = Outcome.sum([first, rest])
        if outcome.tally is None or (outcome.refused and not keep_going):
            raise outcome.error()
        self._refuse_mixed_cores(outcome)
        tally = self._in_order(outcome.tally, first.order)
        exact = outcome.exact and self._in_order(outcome.exact, first.order)
        warnings = self._warnings(outcome, others, tally)
        return Scored(replace(tally, warnings=warnings), outcome.refused, exact)

    def _refuse_mixed_cores(self, outcome: Outcome) -> None:
        """Raises InputError where only some shards name the minimum spans by which all would have
        to match."""
        policies = self.job.policies
        for side, name in zip(outcome.noticed.sides, self.job.names, strict=True):
            if has_mixed_cores([side], policies):
                found = f"minimum spans in some files only, under match '{policies.match}'"
                expected = "all files with minimum spans, or none"
                advice = "Score them on one machine, where all are seen at once."
                raise InputError([Problem(name, 0, found, expected, advice)])

    def _in_order(self, tally: Tally, order: Sequence[str]) -> Tally:
        """The tally in the key's order, with its metrics."""
        place = {name: at for at, name in enumerate(tally.documents)}
        rows = np.array([place[name] for name in order if name in place], dtype=np.int64)
        return replace(tally.rows(rows), metrics=self.metrics)

    def _warnings(self, outcome: Outcome, others: Others, tally: Tally) -> tuple[str, ...]:
        """Those of scoring in memory, in its order."""
        names, policies, noticed = self.job.names, self.job.policies, outcome.noticed
        return (
            *(warning for side in noticed.warnings for warning in side),
            *others.warnings,
            *noticed.words.warnings(names[RESPONSE]),
            *side_warnings(noticed.sides, names, policies),
            *empty_average(tally.counts, tally.documents, policies),
            *(f"{said} Its shard is left out." for of in outcome.refused for said in _said(of)),
        )


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
    return run.scored(client, keep_going=keep_going).tally


def _said(refusal: Refusal) -> list[str]:
    return [str(problem) for problem in refusal.error.problems]
