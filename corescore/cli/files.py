"""`corescore baseline` and `convert`."""

import argparse

from corescore.analysis.perturbation.baselines import BASELINES, baseline
from corescore.cli.options import (
    FORCE,
    INPUT_FORMAT,
    REPAIR_BRACKETS,
    UNPACK_LIMIT,
    Command,
    format_option,
    option,
    out,
)
from corescore.cli.shell import warn
from corescore.cli.standard_output import print_exactly
from corescore.corpus.formats import WRITTEN, read, write
from corescore.corpus.formats.conll_writer import write_conll
from corescore.counting.pairing import pair_documents
from corescore.scoring.noticed import OfSide, no_mentions


def _baseline(options: argparse.Namespace) -> None:
    key = read(options.key, format=options.input_format)
    of = read(options.response, format=options.input_format) if options.response else None
    warn(pair_documents(key, of).warnings if of else key.warnings)
    warn(no_mentions(OfSide.read((of or key).documents), options.response or options.key))
    corpus = baseline(key, kind=options.kind, mentions_of=of)
    if options.out:
        warn(write(corpus, options.out, force=options.force))
    else:
        print_exactly(write_conll(corpus))


def _convert(options: argparse.Namespace) -> None:
    corpus = read(
        options.source, format=options.source_format, repair_brackets=options.repair_brackets
    )
    warn((*corpus.warnings, *no_mentions(OfSide.read(corpus.documents), options.source)))
    warn(write(corpus, options.out, format=options.target_format, force=options.force))


_BASELINE_OPTIONS = (
    option("key", "the file with the mentions to group", "KEY"),
    option("--kind", "how to group the mentions", choices=tuple(BASELINES), required=True),
    option(
        "--mentions-of",
        "a response to KEY: group its mentions instead of the key's",
        "RESPONSE",
        dest="response",
    ),
    *out("write to FILE instead of printing as conll"),
    INPUT_FORMAT,
    UNPACK_LIMIT,
)
_CONVERT_OPTIONS = (
    option("source", "the file to read", "IN"),
    option("out", "the file to write; gzipped if it ends in .gz", "OUT"),
    format_option("--from", "format of IN", dest="source_format"),
    format_option("--to", "format of OUT", found="its ending", known=WRITTEN, dest="target_format"),
    REPAIR_BRACKETS,
    UNPACK_LIMIT,
    FORCE,
)
_ABOUT_BASELINE = "write a simple response on the mentions of the key or of a response"
COMMANDS = (
    Command("baseline", _ABOUT_BASELINE, _BASELINE_OPTIONS, _baseline),
    Command("convert", "rewrite a file in another format", _CONVERT_OPTIONS, _convert),
)
