"""CoNLL-U with coreference as in CorefUD and GUM: a word a line in ten columns, entities as
brackets in `Entity=` of the last one.

Positions in the file are inclusive, here half-open. Empty nodes (`8.1`) are words, which the
document names apart; a multiword token (`1-2`) is none. What brackets say besides the entity is
declared in the file (`# global.Entity = eid-etype-head-other`): type and head are read, or the
minimum span in GUM's releases, the other fields are not. `SplitAnte` is read, `Bridge` is not. Of
the other columns the lemma and the universal part of speech are read, of the comments the speaker
and the genre (`# meta::genre = news`, as in GUM, or `# genre = news`).
CorefUD: https://ufal.mff.cuni.cz/corefud

The field's library, udapi, builds a tree of objects for each sentence, which is many times slower
than to take the columns as they are.

A document of CoNLL-U while it is read.

Writing CoNLL-U with coreference, as in CorefUD.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from sys import intern

import numpy as np

from corescore.corpus.documents import Corpus, Document, EmptyNode, Original
from corescore.corpus.formats.columns import known_of, second_names, stretches
from corescore.corpus.formats.conllu_entities import (
    NEWDOC,
    Entities,
    Fields,
    coreference,
    declaration,
    indistinct,
    names_of,
    positions,
    rewritten,
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
    refuse,
    unwritable,
)
from corescore.corpus.formats.marked_text import name_of_file
from corescore.corpus.problems import ENOUGH, InputError, Problem, TooManyProblems

N_COLUMNS = 10

GENRE = ("meta::genre", "genre")  # comments that tell the genre of a document

_HEAD = 6

HEADS_OF_MINSPAN = "heads of minspan"  # a kind of notice

_NUMBER = re.compile("[0-9]{1,9}")

_NEXT = {str(number): str(number + 1) for number in range(1, 1000)}  # faster than to write each

_EMPTY = re.compile(r"([0-9]+)\.[1-9][0-9]{0,8}")

_TOKEN = re.compile("[0-9]{1,9}-[0-9]{1,9}")

_NOTHING = frozenset("_")


@dataclass
class ConlluDraft:
    """A document while it is read.

    line    the number of its first line in the file
    splits  whether the text may have split antecedents
    lines, heads  of each word the number of its line, and the word that it depends on
    """

    line: int
    entities: Entities
    splits: bool = True
    name: str = ""
    words: list[str] = field(default_factory=list)
    lines: "array[int]" = field(default_factory=lambda: array("q"))
    heads: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    lemmas: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    sentence_starts: list[int] = field(default_factory=list)
    speakers: list[str] = field(default_factory=list)
    speaker: str = ""
    genre: str = ""
    dependencies: dict[int, tuple[str, int]] = field(default_factory=dict)

    def read(self, text: str) -> None:
        """Take in its lines."""
        words, lemmas, tags, ids = self.words, self.lemmas, self.tags, self.ids
        lines, heads = self.lines, self.heads
        splits = self.splits
        for first, _, of_stretch in stretches(text, self.line):
            count, expected = 0, "1"  # words of the sentence but empty nodes; the next one's number
            begun = False
            for number, line in enumerate(of_stretch.split("\n"), first):
                columns = line.split("\t")
                if columns[0] == expected and len(columns) == N_COLUMNS and columns[1]:
                    count += 1
                    expected = _NEXT.get(expected) or str(count + 1)
                elif not line.strip():
                    count, expected, begun = 0, "1", False
                    continue
                elif line[0] == "#":
                    self._comment(line, number)
                    continue
                elif not self._is_empty_node(columns, count, number, begun):
                    if _NUMBER.fullmatch(columns[0]):  # told once, not again in each row
                        count = int(columns[0])
                        expected = str(count + 1)
                    continue
                if not begun:
                    begun = True
                    self._begin_sentence()
                misc = columns[9]
                if "Entity=" in misc or (splits and "Split" in misc):
                    self.entities.read(misc, len(words), number, self.sentence_starts[-1])
                words.append(columns[1])
                lemmas.append(columns[2])
                tags.append(columns[3])
                ids.append(columns[0])
                lines.append(number)
                heads.append(columns[_HEAD])

    def _begin_sentence(self) -> None:
        self.sentence_starts.append(len(self.words))
        self.speakers.append(self.speaker)
        self.speaker = ""

    def _is_empty_node(self, columns: list[str], count: int, line: int, begun: bool) -> bool:
        """Whether the row is an empty node; wrong rows are told."""
        problem = _row_problem(columns, count)
        if problem:
            self._refuse(line, *problem)
            return False
        if "-" in columns[0]:
            if "Entity=" in columns[9] and re.search(r"(^|\|)Entity=", columns[9]):
                found = f"'{columns[9]}' at a multiword token"
                self._refuse(line, found, "Entity= at words", "Move it to the words.")
            return False
        same_place = begun and self.ids[-1].partition(".")
        number = int(columns[0].partition(".")[2])
        if same_place and same_place[0] == str(count) and number <= int(same_place[2] or 0):
            found = f"empty node {columns[0]} after {self.ids[-1]}"
            advice = "Number the empty nodes after a word 1, 2, …"
            self._refuse(line, found, f"a number above {same_place[2]} after the dot", advice)
            return False
        self.dependencies[len(self.words)] = (columns[8], line)
        return True

    def _comment(self, line: str, number: int) -> None:
        name, _, value = line[1:].partition("=")
        name = name.strip()
        if name == "speaker":
            self.speaker = value.strip()
        elif name in GENRE:
            self.genre = self.genre or value.strip()
        elif name == "global.Entity":
            fields = Fields.of(value.strip())
            if fields is None:
                expected = "a field 'eid' among them (or 'GRP')"
                self._refuse(number, f"'{line}'", expected, "Name the field of the entity.")
            else:
                self.entities.fields = fields
        elif name.startswith("newdoc") and (newdoc := NEWDOC.fullmatch(line)):
            self.name = newdoc[1] or ""

    def _refuse(self, line: int, found: str, expected: str, advice: str) -> None:
        self.entities.refuse(line, found, expected, advice)

    def document(self, text: str, *, is_wanted: bool) -> Document:
        """The document as read from its text; what is wrong in it becomes a problem.

        is_wanted  whether the file is right so far; else the document is looked through only
        """
        self.entities.finish()
        if self.entities.problems:
            return Document.of_rows(self.name, ())
        drafts = self.entities.mentions
        file = self.entities.file
        name = self.name or name_of_file(file)
        return Document.of_rows(
            name,
            [(d.pieces[0][0], d.pieces[-1][1], d.entity) for d in drafts],
            words=[*map(intern, self.words)],
            sentence_starts=self.sentence_starts,
            speakers=self.speakers if any(self.speakers) else (),
            tags=known_of(self.tags, _NOTHING),
            lemmas=known_of(self.lemmas, _NOTHING),
            file=file,
            lines=np.array(self.lines, dtype=np.int64),
            attributes=self.entities.attributes(self.ids, self.heads.__getitem__),
            empty_nodes=dict(self._empty_nodes()),
            split_antecedents=self.entities.split_antecedents(),
            original=Original.of("conllu", text, name, self.line),
            genre=self.genre,
        )

    def seen(self) -> Seen:
        """What was noticed of the document, once it is made."""
        kinds = [HEADS_OF_MINSPAN] if self.entities.heads_are_of_minspan else []
        notices = tuple(Notice(kind, self.line) for kind in kinds)
        problems, warnings = self.entities.problems, tuple(self.entities.warnings)
        if not self.words:
            file = self.entities.file
            name = self.name or name_of_file(file)
            warnings += (f"{file}:{self.line}: document '{name}' has no words.",)
        return Seen(self.line, self.name, tuple(problems.found), warnings, notices)

    def _empty_nodes(self) -> Iterator[tuple[int, EmptyNode]]:
        for at, (dependencies, line) in self.dependencies.items():
            sentence = bisect_right(self.sentence_starts, at)
            start, stop = [*self.sentence_starts, len(self.ids)][sentence - 1 : sentence + 1]
            try:
                parents = frozenset(self._parents(dependencies, start, stop))
            except ValueError:
                found = f"the dependencies '{dependencies}' of an empty node"
                expected = "words of the sentence and relations, such as '3:nsubj|5:obj', or '_'"
                self._refuse(line, found, expected, "Name words of the sentence.")
                continue
            yield at, EmptyNode(int(self.ids[at].partition(".")[2]), parents)

    def _parents(self, dependencies: str, start: int, stop: int) -> Iterator[tuple[int, str]]:
        for dependency in dependencies.split("|") if dependencies not in ("_", "") else ():
            governor, colon, relation = dependency.partition(":")
            if not colon:
                raise ValueError(dependency)
            yield -1 if governor == "0" else self.ids.index(governor, start, stop), relation


def _row_problem(columns: Sequence[str], count: int) -> tuple[str, str, str] | None:
    """What is wrong with a row that is no word in its place: found, expected, advice."""
    if len(columns) != N_COLUMNS:
        found = f"{len(columns)} columns"
        return found, "10 columns with tabs between them", "Write '_' where a column is empty."
    number = columns[0]
    if not columns[1]:
        return "no word", "a word in the second column", "Write '_' if there is none."
    empty = _EMPTY.fullmatch(number)
    if (empty and empty[1] == str(count)) or _TOKEN.fullmatch(number):
        return None
    expected = f"{count + 1}, or an empty node such as {count}.1"
    advice = "Number the words of a sentence 1, 2, …; leave a line empty after each sentence."
    return f"the word number '{number}'", expected, advice


_NOT_IN_FIELD = re.compile(r"[-=|()\s]")


def write_conllu(corpus: Corpus) -> str:
    """CoNLL-U: entities, types and heads in `Entity=`, `SplitAnte=`, empty nodes and their parents.

    A document that was read from CoNLL-U keeps its comments and columns; the brackets are written
    anew, without the fields that are not read, and links in `Bridge=` stay where both of their
    entities have stayed as they were. Of other documents nothing but the genre, numbers, words,
    lemmas, parts of speech and speakers is known: the other columns are "_". Raises InputError for
    mentions of one entity that brackets cannot tell apart, and words, names, types and heads that
    do not fit.
    """
    problems = [problem for document in corpus for problem in _unwritable(document)]
    if problems:
        raise InputError(problems)
    return "".join(map(_text, corpus))


def _text(document: Document) -> str:
    names = names_of(document)
    return rewritten(document, names) or "".join(_written_lines(document, names))


def _written_lines(document: Document, names: Sequence[str]) -> Iterator[str]:
    """The document with what is known of it, and "_" in all other columns."""
    ids = _ids(document)
    attributes = coreference(document, names)
    unknown = [""] * len(document.words)
    lemmas, tags = document.lemmas or unknown, document.tags or unknown
    yield f"# newdoc id = {document.name}\n# global.Entity = {declaration(document)}\n"
    if document.genre:
        yield f"# {GENRE[0]} = {' '.join(document.genre.split())}\n"
    speakers = document.speakers or [""] * len(document.sentences)
    for number, (start, end) in enumerate(document.sentences, start=1):
        in_text = [at for at in range(start, end) if at not in document.empty_nodes]
        yield f"# sent_id = {document.name}-{number}\n"
        if speakers[number - 1]:
            yield f"# speaker = {' '.join(speakers[number - 1].split())}\n"
        yield f"# text = {' '.join(document.words[at] for at in in_text)}\n"
        for at in range(start, end):
            lemma = re.sub(r"[\t\n\r]+", " ", lemmas[at]) or "_"
            tag = re.sub(r"\s+", "_", tags[at]) or "_"
            columns = (
                ids[at],
                document.words[at],
                lemma,
                tag,
                *"____",
                _dependencies(document, at, ids),
            )
            yield "\t".join((*columns, "|".join(attributes[at]) or "_")) + "\n"
        yield "\n"


def _ids(document: Document) -> list[str]:
    """The number of each word in its sentence: 8, or 8.1 of an empty node after it."""
    ids: list[str] = []
    for start, end in document.sentences:
        n_words = 0
        for at in range(start, end):
            node = document.empty_nodes.get(at)
            n_words += node is None
            ids.append(f"{n_words}.{node.number}" if node else str(n_words))
    return ids


def _dependencies(document: Document, at: int, ids: Sequence[str]) -> str:
    node = document.empty_nodes.get(at)
    parents = sorted(node.parents) if node else ()
    return "|".join(f"{ids[p] if p >= 0 else 0}:{relation}" for p, relation in parents) or "_"


def _unwritable(document: Document) -> Iterator[Problem]:
    if problems := [*unwritable(document)]:
        yield from problems  # such as mentions beyond the words: nothing more can be asked
        return
    place = document.file or document.name
    for found, expected in _misfits(document):
        found = f"{found} in document '{document.name}'"
        yield Problem(place, 0, found, expected, "Write another format.")


def _misfits(document: Document) -> Iterator[tuple[str, str]]:
    """What CoNLL-U cannot hold, and what it can; the first of each kind."""
    for word in document.words:
        if not word or re.search(r"[\t\n\r]", word):
            yield f"the word {word!r}", "words on one line, without tabs"
            break
    yield from _misfitting_nodes(document)
    attributes = [*_misfitting_attributes(document)]
    yield from attributes
    for entity in () if attributes else sorted(indistinct(document))[:1]:
        mention = document.text(document.entities[entity][0])[:40]
        found = f"mentions of one entity ('{mention}') that cross"
        yield found, "mentions that nest, as brackets of one entity do"
    if any(entity in of or not of for entity, of in document.split_antecedents):
        yield "an entity that is its own antecedent, or has none", "other entities as antecedents"


def _misfitting_nodes(document: Document) -> Iterator[tuple[str, str]]:
    ids = _ids(document)
    starts = document.sentence_starts
    for at, node in sorted(document.empty_nodes.items()):
        sentence = bisect_right(starts, at)
        before = ids[at - 1].partition(".") if at not in starts else ("0", "", "")
        same_place = before[0] == ids[at].partition(".")[0]
        if node.absent or node.number <= (int(before[2] or 0) if same_place else 0):
            yield f"empty node {ids[at]} after {ids[at - 1]}", "numbers that ascend"
            return
        if any(p >= 0 and bisect_right(starts, p) != sentence for p, _ in node.parents):
            yield f"empty node {ids[at]} that depends on another sentence", "words of its sentence"
            return
        if any(not relation or re.search(r"[|\s]", relation) for _, relation in node.parents):
            yield f"a relation of empty node {ids[at]} with blanks or '|'", "relations without them"
            return


def _misfitting_attributes(document: Document) -> Iterator[tuple[str, str]]:
    known = document.attributes
    if known is None:
        return
    for kind in {*known.entity_type, *known.mention_type}:
        if _NOT_IN_FIELD.search(kind) or kind == "_":
            yield f"the type {kind!r} of a mention", "types without blanks and '-=|()'"
            break
    for at, mention in enumerate(document.mentions):
        words = positions(mention)
        first, last = known.minimum[at].tolist()
        inside = {int(known.head[at])} | ({first, last - 1} if first >= 0 else set())
        if not inside <= {-1, *words}:
            yield f"a head outside of its mention ('{document.text(mention)[:40]}')", "one inside"
            break


_FIRST_ID = re.compile(r"1|1-(?!1$)[0-9]+|0\.[0-9]+")  # 1-1 is WebAnno TSV

_ENTITIES = "entities"  # a kind of notice

_DECLARES = re.compile(r"#\s*global\.Entity\s*=")

_OTHER_COLUMNS = re.compile(
    r"^#\s*global\.columns\s*=(?!\s*ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\s*$)",
    re.MULTILINE,
)

_MARK = re.compile(r"\n#[^\S\n]*newdoc[^\n]*")  # a pattern that begins with "^" is slower

_WORD = re.compile(r"^(?!#)[^\S\n]*\S", re.MULTILINE)  # a line that is no comment

_COMMENTS = re.compile(r"^#\s*(newdoc|sent_id|global\.Entity|global\.columns)\b", re.MULTILINE)


def read_conllu(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    part = _read_part(text, file, side, Begin())
    return Corpus(part.documents, file, _finish(part.seen, file, side, [(1, text)]))


def _read_part(text: str, file: str, side: str, begin: Begin) -> Part:
    splits, fields = "Split" in text, Fields.of(begin.declared) or Fields()
    documents: list[Document] = []
    seen: list[Seen] = []
    line, n_problems = begin.line, 0
    for start, stop in _chunks(text):
        draft = ConlluDraft(line, Entities(file, fields), splits)
        of_document = text[start:stop]
        with suppress(TooManyProblems):
            draft.read(of_document)
            documents.append(draft.document(of_document, is_wanted=not n_problems))
        seen.append(draft.seen())
        n_problems += len(draft.entities.problems.found)
        if n_problems:
            documents.clear()
        if n_problems >= ENOUGH:
            break
        fields = draft.entities.fields  # one declaration may stand for all documents
        line += of_document.count("\n")
    if "Entity=" in text:
        seen[0] = replace(seen[0], notices=(*seen[0].notices, Notice(_ENTITIES, begin.line)))
    return Part(tuple(documents), tuple(seen))


def _finish(seen: Sequence[Seen], file: str, side: str, texts: Texts) -> tuple[str, ...]:
    kinds = {notice.kind for of in seen for notice in of.notices}
    old = () if _ENTITIES in kinds else _other_releases(texts, file)
    advice = "Give each document a name: '# newdoc id = NAME'."
    names = second_names(((of.name or "", of.line) for of in seen), file, "each name once", advice)
    refuse([*names, *old], seen)
    warnings = [warning for of in seen for warning in of.warnings]
    if HEADS_OF_MINSPAN in kinds:
        warnings.append(f"{file}: no field 'head'; the heads of mentions are taken from 'minspan'.")
    return tuple(warnings)


def _chunks(text: str) -> Iterable[tuple[int, int]]:
    """Where each document stands: from `# newdoc` on, the first with all that is above it."""
    lines = ((match.start() + 1, match[0][1:]) for match in _MARK.finditer(f"\n{text}"))
    marks = [at - 1 for at, line in lines if NEWDOC.fullmatch(line)]
    has_words = bool(marks) and _WORD.search(text, 0, marks[0]) is not None
    starts = [0, *(marks if has_words else marks[1:])]
    return zip(starts, [*starts[1:], len(text)], strict=True)


def _other_releases(texts: Texts, file: str) -> Iterator[Problem]:
    """CorefUD 0.1 and 0.2 had other attributes; to leave them out would be to read no mentions."""
    for first, text in texts:
        at = text.find("ClusterId=")
        if at >= 0:
            found = "'ClusterId=', coreference as in CorefUD 0.1 and 0.2"
            advice = "Use a release from 1.0 on, or convert the file with udapi."
            yield Problem(file, first + text.count("\n", 0, at), found, "'Entity='", advice)
            return


def _places(blocks: Iterable[Lines], file: str) -> Iterator[Place]:
    """Each document up to the next; the first with all that stands above it."""
    last, end = Place("", 0, 0), 0
    is_begun, declared = False, ""  # by a newdoc, or by words above the first
    for block in blocks:
        above = 0 if is_begun else len(block.data)
        for start, number, line in commented(block, b"newdoc", b"global.Entity"):
            newdoc = NEWDOC.fullmatch(line)
            if newdoc and (is_begun or _has_words(block.data[:start])):
                yield replace(last, name=last.name or name_of_file(file), stop=block.start + start)
                last = Place("", block.start + start, 0, Begin(number, declared))
            if newdoc:
                last, is_begun = replace(last, name=newdoc[1] or ""), True
                above = 0
            elif declares := _DECLARES.match(line):
                value = line[declares.end() :].strip()
                declared = value if Fields.of(value) else declared
        is_begun = is_begun or _has_words(block.data[:above])
        end = block.start + len(block.data)
    yield replace(last, name=last.name or name_of_file(file), stop=end)


def _has_words(data: bytes) -> bool:
    """Whether there is a line that is no comment."""
    return any(line.strip() and line[:1] != b"#" for line in data.split(b"\n"))


def fits_conllu(text: str) -> bool:
    """Whether the first row has ten columns with tabs and a first number, or comments say so and
    do not name other columns (CoNLL-U Plus)."""
    begin = "begin document"  # looked for first: the pattern is slow on a large file without it
    if begin in text and re.search(rf"^#[ \t]*{begin}", text, re.MULTILINE):
        return False
    lines = (line for line in text.split("\n", 500)[:500] if line.strip() and line[0] != "#")
    columns = next(lines, "").split("\t")
    is_row = len(columns) == N_COLUMNS and bool(_FIRST_ID.fullmatch(columns[0]))
    if is_row or len(columns) == 1 or _OTHER_COLUMNS.search(text):
        return is_row
    return bool(_COMMENTS.search(text))


CONLLU = Format(
    id="conllu",
    title="CoNLL-U",
    suffixes=(".conllu",),
    fits=fits_conllu,
    read=read_conllu,
    write=write_conllu,
    keeps=True,
    parts=Parts(_places, _read_part, _finish),
)
