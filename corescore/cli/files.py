"""`corescore baseline` and `convert`."""

import argparse
import sys

from corescore.analysis.perturbation.baselines import BASELINES, baseline
from corescore.cli.shell import (
    FORCE,
    INPUT_FORMAT,
    REPAIR_BRACKETS,
    Command,
    format_option,
    option,
    out,
    warn,
)
from corescore.corpus.formats import WRITTEN, read, write
from corescore.corpus.formats.conll_writer import write_conll


def _baseline(options: argparse.Namespace) -> None:
    key = read(options.key, format=options.input_format)
    warn(key.warnings)
    corpus = baseline(key, kind=options.kind)
    if options.out:
        warn(write(corpus, options.out, force=options.force))
    else:
        sys.stdout.write(write_conll(corpus))


def _convert(options: argparse.Namespace) -> None:
    corpus = read(
        options.source, format=options.source_format, repair_brackets=options.repair_brackets
    )
    warn(corpus.warnings)
    warn(write(corpus, options.out, format=options.target_format, force=options.force))


_BASELINE_OPTIONS = (
    option("key", "the file with the mentions to group", "KEY"),
    option("--kind", "how to group the mentions", choices=tuple(BASELINES), required=True),
    *out("write to FILE instead of printing as conll"),
    INPUT_FORMAT,
)
_CONVERT_OPTIONS = (
    option("source", "the file to read", "IN"),
    option("out", "the file to write; gzipped if it ends in .gz", "OUT"),
    format_option("--from", "format of IN", dest="source_format"),
    format_option("--to", "format of OUT", found="its ending", known=WRITTEN, dest="target_format"),
    REPAIR_BRACKETS,
    FORCE,
)
_ABOUT_BASELINE = "write a simple response on the key's mentions"
COMMANDS = (
    Command("baseline", _ABOUT_BASELINE, _BASELINE_OPTIONS, _baseline),
    Command("convert", "rewrite a file in another format", _CONVERT_OPTIONS, _convert),
)
