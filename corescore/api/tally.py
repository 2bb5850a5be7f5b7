"""What is counted of each document, with its tables, comparison, plot and file."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from corescore.corpus.problems import PolicyError, choose
from corescore.metrics import Metric
from corescore.scoring import tally as tallies

if TYPE_CHECKING:
    import pandas as pd

    from corescore.api.pair import Pair


class Tally(tallies.Tally):
    """The counts of a response, without its texts: what `Result.tally` and `load_tally` give.

    `tally["bcub"]` is the Score of the whole corpus; see `corescore.scoring.tally.Tally` for all
    other values. Tallies of different documents add up: `one + other`, `Tally.sum([…])`.
    """

    def metric(self, name: str) -> Metric:
        """The metric of this id, as it is in force. PolicyError for another."""
        known = {metric.id: metric for metric in self.metrics}
        return known[choose("metric", name, known)]

    @property
    def table(self) -> "pd.DataFrame":
        """A row for each metric: title, whether a diagnostic, recall, precision, F1 and what they
        were divided from; with other averages beside them under `average`."""
        from corescore.scoring.tables import score_table

        return score_table(self)

    @property
    def per_document(self) -> "pd.DataFrame":
        """The same for each document: rows (document, metric), NaN where empty."""
        from corescore.scoring.tables import document_table

        return document_table(self)

    def compare(
        self, other: tallies.Tally, *, trials: int = 10_000, seed: int = 0, level: float = 0.95
    ) -> "Pair":
        """This response (A) compared with another (B) over the same key: which is better, where,
        and whether the difference is significant; see `corescore.api.pair.Pair`."""
        from corescore.api.pair import Pair

        return Pair(self, other, trials=trials, seed=seed, level=level)

    def plot(self) -> Any:
        """A plotly figure of the six side by side, as the dashboard draws it: recall, precision
        and F1 in percent, with the fractions they were divided from on hover.

        `.show()` opens it, `.write_html(…)` and `.write_image(…)` (with kaleido) save it.
        """
        from corescore.plots.scores import six_metrics

        return six_metrics({"A": self.table})

    def _repr_html_(self) -> str:
        """What a notebook shows: all scores with their fractions."""
        from corescore.rendering.notebook.tables import scores

        return str(scores(self))

    @property
    def tally(self) -> "Tally":
        """The tally alone, without documents."""
        return Tally.of(self)

    def of_documents(self, documents: Sequence[str]) -> "Tally":
        """The tally of some documents by their names, in the order given. Raises PolicyError for a
        name that no document has."""
        place = {name: at for at, name in enumerate(self.documents)}
        unknown = [name for name in documents if name not in place]
        if unknown:
            raise PolicyError(f"no document is named {unknown[0]!r}; expected one of the tally's")
        at = [place[name] for name in documents]
        return Tally.of(self.rows(np.array(at, dtype=np.int64)))

    def beginning_with(self, prefix: str) -> "Tally":
        """The tally of the documents whose names begin so, such as "bc/", in the key's order."""
        return self.of_documents([name for name in self.documents if name.startswith(prefix)])

    def save(self, path: str, *, force: bool = False) -> None:
        """Write the tally to a Parquet file for `corescore.load_tally`; a file that exists is
        replaced only by `force`. Raises InputError where that fails."""
        from corescore.scoring.tally_files import save_tally

        save_tally(self, path, force=force)


def load_tally(path: str, *, metrics: Iterable[Metric] = ()) -> Tally:
    """The tally that a file holds, as it was saved, to the bit.

    metrics  metrics of your own that it was scored by

    Raises InputError for a file that is not a tally, is damaged or of a later corescore, and for a
    metric that is not known.
    """
    from corescore.scoring import tally_files

    return Tally.of(tally_files.load_tally(path, metrics=metrics))
