"""BookNLP: `x.entities` with a row a mention, by word numbers of `x.tokens`, a row a word.

    COREF  start_token  end_token  prop  cat  text       .entities; both ends inclusive
    … sentence_ID … token_ID_within_document  word …     .tokens; columns by their names

Lost: quotations and events (`.quotes`, `.supersense`), which say nothing of coreference.

Source: https://github.com/booknlp/booknlp
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.packed import in_lines
from corescore.corpus.formats.standoff.pairs import Pair, alone, pair_of, quoted, with_ending
from corescore.corpus.mentions import Attributes
from corescore.corpus.problems import InputError, Problem, Problems

_ENTITIES = ("COREF", "start_token", "end_token", "prop", "cat", "text")
_TOKENS = ("sentence_ID", "token_ID_within_document", "word")
_TAG, _LEMMA = "fine_POS_tag", "lemma"


@dataclass(frozen=True)
class _Table:
    """A tab-separated file with a header: the rows, each with its line, and where columns are."""

    file: str
    columns: dict[str, int]
    rows: tuple[tuple[int, tuple[str, ...]], ...]

    def values(self, name: str) -> list[str]:
        at = self.columns[name]
        return [cells[at] for _, cells in self.rows]

    def values_if_any(self, name: str) -> list[str]:
        """The values of a column that may be missing, or empty throughout: then none."""
        found = self.values(name) if name in self.columns else []
        return found if any(found) else []


def _table(text: str, file: str, names: tuple[str, ...]) -> _Table:
    """Raises InputError where a column of these names is missing, or rows differ in length."""
    lines = in_lines(text.removeprefix("\ufeff")).split("\n")
    header = lines[0].split("\t")
    columns = {name: at for at, name in enumerate(header)}
    if missing := [name for name in names if name not in columns]:
        found = f"no column {' and '.join(missing)}"
        expected = f"a header with {', '.join(names)} between tabs"
        raise InputError([Problem(file, 1, found, expected, "Add the header of BookNLP.")])
    rows: list[tuple[int, tuple[str, ...]]] = []
    problems = Problems()
    for n, line in enumerate(lines[1:], start=2):
        cells = tuple(line.split("\t"))
        if line and len(cells) != len(header):
            expected = f"{len(header)}, as in line 1"
            problems.add(Problem(file, n, f"{len(cells)} columns", expected, "Fix the row."))
        elif line and not problems:
            rows.append((n, cells))
    problems.refuse()
    return _Table(file, columns, tuple(rows))


def read_booknlp(texts: Mapping[str, str], place: str, side: str = "key") -> Corpus:
    """The document of a pair of files; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    pair = pair_of(texts, place, ".entities", ".tokens")
    entities = _table(pair.first, pair.file, _ENTITIES)
    tokens = _table(pair.second, pair.other, _TOKENS)
    position = _positions(tokens)
    words = tokens.values("word")
    problems = Problems()
    problems.extend(_problems(pair, entities, position, words))
    problems.refuse()
    ends = zip(entities.values("start_token"), entities.values("end_token"), strict=True)
    spans = [(position[start], position[end] + 1) for start, end in ends]  # inclusive → half-open
    document = Document.of_rows(
        pair.name,
        [(*span, of) for span, of in zip(spans, entities.values("COREF"), strict=True)],
        words=words,
        sentence_starts=_sentence_starts(tokens),
        tags=tokens.values_if_any(_TAG),
        lemmas=tokens.values_if_any(_LEMMA),
        file=pair.file,
        attributes=Attributes.of(
            len(spans),
            entity_type=entities.values("cat"),
            mention_type=entities.values("prop"),
        ),
    )
    return Corpus((document,), pair.file)


def _positions(tokens: _Table) -> dict[str, int]:
    """The position of each word by its number in the document, as it is written."""
    position: dict[str, int] = {}
    at = tokens.columns["token_ID_within_document"]
    for number, cells in tokens.rows:
        if cells[at] in position:
            found = f"a second word {cells[at]}"
            problem = Problem(tokens.file, number, found, "each number once", "Fix the row.")
            raise InputError([problem])
        position[cells[at]] = len(position)
    return position


def _sentence_starts(tokens: _Table) -> list[int]:
    of = tokens.values("sentence_ID")
    return [at for at in range(len(of)) if at == 0 or of[at] != of[at - 1]]


def _problems(
    pair: Pair, entities: _Table, position: dict[str, int], words: list[str]
) -> Iterator[Problem]:
    at = [entities.columns[name] for name in ("start_token", "end_token", "text", "COREF")]
    for number, cells in entities.rows:
        start, end, text, entity = (cells[column] for column in at)
        first, last = position.get(start, -1), position.get(end, -2)
        covered = words[first : last + 1] if 0 <= first <= last else []
        if not covered:
            found = f"a mention from word {start} to {end}"
            expected = f"words of {pair.other}, which has {len(words)}"
            yield Problem(pair.file, number, found, expected, "Take the tokens of the same run.")
        elif text.split() != " ".join(covered).split():
            there = quoted(" ".join(covered))
            found = f"{quoted(text)} from word {start} to {end}, where {there} stands"
            expected = f"the words of {pair.other}"
            yield Problem(pair.file, number, found, expected, "Take the tokens of the same run.")
        elif not entity.strip():
            yield Problem(pair.file, number, "a mention without an entity", "a number", "Add it.")


def fits_booknlp(text: str) -> bool:
    """Whether the first line is the header of an .entities file."""
    return text.lstrip("\ufeff").startswith("COREF\tstart_token\tend_token\t")


def _read_alone(text: str, file: str, side: str) -> Corpus:
    return read_booknlp(*alone(text, file), side)


BOOKNLP = Format(
    id="booknlp",
    title="BookNLP (.entities with .tokens)",
    suffixes=(".entities",),
    fits=fits_booknlp,
    read=_read_alone,
    beside=with_ending(".entities", ".tokens"),
    read_files=read_booknlp,
)
