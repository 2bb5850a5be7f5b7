"""A copy of the project with the README's own metric registered, as its "Add your own" says."""

import re
import shutil
from pathlib import Path

HOME = Path(__file__).parents[2]


def plant(folder):
    """Copy the project into a folder, and add the README's metric to it."""
    for name in ("corescore", "dashboard", "sample_data"):
        shutil.copytree(HOME / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    readme = (HOME / "README.md").read_text(encoding="utf-8")
    (written,) = re.findall(r"```python mymetric.py\n(.*?)```", readme, re.DOTALL)
    (folder / "corescore/metrics/shared.py").write_text(written, encoding="utf-8")
    registry = folder / "corescore/metrics/registry.py"
    text = registry.read_text(encoding="utf-8")
    text = text.replace("    LEA,\n)", "    LEA,\n    SHARED,\n)")
    line = "from corescore.metrics.shared import SHARED\n"
    text = text.replace("\n\n__all__", f"\n{line}\n__all__", 1)
    assert len(re.findall(r"\bSHARED\b", text)) == 2
    registry.write_text(text, encoding="utf-8")
    return folder
