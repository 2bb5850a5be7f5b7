"""The public names, all imported; see `corescore`, which imports them when one is needed."""

from corescore.api.result import Result, score, score_entities, score_files
from corescore.api.tally import Tally, load_tally
from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats import read, write
from corescore.corpus.from_python import from_char_clusters, from_clusters, from_spacy
from corescore.corpus.mentions import Mention
from corescore.corpus.problems import InputError, PolicyError
from corescore.metrics import METRICS, Counts, Metric
from corescore.scoring.presets import preset
from corescore.version import __version__

__all__ = [
    "METRICS",
    "Corpus",
    "Counts",
    "Document",
    "InputError",
    "Mention",
    "Metric",
    "PolicyError",
    "Result",
    "Tally",
    "__version__",
    "from_char_clusters",
    "from_clusters",
    "from_spacy",
    "load_tally",
    "preset",
    "read",
    "score",
    "score_entities",
    "score_files",
    "write",
]
