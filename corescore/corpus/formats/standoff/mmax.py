"""MMAX2: `x_coref_level.xml`, markables over the words of `x_words.xml`, there or in `Basedata/`.

    <markable id="markable_1" span="word_1..word_3,word_7" coref_class="set_2" mention="np"/>

Both ends of a range are inclusive; a comma begins another piece. The entity is `coref_class` or
`coref_set`; markables without one (`empty`), such as pleonastic pronouns, are no mentions and are
counted in a warning. Sentences are the markables of `x_sentence_level.xml`, if it is there. Kept:
`category` as entity type, `mention` as mention type, `min_ids` as minimum span. Lost: other levels,
other attributes, pointers.

Source: http://mmax2.net; files of ParCorFull (Lapshinova-Koltunski et al. 2018)
"""

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.standoff.elements import Element, first_element, root_of
from corescore.corpus.formats.standoff.offsets import joined_runs
from corescore.corpus.formats.standoff.pairs import Pair, alone, pair_of, path_in, with_ending
from corescore.corpus.mentions import Attributes, Pieces
from corescore.corpus.problems import Problem, Problems
from corescore.wording import counted

_ENDING, _WORDS, _SENTENCES = "_coref_level.xml", "_words.xml", "_sentence_level.xml"
_FOLDERS = ("", "../Basedata/", "../basedata/", "Basedata/", "basedata/")
_SETS = ("coref_class", "coref_set")


@dataclass(frozen=True)
class _Markable:
    """A markable that is in a set: its words in pieces, and what is said of it."""

    runs: Pieces
    minimum: tuple[int, int]
    entity: str
    entity_type: str
    mention_type: str


def read_mmax(texts: Mapping[str, str], place: str, side: str = "key") -> Corpus:
    """The document of a pair of files; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    pair = pair_of(texts, place, _ENDING, _WORDS)
    problems = Problems()
    words, position = _words(pair, problems)
    problems.refuse()
    starts = _sentence_starts(pair, texts, place, position, problems)
    every = _markables(pair.first, pair.file)
    markables = [_markable(pair, e, position, problems) for e in every if _entity(e)]
    problems.refuse()
    document = _document(pair, words, starts, [markable for markable in markables if markable])
    return Corpus((document,), pair.file, tuple(_warnings(pair, len(every) - len(markables))))


def _markables(text: str, file: str) -> list[Element]:
    return [element for element in root_of(text, file).elements if element.name == "markable"]


def _sentence_starts(
    pair: Pair,
    texts: Mapping[str, str],
    place: str,
    position: dict[str, int],
    problems: Problems,
) -> list[int]:
    """The first word of each sentence; that of the text alone if nothing tells them."""
    starts = {0} if position else set()
    for name, text in texts.items():
        if name.removesuffix(".gz").endswith(_SENTENCES):
            file = path_in(place, name)
            for element in _markables(text, file):
                if runs := _runs(element["span"], position):
                    starts.add(runs[0][0])
                else:
                    problems.add(_bad_span(element, file, pair.other))
    return sorted(starts)


def _bad_span(element: Element, file: str, words: str) -> Problem:
    found = f"the span '{element['span']}' of {element['id'] or 'a markable'}"
    expected = f"words of {words}, such as word_1..word_3"
    return Problem(file, element.line, found, expected, "Take the words that were annotated.")


def _words(pair: Pair, problems: Problems) -> tuple[list[str], dict[str, int]]:
    words: list[str] = []
    position: dict[str, int] = {}
    for element in root_of(pair.second, pair.other).elements:
        if element.name == "word":
            word, name = element.text.strip(), element["id"]
            if not word or not name or name in position:
                found = f"the word '{word}' with id '{name}'"
                expected = "some text, and an id of its own"
                problems.add(Problem(pair.other, element.line, found, expected, "Fix it."))
            position[name] = len(words)
            words.append(word)
    return words, position


def _entity(element: Element) -> str:
    """The set of a markable; "" if it is in none."""
    of = next((element[name] for name in _SETS if name in element.attributes), "")
    return "" if of == "empty" else of


def _markable(
    pair: Pair, element: Element, position: dict[str, int], problems: Problems
) -> _Markable | None:
    runs = _runs(element["span"], position)
    if not runs:
        problems.add(_bad_span(element, pair.file, pair.other))
        return None
    least = _runs(element["min_ids"], position)
    within = len(least) == 1 and runs[0][0] <= least[0][0] and least[0][1] <= runs[-1][1]
    minimum = least[0] if within else (-1, -1)
    kinds = element["category"], element["mention"]
    return _Markable(runs, minimum, _entity(element), *kinds)


def _runs(span: str, position: dict[str, int]) -> Pieces:
    """The words of a span, half-open; none if a word is not there."""
    runs = []
    for piece in span.split(","):
        first, _, last = piece.strip().partition("..")
        start, end = position.get(first, -1), position.get(last or first, -1)
        if not 0 <= start <= end:
            return ()
        runs.append((start, end + 1))  # inclusive → half-open
    return joined_runs(runs)


def _document(
    pair: Pair, words: list[str], starts: list[int], markables: list[_Markable]
) -> Document:
    folder, name = posixpath.split(pair.name)
    if posixpath.basename(folder).lower() == "markables":
        folder = posixpath.dirname(folder)
    return Document.of_rows(
        posixpath.join(folder, name),
        [(m.runs[0][0], m.runs[-1][1], m.entity) for m in markables],
        words=words,
        sentence_starts=starts,
        file=pair.file,
        attributes=Attributes.of(
            len(markables),
            minimum=[m.minimum for m in markables],
            pieces=[m.runs if len(m.runs) > 1 else () for m in markables],
            entity_type=[m.entity_type for m in markables],
            mention_type=[m.mention_type for m in markables],
        ),
    )


def _warnings(pair: Pair, n_without: int) -> Iterator[str]:
    if n_without:
        yield f"{pair.file}: {counted(n_without, 'markable')} in no set not taken as mentions"


def fits_mmax(text: str) -> bool:
    """Whether the outermost element is <markables>."""
    first = first_element(text)
    return first is not None and first.name == "markables"


def _read_alone(text: str, file: str, side: str) -> Corpus:
    return read_mmax(*alone(text, file), side)


MMAX = Format(
    id="mmax2",
    title="MMAX2 (_coref_level.xml with _words.xml)",
    suffixes=(_ENDING,),
    fits=fits_mmax,
    read=_read_alone,
    beside=with_ending(_ENDING, _WORDS, _SENTENCES, folders=_FOLDERS),
    read_files=read_mmax,
)
