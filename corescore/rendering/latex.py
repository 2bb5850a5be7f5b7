"""Tables in LaTeX, in the style of booktabs: no vertical lines, three rules."""

import re
from collections.abc import Collection, Iterable, Sequence

_ESCAPED = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "²": "$^2$",
    "³": "$^3$",
    "χ": r"$\chi$",
    "−": "$-$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "–": "--",
    "…": r"\ldots{}",
    "✓": "$+$",
    "✗": "$-$",
} | {letter: f"\\{letter}" for letter in "&%$#_{}"}
_BELOW = re.compile(r"(CEAF|B\$\^3\$)\\_(?:([em0])|(sys))\b")
_P = re.compile(r"(?<![\w$\\-])p(?: (\\textless\{\}|=) ([\d.]*\d))?(?!\w|\.\d)")
_BELOW_P = re.compile(r"< [\d.]+")
BEST = "*"


def latex(text: str) -> str:
    """Text as LaTeX prints it: nothing in it is a command any more, and it stands on one line."""
    plain = " ".join(text.split())
    escaped = "".join(_ESCAPED.get(letter, letter) for letter in plain)
    return _BELOW.sub(_with_index, escaped)


def latex_prose(text: str) -> str:
    """A sentence, a note or a heading as LaTeX prints it, p set as the variable it is."""
    return _P.sub(_typeset_p, latex(text))


def _typeset_p(found: re.Match[str]) -> str:
    sign = "=" if found[1] == "=" else "<"
    return f"$p {sign} {found[2]}$" if found[1] else "$p$"


def _with_index(found: re.Match[str]) -> str:
    index = found[2] or rf"{{\mathrm{{{found[3]}}}}}"
    return f"{found[1]}$_{index}$"


def latex_table(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    note: str,
    left: Collection[int] = (0,),
    groups: Sequence[tuple[str, int]] = (),
) -> str:
    r"""A `tabular` with \toprule, \midrule and \bottomrule, and the note in small type below.

    rows    a cell that ends in `BEST`, and is not of a column in `left`, is printed bold
    left    the columns that begin at their left edge; the others end aligned
    groups  what stands over the columns after the first: (title, how many columns)
    """
    columns = "".join("l" if at in left else "r" for at in range(len(header)))
    lines = [rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}", r"\toprule"]
    lines += _group_lines(groups)
    lines += [_line(map(latex_prose, header)), r"\midrule"]
    lines += [_line(_cell(text, at in left) for at, text in enumerate(row)) for row in rows]
    lines += [r"\bottomrule", r"\end{tabular}", "", rf"{{\footnotesize {latex_prose(note)}}}"]
    return "\n".join(["% \\usepackage{booktabs}", *lines]) + "\n"


def _group_lines(groups: Sequence[tuple[str, int]]) -> list[str]:
    if not groups:
        return []
    titles, rules, first = [], [], 2
    for title, width in groups:
        titles.append(rf"\multicolumn{{{width}}}{{c}}{{{latex(title)}}}")
        rules.append(rf"\cmidrule(lr){{{first}-{first + width - 1}}}")
        first += width
    return [_line(["", *titles]), " ".join(rules)]


def _line(cells: Iterable[str]) -> str:
    row = " & ".join(cells)
    shield = "{}" if row.startswith(("[", "*")) else ""  # else an option of the line before
    return rf"{shield}{row} \\"


def _cell(text: str, is_left: bool) -> str:
    """Blanks at the beginning of a text are kept, as an indent."""
    if is_left:
        return r"\quad " * text.startswith("  ") + latex(text)
    if _BELOW_P.fullmatch(text):
        return f"${text}$"
    best = text.endswith(BEST)
    return rf"\textbf{{{latex(text.removesuffix(BEST))}}}" if best else latex(text)
