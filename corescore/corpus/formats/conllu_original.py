"""The lines that a document in CoNLL-U was read from, written again with other entities."""

import re
from collections.abc import Iterable, Sequence, Set
from itertools import count

from corescore.corpus.documents import Document
from corescore.corpus.formats.conllu_cells import coreference, declaration
from corescore.corpus.formats.conllu_entities import Entities
from corescore.corpus.formats.conllu_mentions import Fields
from corescore.corpus.mentions import Mention

DECLARATION = re.compile(r"#\s*global\.Entity\s*=\s*(.*?)\s*")
NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*?))?\s*")
_ENDS = re.compile("[<:]")
_REPLACED = ("Entity", "SplitAnte", "Split")


def rows_of(document: Document) -> list[tuple[int, list[str]]] | None:
    """Of each word the index of its line in the original, and its columns.

    None if it was read from another format, or its words are no longer those of the original.
    """
    original = document.original
    if original is None or original.format != "conllu" or document.lines is None:
        return None
    lines = original.text.split("\n")
    at = [line - original.line for line in document.lines.tolist()]
    if len({*at}) != len(document.words) or not all(0 <= line < len(lines) for line in at):
        return None
    rows = [(line, lines[line].split("\t")) for line in at]
    words = tuple(columns[1] if len(columns) > 1 else "" for _, columns in rows)
    return rows if words == document.words else None


def names_of(document: Document) -> list[str]:
    """A name for each entity: that of its file if it has the same mentions there, or a new one."""
    old = _old_entities(document)
    new = (name for name in map("e{}".format, count(1)) if name not in old)
    kept = {mentions: name for name, mentions in old.items()}
    return [kept.pop(frozenset(entity), "") or next(new) for entity in document.entities]


def _old_entities(document: Document) -> dict[str, frozenset[Mention]]:
    """The entities of the original by name."""
    rows = rows_of(document)
    original = document.original
    if rows is None or original is None:
        return {}
    declared = (m[1] for line in original.text.split("\n") if (m := DECLARATION.fullmatch(line)))
    read = Entities("", Fields.of(next(declared, "")) or Fields())
    for at, (_, columns) in enumerate(rows):
        if "Entity=" in columns[9]:
            read.read(columns[9], at, 0, 0)
    old: dict[str, set[Mention]] = {}
    for draft in read.mentions:
        runs = draft.runs()
        pieces = runs if len(runs) > 1 else ()
        old.setdefault(draft.entity, set()).add(Mention(runs[0][0], runs[-1][1], pieces))
    return {name: frozenset(mentions) for name, mentions in old.items()}


def rewritten(document: Document, names: Sequence[str]) -> str | None:
    """The original with the document's name and entities; None if there is none that fits."""
    rows = rows_of(document)
    if rows is None or document.original is None:
        return None
    lines = document.original.text.rstrip("\n").split("\n")
    n_left_out = 0
    for (line, columns), attributes in zip(rows, coreference(document, names), strict=True):
        others, left_out = _others(columns[9], {*names})
        n_left_out += left_out
        misc = "|".join(_with(others, attributes)) or "_"
        lines[line] = "\t".join([*columns[:9], misc])
    lines = _with_header(document, lines, n_left_out)
    end = [""] if lines[-1].startswith("#") else ["", ""]
    return document.original.newline.join([*lines, *end])


def _others(misc: str, names: Set[str]) -> tuple[list[str], int]:
    """The attributes that stay, and how many links of Bridge do not."""
    others: list[str] = []
    n_left_out = 0
    for attribute in misc.split("|") if misc != "_" else ():
        name, _, value = attribute.partition("=")
        if name == "Bridge":
            links = value.split(",")
            kept = [link for link in links if {*_ENDS.split(link)[:2]} <= names]
            n_left_out += len(links) - len(kept)
            others += [f"Bridge={','.join(kept)}"] * bool(kept)
        elif name not in _REPLACED:
            others.append(attribute)
    return others, n_left_out


def _with(others: Sequence[str], attributes: Iterable[str]) -> list[str]:
    """The attributes with others, which CoNLL-U has in the order of their names."""
    every = [*others]
    for attribute in attributes:
        after = (at for at, other in enumerate(every) if _name(other) > _name(attribute))
        every.insert(next(after, len(every)), attribute)
    return every


def _name(attribute: str) -> str:
    return attribute.partition("=")[0].lower()


def _with_header(document: Document, lines: list[str], n_left_out: int) -> list[str]:
    """The lines under the document's name and the declaration of its brackets."""
    declared = [at for at, line in enumerate(lines) if DECLARATION.fullmatch(line)]
    lines = [line for at, line in enumerate(lines) if at not in declared[1:]]
    fields = f"# global.Entity = {declaration(document)}"
    names = ((at, m[1]) for at, line in enumerate(lines) if (m := NEWDOC.fullmatch(line)))
    at, name = next(names, (-1, None))
    if name != document.name:
        lines[max(at, 0) : at + 1] = [f"# newdoc id = {document.name}"]
    if declared:
        at = next(at for at, line in enumerate(lines) if DECLARATION.fullmatch(line))
        lines[at] = fields
    else:
        at = max(at, 0) + 1
        lines.insert(at, fields)
    if n_left_out:
        links = "link" if n_left_out == 1 else "links"
        told = f"# {n_left_out} {links} of Bridge left out: other mentions of the entities"
        lines.insert(at + 1, told)
    return lines
