"""Score, and ask the result for its tables, errors, comparison and plot.

pandas and plotly are imported where they are asked for: they take longer to import than most
corpora take to score.
"""

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Self

from corescore.corpus.documents import Corpus
from corescore.corpus.problems import choose
from corescore.metrics import METRICS, Metric
from corescore.scoring import scores
from corescore.scoring.scores import Scores

if TYPE_CHECKING:
    import pandas as pd

    from corescore.api.pair import Pair


class Result(Scores):
    """Scores with their tables: what `corescore.score` returns.

    `result["bcub"]` is the Score of the whole corpus; see `Scores` for all other values.
    """

    @classmethod
    def of(cls, made: Scores) -> Self:
        """The same scores, with tables."""
        return cls(**{field.name: getattr(made, field.name) for field in fields(Scores)})

    def metric(self, name: str) -> Metric:
        """The metric of this id, as it is in force. PolicyError for another."""
        known = {metric.id: metric for metric in self.metrics}
        return known[choose("metric", name, known)]

    @property
    def table(self) -> "pd.DataFrame":
        """A row for each metric: title, whether a diagnostic, recall, precision, F1 and what they
        were divided from; with macro means beside them under `average="macro"`."""
        from corescore.scoring.tables import score_table

        return score_table(self)

    @property
    def per_document(self) -> "pd.DataFrame":
        """The same for each document: rows (document, metric), NaN where empty."""
        from corescore.scoring.tables import document_table

        return document_table(self)

    def credit(
        self,
        metric: str,
        *,
        side: str = "recall",
        by: str = "mention",
        documents: Sequence[str] | None = None,
    ) -> "pd.DataFrame":
        """What `metric` credits; see `credit_table` in `corescore.analysis.credit.tables` for the
        columns."""
        from corescore.analysis.credit.tables import credit_table

        return credit_table(
            self.comparison, self.metric(metric), side=side, by=by, documents=documents
        )

    def marginal(self, metric: str) -> "pd.DataFrame":
        """What the score would gain or lose without each mention of the response; see
        `marginal_table` in `corescore.analysis.credit.tables` for the columns."""
        from corescore.analysis.credit.tables import marginal_table

        return marginal_table(self.comparison, self.metric(metric))

    @property
    def errors(self) -> "pd.DataFrame":
        """The operations that turn the response into the key, each an error of one of seven
        kinds; see `operation_table` in `corescore.analysis.errors.tables` for the columns."""
        from corescore.analysis.errors.tables import operation_table

        return operation_table(self.comparison)

    @property
    def incorrectly_resolved(self) -> "pd.DataFrame":
        """The mentions whose partners are all wrong, with wrong and right partners; see
        `incorrectly_resolved_table` in `corescore.analysis.errors.mention_tables`."""
        from corescore.analysis.errors.mention_tables import incorrectly_resolved_table

        return incorrectly_resolved_table(self.comparison)

    def compare(
        self, other: Scores, *, trials: int = 10_000, seed: int = 0, level: float = 0.95
    ) -> "Pair":
        """This response (A) against another (B) over the same key: who is better, where, and
        whether the difference is significant; see `corescore.api.pair.Pair`."""
        from corescore.api.pair import Pair

        return Pair(self, other, trials=trials, seed=seed, level=level)

    def plot(self) -> Any:
        """A plotly figure of the six side by side, as the dashboard draws it: recall, precision
        and F1 in percent, with the fractions they were divided from on hover.

        `.show()` opens it, `.write_html(…)` and `.write_image(…)` (with kaleido) keep it.
        """
        from corescore.plots.charts import six_metrics

        return six_metrics({"A": self.table})


def score(
    key: Corpus, response: Corpus, *, metrics: Sequence[Metric] = METRICS, **policies: str
) -> Result:
    return Result.of(scores.score(key, response, metrics=metrics, **policies))


score.__doc__ = scores.score.__doc__


def score_entities(
    key: Iterable[Collection[Hashable]], response: Iterable[Collection[Hashable]], **policies: str
) -> Result:
    return Result.of(scores.score_entities(key, response, **policies))


score_entities.__doc__ = scores.score_entities.__doc__
