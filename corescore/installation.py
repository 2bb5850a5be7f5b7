"""Where the folders that stand beside `corescore/` are: in a checkout, and once installed."""

from pathlib import Path

PACKAGE = Path(__file__).parent
SAMPLE = ("key.conll", "cautious.conll")  # of sample_data: the key, and the response of a system


def bundled(name: str) -> Path:
    """The folder `name` ("dashboard" or "sample_data"): beside `corescore/` in a checkout, in
    `corescore/bundled/` once installed, so that only `corescore` lands in site-packages."""
    inside = PACKAGE / "bundled" / name
    return inside if inside.is_dir() else PACKAGE.parent / name
