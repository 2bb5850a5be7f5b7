"""Results as text, files and HTML."""

from pathlib import Path

STYLES = Path(__file__).parent / "static"
