"""The wheel: what is in it, and that it works outside of the checkout."""

import importlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import corescore

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy so that nothing is left in the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = (
        f"git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t {folder}"
    )
    subprocess.run(copy, shell=True, cwd=ROOT, check=True)
    command = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        folder,
        folder,
    ]
    subprocess.run(command, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.mark.slow
def test_only_corescore_stands_at_the_top_of_the_wheel(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"corescore"}


@pytest.mark.slow
def test_the_wheel_holds_the_dashboard_the_sample_and_the_type_marker(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for path in (
        "corescore/py.typed",
        "corescore/bundled/dashboard/app.py",
        "corescore/bundled/sample_data/key.conll",
        "corescore/bundled/sample_data/textbook/luo2005.key.txt",
    ):
        assert path in names
    tracked = subprocess.run(
        ["git", "ls-files", "corescore", "dashboard", "sample_data"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    inside = {
        path if path.startswith("corescore/") else f"corescore/bundled/{path}" for path in tracked
    }
    assert inside <= names


@pytest.mark.slow
def test_the_installed_wheel_scores_its_own_sample_outside_of_the_checkout(
    wheel: Path, tmp_path: Path
) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    script = (
        "import corescore, sys; from corescore.util import bundled; "
        "sys.path.append(str(bundled('dashboard').parent)); import dashboard.launch; "
        "sample = bundled('sample_data'); print(corescore.__file__); "
        "print(corescore.score(*(corescore.read(sample / f'{n}.conll') for n in ('key', 'greedy')))"
        "['conll'].f1)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        check=True,
    )
    where, f1 = answer.stdout.split()
    assert Path(where).is_relative_to(tmp_path)
    assert 0 < float(f1) < 1


@pytest.mark.parametrize("start", ["import corescore", "from corescore.cli.program import _parser"])
def test_nothing_slow_is_imported_before_it_is_needed(start: str) -> None:
    """pandas and plotly take longer to import than most corpora take to score."""
    script = f"import sys; {start}; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    answer = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "corescore" in answer.stdout.split()
    slow = {"pandas", "plotly", "scipy", "streamlit", "jinja2", "rich"}
    assert slow.isdisjoint(answer.stdout.split())


def test_the_benchmarks_know_the_core_as_it_is() -> None:
    assert set(importlib.import_module("tests.benchmarks.__main__").BENCHMARKS) >= {"scoring"}


def test_the_public_names_are_those_that_are_imported_when_one_is_needed() -> None:
    public = importlib.import_module("corescore.api")
    assert corescore.__all__ == public.__all__
    for name in public.__all__:
        assert getattr(corescore, name) is getattr(public, name)
    assert corescore.scoring.__name__ == "corescore.scoring"
    assert {*corescore.__all__} <= {*dir(corescore)}
    with pytest.raises(AttributeError, match="module 'corescore' has no attribute 'scores'"):
        corescore.scores  # noqa: B018
