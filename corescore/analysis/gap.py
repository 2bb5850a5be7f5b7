"""GAP's own measure: does the pronoun mean name A, name B or neither, over all and by gender."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.tasks import NAMES, PRONOUN
from corescore.corpus.problems import refusal
from corescore.counting.counts import quotient
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
        return quotient(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def precision(self) -> float:
        """Of the names that the response chose, the share that is correct; 0 if there are none."""
        return quotient(self.true_positives, self.true_positives + self.false_positives)

    @property
    def f1(self) -> float:
        """The harmonic mean of the two."""
        wrong = self.false_positives + self.false_negatives
        return quotient(2 * self.true_positives, 2 * self.true_positives + wrong)


def gap_counts(
    key: Corpus, response: Corpus, policies: Policies = DEFAULTS
) -> dict[str, GapCounts]:
    """The counts over all pairs and by the gender of the pronoun (Webster et al. 2018).

    The pronoun means a name in the response if one entity has both their spans. A document that
    the response lacks counts as a false negative for each name, also one that the pronoun does not
    mean, as in the official scorer. Raises InputError if the key is not in the format GAP, and as
    `pair_documents` does.
    """
    answers, counts = [*_answers(key, response, policies)], {}
    for group in GROUPS:
        n = Counter((of_key, said) for gender, of_key, said in answers if group in ("all", gender))
        missing = n[True, None] + n[False, None]
        counts[group] = GapCounts(
            n[True, True], n[False, True], n[True, False] + missing, n[False, False]
        )
    return counts


def gap_table(key: Corpus, response: Corpus, policies: Policies = DEFAULTS) -> "pd.DataFrame":
    """A row for all, one for each gender, and in the last the F1 of feminine by that of masculine.

    Columns: group, recall, precision, f1, and the four counts. The last row has its f1 only; NaN
    if either gender has no correct pair.
    """
    import pandas as pd

    counts = gap_counts(key, response, policies)
    rows = [
        {"group": group, "recall": one.recall, "precision": one.precision, "f1": one.f1}
        | asdict(one)
        for group, one in counts.items()
    ]
    feminine, masculine = counts["feminine"].f1, counts["masculine"].f1
    bias = feminine / masculine if feminine and masculine else float("nan")
    table = pd.DataFrame([*rows, {"group": BIAS, "f1": bias}])
    return table.astype(dict.fromkeys(table.columns[4:], "Int64"))


def _answers(
    key: Corpus, response: Corpus, policies: Policies
) -> Iterator[tuple[str, bool, bool | None]]:
    """Of each pronoun and name: the gender, and whether they corefer in the key and in the
    response; None if the response lacks the document."""
    paired = pair_documents(key, response, policies)
    for ours, theirs in zip(paired.key, paired.response, strict=True):
        spans = ours.named_spans
        if {PRONOUN, *NAMES} - spans.keys():
            problem = f"document '{ours.name}' without a pronoun and two names"
            expected = "a key in the format GAP, with columns such as Pronoun-offset"
            advice = "Give GAP's own file as the key."
            raise refusal(ours.file, problem, expected, advice)
        start, end = pronoun = spans[PRONOUN]
        gender = GENDERS.get(" ".join(ours.words[start:end]).lower(), "")
        for name in NAMES:
            has = ours.name in response.by_name
            answer = _corefer(theirs, pronoun, spans[name]) if has else None
            yield gender, _corefer(ours, pronoun, spans[name]), answer


def _corefer(document: Document, *spans: tuple[int, int]) -> bool:
    """Whether two spans are mentions of one entity."""
    one, other = (
        {entity for *at, entity in document.rows.tolist() if tuple(at) == span} for span in spans
    )
    return not one.isdisjoint(other)
