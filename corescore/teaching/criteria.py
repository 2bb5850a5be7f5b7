"""A pitfall: a key with two responses, criteria by which one is better, and what metrics say.

All numbers are computed from the two responses; literal texts have none.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
import pandas as pd

from corescore.corpus.documents import Corpus
from corescore.corpus.formats.inline import read_notation
from corescore.counting.counts import Score
from corescore.counting.policies import DEFAULTS, Policies
from corescore.metrics import METRIC_IDS, METRICS, Metric, name_of
from corescore.replication.experiment import Check
from corescore.scoring.scores import Result, score
from corescore.teaching.toy import (
    Entities,
    Link,
    Toy,
    entity_sets,
    links_of,
    named_entities,
    read_sentence,
)
from corescore.util import TOLERANCE
from corescore.version import __version__
from corescore.wording import counted, exact, percent

A, B, SAME = "A", "B", "the same"

# Two responses of a card, each with its links and scores ------------------------------------------

CHOICES = (A, B, SAME)

NO_VALUE = "no value"


SplitAntecedents = Sequence[tuple[int, Sequence[int]]]


@dataclass(frozen=True)
class Output:
    """A response in brace notation, one document per line, and the policies it is scored under.

    says    its description before the reader chooses, in a few words
    window  key and response are cut after every so many mentions, as a text into windows; 0: not
    key_split, split  split antecedents of the key and of the response in its only document: each
            an entity and those to which it refers together, numbered from 0 in their order
    """

    response: str
    says: str = ""
    policies: Policies = DEFAULTS
    window: int = 0
    key_split: SplitAntecedents = ()
    split: SplitAntecedents = ()


@dataclass(frozen=True)
class ScoredOutput:
    """An output with its documents, links and scores."""

    letter: str
    documents: tuple[tuple[Entities, Entities], ...]
    result: Result

    @cached_property
    def toys(self) -> tuple[Toy, ...]:
        """A key and response for each document, without repeated entities."""
        return tuple(Toy(_once(key), _once(response)) for key, response in self.documents)

    @cached_property
    def correct(self) -> tuple[Link, ...]:
        """The links that both sides have."""
        return tuple(link for toy in self.toys for link in links_of(toy).correct)

    @cached_property
    def wrong(self) -> tuple[Link, ...]:
        """The links that only the response has."""
        return tuple(link for toy in self.toys for link in links_of(toy).wrong)

    @cached_property
    def missed(self) -> tuple[Link, ...]:
        """The links that only the key has."""
        return tuple(link for toy in self.toys for link in links_of(toy).missing)

    @property
    def n_errors(self) -> int:
        """The number of wrong and missed links."""
        return len(self.wrong) + len(self.missed)

    @property
    def n_pairs(self) -> int:
        """The number of pairs of mentions."""
        return sum(math.comb(len(toy.mentions), 2) for toy in self.toys)

    @property
    def n_whole(self) -> int:
        """The number of key entities that the response has unchanged."""
        return sum(len(entity_sets(toy.key) & entity_sets(toy.response)) for toy in self.toys)

    @property
    def n_key_entities(self) -> int:
        """The number of key entities."""
        return sum(len(toy.key) for toy in self.toys)

    def score(self, metric: str) -> Score[float]:
        """The score of all documents together."""
        return self.result[metric]

    def value(self, metric: str, measure: str) -> float:
        """A score as one of MEASURES; a fraction, NaN where it is 0/0."""
        if measure == "macro":
            return self.result.macro[metric].f1
        score = self.result[metric]
        value: float = getattr(score, measure)
        return float("nan") if is_empty(score, measure) else value

    def n_with_value(self, metric: str, ratio: str) -> int:
        """The number of documents in which recall or precision is not 0/0."""
        of_documents = self.result.document_scores[metric]
        return int(np.isfinite(getattr(of_documents, ratio)).sum())


def is_empty(score: Score[float], ratio: str) -> bool:
    """Whether recall or precision is 0/0, or F1 the mean of two of these."""
    if ratio == "f1":
        return is_empty(score, "recall") and is_empty(score, "precision")
    denominator: float = getattr(score, f"{ratio}_denominator")
    return denominator == 0


def _once(side: Entities) -> Entities:
    by_members = {frozenset(entity): entity for entity in reversed(side)}
    return tuple(reversed(by_members.values()))


def scored(letter: str, key: str, output: Output, more: tuple[Metric, ...]) -> ScoredOutput:
    """A response against the key, with its scores."""
    texts = key, output.response
    if output.window:
        texts = _windows(key, output.window), _windows(output.response, output.window)
    sides = (
        _with_split_antecedents(read_notation(texts[0], "the key"), output.key_split),
        _with_split_antecedents(read_notation(texts[1], "the response"), output.split),
    )
    documents = tuple(
        (named_entities(one), named_entities(other)) for one, other in zip(*sides, strict=True)
    )
    result = score(*sides, output.policies, metrics=(*METRICS, *more))
    return ScoredOutput(letter, documents, result)


def _with_split_antecedents(corpus: Corpus, split: SplitAntecedents) -> Corpus:
    if not split:
        return corpus
    (document,) = corpus.documents
    several = tuple((entity, tuple(elements)) for entity, elements in split)
    return replace(corpus, documents=(replace(document, split_antecedents=several),))


def _windows(partition: str, size: int) -> str:
    """A partition cut after every `size` mentions, in alphabetical order: a window is a document
    of its own, with what it has of each entity."""
    lines = []
    for line in partition.split("\n"):
        letters = sorted({*line} - {*"{} "})
        for at in range(0, len(letters), size):
            rest = {*letters} - {*letters[at : at + size]}
            lines.append(line.translate(dict.fromkeys(map(ord, rest))).replace("{}", ""))
    return "\n".join(lines)


# By what a response is better: a choice, which a card names and a class can change ----------------


@dataclass(frozen=True)
class Criterion:
    """What makes a response better.

    id     its name in a URL
    name   what it looks at, in a few words
    title  what the better one has, after "has"
    noun   what is counted, after its number
    count  the number, or a share
    most   whether more is better
    words  the count in words
    """

    id: str
    name: str
    title: str
    noun: str
    count: Callable[[ScoredOutput], int | Fraction]
    most: bool
    words: Callable[[ScoredOutput], str]

    def better(self, a: ScoredOutput, b: ScoredOutput) -> str:
        """A, B or SAME."""
        more = (self.count(a) > self.count(b)) - (self.count(a) < self.count(b))
        return {0: SAME, 1: A, -1: B}[more if self.most else -more]

    def shown(self, output: ScoredOutput) -> str:
        """The number, or the share in percent."""
        value = self.count(output)
        return f"{percent(float(value))}%" if isinstance(value, Fraction) else str(value)


def link_f1(output: ScoredOutput) -> Fraction:
    """2·correct / (2·correct + wrong + missed): the F1 of links; 0 where neither side has any."""
    twice = 2 * len(output.correct)
    return Fraction(twice, twice + output.n_errors) if twice else Fraction(0)


def n_documents_without_error(output: ScoredOutput) -> int:
    """The number of documents with the links of the key and no others."""
    return sum(not links_of(toy).wrong and not links_of(toy).missing for toy in output.toys)


LINKS = Criterion(
    "links",
    "wrong and missed links",
    "fewer links wrong or missed",
    "links wrong or missed",
    lambda output: output.n_errors,
    False,
    lambda output: (
        f"{counted(output.n_errors, 'error')}: {len(output.wrong)} wrong, "
        f"{len(output.missed)} missed"
    ),
)

LINK_F1 = Criterion(
    "link-f1",
    "F1 of links",
    "a higher F1 of links",
    "as F1 of links",
    link_f1,
    True,
    lambda output: f"F1 of links {percent(float(link_f1(output)))}%",
)

WHOLE_ENTITIES = Criterion(
    "entities",
    "whole entities",
    "more entities just as the key has them",
    "entities just as the key has them",
    lambda output: output.n_whole,
    True,
    lambda output: (
        f"{output.n_whole} of the key’s {counted(output.n_key_entities, 'entity')} whole"
    ),
)

CORRECT_LINKS = Criterion(
    "correct-links",
    "correct links alone",
    "more correct links",
    "correct links",
    lambda output: len(output.correct),
    True,
    lambda output: counted(len(output.correct), "correct link"),
)

WRONG_LINKS = Criterion(
    "wrong-links",
    "wrong links alone",
    "fewer wrong links",
    "wrong links",
    lambda output: len(output.wrong),
    False,
    lambda output: counted(len(output.wrong), "wrong link"),
)

DOCUMENTS = Criterion(
    "documents",
    "documents without an error",
    "more documents without an error",
    "documents without an error",
    n_documents_without_error,
    True,
    lambda output: f"{n_documents_without_error(output)} of {len(output.toys)} without an error",
)

COMMON = (LINKS, LINK_F1, WHOLE_ENTITIES)  # of every card

CRITERIA = {one.id: one for one in (*COMMON, CORRECT_LINKS, WRONG_LINKS, DOCUMENTS)}

GROUPS = (
    "About links",
    "About mentions",
    "About entities",
    "About averages and scorers",
)

MEASURES = {
    "f1": "F1",
    "recall": "recall",
    "precision": "precision",
    "macro": "F1, mean over documents",
}


def _first(a: float, b: float) -> str:
    """A, B or SAME: which of two numbers is higher."""
    return SAME if abs(a - b) < TOLERANCE else A if a > b else B


@dataclass(frozen=True)
class ScoredCase:
    """Both responses of a pitfall, scored, and a criterion by which one is better."""

    a: ScoredOutput
    b: ScoredOutput
    criterion: Criterion
    measure: str

    @property
    def better(self) -> str:
        """A, B or SAME, by the criterion."""
        return self.criterion.better(self.a, self.b)

    def values(self, metric: str) -> tuple[float, float]:
        """The scores of A and B by a metric and the measure of the card; fractions."""
        return self.a.value(metric, self.measure), self.b.value(metric, self.measure)

    def first(self, metric: str) -> str:
        """The output with the higher score: A, B or SAME; NO_VALUE if one of the two is 0/0."""
        a, b = self.values(metric)
        return NO_VALUE if math.isnan(a + b) else _first(a, b)

    def disagrees(self, metric: str) -> bool:
        """Whether a metric says something else than the criterion."""
        return self.first(metric) not in (self.better, NO_VALUE)


@dataclass(frozen=True)
class CardClaim:
    """A statement on a card, and its check on the two outputs."""

    says: str
    check: Callable[[ScoredCase], Check]


@dataclass(frozen=True)
class Position:
    """What a paper holds of a card, where papers disagree."""

    paper: str
    says: str


_SPACED = re.compile(r" (?=[.,;:!?])")  # a blank that the words of a sentence have for its marks


@dataclass(frozen=True)
class Pitfall:
    """One card.

    id         its name in a link
    title      the claim in plain words
    group      one of GROUPS
    question   what A and B are, as a question without an answer; the title until it is answered
    key        in brace notation, one document per line; a mention is one letter
    text       a sentence of ours with each mention in brackets: "[a Mia] lost [b her] keys"; or ""
    a, b       the two outputs
    criterion  by which a card begins; a choice, see `criteria`
    measure    one of MEASURES, by which the metrics compare
    about      the metrics that the title is about; each disagrees with one of the criteria
    why        two sentences with the arithmetic
    claims     the statements of the card, each checked
    source     paper, and section, table or figure
    beside     ids of scores that are shown below the six
    more       further metrics to score
    positions  what papers hold of A and B, where they disagree
    reason     one more criterion, which only this case has
    first_criterion  where it is judged by another, that by which it begins
    """

    id: str
    title: str
    group: str
    question: str
    key: str
    a: Output
    b: Output
    criterion: Criterion
    about: tuple[str, ...]
    why: Callable[[ScoredCase], str]
    claims: tuple[CardClaim, ...]
    source: str
    measure: str = "f1"
    beside: tuple[str, ...] = ()
    more: tuple[Metric, ...] = ()
    positions: tuple[Position, ...] = ()
    reason: Criterion | None = None
    first_criterion: Criterion | None = None
    text: str = ""

    @property
    def pieces(self) -> list[tuple[str, str, str]]:
        """The sentence as (text before a mention, the mention's letter, its words); of mentions
        within each other the outer one."""
        sentence, end = read_sentence(self.text), 0
        pieces = []
        for name, place in [*sentence.mentions.items(), ("", None)]:
            if place and place.start < end:
                continue
            before = " ".join(sentence.words[end : place.start if place else None])
            pieces.append((_SPACED.sub("", f" {before} "), name, sentence.said(name)))
            end = place.end if place else end
        return pieces

    @property
    def said(self) -> dict[str, str]:
        """The words of each mention by its letter; empty without a sentence."""
        sentence = read_sentence(self.text)
        return {name: sentence.said(name) for name in sentence.mentions}

    @cached_property
    def case(self) -> ScoredCase:
        """Both outputs, scored."""
        outputs = ((A, self.a), (B, self.b))
        a, b = (scored(letter, self.key, output, self.more) for letter, output in outputs)
        return ScoredCase(a, b, self.criterion, self.measure)

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """Its own criterion first, then those of every card, and the reason for another answer."""
        reason = (self.reason,) if self.reason else ()
        return tuple({one.id: one for one in (self.own, *COMMON, *reason)}.values())

    @property
    def own(self) -> Criterion:
        """The criterion by which the card begins."""
        return self.first_criterion or self.criterion

    def by(self, criterion: str) -> "Pitfall":
        """The card judged by another of its criteria, by its id; by its own if it has no such."""
        selected = next((one for one in self.criteria if one.id == criterion), self.own)
        return replace(self, criterion=selected, first_criterion=self.own)

    def measured(self, measure: str) -> "Pitfall":
        """The card with metrics that compare by another of MEASURES."""
        return replace(self, measure=measure)

    @property
    def featured(self) -> str:
        """The metric that is asked first: what the card is about, or else one that disagrees."""
        disagreeing = (name for name in self.shown if self.case.disagrees(name))
        return next(iter(self.about), "") or next(disagreeing, self.shown[0])

    @property
    def checks(self) -> tuple[tuple[CardClaim, Check], ...]:
        """Each claim with whether it holds, and the numbers."""
        return tuple((claim, claim.check(self.case)) for claim in self.claims)

    @property
    def is_one_output(self) -> bool:
        """Whether A and B are one response scored under two policies."""
        same = self.a.response == self.b.response
        return same and self.a.window == self.b.window

    @property
    def shown(self) -> tuple[str, ...]:
        """The ids of the scores on the card: all metrics, and those in `beside`."""
        return (*METRIC_IDS, *self.beside)

    @property
    def signature(self) -> str:
        """The policies; if A and B have different ones, both: "singletons drop for A, keep for
        B"."""
        sides = (side.result.signature.split(" | ") for side in (self.case.a, self.case.b))
        return " | ".join(_for_both(a, b) for a, b in zip(*sides, strict=True))

    @property
    def link_signature(self) -> str:
        """How the links and entities of the card are counted, which no policy changes."""
        documents = counted(len(self.case.a.documents), "document")
        rule = "links and entities as they are drawn, each counted once"
        return f"corescore {__version__} | {rule} | {documents}"


def _for_both(a: str, b: str) -> str:
    """A part of the signature lines of A and B in one."""
    name = "split antecedents" if a.startswith("split ") else a.split()[0]
    return a if a == b else f"{a} for A, {b.removeprefix(f'{name} ')} for B"


# Parts of the cards' texts: numbers in words, and claims with their checks ------------------------


def portion(output: ScoredOutput, metric: str, ratio: str) -> str:
    """Recall or precision as a fraction and in percent: "4/7 = 57.14%", "(14/3)/6 = 77.78%", or
    "0/0"."""
    score = output.score(metric)
    numerator, denominator = (
        getattr(score, f"{ratio}_{part}") for part in ("numerator", "denominator")
    )
    if denominator == 0:
        return "0/0"
    above, below = (
        f"({part})" if "/" in part else part for part in map(exact, (numerator, denominator))
    )
    return f"{above}/{below} = {percent(getattr(score, ratio))}%"


def of_f1(output: ScoredOutput, metric: str) -> str:
    """F1 in percent: "72.73"."""
    return percent(output.score(metric).f1)


def both(case: ScoredCase, metric: str) -> str:
    """The scores of A and B by the card's measure: "A 72.73, B 66.67"."""
    a, b = ("0/0" if math.isnan(value) else percent(value) for value in case.values(metric))
    return f"A {a}, B {b}"


# Checks that a claim of a card can name -----------------------------------------------------------


def better(case: ScoredCase, letter: str, by: str = "links") -> Check:
    """This output is better by a criterion; SAME: neither is."""
    criterion = CRITERIA[by]
    numbers = f"A: {criterion.words(case.a)}; B: {criterion.words(case.b)}"
    return Check(criterion.better(case.a, case.b) == letter, numbers)


def puts_first(case: ScoredCase, letter: str, metrics: Sequence[str]) -> Check:
    """Each of these metrics gives this output the higher score; SAME: equal scores; NO_VALUE: it
    has nothing to divide by for A or B, in the card's measure."""
    numbers = "; ".join(f"{name_of(metric)}: {both(case, metric)}" for metric in metrics)
    return Check(all(case.first(metric) == letter for metric in metrics), numbers)


def higher(case: ScoredCase, letter: str, ratio: str, metrics: Sequence[str]) -> Check:
    """Recall, precision or F1 of all documents is higher for this output than for the other under
    each of these metrics; SAME: equal."""
    values = {
        name: [getattr(output.score(name), ratio) for output in (case.a, case.b)]
        for name in metrics
    }
    each = (f"{name_of(name)} {percent(a)} and {percent(b)}" for name, (a, b) in values.items())
    numbers = f"{'F1' if ratio == 'f1' else ratio} of A and of B: {', '.join(each)}"
    return Check(all(_first(a, b) == letter for a, b in values.values()), numbers)


def is_full(case: ScoredCase, letter: str, ratio: str, metric: str) -> Check:
    """Recall or precision of A or B is 1."""
    output = case.a if letter == A else case.b
    numbers = f"{name_of(metric)} {ratio} of {letter}: {portion(output, metric, ratio)}"
    return Check(abs(getattr(output.score(metric), ratio) - 1) < TOLERANCE, numbers)


def same_links(case: ScoredCase) -> Check:
    """A and B have the same correct, wrong and missed links."""
    a, b = ([{*of.correct}, {*of.wrong}, {*of.missed}] for of in (case.a, case.b))
    return Check(a == b, f"A: {link_counts(case.a)}; B: {link_counts(case.b)}")


def no_correct_link_more(case: ScoredCase) -> Check:
    """B has no correct link that A does not have, and more wrong ones."""
    holds = {*case.b.correct} <= {*case.a.correct} and len(case.b.wrong) > len(case.a.wrong)
    return Check(holds, f"A: {link_counts(case.a)}; B: {link_counts(case.b)}")


def link_counts(output: ScoredOutput) -> str:
    """The numbers of links: "4 correct, 2 wrong, 3 missed"."""
    counts = {"correct": output.correct, "wrong": output.wrong, "missed": output.missed}
    return ", ".join(f"{len(links)} {name}" for name, links in counts.items())


# The numbers of a card as pandas tables, for export -----------------------------------------------


def score_comparison(pitfall: Pitfall) -> pd.DataFrame:
    """Two rows, A and B, for each score on the card.

    Columns: metric, output; title and the scores, fractions, as in `Tally.table` (a card about
    means over documents has macro_recall and so on, and how many documents have a recall and a
    precision: recall_documents, precision_documents, of all documents); puts_first (the output with
    the higher score by the card's measure: A, B, the same, or no value where one of them is 0/0)
    criterion (its id) and disagrees (whether the metric says something else than the criterion).
    """
    case = pitfall.case
    tables = {output.letter: output.result.table for output in (case.a, case.b)}
    both = pd.concat(tables, names=["output"]).swaplevel()
    order = [(metric, letter) for metric in pitfall.shown for letter in tables]
    rows = both.loc[order].drop(columns="diagnostic").reset_index()
    if pitfall.measure == "macro":
        for ratio in ("recall", "precision"):
            rows[f"{ratio}_documents"] = [
                output.n_with_value(metric, ratio)
                for metric in pitfall.shown
                for output in (case.a, case.b)
            ]
        rows["documents"] = len(case.a.documents)
    return rows.assign(
        puts_first=rows["metric"].map(case.first),
        criterion=case.criterion.id,
        disagrees=rows["metric"].map(case.disagrees),
    )


def link_table(pitfall: Pitfall) -> pd.DataFrame:
    """A row for A and one for B: their links and entities, counted without a metric.

    Columns: output; right (that is, correct), wrong and missed, the numbers of links; right_links
    and so on, their names ("ab cd"); whole_entities, the number of key entities that the output
    has unchanged; key_entities.
    """
    return pd.DataFrame([_link_row(output) for output in (pitfall.case.a, pitfall.case.b)])


def _link_row(output: ScoredOutput) -> dict[str, str | int]:
    links = {"right": output.correct, "wrong": output.wrong, "missed": output.missed}
    return {
        "output": output.letter,
        **{kind: len(found) for kind, found in links.items()},
        **{f"{kind}_links": " ".join(map("".join, found)) for kind, found in links.items()},
        "whole_entities": output.n_whole,
        "key_entities": output.n_key_entities,
    }
