"""`corescore baseline` and `convert`: files made out of files."""

import argparse
import sys

from corescore.analysis.perturbation.baselines import BASELINES, baseline
from corescore.cli.shell import Command, Parser, add_format, warn
from corescore.corpus.formats import read, write
from corescore.corpus.formats.conll import write_conll


def _add_baseline(parser: Parser) -> None:
    parser.add_argument("key", metavar="KEY", help="the file whose mentions to group")
    parser.add_argument("--kind", choices=tuple(BASELINES), required=True, help="how to group them")
    parser.add_argument("--out", metavar="FILE", help="write there instead of printing as conll")
    add_format(parser, "--input-format", "the format of KEY")


def _add_convert(parser: Parser) -> None:
    parser.add_argument("source", metavar="IN", help="the file to read")
    parser.add_argument(
        "target", metavar="OUT", help="the file to write; gzipped if it ends in .gz"
    )
    add_format(parser, "--from", "the format of IN", dest="source_format")
    add_format(parser, "--to", "the format of OUT, else by its ending", dest="target_format")


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
    Command("baseline", "a simple response on the key's own mentions", _add_baseline, _baseline),
    Command("convert", "rewrite a file in another format", _add_convert, _convert),
)
