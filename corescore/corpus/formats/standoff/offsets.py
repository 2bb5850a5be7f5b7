"""Mentions given by character positions, as mentions of words."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from corescore.corpus.formats.standoff.pairs import quoted
from corescore.corpus.mentions import Mention, Pieces
from corescore.corpus.tokens import tokens_of
from corescore.wording import counted


class Offsets:
    """The words of a plain text, and mentions on them out of character positions.

    Where a mention begins or ends within a word it takes the whole word; `widened` has each of
    these mentions in words, and `warnings` tells how many they are.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens_of(text)
        self.widened: list[str] = []

    @property
    def sentence_starts(self) -> list[int]:
        """The first word of each line that has one."""
        line_starts = accumulate(len(line) for line in self.text.splitlines(keepends=True))
        firsts = [self.tokens.covering(start, len(self.text)) for start in (0, *line_starts)]
        return sorted({first for first, _ in filter(None, firsts)})

    def mention(self, spans: Iterable[tuple[int, int]]) -> Mention | None:
        """The words that half-open spans of characters cover; None if there is none."""
        spans = list(spans)
        found = [self.tokens.covering(*span) for span in spans]
        runs = joined_runs(run for run in found if run)
        if not runs:
            return None
        if any(self.tokens.cuts(*span) for span in spans):
            written = " … ".join(self.text[start:end] for start, end in spans)
            words = " … ".join(" ".join(self.tokens.words[s:e]) for s, e in runs)
            self.widened.append(f"{quoted(written)} became {quoted(words)}")
        return Mention(runs[0][0], runs[-1][1], runs if len(runs) > 1 else ())

    def warnings(self, file: str) -> Iterator[str]:
        """That mentions were widened, if they were."""
        return widened_warnings(file, self.widened)


def widened_warnings(file: str, widened: Sequence[str]) -> Iterator[str]:
    """How many mentions were widened, with an example; nothing if none was."""
    if widened:
        number = counted(len(widened), "mention")
        yield f"{file}: {number} cut a word and took the whole of it: {widened[0]}"


def joined_runs(runs: Iterable[tuple[int, int]]) -> Pieces:
    """Half-open runs of words ascending, those joined that touch or overlap."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(runs):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return tuple(joined)
