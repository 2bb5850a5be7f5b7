"""The words of a window on a document, and the mentions under each of them."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from corescore.corpus.documents import Document
from corescore.rendering.html import Window
from dashboard.components.passage.mentions import Drawn
from dashboard.components.passage.values import Line, Word


def lines(document: Document, drawn: Sequence[Drawn], window: Window) -> Iterator[Line]:
    """A line a sentence."""
    starting: dict[int, list[int]] = {}
    for number, d in enumerate(drawn):
        starting.setdefault(max(d.start, window.start), []).append(number)
    lanes = _lanes(drawn, window)
    bounds = [*document.sentence_starts, len(document.words)]
    for number, (first, last) in enumerate(pairwise(bounds)):
        at = range(max(first, window.start), min(last, window.end))
        if at:
            speaker = document.speakers[number] if document.speakers else ""
            words = [
                Word(document.shown_words[w], starting.get(w, []), lanes[w], _told(document, w))
                for w in at
            ]
            yield Line(number + 1, at.start, at.stop, speaker, words)


def _told(document: Document, at: int) -> str:
    node = document.empty_nodes.get(at)
    if node is None:
        return ""
    told = "A word that is not in the text"
    return f"{told}, and that the key does not have" if node.absent else told


def _lanes(drawn: Sequence[Drawn], window: Window) -> dict[int, list[int]]:
    """The mentions under each word, from the text downwards; −1 is an empty lane."""
    under: dict[int, list[int]] = {word: [] for word in range(window.start, window.end)}
    spans = [range(max(d.start, window.start), min(d.end, window.end)) for d in drawn]
    for number in sorted(range(len(spans)), key=lambda i: (len(spans[i]), spans[i].start)):
        stacks = [under[word] for word in spans[number]]
        lane = next(lane for lane in range(len(drawn)) if all(_free(s, lane) for s in stacks))
        for stack in stacks:
            stack.extend([-1] * (lane + 1 - len(stack)))
            stack[lane] = number
    return under


def _free(stack: Sequence[int], lane: int) -> bool:
    return lane >= len(stack) or stack[lane] == -1
