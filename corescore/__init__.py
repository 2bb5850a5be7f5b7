"""Score coreference resolution by all six metrics, and see what each of them credits.

read, write               files as a Corpus of Documents; InputError names every problem
from_clusters, from_char_clusters, from_spacy
                          a Corpus out of what a system holds in Python
score_files               a tally of files of any size: scores and counts, no documents
score, score_entities     a Result: scores, tables, credit, errors, comparison and plots
Tally, load_tally         what was counted, without texts: result.tally adds, saves and compares
preset                    the policies of another scorer: score(key, response, **preset("perl"))
METRICS, Metric, Counts   the metrics, and what to write another one with
PolicyError               an unknown policy, metric or format
"""

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
