"""`corescore baseline` and `convert`."""

import argparse
import sys

from corescore.analysis.perturbation.baselines import BASELINES, baseline
from corescore.cli.shell import Command, Parser, add_format, add_input_format, warn
from corescore.corpus.formats import read, write
from corescore.corpus.formats.conll_writer import write_conll


def _add_baseline(parser: Parser) -> None:
    parser.add_argument("key", metavar="KEY", help="the file with the mentions to group")
    parser.add_argument(
        "--kind", choices=tuple(BASELINES), required=True, help="how to group the mentions"
    )
    parser.add_argument("--out", metavar="FILE", help="write to FILE instead of printing as conll")
    add_input_format(parser)


def _add_convert(parser: Parser) -> None:
    parser.add_argument("source", metavar="IN", help="the file to read")
    parser.add_argument(
        "target", metavar="OUT", help="the file to write; gzipped if it ends in .gz"
    )
    add_format(parser, "--from", "format of IN", dest="source_format")
    add_format(parser, "--to", "format of OUT", found="its ending", dest="target_format")


def _baseline(options: argparse.Namespace) -> None:
    corpus = baseline(read(options.key, format=options.input_format), kind=options.kind)
    if options.out:
        write(corpus, options.out)
    else:
        sys.stdout.write(write_conll(corpus))


def _convert(options: argparse.Namespace) -> None:
    corpus = read(options.source, format=options.source_format)
    warn(corpus.warnings)
    write(corpus, options.target, format=options.target_format)


COMMANDS = (
    Command("baseline", "write a simple response on the key's mentions", _add_baseline, _baseline),
    Command("convert", "rewrite a file in another format", _add_convert, _convert),
)
