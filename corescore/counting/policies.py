"""The policies that a score is made under, and the values that each of them may have."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Self, get_args, get_type_hints

from corescore.corpus.problems import choose

Match = Literal["exact", "head", "partial", "lenient", "min-span"]
Singletons = Literal["keep", "drop", "drop-response", "drop-key", "e2e", "stanza"]
Repeats = Literal["first", "error", "all", "reference", "listed", "e2e", "stanza"]
Blanc = Literal["reference", "luo2014", "recasens2011", "corefud", "scorch"]
MissingDocuments = Literal["empty", "error", "skip"]
Average = Literal["micro", "macro", "scorch", "stanza"]
Zeros = Literal["dependent", "linear", "drop", "words"]
Lookup = Literal["pairs", "table"]
Words = Literal["error", "ignore", "align"]
Mentions = Literal["all", "np-only", "without-nested"]
SplitAntecedents = Literal["score", "drop"]


@dataclass(frozen=True, slots=True)
class Policies:
    """How a score is made; `corescore.score` says what each policy means.

    Raises PolicyError for an unknown value.
    """

    match: Match = "exact"
    singletons: Singletons = "keep"
    repeats: Repeats = "first"
    blanc: Blanc = "reference"
    missing_documents: MissingDocuments = "empty"
    average: Average = "micro"
    zeros: Zeros = "dependent"
    lookup: Lookup = "pairs"
    words: Words = "error"
    mentions: Mentions = "all"
    split_antecedents: SplitAntecedents = "score"

    def __post_init__(self) -> None:
        for name, values in POLICY_VALUES.items():
            choose(name.replace("_", " "), getattr(self, name), values)

    @property
    def of_sides(self) -> "tuple[Policies, Policies]":
        """The policies of the key and of the response, for whom singletons are kept or dropped."""
        if self.singletons == "keep":
            return self, self
        drop = (self.singletons in ("drop", f"drop-{side}") for side in ("key", "response"))
        key, response = (replace(self, singletons="drop" if it else "keep") for it in drop)
        return key, response

    @property
    def of_perturbed(self) -> "Policies":
        """The policies for a response after a perturbation: the response's singletons were dropped
        before it, and a mention that it leaves alone is scored."""
        after: dict[str, Singletons] = {"drop": "drop-key", "drop-response": "keep"}
        return replace(self, singletons=after.get(self.singletons, self.singletons))

    def amount_to(self, other: "Policies", *, split_antecedents: bool) -> bool:
        """Whether files are scored the same under others.

        split_antecedents  whether the files have any; else the policy for them does nothing
        """
        own = other.split_antecedents if not split_antecedents else self.split_antecedents
        return replace(self, split_antecedents=own) == other

    @property
    def keeps_repeats(self) -> bool:
        """Whether a mention that several entities list counts in more than one of them."""
        return self.repeats not in ("first", "error")

    @property
    def looks_up(self) -> bool:
        """Whether mentions that one side lists twice are looked up, not paired."""
        by_last = self.repeats in ("reference", "listed", "e2e", "stanza")
        return by_last or self.lookup == "table"

    @classmethod
    def of(cls, values: Mapping[str, str]) -> Self:
        """Policies as text, as a command line or a URL gives them; defaults for the others. Raises
        PolicyError for an unknown one."""
        given: dict[str, Any] = {
            choose("policy", name, POLICY_VALUES): values[name] for name in values
        }
        return cls(**given)


# The values of each policy, the default first.
POLICY_VALUES: Mapping[str, tuple[str, ...]] = {
    name: get_args(values) for name, values in get_type_hints(Policies).items()
}
DEFAULTS = Policies()
