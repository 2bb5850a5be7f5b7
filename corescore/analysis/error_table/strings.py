"""Whether two mentions have the same words, or the same head."""

from collections.abc import Sequence

import numpy as np

from corescore.analysis.error_table.texts import Mentions
from corescore.analysis.errors.mentions import heads, text_of
from corescore.arrays import BoolArray, IntArray
from corescore.counting.comparison import Comparison

EXACT, HEAD, NONE, UNKNOWN = "exact", "head", "none", ""
STRING_MATCHES = (EXACT, HEAD, NONE, UNKNOWN)


def string_matches(
    comparison: Comparison, own: Mentions, other: Mentions, texts: Sequence[str], of: Sequence[str]
) -> IntArray:
    """(rows,) how the words of two mentions match, by its place in STRING_MATCHES.

    exact: the same words, in any case; head: the words of the heads are the same, in any case; a
    word that is not in the text is neither. Unknown without a second mention, without words, and
    where words only name mentions.

    texts, of  (rows,) the words of both
    """
    known = _has_words(comparison)[own.document] & other.known
    same = [one.casefold() == two.casefold() for one, two in zip(texts, of, strict=True)]
    exact = np.array(same, dtype=bool) & known
    asked = np.flatnonzero(known & ~exact)
    found = np.where(known, STRING_MATCHES.index(NONE), STRING_MATCHES.index(UNKNOWN))
    found[exact] = STRING_MATCHES.index(EXACT)
    pairs = zip(*(_head_words(comparison, m.take(asked)) for m in (own, other)), strict=True)
    is_same = np.array([one == two for one, two in pairs], dtype=bool)
    found[asked[is_same]] = STRING_MATCHES.index(HEAD)
    zero = _are_zeros(comparison, own) | _are_zeros(comparison, other)
    return np.where(zero & known, STRING_MATCHES.index(NONE), found)


def _has_words(comparison: Comparison) -> BoolArray:
    """(documents,) whether the words of mentions are known."""
    texts = [text_of(comparison, number) for number in range(len(comparison.key))]
    return np.array([bool(text.words) and not text.named_mentions for text in texts], dtype=bool)


def _head_words(comparison: Comparison, mentions: Mentions) -> list[str]:
    """The word that is the head of each, in lower case."""
    matching = comparison.matching
    is_key = mentions.key >= 0
    position = np.empty(len(is_key), dtype=np.int64)
    position[is_key] = heads(comparison, matching.key, mentions.key[is_key])
    position[~is_key] = heads(comparison, matching.response, mentions.response[~is_key])
    words = [text_of(comparison, number).words for number in range(len(comparison.key))]
    places = zip(mentions.document.tolist(), position.tolist(), strict=True)
    return [words[document][at].casefold() for document, at in places]


def _are_zeros(comparison: Comparison, mentions: Mentions) -> BoolArray:
    """(rows,) whether each is one word that is not in the text."""
    texts = [text_of(comparison, number) for number in range(len(comparison.key))]
    nodes = {(number, at) for number, text in enumerate(texts) for at in text.empty_nodes}
    found = np.zeros(len(mentions.start), dtype=bool)
    if nodes:
        places = zip(mentions.document.tolist(), mentions.start.tolist(), strict=True)
        found[:] = [place in nodes for place in places]
    zeros: BoolArray = found & (mentions.end - mentions.start == 1)
    return zeros
