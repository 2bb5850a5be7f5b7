"""A key in the format GAP and a system's answers to it, as files."""

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
