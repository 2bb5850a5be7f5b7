"""Values as JSON takes them."""

import math
from collections.abc import Mapping
from typing import Any


def finite(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with None for each number that JSON does not have."""
    return {name: _finite(value) for name, value in fields.items()}


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return finite(value)
    if isinstance(value, list):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
