"""Garbage in the name of every format: what it costs until it is read or refused.

A file of a format becomes half a megabyte of garbage, of one of fourteen shapes, or of good text,
and is read in a process of its own. The worst shape is compared with good text of the format: long
documents, or short ones if the garbage is short documents as well (JSON, a line again and again).
"""

import gc
import json
import os
import re
import resource
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from corescore import InputError
from corescore.corpus.files import read_files
from corescore.corpus.packed import Files
from tests.benchmarks.timing import Row
from tests.support.every_format import (
    CONLL_UA,
    CONLLU,
    ECBPLUS,
    ENTITIES,
    FILES,
    GAP,
    JSONS,
    MMAX,
    MMAX_WORDS,
    TEXT,
    TOKENS,
    WEBANNO,
    WORDS,
)

MB = 10**6
SIZE = MB // 2
REPAIRED = "inline --repair-brackets"
KINDS = (*FILES, REPAIRED)
_OPENING = re.compile(r"[(\[{<]\w+")
_LETTERS = "(){}[]<>|/\"'=:;,-_# \t\n1a"


def _last_opening(good, n):
    """Its last bracket opens again and again."""
    last = [*_OPENING.finditer(good)] or [*re.finditer(r"\S+", good)]
    start, end = last[-1].span()
    return good[:start] + _filled(good[start:end], n) + good[start:]


def _middle_line(good, n):
    lines = good.splitlines(keepends=True)
    at = len(lines) // 2
    return "".join([*lines[:at], _filled(lines[at], n), *lines[at:]])


def _filled(piece, n):
    return piece * (n // len(piece.encode()) + 1)


_SHORT = "its middle line"  # of JSON a document

# Each makes so many bytes or a few more of garbage, given a file as it should be.
SHAPES = {
    "lines of {": lambda good, n: _filled("{\n", n),
    "good, then lines of }{": lambda good, n: good + _filled("}{\n", n),
    "good, then lines of b": lambda good, n: good + _filled("b\n", n),
    "good, then empty lines": lambda good, n: good + _filled("\n", n) + "}",
    "good, then tabs": lambda good, n: good + _filled("\t" * 9 + "\n", n),
    "<m with many id=": lambda good, n: "<m " + _filled("id=", n),
    "an id that begins with blanks": lambda good, n: "](#" + " " * n,
    '<m id="1"> never closed': lambda good, n: _filled('<m id="1">', n),
    "{e1 never closed": lambda good, n: _filled("{e1 ", n),
    "its last opening": _last_opening,
    _SHORT: _middle_line,
    "halves of its lines": lambda good, n: _filled(
        "".join(line[: len(line) // 2] + "\n" for line in good.split("\n")), n
    ),
    "[ never closed": lambda good, n: good + _filled("[", n),
    "any characters": lambda good, n: good + "".join(Random(n).choices(_LETTERS, k=n)),
}

_SENTENCE = "# sent_id"
_MORE = "and then they went to see what the others did ."
_WORDS = _MORE.split()
_ROWS = "".join(f"d\t0\t0\t{word}\t-\n" for word in _WORDS)


def _conllu(text):
    head, sentence = text.split(_SENTENCE)
    return head, _SENTENCE + sentence


# Good text of a format: how it begins, and what is repeated, with %n for the number of the time.
REPEATED = {
    "conll": ("#begin document (d); part 000\n", f"d\t0\t0\tMia\t(1)\n{_ROWS}\n"),
    "conllu": _conllu(CONLLU.replace(CONLLU[CONLLU.index("4.1") :], "\n")),
    "conll-ua": _conllu(CONLL_UA),
    "inline": ("# d\n", f'[Mia](#1) gave [[her](#1) "brother"](#2) a bike {_MORE}\n'),
    "gap": (GAP[: GAP.index("d-1")], GAP[GAP.index("d-1") :].replace("d-1", "d-%n")),
    "winobias": ("", FILES["winobias"]["d.txt"]),
    "text2text-plain": ("", FILES["text2text-plain"]["d.txt"]),
    "sacr": ("#title: It\n\n", f"{{e1 Mia}} gave {{e2 {{e1 her}} brother}} a bike {_MORE}\n"),
    "notation": ("", f"# d%n\n{{{' '.join(_WORDS)}}} {{a1 b1}}\n"),
}


def _brat(n):
    """The text n times, five mentions and a link each."""
    rows = []
    for at in range(n):
        for number, (start, end) in enumerate(((0, 3), (9, 12), (9, 19), (20, 26), (43, 45))):
            place = f"{at * len(TEXT) + start} {at * len(TEXT) + end}"
            rows.append(f"T{5 * at + number}\tPerson {place}\t{TEXT[start:end]}\n")
        rows.append(f"R{at}\tCoref Arg1:T{5 * at + 1} Arg2:T{5 * at}\n")
    return {"d.ann": "".join(rows), "d.txt": TEXT * n}


def _litbank(n):
    """The text n times, two mentions of an entity each."""
    row = "MENTION\tT{0}{1}\t{0}\t{1}\t{0}\t{1}\t{2}\tPER\tPROP\nCOREF\tT{0}{1}\tMia-{0}\n"
    rows = (row.format(at, *one) for at in range(n) for one in ((0, "Mia"), (2, "her")))
    return {"d.ann": "".join(rows), "d.txt": "Mia gave her sister a bike .\n" * n}


def _booknlp(n):
    words = enumerate(WORDS * n)
    tokens = (f"0\t{at // len(WORDS)}\t{at}\t{word}\tX\n" for at, word in words)
    row = "7\t{0}\t{0}\tPROP\tPER\tMia\n9\t{1}\t{2}\tNOM\tANI\ther cat\n"
    rows = (row.format(at, at + 2, at + 3) for at in range(0, len(WORDS) * n, len(WORDS)))
    heads = (one[: one.index("\n") + 1] for one in (ENTITIES, TOKENS))
    entities, of_tokens = (
        "".join([head, *of]) for head, of in zip(heads, (rows, tokens), strict=True)
    )
    return {"d.entities": entities, "d.tokens": of_tokens}


def _webanno(n):
    sentence = (
        "{0}-1\t{3}-{4}\tMia\t*->{1}-1\tname[{1}]\n"
        "{0}-2\t{5}-{6}\ther\t*->{1}-2|*->{2}-1\tpron[{1}]|*[{2}]\n"
        "{0}-3\t{7}-{8}\tsister\t*->{2}-1\t*[{2}]\n\n"
    )
    places = (0, 3, 4, 7, 8, 14)
    every = (
        sentence.format(at + 1, 2 * at + 1, 2 * at + 2, *(15 * at + one for one in places))
        for at in range(n)
    )
    return {"d.tsv": WEBANNO[: WEBANNO.index("1-1\t")] + "".join(every)}


def _mmax(n):
    words = enumerate(WORDS * n, start=1)
    one = '<markable id="markable_{0}" span="word_{0}" coref_class="set_{1}" mention="np"/>\n'
    every = (one.format(at * len(WORDS) + 1, at // 2) for at in range(n))
    head, end = MMAX[: MMAX.index("<markable ")], "</markables>\n"
    of_words = (f'<word id="word_{at}">{word}</word>\n' for at, word in words)
    before = MMAX_WORDS[: MMAX_WORDS.index("<word ")]
    return {
        "d_coref_level.xml": "".join([head, *every, end]),
        "d_words.xml": "".join([before, *of_words, "</words>\n"]),
    }


def _ecbplus(n):
    row = '<token t_id="{0}" sentence="{1}" number="{2}">{3}</token>\n'
    size = len(WORDS)
    tokens = (row.format(at + 1, at // size, at % size, word) for at, word in enumerate(WORDS * n))
    return {"1/1_1ecb.xml": re.sub("(<token .*\n)+", lambda _: "".join(tokens), ECBPLUS)}


# Good text of a format of two files or of numbered parts
_MADE = {
    "brat": _brat,
    "litbank": _litbank,
    "booknlp": _booknlp,
    "webanno": _webanno,
    "mmax2": _mmax,
    "ecbplus": _ecbplus,
    "ecbplus-topics": _ecbplus,
}


def _compared(kind):
    """The format whose good text garbage of this one is compared with: CoNLL for TEI and Stanza."""
    return kind if kind.split()[0] in {*JSONS, *REPEATED, *_MADE} else "conll"


def good_text(kind, *, long=True):
    """Half a megabyte of good text of a format, in long documents or, of JSON, in short ones."""
    known = kind.split()[0]
    if known in _MADE:
        once = sum(map(len, _MADE[known](1000).values())) / 1000
        return {name: of.encode() for name, of in _MADE[known](int(SIZE / once) + 1).items()}
    if known in JSONS:
        name, document = "d.json", json.dumps(_long(JSONS[known]) if long else JSONS[known])
        n = SIZE // len(document) + 1
        text = "".join(_OWN_NAME.sub(rf"\g<1>{at}\2", document) + "\n" for at in range(n))
    else:
        name, (start, piece) = next(iter(FILES[known])), REPEATED[known]
        n = (SIZE - len(start)) // len(piece) + 1
        text = start + "".join(piece.replace("%n", str(at)) for at in range(n))
    return {name: text.encode()}


_OWN_NAME = re.compile(r'("(?:doc_key|docId|document_id|doc_id|name|scene_id|id)": "\w+)(")')


def _long(value):
    """A document of JSON with its words a hundred times."""
    if value == WORDS:
        return WORDS * 100
    if isinstance(value, dict):
        return {name: _long(item) for name, item in value.items()}
    return [*map(_long, value)] if isinstance(value, list) else value


@dataclass(frozen=True)
class Cost:
    """What reading took for each MB: processor time in seconds, and memory in MB; how it ended."""

    seconds: float
    memory: float
    end: str


def garbage(kind, shape, n_bytes):
    """The files of a format, the first of them garbage of a shape."""
    every = FILES[kind.split()[0]]
    files = {name: text.encode() for name, text in every.items()}
    name, good = next(iter(every.items()))
    return files | {name: SHAPES[shape](good, n_bytes).encode()}


def cost(kind, files):
    """What it takes to read or refuse files in the name of a format, in a process of its own."""
    size = sum(map(len, files.values())) / MB
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        measured = [0, 0, "died"]
        try:
            measured = _measured(kind, files)
        except BaseException as error:
            measured = [0, 0, type(error).__name__]
        finally:
            os.write(write_end, json.dumps(measured).encode())
            os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        answer = pipe.read()
    _, status, usage = os.wait4(child, 0)
    if os.WIFSIGNALED(status):
        died = signal.Signals(os.WTERMSIG(status)).name
        return Cost((usage.ru_utime + usage.ru_stime) / size, usage.ru_maxrss / 1000 / size, died)
    seconds, memory, end = json.loads(answer)
    return Cost(seconds / size, memory / size, end)


def _measured(kind, files):
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    resource.setrlimit(resource.RLIMIT_AS, (6 * 10**9, 6 * 10**9))
    gc.freeze()  # what the copied process has is not looked through
    Path("/proc/self/clear_refs").write_text("5")
    before, begun = _peak(), time.process_time()
    try:
        end = end_of(kind, files)
    except Exception as error:
        end = f"{type(error).__name__}!"
    return [time.process_time() - begun, _peak() - before, end]


def _peak():
    """The most memory that this process has had, in MB."""
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1000


def end_of(kind, files):
    """ "read", or the first line of what it is refused with."""
    format_, *repaired = kind.split()
    every = Files("all", tuple(sorted(files)), files.__getitem__)
    try:
        read_files(every, format_, "key", bool(repaired))
    except InputError as error:
        return str(error).split("\n")[0]
    return "read"


def warm_up():
    """Read a little of each format, for a process that is then copied for each cost."""
    for kind in KINDS:
        for shape in SHAPES:
            end_of(kind, garbage(kind, shape, 100))


def least(kind, files):
    """The least of three costs: other programs only add to it."""
    return min((cost(kind, files) for _ in range(3)), key=lambda found: found.seconds)


def rows():
    """A row for each format: the shape of garbage that takes longest, beside good text."""
    warm_up()
    for kind in KINDS:
        compared = _compared(kind)
        good = {long: least(compared, good_text(compared, long=long)) for long in (True, False)}
        assert all(found.end == "read" for found in good.values()), good
        costs = {shape: least(kind, garbage(kind, shape, SIZE)) for shape in SHAPES}
        times = {
            shape: found.seconds / good[compared not in JSONS or shape != _SHORT].seconds
            for shape, found in costs.items()
        }
        shape = max(times, key=times.__getitem__)
        length = "short documents of " * (compared in JSONS and shape == _SHORT)
        yield Row(
            f"a MB of garbage as {kind} ({shape})",
            costs[shape].seconds,
            times[shape],
            f"{times[shape]:.1f} times a MB of good {length}{compared}",
            megabytes=max(found.memory for found in costs.values()),
            goal="garbage",
        )
