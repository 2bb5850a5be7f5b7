"""How many small faults do the tests find? `make faults`, or `python -m tests.faults WORD …`.

Each fault of `tests.support.faults` is made in a copy of the project, never in the project itself,
and the tests of what it touches run on it until one fails. A fault that no test finds is printed as
SURVIVED: write the missing test. Exit code 0 if nine of ten faults are found, 1 if fewer are, 2 if
a fault cannot be made or the tests fail without any.
"""

import argparse
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from time import monotonic

from tests.support.faults import FAULTS
from tests.support.faults.fault import ROOT, FaultError

SHARE = 0.9  # of the faults must be found
MOST_SECONDS = 300  # for the tests of a fault
COPIED = (
    "corescore",
    "dashboard",
    "docs",
    "sample_data",
    "tests",
    "pyproject.toml",
    "README.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
)
FOUND, SURVIVED, TIMED_OUT = "killed", "SURVIVED", "killed (out of time)"
_PASSED, _FAILED = 0, 1  # exit codes of pytest


def main(words=(), *, processes=2):
    """Make the faults whose name or file has one of the words, or all; the exit code."""
    chosen = [fault for fault in FAULTS if not words or any(_has(fault, word) for word in words)]
    try:
        for fault in FAULTS:
            fault.check()
        if not chosen:
            raise FaultError(f"no fault has {' or '.join(words)} in its name or file")
        with TemporaryDirectory(prefix="faults-") as folder:
            copies = [_copy(Path(folder) / str(number)) for number in range(processes)]
            _check_tests_pass(chosen, copies)
            n_found = sum(_told(chosen, copies))
    except FaultError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"killed {n_found} of {len(chosen)}")
    return 0 if n_found >= SHARE * len(chosen) else 1


def _has(fault, word):
    return word.lower() in f"{fault.name} {fault.file}".lower()


def _copy(place):
    """A copy of what the tests need."""
    ignored = shutil.ignore_patterns("__pycache__", ".hypothesis")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=ignored)
        else:
            shutil.copy2(source, place / name)
    return place


def _check_tests_pass(faults, copies):
    """Raises FaultError if a test fails without any fault: it would find all of them."""
    tests = list(dict.fromkeys((test, _is_slow(one)) for one in faults for test in one.tests))
    groups = [
        ([test for test, slow in tests if slow is is_slow][at :: len(copies)], is_slow, copy)
        for is_slow in (False, True)
        for at, copy in enumerate(copies)
    ]
    with ThreadPoolExecutor(len(copies)) as pool:
        runs = pool.map(lambda group: _run(*group, seconds=20 * MOST_SECONDS), groups)
        for (named, *_), (code, said) in zip(groups, runs, strict=True):
            if named and code != _PASSED:
                raise FaultError(f"without a fault, exit code {code}:\n{said}")


def _told(faults, copies):
    """Make the faults, as many at once as there are copies; say of each whether it was found."""
    free: SimpleQueue[Path] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    def tried(fault):
        copy, start = free.get(), monotonic()
        try:
            return fault, _outcome(fault, copy), monotonic() - start
        finally:
            free.put(copy)

    with ThreadPoolExecutor(free.qsize()) as pool:
        for fault, outcome, seconds in pool.map(tried, faults):
            print(f"{outcome}  {fault.name}  ({fault.file}, {seconds:.0f} s)", flush=True)
            yield outcome != SURVIVED


def _outcome(fault, copy):
    with _made(fault, copy):
        code, said = _run(fault.tests, _is_slow(fault), copy, seconds=MOST_SECONDS)
    if code is None:
        return TIMED_OUT
    if code not in (_PASSED, _FAILED):
        raise FaultError(f"{fault.name}: exit code {code}; expected tests that run:\n{said}")
    return FOUND if code == _FAILED else SURVIVED


def _is_slow(fault):
    """Whether slow tests may find it: a script runs only in a browser."""
    return fault.file.endswith(".js")


@contextmanager
def _made(fault, copy):
    """Make the fault in a copy, and take it back."""
    path = copy / fault.file
    before, times = path.read_bytes(), path.stat()
    path.write_text(fault.made_in(before.decode()), encoding="utf-8")
    # Python compares whole seconds and sizes before it compiles a file anew.
    os.utime(path, (times.st_atime, times.st_mtime + 10 + FAULTS.index(fault)))
    try:
        yield
    finally:
        path.write_bytes(before)
        os.utime(path, (times.st_atime, times.st_mtime))


def _run(tests, is_slow, copy, *, seconds):
    """Run tests of a copy until one fails: the exit code, None if time was up; what they said."""
    if not tests:
        return _PASSED, ""
    which = [] if is_slow else ["-m", "not slow"]
    how = ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-profile", "faults"]
    command = [sys.executable, "-m", "pytest", *how, *which, *tests]
    process = subprocess.Popen(
        command,
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        return None, ""
    return process.returncode, said[-3000:]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="How many small faults do the tests find?")
    parser.add_argument("words", nargs="*", help="only faults with one of these in name or file")
    parser.add_argument("--processes", type=int, default=2, help="how many at once (default: 2)")
    options = parser.parse_args()
    sys.exit(main(options.words, processes=options.processes))
