"""Names of `selection` before pages were functions; goes with the last page that uses them."""

from dashboard.widgets.selection import (
    restore_selection as keep_choice,
)
from dashboard.widgets.selection import (
    select_document as choose_document,
)
from dashboard.widgets.selection import (
    select_letter as choose_letter,
)
from dashboard.widgets.selection import (
    select_measure as choose_measure,
)
from dashboard.widgets.selection import (
    select_metric as choose_metric,
)
from dashboard.widgets.selection import (
    select_slice as choose_slice,
)

__all__ = [
    "choose_document",
    "choose_letter",
    "choose_measure",
    "choose_metric",
    "choose_slice",
    "keep_choice",
]
