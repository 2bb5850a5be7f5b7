"""Where a mention stands: its sentence, and whether another mention encloses it."""

from collections.abc import Sequence

import numpy as np

from corescore.analysis.error_table.texts import Mentions
from corescore.analysis.errors.mentions import text_of
from corescore.arrays import BoolArray, IntArray
from corescore.counting.comparison import Comparison


def sentences(comparison: Comparison, mentions: Mentions) -> IntArray:
    """(rows,) the sentence in which each starts, from 1 in its document; 0 where it is unknown: of
    no mention, or in a document without words."""
    starts = [_sentence_starts(comparison, at) for at in range(len(comparison.key))]
    n_sentences = np.array([len(of) for of in starts], dtype=np.int64)
    before = np.append(np.cumsum(n_sentences) - n_sentences, 0)
    width = 1 + max([mentions.start.max(initial=0), *(max(of, default=0) for of in starts)])
    codes = [at * width + np.array(of, dtype=np.int64) for at, of in enumerate(starts) if of]
    code = np.concatenate([*codes, np.zeros(0, dtype=np.int64)])
    place = np.searchsorted(code, mentions.document * width + mentions.start, side="right")
    has_sentences = np.append(n_sentences > 0, False)[mentions.document]
    return np.where(has_sentences, place - before[mentions.document], 0)


def _sentence_starts(comparison: Comparison, number: int) -> Sequence[int]:
    text = text_of(comparison, number)
    return () if text.named_mentions else text.sentence_starts


def nested(every: Mentions, mentions: Mentions) -> BoolArray:
    """(rows,) whether each lies within another of `every` mention, of a different span."""
    width = 1 + max(every.end.max(initial=0), mentions.end.max(initial=0))
    order = np.lexsort((-every.end, every.start, every.document))
    starts, ends = (every.document[order] * width + at[order] for at in (every.start, every.end))
    start, end = (mentions.document * width + at for at in (mentions.start, mentions.end))
    place = np.searchsorted(starts, start)  # the longest of those that start where it does
    reach = np.append(-1, np.maximum.accumulate(ends))  # the furthest end of those before a place
    longer = (np.append(starts, -1)[place] == start) & (np.append(ends, -1)[place] > end)
    found: BoolArray = longer | (reach[place] >= end)
    return found
