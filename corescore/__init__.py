"""Score coreference resolution by all six metrics, and see what each of them credits."""

from corescore.api.result import Result, score, score_entities
from corescore.corpus.documents import Corpus, Document, Mention
from corescore.corpus.formats import read, write
from corescore.corpus.problems import InputError, PolicyError
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
