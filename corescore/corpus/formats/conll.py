"""CoNLL-2011/2012 and SemEval-2010 columns: a word a line, entities as brackets in the last column.

Read leniently where the meaning is plain, refused where it is not. Plain are: tabs or blanks; two
columns or more; `# begin document` with a blank, or without a name, which is then that of the file;
`part` and `#end document` left out (at the end of the file with a warning); rows that end in empty
columns; leading zeros; ids with types, as GUM's files have them (`(person-1`); no bar between
brackets.

Of rows with at least twelve columns the fifth is the part of speech in both formats (CoNLL-2012:
document, part, number, word, part of speech, …; SemEval-2010: number, word, lemma, its lemma as
predicted, part of speech, …), and in CoNLL-2012 the tenth is the speaker. SemEval-2010 has at least
seventeen columns, of which the lemma is read, the predicted one where that is empty. CoNLL-2012 has
lemmas in its seventh column only of verbs and nouns with a frameset: they are not read. All other
columns are lost.

Writing CoNLL-2012 columns.

Cells of the coreference column: mentions with the labels of their brackets.

The lines that a document in CoNLL columns was read from, and the same with other entities.

All is kept but the coreference cells of words at which mentions begin or end that the file has
otherwise. An entity keeps the number that it has in the file where it has most of its mentions.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, count, groupby, islice, pairwise
from typing import NamedTuple

from corescore.corpus.documents import Corpus, Document, Mention, Original
from corescore.corpus.formats.columns import second_names
from corescore.corpus.formats.conll_draft import (
    ConllDraft,
    bracket_matches,
    entity_of,
    n_columns,
    parse_cell,
    reading_order,
    why_no_entities,
)
from corescore.corpus.formats.format import (
    Begin,
    Format,
    Lines,
    Notice,
    Part,
    Parts,
    Place,
    Seen,
    Texts,
    commented,
    likeness,
    more_than_spans,
    refuse,
    unwritable,
)
from corescore.corpus.formats.marked_text import name_of_file
from corescore.corpus.problems import ENOUGH, InputError, Problem
from corescore.wording import counted


class Labelled(NamedTuple):
    """A mention, half-open, and its entity as in the file: "12", or "person-12" with a type.

    opening, closing  what its brackets hold; the first may say more: `(person-12-Mia`, `person-12)`
    """

    start: int
    end: int
    entity: str
    opening: str
    closing: str

    @classmethod
    def of(cls, start: int, end: int, entity: str) -> "Labelled":
        """A mention whose brackets hold no more than its entity."""
        return cls(start, end, entity, entity, entity)


def labels(cell: str) -> list[tuple[bool, str, str, bool]]:
    """(opens, label, entity, closes) of each bracket of a cell that can be read, in the order of
    `parse_cell`."""
    if "(" not in cell and ")" not in cell:
        return []
    found = [
        (bool(match["opens"]), match[0].strip("()|"), entity_of(match), bool(match["closes"]))
        for match in bracket_matches(cell)
        if match is not None
    ]
    return sorted(found, key=lambda bracket: reading_order(bracket[0], bracket[3]))


def mentions_of(cells: Sequence[str]) -> list[Labelled]:
    """The mentions of a column, in the order in which they close; of one entity the inner first."""
    opened: dict[str, list[tuple[int, str]]] = defaultdict(list)
    found = []
    for at, cell in enumerate(cells):
        for opens, label, entity, closes in labels(cell):
            if opens:
                opened[entity].append((at, label))
            if closes and opened[entity]:
                start, opening = opened[entity].pop()
                found.append(Labelled(start, at + 1, entity, opening, label))
    return found


def brackets(n_words: int, mentions: Iterable[Labelled]) -> list[list[str]]:
    """Each word's brackets: what closes (inner first), then what opens (outer first).

    mentions  in text order
    """
    opens: list[list[str]] = [[] for _ in range(n_words)]
    closes: list[list[str]] = [[] for _ in range(n_words)]
    for mention in mentions:
        if mention.end - mention.start == 1:
            opens[mention.start].append(f"({mention.opening})")
        else:
            opens[mention.start].append(f"({mention.opening}")
            closes[mention.end - 1].insert(0, f"{mention.closing})")
    return [[*closing, *opening] for closing, opening in zip(closes, opens, strict=True)]


_BEGIN = re.compile(r"^#[ \t]*begin document\b.*$", re.MULTILINE)

_FILLED = re.compile(r"[^ \t]+")


def header_of(document: Document) -> str | None:
    """The line that begins the document in its file; None if there is none, or it was renamed."""
    original = document.original
    if original is None or original.format != "conll" or original.name != document.name:
        return None
    found = _BEGIN.search(original.text)
    return found[0] if found else None


def rewritten(document: Document, header: str) -> str | None:
    """The lines of a document's original with its entities and this header.

    None if it has no such lines, or other words than they have.
    """
    original = document.original
    if original is None or original.format != "conll" or document.lines is None:
        return None
    lines = original.text.split("\n")
    at = (document.lines - original.line).tolist()
    n_words = len(document.words) or len(at)  # a file without words has a row for each
    beyond = document.rows[:, 1].max(initial=0) > n_words or max(at, default=0) >= len(lines)
    if beyond or len(at) != n_words or "\n" in header:
        return None
    rows = _rows(lines, at)
    if len(rows) != len(at) or not all(map(_Row.has, rows, document.words)):
        return None
    for line, row, cell in zip(at, rows, _original_cells(document, rows), strict=True):
        lines[line] = f"{row.before}{cell}{row.after}"
    text = _BEGIN.sub(lambda _: header, "\n".join(lines), count=1)
    return text.replace("\n", original.newline)


class _Row(NamedTuple):
    """A row of columns: its coreference cell, and what stands before and after it."""

    before: str
    cell: str
    after: str

    def has(self, word: str) -> bool:
        """Whether one of the columns before is this word."""
        if "\t" in self.before:
            return f"\t{word}\t" in f"\t{self.before}\t"
        return word in _FILLED.findall(self.before)


def _rows(lines: Sequence[str], at: Sequence[int]) -> list[_Row]:
    """The rows that stand at these lines; none if one has not the columns of its sentence."""
    is_tabbed = bool(at) and "\t" in lines[at[0]].strip(" ").rstrip("\t")
    field = _tabbed_field if is_tabbed else _spaced_field
    rows = []
    for sentence in _sentences(lines, at):
        first = sentence[0].split("\t") if is_tabbed else _FILLED.findall(sentence[0])
        cut = is_tabbed and not first[-1].strip(" ")
        n = n_columns(sentence) if cut else len(first)
        for line in sentence:
            start, cell = field(line, n)
            if not start:
                return []
            rows.append(_Row(line[:start], cell, line[start + len(cell) :]))
    return rows


def _sentences(lines: Sequence[str], at: Sequence[int]) -> Iterator[list[str]]:
    """The rows of each sentence: those without a blank line between them."""
    n_blank = [*accumulate(not line.strip(" \t") for line in lines)]
    for _, of_sentence in groupby(at, key=n_blank.__getitem__):
        yield [lines[number] for number in of_sentence]


def _tabbed_field(line: str, n: int) -> tuple[int, str]:
    """Where the n-th column begins and what it holds; 0 if there is none, or none before it."""
    fields = line.split("\t", n)
    if not 1 < n <= len(fields):
        return 0, ""
    cell = fields[n - 1]
    start = sum(map(len, fields[: n - 1])) + n - 1
    return start + len(cell) - len(cell.lstrip(" ")), cell.strip(" ")


def _spaced_field(line: str, n: int) -> tuple[int, str]:
    fields = [*_FILLED.finditer(line)]
    return (fields[n - 1].start(), fields[n - 1][0]) if 1 < n <= len(fields) else (0, "")


def _original_cells(document: Document, rows: Sequence[_Row]) -> Iterator[str]:
    """The coreference column with the entities of the document."""
    cells = [row.cell for row in rows]
    old = mentions_of(cells)
    new = _labelled(document, old)
    is_old, is_new = _touching(old, len(cells)), _touching(new, len(cells))
    separator, nothing = _separator(cells), _nothing(cells)
    for at, written in enumerate(brackets(len(cells), new)):
        same = is_old[at] == is_new[at]
        yield cells[at] if same else separator.join(written) or nothing


def _touching(mentions: Iterable[Labelled], n_words: int) -> list[list[Labelled]]:
    """The mentions that begin or end at each word."""
    found: list[list[Labelled]] = [[] for _ in range(n_words)]
    for mention in sorted(mentions):
        found[mention.start].append(mention)
        found[mention.end - 1].append(mention)
    return found


def _separator(cells: Sequence[str]) -> str:
    """What stands between brackets: nothing if the file has it so, else |."""
    several = [cell for cell in cells if len(labels(cell)) > 1]
    return "" if several and not any("|" in cell for cell in several) else "|"


def _nothing(cells: Sequence[str]) -> str:
    """What stands in most of the cells without brackets."""
    empty = Counter(cell for cell in cells if not labels(cell))
    return empty.most_common(1)[0][0] if empty else "-"


def _labelled(document: Document, old: Sequence[Labelled]) -> list[Labelled]:
    """The document's mentions in text order, with the labels of the old ones where they are."""
    known = {(mention.start, mention.end, mention.entity): mention for mention in old}
    ids = _ids(document, old)
    rows = [(start, end, ids[entity]) for start, end, entity in document.rows.tolist()]
    return [known.get(row) or Labelled.of(*row) for row in rows]


def _ids(document: Document, old: Sequence[Labelled]) -> dict[int, str]:
    """The id of each entity: that of the file which most of its mentions have, or a new one."""
    types = _types(document, old)
    entities_at: dict[tuple[int, int], list[int]] = defaultdict(list)
    for start, end, entity in document.rows.tolist():
        entities_at[start, end].append(entity)
    votes = Counter((at, m.entity) for m in old for at in entities_at[m.start, m.end])
    ids: dict[int, str] = {}
    taken: set[str] = set()
    for (entity, id_), _ in votes.most_common():
        if entity not in ids and id_ not in taken and _type(id_) == types[entity]:
            ids[entity] = id_
            taken.add(id_)
    largest = max((int(m.entity.rpartition("-")[2]) for m in old), default=-1)
    fresh = (str(number) for number in count(largest + 1))
    for entity in range(document.n_entities):
        if entity not in ids:
            ids[entity] = "-".join(filter(None, (types[entity], next(fresh))))
    return ids


def _type(id_: str) -> str:
    return id_.rpartition("-")[0]


def _types(document: Document, old: Sequence[Labelled]) -> list[str]:
    """The type of each entity where the file has types, that of most of its mentions; else ""."""
    if not any(_type(mention.entity) for mention in old):
        return [""] * document.n_entities
    in_file = {(mention.start, mention.end): _type(mention.entity) for mention in old}
    known = document.attributes.entity_type if document.attributes else ("",) * len(document.rows)
    votes: list[Counter[str]] = [Counter() for _ in range(document.n_entities)]
    for (start, end, entity), type_ in zip(document.rows.tolist(), known, strict=True):
        votes[entity][type_ or in_file.get((start, end), "")] += 1
    return [next((t for t, _ in counts.most_common() if t), "") for counts in votes]


BEGIN, END = "#begin document", "#end document"

_PART_NUMBER = re.compile(r"[1-9][0-9]*")

_WHOLE = re.compile(r"\([^()]+\); part [0-9]{3,}")  # a name that is a header already


def write_conll(corpus: Corpus) -> str:
    """CoNLL-2012 columns: name, part, number in the sentence, word, part of speech, …, speaker, *,
    coreference.

    A document that was read from columns keeps its lines, and of its coreference column the cells
    that say the same; one that was renamed gets a new header. Of others, blanks in a speaker's
    name or a tag become "_". Heads, minimum spans and types of mentions are left out (types stay
    where a file has them in its ids), lemmas and split antecedents. Raises InputError for what
    columns cannot hold: discontinuous mentions, empty nodes, mentions of one entity that cross,
    words that are empty or have blanks, a document without words.
    """
    headers = _headers(corpus)
    texts = [rewritten(*both) for both in zip(corpus, headers, strict=True)]
    problems = [*_twice(corpus, headers)]
    for document, text in zip(corpus, texts, strict=True):
        is_whole = text is not None and not document.words
        problems += [*_not_in_brackets(document), *(() if is_whole else _unwritable(document))]
    if problems:
        raise InputError(problems)
    every = zip(corpus, headers, texts, strict=True)
    return _joined(
        "".join(_document_lines(document, header)) if text is None else text
        for document, header, text in every
    )


def _joined(texts: Iterable[str]) -> str:
    """The texts one after the other; the line end that a file lacks is added before the next."""
    *others, last = texts or [""]
    return "".join(text if text.endswith("\n") else f"{text}\n" for text in others) + last


def _headers(corpus: Corpus) -> list[str]:
    """The first line of each document: as in its file, unless another document has the same."""
    kept = [header_of(document) for document in corpus]
    times = Counter(kept)
    return [
        _header(document) if header is None or times[header] > 1 else header
        for document, header in zip(corpus, kept, strict=True)
    ]


def _header(document: Document) -> str:
    if _WHOLE.fullmatch(document.name):
        return f"{BEGIN} {document.name}"
    name, part = _name_and_part(document)
    return f"{BEGIN} ({name}); part {part.zfill(3)}"


def _name_and_part(document: Document) -> tuple[str, str]:
    name, _, part = document.name.rpartition("; part ")
    return (name, part) if name and _PART_NUMBER.fullmatch(part) else (document.name, "0")


def _twice(corpus: Corpus, headers: Sequence[str]) -> Iterator[Problem]:
    first: dict[str, Document] = {}
    for document, header in zip(corpus, headers, strict=True):
        if header in first:
            found = f"the documents '{first[header].name}' and '{document.name}'"
            expected = f"names that differ when written as '{header}'"
            yield Problem(document.file or document.name, 0, found, expected, "Rename one of them.")
        first.setdefault(header, document)


def _unwritable(document: Document) -> Iterator[Problem]:
    place = document.file or document.name
    yield from unwritable(document)
    if (name := _name_and_part(document)[0]) != name.rstrip():
        found = f"the document name {document.name!r}, with a blank before its part"
        yield Problem(place, 0, found, "a name without one", "Rename the document.")
    for word in document.words:
        if not word or re.search(r"[ \t\n\r]", word):
            found = f"the word {word!r} in document '{document.name}'"
            yield Problem(place, 0, found, "words without blanks", "Write it as jsonl.")
            return


def _not_in_brackets(document: Document) -> Iterator[Problem]:
    yield from more_than_spans(document)
    if any(map(_cross, document.entities)):
        found = f"mentions of one entity that cross in document '{document.name}'"
        place = document.file or document.name
        yield Problem(place, 0, found, "mentions that nest", "Write it as jsonl.")


def _cross(entity: Iterable[Mention]) -> bool:
    """Whether two mentions overlap without one being inside the other.

    Of brackets with one number the inner ones close first.
    """
    ends: list[int] = []
    for mention in entity:
        while ends and ends[-1] <= mention.start:
            ends.pop()
        if ends and ends[-1] < mention.end:
            return True
        ends.append(mention.end)
    return False


def _document_lines(document: Document, header: str) -> Iterator[str]:
    name, part = _name_and_part(document)
    column = re.sub(r"[\s#]+", "_", name)
    yield f"{header}\n"
    cells = _cells(document)
    speakers = document.speakers or ("",) * len(document.sentences)
    tags = [_in_column(tag) for tag in document.tags] or ["-"] * len(document.words)
    for (start, end), speaker in zip(document.sentences, speakers, strict=True):
        who = _in_column(speaker)
        for at in range(start, end):
            word = (str(at - start), document.words[at], tags[at])
            yield "\t".join((column, part, *word, *"----", who, "*", cells[at])) + "\n"
        yield "\n"
    yield f"{END}\n"


def _in_column(text: str) -> str:
    return re.sub(r"\s+", "_", text) or "-"


def _cells(document: Document) -> list[str]:
    """The last column, entities by their numbers."""
    rows = document.rows.tolist()
    mentions = [Labelled.of(start, end, str(entity)) for start, end, entity in rows]
    return ["|".join(cell) or "-" for cell in brackets(len(document.words), mentions)]


_MARK = re.compile(r"\n#[ \t]*(?:begin|end) document\b")

_HEADER = re.compile(r"#[ \t]*begin document\b")

_FIRST_HEADER = re.compile(r"^#[ \t]*begin document\b", re.MULTILINE)

_PART = re.compile(r"(?:;|(?<=\)))\s*part\s+(\S+)$")

_EXPECTED_HEADER = f"'{BEGIN} (NAME); part 000'"

# Kinds of notices
_COLUMN, _NO_ROWS, _MENTIONS, _NO_END = "column", "no rows", "mentions", "no end"

_ADVICE = "Leave out the name of the format, so that it is found from the content."


def read_conll(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    part = _read_part(text, file, side, Begin())
    if all(of.name is None for of in part.seen):
        if like := likeness(text):
            found = Problem(file, like.number, like.found, _EXPECTED_HEADER, _ADVICE)
            raise InputError([found])
        refuse([], part.seen)
        raise InputError([_no_document(file)])
    return Corpus(part.documents, file, _finish(part.seen, file, side, [(1, text)]))


def _read_part(text: str, file: str, side: str, begin: Begin) -> Part:
    headers: list[tuple[str, str, int]] = []  # name, part and line
    begins: list[int] = []
    bodies: list[slice] = []
    seen: list[Seen] = []
    ended: set[int] = set()  # of the documents, counted from 1
    number = begin.line
    for start, stop in _chunks(text):
        if header := _HEADER.match(text, start):
            end = text.find("\n", start, stop)
            end = end if end >= 0 else stop
            headers.append((*_document_name(text[header.end() : end], file), number))
            begins.append(start)
            bodies.append(slice(end + 1, stop))
        else:
            ended.add(len(headers))
            if orphans := _orphans(text[start:stop].split("\n"), number, file):
                seen.append(Seen(number, None, tuple(orphans)))
        number += text.count("\n", start, stop)
    documents: list[Document] = []
    n_problems = sum(len(of.problems) for of in seen)
    cuts = [0, *begins[1:], len(text)]  # the first with all that stands above it
    for at, ((name, part, line), body) in enumerate(zip(headers, bodies, strict=True), start=1):
        draft = ConllDraft(file, line, name, part)
        draft.read(text[body])
        first = line if at > 1 else begin.line
        original = Original.of("conll", text[cuts[at - 1] : cuts[at]], draft.name, first)
        document = draft.document(original, is_wanted=not n_problems)
        seen.append(_seen(draft, len(document.rows), at in ended))
        n_problems += len(seen[-1].problems)
        documents.append(document)
        if n_problems:
            documents.clear()
        if n_problems >= ENOUGH:
            break
    return Part(tuple(documents), tuple(seen))


def _seen(draft: ConllDraft, n_mentions: int, ended: bool) -> Seen:
    """What was noticed of a document."""
    notices = []
    if draft.column and not draft.column.sure:
        notices.append(Notice(_COLUMN, draft.line + 1, draft.words_taken_from()))
    if not draft.words:
        notices.append(Notice(_NO_ROWS, draft.line))
    if n_mentions:
        notices.append(Notice(_MENTIONS, draft.line))
    if not ended:
        notices.append(Notice(_NO_END, draft.line))
    return Seen(
        draft.line,
        draft.name,
        tuple(draft.problems.found),
        tuple(draft.warnings),
        tuple(notices),
    )


def _finish(seen: Sequence[Seen], file: str, side: str, texts: Texts) -> tuple[str, ...]:
    advice = "Rename one of them, or give it another part."
    named = ((of.name, of.line) for of in seen if of.name is not None)
    refuse(second_names(named, file, "each name and part once", advice), seen)
    warnings = [warning for of in seen for warning in of.warnings]
    return (*_column_warnings(seen, file, texts), *_cut_short(seen, file), *warnings)


def _chunks(text: str) -> Iterator[tuple[int, int]]:
    """Stretches of text that begin with #begin document, #end document or the file."""
    marks = (match.start() + 1 for match in _MARK.finditer(text))
    return pairwise((0, *marks, len(text)))


def _document_name(header: str, file: str) -> tuple[str, str]:
    """The name and the part as far as it is not 0: `(x); part 003` is ("x", "3"). Without a name
    that of the file."""
    rest = header.strip().rstrip("; \t")
    part = _PART.search(rest)
    name = rest[: part.start()].rstrip("; \t") if part else rest
    if name.startswith("(") and name.endswith(")"):
        name = name[1:-1].strip()
    return name or name_of_file(file), part[1].lstrip("0") if part else ""


def _column_warnings(seen: Sequence[Seen], file: str, texts: Texts) -> Iterator[str]:
    """Where the words were taken from, if that is not sure, and what has no rows or mentions."""
    notices = [(of.name, notice) for of in seen for notice in of.notices]
    unsure = [notice for _, notice in notices if notice.kind == _COLUMN]
    for notice in unsure[:1]:
        more = f" (so in {counted(len(unsure), 'document')})" if len(unsure) > 1 else ""
        yield f"{file}:{notice.line}: {notice.text}{more}."
    for name, notice in notices:
        if notice.kind == _NO_ROWS:
            yield f"{file}:{notice.line}: document '{name}' has no rows."
    if not any(notice.kind == _MENTIONS for _, notice in notices):
        for first, text in texts:
            if cause := why_no_entities(text.split("\n")):
                yield f"{file}:{first - 1 + cause[0]}: no mention is read: {cause[1]}."
                return


def _cut_short(seen: Sequence[Seen], file: str) -> Iterator[str]:
    """A warning of a last document without its end: the file may be cut short there."""
    last = max((of for of in seen if of.name is not None), key=lambda of: of.line)
    if any(notice.kind == _NO_END for notice in last.notices):
        text = f"document '{last.name}' has no '#end document'; is the file complete?"
        yield f"{file}:{last.line}: {text}"


def _orphans(lines: Sequence[str], first: int, file: str) -> list[Problem]:
    """The first row outside of a document, if there is one; `first` is the first line's number."""
    rows = (at for at, line in enumerate(lines) if line.strip() and line[0] != "#")
    return [no_header(file, first + at, lines[at].strip()) for at in islice(rows, 1)]


def no_header(file: str, number: int, row: str) -> Problem:
    """A row of columns that stands in no document."""
    found = f"'{row[:40]}' outside of a document"
    expected = f"{_EXPECTED_HEADER} before the first row"
    return Problem(file, number, found, expected, "Add the line.")


def _no_document(file: str) -> Problem:
    return Problem(file, 0, "no document", _EXPECTED_HEADER, "Add the line.")


def _places(blocks: Iterable[Lines], file: str) -> Iterator[Place]:
    """Each document up to the next; the first with all that stands above it."""
    last: Place | None = None
    end = 0
    for block in blocks:
        for start, number, line in commented(block, b"begin document"):
            if header := _HEADER.match(line):
                name = "; part ".join(filter(None, _document_name(line[header.end() :], file)))
                at = block.start + start
                if last:
                    yield replace(last, stop=at)
                last = Place(name, at, 0, Begin(number)) if last else Place(name, 0, 0)
        end = block.start + len(block.data)
    if last:
        yield replace(last, stop=end)


def is_row(line: str) -> bool:
    """Whether a line looks like a row of columns, the last of them for entities."""
    cells = line.split()
    return len(cells) >= 2 and (cells[-1] in ("-", "_", "*") or bool(parse_cell(cells[-1])))


def fits_conll(text: str) -> bool:
    """Whether there is a `#begin document` line."""
    return "begin document" in text and _FIRST_HEADER.search(text) is not None


CONLL = Format(
    id="conll",
    title="CoNLL",
    suffixes=("conll", ".col", ".semeval"),
    fits=fits_conll,
    read=read_conll,
    write=write_conll,
    parts=Parts(_places, _read_part, _finish),
)
