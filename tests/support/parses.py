"""Files in CoNLL-2012 columns with a parse, and parses drawn at random."""

from hypothesis import strategies as st

from corescore.counting.min_spans import Brackets


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
