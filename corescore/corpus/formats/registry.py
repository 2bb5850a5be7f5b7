"""The formats, in the order in which they are listed, and which of them a text looks like."""

from collections.abc import Iterable

from corescore.corpus.formats.conll import CONLL
from corescore.corpus.formats.conllu import CONLL_UA, CONLLU
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.inline import INLINE, NOTATION, json_in_fences
from corescore.corpus.formats.json_systems import JSON_FORMATS
from corescore.corpus.formats.standoff import BOOKNLP, BRAT, LITBANK, WEBANNO
from corescore.corpus.formats.tasks import GAP, SACR, TEXT2TEXT_PLAIN, WINOBIAS
from corescore.corpus.formats.xml import ECBPLUS, ECBPLUS_TOPICS, MMAX, TEI
from corescore.corpus.problems import choose

STANDOFF_FORMATS = (BRAT, LITBANK, BOOKNLP, WEBANNO, MMAX, ECBPLUS, ECBPLUS_TOPICS, TEI)

# CoNLL-U before other columns, as which its rows could be taken; inline markup before CoNLL, with
# which it shares the line #begin document
FORMATS = (
    *(CONLLU, INLINE, CONLL, CONLL_UA, GAP, TEXT2TEXT_PLAIN, WINOBIAS),
    *JSON_FORMATS,
    *(SACR, NOTATION),
    *STANDOFF_FORMATS,
)

WRITTEN = tuple(known for known in FORMATS if known.write is not None)

# Rows of standoff could be other columns, and those of CoNLL-UA CoNLL-U
_TRIED = dict.fromkeys((CONLL_UA, *STANDOFF_FORMATS, *FORMATS))

_BY_ID = {known.id: known for known in FORMATS}


def format_named(name: str) -> Format:
    """The format of this id. PolicyError if there is none."""
    return _BY_ID[choose("format", name, _BY_ID)]


def fitting(text: str) -> Format | None:
    """The first format that a text looks like, or the JSON in the code fences of an answer."""
    return _first_that_fits(_TRIED, text) or _first_that_fits(JSON_FORMATS, json_in_fences(text)[0])


def _first_that_fits(formats: Iterable[Format], text: str) -> Format | None:
    return next((known for known in formats if known.fits(text)), None)
