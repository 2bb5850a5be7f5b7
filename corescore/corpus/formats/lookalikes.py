"""Files that are part of a format, or of no format that is read, by their right names."""

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
