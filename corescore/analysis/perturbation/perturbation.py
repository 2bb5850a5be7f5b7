"""The base classes of perturbations: frozen records that change the mentions of a response."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import Field, dataclass, field, fields, replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self, TypeGuard

import numpy as np

from corescore.analysis.errors.mentions import INCORRECT, Incorrect
from corescore.analysis.perturbation.chance import Generators, quotas, selected
from corescore.analysis.perturbation.draft import Draft
from corescore.analysis.perturbation.mentions import Mentions
from corescore.arrays import AnyArray, BoolArray, IntArray
from corescore.corpus.problems import PolicyError, choose

YES, NO = "yes", "no"
# For each type of a parameter: the types of its values, and their description.
KINDS: dict[Any, tuple[Any, str]] = {
    float: (Real, "a number"),
    int: (Integral, "a whole number"),
    int | None: (Integral | None, "a whole number"),
    bool: (bool, f"{YES} or {NO}"),
    str: (str, "a word"),
    str | None: (str | None, "a word"),
    Incorrect: (str, "a word"),
}
MOST = 1_000_000  # the largest number that a parameter may have


def parameter(default: Any, about: str, choices: Sequence[str] = ()) -> Any:
    """A field of a perturbation that the user sets; help texts show `about` and the choices."""
    whole = f"{about}: {', '.join(choices)}" if choices else about
    return field(default=default, metadata={"about": whole, "choices": tuple(choices)})


@dataclass(frozen=True, kw_only=True)
class Perturbation(ABC):
    """A change of a response, which may depend on its key.

    id               its name on the command line, such as "drop"
    about            what it does, in one line
    description      the same with its parameters, in one line
    makes_singletons whether singletons that it creates are intended, so that `left_behind` does
                     not apply to them

    Raises PolicyError for a parameter out of range.
    """

    id: ClassVar[str]
    about: ClassVar[str]
    makes_singletons: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for name, entry in self.parameters().items():
            value, (kind, expected) = getattr(self, name), KINDS[entry.type]
            if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
                raise PolicyError(f"{name} of {self.id} is {value!r}; expected {expected}")

    @property
    def description(self) -> str:
        return self.about

    @property
    def spec(self) -> str:
        """As on the command line: "drop:share=0.2,type=pronoun"."""
        values = {name: getattr(self, name) for name in self.parameters()}
        given = {n: v for n, v in values.items() if v != self.parameters()[n].default}
        return f"{self.id}:{','.join(f'{n}={written(v)}' for n, v in given.items())}".rstrip(":")

    @classmethod
    def parameters(cls) -> dict[str, "Field[Any]"]:
        """The parameters by name: default, type, and in the metadata `about` and `choices`."""
        return {entry.name: entry for entry in fields(cls)}

    @abstractmethod
    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        """The mentions of the perturbed response; `rngs` has a generator for each document."""


def written(value: object) -> str:
    """The value of a parameter as in a spec."""
    if isinstance(value, bool):
        return YES if value else NO
    return f"{value:.10g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, kw_only=True)
class Dosed(Perturbation):
    """A perturbation that changes a share of what it can change in each document, or a number.

    Share 0 changes nothing; with the same seed, a larger share changes all that a smaller one
    does, and more.
    """

    share: float = parameter(1.0, "the share to change, from 0 to 1")
    number: int | None = parameter(None, "instead of a share, how many in each document")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.share <= 1:
            raise PolicyError(
                f"share of {self.id} is {self.share:g}; expected a number from 0 to 1"
            )
        if self.number is not None and not 0 <= self.number <= MOST:
            expected = f"a whole number from 0 to {MOST}"
            raise PolicyError(f"number of {self.id} is {self.number}; expected {expected}")

    def at(self, dose: float) -> Self:
        """The same with this share."""
        return replace(self, share=dose, number=None)

    def amount(self, things: str) -> str:
        """ "all the mentions", "20% of the mentions", "3 of the mentions in each document"."""
        if self.number is not None:
            return f"{self.number} of {things} in each document"
        return f"all {things}" if self.share == 1 else f"{100 * self.share:.10g}% of {things}"

    def quotas(self, rngs: Generators, available: IntArray) -> IntArray:
        """(documents,) how many items to change; see `chance.quotas`."""
        return quotas(rngs, available, share=self.share, number=self.number)

    def selected(self, rngs: Generators, document: IntArray, *first: AnyArray) -> BoolArray:
        """(items,) which items to change; see `chance.selected`."""
        return selected(rngs, document, *first, share=self.share, number=self.number)


@dataclass(frozen=True, kw_only=True)
class DosedIncorrect(Dosed):
    """A dosed perturbation that removes incorrectly resolved mentions, or adds mentions that are.

    With incorrect "linked" these are only mentions with a link in the key, as in
    `corescore.analysis.errors.mentions.incorrectly_resolved`.
    """

    incorrect: Incorrect = parameter(
        "all", "all incorrectly resolved mentions, or only those with a link in the key", INCORRECT
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        choose("incorrect", self.incorrect, INCORRECT)

    @property
    def uses_incorrect(self) -> bool:
        """Whether its effect depends on `incorrect`."""
        return True

    @property
    def limit(self) -> str:
        """In a description, after the mentions: which of them; "" for all."""
        linked = self.uses_incorrect and self.incorrect == "linked"
        return " with a link in the key" if linked else ""


def uses_incorrect(step: Perturbation) -> TypeGuard[DosedIncorrect]:
    """Whether the effect of a perturbation depends on its `incorrect`."""
    return isinstance(step, DosedIncorrect) and step.uses_incorrect


def is_count(text: str) -> bool:
    """Whether a text is a whole number from 1 to MOST."""
    return text.isdecimal() and len(text) <= len(str(MOST)) and 1 <= int(text) <= MOST


def fresh(draft: Draft, groups: AnyArray) -> IntArray:
    """Numbers of new entities, one for each group (≥ 0)."""
    return draft.n_entities + np.asarray(groups, dtype=np.int64)
