"""The words of the mentions that a row of the error table tells of."""

from dataclasses import dataclass

import numpy as np

from corescore.analysis.error_table.rows import ErrorRows
from corescore.analysis.errors.mention_tables import words_of
from corescore.analysis.errors.mentions import spans
from corescore.arrays import AnyArray, BoolArray, IntArray
from corescore.counting.comparison import Comparison


@dataclass(frozen=True)
class Mentions:
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
    def of(cls, comparison: Comparison, key: IntArray, response: IntArray) -> "Mentions":
        return cls(key, response, *spans(comparison, key, response))

    def take(self, rows: IntArray) -> "Mentions":
        """Those of some rows."""
        return Mentions(*(column[rows] for column in self._columns))

    def or_else(self, others: "Mentions") -> "Mentions":
        """These, or where there is none the others."""
        both = zip(self._columns, others._columns, strict=True)
        return Mentions(*(np.where(self.known, own, other) for own, other in both))

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


def own(comparison: Comparison, rows: ErrorRows) -> Mentions:
    """The mention of each row."""
    return Mentions.of(comparison, rows.key, rows.response)


def given(comparison: Comparison, rows: ErrorRows) -> Mentions:
    """The antecedent that each was given, with the response's span."""
    return Mentions.of(comparison, none_of(rows.key), rows.given.response)


def antecedent(comparison: Comparison, rows: ErrorRows) -> Mentions:
    """The antecedent that each should have had, with the key's span."""
    return Mentions.of(comparison, rows.antecedent.key, none_of(rows.key))


def texts(comparison: Comparison, mentions: Mentions) -> AnyArray:
    """(rows,) the words of each, "" for none; each is put together once."""
    code, first, which = np.unique(mentions.code, return_index=True, return_inverse=True)
    first, is_none = first[code >= 0], int((code < 0).sum())
    words = words_of(comparison, mentions.key[first], mentions.response[first])
    found = np.array([""] * is_none + words, dtype=object)
    return found[which]
