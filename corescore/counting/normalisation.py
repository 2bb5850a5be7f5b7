"""The characters of a text, whatever its tokenisation and notation."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corescore.arrays import IntArray

# Treebank words for brackets and quotes, punctuation escaped by OntoNotes and the Penn Treebank,
# and one form of each kind of quote, dash and ellipsis.
_WHOLE = {
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
    "-lcb-": "{",
    "-rcb-": "}",
}
_SPELLINGS = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛`´′", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)
_ESCAPED = re.compile(r"^[/\\](?=[^\w\s]$)|\\(?=[/*])")
# The marks of pieces of words: BERT, SentencePiece, GPT-2 and byte-pair encoding.
_PIECE = re.compile(r"^##(?=.)|^[▁Ġ]|(?<=.)@@$")
_UNSEEN = ("Cf", "Cc", "Zs", "Zl", "Zp")
NOTHING = "\ufffc"  # stands for a word without any character


@dataclass(frozen=True)
class Stream:
    """The normalised characters of all words in one text.

    starts, ends  (words,) where the characters of each word begin and end in it; each has some
    """

    text: str
    starts: IntArray
    ends: IntArray


def stream(words: Sequence[str]) -> Stream:
    """The characters of these words one after the other."""
    known = {word: normalised(word) for word in set(words)}
    forms = [known[word] for word in words]
    ends = np.cumsum([len(form) for form in forms], dtype=np.int64)
    return Stream("".join(forms), np.append(0, ends[:-1])[: len(forms)], ends)


def normalised(word: str) -> str:
    """A word without what notations and tokenisers change: case, accents, width, escapes, marks of
    subwords, and kinds of quotes, dashes and brackets. Never empty."""
    plain = _ESCAPED.sub("", _PIECE.sub("", word))
    folded = unicodedata.normalize("NFKD", plain.translate(_SPELLINGS)).casefold()
    folded = _WHOLE.get(folded, folded).replace("''", '"').replace("--", "-")
    visible = [char for char in folded if unicodedata.category(char) not in _UNSEEN]
    bare = [char for char in visible if unicodedata.category(char) != "Mn"]
    return "".join(bare or visible) or NOTHING
