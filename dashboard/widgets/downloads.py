"""Names of `tables` and `charts` before pages were functions; goes with the last that uses them."""

from typing import Any

from corescore.plots import template
from corescore.rendering.files import file_name
from dashboard.widgets.charts import _format
from dashboard.widgets.tables import download as table

__all__ = ["pictures", "table"]


def pictures(*name: str) -> dict[str, Any]:
    """What `st.plotly_chart` takes as `config`."""
    return template.config(file_name(*name), _format().lower())
