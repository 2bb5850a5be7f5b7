"""What a card says about a metric: a frozen record. It holds no scores: those are computed."""

from dataclasses import dataclass

from corescore.bibliography import Paper
from corescore.counting.counts import MEASURES


def harmonic_mean(sign: str = "") -> str:
    """The formula of F1 in LaTeX; `sign` is the index of R and P."""
    r, p = (f"{letter}_{sign}" if sign else letter for letter in "RP")
    return rf"\frac{{2 {r} {p}}}{{{r} + {p}}}"


@dataclass(frozen=True)
class Part:
    """Formulas in LaTeX for recall, precision and F1, each the right-hand side alone.

    What it lacks is empty: the CoNLL average has no recall.

    of    what it is of, such as "coreference links"; empty if there is but one part
    sign  what stands below its R, P and F
    """

    recall: str
    precision: str
    f1: str = harmonic_mean()
    of: str = ""
    sign: str = ""

    @property
    def steps(self) -> dict[str, tuple[str, str]]:
        """By name, such as "recall of coreference links", the symbol and the formula."""
        of = f" of {self.of}" if self.of else ""
        low = f"_{self.sign}" if self.sign else ""
        symbols = (f"R{low}", f"P{low}", f"F{low}" if low else "F_1")
        rows = zip(MEASURES, symbols, (self.recall, self.precision, self.f1), strict=True)
        return {f"{measure}{of}": (symbol, formula) for measure, symbol, formula in rows if formula}


@dataclass(frozen=True)
class Case:
    """When something is empty, and what the score is then; both in words."""

    when: str
    then: str


@dataclass(frozen=True)
class Variant:
    """A way to score empty parts: its policy, where it is from, and its cases, first come first."""

    policy: str
    title: str
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Card:
    """A metric explained.

    id         the metric's, or "conll"
    name       how a sentence calls it
    counts     what it counts, in a sentence or two
    parts      its formulas
    symbols    (LaTeX, words): what stands in them
    unit       what one unit of its numerator is
    one, zero  when its F1 is 1 and when it is 0: "1 exactly when …"
    empty      when it has nothing to divide by
    examples   (key, response) in brace notation, to show what is empty
    papers     where it was defined
    history    of a variant: where it comes from, and why it was given up
    bounds     its range
    variants   where empty parts are scored in several ways: each of them
    """

    id: str
    name: str
    counts: str
    parts: tuple[Part, ...]
    symbols: tuple[tuple[str, str], ...]
    unit: str
    one: str
    zero: str
    empty: str
    examples: tuple[tuple[str, str], ...]
    papers: tuple[Paper, ...]
    variants: tuple[Variant, ...] = ()
    history: str = ""
    bounds: str = "From 0 to 1, in percent from 0 to 100."


# What several cards say in the same words ---------------------------------------------------------

SAME_ENTITIES = "both sides have the same entities"
SAME_LINKED = "both sides have the same entities of two or more mentions, and there is at least one"
SAME_AMONG_SHARED = (
    "the two sides share a mention, and those that they share are in the same entities on both"
)
NO_SHARED_MENTION = "the two sides share no mention"
NO_RIGHT_LINK = "no two mentions are coreferent on both sides"


def empty_where(side_is: str) -> str:
    """What is empty, where a side is like that."""
    return (
        f"Where the key {side_is}, recall is empty; where the response {side_is}, precision is "
        "empty. F1 is empty where both are, and 0 where one is."
    )


EMPTY_WITHOUT_MENTIONS = empty_where("has no mention")
EMPTY_WITHOUT_LINKS = empty_where("has no entity of two or more mentions")

KEY_SIZE = (r"a_i", "mentions of key entity i")
RESPONSE_SIZE = (r"b_j", "mentions of response entity j")
SHARED = (r"n_{ij}", "mentions that these two share")
SHARED_OF_KEY = (r"n_{i\cdot}", "mentions of i that the response has")
SHARED_OF_RESPONSE = (r"n_{\cdot j}", "mentions of j that the key has")
MENTION_COUNTS = (r"A,\ B", "mentions of the key, of the response")
BOTH = (r"m", "mentions that both sides have")
PAIRS = (r"\tbinom{n}{2}", "pairs of n mentions, n(n − 1)/2")
ALIGNED = (r"i \sim j", "i and j are aligned with each other")
