"""Whether what a metric counts are counts: a wrong shape would be a wrong score."""

from dataclasses import fields

import numpy as np

from corescore.corpus.problems import InputError, Problem
from corescore.counting.counts import Counts


def check_counts(counts: object, n_documents: int, of: str, file: str = "") -> Counts:
    """The counts, if they are such: of each document, in four arrays of one shape, finite.

    of    what counted them, in words
    file  where that stands, if it is known

    Raises InputError for anything else.
    """
    if not isinstance(counts, Counts):
        raise _refusal(f"{of} that returns {type(counts).__name__}", "Counts", of, file)
    arrays = [getattr(counts, entry.name) for entry in fields(Counts)]
    if not all(isinstance(one, np.ndarray) and one.dtype.kind in "biuf" for one in arrays):
        raise _refusal(f"{of} with counts that are no numbers", "four arrays of them", of, file)
    shapes = {one.shape for one in arrays}
    if len(shapes) > 1 or min(map(len, shapes)) != 2 or min(shapes)[0] != n_documents:
        found = f"{of} with counts of shape {' and '.join(map(str, sorted(shapes)))}"
        raise _refusal(found, f"({n_documents}, parts): a row for each document", of, file)
    if not all(np.isfinite(one).all() for one in arrays):
        raise _refusal(f"{of} with counts that are NaN or infinite", "finite ones", of, file)
    return counts


def _refusal(found: str, expected: str, of: str, file: str) -> InputError:
    return InputError([Problem(file or of, 0, found, expected, "Fix what counts.")])
