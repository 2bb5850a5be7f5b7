"""The objects of a JSON file, whichever way they stand in it, each with its line.

One object a line (JSON Lines), one object over many lines, several such objects after each other,
or a list of objects.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.parts import Notice, Part, Seen, refuse
from corescore.corpus.problems import InputError, Problem, Problems, TooManyProblems

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()
_SUSPICIOUS = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")  # NUL and surrogates
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
_PYTHON = re.compile(r"\s*(?:\[\s*)?\{'[^'\n]*'\s*:")
ONCE = "once"  # the kind of a notice that is told once of a file
_WHOLE = "one whole JSON object", "Write one document a line."


@dataclass(frozen=True)
class Entry:
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

    def warn(self, text: str) -> None:
        """Note something that is read all the same."""
        self.warnings.append(f"{self.file}:{self.line}: {text}")

    def warn_once(self, text: str) -> None:
        """The same, for what all objects of a file have in common."""
        self.notices.append(Notice(ONCE, self.line, text))


ReadObject = Callable[[Entry], Iterable[Document]]
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
        entry = Entry(file, line, piece, {}, number, [])
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
