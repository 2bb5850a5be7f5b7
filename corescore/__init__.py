"""Score coreference resolution by all six metrics, and see what each of them credits."""

from corescore.documents import Corpus, Document, Mention
from corescore.formats import read, write
from corescore.problems import InputError, PolicyError
from corescore.scoring import Result, score, score_entities
from corescore.version import __version__

__all__ = [
    "Corpus",
    "Document",
    "InputError",
    "Mention",
    "PolicyError",
    "Result",
    "__version__",
    "read",
    "score",
    "score_entities",
    "write",
]
