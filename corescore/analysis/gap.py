"""GAP's own measure: does the pronoun mean name A, name B or neither, over all and by gender."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.tasks import NAMES, PRONOUN
from corescore.corpus.problems import InputError, Problem
from corescore.counting.pairing import pair_documents
from corescore.counting.policies import DEFAULTS, Policies

if TYPE_CHECKING:
    import pandas as pd

GENDERS = {
    **dict.fromkeys(("she", "her", "hers"), "feminine"),
    **dict.fromkeys(("he", "him", "his"), "masculine"),
}
GROUPS = ("all", "masculine", "feminine")
BIAS = "feminine / masculine"


@dataclass(frozen=True, slots=True)
class GapCounts:
    """Pairs of the pronoun and a name, two a document, by what key and response say of them."""

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int

    @property
    def recall(self) -> float:
        """Of the names that the pronoun means, the share found; 0 if there are none."""
        return _ratio(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def precision(self) -> float:
        """Of the names that the response chose, the share that is correct; 0 if there are none."""
        return _ratio(self.true_positives, self.true_positives + self.false_positives)

    @property
    def f1(self) -> float:
        """The harmonic mean of the two."""
        wrong = self.false_positives + self.false_negatives
        return _ratio(2 * self.true_positives, 2 * self.true_positives + wrong)


def _ratio(numerator: int, denominator: int) -> float:
    return numerator / denominator if denominator else 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What key and response say of one name; None if the response lacks the document."""

    gender: str
    key: bool
    response: bool | None


def gap_counts(
    key: Corpus, response: Corpus, policies: Policies = DEFAULTS
) -> dict[str, GapCounts]:
    """The counts over all pairs and by the gender of the pronoun (Webster et al. 2018).

    The pronoun means a name in the response if one entity has both their spans. A document that
    the response lacks counts as a false negative for each name, also one that the pronoun does not
    mean, as in the official scorer. Raises InputError if the key is not in the format GAP, and as
    `pair_documents` does.
    """
    found = [*_answers(key, response, policies)]
    by_group = {group: [a for a in found if group in ("all", a.gender)] for group in GROUPS}
    return {group: _counts(answers) for group, answers in by_group.items()}


def gap_table(key: Corpus, response: Corpus, policies: Policies = DEFAULTS) -> "pd.DataFrame":
    """A row for all, one for each gender, and in the last the F1 of feminine by that of masculine.

    Columns: group, recall, precision, f1, and the four counts. The last row has its f1 only; NaN
    if either gender has no correct pair.
    """
    import pandas as pd

    counts = gap_counts(key, response, policies)
    rows = [
        (
            *(group, one.recall, one.precision, one.f1),
            *(one.true_positives, one.false_positives, one.false_negatives, one.true_negatives),
        )
        for group, one in counts.items()
    ]
    feminine, masculine = counts["feminine"].f1, counts["masculine"].f1
    bias = feminine / masculine if feminine and masculine else float("nan")
    columns = ["group", "recall", "precision", "f1"]
    columns += ["true_positives", "false_positives", "false_negatives", "true_negatives"]
    table = pd.DataFrame(rows, columns=columns)
    table.loc[len(table)] = [BIAS, None, None, bias, *[None] * 4]
    return table.astype(dict.fromkeys(columns[4:], "Int64") | dict.fromkeys(columns[1:4], float))


def _answers(key: Corpus, response: Corpus, policies: Policies) -> Iterator[Answer]:
    paired = pair_documents(key, response, policies)
    for key_document, response_document in zip(paired.key, paired.response, strict=True):
        spans = key_document.named_spans
        if {PRONOUN, *NAMES} - spans.keys():
            raise InputError([_no_gap(key_document)])
        start, end = spans[PRONOUN]
        gender = GENDERS.get(" ".join(key_document.words[start:end]).lower(), "")
        missing = key_document.name not in response.by_name
        for name in NAMES:
            said = None if missing else _corefer(response_document, spans[PRONOUN], spans[name])
            yield Answer(gender, _corefer(key_document, spans[PRONOUN], spans[name]), said)


def _no_gap(document: Document) -> Problem:
    found = f"document '{document.name}' without a pronoun and two names"
    expected = "a key in the format GAP, with columns such as Pronoun-offset"
    return Problem(document.file, 0, found, expected, "Give GAP's own file as the key.")


def _corefer(document: Document, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two spans are mentions of one entity."""
    rows = document.rows.tolist()
    entities = {entity for *span, entity in rows if tuple(span) == one}
    return any(tuple(span) == other and entity in entities for *span, entity in rows)


def _counts(answers: list[Answer]) -> GapCounts:
    said = [(answer.key, answer.response) for answer in answers]
    missing = sum(response is None for _, response in said)
    return GapCounts(
        said.count((True, True)),
        said.count((False, True)),
        said.count((True, False)) + missing,
        said.count((False, False)),
    )
