"""CoNLL-U with coreference as in CorefUD and GUM, and CoNLL-UA of Universal Anaphora.

CoNLL-U: a word a line in ten columns, entities as brackets in `Entity=` of the last one. Positions
in the file are inclusive, here half-open. Empty nodes (`8.1`) are words, which the document names
apart; a multiword token (`1-2`) is none. What brackets say besides the entity is declared in the
file (`# global.Entity = eid-etype-head-other`): type and head are read, or the minimum span in
GUM's releases, the other fields are not. `SplitAnte` is read, `Bridge` is not. Of the other columns
the lemma and the universal part of speech are read, of the comments the speaker and the genre
(`# meta::genre = news`, as in GUM, or `# genre = news`). CorefUD: https://ufal.mff.cuni.cz/corefud
Where no word has `Entity=`, the chains of Stanza are read: `coref_chains=unit-repr-id0,start-id1`,
in older versions `ner=unit-id0`. https://stanfordnlp.github.io/stanza/coref.html
What else may be coreference in that column is refused, or told where `Entity=` is read beside it.

The field's library, udapi, builds a tree of objects for each sentence, which is many times slower
than to take the columns as they are.

CoNLL-UA: a line `# global.columns = ID FORM … IDENTITY …` names the columns, a line
`# newdoc id = NAME` begins a document. A mention opens with `(EntityID=1|MarkableID=m_3|Min=4,5` at
its first word and closes with `)` or `m_3)` at its last; a MarkableID that opens again is the next
piece of a discontinuous mention. Min becomes the minimum span, Entity_Type (of REFERENCE or
NOM_SEM) the type, ElementOf a split antecedent, an id such as `5.1` an empty node. LEMMA is read
where it is there. Lost: bridging, discourse deixis, SemType, mentions that do not refer
(`EntityID=4-Pseudo`, which the Universal Anaphora scorer leaves out, too; counted in a warning)
except as elements of a split antecedent, and all other columns. Source:
github.com/UniversalAnaphora, UA_CONLL_U_Plus_proposal; the Universal Anaphora scorer 1.0.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, count, islice, pairwise
from sys import intern, maxsize

import numpy as np

from corescore.corpus.documents import (
    Attributes,
    Columns,
    Corpus,
    Document,
    EmptyNode,
    JoinedWords,
    Mention,
    Pieces,
)
from corescore.corpus.formats.columns import (
    MOST_BRACKETS,
    OPEN,
    Block,
    Blocks,
    Bracket,
    Draft,
    Layout,
    SplitRows,
    first_row,
    is_blank,
    joined,
    lines_like,
    part_of,
    second_names,
    written,
)
from corescore.corpus.formats.format import (
    NO_COREFERENCE,
    Begin,
    Format,
    Lines,
    Notice,
    Part,
    Parts,
    Place,
    Seen,
    Texts,
    are_types,
    commented,
    name_of_file,
    refuse_seen,
    unwritable,
)
from corescore.corpus.problems import InputError, Problem, TooManyProblems, refuse
from corescore.util import AnyArray
from corescore.wording import counted

N_COLUMNS = 10

_ID, _FORM, _LEMMA, _UPOS, _HEAD, _DEPS, _MISC = 0, 1, 2, 3, 6, 8, 9

_KEPT = (_ID, _FORM, _LEMMA, _UPOS)

GENRE = ("meta::genre", "genre")  # comments that tell the genre of a document

_NUMBER = re.compile("[0-9]{1,9}")

_SHORT = 100  # characters of a cell that is remembered

_MOST_CELLS = 8192  # that are

_NUMBERS = [*map(str, range(1, 1001))]

_PLACE_OF = {number: place for place, number in enumerate(_NUMBERS)}

_EMPTY = re.compile(r"([0-9]+)\.[1-9][0-9]{0,8}")

_TOKEN = re.compile("[0-9]{1,9}-[0-9]{1,9}")

_NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*?))?\s*")

# The comments that are read
_COMMENT = re.compile(
    r"(?P<line>#(?<!.#)[^\S\n]*(?P<name>newdoc|(?:speaker|(?:meta::)?genre|global\.Entity)(?=[^\S\n]*=))"
    r"[^\n=]*=?(?P<value>[^\n]*))"
)

_DECLARES = re.compile(r"#\s*global\.Entity\s*=\s*(.*?)\s*")

_BRACKET = re.compile(r"(\(?)([^()]+)(\)?)")

_ENTITY = re.compile(r"(?:^|\|)Entity(?:=([^|]*)|(?=\||$))")

_PART = re.compile(r"(.+)\[([0-9]{1,9})/([0-9]{1,9})\]")

# As Stanza writes its chains; in older versions under the name of named entities
_PLACE = r"(?:unit|start|middle|end)-(?:repr-)?id[0-9]{1,9}"

_READ = ("head", "minspan", "etype", "mention_type")  # of the fields of a bracket

_CHAINS = re.compile(rf"(?:coref_chains|ner)=({_PLACE}(?:,{_PLACE})*)")

# What may be coreference in a column, but `Entity=` in the last one
_NAMES = "coref|anaph|antecedent|cluster|chain|entity_?id|mention|referent"

_CARRIER = re.compile(
    r"\t(?=[^\t\n=()]*+[=()])(?:[^\t\n]*\|)?"  # not in most cells: faster to look there first
    rf"(?P<carrier>(?:(?=\w++(?:\[\d+\])?=)\w*?(?:{_NAMES})\w*(?:\[\d+\])?=|ner={_PLACE})[^|\t\n]*|"
    r"(?:\(?\d+\)|\(\d+)[^|\t\n]*(?=(?:\|[^\t\n]*)?$))",
    re.IGNORECASE | re.MULTILINE,
)

_ELSEWHERE = re.compile(r"\t(?:[^\t\n]*\|)?(?P<carrier>Entity=[^|\t\n]*)")

# A document with one of these in a last column, or with "Coref", may have such coreference beside
# `Entity=`; quick to look for
_BESIDE = re.compile("coref_chains=|t-id|-repr-id|ClusterId|EntityI")

_EXPECTED = (
    "brackets such as '(e1-person-1', 'e1)' or '(e1-person-1)'",
    "Open and close each mention with the name of its entity.",
)

# Kinds of notices
_ENTITIES, _HEADS_OF_MINSPAN, _TYPES, _IDS = "entities", "heads of minspan", "types", "ids"

_OTHERS = "others"  # what may be coreference and is not read


def has_entities(text: str) -> bool:
    """Whether a last column has `Entity=`; `NamedEntity=` is another attribute."""
    return "\tEntity=" in text or "|Entity=" in text


def carrier_in(text: str, *, beside: bool = False) -> tuple[int, str] | None:
    """Where one of these rows holds what may be coreference, and what; None if none does.

    beside  whether `Entity=` is read
    """
    carrier = _CARRIER.search(text) or (None if beside else _ELSEWHERE.search(text))
    return (carrier.start("carrier"), carrier["carrier"]) if carrier else None


def chains_in(misc: str) -> Iterator[tuple[int, bool, bool]]:
    """(number, whether a mention opens, whether one closes) of each chain of Stanza in a column.

    Raises ValueError for chains that are written otherwise."""
    for attribute in misc.split("|"):
        if match := _CHAINS.fullmatch(attribute):
            for place in match[1].split(","):
                where, *_, chain = place.split("-")
                number = int(chain.removeprefix("id"))
                yield number, where in ("start", "unit"), where in ("end", "unit")
        elif attribute.startswith("coref_chains="):
            raise ValueError(attribute)


def fields_of(declaration: str) -> tuple[str, ...]:
    """The fields that brackets have by a declaration such as `eid-etype-head-other`, by the names
    of CorefUD; none if none of them is the entity."""
    names = {"GRP": "eid", "entity": "etype", "MIN": "minspan"}  # as releases of GUM write them
    fields = tuple(names.get(name, name) for name in declaration.split("-"))
    return fields if "eid" in fields else ()


@dataclass
class _Draft(Draft):
    """A document while it is read.

    mentions     the numbers of the brackets of each, the labels of which then are the entities
    antecedents  of entities that refer to several, the line of each
    """

    mentions: list[list[int]] = field(default_factory=list)
    antecedents: dict[str, dict[str, int]] = field(default_factory=dict)
    empty_nodes: dict[int, EmptyNode] = field(default_factory=dict)

    def sentence_of(self, word: int) -> tuple[int, int]:
        """Where the sentence of a word begins and ends."""
        after = bisect_right(self.sentence_starts, word)
        start, stop = [*self.sentence_starts, len(self.lines)][after - 1 : after + 1]
        return start, stop

    def runs(self, mention: Sequence[int]) -> Pieces:
        """Its pieces, joined if no word is between them."""
        pieces = [(self.starts[number], self.ends[number]) for number in mention]
        return joined(pieces) if len(pieces) > 1 else tuple(pieces)

    def of_mentions(
        self,
        heads: Sequence[int],
        minima: Sequence[tuple[int, int]],
        types: Sequence[str],
        kinds: Sequence[str] = (),
        **more: object,
    ) -> Document:
        """The document with its mentions, and what is known of them."""
        starts, ends, labels = self.starts, self.ends, self.labels
        runs: list[Pieces] = []
        if len(self.mentions) < len(labels):  # some were put together, or left out
            runs = [*map(self.runs, self.mentions)]
            starts, ends = [of[0][0] for of in runs], [of[-1][1] for of in runs]
            labels = [labels[mention[0]] for mention in self.mentions]
        attributes = Attributes.of(
            len(labels),
            head=heads,
            minimum=minima,
            pieces=runs,
            entity_type=types,
            mention_type=kinds,
        )
        return self.made(
            Columns(starts, ends, labels),
            attributes=attributes.or_none,
            empty_nodes=self.empty_nodes,
            **more,
        )


def _comes_after(node: str, before: str) -> bool:
    """Whether an empty node, such as 8.2, may stand after the one or the word before it."""
    place, _, number = node.partition(".")
    of_place, _, last = before.partition(".")
    return of_place != place or int(number) > int(last or 0)


def _words_of(ids: Sequence[str]) -> list[int] | None:
    """The rows of a sentence that are words, not multiword tokens; None if a number is not the next
    one, or there is no word."""
    words: list[int] = []
    n, before = 0, ""
    for row, number in enumerate(ids):
        if number == str(n + 1):
            n += 1
        elif _TOKEN.fullmatch(number):
            continue
        else:
            node = _EMPTY.fullmatch(number)
            if node is None or node[1] != str(n) or not _comes_after(number, before):
                return None
        words.append(row)
        before = number
    return words or None


class _TenColumns(Layout):
    """Numbered words in ten columns; rows of multiword tokens are left out."""

    def block(self, text: str, line: int, breaks: AnyArray) -> Block | None:
        """The words of a text; None unless all is as it should be, but for brackets."""
        block = super().block(text, line, breaks)
        if block is None or block.widths[0] != N_COLUMNS:
            return None
        ids = block.joined(_ID, slice(None))
        sentences = [*pairwise([*block.sentences, len(block.lines)])]
        if ids == "\n".join(["\n".join(_NUMBERS[: stop - start]) for start, stop in sentences]):
            return block
        each = ids.split("\n")
        words: list[int] = []
        for start, stop in sentences:
            numbers = each[start:stop]
            if numbers == _NUMBERS[: stop - start]:
                words += range(start, stop)
            elif rows := _words_of(numbers):
                words += [start + row for row in rows]
            else:
                return None
        if len(words) == len(each):
            return block
        tokens = block.only(np.delete(np.arange(len(each)), words))
        misc = tokens.joined(_MISC, slice(None)).replace("\n", "\t")
        return None if has_entities(f"\t{misc}") else block.only(np.array(words))


_LAYOUT = _TenColumns(_FORM, (N_COLUMNS, N_COLUMNS + 1))


class _Cells(dict[str, list[Bracket] | None]):
    """The brackets of last columns, by what these hold: most are short, and many documents have the
    same ones. None if they have to be looked at: wrong ones, split antecedents, and chains."""

    def __init__(self, fields: tuple[str, ...], has_chains: bool) -> None:
        super().__init__()
        self.fields, self.has_chains = fields, has_chains
        names = fields or ("eid",)
        self.n_fields, self.place = len(names), names.index("eid")
        self.read = [(name, place) for place, name in enumerate(names) if name in _READ]

    def __missing__(self, misc: str) -> list[Bracket] | None:
        is_odd = self.has_chains or "Split" in misc or len(misc) > MOST_BRACKETS
        if is_odd or _BESIDE.search(misc):
            return None
        values = _ENTITY.findall(misc) if "Entity=" in misc else []
        every = self.brackets_of(values[0]) if values else []
        brackets = [bracket for bracket in every if not isinstance(bracket, Problem)]
        if len(brackets) < len(every) or len(values) > 1:
            return None
        if len(misc) <= _SHORT and len(self) < _MOST_CELLS:
            self[misc] = brackets
        return brackets

    def brackets_of(self, value: str) -> list[Bracket | Problem]:
        """The brackets of `Entity=`; in place of wrong ones problems, that have no line yet."""
        every = _BRACKET.findall(value)
        if not every or "".join(map("".join, every)) != value:
            return [Problem("", 0, f"'Entity={value}'", *_EXPECTED)]
        brackets: list[Bracket | Problem] = []
        for opens, text, closes in every:
            values = text.split("-", self.n_fields - 1)  # the last field may hold dashes
            n = len(values)
            label = values[self.place] if self.place < n else ""
            if not opens and not closes:
                brackets.append(Problem("", 0, f"'{text}' without a bracket", *_EXPECTED))
            elif opens and "-" in text and not self.fields:
                fault = f"'({text}' in a file that does not name its fields"
                is_type = are_types([text.partition("-")[0]])
                declaration = "etype-eid" if is_type else "eid-etype-head-other"
                expected = f"'# global.Entity = {declaration}' above it"
                advice = f"Add the line that fits; if no field has ids, {NO_COREFERENCE}."
                brackets.append(Problem("", 0, fault, expected, advice))
            elif opens and label in ("", "_"):
                brackets.append(Problem("", 0, f"'({text}' without an entity", *_EXPECTED))
            else:  # old files close with other fields, too
                read = self.read if opens else ()
                known = ((name, values[place]) for name, place in read if place < n)
                details = {name: intern(value) for name, value in known if value != "_"}
                brackets.append((label or text, opens != "", closes != "", details))
        return brackets


_cells_with = lru_cache(maxsize=8)(_Cells)


@dataclass(kw_only=True)
class _ConlluDraft(_Draft):
    """A document of CoNLL-U while it is read.

    fields    of a bracket; none where the file declares none: it then names an entity, nothing else
    rows      as `Blocks.rows` has them
    texts     the cells of columns, by the number of the column, with line feeds between them
    declared  the fields that lines declare, with the numbers of these lines
    chains    whether the chains of Stanza are read
    is_beside  whether there may be coreference beside `Entity=`
    """

    fields: tuple[str, ...]
    rows: Iterable[tuple[Block | None, slice, str, int]]
    texts: dict[int, list[str]] = field(default_factory=lambda: {one: [] for one in _KEPT})
    declared: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    genre: str = ""
    chains: bool = False
    is_beside: bool = False

    format = "conllu"
    across_sentences = "runs over a sentence end, which CorefUD does not allow."

    def column(self, number: int) -> JoinedWords:
        """The cells of a column, of all words."""
        return JoinedWords("\n".join(self.texts[number]), len(self.lines))

    @cached_property
    def ids(self) -> JoinedWords:
        """The number of each word in its sentence."""
        return self.column(_ID)

    @cached_property
    def _rows(self) -> list[str]:
        return self.text.split("\n")

    def _cell(self, word: int, column: int) -> str:
        return self._rows[self.lines[word] - self.line].split("\t")[column]

    def read(self) -> None:
        """Take in the lines."""
        self.chains = not has_entities(self.text) and _CHAINS.search(self.text) is not None
        speakers = self._read_comments()
        for block, rows, lines, line in self.rows:
            if block:
                self._take(block, rows)
            else:
                self._read_rows(line, lines)
        if self.declared:
            _, self.fields = self.declared[-1]  # for the documents after it
        if speakers:
            first = np.array(self.lines)[self.sentence_starts]
            sentences = np.searchsorted(first, [*speakers]).tolist()
            of_sentence = dict(zip(sentences, speakers.values(), strict=True))
            self.speakers = [of_sentence.get(number, "") for number in range(len(first))]
        self.finish()
        self.put_together()
        self._check_antecedents()
        if not self.lines:
            self.warn(self.line, f"document '{self.full_name}' has no words.")

    def _read_comments(self) -> dict[int, str]:
        """Take in the name and the genre, and note what is declared; the speakers, by the numbers
        of their lines."""
        speakers: dict[int, str] = {}
        line, before = self.line, 0
        for comment in _COMMENT.finditer(self.text):
            line += self.text.count("\n", before, comment.start())
            before = comment.start()
            name, value = comment["name"], comment["value"].strip()
            if name == "speaker":
                speakers[line] = value
            elif name in GENRE:
                self.genre = self.genre or value
            elif name == "global.Entity":
                self._declare(line, comment["line"], value)
            elif newdoc := _NEWDOC.fullmatch(comment["line"]):
                self.name = newdoc[1] or ""
        return speakers

    def _declare(self, line: int, comment: str, value: str) -> None:
        if fields := fields_of(value):
            self.declared.append((line, fields))
        else:
            expected = "a field 'eid' among them (or 'GRP'), with the id of each entity"
            advice = f"If no field has ids, use another file: {NO_COREFERENCE}."
            self.note(line, f"'{comment}'", expected, advice)

    def _take(self, block: Block | SplitRows, rows: slice) -> None:
        """Take in rows of a block, and what is declared between them."""
        first, stop, _ = rows.indices(len(block.lines))
        while self.declared and self.declared[0][0] < block.lines[stop - 1]:
            line, fields = self.declared.pop(0)
            row = first + bisect_left(block.lines[first:stop], line)
            if row > first:
                self._take_words(block, first, row)
            first, self.fields = row, fields
        self._take_words(block, first, stop)

    def _take_words(self, block: Block | SplitRows, first: int, stop: int) -> None:
        rows, shift = slice(first, stop), len(self.lines) - first
        begun = slice(*(bisect_left(block.sentences, row) for row in (first, stop)))
        filled, misc = block.filled
        marked = slice(*np.searchsorted(filled, (first, stop)).tolist())
        words, misc = (filled[marked] + shift).tolist(), misc[marked]
        sentence = max(len(self.sentence_starts) - 1, 0)
        self.sentence_starts += [row + shift for row in block.sentences[begun]]
        self.lines.frombytes(block.lines[rows].tobytes())
        for column, texts in self.texts.items():
            texts.append(block.joined(column, rows))
        known = map(_cells_with(self.fields, self.chains).__getitem__, misc)
        each = (
            (word, self._other_brackets(cell, word) if brackets is None else brackets)
            for word, brackets, cell in zip(words, known, misc, strict=True)
        )
        self.read_brackets(each, sentence)

    def _read_rows(self, first: int, text: str) -> None:
        """Take in lines one by one, of which some are not as they should be.

        first  the number of the first
        """
        count, expected = 0, "1"  # words of the sentence but empty nodes; the next one's number
        rows: list[list[str]] = []
        numbers: list[int] = []
        for number, line in enumerate([*text.split("\n"), ""], first):
            if not line.strip():
                if rows:
                    self._take(SplitRows(rows, [], np.array(numbers)), slice(None))
                count, expected, rows, numbers = 0, "1", [], []
                continue
            row = line.split("\t")
            if row[0] == expected and len(row) == N_COLUMNS and row[1]:
                count += 1
                expected = str(count + 1)
            elif line[0] == "#":
                continue
            elif not self._is_empty_node(row, count, number, rows[-1][0] if rows else ""):
                if _NUMBER.fullmatch(row[0]):  # told once, not again in each row
                    count = int(row[0])
                    expected = str(count + 1)
                continue
            rows.append(row)
            numbers.append(number)

    def _other_brackets(self, misc: str, word: int) -> Iterator[Bracket]:
        """The brackets of a last column that is not plain; split antecedents are noted."""
        if self.chains:
            yield from self._chains_of(misc, word)
            return
        self.is_beside = self.is_beside or _BESIDE.search(misc) is not None
        line = self.lines[word]
        for attribute in misc.split("|"):
            name, _, value = attribute.partition("=")
            if name == "Entity" and not self.has_too_many(value, line):
                for bracket in _cells_with(self.fields, self.chains).brackets_of(value):
                    if isinstance(bracket, Problem):
                        self.note(line, bracket.found, bracket.expected, bracket.advice)
                    else:
                        yield bracket
            elif name in ("SplitAnte", "Split"):  # Split: as older releases of GUM write it
                self._read_split(value, line)

    def _chains_of(self, misc: str, word: int) -> list[Bracket]:
        """The chains of Stanza in the last column of a word: ends before starts."""
        try:
            chains = sorted(chains_in(misc), key=lambda place: place[1])
        except ValueError as error:
            expected = "Stanza's chains, such as 'coref_chains=unit-id0,start-id1'"
            fault = f"'{error.args[0][:40]}'"
            self.note(self.lines[word], fault, expected, "Write the file again.")
            return []
        return [(f"id{chain}", opens, ends, {}) for chain, opens, ends in chains if opens or ends]

    def _is_empty_node(self, columns: list[str], count: int, line: int, before: str) -> bool:
        """Whether the row is an empty node after the word of this number; wrong rows are told."""
        number = columns[_ID]
        empty = _EMPTY.fullmatch(number)
        if len(columns) != N_COLUMNS:
            fault, expected = counted(len(columns), "column"), "10 columns with tabs between them"
            advice = "Write '_' if a column is empty."
        elif not columns[_FORM]:
            fault, expected = "no word", "a word in the second column"
            advice = "Write '_' if there is none."
        elif _TOKEN.fullmatch(number):
            if not has_entities(f"\t{columns[_MISC]}"):
                return False
            fault, expected = f"'{columns[_MISC]}' at a multiword token", "Entity= at words"
            advice = "Move it to the words."
        elif not empty or empty[1] != str(count):
            fault = f"the word number '{number}'"
            expected = f"{count + 1}, or an empty node such as {count}.1"
            advice = (
                "Number the words of a sentence 1, 2, …; leave a line empty after each sentence."
            )
        elif _comes_after(number, before):
            return True
        else:
            fault = f"empty node {number} after {before}"
            expected = f"a number above {before.partition('.')[2]} after the dot"
            advice = "Number the empty nodes after a word 1, 2, …"
        self.note(line, fault, expected, advice)
        return False

    def _read_split(self, value: str, line: int) -> None:
        """Take in pairs such as e5<e61,e10<e61: entity e61 refers to e5 and e10 together."""
        for pair in value.split(","):
            antecedent, _, entity = pair.partition("<")
            if not antecedent or not entity or antecedent == entity:
                expected = "pairs such as 'e1<e3,e2<e3': an antecedent and the entity that has it"
                self.note(line, f"'SplitAnte={value}'", expected, "Write it so.")
                break
            self.antecedents.setdefault(entity, {}).setdefault(antecedent, line)

    def unopened(self, label: str, word: int) -> tuple[str, str, str]:
        """What is wrong with a bracket that closes nothing."""
        fault = f"'{label})' closes a mention that was not opened"
        return fault, f"'({label}' before it", "Add the opening bracket."

    def unclosed(self, label: str) -> tuple[str, str]:
        """What is wrong with a bracket that never closes."""
        return f"'({label}' opens a mention that never closes", f"'{label})' after it"

    def put_together(self) -> None:
        """Make mentions of the brackets, of those that are parts of discontinuous ones in turn."""
        if "]" not in "".join(self.labels):
            self.mentions = [[number] for number in range(len(self.labels))]
            return
        unfinished: dict[tuple[str, int], list[list[int]]] = defaultdict(list)
        for number, label in enumerate(self.labels):
            part = _PART.fullmatch(label) if label[-1] == "]" else None
            if part is None:
                self.mentions.append([number])
                continue
            self.labels[number] = entity = part[1]
            nth, n_parts = int(part[2]), int(part[3])
            same = unfinished[entity, n_parts]
            start, head = self.starts[number], self.told[number].get("head")
            if nth == 1 <= n_parts:
                self.mentions.append([number])
                same.append(self.mentions[-1])
            elif fitting := [
                mention
                for mention in same
                if len(mention) == nth - 1
                and 0 < self.ends[mention[-1]] <= start
                and self.told[mention[0]].get("head") == head
            ]:
                fitting[-1].append(number)
            else:
                fault = f"the part '({label}'"
                expected = f"'{entity}[{nth - 1}/{n_parts}]' closed before it, with the same head"
                advice = "Number the parts of a mention 1/2, 2/2, in the order of the text."
                self.note(self.lines[start], fault, expected, advice)
        for (entity, n_parts), mentions in unfinished.items():
            for mention in mentions:
                if (n := len(mention)) < n_parts and self.ends[mention[-1]] != OPEN:
                    fault = f"'({entity}[{n}/{n_parts}]' is the last part of a mention"
                    after = f"'({entity}[{n + 1}/{n_parts}]' after it"
                    line = self.lines[self.starts[mention[0]]]
                    self.note(line, fault, after, "Add the other parts.")

    def _check_antecedents(self) -> None:
        known = {*self.labels} if self.antecedents else set()
        for entity, antecedents in self.antecedents.items():
            for antecedent, line in antecedents.items():
                for name in sorted({entity, antecedent} - known):
                    fault = f"entity {name} in SplitAnte, which has no mention"
                    self.note(line, fault, "an entity of the document", "Name another entity.")

    def document(self) -> Document:
        """The document as read."""
        first = dict(zip(self.labels[::-1], self.starts[::-1], strict=True))
        split = [(entity, [*of]) for entity, of in self.antecedents.items()]
        for word, number in enumerate(self.ids) if "." in self.ids.joined else ():
            if "." not in number:
                continue
            dependencies = self._cell(word, _DEPS)
            try:
                parents = frozenset(self._parents(dependencies, word))
            except ValueError:
                fault = f"the dependencies '{dependencies}' of an empty node"
                expected = "words of the sentence and relations, such as '3:nsubj|5:obj', or '_'"
                self.note(self.lines[word], fault, expected, "Name words of the sentence.")
                continue
            self.empty_nodes[word] = EmptyNode(int(number.partition(".")[2]), parents)
        every = [self.told[mention[0]] for mention in self.mentions]
        heads, minspans, types, kinds = (
            [details.get(name, "") for details in every] for name in _READ
        )
        is_known = any(heads) or any(minspans)
        known = map(self._head_and_minimum, self.mentions, heads, minspans) if is_known else ()
        places, minima = zip(*known, strict=True) if is_known else ((), ())
        return self.of_mentions(
            places,
            minima if any(minspans) else (),
            types,
            kinds,
            words=self.column(_FORM),
            lemmas=self.column(_LEMMA),
            tags=self.column(_UPOS),
            split_antecedents=sorted(split, key=lambda pair: first[pair[0]]),
            original=self.original,
            genre=self.genre,
        )

    def _parents(self, dependencies: str, word: int) -> Iterator[tuple[int, str]]:
        start, stop = self.sentence_of(word)
        ids = self.ids[start:stop]
        for dependency in dependencies.split("|") if dependencies not in ("_", "") else ():
            governor, colon, relation = dependency.partition(":")
            if not colon:
                raise ValueError(dependency)
            yield -1 if governor == "0" else start + ids.index(governor), relation

    def _head_and_minimum(
        self, mention: Sequence[int], head: str, minspan: str
    ) -> tuple[int, tuple[int, int]]:
        """The position of the head of a mention, and its minimum span; −1 if unknown.

        `head` is the number of a word in the mention, from 1. GUM has no such field, but the words
        of the minimum span: of these the first that depends on a word outside the mention is taken,
        else the first. That is the head by the dependency tree in 99% of GUM's development
        documents.
        """
        if not head and not minspan:
            return -1, (-1, -1)
        if len(mention) == 1 and not (head and minspan):  # as nearly all are
            place = self.starts[mention[0]] + _PLACE_OF.get(head or minspan, maxsize)
            if place < self.ends[mention[0]] and (head or "head" not in self.fields):
                return place, (-1, -1) if head else (place, place + 1)
        runs = (range(self.starts[one], self.ends[one]) for one in mention)
        words = [*chain.from_iterable(runs)]
        places: dict[str, int] = {"": -1}
        numbers = minspan.split(",") if minspan else []
        for number in (head, *numbers) if head else numbers:
            place = _PLACE_OF.get(number, -1)
            if place < 0 and _NUMBER.fullmatch(number):
                place = int(number) - 1
            if not 0 <= place < len(words):
                fault = f"head or minimum span {number!r} of a mention of {self.labels[mention[0]]}"
                expected = f"a number from 1 to {len(words)}, its number of words"
                line, advice = self.lines[words[0]], "Count the words of the mention from 1."
                self.note(line, fault, expected, advice)
                return -1, (-1, -1)
            places[number] = words[place]
        if not minspan:
            return places[head], (-1, -1)
        minimum = sorted(map(places.__getitem__, numbers))
        if "head" in self.fields:
            return places[head], (minimum[0], minimum[-1] + 1)
        if len(minimum) == 1:
            return minimum[0], (minimum[0], minimum[0] + 1)
        inside = {self.ids[word] for word in words}
        outside = (word for word in minimum if self._cell(word, _HEAD) not in inside)
        return next(outside, minimum[0]), (minimum[0], minimum[-1] + 1)

    def notices(self) -> Iterator[Notice]:
        """Whether there are entities at all, what else may be coreference, and whether the heads of
        mentions come from minimum spans."""
        beside = bool(self.labels)
        may_be = self.is_beside or ("Coref" in self.text and not self.chains)
        is_asked = may_be or not beside
        if is_asked and not self.problems and (other := carrier_in(self.text, beside=beside)):
            yield Notice(_OTHERS, self.line + self.text.count("\n", 0, other[0]), other[1])
        if self.labels:
            yield Notice(_ENTITIES, self.line)
            kind = _TYPES if are_types({*self.labels}) else _IDS
            yield Notice(kind, self.lines[self.starts[0]], self.labels[0])
        if self.mentions and "minspan" in self.fields and "head" not in self.fields:
            yield Notice(_HEADS_OF_MINSPAN, self.line)


# Files --------------------------------------------------------------------------------------------

_FIRST_ID = re.compile(r"1|1-(?!1$)[0-9]+|0\.[0-9]+")  # 1-1 is WebAnno TSV

_OTHER_COLUMNS = re.compile(
    r"^#\s*global\.columns\s*=(?!\s*ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\s*$)",
    re.MULTILINE,
)

_MARK = re.compile(r"#[^\S\n]*newdoc[^\n]*")

_LINE = re.compile("^.*$", re.MULTILINE)

_COMMENTS = re.compile(r"^#\s*(newdoc|sent_id|global\.Entity|global\.columns)\b", re.MULTILINE)


def read_conllu(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    part = _read_part(text, file, side, Begin())
    return Corpus(part.documents, file, _finish(part.seen, file, side, [(1, text)]))


def _read_part(text: str, file: str, side: str, begin: Begin) -> Part:
    return part_of(_drafts(text, file, begin.line, fields_of(begin.declared)))


def _drafts(text: str, file: str, line: int, fields: tuple[str, ...]) -> Iterator[_ConlluDraft]:
    """Each document from `# newdoc` on, the first with all that is above it.

    fields  as declared before; one declaration may stand for all documents
    """
    marks = [m.start() for m in lines_like(_MARK, text, "newdoc") if _NEWDOC.fullmatch(m[0])]
    has_words = bool(marks) and first_row(text[: marks[0]], 1) is not None
    starts = [0, *(marks if has_words else marks[1:])]
    blocks = Blocks(text, line, starts)
    for start, stop in pairwise([*starts, len(text)]):
        own, line = text[start:stop], blocks.number[start]
        rows = blocks.rows(start, stop, _LAYOUT)
        draft = _ConlluDraft(file, own, line, line, fields=fields, rows=rows)
        yield draft
        fields = draft.fields


def _finish(seen: Sequence[Seen], file: str, side: str, texts: Texts) -> tuple[str, ...]:
    kinds = {notice.kind: notice for of in [*seen][::-1] for notice in of.notices}
    problems: list[Problem] = []
    other = kinds.get(_OTHERS)
    # To leave out coreference under another name would be to read no mentions
    if other and _ENTITIES not in kinds:
        fault = f"'{other.text[:40]}', which may be coreference"
        advice = "Write it so. If it is none, leave it out: the file has no coreference then."
        if other.text.startswith("ClusterId"):
            fault = "'ClusterId=', coreference as in CorefUD 0.1 and 0.2"
            advice = "Use a release from 1.0 on, or convert the file with udapi."
        expected = "'Entity=' in the last column, with brackets such as '(e1)'"
        problems.append(Problem(file, other.line, fault, expected, advice))
    if _TYPES in kinds and _IDS not in kinds:
        fault = f"brackets that name types only, such as '({kinds[_TYPES].text})'"
        expected = "the id of an entity in each, such as '(e1-person)'"
        advice = f"Use another file: {NO_COREFERENCE}."
        problems.append(Problem(file, kinds[_TYPES].line, fault, expected, advice))
    advice = "Give each document a name: '# newdoc id = NAME'."
    named = ((of.name or "", of.line) for of in seen)
    refuse_seen([*second_names(named, file, "each name once", advice), *problems], seen)
    warnings = [warning for of in seen for warning in of.warnings]
    if other:
        text = f"'{other.text[:40]}' may be coreference, but only 'Entity=' is read"
        warnings.append(f"{file}:{other.line}: {text}; to read the other, remove 'Entity='.")
    if _HEADS_OF_MINSPAN in kinds:
        warnings.append(f"{file}: no field 'head'; the heads of mentions are taken from 'minspan'.")
    return tuple(warnings)


def _places(blocks: Iterable[Lines], file: str) -> Iterator[Place]:
    """Each document up to the next; the first with all that stands above it."""
    last, end = Place("", 0, 0), 0
    is_begun, declared = False, ""  # by a newdoc, or by words above the first
    for block in blocks:
        above = 0 if is_begun else len(block.data)
        for start, number, line in commented(block, b"newdoc", b"global.Entity"):
            newdoc = _NEWDOC.fullmatch(line)
            if newdoc and (is_begun or _has_words(block.data[:start])):
                yield last._replace(name=last.name or name_of_file(file), stop=block.start + start)
                last = Place("", block.start + start, 0, Begin(number, declared))
            if newdoc:
                last, is_begun = last._replace(name=newdoc[1] or ""), True
                above = 0
            elif (declares := _DECLARES.fullmatch(line)) and fields_of(declares[1]):
                declared = declares[1]
        is_begun = is_begun or _has_words(block.data[:above])
        end = block.start + len(block.data)
    yield last._replace(name=last.name or name_of_file(file), stop=end)


def _has_words(data: bytes) -> bool:
    """Whether there is a line that is no comment."""
    return any(line.strip() and line[:1] != b"#" for line in data.split(b"\n"))


def fits_conllu(text: str) -> bool:
    """Whether the first row has ten columns with tabs and a first number, or comments say so and
    do not name other columns (CoNLL-U Plus)."""
    lines = (match[0] for match in islice(_LINE.finditer(text), 500))
    columns = next((line for line in lines if line.strip() and line[0] != "#"), "").split("\t")
    if len(columns) == 1:
        return False
    begin = "begin document"  # looked for first: the pattern is slow on a large file without it
    if begin in text and re.search(rf"^#[ \t]*{begin}", text, re.MULTILINE):
        return False
    is_row = len(columns) == N_COLUMNS and bool(_FIRST_ID.fullmatch(columns[0]))
    if is_row or _OTHER_COLUMNS.search(text):
        return is_row
    return bool(_COMMENTS.search(text))


# Writing ------------------------------------------------------------------------------------------

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
    problems: list[Problem] = []
    texts: list[str] = []
    for document in corpus:
        misfits = [*unwritable(document)]
        if not misfits:  # such as mentions beyond the words: nothing more can be asked
            place, advice = document.place, "Write another format."
            where = f"in document '{document.name}'"
            every = _misfits(document)
            misfits = [
                Problem(place, 0, f"{fault} {where}", wanted, advice) for fault, wanted in every
            ]
        problems += misfits
        if not problems:
            draft = _as_read(document)
            text = _rewritten(document, draft) if draft else "".join(_lines(document))
            texts.append(text)
    refuse(problems)
    return "".join(texts)


def _lines(document: Document) -> Iterator[str]:
    """The document with what is known of it, and "_" in all other columns."""
    attributes = coreference(document, [f"e{n}" for n in range(1, document.n_entities + 1)])
    ids = _ids(document)
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
            node = document.empty_nodes.get(at)
            parents = sorted(node.parents) if node else ()
            dependencies = "|".join(f"{ids[p] if p >= 0 else 0}:{name}" for p, name in parents)
            known = ids[at], document.words[at], lemma, tag, *"____", dependencies or "_"
            yield "\t".join((*known, "|".join(attributes[at]) or "_")) + "\n"
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


def _misfits(document: Document) -> Iterator[tuple[str, str]]:
    """What CoNLL-U cannot hold, and what it can; the first of each kind."""
    for word in document.words:
        if not word or re.search(r"[\t\n\r]", word):
            yield f"the word {word!r}", "words on one line, without tabs"
            return
    misfits = [*_misfitting_nodes(document), *_misfitting_attributes(document)]
    yield from misfits
    if any(entity in of or not of for entity, of in document.split_antecedents):
        yield "an entity that is its own antecedent, or has none", "other entities as antecedents"
    elif not misfits:
        (draft,) = _drafts("".join(_lines(document)), "", 0, ())
        draft.read()
        if changed := _facts(document) - _facts(draft.document()):
            entity = min(entity for entity, _, _ in changed)
            fault = f"mentions of one entity ('{document.text(document.entities[entity][0])[:40]}')"
            yield f"{fault} that cross", "mentions that nest, as brackets of one entity do"


def _facts(document: Document) -> Counter[tuple[int, Mention, str]]:
    """The mentions of a document: entity, words, and what brackets say of each."""
    return Counter(
        zip(document.entity_of.tolist(), document.mentions, _told(document), strict=True)
    )


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
            yield f"a relation of empty node {ids[at]} with spaces or '|'", "relations without them"
            return


def _misfitting_attributes(document: Document) -> Iterator[tuple[str, str]]:
    known = document.attributes
    if known is None:
        return
    for kind in {*known.entity_type, *known.mention_type}:
        if _NOT_IN_FIELD.search(kind) or kind == "_":
            yield f"the type {kind!r} of a mention", "types without spaces and '-=|()'"
            break
    for at, mention in enumerate(document.mentions):
        words = _positions(mention)
        first, last = known.minimum[at].tolist()
        inside = {int(known.head[at])} | ({first, last - 1} if first >= 0 else set())
        if not inside <= {-1, *words}:
            yield f"a head outside of its mention ('{document.text(mention)[:40]}')", "one inside"
            break


def _positions(mention: Mention) -> list[int]:
    """The positions of the words of a mention, gaps left out."""
    return [at for start, end in mention.runs for at in range(start, end)]


def declaration(document: Document) -> str:
    """The fields of the document's brackets: those of CorefUD, and others where they are known."""
    known = document.attributes
    minspan = "-minspan" if known and (known.minimum >= 0).any() else ""
    mention_type = "-mention_type" if known and any(known.mention_type) else ""
    return f"eid-etype-head{minspan}{mention_type}-other"


def _told(document: Document) -> list[str]:
    """What brackets say of each mention after its entity; empty fields at the end are left out."""
    known = document.attributes
    if known is None:
        return [""] * len(document.rows)
    fields = declaration(document).split("-")
    details = []
    for at, mention in enumerate(document.mentions):
        words = _positions(mention)
        head = int(known.head[at])
        first, last = known.minimum[at].tolist()
        values = {
            "etype": known.entity_type[at],
            "head": str(words.index(head) + 1) if head >= 0 else "",
            "minspan": ",".join(str(n) for n, p in enumerate(words, start=1) if first <= p < last),
            "mention_type": known.mention_type[at],
        }
        details.append("".join(f"-{values[name]}" for name in fields if name in values).rstrip("-"))
    return details


def cells(document: Document, names: Sequence[str]) -> list[str]:
    """The brackets at each word, as CorefUD orders them; "" if there are none.

    What closes (the inner one first), what opens (the longer one first), then mentions of one word;
    these come first where nothing opens.

    names  of the entities
    """
    brackets = []
    mentions = zip(document.mentions, document.entity_of.tolist(), _told(document), strict=True)
    for mention, entity, told in mentions:
        n = len(mention.runs)
        for number, (start, end) in enumerate(mention.runs, start=1):
            label = f"{names[entity]}[{number}/{n}]" if n > 1 else names[entity]
            brackets.append((start, end, f"{label}{told}", label))
    brackets.sort(key=lambda bracket: (bracket[0], -bracket[1]))
    texts = []
    for closing, opening in written(len(document.words), brackets):
        alone = all(bracket[-1] == ")" for bracket in opening)
        texts.append("".join([*opening, *closing] if alone else [*closing, *opening]))
    return texts


def coreference(document: Document, names: Sequence[str]) -> list[list[str]]:
    """The attributes of each word."""
    attributes = [[f"Entity={cell}"] if cell else [] for cell in cells(document, names)]
    antecedents: dict[int, list[str]] = {}
    for entity, of_entity in document.split_antecedents:
        pairs = antecedents.setdefault(document.entities[entity][0].start, [])
        pairs += [f"{names[antecedent]}<{names[entity]}" for antecedent in of_entity]
    for at, pairs in antecedents.items():
        attributes[at].append(f"SplitAnte={','.join(pairs)}")
    return attributes


def _as_read(document: Document) -> _ConlluDraft | None:
    """The lines that a document was read from, read again; None if there are none, or the words are
    no longer theirs."""
    original = document.original
    if original is None or original.format != "conllu":
        return None
    (draft,) = _drafts(original.text, document.file, 0, ("eid", ""))
    with suppress(TooManyProblems):
        draft.read()
    return draft if draft.column(_FORM) == document.words else None


def _rewritten(document: Document, draft: _ConlluDraft) -> str:
    """The lines that a document was read from with its name and its entities."""
    names = _names(document, draft)
    original = draft.text
    lines = original.rstrip("\n").split("\n")
    n_left_out = 0
    for word, attributes in zip(draft.lines, coreference(document, names), strict=True):
        columns = lines[word].split("\t")
        others, left_out = _others(columns[9], {*names})
        n_left_out += left_out
        for attribute in attributes:  # CoNLL-U has them in the order of their names
            after = (at for at, other in enumerate(others) if _name(other) > _name(attribute))
            others.insert(next(after, len(others)), attribute)
        lines[word] = "\t".join([*columns[:9], "|".join(others) or "_"])
    marks = ((row, mark[1]) for row, line in enumerate(lines) if (mark := _NEWDOC.fullmatch(line)))
    begin, name = next(marks, (-1, None))
    if name != document.name:
        lines[max(begin, 0) : begin + 1] = [f"# newdoc id = {document.name}"]
    declared = [row for row, line in enumerate(lines) if _DECLARES.fullmatch(line)]
    for row in declared[::-1]:
        del lines[row]
    place = declared[0] if declared else max(begin, 0) + 1
    lines.insert(place, f"# global.Entity = {declaration(document)}")
    if n_left_out:
        links = counted(n_left_out, "link")
        lines.insert(place + 1, f"# {links} of Bridge left out: other mentions of the entities")
    end = [""] if lines[-1].startswith("#") else ["", ""]
    newline = document.original.newline if document.original else "\n"
    return newline.join([*lines, *end])


def _names(document: Document, draft: _ConlluDraft) -> list[str]:
    """A name for each entity: that of its file if it has the same mentions there, or a new one."""
    old: dict[str, set[Mention]] = {}
    for numbers in draft.mentions:
        runs = draft.runs(numbers)
        mention = Mention(runs[0][0], runs[-1][1], runs if len(runs) > 1 else ())
        old.setdefault(draft.labels[numbers[0]], set()).add(mention)
    new = (name for name in map("e{}".format, count(1)) if name not in old)
    kept = {frozenset(mentions): name for name, mentions in old.items()}
    return [kept.pop(frozenset(entity), "") or next(new) for entity in document.entities]


def _others(misc: str, names: Set[str]) -> tuple[list[str], int]:
    """The attributes that stay, and how many links of Bridge do not."""
    others: list[str] = []
    n_left_out = 0
    for attribute in misc.split("|") if misc != "_" else ():
        name, _, value = attribute.partition("=")
        if name == "Bridge":
            links = value.split(",")
            kept = [link for link in links if {*re.split("[<:]", link)[:2]} <= names]
            n_left_out += len(links) - len(kept)
            others += [f"Bridge={','.join(kept)}"] * bool(kept)
        elif name not in ("Entity", "SplitAnte", "Split") and not _CHAINS.fullmatch(attribute):
            others.append(attribute)
    return others, n_left_out


def _name(attribute: str) -> str:
    return attribute.partition("=")[0].lower()


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

# CoNLL-UA -----------------------------------------------------------------------------------------

_UA_NOTHING = ("_", "-", "")

_UA_BRACKET = re.compile(r"(\()?([^()]*)(\))?")

_UA_EXPECTED = "brackets such as '(EntityID=1|MarkableID=m_1', ')' or '(EntityID=1|MarkableID=m_1)'"

_UA_COLUMNS = re.compile(r"^#\s*global\.columns\s*=(.*\bIDENTITY\b.*)$", re.MULTILINE)

_UA_NEWDOC = re.compile(r"#[^\S\n]*newdoc\b[^\S\n]*(?:id[^\S\n]*=)?(.*)")

_UA_SPEAKER = re.compile(r"#\s*speaker\s*=(.*)")

_NEEDED = ("ID", "FORM", "IDENTITY")


def ua_brackets(cell: str) -> list[Bracket] | None:
    """The brackets of a cell such as `)(EntityID=1|MarkableID=m_2|Min=4,5`; None if it is something
    else. The label is the MarkableID; "" closes what was opened last.

    The fields that a bracket tells have their names in small letters without "_".
    """
    brackets: list[Bracket] = []
    start = 0
    while start < len(cell) and cell not in _UA_NOTHING:
        match = _UA_BRACKET.match(cell, start)
        opens, text, closes = match.groups() if match else (None, "", None)
        if not match or not (opens or closes):
            return None
        text = text.rstrip("@|") if opens else text.strip("@|")
        details, label = {}, text
        if opens:
            pairs = [pair.partition("=") for pair in text.split("|")]
            if not all(equals for _, equals, _ in pairs):
                return None
            details = {name.replace("_", "").lower(): value for name, _, value in pairs}
            label = details.get("markableid") or details.get("mentionid", "")
        brackets.append((label, bool(opens), bool(closes), details))
        start = match.end()
    return brackets


@dataclass
class _UADraft(_Draft):
    """A document of CoNLL-UA while it is read.

    columns        their places by name
    ids            of each word its number in the sentence
    types          of the mentions that have one, by MarkableID
    non_referring  the spans of the entities that do not refer
    """

    columns: Mapping[str, int] = field(default_factory=dict)
    speaker: str = ""
    ids: list[str] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    non_referring: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def read(self) -> None:
        """Take in the lines."""
        begun = False
        for number, line in enumerate(self.text.split("\n"), self.line):
            if is_blank(line):
                begun = False
            elif line[0] != "#":
                begun = self._read_row(line, number, begun) or begun
            elif speaker := _UA_SPEAKER.match(line):
                self.speaker = speaker[1].strip()
        self.finish()
        mentions: dict[tuple[str, str], list[int]] = {}
        for number, told in enumerate(self.told):
            entity, where = told.get("entityid", ""), self.lines[self.starts[number]]
            key = self.labels[number] or f"mention {len(mentions) + 1}", entity
            mentions.setdefault(key, []).append(number)
            self.labels[number] = entity
            for whole in filter(None, told.get("elementof", "").split(",")):
                self.antecedents.setdefault(whole.strip(), {})[entity] = where
        others = [of for (_, entity), of in mentions.items() if entity.endswith("Pseudo")]
        self.mentions = [of for of in mentions.values() if of not in others]
        if others:
            n = counted(len(others), "mention")
            text = f"{n} of '{self.name}' that do not refer (EntityID=…-Pseudo) are left out."
            self.warn(self.lines[self.starts[others[0][0]]], text)
        for of in others:
            runs, entity = self.runs(of), self.labels[of[0]]
            self.non_referring.setdefault(entity, []).append((runs[0][0], runs[-1][1]))
        for plural in [one for one in self.antecedents if one in self.non_referring]:
            parts = self.antecedents.pop(plural)  # which stand for it where it is an element
            for several in self.antecedents.values():
                if several.pop(plural, 0):
                    several |= parts

    def _read_row(self, line: str, number: int, begun: bool) -> bool:
        """Take in a row; whether it is a word."""
        row = line.split("\t") if "\t" in line else re.split(" +", line.strip(" "))
        needed = max(self.columns[name] for name in _NEEDED)
        if len(row) <= needed:
            fault = counted(len(row), "column")
            expected = f"at least {needed + 1}, as '# global.columns' names them"
            self.note(number, fault, expected, "Write '_' if a column is empty.")
            return False
        cells = {name: row[at].strip(" ") for name, at in self.columns.items() if at < len(row)}
        if _TOKEN.fullmatch(cells["ID"]):
            return False  # the surface form of the words that follow
        word = len(self.words)
        if not begun:
            self.sentence_starts.append(word)
            self.speakers.append("" if self.speaker in _UA_NOTHING else self.speaker)
        if re.fullmatch(r"[0-9]+\.[0-9]+", cells["ID"]):
            before = self.empty_nodes.get(word - 1)
            self.empty_nodes[word] = EmptyNode(before.number + 1 if before else 1)
        self.ids.append(cells["ID"])
        self.words.append(cells["FORM"] or "_")
        self.lemmas.append(cells.get("LEMMA", "_"))
        self.lines.append(number)
        for column in ("REFERENCE", "NOM_SEM"):
            for _, _, _, told in ua_brackets(cells.get(column, "")) or ():
                if told.get("entitytype"):
                    self.types[told.get("markableid", "")] = intern(told["entitytype"])
        self.read_brackets([(word, self._brackets(cells["IDENTITY"], number))])
        return True

    def _brackets(self, cell: str, line: int) -> Iterator[Bracket]:
        brackets = None if self.has_too_many(cell, line) else ua_brackets(cell)
        if brackets is None:
            advice = "Write '_' if there is none."
            self.note(line, f"'{cell[:60]}' in IDENTITY", _UA_EXPECTED, advice)
        for bracket in brackets or ():
            label, opens, closes, details = bracket
            if opens and not details.get("entityid"):
                fault = "a mention without EntityID"
                self.note(line, fault, _UA_EXPECTED, "Add its entity.")
            stack = self.opened[label]
            while stack and self.ends[stack[-1]] != OPEN:
                stack.pop()  # closed by another name
            yield bracket
            if opens and not closes:
                # the one opened last has no name, too
                self.opened[""].append(len(self.starts) - 1)

    def unopened(self, label: str, word: int) -> tuple[str, str, str]:
        """What is wrong with a bracket that closes nothing."""
        what = f"mention {label} closes" if label else "a mention closes"
        return f"{what} here, and none is open", "an opening bracket before it", "Add the bracket."

    def unclosed(self, label: str) -> tuple[str, str]:
        """What is wrong with a bracket that never closes."""
        return f"mention {label} opens here but never closes", "')' after it"

    def document(self) -> Document:
        """The document as read."""
        return self.of_mentions(
            [-1] * len(self.mentions),
            [*map(self._minimum, self.mentions)],
            [self.types.get(self.told[of[0]].get("markableid", ""), "") for of in self.mentions],
            split_antecedents=[
                (whole, [part for part in parts if part not in self.non_referring])
                for whole, parts in self.antecedents.items()
                if not parts.keys() <= self.non_referring.keys()
            ],
            non_referring=[
                (whole, tuple(self.non_referring[part]))
                for whole, parts in self.antecedents.items()
                for part in parts
                if part in self.non_referring
            ],
        )

    def _minimum(self, mention: Sequence[int]) -> tuple[int, int]:
        """The minimum span of `Min=4`, `Min=4,5` or `Min=4-7`, words of the sentence or else of the
        document; (−1, −1) with a warning where Min names other words."""
        details, first = self.told[mention[0]], self.starts[mention[0]]
        given = details.get("min", "")
        ids = [part for part in re.split("[,-]", given) if part]
        if not ids:
            return -1, -1
        runs = self.runs(mention)
        places = []
        for word_id in (ids[0], ids[min(1, len(ids) - 1)]):
            where = -1
            for bounds in ((0, len(self.ids)), self.sentence_of(first)):
                with suppress(ValueError):
                    where = self.ids.index(word_id, *bounds)
            places.append(where)
        start, last = places
        if runs[0][0] <= start <= last < runs[-1][1]:
            return start, last + 1
        name = details.get("markableid") or details.get("mentionid", "a mention")
        self.warn(self.lines[first], f"Min={given} of {name} is not within the mention: left out.")
        return -1, -1


def read_conll_ua(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    named = _UA_COLUMNS.search(text)
    columns = {name: place for place, name in enumerate(named[1].split())} if named else {}
    if not columns.keys() >= {*_NEEDED}:
        expected = "'# global.columns = ID FORM … IDENTITY …' before the first row"
        fault = "no names of columns" if not named else f"columns {', '.join(columns)}"
        raise InputError([Problem(file, 0, fault, expected, "Add the line.")])
    marks = [*lines_like(_UA_NEWDOC, text, "newdoc")]
    starts = [*(mark.start() for mark in marks), len(text)]
    expected, add = "'# newdoc id = NAME'", "Add the line."
    problems = []
    if row := first_row(text[: starts[0]], 1):
        fault = f"'{row[1].strip()[:40]}' outside of a document"
        problems.append(Problem(file, row[0], fault, expected, add))
    elif not marks:
        problems.append(Problem(file, 0, "no document", expected, add))
    drafts, line = [], 1 + text.count("\n", 0, starts[0])
    for mark, (start, stop) in zip(marks, pairwise(starts), strict=True):
        name = mark[1].strip()
        drafts.append(_UADraft(file, text[start:stop], line, line, name, columns=columns))
        if not name:
            fault = "'# newdoc' without a name"
            problems.append(Problem(file, line, fault, expected, "Add the name."))
        line += text.count("\n", start, stop)
    part = part_of(drafts)
    names = ((of.name, of.line) for of in part.seen if of.name)
    problems += second_names(names, file, "each name once", "Rename one of them.")
    refuse_seen(problems, part.seen)
    return Corpus(part.documents, file, tuple(w for of in part.seen for w in of.warnings))


def fits_conll_ua(text: str) -> bool:
    """Whether the columns are named above the first row, and one of them is IDENTITY."""
    row = re.search(r"^[^#\s]", text, re.MULTILINE)
    return _UA_COLUMNS.search(text, 0, row.start() if row else len(text)) is not None


CONLL_UA = Format(
    id="conll-ua",
    title="CoNLL-UA",
    suffixes=(".conllua",),
    fits=fits_conll_ua,
    read=read_conll_ua,
)
