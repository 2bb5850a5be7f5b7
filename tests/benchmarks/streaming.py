"""Files scored in batches: how fast, and in how much memory, as processes of their own."""

import json
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import numpy as np

from tests.benchmarks.timing import Row, alternating, milliseconds

SEED = 20162
MENTIONS = 500  # of a document
WORDS = 3_600
DIFFERENT = 100  # documents; the others are these again under other names
SMALL, LARGE = 100_000, 10_000_000  # mentions of the key
_NAME = "@"
_PADDING = "-\t-\t-\t-\t-\tspeaker\t*\t*\t*"


def rows():
    """A corpus that is large enough to tell the rate and the memory; the same by two workers."""
    with _sides(SMALL) as paths:
        yield _row(SMALL, paths)
        yield _two_workers(paths)


def long_rows():
    """Ten million mentions in 8 GB of text; it takes minutes, and the disk for it."""
    with _sides(LARGE) as paths:
        yield _row(LARGE, paths)


@contextmanager
def _sides(n_mentions):
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        paths = [Path(folder, name) for name in ("key.conll", "response.conll")]
        write_sides(paths[0], paths[1], n_mentions)
        yield paths


def _row(n_mentions, paths):
    start = time.perf_counter()
    found = _scored(paths)
    took = time.perf_counter() - start
    against = f"{_megabytes(paths) / took:.0f} MB/s, {found['documents']} documents"
    what = f"streaming: {n_mentions} mentions in {_megabytes(paths):.0f} MB"
    return Row(what, took, against=against, megabytes=found["megabytes"], goal="streaming")


def _two_workers(paths):
    def score(workers):
        command = [sys.executable, "-m", "corescore", "score", *map(str, paths)]
        command += ["--workers", str(workers)]
        subprocess.run(command, capture_output=True, check=True)

    ours, alone = alternating(lambda: score(2), lambda: score(1), turns=2, clock=time.perf_counter)
    against = f"{alone / ours:.2f} times as fast as one worker ({milliseconds(alone)})"
    what = f"two workers: corescore score of the same {_megabytes(paths):.0f} MB"
    return Row(what, ours, ours / alone, against)


def _megabytes(paths):
    return sum(path.stat().st_size for path in paths) / 1e6


def _scored(paths):
    """What a process of its own says that scores the two files."""
    command = [sys.executable, "-m", "tests.benchmarks.streaming", *map(str, paths)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)


def write_sides(key, response, n_mentions):
    """Write a key and a response of so many mentions, a document after the other.

    Sizes of entities are drawn from a Pareto distribution. The response lacks a fifth of the
    mentions and puts a tenth into other entities.
    """
    texts = [_texts(number) for number in range(DIFFERENT)]
    with key.open("w") as of_key, response.open("w") as of_response:
        for number in range(-(-n_mentions // MENTIONS)):
            name = f"document{number:07d}"
            for out, text in zip((of_key, of_response), texts[number % DIFFERENT], strict=True):
                out.write(text.replace(_NAME, name))


def _texts(number):
    """A document of the key and of the response."""
    rng = np.random.default_rng([SEED, number])
    start = np.sort(rng.choice(WORDS // 4, MENTIONS, replace=False)) * 4
    spans = np.column_stack([start, start + rng.integers(1, 4, MENTIONS)])
    sizes = (1 + rng.pareto(1.0, MENTIONS)).clip(max=MENTIONS).astype(np.int64)
    entity = rng.permutation(np.repeat(np.arange(MENTIONS), sizes)[:MENTIONS])
    found = rng.random(MENTIONS) >= 0.2
    moved = rng.random(MENTIONS) < 0.1
    heard = np.where(moved, rng.permutation(entity), entity)
    return _text(spans, entity), _text(spans[found], heard[found])


def _text(spans, entity):
    cells = np.full(WORDS, "-", dtype=object)
    for (start, end), of in zip(spans.tolist(), entity.tolist(), strict=True):
        if end - start == 1:
            cells[start] = f"({of})"
        else:
            cells[start], cells[end - 1] = f"({of}", f"{of})"
    text = StringIO()
    text.write(f"#begin document ({_NAME}); part 000\n")
    for at, cell in enumerate(cells):
        text.write(f"{_NAME}\t0\t{at % 20}\tword{at * 7919 % 9973}\t{_PADDING}\t{cell}\n")
        if at % 20 == 19:
            text.write("\n")
    text.write("#end document\n")
    return text.getvalue()


def _main(key, response):
    """Score two files and print what the process took; the peak is its own, not its parent's."""
    import corescore

    made = corescore.score_files(key, response)
    status = Path("/proc/self/status").read_text().split("VmHWM:")[1]
    kilobytes = int(status.split()[0])
    print(json.dumps({"documents": len(made.documents), "megabytes": kilobytes / 1024}))


if __name__ == "__main__":
    _main(*sys.argv[1:])
