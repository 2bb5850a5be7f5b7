"""The command line: parse, call, print. Exit code 2 and one message where the input is wrong."""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

from corescore.baselines import BASELINES, baseline
from corescore.comparison import SIDES
from corescore.documents import Corpus
from corescore.formats import FORMATS, read, write
from corescore.formats.conll import write_conll
from corescore.matching import MATCHERS, REPEATS, SINGLETONS
from corescore.metrics import BLANC_VARIANTS, DIAGNOSTICS, METRICS
from corescore.output import OUTPUTS, SHOWN, TITLES, Report, render_frame
from corescore.pairing import MISSING_DOCUMENTS
from corescore.problems import InputError, PolicyError, Problem, choose
from corescore.scoring import AVERAGES, CONLL, Result, score
from corescore.version import __version__

SECONDS_BEFORE_PROGRESS = 2.0

EXAMPLES = """examples:
  corescore score key.conll response.conll
  corescore score key.conll first.conll second.conll --per-document --format markdown
  corescore score gold/ output/ --metrics muc,bcub,ceafe --singletons drop --format json
  corescore credit key.conll response.conll --metric bcub --by link --document NAME
  corescore errors key.conll response.conll --impact
  corescore baseline key.conll --kind same-head --out heads.conll
  corescore convert predictions.jsonl predictions.conll
  corescore dashboard key.conll response.conll
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 if it worked, 2 if the input or the options are wrong."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
        sys.stdout.flush()
    except (InputError, PolicyError) as error:
        print(f"corescore: {error}".replace("\n", "\n  "), file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = _command_parser(
        argparse.ArgumentParser,
        "Score coreference resolution by all six metrics.",
        prog="corescore",
    )
    parser.add_argument("--version", action="version", version=f"corescore {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, about: str, run: Callable[[argparse.Namespace], None]) -> _Parser:
        made = _command_parser(commands.add_parser, about, name=name, help=about)
        made.set_defaults(run=run)
        return made

    _add_score(command("score", "score one or more responses against a key", _score))
    _add_credit(command("credit", "what a metric credits, by link, mention or entity", _credit))
    _add_errors(command("errors", "every error, by kind, document, entity or mention", _errors))
    _add_baseline(command("baseline", "a simple response on the key's own mentions", _baseline))
    _add_convert(command("convert", "rewrite a file in another format", _convert))
    _add_dashboard(command("dashboard", "see it all in a browser", _dashboard))
    command("metrics", "list the metrics and where they were defined", _metrics)
    return parser


_Parser = argparse.ArgumentParser


def _command_parser(make: Callable[..., _Parser], about: str, **values: str) -> _Parser:
    return make(
        description=about,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        **values,
    )


def _add_score(parser: _Parser) -> None:
    file = "a file (plain or .gz), or a folder whose files are matched by name"
    parser.add_argument("key", metavar="KEY", help=f"the gold entities: {file}")
    parser.add_argument("responses", metavar="RESPONSE", nargs="+", help=f"an output: {file}")
    known = f"{', '.join(TITLES)} (default: {', '.join(SHOWN)})"
    parser.add_argument("--metrics", metavar="ID,ID,…", help=f"what to show: {known}")
    parser.add_argument("--per-document", action="store_true", help="show each document too")
    _add_choice(parser, "--average", AVERAGES, "macro: means over documents too")
    _add_output(parser)
    _add_policies(parser)


def _add_credit(parser: _Parser) -> None:
    parser.add_argument("key", metavar="KEY", help="the gold entities")
    parser.add_argument("response", metavar="RESPONSE", help="an output")
    ids = [metric.id for metric in METRICS]
    parser.add_argument("--metric", choices=ids, required=True, help="whose credit")
    _add_choice(parser, "--side", SIDES, "of the key's mentions, or of the response's")
    _add_choice(parser, "--by", ("mention", "link", "entity", "document"), "a row for each")
    parser.add_argument("--document", metavar="NAME", help="only this document")
    _add_output(parser)
    _add_policies(parser)


def _add_errors(parser: _Parser) -> None:
    parser.add_argument("key", metavar="KEY", help="the gold entities")
    parser.add_argument("response", metavar="RESPONSE", help="an output")
    _add_choice(parser, "--by", ("kind", "document", "entity", "mention"), "a row for each")
    parser.add_argument(
        "--impact", action="store_true", help="instead, what mending each kind would bring"
    )
    _add_output(parser)
    _add_policies(parser)


def _add_policies(parser: _Parser) -> None:
    _add_choice(parser, "--singletons", SINGLETONS, "entities of one mention, on both sides")
    _add_choice(parser, "--repeats", REPEATS, "a span that one side lists twice")
    _add_choice(parser, "--blanc", tuple(BLANC_VARIANTS), "what BLANC does without links of a kind")
    _add_choice(parser, "--match", tuple(MATCHERS), "when two mentions are the same")
    _add_choice(parser, "--missing-documents", MISSING_DOCUMENTS, "documents the response lacks")
    _add_format(parser, "--input-format", "the format of the files")


def _add_output(parser: _Parser) -> None:
    _add_choice(parser, "--format", tuple(OUTPUTS), "how to print the result")
    parser.add_argument("--out", metavar="FILE", help="write there instead of printing")


def _add_baseline(parser: _Parser) -> None:
    parser.add_argument("key", metavar="KEY", help="the file whose mentions to group")
    parser.add_argument("--kind", choices=tuple(BASELINES), required=True, help="how to group them")
    parser.add_argument("--out", metavar="FILE", help="write there instead of printing as conll")
    _add_format(parser, "--input-format", "the format of KEY")


def _add_convert(parser: _Parser) -> None:
    parser.add_argument("source", metavar="IN", help="the file to read")
    parser.add_argument(
        "target", metavar="OUT", help="the file to write; gzipped if it ends in .gz"
    )
    _add_format(parser, "--from", "the format of IN", dest="source_format")
    _add_format(parser, "--to", "the format of OUT, else by its ending", dest="target_format")


def _add_dashboard(parser: _Parser) -> None:
    parser.add_argument("key", metavar="KEY", nargs="?", help="the gold entities (else the sample)")
    parser.add_argument("responses", metavar="RESPONSE", nargs="*", help="one or two outputs")
    parser.add_argument(
        "--port", type=int, help="the port to listen on (default: 8501 or the next)"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="the address to listen on (%(default)s)"
    )


def _add_choice(parser: _Parser, name: str, values: Sequence[str], about: str) -> None:
    parser.add_argument(
        name, choices=values, default=values[0], help=f"{about} (default: %(default)s)"
    )


def _add_format(parser: _Parser, name: str, about: str, dest: str | None = None) -> None:
    ids = [known.id for known in FORMATS]
    target = dest or name.lstrip("-").replace("-", "_")
    parser.add_argument(
        name, choices=ids, dest=target, help=f"{about} (default: found from the content)"
    )


def _score(options: argparse.Namespace) -> None:
    shown = tuple(options.metrics.split(",")) if options.metrics else SHOWN
    for name in shown:
        choose("metric", name, TITLES)
    with _progress(2 * len(options.responses) + 1) as step:
        key, *responses = _read_all([options.key, *options.responses], options.input_format, step)
        results = {}
        for path, response in zip(options.responses, responses, strict=True):
            step(f"Scoring {path}")
            results[path] = score(key, response, average=options.average, **_policies(options))
    report = Report(options.key, results, shown, options.per_document)
    _warn(w for result in results.values() for w in result.warnings)
    _put(OUTPUTS[options.format](report), options.out)


def _credit(options: argparse.Namespace) -> None:
    result = _result(options)
    documents = [options.document] if options.document else None
    table = result.credit(options.metric, side=options.side, by=options.by, documents=documents)
    _put(render_frame(table, result.signature, format=options.format), options.out)


def _errors(options: argparse.Namespace) -> None:
    from corescore.errors import reports  # pandas is only needed here

    result = _result(options)
    report = reports.impact if options.impact else reports.LEVELS[options.by]
    _put(render_frame(report(result), result.signature, format=options.format), options.out)


def _result(options: argparse.Namespace) -> Result:
    """One response scored against the key, its warnings printed."""
    with _progress(3) as step:
        paths = [options.key, options.response]
        key, response = _read_all(paths, options.input_format, step)
        step(f"Scoring {options.response}")
        result = score(key, response, **_policies(options))
    _warn(result.warnings)
    return result


def _read_all(
    paths: Sequence[str], format: str | None, step: Callable[[str], None]
) -> list[Corpus]:
    """The key and the responses; all problems of all of them in one go."""
    errors = [InputError([problem]) for problem in _mixed(paths)]
    corpora = []
    for number, path in enumerate(paths):
        step(f"Reading {path}")
        try:
            corpora.append(read(path, format=format, side="response" if number else "key"))
        except InputError as error:
            errors.append(error)
    if errors:
        raise InputError.of(errors)
    return corpora


def _mixed(paths: Sequence[str]) -> Iterator[Problem]:
    kind = {True: "a folder", False: "a file"}
    for path in paths[1:]:
        is_folder, expected = Path(path).is_dir(), Path(paths[0]).is_dir()
        if is_folder != expected:
            advice = "Give two files or two folders."
            yield Problem(path, 0, kind[is_folder], f"{kind[expected]}, as the key", advice)


def _baseline(options: argparse.Namespace) -> None:
    corpus = baseline(read(options.key, format=options.input_format), kind=options.kind)
    if options.out:
        write(corpus, options.out)
    else:
        sys.stdout.write(write_conll(corpus))


def _convert(options: argparse.Namespace) -> None:
    corpus = read(options.source, format=options.source_format)
    _warn(corpus.warnings)
    write(corpus, options.target, format=options.target_format)


def _dashboard(options: argparse.Namespace) -> None:
    from corescore.dashboard.launch import launch  # streamlit is only needed here

    paths = [path for path in (options.key, *options.responses) if path is not None]
    absent = [path for path in paths if not Path(path).exists()]
    if absent:
        raise InputError(
            Problem(path, 0, "no such file", "a file or a folder of files", "Check the path.")
            for path in absent
        )
    launch(options.key, options.responses, port=options.port, host=options.host)


def _metrics(options: argparse.Namespace) -> None:
    for kind, metrics in (("metric", METRICS), ("diagnostic", DIAGNOSTICS)):
        for metric in metrics:
            print(f"{metric.id:10}{metric.title}, a {kind}. One unit: {metric.unit}.")
            print(f"{'':10}{metric.paper}")
    print(f"{'conll':10}CoNLL, an average: the mean of the F1 of {', '.join(CONLL)}.")
    print(f"{'':10}Pradhan et al. 2012, CoNLL-2012 shared task")


def _policies(options: argparse.Namespace) -> dict[str, Any]:
    names = ("singletons", "repeats", "blanc", "match", "missing_documents")
    return {name: getattr(options, name) for name in names}


def _warn(warnings: Iterable[str]) -> None:
    for warning in dict.fromkeys(warnings):
        print(f"corescore: warning: {warning}", file=sys.stderr)


def _put(text: str, path: str | None) -> None:
    if path is None:
        sys.stdout.write(text)
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        found = f"a path that cannot be written ({error.strerror})"
        problem = Problem(path, 0, found, "a file in a folder that exists", "Check the path.")
        raise InputError([problem]) from error


@contextmanager
def _progress(n_steps: int) -> Iterator[Callable[[str], None]]:
    """A function to call at each step; a bar appears if the work is slow and seen on a terminal."""
    if not sys.stderr.isatty():
        yield lambda about: None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task("", total=n_steps)
    timer = Timer(SECONDS_BEFORE_PROGRESS, bar.start)
    timer.start()
    try:
        yield lambda about: bar.update(task, description=about, advance=1)
    finally:
        timer.cancel()
        bar.stop()


if __name__ == "__main__":
    sys.exit(main())
