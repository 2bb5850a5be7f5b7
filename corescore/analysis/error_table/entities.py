"""The entities of each row of the error table, and the fix, which names them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corescore.analysis.credit.tables import numbers_of_entities
from corescore.analysis.error_table.columns import Columns, nullable, text
from corescore.analysis.error_table.fixes import fixes, targets
from corescore.analysis.error_table.rows import ErrorRows
from corescore.analysis.explanation.titles import entity_called, entity_names
from corescore.arrays import AnyArray, IntArray
from corescore.counting.comparison import Comparison


@dataclass(frozen=True)
class _Entities:
    """An entity of one side for each row.

    number  (rows,) in its document, from 1; −1 for none
    name    (rows,) "" for none
    size    (rows,) mentions
    """

    number: IntArray
    name: AnyArray
    size: IntArray

    @classmethod
    def of(
        cls, comparison: Comparison, side: str, entity: IntArray, number: IntArray | None = None
    ) -> "_Entities":
        """These rows of the table, −1 for none; by these numbers if given, else by their own."""
        view = comparison.view(side)
        names = np.full(len(view.table.key_sizes) + 1, "", dtype=object)
        used = np.zeros(len(names), dtype=bool)
        used[entity] = True
        named, texts = entity_names(comparison, np.flatnonzero(used[view.own_entity]), side=side)
        names[named] = texts
        own = np.append(numbers_of_entities(view), -1)[entity]
        sizes = np.append(view.table.key_sizes, 0)[entity]
        return cls(own if number is None else number, names[entity], sizes)

    @property
    def called(self) -> list[str]:
        """entity 3 (Oakland); "" for none."""
        rows = zip(self.number.tolist(), self.name.tolist(), strict=True)
        return [entity_called(n, name) if n > 0 else "" for n, name in rows]


def entity_columns(comparison: Comparison, rows: ErrorRows, words: Sequence[str]) -> Columns:
    """fix, and of both sides number, name and size: see `error_table`. `words`: of each mention."""
    of_key = np.append(comparison.recall.own_entity, -1)[rows.key]
    key = _Entities.of(comparison, "recall", of_key)
    response = _Entities.of(comparison, "precision", *_response_entities(comparison, rows))
    target = _Entities.of(comparison, "precision", targets(rows))
    places = zip(words, (rows.start + 1).tolist(), rows.end.tolist(), strict=True)
    span = [f"“{of}”" if of else f"of words {first} to {last}" for of, first, last in places]
    sides = {"key": key, "response": response}
    return {
        "fix": text(fixes(rows, span=span, source=response.called, target=target.called)),
        **{f"{side}_entity": nullable(of.number, of.number > 0) for side, of in sides.items()},
        **{f"{side}_name": text(of.name) for side, of in sides.items()},
        **{f"{side}_size": nullable(of.size, of.number > 0) for side, of in sides.items()},
    }


def _response_entities(comparison: Comparison, rows: ErrorRows) -> tuple[IntArray, IntArray]:
    """(rows,) the response entity of each mention as a row of the table, and its number in its
    document; of a duplicated mention those of the entity that lists it again."""
    side = comparison.matching.response
    has_mentions = np.bincount(side.entity, minlength=len(side.entity_document)) > 0
    in_table = np.where(has_mentions, np.cumsum(has_mentions) - 1, -1)
    entity = np.where(rows.again < 0, np.append(side.entity, -1)[rows.response], rows.again)
    first = np.searchsorted(side.entity_document, rows.document)
    return np.append(in_table, -1)[entity], np.where(entity < 0, -1, entity - first + 1)
