"""The words of the mentions that a row of the error table tells of."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from corescore.analysis.error_table.rows import ErrorRows
from corescore.analysis.errors.classes import spans
from corescore.analysis.errors.tables import words_of
from corescore.counting.comparison import Comparison
from corescore.util import AnyArray, BoolArray, IntArray


@dataclass(frozen=True)
class NumberedMentions:
    """Mentions by their numbers on either side, −1 where a side lacks one or none is meant.

    key, response         (rows,) as in `errors.mentions.MentionClasses`
    document, start, end  (rows,) where each stands: the key's span if `key` is not −1; −1 for none
    """

    key: IntArray
    response: IntArray
    document: IntArray
    start: IntArray
    end: IntArray

    @classmethod
    def of(cls, comparison: Comparison, key: IntArray, response: IntArray) -> "NumberedMentions":
        return cls(key, response, *spans(comparison, key, response))

    def take(self, rows: IntArray) -> "NumberedMentions":
        """Those of some rows."""
        return NumberedMentions(*(column[rows] for column in self._columns))

    def or_else(self, others: "NumberedMentions") -> "NumberedMentions":
        """These, or where there is none the others."""
        both = zip(self._columns, others._columns, strict=True)
        return NumberedMentions(*(np.where(self.known, own, other) for own, other in both))

    @property
    def _columns(self) -> tuple[IntArray, ...]:
        return self.key, self.response, self.document, self.start, self.end

    @property
    def known(self) -> BoolArray:
        """(rows,) where there is one."""
        found: BoolArray = self.document >= 0
        return found

    @property
    def code(self) -> IntArray:
        """(rows,) a number that is the same where the mention is; below 0 for none."""
        return np.where(self.key >= 0, 2 * self.key, 2 * self.response + 1)


def none_of(mentions: IntArray) -> IntArray:
    return np.full(len(mentions), -1)


def own(comparison: Comparison, rows: ErrorRows) -> NumberedMentions:
    """The mention of each row."""
    return NumberedMentions.of(comparison, rows.key, rows.response)


def given(comparison: Comparison, rows: ErrorRows) -> NumberedMentions:
    """The antecedent that each was given, with the response's span."""
    return NumberedMentions.of(comparison, none_of(rows.key), rows.given.response)


def antecedent(comparison: Comparison, rows: ErrorRows) -> NumberedMentions:
    """The antecedent that each should have had, with the key's span."""
    return NumberedMentions.of(comparison, rows.antecedent.key, none_of(rows.key))


def texts(comparison: Comparison, mentions: NumberedMentions) -> AnyArray:
    """(rows,) the words of each, "" for none; each is put together once."""
    return _of_each(words_of, comparison, mentions)


def have_lemmas(comparison: Comparison) -> bool:
    """Whether any document has lemmas."""
    return any(_lemmas(comparison))


def lemmas(comparison: Comparison, mentions: NumberedMentions) -> AnyArray:
    """(rows,) the known lemmas of the words of each, joined by blanks, as `texts`."""
    return _of_each(_lemmas_of, comparison, mentions)


def _of_each(
    of: Callable[[Comparison, IntArray, IntArray], list[str]],
    comparison: Comparison,
    mentions: NumberedMentions,
) -> AnyArray:
    code, first, which = np.unique(mentions.code, return_index=True, return_inverse=True)
    first, is_none = first[code >= 0], int((code < 0).sum())
    told = of(comparison, mentions.key[first], mentions.response[first])
    found = np.array([""] * is_none + told, dtype=object)
    return found[which]


def _lemmas_of(comparison: Comparison, key: IntArray, response: IntArray) -> list[str]:
    known = _lemmas(comparison)
    sides = comparison.key, comparison.response
    rows = zip(key.tolist(), *(at.tolist() for at in spans(comparison, key, response)), strict=True)
    found = []
    for of_key, number, start, end in rows:
        document = sides[of_key < 0][number]
        is_plain = document.attributes is None
        runs = ((start, end),) if is_plain else document.mention(start, end).runs
        of_words = (lemma for first, last in runs for lemma in known[number][first:last])
        found.append(" ".join(filter(None, of_words)))
    return found


def _lemmas(comparison: Comparison) -> list[tuple[str, ...]]:
    """The lemmas of each document's words: both sides are over the same, so either's will do."""
    both = zip(comparison.key, comparison.response, strict=True)
    return [key.lemmas or response.lemmas for key, response in both]
