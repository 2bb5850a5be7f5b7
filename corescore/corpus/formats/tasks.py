"""Formats of single tools and tasks, which are only read: SACR, GAP and WinoBias.

SACR: a text with its mentions in braces, `{e1 Mia} met {e2:kind="person",n=1 {e1 her} aunt}`.

The name after the brace is the entity's. Properties, comments (lines that begin with `#` or
`*****` before a paragraph) and blanks are lost; `#text_id: NAME` names the document that follows.
Only read. Source: Oberle 2018, "SACR: A drag-and-drop based tool for coreference annotation", and
the files that its web page saves.

GAP: a text a line, with a pronoun, two names A and B, and whether the pronoun means them.

The key has the columns ID, Text, Pronoun, Pronoun-offset, A, A-offset, A-coref, B, B-offset,
B-coref (and URL, which is lost), separated by tabs; offsets are characters from 0. Each line is a
document over the words of its text: the pronoun and the names that are TRUE are one entity. A
system's file has the columns ID, A-coref and B-coref, without a header: its documents have no text,
only mentions named Pronoun, A and B, which are put over the text of a key. Only read. Source:
Webster et al. 2018, "Mind the GAP", and https://github.com/google-research-datasets/gap-coreference.

WinoBias: a sentence a line, `[The lawyer] thanked the clerk because [he] was tired.`

Each line is a document; its mentions in square brackets are one entity, those in round brackets
another. Lines are known by their numbers, with which they may begin. Only read. Source: Zhao et
al. 2018, "Gender bias in coreference resolution: evaluation and debiasing methods".

The text of text2text-coref, as the track for language models of CRAC 2025 has it: a document a
line, words between blanks, after a word `|` and the brackets of mentions that begin and end there,
`Mia|[e1] saw her|[e2,[e1] cat|e2]`. `##` begins an empty node, after the word that it depends on.
At a word that both closes and opens a mention of one entity the earlier one is closed first. A
document is known by its line. Lost there: gaps, heads, sentences. Only read.
Source: https://github.com/ondfa/text2text-coref.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from sys import intern

import numpy as np

from corescore.corpus.documents import Corpus, Document, EmptyNode
from corescore.corpus.formats.format import FileNotes, Format, name_of_file
from corescore.corpus.formats.inline import REPAIRING, MarkedText, Markup
from corescore.corpus.formats.standoff import WORD, Offsets
from corescore.corpus.problems import InputError, refusal
from corescore.wording import counted

# SACR ---------------------------------------------------------------------------------------------

_PROPERTY = r'\w+=(?:"[^"\n]*"|\w*)'

_OPEN = rf"\{{(?P<entity>\w+)(?P<properties>:{_PROPERTY}(?:,{_PROPERTY})*)?[ \t\n]"

_BRACE = re.compile(rf"{_OPEN}|(?P<close>\}})|\{{")

# Lines of comments and empty ones, at the beginning of a text or after an empty line
_COMMENTS = re.compile(r"(?:\A|(?<=\n)[^\S\n]*\n)(?:[^\S\n]*\n|(?:#|\*{5}).*\n?)++")

_NAME = re.compile(r"^#text_?id:[ \t]*(.*\S)", re.IGNORECASE | re.MULTILINE)

_HEADER = re.compile(r"^#(?:title|text_?id|corpus|additional_?token)\s*:", re.MULTILINE)

_EXPECTED = 'a mention such as {name the words} or {name:property="value" the words}'


def read_sacr(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    comments = [comment.span() for comment in _COMMENTS.finditer(text)]
    found_names = (name for comment in comments for name in _NAME.finditer(text, *comment))
    names = [(name.start(), name[1]) for name in found_names] or [(0, name_of_file(file))]
    starts = [0, *(start for start, _ in names[1:]), len(text)]
    source = MarkedText(file, _COMMENTS.sub(lambda comment: re.sub(".", " ", comment[0]), text))
    documents: dict[str, Document] = {}
    for (at, name), part in zip(names, pairwise(starts), strict=True):
        if name in documents:
            source.note_second(source.line(at), name)
        markup = Markup(source, part)
        for match in markup.found(_BRACE):
            if match["entity"]:
                markup.opened.append(match.start())
            elif match["close"] and markup.opened:
                start = markup.again(_BRACE, markup.opened.pop())
                markup.mention(start.span(), match.span(), start["entity"])
            else:
                fault = "closes a mention that was never opened" if match["close"] else "no mention"
                markup.unbalanced(match.span(), fault, _EXPECTED, "Fix the brace")
        for at in markup.opened:
            fault = "opens a mention that is never closed"
            markup.unbalanced((at, at + 1), fault, "a '}' after it", "Close the brace")
        documents[name] = markup.document(name)
    return source.corpus(documents.values())


def fits_sacr(text: str) -> bool:
    """Whether there are braces with properties or in braces, or a header or a text around them.

    Braces that follow each other with nothing between are the papers' notation.
    """
    if text.lstrip().startswith(('{"', "{'")):
        return False
    match, depth, n_outside = re.search(_OPEN, text[:100_000]), 0, 0
    if not match or match["properties"] or _HEADER.search(text, 0, 100_000):
        return bool(match)
    lines = [line for line in text[:100_000].split("\n") if not line.startswith(("#", "*****"))]
    for piece in re.findall(r"[{}]|[^{}\s]+", "\n".join(lines)):
        depth += (piece == "{") - (piece == "}")
        n_outside += depth == 0 and piece not in "{}"
        if depth > 1 or n_outside > 3:
            return True
    return False


SACR = Format("sacr", "SACR", (".sacr",), fits_sacr, read_sacr)

# GAP ----------------------------------------------------------------------------------------------

PRONOUN, NAMES = "Pronoun", ("A", "B")

ALL = (PRONOUN, *NAMES)

_ANSWERS = ("ID", "A-coref", "B-coref")

_NEEDED = ("ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "B", "B-offset")

_ANSWER = re.compile(r"[^\t\n]+(?:\t\"?(?:true|false)\"?){2}[ \t]*(?:\n|$)", re.IGNORECASE)

_OF_ANSWER = re.compile(rf'"ID"\t|{_ANSWER.pattern}', re.IGNORECASE)

_QUOTED = re.compile(r"(?<![^\t])\"([^\t\"]*)\"(?![^\t])")


def read_gap(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    notes = FileNotes(file=file)
    (first, header), *rest = rows = [*_filled_lines(text)]
    columns = header.rstrip().split("\t")
    by_commas = header.strip().split(",")
    if "ID" in by_commas:
        fault = f"'{header.strip()[:40]}', columns separated by commas"
        advice = "Write tabs between columns."
        if "NEITHER" in by_commas:
            advice = (
                "Of Kaggle's probabilities write TRUE where A or B has the greatest of the three."
            )
        notes.note(first, fault, f"{', '.join(_ANSWERS)} in columns separated by tabs", advice)
        notes.refuse()
    if "ID" in columns:
        rows = rest
    else:
        columns = [*_ANSWERS]
    needed = {*_ANSWERS, *(_NEEDED if "Text" in columns else ())}
    if missing := sorted(needed - {*columns}):
        expected = f"the columns {', '.join(_ANSWERS)}, and of a key {', '.join(_NEEDED[1:])}"
        notes.note(first, f"no column {', '.join(missing)}", expected, "Add them.")
        notes.refuse()
    documents: dict[str, Document] = {}
    for number, line in rows:
        try:
            document = _gap_document(line.split("\t"), columns, file, number)
        except InputError as error:
            notes.extend(error.problems)
            continue
        if document.name in documents:
            fault = f"a second document '{document.name}'"
            notes.note(number, fault, "each ID once", "Delete one of them.")
        documents[document.name] = document
    if not documents and not notes:
        notes.note(0, "no document", "a line for each text", "Add them.")
    return notes.corpus(documents.values())


def _filled_lines(text: str) -> Iterator[tuple[int, str]]:
    """(number, line) of each line that is not empty, without the quotes of an answer's cells."""
    lines = ((n, line) for n, line in enumerate(text.split("\n"), start=1) if line.strip())
    return ((n, _QUOTED.sub(r"\1", line) if _OF_ANSWER.match(line) else line) for n, line in lines)


def _gap_document(cells: Sequence[str], columns: Sequence[str], file: str, number: int) -> Document:
    """The document of a line: over the words of its text, where it knows the three mentions; or
    over the names of these, if it has no text."""
    refused = partial(refusal, file, line=number)
    if len(cells) != len(columns):
        expected = f"{len(columns)}, separated by tabs: {', '.join(columns)}"
        raise refused(counted(len(cells), "column"), expected, "Write a tab between columns.")
    row = dict(zip(columns, cells, strict=True))
    name = row["ID"].strip()
    if not name:
        raise refused("no ID", "a name for each line", "Add it.")
    entity = []
    for one in NAMES:
        label = row[f"{one}-coref"].strip()
        if label.lower() not in ("true", "false"):
            raise refused(f"'{label}' as {one}-coref", "TRUE or FALSE", "Fix the cell.")
        entity += [one] * (label.lower() == "true")
    entity += [PRONOUN] * bool(entity)
    words: Sequence[str] = ALL
    spans = {mention: (at, at + 1) for at, mention in enumerate(ALL)}
    if has_text := "Text" in row:
        text = row["Text"]
        for one in ALL:
            offset, mention_text = row[f"{one}-offset"].strip(), row[one]
            start = int(offset) if re.fullmatch(r"[0-9]{1,9}", offset) else len(text)
            spans[one] = start, start + len(mention_text)
            if not mention_text or text[start : start + len(mention_text)] != mention_text:
                fault = f"'{mention_text}' is not at character {offset or '?'} of the text"
                expected = f"{one} at its offset, counted in characters from 0"
                raise refused(fault, expected, f"Fix the column {one}-offset.")
        offsets = Offsets(text, (at for span in spans.values() for at in span))
        words = offsets.words
        for one, (start, end) in spans.items():
            if (run := offsets.covering(start, end)) is None:
                raise refused(f"{one} without a word", "at least one word", "Fix the column.")
            spans[one] = run
    return Document.of_rows(
        name,
        [(*spans[one], 0) for one in entity],
        words=words,
        named_mentions=not has_text,
        named_spans=spans if has_text else {},
        file=file,
        lines=np.full(len(words), number),
    )


def fits_gap(text: str) -> bool:
    """Whether the first line is the header of a key, or that or an answer of a system."""
    first = text.lstrip("\n").split("\n", 1)[0]
    columns = set(re.split("[\t,]", first.replace('"', "")))
    is_header = "ID" in columns and bool(columns & {"A-coref", "Pronoun-offset", "NEITHER"})
    return is_header or bool(_ANSWER.match(first))


GAP = Format("gap", "GAP", (".gap",), fits_gap, read_gap)

# WinoBias -----------------------------------------------------------------------------------------

_NUMBER = re.compile(r"\A\s*(\d{1,9})\s+")

_MENTION = re.compile(r"\[([^\[\]()\n]*\w[^\[\]()\n]*)\]|\(([^\[\]()\n]*\w[^\[\]()\n]*)\)")

_WINOBIAS_EXPECTED = "two mentions or more in brackets of one kind"

_OPENING, _CLOSING = "[(", "])"

_FITTING = re.compile(r"[^\[\]\n]*(?:\[[^\[\]()\n]+\](?!\()[^\[\]\n]*){2}")


def read_winobias(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    notes = FileNotes(file=file)
    firsts = enumerate((_NUMBER.match(line) for _, line in _filled_lines(text)), start=1)
    is_numbered = all(first and int(first[1]) == n for n, first in firsts)
    documents: list[Document] = []
    for number, line in _filled_lines(text):
        line = _NUMBER.sub("", line) if is_numbered else line
        if wrong := _wrong(line):
            what = f"{MarkedText(file, line).excerpt(0)}: {wrong[0]}"
            notes.note(number, what, _WINOBIAS_EXPECTED, wrong[1])
        if notes:
            continue
        words: list[str] = []
        rows: list[tuple[int, int, str]] = []
        opened = 0
        # Each bracket is a word of its own; where a text is ASCII, words are found faster.
        tokens = map(intern, WORD.findall(line)) if line.isascii() else Offsets(line).words
        for word in tokens:
            if word in _OPENING:
                opened = len(words)
            elif word in _CLOSING:
                rows.append((opened, len(words), word))
            else:
                words.append(word)
        name, of_words = str(len(documents) + 1), np.empty(len(words), dtype=np.int64)
        of_words.fill(number)  # quicker than np.full
        documents.append(Document.of_rows(name, rows, words=words, file=file, lines=of_words))
    notes.warnings.append(
        f"{file}: read as WinoBias: each line is a document, and its mentions in square brackets "
        "are one entity."
    )
    return notes.corpus(documents)


def _wrong(line: str) -> tuple[str, str] | None:
    """What is wrong with a line, and what to do; None if nothing is."""
    if "(" not in line and ")" not in line and _FITTING.fullmatch(line):
        return None  # as most lines are
    mentions = _MENTION.findall(line)
    if sum(map(line.count, _OPENING + _CLOSING)) > 2 * len(mentions):
        return "brackets that nest, are empty or have no partner", "Fix the brackets."
    if not mentions:
        return "no mention", "Mark the other mention, or delete the line."
    n_square = sum(1 for square, _ in mentions if square)
    for n, name in ((n_square, "square"), (len(mentions) - n_square, "round")):
        if n == 1:
            fault = f"one mention in {name} brackets"
            return fault, "Mark the other mention, or delete the line."
    return None


def fits_winobias(text: str) -> bool:
    """Whether there are several lines, each with exactly two mentions in square brackets."""
    if text.lstrip().startswith(("{", '["', "[{")):
        return False  # JSON
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) > 1 and all(map(_FITTING.fullmatch, lines))


WINOBIAS = Format("winobias", "WinoBias lines", (".winobias",), fits_winobias, read_winobias)

# The text of text2text-coref ----------------------------------------------------------------------

EMPTY = "##"  # what an empty node begins with

_ENTITY = r"[^\s|,\[\]-]+"

_BRACKET_OF = rf"(?:\[{_ENTITY}\]?|{_ENTITY}\])"

_BRACKETS_OF = re.compile(rf"{_BRACKET_OF}(?:[,-]{_BRACKET_OF})*")

_LIKE_BRACKETS = re.compile(r"[^\s|]*[\[\]][^\s|]*")

_MOST_UNMARKED = 1000  # lines in a row that have no mention: more are no documents

_MARKED = re.compile(rf"(?:\A|\s)\S+\|{_BRACKETS_OF.pattern}(?=\s|\Z)")


def empty_nodes(words: Sequence[str]) -> tuple[list[str], dict[int, EmptyNode]]:
    """The words without the mark of empty nodes, and these by their positions."""
    nodes: dict[int, EmptyNode] = {}
    for at, word in enumerate(words):
        if word.startswith(EMPTY):
            before = nodes.get(at - 1)
            nodes[at] = EmptyNode(before.number + 1 if before else 1)
    return [word.removeprefix(EMPTY) or "_" for word in words], nodes


def read_marked(text: str, file: str, side: str = "key", *, repair: bool = False) -> Corpus:
    """The documents of a file; `side` makes no difference.

    repair  whether brackets without their partners are left out, and counted in a warning

    Raises InputError with every problem found, each with its line.
    """
    notes = FileNotes(file=file)
    lines = [(n, line) for n, line in enumerate(text.split("\n"), start=1) if line.strip()]
    documents = []
    n_repaired = n_unmarked = 0
    for number, line in lines:
        n_unmarked = 0 if "|" in line else n_unmarked + 1
        if n_unmarked > _MOST_UNMARKED:
            fault = f"more than {counted(_MOST_UNMARKED, 'line')} in a row without a mention"
            expected = "a document on each line, with mentions such as Mia|[e1]"
            notes.note(number, fault, expected, "Write the text of a document on one line.")
            break
        name = f"line {number}" if len(lines) > 1 else name_of_file(file)
        given, rows, wrong = _marked(line)
        for fault in wrong if not repair else ():
            expected = "each mention opened and closed, such as Mia|[e1] or her|[e2 cat|e2]"
            advice = f"Fix the brackets, or leave such out {REPAIRING}."
            notes.note(number, fault, expected, advice)
        n_repaired += len(wrong)
        words, nodes = empty_nodes(given)
        documents.append(
            Document.of_rows(
                name,
                rows,
                words=[*map(intern, words)],
                file=file,
                lines=np.full(len(words), number),
                empty_nodes=nodes,
                as_text=True,
            )
        )
    notes.count(n_repaired, "bracket", "without a partner left out.")
    return notes.corpus(documents)


def _marked(line: str) -> tuple[list[str], list[tuple[int, int, str]], list[str]]:
    """The words of a line, its mentions, and what is wrong with its brackets."""
    words: list[str] = []
    rows: list[tuple[int, int, str]] = []
    wrong: list[str] = []
    opened: dict[str, list[int]] = defaultdict(list)
    for at, token in enumerate(line.split()):
        word, _, brackets = token.rpartition("|")
        if not word or not _BRACKETS_OF.fullmatch(brackets):
            if word and _LIKE_BRACKETS.fullmatch(brackets):
                wrong.append(f"'{token[:40]}'")
            else:
                word = token
            words.append(word)
            continue
        words.append(word)
        tags = re.split("[,-]", brackets)
        for tag in sorted(tags, key=lambda tag: tag[0] == "["):
            entity = tag.strip("[]")
            if tag[0] == "[":
                opened[entity].append(at)
            if tag[-1] != "]":
                continue
            if opened[entity]:
                rows.append((opened[entity].pop(), at + 1, entity))
            else:
                wrong.append(f"'{entity}]' at '{token[:40]}', which closes no mention")
    for entity, left in opened.items():
        wrong += [f"'[{entity}' at '{words[at][:40]}', which is never closed" for at in left]
    return words, rows, wrong


def fits_marked(text: str) -> bool:
    """Whether a word near the beginning has brackets behind a bar, and it is no JSON."""
    start = text[:100_000].lstrip()
    is_other = start.startswith(("{", "[{", "[[", "#", "<")) and not start.startswith(EMPTY)
    return not is_other and _MARKED.search(start) is not None


TEXT2TEXT_PLAIN = Format(
    "text2text-plain",
    "text2text-coref's text",
    (".txt",),
    fits_marked,
    read_marked,
    repair=partial(read_marked, repair=True),
)
