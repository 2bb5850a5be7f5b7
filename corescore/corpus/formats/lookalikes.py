"""Files that are part of a format, or of no format that is read, by their right names.

Two tables: lookalikes begin as no file does that can be read, and are refused first; shapes are
asked only where no format fits, or where a reader that was named finds nothing of its own.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Lookalike:
    """A file that no reader takes: how it begins, what it is and what to give instead."""

    pattern: re.Pattern[str]
    found: str
    expected: str
    advice: str


LOOKALIKES = (
    Lookalike(
        re.compile(r"\ufeff?Topic,File,Sentence Number\s"),
        "the list of annotated sentences of ECB+, without words and mentions",
        "the XML files of ECB+",
        "Give the folder of the XML files.",
    ),
    Lookalike(
        re.compile(r"\ufeff?paragraph_ID\tsentence_ID\t"),
        "the words of BookNLP (.tokens), without mentions",
        "the .entities file beside them",
        "Give the .entities file; it finds its .tokens in the same folder or zip archive.",
    ),
    Lookalike(
        re.compile(r"\ufeff?\s*(<\?[^>]*>\s*)?(<!DOCTYPE words[^>]*>\s*)?<words[\s>]"),
        "the words of MMAX2, without mentions",
        "the file of the coreference level (x_coref_level.xml)",
        "Give that file; it finds its words beside it, or in a folder Basedata.",
    ),
)


def lookalike(text: str) -> Lookalike | None:
    """What a text is known to be that cannot be read by itself."""
    return next((known for known in LOOKALIKES if known.pattern.match(text[:1000])), None)


_LOOKED_AT = 200_000  # letters from the start of a file


@dataclass(frozen=True)
class Shape:
    """A format as it looks.

    title   its name
    line    what one of its lines begins with
    advice  what its owner can do
    """

    title: str
    line: str
    advice: str


_EXPORT = "Export it as CoNLL-2012 or CoNLL-U, or convert it to JSON Lines."
_READ = "Name that format, or none: it is found from the content."
_CONVERT = "Convert it to JSON Lines or CoNLL-2012."

SHAPES = (
    Shape("WebAnno TSV 3", r"#FORMAT=WebAnno TSV 3", _READ),
    Shape("WebAnno TSV 1 or 2", r"#FORMAT=WebAnno TSV|# webanno\.custom|#id=1\n#text=", _EXPORT),
    Shape("CoNLL-UA", r"# global\.columns *=.*\bIDENTITY\b", "Read it as conll-ua."),
    Shape("CorefUD CoNLL-U", r"# global\.Entity *=|.*\bEntity=\(", "Put tabs between its columns."),
    Shape("CoNLL-U Plus", r"# global\.columns *=", "Use the columns of CoNLL-U."),
    Shape(
        "CoNLL-U without coreference",
        r"[0-9]+\t[^\t\n]+\t[^\t\n]*\t[A-Z_]+\t[^\t\n]*\t[^\t\n]*\t[0-9_]+\t",
        "Use a file that has been annotated for coreference.",
    ),
    Shape("the tab file of LitBank", r"(?:MENTION|COREF|PROP|COP|APPOS)\tT?[0-9]+\t", _READ),
    Shape("brat standoff", r"T[0-9]+\t\S+ [0-9]+ [0-9]+[\t;]", _READ),
    Shape("a .entities file of BookNLP", r"COREF\tstart_token\tend_token\t", _READ),
    Shape("GAP", r"ID\tText\tPronoun\tPronoun-offset\t", _READ),
    Shape("SACR", r"#title:|#textid:|#corpus:", _READ),
    Shape("ECB+ XML", r"<Document doc_(?:name|id)=", _READ),
    Shape("MMAX2 XML", r"<words>|<markables\b|<!DOCTYPE (?:words|markables)\b", _READ),
    Shape("NAF or KAF XML", r"<(?:NAF|KAF)\b", _CONVERT),
    Shape("TEI XML", r"<TEI\b|.*<rs ref=", _READ),
    Shape("the output of a scorer", r"METRIC (?:muc|bcub|ceafm|ceafe|blanc):", "Use its input."),
    Shape("HTML", r"(?i:<!DOCTYPE html|<html\b)", "Save the file itself, not the page of it."),
    Shape("XML", r"<\?xml\b", _CONVERT),
    Shape("a printed Python dict", r"\{'\w+':", "Write it as JSON, with json.dumps."),
    Shape(
        "inline markup with ids in another spelling",
        r".*\[[^\[\]\n]+\](?:\(\w{1,20}\)|_\{?\w|#\w|\{\w+\}|<sub>|\[\w+\])",
        'Write [Mia](#1) or <m id="1">Mia</m>, with the id of the entity.',
    ),
)
_PATTERNS = tuple((shape, re.compile(rf"^(?:{shape.line})", re.MULTILINE)) for shape in SHAPES)


@dataclass(frozen=True)
class Likeness:
    """What a text looks like, and the line that gives it away."""

    shape: Shape
    number: int
    line: str

    @property
    def found(self) -> str:
        """As what was found, for a problem."""
        return f"this looks like {self.shape.title} ('{self.line}')"


def likeness(text: str) -> Likeness | None:
    """The first of the known shapes that a text has."""
    start = text[:_LOOKED_AT]
    for shape, pattern in _PATTERNS:
        if match := pattern.search(start):
            line = start[match.start() :].split("\n", 1)[0].strip()[:40]
            return Likeness(shape, start.count("\n", 0, match.start()) + 1, line)
    return None
