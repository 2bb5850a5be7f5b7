"""Score coreference resolution by all six metrics, and see what each of them credits.

read, write               files as a Corpus of Documents; InputError names every problem
from_clusters, from_char_clusters, from_spacy
                          a Corpus out of what a system holds in Python
score_files               a tally of files of any size: scores and counts, no documents
score, score_entities     a Result: scores, tables, credit, errors, comparison and plots
Tally, load_tally         what was counted, without texts: result.tally adds, saves and compares
perturb, experiment       a damaged response, a published experiment
compare, compare_data_sets
                          two results or two lists of runs, and systems over several data sets
preset                    the policies of another scorer: score(key, response, **preset("perl"))
METRICS, Metric, Counts   the metrics, and what to write another one with
PolicyError               an unknown policy, metric or format
"""

from importlib import import_module

from corescore.version import __version__ as __version__

TYPE_CHECKING = False  # as in `typing`, which takes a while to import

if TYPE_CHECKING:
    from corescore.api import *  # noqa: F403
else:

    def __getattr__(name):
        """Import the public names as soon as one is asked for, and the packages that they are in:
        the program is to hear of Ctrl+C before that."""
        if name.startswith("_") and name != "__all__":
            raise AttributeError(name)
        public = import_module("corescore.api")
        globals().update({one: getattr(public, one) for one in ("__all__", *public.__all__)})
        if name not in globals():
            raise AttributeError(f"module 'corescore' has no attribute {name!r}")
        return globals()[name]

    def __dir__():
        return sorted({*(n for n in globals() if n[:2] == "__"), *__getattr__("__all__")})
