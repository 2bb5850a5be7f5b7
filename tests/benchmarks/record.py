"""A run of the benchmarks as a dated file, as a table, and compared with another run."""

import json
import os
import platform
import re
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import count
from pathlib import Path

from tests.benchmarks.timing import Row

RESULTS = Path(__file__).with_name("results")
HEAD = "| what | measured | against | wanted |\n|---|---|---|---|\n"
SLOWER = 1.05  # of ratios, which differ by less from run to run than times do
PACKAGES = ("numpy", "scipy", "pandas", "streamlit", "plotly", "scorch")


@dataclass(frozen=True)
class Record:
    """The rows of one run, when it was and on what."""

    date: str
    version: str
    machine: dict[str, str | int]
    rows: tuple[Row, ...]

    @classmethod
    def of(cls, rows):
        today = datetime.now(UTC).date().isoformat()
        return cls(today, version("corescore"), machine(), tuple(rows))

    @classmethod
    def read(cls, path):
        values = json.loads(path.read_text(encoding="utf-8"))
        rows = tuple(Row(**row) for row in values["rows"])
        return cls(values["date"], values["version"], values["machine"], rows)

    def write(self, folder=RESULTS):
        """The file, named by the date.

        A second run of a day replaces the first of the same machine and packages; beside one of
        others it is written as the second, third, … of the day.
        """
        folder.mkdir(exist_ok=True)
        names = (f"{self.date}{f'-{n}' if n > 1 else ''}.json" for n in count(1))
        path = next(folder / name for name in names if self._may_replace(folder / name))
        text = json.dumps(asdict(self), ensure_ascii=False, indent=1)
        path.write_text(text + "\n", encoding="utf-8")
        return path

    def _may_replace(self, path):
        return not path.exists() or Record.read(path).machine == self.machine

    @property
    def table(self):
        """The rows as Markdown."""
        return HEAD + "".join(map(line, self.rows))


def line(row):
    return f"| {row.what} | {row.measured} | {row.against} | {row.wanted} |\n"


def machine():
    """What the run depends on, but for what else the machine did meanwhile."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "processors": os.cpu_count() or 0,
        "gigabytes": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
    }


def _processor():
    """The name of the processor; "" where the system does not tell."""
    facts = Path("/proc/cpuinfo")
    text = facts.read_text(encoding="utf-8") if facts.exists() else ""
    found = re.search(r"model name\s*:\s*(.*)", text)
    return found[1] if found else platform.processor()


def newest(folder=RESULTS):
    """The last file by date, and by number of the day. FileNotFoundError if there is none."""
    if files := [*folder.glob("*.json")]:
        return max(files, key=lambda path: (path.stem[:10], int(path.stem[11:] or 1)))
    raise FileNotFoundError(f"no run of the benchmarks in {folder}: run `make bench` first")


def compared(old, new):
    """A line for each row of either run: what became slower or faster, and by how much; before
    them one for each fact in which the machines differ.

    Ratios are compared where both have one, since the machines may differ; else the times.
    """
    for fact in dict.fromkeys([*old.machine, *new.machine]):
        values = [str(record.machine.get(fact, "unknown")) for record in (old, new)]
        if values[0] != values[1]:
            yield f"other machine or packages: {fact} {' → '.join(values)}"
    before = {name_of(row): row for row in old.rows}
    after = {name_of(row): row for row in new.rows}
    for name in dict.fromkeys([*before, *after]):
        if name not in after or name not in before:
            yield f"only in {'the old' if name in before else 'the new'} run: {name}"
            continue
        times, by = _slowdown(before[name], after[name])
        verdict = "slower" if times > SLOWER else "faster" if times < 1 / SLOWER else "the same"
        yield f"{verdict}: {name}, {times:.2f} times as long by {by}"


def name_of(row):
    """What was measured, without the numbers in it that depend on the run."""
    return re.sub(r"reading [\d.]+ MB", "reading", row.what)


def _slowdown(old, new):
    """How many times as long the new run took, and by which figure."""
    if old.ratio and new.ratio:
        return new.ratio / old.ratio, f"its ratio ({old.ratio:.2f} → {new.ratio:.2f})"
    times = new.value / old.value if new.unit != "MB/s" else old.value / new.value
    return times, f"the time alone ({old.measured} → {new.measured})"
