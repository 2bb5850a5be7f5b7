"""How numbers, nouns and sentences are written, and CSV."""

import ast
import csv
import io
import json
import math
import re
import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import wording
from corescore.rendering.tables import KINDS
from corescore.rendering.text import Table
from corescore.util import csv_of, inert, without_apostrophe
from corescore.wording import (
    count,
    counted,
    fraction,
    gap_points,
    heading_of,
    listed,
    number,
    ordinal,
    out_of,
    p_equals,
    percent,
    share,
    signed,
    signed_points,
    spelled,
    unbroken,
)
from tests.support.code import nodes_of, tree_of

# How numbers and nouns are written ----------------------------------------------------------------


WRITTEN = {
    percent: {0.12345: "12.35", 1: "100.00", math.nan: "–", 0: "0.00"},
    signed: {0.01: "+1.00", -0.01: "−1.00", -1e-9: "0.00", math.nan: "–"},
    # A difference that is not zero is never written as zero.
    signed_points: {
        -0.0123: "−1.23 points",
        0.0123: "+1.23 points",
        0: "0.00 points",
        -1e-15: "0.00 points",
        4.9e-5: "less than 0.01 points",
        -4.9e-5: "less than 0.01 points",
    },
    gap_points: {
        -0.0123: "1.23 points",
        0.0123: "1.23 points",
        -1e-15: "0.00 points",
        -4.9e-5: "less than 0.01 points",
    },
    # Whole numbers have no decimals.
    count: {2: "2", 162.5: "162.50", 2 / 3: "0.67", 1384: "1,384", math.nan: ""},
    number: {2: "2", 162.5: "162.5", 2 / 3: "0.667", 1384: "1,384"},
    counted: {1384: "1,384 mentions", 4 / 3: "1.33 mentions"},
    # On which side of the level p is, is seen.
    p_equals: {
        0.0004: "p < 0.001",
        0.047: "p = 0.047",
        0.0498: "p = 0.0498",
        0.05: "p = 0.050",
        1 / 16: "p = 0.063",
        3 / 16: "p = 0.188",
        math.nan: "p = –",
    },
    # A share never rounds to always or never.
    share: {0: "0%", 0.0002: "under 1%", 0.834: "83%", 0.9998: "over 99%", 1: "100%"},
    spelled: {0: "none", 1: "one", 6: "six", 11: "11", 1384: "1,384"},
    ordinal: {n: f"{n}th" for n in (4, 11, 12, 13, 111)}
    | {1: "1st", 2: "2nd", 3: "3rd", 21: "21st", 102: "102nd"},
    heading_of: {
        "f1": "F1",
        "recall_errors": "recall errors",
        "right_non_coreference": "right non-coreference",
    },
}


@pytest.mark.parametrize("write", WRITTEN)
def test_values_are_written(write):
    assert {value: write(value) for value in WRITTEN[write]} == WRITTEN[write]


def test_fractions_and_nouns_go_with_their_numbers():
    assert fraction(18, 29) == "18/29"
    assert fraction(35 / 12, 7) == "2.92/7"
    assert fraction(1234, 2000) == "1,234/2,000"
    assert fraction(math.nan, math.nan) == ""
    nouns = {(1, "document"), (2, "entity"), (0, "analysis"), (3, "key")}
    said = {counted(*of) for of in nouns}
    assert said == {"1 document", "2 entities", "0 analyses", "3 keys"}
    assert [out_of(n, 6) for n in (2, 6)] == ["two of the six", "all six"]
    assert [listed([*names]) for names in ("a", "abc")] == ["a", "a, b and c"]


def test_no_line_is_broken_between_a_number_and_what_it_belongs_to():
    text = "A 1, B 12: found with 80% power, p = 0.109 (p < 0.001). A is ahead, p is not."
    kept = "A_1, B_12: found with 80% power, p_=_0.109 (p_<_0.001). A is ahead, p is not."
    assert unbroken(text) == kept.replace("_", "\u00a0")


def test_text_for_a_terminal_has_no_character_that_it_acts_upon():
    acted_upon = [*range(9), *range(11, 32), *range(127, 160), 0x202E, 0x2066, 0x200F, 0x2028]
    text = "".join(map(chr, acted_upon))
    assert wording.harmless(text).isprintable()
    assert len(set(wording.harmless(text).split("\\"))) == len(acted_upon) + 1
    assert wording.harmless("B³ ─ قال\t\n") == "B³ ─ قال\t\n"


@pytest.mark.parametrize(
    "text, shown",
    [("a\nb", "a\\nb"), ("0123456789", "0123456789"), ("0123456789x", "0123456…9x")],
)
def test_a_long_quotation_keeps_its_ends(text, shown):
    assert wording.one_line(text, 10) == shown


# What a user reads is English as a native speaker writes it: some patterns never occur ------------

HOME = Path(__file__).parents[1]
PATTERNS = {
    "a row per document": (
        r"\b(?:a|one) (?:row|line|file|text|column|module|number|link|seed) an? \w+"
    ),
    "one object per line": r"\b(?:a|one|JSON) object an? \w+",
    "one entity per mention": r"\b(?:a|one) (?:document|entity) (?:a|an) \w+",
    "counts": r"\b[Ww]hat is counted\b",
    "shown by, given by": r"\b(?:is|are|was|were) told by\b",
    "no word": r"\b(?:tell|tells|telling) (?:none|no genres?)\b",
    "each pair of": r"\b[Ee]ach two\b",
    "singletons": r"\b[Ee]ntit(?:y|ies) of one mention\b",
    "document names": r"\b[Nn]ames of documents\b",
    "error types": r"\b[Kk]inds of errors?\b",
    "Click a row to …": r"\b[Aa] click on\b",
    "nevertheless": r"\ball the same\b|\banew\b",
    "is reproduced": r"\bdo(?:es)? not come out\b",
    "a text that differs": r"\bother words than\b",
    "is missing from": r"\bthat the key lacks\b|\bthe (?:key|response|\{\}) lacks\b",
    "next to": r"\bstands? (?:beside|alone beside)\b|\bstands? there\b",
    "95%": r"(?<![Ff])\d %(?!\})",
    "correct": r"\bis right\b|\bare right\b",
    "sidebar": r"\b[Ss]ide bar\b",
    "if there is none": r"\b[Ww]here there (?:is|are) (?:no|none|nothing)\b",
    "does the other side have": r"\bhas the other side\b",
    "does not have": r"\blacks?\b",
    "is reproduced, results in": r"\bcomes? out\b",
    "say nothing about": r"\btells? (?:nothing|anything) of\b",
    "the scores show": r"\b(?:scores?|files?) tells?\b",
    "cannot be known": r"\bcannot be told\b",
    "for reading": r"\bto be read\b",
    "in addition": r"\b[Bb]esides\b",
    "next to the metrics": r"\b[Ss]hown beside\b",
    "the credit it could earn": r"\bof what (?:it|they|mentions|these mentions) could earn\b",
    "only X is computed": r"\b[Ww]hat is computed\b",
    "be in an order": r"\bstands? in (?:the )?order\b",
    "one possible": r"\bare one of several\b",
    "so": r", so that\b",
    "resolved by fixing": r"\bputs? (?:it|the error) right\b",
    "an open file": r"\bfiles? that (?:is|are) open\b",
    "no sign of": r"\bspeaks? against\b",
    "anyone who": r"\b[Ww]hoever\b",
    "published": r"\b[Ww]hat is printed\b",
    "as it is": r"\bas (?:they|it) stands?\b|\bstands? apart\b",
    "what it is divided by": r"\b[Bb]y what\b",
    "whose text differs": r"\bhas other (?:words|names)\b",
    "refer to the same thing": r"\bmean the same thing\b|\bwhom or what it means\b",
    "the direction of the difference": r"\b[Tt]he sign stays\b",
    "28 formats": r"\b(?:[Aa]bout|some|nearly) (?:thirty|28)\b",
    "different from": r"\bother (?:words|names|text|documents) than\b",
    "if a file has any": r"\b[Ww]here (?:a file|files|the files|some files) (?:has|have|had)\b",
    "override": r"\breplaces? its own\b|\bgiven besides\b",
    "inflates": r"\bpleased by\b",
    "obsolete": r"\bsince given up\b",
    "already exists": r"\b[Aa] file that exists;|\bexpected a new file\b",
    "ranks first": r"\bin which none is better\b",
    "both sides agree": r"\bsides say the same\b",
    "accepts malformed files": r"\bas leniently as\b",
}
# What is rarer with each change, and becomes no more frequent: in how many texts it is
RARE = {
    "if, when": (r"\b[Ww]here (?:an?|the|it|they|no|none|both|all|some|files?|several)\b", 24),
    "the noun again": (r"\bthose (?:that|of|with)\b|\bthat of\b", 25),
    "the noun again: the others": (r"\b[Tt]he others?\b(?! \w)", 15),
    "show, give, contain": (r"\b(?:say|said|says|tell|told|tells)\b", 66),
    "a noun for what": (r"\b[Ww]hat (?:is|are|was|has|have|the|an?|it|they|each)\b", 30),
    "is, appears": (r"\bstands?\b", 3),
    "next to, with": (r"\bbesides?\b", 10),
    "two sentences": (r"\bthat\b[^.;:]{0,60}\bthat\b", 16),
    "two sentences: no semicolon": (r"[\w)”’`*%]; (?!expected\b)[a-z]+ [a-z{]", 40),
    "key and response, shared": (r"\b(?:both|one|other|either|each) sides?\b", 57),
    "as well, or nothing": (r", too\b|\balso\b", 9),
}
# Other names of metrics. What is in backquotes is typed.
NAMES = {
    "B³": r"\bB-cubed\b|\bB\^3",
    "CEAFₘ and CEAFₑ": r"(?<!`)\bCEAF[_-]?[me]\b",
    "CoNLL": r"\bCoNLL[- ]average\b",
    "Mentions": r"\bMention identification\b",
}
PATTERNS |= NAMES


def strings(path):
    nodes, passed = nodes_of(tree_of(path)), set()
    for node in nodes:
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                passed.add(id(node.body[0].value))
        elif isinstance(node, ast.JoinedStr):
            passed.update(map(id, node.values))
            parts = (str(of.value) if isinstance(of, ast.Constant) else "{}" for of in node.values)
            yield node.lineno, "".join(parts)
    for node in nodes:
        if isinstance(node, ast.Constant) and id(node) not in passed:
            yield node.lineno, str(node.value)


@cache
def texts():
    return [*_texts()]


def _texts():
    for top in ("corescore", "dashboard"):
        for path in sorted((HOME / top).rglob("*")):
            if path.suffix == ".py":
                found = strings(path)
            elif path.suffix == ".toml":
                found = of_data(path, tomllib.loads(path.read_text("utf-8")))
            elif path.suffix == ".js":
                found = of_script(path)
            elif path.suffix in {".j2", ".html"}:
                found = enumerate(path.read_text("utf-8").splitlines(), 1)
            else:
                continue
            yield from ((path, line, " ".join(text.split())) for line, text in found)
    written = (HOME / "README.md", HOME / "CONTRIBUTING.md", *sorted((HOME / "docs").rglob("*.md")))
    for path in written:
        if path.parent.name == "generated":  # of strings; what was made before may be older
            continue
        yield from ((path, line, text) for line, text in paragraphs(path))
    for path in sorted((HOME / "docs").rglob("*.ipynb")):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            yield path, 1, " ".join("".join(cell["source"]).split())


def of_data(path, values):
    """Each string of a TOML file, with the line on which it begins."""
    source = path.read_text("utf-8")
    waiting = [values]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield source.count("\n", 0, max(source.find(value[:30]), 0)) + 1, value
        elif isinstance(value, dict | list):
            waiting.extend(value.values() if isinstance(value, dict) else value)


def of_script(path):
    """Each string of a script that is written on one line."""
    for line, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        yield from ((line, found) for found in re.findall(r'"[^"]*"|`[^`]*`', text))


def paragraphs(path):
    """Each paragraph of a Markdown file, with the line on which it begins."""
    line = 1
    for text in path.read_text("utf-8").split("\n\n"):
        yield line, " ".join(text.split())
        line += text.count("\n") + 2


def test_a_pattern_becomes_no_more_frequent():
    n_found = {
        better: sum(bool(re.search(pattern, text)) for _, _, text in texts())
        for better, (pattern, _) in RARE.items()
    }
    assert {better: n for better, n in n_found.items() if n > RARE[better][1]} == {}


def test_no_string_is_written_so():
    assert [
        f"{better}: {path.relative_to(HOME)}:{line}: {text.strip()[:200]}"
        for better, pattern in PATTERNS.items()
        for path, line, text in texts()
        if re.search(pattern, text)
    ] == []


# A number and what is counted are written by `counted`: "1 errors" is nowhere ---------------------

THINGS = (
    *("character", "cell", "change", "column", "document", "error", "exchange", "file", "label"),
    *("letter", "link", "mention", "minute", "order", "overlap", "pair", "prediction", "reference"),
    *("resample", "response", "row", "run", "seed", "sentence", "step", "system", "trial", "value"),
    *("warning", "weight", "word"),
)
PLURAL = re.compile(rf" (?:(?!of\b)[\w’-]+ ){{0,2}}(?:{'|'.join(THINGS)}|entitie)s\b")
NUMBER = re.compile(
    r"(?:len|int|count|number)\((?![A-Z_]+\))|(?:[\w.]+\.)?(?:n|n_\w+|trials|size|step\.number)$"
)
FIXED = ("corescore/replication/", "corescore/teaching/pitfalls.py")  # the numbers are always these
SEVERAL = {  # never one: by their files
    "corescore/analysis/perturbation/__init__.py": {"n"},
    "corescore/cli/perturb.py": {"len(sweep.seeds)"},
    "corescore/corpus/formats/conll.py": {"n"},
    "corescore/corpus/formats/inline.py": {"document.n_entities"},
    "corescore/corpus/formats/json_objects.py": {"n_mentions"},
    "corescore/corpus/packed.py": {"len(every)"},
    "corescore/plots/errors.py": {"len(across)"},
    "corescore/rendering/report/report.py": {"len(subject.documents)"},
    "corescore/sentences/compare.py": {"count(n)"},
    "corescore/sentences/errors.py": {
        *("len(whole.key_entities)", "len(whole.response_entities)", "int(whole.shared.sum())"),
        "n_links",
    },
    "corescore/sentences/perturbation.py": {"len(sweep)", "n_seeds"},
    "corescore/teaching/own.py": {"len(text)", "len(names)"},
    "corescore/teaching/toy.py": {"len(text)", "len(self.mentions)"},
    "dashboard/views/many_systems.py": {"n"},
    "dashboard/views/which_scorer.py": {"len(mentions)"},
    "dashboard/widgets/charts.py": {"n_words"},
    "dashboard/widgets/sidebar.py": {"len(files.responses)"},
}


def uncounted(tree):
    """Each number in the code's f-strings that a plural follows."""
    for node in nodes_of(tree):
        for value, text in pairwise(node.values if isinstance(node, ast.JoinedStr) else ()):
            if isinstance(value, ast.FormattedValue) and isinstance(text, ast.Constant):
                written = ast.unparse(value.value)
                if NUMBER.match(written) and PLURAL.match(text.value):
                    yield written


def test_a_number_and_a_noun_are_counted():
    code = 'f"{n_rows:,} wrong links, {counted(n)} with {len(a)} of the errors"'
    assert [*uncounted(ast.parse(code))] == ["n_rows"]
    found = {}
    for path in (HOME / top for top in ("corescore", "dashboard")):
        for file in sorted(path.rglob("*.py")):
            name = str(file.relative_to(HOME))
            if not name.startswith(FIXED) and (of := {*uncounted(tree_of(file))}):
                found[name] = of
    assert found == SEVERAL


def test_a_metric_has_one_name_in_docstrings_too():
    other = re.compile("|".join(NAMES.values()))
    sources = [*(HOME / "corescore").rglob("*.py"), *(HOME / "dashboard").rglob("*.py")]
    assert [path for path in sources if other.search(path.read_text("utf-8"))] == []


# CSV whose rows stay rows, and whose cells no spreadsheet computes --------------------------------

CELLS = st.text(st.sampled_from("=+-@'\"\r\n\t,;a1. "), max_size=6) | st.sampled_from(
    ["-1", "-1.5", "-.5", "-1e-7", "-1a", "-1,=2", '-"', "1", "a"]
)
ROWS = st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=4)
FORMULA = "=HYPERLINK(A1)"


def read(text):
    return [*csv.reader(io.StringIO(text, newline=""))]


@given(ROWS)
def test_what_is_written_is_read_again(rows):
    assert read(csv_of(rows)) == rows


@given(ROWS)
def test_no_cell_begins_a_formula_and_each_can_be_had_back(rows):
    safe = read(inert(csv_of(rows)))
    assert not [c for row in safe for c in row if c[:1] in {*"=+-@\t\r"} and not _is_number(c)]
    assert [[without_apostrophe(cell) for cell in row] for row in safe] == rows


def _is_number(cell):
    try:
        return float(cell) == float(cell)
    except ValueError:
        return False


@pytest.mark.parametrize("word", ["a\rb", "\r", "a\r\nb", "a\nb"])
def test_a_line_end_in_a_word_breaks_no_row(word):
    frame = pd.DataFrame({"word": [word, "x"], "n": [-1.5, float("nan")]})
    rows = read(Table(frame, signature="made").text("csv"))
    assert rows == [["word", "n", "signature"], [word, "-1.5", "made"], ["x", "", "made"]]
    for shown in ("table", "markdown"):
        plain = pd.DataFrame({"word": ["a b", "x"], "n": frame["n"]})
        lines = Table(frame).text(shown).splitlines()
        assert len(lines) == len(Table(plain).text(shown).splitlines())


def test_downloads_of_the_app_are_inert_and_numbers_stay_numbers():
    frame = pd.DataFrame({"text": [FORMULA, "x"], "difference": [-1.5, 2.0]})
    (write,) = [kind.write for kind in KINDS if kind.ending == "csv"]
    assert read(write(frame, "made"))[1:] == [
        [f"'{FORMULA}", "-1.5", "made"],
        ["x", "2.0", "made"],
    ]
