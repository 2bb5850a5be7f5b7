"""What the JSON formats share: the objects of a file, and names, words and clusters in them.

A file holds one object a line (JSON Lines), one object over many lines, several of these after each
other, or a list of objects. Each object knows its line.

No file says whether the ends of its mentions are inclusive. Two signs betray ends that are not: one
that is the number of words, and no mention at all of a single word.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain, count, repeat, zip_longest
from typing import Any, Literal

import numpy as np

from corescore.corpus.documents import Corpus, Document, Rows
from corescore.corpus.formats.format import Notice, Part, Seen, refuse
from corescore.corpus.formats.standoff import widened_warnings
from corescore.corpus.problems import InputError, Problem, Problems, TooManyProblems
from corescore.util import IntArray
from corescore.wording import counted

_SPACE = re.compile(r"[ \t\n\r]*")

_DECODER = json.JSONDecoder()

_SUSPICIOUS = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")  # NUL and surrogates

_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")

_PYTHON = re.compile(r"\s*(?:\[\s*)?\{'[^'\n]*'\s*:")

# The kinds of notices: told once of a file, what the ends of mentions look like, a widened mention
ONCE, ENDS, WIDENED = "once", "ends", "widened"

_WHOLE = "one whole JSON object", "Write one document a line."


@dataclass(frozen=True)
class JsonObject:
    """One object of a file: a document, or what holds several.

    text      as it stands in the file
    number    which of the file's objects it is, counted from 1
    warnings  to which its reader adds what it notices
    notices   to which it adds what is told once of a file
    """

    file: str
    line: int
    text: str
    values: dict[str, Any]
    number: int
    warnings: list[str]
    notices: list[Notice] = field(default_factory=list)

    def require(self, holds: bool, found: str, expected: str, advice: str) -> None:
        """Refuse the object, naming its line, if this does not hold."""
        if not holds:
            raise self.problem(found, expected, advice)

    def problem(self, found: str, expected: str, advice: str) -> InputError:
        """What is wrong with the object, naming its line."""
        return InputError([Problem(self.file, self.line, found, expected, advice)])

    def take(self, field: str, shape: object, expected: str, advice: str, found: str = "") -> Any:
        """The value of a field, refused if it has another shape (see `has_shape`)."""
        value = self.values.get(field)
        found = found or f"'{field}' in another shape"
        self.require(has_shape(value, shape), found, expected, advice)
        return value

    def within(self, values: dict[str, Any]) -> "JsonObject":
        """An object inside this one."""
        return replace(self, values=values)

    def warn(self, text: str) -> None:
        """Note something that is read all the same."""
        self.warnings.append(f"{self.file}:{self.line}: {text}")

    def warn_once(self, text: str) -> None:
        """The same, for what all objects of a file have in common."""
        self.notices.append(Notice(ONCE, self.line, text))

    def notice_ends(self, document: Document) -> Document:
        """The document, whose inclusive ends then count for the warning of the file."""
        self.notices.append(Notice(ENDS, self.line, numbers=ends_of(document)))
        return document


ReadObject = Callable[[JsonObject], Iterable[Document]]

Finish = Callable[[Sequence[Seen], str], tuple[str, ...]]


def read_objects(
    text: str, file: str, documents: ReadObject, finish: Finish | None = None
) -> Corpus:
    """The documents that a format reads out of each object of a file.

    finish  what makes the warnings of the file out of what was noticed; `warnings_of` if None

    Raises InputError with every problem found, each with its line.
    """
    if is_python(text):
        line = text[: len(text) - len(text.lstrip())].count("\n") + 1
        python = "a Python dict as it is printed"
        raise InputError([Problem(file, line, python, "JSON", "Write it with json.dumps.")])
    part = read_pieces(pieces(text, file), file, documents)
    if not part.seen:
        raise InputError([Problem(file, 0, "no document", "a JSON object a line", "Add one.")])
    return Corpus(part.documents, file, (finish or warnings_of)(part.seen, file))


def read_pieces(pieces: Iterable[tuple[int, str]], file: str, documents: ReadObject) -> Part:
    """The documents that a format reads out of each of these (line, text of an object)."""
    found: list[Document] = []
    seen: list[Seen] = []
    wrong = Problems()
    with suppress(TooManyProblems):
        _read_pieces(pieces, file, documents, found, seen, wrong)
    if wrong:
        seen.append(Seen(0, None, tuple(wrong.found)))
    return Part(tuple(found), tuple(seen))


def _read_pieces(
    pieces: Iterable[tuple[int, str]],
    file: str,
    documents: ReadObject,
    found: list[Document],
    seen: list[Seen],
    wrong: Problems,
) -> None:
    for number, (line, piece) in enumerate(pieces, start=1):
        entry = JsonObject(file, line, piece, {}, number, [])
        try:
            entry.values.update(_object(file, line, piece))
            read = [*documents(entry)]
        except InputError as error:
            found.clear()
            wrong.extend(error.problems)
            continue
        found += () if wrong else read
        seen.append(Seen(line, None, (), tuple(entry.warnings), tuple(entry.notices)))
        seen += [Seen(line, document.name) for document in read]


def warnings_of(seen: Sequence[Seen], file: str) -> tuple[str, ...]:
    """The warnings of a file. Raises InputError with every problem found, each with its line."""
    problems: list[Problem] = []
    warnings: list[str] = []
    names: set[str | None] = set()
    once: set[str] = set()
    for of in seen:
        if of.name in names:
            again = f"a second document '{of.name}'"
            problems.append(Problem(file, of.line, again, "each name once", "Rename one of them."))
        names |= {of.name} - {None}
        for notice in of.notices:
            if notice.kind == ONCE and notice.text not in once:
                once.add(notice.text)
                warnings.append(f"{file}:{notice.line}: {notice.text}")
        warnings += of.warnings
    refuse(problems, seen)
    noticed = [notice for of in seen for notice in of.notices]
    warnings += ends_warning((one.numbers for one in noticed if one.kind == ENDS), file)
    warnings += widened_warnings(file, [one.text for one in noticed if one.kind == WIDENED])
    return tuple(warnings)


def pieces(text: str, file: str) -> Iterator[tuple[int, str]]:
    """(line, text) of each object of a file that is not empty."""
    at, first = next((at, line.strip()) for at, line in one_a_line(text))
    if first[0] == "[":
        return _listed(text, file)
    if first[0] == "{" and first[-1] != "}":
        if text.startswith("{") + text.count("\n{") < 2:
            return iter([(at, text.strip())])
        try:
            return iter([*_one_by_one(text)])
        except (ValueError, RecursionError):
            pass  # one a line after all; each broken line is then named
    return one_a_line(text)


def one_a_line(text: str, first: int = 1) -> Iterator[tuple[int, str]]:
    """The lines that are not empty; `first` is the number of the first."""
    start = 0
    for number in count(first):
        end = text.find("\n", start)
        line = text[start : end if end >= 0 else None]
        if line and not line.isspace():
            yield number, line
        if end < 0:
            return
        start = end + 1


def _one_by_one(text: str) -> Iterator[tuple[int, str]]:
    """Objects after each other, over as many lines as they like."""
    line, at = 1, 0
    while (start := _after_space(text, at)) < len(text):
        line += text.count("\n", at, start)
        _, end = _DECODER.raw_decode(text, start)
        yield line, text[start:end]
        line += text.count("\n", start, end)
        at = end


def _listed(text: str, file: str) -> Iterator[tuple[int, str]]:
    """The items of a list."""
    at = text.index("[") + 1
    line = text.count("\n", 0, at) + 1
    more = not text.startswith("]", _after_space(text, at))
    while more:
        start = _after_space(text, at)
        line += text.count("\n", at, start)
        try:
            _, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            in_text = isinstance(error, json.JSONDecodeError)
            raise _broken(file, 1 if in_text else line, text, error) from error
        yield line, text[start:end]
        line += text.count("\n", start, end)
        at = _after_space(text, end)
        line += text.count("\n", end, at)
        more = text.startswith(",", at)
        at += more
    at = _after_space(text, at)
    if not text.startswith("]", at) or text[at + 1 :].strip():
        line = text.count("\n", 0, at) + 1
        found = "a JSON list that is cut short, or something after it"
        raise InputError([Problem(file, line, found, "one whole JSON list", "Check the file.")])


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _object(file: str, line: int, text: str) -> dict[str, Any]:
    values = parsed(text, file, line)
    if not isinstance(values, dict):
        found = "JSON that is no object"
        raise InputError([Problem(file, line, found, "{…}", "Write one document a line.")])
    return values


def parsed(text: str, file: str, line: int = 1) -> Any:
    """What a piece of JSON says that begins in this line. Raises InputError if it is broken."""
    try:
        value = _STRICT.decode(text)
    except _TwoValuesError as error:
        found = f"two values of {str(error)[:40]!r} in one object"
        raise InputError([Problem(file, line, found, "one", "Remove the other one.")]) from error
    except (ValueError, RecursionError) as error:
        raise _broken(file, line, text, error) from error
    if "\\u" in text and _SUSPICIOUS.search(text):
        _refuse_what_is_no_text(file, line, value)
    return value


class _TwoValuesError(ValueError):
    """A field that an object has twice, with different values."""


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; the parser would take the last of two values without a word."""
    values = dict(pairs)
    for name, value in pairs if len(values) < len(pairs) else ():
        if values[name] != value:
            raise _TwoValuesError(name)
    return values


_STRICT = json.JSONDecoder(object_pairs_hook=_fields)


def _broken(file: str, line: int, text: str, error: Exception) -> InputError:
    where = ""
    if isinstance(error, json.JSONDecodeError):
        where = f" (column {error.colno})"
        line += error.lineno - 1
    what = "JSON that is broken" if "\n" in text.strip() else "a line that is not JSON"
    return InputError([Problem(file, line, f"{what} or is cut short{where}", *_WHOLE)])


def _refuse_what_is_no_text(file: str, line: int, value: object) -> None:
    """No string may hold a NUL or half a character: no other format could hold it."""
    again = json.dumps(value, ensure_ascii=False)
    found = "a NUL character (\\u0000)" if _NUL.search(again) else ""
    try:
        again.encode()
    except UnicodeEncodeError:
        found = "half a character (a lone surrogate such as \\ud800)"
    if found:
        raise InputError([Problem(file, line, found, "text", "Remove it.")])


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


# Values -------------------------------------------------------------------------------------------

_CONLL_NAME = re.compile(r"\((.+)\); part ([0-9]+)")


def document_name(entry: JsonObject, *fields: str) -> str:
    """The first of these fields that is there, as a name.

    A name as CoNLL has it, `(x); part 003`, is what such a file's document is known by: "x; part 3"
    and, for part 000, "x".
    """
    name = next((entry.values[field] for field in fields if field in entry.values), None)
    entry.require(
        isinstance(name, str | int) and str(name).strip() != "",
        f"{repr(name)[:40]} as name" if name is not None else "no name",
        f"{' or '.join(map(repr, fields))}, a name",
        "Give each document a name of its own.",
    )
    return plain_name(str(name))


def plain_name(name: str) -> str:
    """A name without the brackets and the part 0 of CoNLL."""
    name = name.strip()
    conll = _CONLL_NAME.fullmatch(name)
    if not conll or not conll[1].strip():
        return name
    part = conll[2].lstrip("0")
    return f"{conll[1].strip()}; part {part}" if part else conll[1].strip()


def name_or_number(entry: JsonObject, *fields: str) -> str:
    """The same; where none of the fields is there, the number of the object in its file."""
    if any(entry.values.get(field) is not None for field in fields):
        return document_name(entry, *fields)
    if entry.number == 1:
        entry.warn(f"the documents have no {fields[0]}; they are named 1, 2, … in their order.")
    return str(entry.number)


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
        if isinstance(every, type) and every is not object:
            return {*map(type, value)} <= {every}
        return all(map(has_shape, value, repeat(every)))
    if shape[-1] is ...:
        shape = shape[:-1]
        value = value[: len(shape)]
    return [*map(type, value)] == [*shape]


def words_of(entry: JsonObject, field: str) -> list[str]:
    """A list of words."""
    words: list[str] = _given_words(entry, field, [str], "words")
    return words


def sentences_of(entry: JsonObject, field: str = "sentences") -> list[list[str]]:
    """A list of sentences, each a list of words."""
    sentences: list[list[str]] = _given_words(entry, field, [[str]], "lists of words")
    return sentences


def _given_words(entry: JsonObject, field: str, shape: object, of: str) -> Any:
    found = "words in another shape" if field in entry.values else "no words"
    expected = f"'{field}', a list of {of}"
    return entry.take(field, shape, expected, "Add the words of the document.", found)


def starts_of(sentences: Iterable[Sequence[object]]) -> list[int]:
    """The position of the first word of each sentence, the empty ones too; last, how many words."""
    return [0, *accumulate(map(len, sentences))]


def document_of(
    entry: JsonObject,
    name: str,
    sentences: Sequence[Sequence[str]],
    *,
    rows: Rows,
    speakers: Sequence[str] = (),
    tags: Sequence[str] = (),
    lemmas: Sequence[str] = (),
    **more: Any,
) -> Document:
    """A document of an object, with rows as `Document.of_rows` takes them.

    sentences     lists of words; empty ones are left out
    speakers      of each sentence
    tags, lemmas  of each word; all three are left out if they are empty throughout
    """
    words = [*chain.from_iterable(sentences)]
    full = [i for i, sentence in enumerate(sentences) if sentence]
    starts = starts_of(sentences)
    return Document.of_rows(
        name,
        rows,
        words=words,
        sentence_starts=[starts[i] for i in full],
        speakers=[speakers[i] for i in full] if any(speakers) else (),
        tags=tags if any(tags) else (),
        lemmas=lemmas if any(lemmas) else (),
        file=entry.file,
        lines=np.full(len(words), entry.line),
        **more,
    )


def clusters_of(entry: JsonObject, field: str, shape: str = "[start, end]") -> list[list[Any]]:
    """A list of lists of whatever a mention is in this format."""
    found = "no clusters" if entry.values.get(field) is None else "clusters in another shape"
    expected = f"'{field}', a list of lists of {shape}"
    advice = "Write [] where there are none."
    clusters: list[list[Any]] = entry.take(field, [list], expected, advice, found)
    return clusters


def check_texts(entry: JsonObject, field: str, ours: Iterable[str]) -> None:
    """Warn where the texts of mentions that a field has by cluster are not those read."""
    given = entry.values.get(field)
    if given is not None:
        lists = given if isinstance(given, list) else [given]
        theirs = [text for one in lists for text in (one if isinstance(one, list) else [one])]
        warn_of_other_texts(entry, field, ours, theirs)


def warn_of_other_texts(
    entry: JsonObject, field: str, ours: Iterable[str], theirs: Iterable[object]
) -> None:
    """Warn where texts differ by more than blanks."""
    others = [pair for pair in zip_longest(ours, theirs) if not _same_text(*pair)]
    if others:
        read, given = map(_shown, others[0])
        entry.warn(
            f"'{field}' has {counted(len(others), 'text')} other than what stands at the positions,"
            f" such as {given} where {read} stands; the positions are used."
        )


def _same_text(ours: object, theirs: object) -> bool:
    if not isinstance(ours, str) or not isinstance(theirs, str):
        return False
    return "".join(ours.split()) == "".join(theirs.split())


def _shown(text: object) -> str:
    return "nothing" if text is None else repr(text)[:60]


# Positions of words -------------------------------------------------------------------------------

Ends = Literal["inclusive", "exclusive"]

PLACES = (int, int)  # the shape of [start, end]

EXCLUSIVE_FORMAT = "jsonl-exclusive"

MOST_WORDS = 10_000_000  # of a document; a position beyond that is none of a word

ENOUGH_MENTIONS = 20  # so many without one of a single word are no accident

_INSIDE = "Count words of the document from 0; both ends are inside the mention."

_OUTSIDE = "Count words of the document from 0; the end is the word after the mention."


def rows_of(
    entry: JsonObject, field: str, words: Sequence[str] | None, ends: Ends = "inclusive"
) -> IntArray:
    """(mentions, 3) start, end and cluster of each mention, half-open, in the order of the file.

    words  of the document; None if the file has none
    """
    after = int(ends == "inclusive")  # inclusive → half-open
    n = MOST_WORDS if words is None else len(words)
    clusters = clusters_of(entry, field)
    spans = [*chain.from_iterable(clusters)]
    if not spans:
        return np.zeros((0, 3), dtype=np.int64)
    pairs = _pairs(spans)
    if pairs is None or not _are_places(pairs, n, after):
        raise _first_problem(entry, spans, words, after)
    rows = np.empty((len(spans), 3), dtype=np.int64)
    rows[:, :2] = pairs
    rows[:, 1] += after
    rows[:, 2] = np.repeat(np.arange(len(clusters)), [*map(len, clusters)])
    return rows


def _pairs(spans: Sequence[Any]) -> IntArray | None:
    """(spans, 2) the numbers; None if anything is no [start, end], or too large to be a place."""
    if not ({*map(type, spans)} == {list} and {*map(len, spans)} == {2}):
        return None
    numbers = [*chain.from_iterable(spans)]
    if {*map(type, numbers)} != {int}:
        return None
    try:
        return np.fromiter(numbers, dtype=np.int64, count=len(numbers)).reshape(-1, 2)
    except OverflowError:
        return None


def _are_places(pairs: IntArray, n_words: int, after: int) -> bool:
    """Whether 0 ≤ start < end ≤ words, half-open, of all of them, one or more."""
    last = int(pairs.view(np.uint64).max())  # a negative number is then a large one
    return last <= n_words - after and bool((pairs[:, 0] < pairs[:, 1] + after).all())


def _first_problem(
    entry: JsonObject, spans: Sequence[Any], words: Sequence[str] | None, after: int
) -> InputError:
    """What is wrong with the first span that cannot be read."""
    n = MOST_WORDS if words is None else len(words)
    bad = next(
        span
        for span in spans
        if not (has_shape(span, PLACES) and 0 <= span[0] < span[1] + after <= n)
    )
    if has_shape(bad, PLACES):
        return _place(entry, bad, words, after, spans)
    return _shape(entry, bad, _INSIDE if after else _OUTSIDE)


def _shape(entry: JsonObject, span: object, advice: str) -> InputError:
    found = f"{json.dumps(span)[:40]} in a cluster"
    return entry.problem(found, "[start, end], two word positions", advice)


def _place(
    entry: JsonObject, span: object, words: Sequence[str] | None, after: int, spans: Iterable[Any]
) -> InputError:
    n = MOST_WORDS if words is None else len(words)
    of = "without words" if words is None else f"of {n} words"
    expected = f"0 ≤ start ≤ end ≤ {n - 1}" if after else f"0 ≤ start < end ≤ {n}"
    pairs = [span for span in spans if has_shape(span, PLACES)]
    has_text = "text" in entry.values
    advice = place_advice(pairs, words or (), after=after, has_text=has_text)
    return entry.problem(f"the span {str(span)[:60]} in a document {of}", expected, advice)


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
            f"if they are, name the format {EXCLUSIVE_FORMAT}."
        )
    if good and len(words) < last <= sum(map(len, words)) + len(words):
        instead = "name the format fastcoref" if has_text else "count words instead"
        return f"These look like positions of characters, not of words: {instead}."
    return _INSIDE if after else _OUTSIDE


def ends_of(document: Document) -> tuple[int, int, int]:
    """How many mentions a document has, how many of a single word and, if none, how many that start
    where another ends."""
    start, end = document.rows[:, 0], document.rows[:, 1]
    n_single = int((end - start == 1).sum())
    touching = 0 if n_single else int(np.isin(start, end - 1).sum())
    return len(start), n_single, touching


def ends_warning(ends: Iterable[Sequence[int]], file: str) -> Iterator[str]:
    """A warning if the inclusive ends of a file look exclusive; `ends_of` each document."""
    n_mentions, n_single, touching = map(sum, zip((0, 0, 0), *ends, strict=True))
    if n_mentions < 2 or n_single or (not touching and n_mentions < ENOUGH_MENTIONS):
        return
    starts = f" and {touching} start where another ends" if touching else ""
    yield (
        f"{file}: none of the {n_mentions} mentions has a single word{starts}: the ends look "
        "exclusive, but are read as inclusive; if they are exclusive, name the format "
        f"{EXCLUSIVE_FORMAT}."
    )
