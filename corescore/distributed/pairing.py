"""Documents that stand in other shards, or under other names, than their partners."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corescore.corpus.problems import Stage
from corescore.counting.document_names import paired_names
from corescore.counting.pairing import Unpaired, missing_document, nothing_shared
from corescore.counting.words import Few, refuse
from corescore.distributed.outcomes import KEY, RESPONSE, Left, Outcome
from corescore.distributed.shards import Shard
from corescore.distributed.tasks import Job, Rest


@dataclass(frozen=True)
class Others:
    """What is still to be counted of all shards, and the warnings of it."""

    rests: tuple[Rest, ...]
    warnings: tuple[str, ...]


def others_of(outcome: Outcome, shards: Sequence[Shard], job: Job) -> Others:
    """Pair the documents that are left of all shards by their names; see `paired_by_name`.

    Raises InputError as `pair_documents`, for missing documents and where nothing is shared.
    """
    key, response = ({left.name: left for left in side} for side in outcome.left)

    def texts(side: int, name: str) -> Iterable[str]:
        return (key, response)[side][name].text

    name = job.names[RESPONSE]
    pairs, renamed = paired_names(key, response, name, texts)
    missing = [left for left in key.values() if left.name not in pairs]
    used = {*pairs.values()}
    unpaired = Unpaired(
        Few.of(left.name for left in missing), Few.of(of for of in response if of not in used)
    )
    if job.policies.missing_documents == "error":
        problems = (missing_document(left.name, left.file, name) for left in missing)
        refuse(problems, Stage.MISSING)
    if unpaired.extra.n and unpaired.missing.n == len(outcome.order):
        first = outcome.order[0] if outcome.order else ""
        raise nothing_shared(unpaired.extra.first[0], name, first, job.names[KEY])
    skips = job.policies.missing_documents == "skip"
    scored = [left for left in key.values() if left.name in pairs or not skips]
    rests = _rests(scored, pairs, response, {shard.stem: shard for shard in shards})
    return Others(rests, (*renamed, *unpaired.warnings(name, skips=skips)))


def _rests(
    scored: Iterable[Left],
    pairs: dict[str, str],
    response: dict[str, Left],
    shards: dict[str, Shard],
) -> tuple[Rest, ...]:
    """A task for each shard of the key, which reads the shards of its documents' partners."""
    by_stem = defaultdict(list)
    for left in scored:
        by_stem[left.stem].append((left.name, pairs.get(left.name)))
    return tuple(
        Rest(
            shards[stem],
            tuple(shards[of] for of in dict.fromkeys(response[o].stem for _, o in found if o)),
            tuple(found),
        )
        for stem, found in by_stem.items()
    )
