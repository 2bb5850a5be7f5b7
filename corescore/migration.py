"""For code that calls another scorer: the same calls, the same numbers, counted by corescore.

`CorefEvaluator` is called as that of e2e-coref, fastcoref and AllenNLP is, `compute` as Hugging
Face's metric `coval` is. For more than their numbers, see `corescore.score` with
`corescore.preset("e2e")` and `preset("coval")`.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from corescore.corpus.build import from_entities
from corescore.corpus.documents import Corpus
from corescore.corpus.formats.conll import read_conll
from corescore.counting.counts import MEASURES, Counts
from corescore.metrics import CONLL, metric_of
from corescore.scoring.presets import PRESETS
from corescore.scoring.scores import score
from corescore.scoring.tally import sums
from corescore.wording import counted

Entities = Sequence[Collection[Hashable]]
Sentences = Sequence[Sequence[str]]


class CorefEvaluator:
    """MUC, B³ and CEAFₑ as the e2e family computes them, added up over documents.

    MUC counts entities as they are, B³ leaves singletons out on both sides, and CEAFₑ on the side
    of the prediction alone.

    >>> from corescore.migration import CorefEvaluator
    >>> evaluator = CorefEvaluator()
    >>> evaluator.update(predicted=[[(0, 0), (2, 2)]], gold=[[(0, 0), (2, 2), (5, 5)]])
    >>> precision, recall, f1 = evaluator.get_prf()
    >>> precision, round(recall, 4), round(f1, 4)
    (0.9333333333333332, 0.5815, 0.694)
    """

    def __init__(self) -> None:
        preset = PRESETS["e2e"]
        self._policies = preset.policies
        self._metrics = tuple(metric_of(name) for name in preset.metrics)
        nothing = Counts.of(*np.zeros((4, 1)))
        self._counts = {metric.id: nothing for metric in self._metrics}

    def update(
        self,
        predicted: Entities,
        gold: Entities,
        mention_to_predicted: Mapping[Hashable, Hashable] | None = None,
        mention_to_gold: Mapping[Hashable, Hashable] | None = None,
    ) -> None:
        """Add a document, its clusters collections of mentions.

        The two mappings follow from the clusters: they may be given, and are not looked at.
        """
        made = score(*from_entities(gold, predicted), self._policies, metrics=self._metrics)
        for name, counts in self._counts.items():
            self._counts[name] = counts + made.counts[name].total()

    def get_precision(self) -> float:
        """The mean of the three precisions; 0/0 is 0."""
        return self._mean("precision")

    def get_recall(self) -> float:
        """The mean of the three recalls."""
        return self._mean("recall")

    def get_f1(self) -> float:
        """The mean of the three F1: CoNLL."""
        return self._mean("f1")

    def get_prf(self) -> tuple[float, float, float]:
        """Precision, recall and F1, in this order, which is that of the family."""
        return self.get_precision(), self.get_recall(), self.get_f1()

    def _mean(self, measure: str) -> float:
        scores = sums(self._metrics, self._counts)
        return float(np.mean([getattr(scores[metric.id], measure) for metric in self._metrics]))


def compute(
    predictions: Sentences | Sequence[Entities],
    references: Sentences | Sequence[Entities],
    *,
    keep_singletons: bool = True,
    NP_only: bool = False,  # noqa: N803 - the name that this metric has for it
    min_span: bool = False,
    remove_nested: bool = False,
) -> dict[str, float]:
    """What Hugging Face's metric `coval` returns: "muc/recall", "muc/precision", "muc/f1", the same
    of mentions, bcub, ceafe and lea as fractions, and "conll_score" in percent.

    predictions, references  the sentences of one document, each a list of rows in CoNLL columns; or
                             documents, each a list of clusters of mentions of any kind
    keep_singletons          False leaves singletons out on both sides
    NP_only, remove_nested   leave out verb phrases; or mentions inside another of their entity
    min_span                 match mentions by minimum spans; this and NP_only need a parse

    >>> from corescore.migration import compute
    >>> row = "doc 0 0 Mia - - - - - - - (1)"
    >>> compute(predictions=[[row, row]], references=[[row, row]])["conll_score"]
    100.0

    Words are not compared. Raises InputError if the rows cannot be read or have no parse where one
    is needed; ValueError if there are more predictions than references, or fewer, and for NP_only
    with remove_nested.
    """
    if len(references) != len(predictions):
        raise ValueError(
            f"{counted(len(predictions), 'prediction')} for {counted(len(references), 'reference')}"
        )
    if NP_only and remove_nested:
        raise ValueError("NP_only and remove_nested are given; expected one of them")
    preset = PRESETS["coval"]
    policies = replace(
        preset.policies,
        singletons="keep" if keep_singletons else "drop",
        mentions="np-only" if NP_only else "without-nested" if remove_nested else "all",
        match="min-span" if min_span else "exact",
    )
    metrics = tuple(metric_of(name) for name in preset.metrics)
    key, response = _corpora(references, predictions)
    scores = score(key, response, policies, metrics=metrics)
    values = {
        f"{name}/{measure}": float(getattr(scores[name], measure))
        for name in ("mentions", *preset.metrics)
        for measure in MEASURES
    }
    return {**values, "conll_score": 100 * scores[CONLL.id].f1}


def _corpora(
    references: Sentences | Sequence[Entities], predictions: Sentences | Sequence[Entities]
) -> tuple[Corpus, Corpus]:
    """The key and the response."""
    if _are_rows(references) or _are_rows(predictions):
        return _from_rows(references, "references"), _from_rows(predictions, "predictions")
    both = [*zip(references, predictions, strict=True)]
    made = [from_entities(*of, name=f"document {at}") for at, of in enumerate(both)]
    key, response = (Corpus(tuple(of[side].documents[0] for of in made)) for side in (0, 1))
    return key, response


def _are_rows(side: Iterable[Iterable[object]]) -> bool:
    return any(isinstance(row, str) for sentence in side for row in sentence)


def _from_rows(sentences: Iterable[Iterable[object]], name: str) -> Corpus:
    """One document out of its rows; lines that begin with # are left out, as in that metric."""
    rows = ([str(row).strip("\n") for row in sentence] for sentence in sentences)
    kept = ([row for row in sentence if not row.startswith("#")] for sentence in rows)
    text = "\n\n".join("\n".join(sentence) for sentence in kept)
    return read_conll(f"#begin document document\n{text}\n#end document\n", name)
