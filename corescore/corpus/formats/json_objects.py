"""JSON: the objects of a file, what they hold, and the records that say where it is.

A file holds one object per line (JSON Lines), one object over many lines, several of these after
each other, or a list of objects. Each object knows its line.

No file says whether the ends of its mentions are inclusive. Two signs betray ends that are not: one
that is the number of words, and no mention at all of a single word.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import accumulate, chain, compress, count, islice, repeat, zip_longest
from typing import Any, Literal, NamedTuple

import numpy as np

from corescore.corpus.documents import (
    Columns,
    Corpus,
    Document,
    JoinedWords,
    Ordered,
    Rows,
    in_text_order_at_once,
)
from corescore.corpus.formats.columns import AT_ONCE, second_names
from corescore.corpus.formats.format import Format, Notice, Part, Seen, name_of_file, refuse_seen
from corescore.corpus.formats.inline import json_in_fences
from corescore.corpus.formats.standoff import widened_warnings
from corescore.corpus.problems import InputError, Problems, TooManyProblems, refusal
from corescore.wording import counted

# The kinds of notices: told once of a file, what the ends of mentions look like, a widened mention
ONCE, ENDS, WIDENED = "once", "ends", "widened"

# Text of JSON -------------------------------------------------------------------------------------

_FEEDS = re.compile(r"\n+")

_SPACE = re.compile(r"[ \t\n\r]*")

_DECODER = json.JSONDecoder()

_SUSPICIOUS = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")  # NUL and surrogates

_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")

_PYTHON = re.compile(r"\s*(?:\[\s*)?\{'[^'\n]*'\s*:")


def pieces(text: str, file: str) -> Iterator[tuple[int, str]]:
    """(line, text) of each object of a file that is not empty."""
    number, first = next((at, line.strip()) for at, line in one_a_line(text))
    if first[0] == "[":
        return _list_items(text, file)
    if first[0] == "{" and first[-1] != "}":
        if text.startswith("{") + text.count("\n{") < 2:
            return iter([(number, text.strip())])
        with suppress(ValueError, RecursionError):  # one a line after all; each broken one is named
            return iter([*_one_by_one(text)])
    return one_a_line(text)


def one_a_line(text: str, first: int = 1) -> Iterator[tuple[int, str]]:
    """The lines that are not empty; `first` is the number of the first."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        line = text[start : end if end >= 0 else None]
        if line and not line.isspace():
            yield first, line
        if end < 0:
            return
        start = _after(_FEEDS, text, end)
        first += start - end


def _one_by_one(text: str) -> Iterator[tuple[int, str]]:
    """Objects after each other, over as many lines as they like."""
    line, position = 1, 0
    while (start := _after(_SPACE, text, position)) < len(text):
        line += text.count("\n", position, start)
        _, end = _DECODER.raw_decode(text, start)
        yield line, text[start:end]
        line += text.count("\n", start, end)
        position = end


def _list_items(text: str, file: str) -> Iterator[tuple[int, str]]:
    """The items of a list."""
    position = text.index("[") + 1
    line = text.count("\n", 0, position) + 1
    more = not text.startswith("]", _after(_SPACE, text, position))
    while more:
        start = _after(_SPACE, text, position)
        line += text.count("\n", position, start)
        try:
            _, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            in_text = isinstance(error, json.JSONDecodeError)
            raise _broken(file, 1 if in_text else line, text, error) from error
        yield line, text[start:end]
        line += text.count("\n", start, end)
        position = _after(_SPACE, text, end)
        line += text.count("\n", end, position)
        more = text.startswith(",", position)
        position += more
    position = _after(_SPACE, text, position)
    if not text.startswith("]", position) or text[position + 1 :].strip():
        line = text.count("\n", 0, position) + 1
        fault = "a JSON list that is cut short, or something after it"
        raise refusal(file, fault, "one whole JSON list", "Check the file.", line)


def _after(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


def parsed(text: str, file: str, line: int = 1) -> Any:
    """What a piece of JSON says that begins in this line. Raises InputError if it is broken."""
    try:
        value = _STRICT.decode(text)
    except LookupError as error:
        fault = f"two values of {str(error.args[0])[:40]!r} in one object"
        raise refusal(file, fault, "one", "Remove the other one.", line) from error
    except (ValueError, RecursionError) as error:
        raise _broken(file, line, text, error) from error
    if "\\" in text and "\\u" in text and _SUSPICIOUS.search(text):
        # no string may hold a NUL or half a character: no other format could hold it
        again = json.dumps(value, ensure_ascii=False)
        fault = "a NUL character (\\u0000)" if _NUL.search(again) else ""
        try:
            again.encode()
        except UnicodeEncodeError:
            fault = "half a character (a lone surrogate such as \\ud800)"
        if fault:
            raise refusal(file, fault, "text", "Remove it.", line)
    return value


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; the parser would take the last of two values without a word."""
    values = dict(pairs)
    for name, value in pairs if len(values) < len(pairs) else ():
        if values[name] != value:
            raise LookupError(name)
    return values


_STRICT = json.JSONDecoder(object_pairs_hook=_fields)


def _broken(file: str, line: int, text: str, error: Exception) -> InputError:
    where = ""
    if isinstance(error, json.JSONDecodeError):
        where = f" (column {error.colno})"
        line += error.lineno - 1
    what = "JSON that is broken" if "\n" in text.strip() else "a line that is not JSON"
    fault, advice = f"{what} or is cut short{where}", "Fix it, or keep only the JSON."
    return refusal(file, fault, "one whole JSON object", advice, line)


def is_python(text: str) -> bool:
    """Whether the text begins as a printed Python dict, or a list of them, in single quotes."""
    return bool(_PYTHON.match(text))


def has_fields(text: str, *fields: str, without: Iterable[str] = ()) -> bool:
    """Whether the first object of a JSON file has all these fields, and none of the others.

    The object is parsed only where the names of the fields occur in it at all.
    """
    start = text.find("{")
    if start < 0 or text[:start].strip(" \t\n\r[") or text[:start].count("[") > 1:
        return False
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else None].rstrip()
    head = line if line.endswith("}") else text
    if not all(f'"{field}"' in head for field in fields):
        return False
    try:
        values, _ = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return False
    there = frozenset(values)
    return there >= {*fields} and there.isdisjoint(without)


# Objects ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class JsonObject:
    """One object of a file: a document, or what holds several.

    text      as it stands in the file
    number    which of the file's objects it is, counted from 1; 0 if it is the only one
    warnings  to which its reader adds what it notices
    notices   to which it adds what is told once of a file
    """

    file: str
    line: int
    text: str
    values: dict[str, Any]
    number: int = 1
    warnings: list[str] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

    def require(self, holds: bool, fault: str, expected: str, advice: str) -> None:
        """Refuse the object, naming its line, if this does not hold."""
        if not holds:
            raise self.problem(fault, expected, advice)

    def problem(self, fault: str, expected: str, advice: str) -> InputError:
        """What is wrong with the object, naming its line."""
        return refusal(self.file, fault, expected, advice, self.line)

    def take(self, field: str, shape: object, expected: str, advice: str, fault: str = "") -> Any:
        """The value of a field, refused if it has another shape (see `has_shape`)."""
        value = self.values.get(field)
        fault = fault or f"'{field}' in another shape"
        self.require(has_shape(value, shape), fault, expected, advice)
        return value

    def warn(self, text: str) -> None:
        """Note something that is read all the same."""
        self.warnings.append(f"{self.file}:{self.line}: {text}")

    def warn_once(self, text: str) -> None:
        """The same, for what all objects of a file have in common."""
        self.notices.append(Notice(ONCE, self.line, text))


def has_shape(value: Any, shape: Any) -> bool:
    """Whether a value has a shape.

    str, int, list, dict  a value of just this type; `object` is any value
    [x]                   a list whose values are x
    (x, y)                a list of these types; (x, y, ...) one that begins so
    {"a": x}              an object that has x as "a"; {str: x} one that has x in every field
    """
    if isinstance(shape, type):
        return shape is object or type(value) is shape
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return False
        every = shape.get(str)
        expected = shape if every is None else dict.fromkeys(value, every)
        return all(map(has_shape, map(value.get, expected), expected.values()))
    if not isinstance(value, list):
        return False
    if isinstance(shape, list):
        (every,) = shape
        if every is str:  # words, mostly: to join them is faster than to look at their types
            try:
                "".join(value)
            except TypeError:
                return False
            return True
        if isinstance(every, type) and every is not object:
            return {*map(type, value)} <= {every}
        if isinstance(every, list):  # a call for each list would take longer
            is_list = {*map(type, value)} <= {list}
            return is_list and has_shape([*chain.from_iterable(value)], every)
        return all(map(has_shape, value, repeat(every)))
    if shape[-1] is ...:
        shape = shape[:-1]
        value = value[: len(shape)]
    return [*map(type, value)] == [*shape]


_WORDS = ("words", "document", "text")  # names of fields that may have the words instead


def sentences_of(
    entry: JsonObject, field: str, *, flat: bool = False
) -> tuple[list[list[str]], Sequence[str]]:
    """The words of a document in sentences, of a flat list as one sentence; and all of them."""
    given: Any = entry.values.get(field)
    sentences = [given] if flat else given
    if has_shape(sentences, [list]):
        with suppress(TypeError):  # to join them is faster than to look at their types
            return sentences, JoinedWords.of(*sentences)
    fault, advice = "words in another shape", "Write the words of the document as a list."
    if field not in entry.values:
        fault = "no words"
        words = (name for name in _WORDS if has_shape(entry.values.get(name), [str]))
        if other := next(words, ""):
            fault, advice = f"words in '{other}'", f"Rename '{other}' 'tokens'."
    elif has_shape(entry.values[field], [str]):
        advice = "Split the texts into words: a list of words is called 'tokens'."
    elif has_shape(entry.values[field], [dict]):
        advice = "Write the texts of its objects alone."
    items = "words" if flat else "lists of words"
    raise entry.problem(fault, f"'{field}', a list of {items}", advice)


def starts_of(sentences: Iterable[Sequence[object]]) -> list[int]:
    """The position of the first word of each sentence, the empty ones too; last, how many words."""
    return [0, *accumulate(map(len, sentences))]


class Clusters(NamedTuple):
    """The mentions of a document, cluster by cluster: pairs of whole numbers as its file has them,
    which may be no positions of its words.

    starts, ends  of each mention
    sizes         how many mentions each cluster has
    after         1 if the ends are inside the mentions, 0 if they are the words after them
    words         of the document; None if the file has none
    has_text      whether the file has the document's text, too
    file, line    where the document is, for messages
    """

    starts: Sequence[int]
    ends: Sequence[int]
    sizes: Sequence[int]
    after: int
    words: Sequence[str] | None
    has_text: bool
    file: str
    line: int

    @property
    def n_words(self) -> int:
        """How many words the document may have."""
        return MOST_WORDS if self.words is None else len(self.words)

    def columns(self) -> Columns:
        """The start, the end and the cluster of each mention, half-open. Raises InputError for a
        mention that is not in the document."""
        stops = [end + self.after for end in self.ends]
        for start, stop in zip(self.starts, stops, strict=True):
            if not 0 <= start < stop <= self.n_words:
                raise self._outside([start, stop - self.after])
        numbers = chain.from_iterable(map(repeat, count(), self.sizes))
        return Columns(self.starts, stops, [*numbers])

    def _outside(self, span: list[int]) -> InputError:
        n = self.n_words
        length = "without words" if self.words is None else f"of {counted(n, 'word')}"
        expected = f"0 ≤ start ≤ end ≤ {n - 1}" if self.after else f"0 ≤ start < end ≤ {n}"
        pairs = [*zip(self.starts, self.ends, strict=True)]
        advice = place_advice(pairs, self.words or (), after=self.after, has_text=self.has_text)
        fault = f"the span {str(span)[:60]} in a document {length}"
        return refusal(self.file, fault, expected, advice, self.line)


class Unordered(NamedTuple):
    """A document whose mentions are not in order yet; the fields as `Document.of_rows` has them."""

    name: str
    rows: Rows | Clusters
    fields: dict[str, Any]


def document_of(
    entry: JsonObject,
    name: str,
    sentences: Sequence[Sequence[str]],
    *,
    rows: Rows | Clusters,
    speakers: Sequence[str] = (),
    words: Sequence[str] | None = None,
    tags: Sequence[str] = (),
    lemmas: Sequence[str] = (),
    **more: Any,
) -> Unordered:
    """A document of an object, with its clusters or rows as `Document.of_rows` takes them.

    sentences     lists of words; empty ones are left out
    words         the same in one list, if that is there already
    speakers      of each sentence
    tags, lemmas  of each word; all three are left out if they are empty throughout
    """
    words = [*chain.from_iterable(sentences)] if words is None else words
    line = np.array([entry.line])  # once for all words
    fields = {
        "words": words,
        "sentence_starts": [*compress(starts_of(sentences), sentences)],
        "speakers": [*compress(speakers, sentences)] if any(speakers) else (),
        "tags": tags if type(tags) is JoinedWords or any(tags) else (),
        "lemmas": lemmas if type(lemmas) is JoinedWords or any(lemmas) else (),
        "file": entry.file,
        "lines": np.ndarray(len(words), line.dtype, line, strides=(0,)),
    }
    return Unordered(name, rows, fields | more)


def in_order(unordered: Sequence[Unordered], wrong: Problems) -> Iterator[Document]:
    """The documents, their mentions put in order; none is built any more if something is wrong,
    such as a mention outside of its document."""
    at_once = _at_once([one.rows for one in unordered if isinstance(one.rows, Clusters)])
    for name, rows, fields in unordered:
        ordered: Rows | Ordered | None = next(at_once) if isinstance(rows, Clusters) else rows
        if isinstance(rows, Clusters) and (ordered is None or fields.get("split_antecedents")):
            try:
                ordered = rows.columns()
            except InputError as error:
                wrong.extend(error.problems)
        if ordered is not None and not wrong:
            yield Document.of_rows(name, ordered, **fields)


def _at_once(every: Sequence[Clusters]) -> Iterator[Ordered | None]:
    """The mentions of each document put in order; None of those that have to be alone, which are
    all if one of their mentions is outside of its document."""
    n_mentions = np.array([len(one.starts) for one in every], dtype=np.int64)
    with suppress(OverflowError):
        start, end = (
            np.fromiter(chain.from_iterable(column), np.int64, n_mentions.sum())
            for column in ([one.starts for one in every], [one.ends for one in every])
        )
        limits = np.array([(one.after, one.n_words) for one in every], dtype=np.int64)
        after, n_words = limits.reshape(-1, 2).repeat(n_mentions, axis=0).T
        end += after
        if not ((start < 0) | (end <= start) | (end > n_words)).any():
            sizes = np.fromiter(chain.from_iterable(one.sizes for one in every), np.int64)
            entity = np.repeat(np.arange(len(sizes)), sizes)
            return in_text_order_at_once(start, end, entity, n_mentions)
    return repeat(None)


def clusters_of(entry: JsonObject, field: str, shape: str = "[start, end]") -> list[list[Any]]:
    """A list of lists of whatever a mention is in this format."""
    given: Any = entry.values.get(field)
    if has_shape(given, [list]):
        clusters: list[list[Any]] = given
        return clusters
    fault = "no clusters" if given is None else "clusters in another shape"
    advice = "Write the mentions of each entity as a list, or [] if there are none."
    if isinstance(given, dict):
        fault, advice = "clusters by names", "Write the lists alone, without their names."
    raise entry.problem(fault, f"'{field}', a list of lists of {shape}", advice)


def check_texts(
    entry: JsonObject, field: str, ours: Iterable[str], theirs: Iterable[object]
) -> None:
    """Warn where the texts of mentions in a field differ from those read by more than blanks."""
    pairs: Iterable[Any] = zip_longest(ours, theirs)
    others = [
        pair
        for pair in pairs
        if not has_shape([*pair], [str]) or len({"".join(one.split()) for one in pair}) > 1
    ]
    if others:
        read, given = ("nothing" if one is None else repr(one)[:60] for one in others[0])
        entry.warn(
            f"'{field}' has {counted(len(others), 'text')} unlike the text at the "
            f"positions, such as {given} instead of {read}. The positions are used."
        )


# Positions of words -------------------------------------------------------------------------------

Ends = Literal["inclusive", "exclusive"]

PLACES = (int, int)  # the shape of [start, end]

EXCLUSIVE_FORMAT = "jsonl-exclusive"


def name_exclusive(side: str = "") -> str:
    """Advice to read a file of this side, or of either, as one with exclusive ends."""
    options = " or ".join(f"--{one}-format" for one in ([side] if side else ["key", "response"]))
    return (
        f"name the format {EXCLUSIVE_FORMAT} for this file ({options}; in Python, format= of read; "
        f"in the app, the format of its side under “Open your own files”)."
    )


MOST_WORDS = 10_000_000  # of a document; a position beyond that is none of a word

ENOUGH_MENTIONS = 20  # so many without one of a single word are no accident

_INSIDE = "Count words of the document from 0. Both ends are inside the mention."

_OUTSIDE = "Count words of the document from 0. The end is the word after the mention."


def mentions_of(
    entry: JsonObject, field: str, words: Sequence[str] | None, ends: Ends = "inclusive"
) -> Clusters:
    """The mentions in a field, in the order of the file; `words` are None if the file has none."""
    after, has_text = int(ends == "inclusive"), "text" in entry.values
    clusters = clusters_of(entry, field)
    sizes = [*map(len, clusters)]

    def mentions(pairs: Iterable[Any]) -> Clusters:
        starts, lasts = zip(*pairs, strict=True) if any(sizes) else ((), ())
        return Clusters(starts, lasts, sizes, after, words, has_text, entry.file, entry.line)

    with suppress(TypeError, ValueError):  # of a span that is no pair
        every = mentions(chain.from_iterable(clusters))
        if {*map(type, every.starts), *map(type, every.ends)} <= {int}:
            return every
    spans = [*chain.from_iterable(clusters)]
    first, span = next((at, one) for at, one in enumerate(spans) if not has_shape(one, PLACES))
    if first:
        mentions(spans[:first]).columns()  # one before it may be outside of the document
    fault, advice = f"{json.dumps(span)[:40]} in a cluster", _INSIDE if after else _OUTSIDE
    if isinstance(span, list) and span and has_shape(span[0], PLACES):
        advice = f"Write the positions alone: {span[0]}. {advice}"
    elif isinstance(span, list | dict):
        numbers = [one for one in _items_held(span) if type(one) in (int, float)]
        if len(numbers) == 2:
            whole = [int(one) if one == one // 1 else one for one in numbers]
            advice = f"Write the positions alone: {whole}. {advice}"
    raise entry.problem(fault, "[start, end], two word positions", advice)


def place_advice(
    spans: Sequence[Sequence[int]], words: Sequence[str], *, after: int = 1, has_text: bool = False
) -> str:
    """What positions that do not fit the words look like, and what to do then.

    after  1 if the ends are inside the mentions, 0 if they are the words after them
    """
    last = max(end for _, end in spans)
    good = all(0 <= start < end for start, end in spans)
    if after and good and last == len(words):
        return (
            "The ends look exclusive, each the word after its mention: "
            f"if they are, {name_exclusive()}"
        )
    if good and len(words) < last <= sum(map(len, words)) + len(words):
        instead = "name the format fastcoref" if has_text else "count words instead"
        return f"These look like positions of characters, not of words: {instead}."
    return _INSIDE if after else _OUTSIDE


# Formats ------------------------------------------------------------------------------------------

_CONLL_NAME = re.compile(r"\((.+)\); part ([0-9]+)")


def plain_name(name: str) -> str:
    """A name as CoNLL has it, `(x); part 003`, is what such a file's document is known by: "x; part
    3" and, for part 000, "x"."""
    name = name.strip()
    conll = _CONLL_NAME.fullmatch(name)
    if not conll or not conll[1].strip():
        return name
    part = conll[2].lstrip("0")
    return f"{conll[1].strip()}; part {part}" if part else conll[1].strip()


def _items_held(value: Any) -> Iterable[Any]:
    """What a list or an object holds; nothing of anything else."""
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


_OTHER_CLUSTERS = re.compile("cluster|coref|chain", re.IGNORECASE)

_OF_SIDE = re.compile("gold|pred|system", re.IGNORECASE)


def _has_lists(value: Any) -> bool:
    """Whether a list or an object holds lists or objects, one of which is not empty."""
    return any(isinstance(one, list | dict) and one for one in _items_held(value))


def _ends(documents: Sequence[Document], line: int) -> Notice:
    """How many mentions the documents have, how many of a single word and, if none, how many that
    start where another of their document ends."""
    start, end = np.concatenate([document.spans for document in documents]).T
    n_single = int(np.count_nonzero(end - start == 1))
    every = () if n_single else (document.spans.T for document in documents)
    touching = sum(int(np.isin(start, end - 1).sum()) for start, end in every)
    return Notice(ENDS, line, numbers=(len(start), n_single, touching))


# Fields of a document's name, those of coreference in JSON Lines first
NAMES = ("doc_key", "id", "document_id", "doc_id", "doc_name")

# The two layouts that most files are nearest to
OVER_WORDS = "'sentences' (or 'tokens') and 'clusters', lists of [start, end] words, both inside"

OVER_CHARACTERS = "'text' and 'clusters', lists of [start, end) characters"


@dataclass(frozen=True)
class Record:
    """A format of JSON objects, each a document or several.

    read       the documents of an object, by the fields below
    known_by   sets of fields: the first object of a file has all those of one set
    without    fields that it then does not have
    names      fields: the first that is there is the document's name; the only document of a file
               may have none, and is then named by the file
    numbered   whether other documents without a name have the number of their object
    words      the field of its words
    clusters   the field of its clusters, lists of mentions
    predicted  that of the clusters of a response, if one object may hold both sides
    ends       of mentions
    texts      the field of the text of each mention, in lists like the clusters
    joins      whether the words are subtokens, which are joined
    """

    id: str
    title: str
    read: "Callable[[Record, JsonObject, str], Iterable[Unordered]]"
    known_by: tuple[tuple[str, ...], ...] = ()
    without: tuple[str, ...] = ()
    names: tuple[str, ...] = NAMES
    numbered: bool = True
    words: str = ""
    clusters: str = "clusters"
    predicted: str = ""
    ends: Ends = "exclusive"
    texts: str = ""
    joins: bool = False

    @property
    def format(self) -> Format:
        """The format, which is read but not written."""
        return Format(self.id, self.title, (), self.fits, self.corpus)

    def fits(self, text: str) -> bool:
        """Whether the first object of a file has the fields."""
        return any(has_fields(text, *fields, without=self.without) for fields in self.known_by)

    def corpus(self, text: str, file: str, side: str) -> Corpus:
        """The documents of a file, or of the code fences of a language model's answer. Raises
        InputError with every problem found, each with its line.

        The response side is `predicted` if the objects have it.
        """
        text, aside = json_in_fences(text, file)
        if is_python(text):
            line = text[: len(text) - len(text.lstrip())].count("\n") + 1
            python = "a Python dict as it is printed"
            raise refusal(file, python, "JSON", "Write it with json.dumps.", line)
        every = pieces(text, file)
        first = [*islice(every, 2)]
        part = self.part(chain(first, every), file, side, len(first) - 1 if first else 1)
        if not part.seen:
            raise refusal(file, "no document", "one JSON object per line", "Add one.")
        return Corpus(part.documents, file, (*aside, *self.warnings(part.seen, file, side)))

    def part(self, pieces: Iterable[tuple[int, str]], file: str, side: str, first: int = 1) -> Part:
        """The documents of each of these (line, text of an object); `first` is the number of the
        first."""
        kept: list[Document] = []
        unordered: list[Unordered] = []
        n_letters = 0  # of the objects of these
        seen: list[Seen] = []
        wrong = Problems()
        with suppress(TooManyProblems):
            for number, (line, piece) in enumerate(pieces, start=first):
                try:
                    entry = JsonObject(file, line, piece, parsed(piece, file, line), number)
                    if not isinstance(entry.values, dict):
                        what = f"{piece.strip()[:40]}, which is no JSON object"
                        advice = "Clusters alone do not name their document and its words."
                        raise entry.problem(what, f"{{…}} with {OVER_WORDS}", advice)
                    field = self._clusters(entry, side)
                    self._require_no_others(entry, field)
                    documents = [*self.read(self, entry, field)]
                except InputError as error:
                    wrong.extend(error.problems)
                    continue
                names: list[str | None] = [document.name for document in documents]
                names = names or [None]
                seen.append(Seen(line, names[0], (), (*entry.warnings,), (*entry.notices,)))
                seen += [Seen(line, name) for name in names[1:]]
                unordered += documents
                n_letters += len(piece)
                if n_letters > AT_ONCE:
                    kept += in_order(unordered, wrong)
                    unordered.clear()
                    n_letters = 0
            kept += in_order(unordered, wrong)
        if wrong:
            seen.append(Seen(0, None, tuple(wrong.noted)))
        elif kept and self.ends == "inclusive" and not self.joins:
            seen.append(Seen(seen[0].line, None, notices=(_ends(kept, seen[0].line),)))
        return Part(tuple(kept), tuple(seen))

    def name(self, entry: JsonObject) -> str:
        """The name of a document."""
        given = [entry.values[field] for field in self.names if field in entry.values]
        name = given[0] if given else None
        if isinstance(name, str | int) and (text := str(name)).strip():
            return plain_name(text)
        is_missing = all(one is None for one in given)
        if is_missing and (entry.number == 0 or (not self.numbered and entry.number == 1)):
            of_file = name_of_file(entry.file)
            entry.warn(f"the document has no {self.names[0]}: named '{of_file}', as its file.")
            return of_file
        if is_missing and self.numbered:
            if entry.number == 1:
                text = "they are named 1, 2, … in their order."
                entry.warn(f"the documents have no {self.names[0]}; {text}")
            return str(entry.number)
        raise entry.problem(
            f"{repr(name)[:40]} as name" if name is not None else "no name",
            f"{' or '.join(map(repr, self.names[:2]))}, a name",
            "Give each document a name of its own.",
        )

    def _fields(self, side: str) -> tuple[str, str]:
        """The field with the clusters of a side, and that of the other side."""
        both = self.clusters, self.predicted or self.clusters
        return both if side == "key" else both[::-1]

    def _clusters(self, entry: JsonObject, side: str) -> str:
        first, other = self._fields(side)
        field = first if first in entry.values or other not in entry.values else other
        if self.predicted:
            entry.notices.append(Notice(field, entry.line))
        return field

    def _require_no_others(self, entry: JsonObject, field: str) -> None:
        """Refuse an object whose clusters are empty while a field of another name has some."""
        own = {self.clusters, self.predicted, self.texts}
        for name in entry.values if self.predicted and entry.number < 2 else ():
            if (
                name not in own
                and _OF_SIDE.search(name)
                and has_shape(entry.values[name], [[PLACES]])
            ):
                text = f"'{name}' is not read, only '{field}'. To score '{name}', swap the names."
                entry.warn_once(text)
        has_both = self.clusters in entry.values and self.predicted in entry.values
        if has_both or entry.values.get(field) not in ([], {}):
            return
        for name, value in entry.values.items():
            if name not in own and _OTHER_CLUSTERS.search(name) and _has_lists(value):
                fault = f"'{field}', which is empty, and '{name}', which is not"
                expected = f"the clusters in '{field}', as {self.title} has them"
                advice = f"Write those of '{name}' so, or leave it out if it is no coreference."
                raise entry.problem(fault, expected, advice)

    def warnings(self, seen: Sequence[Seen], file: str, side: str) -> tuple[str, ...]:
        """The warnings of a file. Raises InputError with every problem found."""
        warnings: list[str] = []
        once: set[str] = set()
        lines: dict[str, list[int]] = {}
        ends = np.zeros(3, dtype=np.int64)
        widened: list[str] = []
        for of in seen:
            for notice in of.notices:
                lines.setdefault(notice.kind, []).append(notice.line)
                if notice.kind == ENDS:
                    ends += notice.numbers
                elif notice.kind == WIDENED:
                    widened.append(notice.text)
                elif notice.kind == ONCE and notice.text not in once:
                    once.add(notice.text)
                    warnings.append(f"{file}:{notice.line}: {notice.text}")
            warnings += of.warnings
        named = ((of.name, of.line) for of in seen if of.name is not None)
        refuse_seen(second_names(named, file, "each name once", "Rename one of them."), seen)
        n_mentions, n_single, touching = ends.tolist()
        if n_mentions > 1 and not n_single and (touching or n_mentions >= ENOUGH_MENTIONS):
            starts = f" and {touching} start where another ends" if touching else ""
            warnings.append(
                f"{file}: none of the {n_mentions} mentions has a single word{starts}: the ends "
                "look exclusive, but are read as inclusive. If they are exclusive, "
                f"{name_exclusive()}"
            )
        warnings += widened_warnings(file, widened)
        first, other = self._fields(side)
        if first != other and first in lines and other in lines:
            missing = lines[other]
            more = f" and {len(missing) - 10} more" if len(missing) > 10 else ""
            shown = ", ".join(map(str, missing[:10]))
            fault = f"no '{first}' in line{'s' * (len(missing) > 1)} {shown}{more}, but in others"
            expected = f"'{first}' in every line or in none"
            advice = "Add it: [] if there are no clusters."
            raise refusal(file, fault, expected, advice, missing[0])
        if side == "key" and self.predicted in lines:
            about = f"the key has only '{self.predicted}'; is it one?"
            warnings.append(f"{file}:{lines[self.predicted][0]}: {about}")
        return tuple(warnings)
