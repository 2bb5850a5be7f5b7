"""Small files and documents: packed together, with empty nodes, with a parse, hostile."""

import io
import zipfile

from hypothesis import strategies as st

from corescore import Document, read
from corescore.corpus.documents import Attributes, EmptyNode
from corescore.corpus.files import read_bytes
from corescore.counting.min_spans import Brackets
from tests.support.messages import message_of

# A key in the format GAP and a system's answers to it, as files -----------------------------------

GAP_HEADER = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref"


def gap_row(name, pronoun, a, b):
    """The line of a document in which the pronoun means Ann, or not, and Bo, or not."""
    spans = f"{pronoun}\t12\tAnn\t0\t{a}\tBo\t8\t{b}"
    return f"{name}\tAnn saw Bo. {pronoun}\t{spans}"


_ROWS = [gap_row("d0", "She", True, False), gap_row("d1", "He", False, True)]
GAP_FILES = {
    "gap-test.tsv": "\n".join([GAP_HEADER, *_ROWS, ""]),
    "answers.tsv": "d0\tTRUE\tFALSE\nd1\tTRUE\tTRUE\n",
}


# Files that are read together, in a folder and in an archive --------------------------------------


def put(folder, files):
    """Write files by their paths within a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def zipped(files):
    """The bytes of a zip archive of files by their paths."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def read_together(files, **options):
    """The corpus of files by their paths."""
    return read_bytes(zipped(files), "all.zip", **options)


def refused_together(files, **options):
    """Why files are refused, as paths within the archive all.zip."""
    return message_of(read_together, files, **options)


def read_every_way(folder, files, first):
    """The corpus of a pair of files, which is the same by folder, by archive and by first file."""
    put(folder, files)
    corpora = [read(folder), read_together(files), read(folder / first)]
    assert corpora[0] == corpora[1] == corpora[2]
    return corpora[0]


def texts(document):
    """The entities of a document as sets of its mentions' words."""
    return sorted(sorted(document.text(m) for m in entity) for entity in document.entities)


# Documents with empty nodes -----------------------------------------------------------------------


def with_zeros(zeros, *, words=("w",) * 4):
    """Words, after which stand empty nodes: {(words before, number): (entity, parents)}.

    Parents are (word of the text, relation).
    """
    order = sorted(zeros)
    position = {}
    made, nodes, rows = [], {}, []
    for at in range(len(words) + 1):
        for place in (place for place in order if place[0] == at):
            position[place] = len(made)
            made.append("_")
        if at < len(words):
            position[at] = len(made)
            made.append(words[at])
    for place in order:
        entity, parents = zeros[place]
        at = position[place]
        nodes[at] = EmptyNode(place[1], frozenset((position[p], r) for p, r in parents))
        rows.append((at, at + 1, entity))
    return Document.of_rows(
        "d",
        rows,
        words=made,
        attributes=Attributes.of(len(rows), head=[row[0] for row in rows]),
        empty_nodes=nodes,
    )


# Files in CoNLL-2012 columns with a parse, and parses drawn at random -----------------------------


def columns(rows, name="(d); part 000"):
    """A file of CoNLL-2012 columns from sentences of (word, parse, entities) or (word, tag, parse,
    entities)."""
    lines = [f"#begin document {name}"]
    for sentence in rows:
        for at, (word, *tag, parse, entity) in enumerate(sentence):
            of_word = tag[0] if tag else "XX"
            lines.append(f"d\t0\t{at}\t{word}\t{of_word}\t{parse}\t-\t-\t-\t-\t*\t{entity}")
        lines.append("")
    return "\n".join([*lines, "#end document", ""])


def brackets_of(cells):
    return tuple(Brackets(tuple(c.split("*")[0].split("(")[1:]), c.count(")")) for c in cells)


@st.composite
def parsed_sentences(draw, labels=("VP", "NP", "S"), most=7):
    """A sentence's cells: brackets that fit, of a few labels."""
    cells, n_open = [], 0
    for _ in range(draw(st.integers(1, most))):
        opened = draw(st.lists(st.sampled_from(labels), max_size=2))
        n_open += len(opened)
        closed = draw(st.integers(0, n_open))
        n_open -= closed
        cells.append("".join(f"({label}" for label in opened) + "*" + ")" * closed)
    return [*cells[:-1], cells[-1] + ")" * n_open]


# Names and words that are markup, formulas, marks of direction, template code or endless ----------

WORDS = (
    "<script>alert(1)</script>",
    "<img\u00a0src=x\u00a0onerror=alert(1)>",
    "$x$",
    "\u202eright-to-left\u202c",
    "m" * 5000,
    "🙂",
    "**bold**",
    "&amp;",
    ":material/home:",
    "`code`",
    "[link](x)",
    "{{7*7}}",
    "{%raw%}",
    '"quoted"\'',
)
NAME = '<i>d\'s</i> "$y$"'
