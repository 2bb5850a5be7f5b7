"""Perturbed responses, cached by their files, policies and steps."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from corescore import Corpus, InputError, Result
from corescore.analysis.perturbation import LEFT_BEHIND, perturb
from corescore.analysis.perturbation.effects import (
    changed_documents,
    mention_changes,
    other_reading,
)
from corescore.corpus.files import Format
from corescore.scoring.scores import score
from dashboard.components.passage.mentions import Drawn, of_changes, with_pieces
from dashboard.session.caching import cached
from dashboard.session.loaded import BY_CONTENT, Loaded, System
from dashboard.session.scoring import format_of_system
from dashboard.views.perturb.steps import FIRST, FIRST_SEED, Steps, parse_steps, write_steps


@dataclass(frozen=True)
class Perturbed:
    """A response after some perturbations, and its score.

    changed  how many mentions are removed, new or moved in each document with any
    """

    corpus: Corpus
    result: Result
    changed: Mapping[str, int] = field(default_factory=dict)


@cached(max_entries=24, show_spinner="Perturbing and scoring", by=BY_CONTENT)
def perturbed(
    loaded: Loaded, system: System, steps: str, *, seed: int, left_behind: str
) -> Perturbed:
    """A system's response after the steps, given as text; unchanged if there are none."""
    if not steps:
        return Perturbed(system.corpus, system.result)
    policies = system.result.policies
    corpus = perturb(
        loaded.key,
        system.corpus,
        parse_steps(steps),
        seed=seed,
        left_behind=left_behind,
        singletons=policies.singletons,
        words=policies.words,
    )
    result = Result.of(score(loaded.key, corpus, policies))
    return Perturbed(corpus, result, changed_documents(system.corpus, corpus))


@cached(max_entries=16, by=BY_CONTENT)
def drawn(
    loaded: Loaded, system: System, steps: str, document: str, *, seed: int, left_behind: str
) -> tuple[Drawn, ...]:
    """The mentions of a document before and after the steps, as the page draws them."""
    after = perturbed(loaded, system, steps, seed=seed, left_behind=left_behind).corpus[document]
    before = system.corpus[document]
    return with_pieces(of_changes(mention_changes(before, after)), (before, after))


@cached(
    max_entries=4,
    show_spinner="Writing the perturbed response",
    by={**BY_CONTENT, Format: lambda known: known.id},
)
def written(
    loaded: Loaded, system: System, steps: str, known: Format, *, seed: int, left_behind: str
) -> str | InputError:
    """The perturbed response in a format, or what of it the format cannot hold."""
    try:
        return known.text(
            perturbed(loaded, system, steps, seed=seed, left_behind=left_behind).corpus
        )
    except InputError as error:
        return error


def in_other_reading(system: System, steps: Steps) -> Steps:
    """The steps with the other reading of incorrectly resolved mentions; none if they have no
    single one, or if the key has no singletons, in which the readings differ."""
    has_singletons = (system.result.comparison.table.key_sizes == 1).any()
    return other_reading(steps) if has_singletons else ()


def at_first(loaded: Loaded) -> Iterator[Callable[[], object]]:
    """What computes all that the page shows before anything is selected on it."""
    if loaded.policies.keeps_repeats:
        return
    first = partial(perturbed, seed=FIRST_SEED, left_behind=LEFT_BEHIND[0])
    for system in loaded.systems:
        yield partial(format_of_system, loaded, system)
        yield partial(first, loaded, system, FIRST)
        if other := in_other_reading(system, parse_steps(FIRST)):
            yield partial(first, loaded, system, write_steps(other))
