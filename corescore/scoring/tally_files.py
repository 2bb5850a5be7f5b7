"""Tallies as Parquet files: a row a document, one column per size and each part of each count.

The metadata of the file, JSON under `corescore.tally`, say the format, the version of corescore,
the policies, the metrics and how many parts each has, the files that were scored, the warnings, and
a checksum of all of these and of the values.
"""

import io
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, replace
from hashlib import blake2b
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from corescore.corpus.files import first_files, write_file
from corescore.corpus.packed import ceiling_in_force
from corescore.corpus.problems import InputError, PolicyError, Problem, refusal, refuse
from corescore.counting.counts import Counts, arrays_of
from corescore.counting.policies import DEFAULTS, Policies
from corescore.counting.words import Few, list_documents
from corescore.metrics import METRICS, NAMED, Metric
from corescore.scoring.scores import Result, compared_by, in_force
from corescore.scoring.tally import LENGTHS, SIZES, Alone, Tally
from corescore.util import AnyArray, FloatArray
from corescore.wording import counted, listed

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT = 1

ENDING = ".parquet"

_METADATA = b"corescore.tally"

_TEXTS = ("document", "fingerprint")

_NUMBERS = (*LENGTHS, *SIZES)

_SPLIT = "split_antecedents"  # a policy, and one of LENGTHS

_ARRAYS = tuple(entry.name for entry in fields(Counts))

_WEIGHTS = ("key_mentions", "response_mentions")

_SCORCH = ".scorch"

_A_TALLY = "a tally that corescore saved"


class _About(NamedTuple):
    """What the metadata say; metrics: the number of parts of each, by its id.

    The policy for split antecedents, and the column of how many there are, are there where there
    are any or the policy is not the default: earlier versions saved neither.
    """

    format: int
    corescore: str
    policies: dict[str, str]
    metrics: dict[str, int]
    files: list[list[str]]
    warnings: list[str]

    def count_columns(self, metric: str, suffix: str) -> list[list[str]]:
        """The columns of the counts of a metric, for each array one for each part."""
        parts = range(1, self.metrics[metric] + 1)
        return [[f"{metric}.{part}.{array}{suffix}" for part in parts] for array in _ARRAYS]

    def columns(self) -> list[str]:
        """All columns of numbers, in the order of the file."""
        left_out = () if _SPLIT in self.policies else (_SPLIT,)
        names = [name for name in _NUMBERS if name not in left_out]
        for of in ("", _SCORCH) if self.policies.get("average") == "scorch" else ("",):
            for metric in self.metrics:
                names += chain.from_iterable(self.count_columns(metric, of))
                names += [f"{metric}.{side}{of}" for side in _WEIGHTS if of]
        return names

    def checksum(self, columns: Mapping[str, Any]) -> str:
        """That of these and of all columns."""
        texts = [[*columns[name]] for name in _TEXTS]
        numbers = [name for name in columns if name not in _TEXTS]
        text = json.dumps([self._asdict(), *texts, numbers], sort_keys=True)
        digest = blake2b(text.encode(), digest_size=16)
        for name in numbers:
            digest.update(columns[name].tobytes())
        return digest.hexdigest()


def save_tally(tally: Tally, path: str, *, force: bool = False) -> None:
    """Write a tally to a Parquet file, from which `load_tally` gives the same to the bit.

    Raises InputError where a file is not replaced (without `force`; never one that was scored),
    where writing fails, and for names of documents that no text file can have; PolicyError for a
    name of another ending.
    """
    import pyarrow as pa  # slow to import: only for files of tallies
    import pyarrow.parquet as pq

    if not str(path).endswith(ENDING):
        raise PolicyError(
            f"a tally is to be saved as {path!r}; expected a name that ends in {ENDING}"
        )
    policies = asdict(tally.policies)
    if not tally.has_split_antecedents and policies[_SPLIT] == getattr(DEFAULTS, _SPLIT):
        del policies[_SPLIT]
    about = _About(
        FORMAT,
        tally.version,
        policies,
        {name: counts.recall_numerator.shape[1] for name, counts in tally.counts.items()},
        [list(pair) for pair in tally.files],
        list(tally.warnings),
    )
    has_split = _SPLIT in policies
    arrays: list[AnyArray] = [
        of for name, of in tally.lengths.items() if has_split or name != _SPLIT
    ]
    arrays += [tally.sizes[name] for name in SIZES]
    arrays += [column for counts in tally.counts.values() for column in _columns_of(counts)]
    for alone in tally.by_scorch.values():
        arrays += [*_columns_of(alone.counts), *alone.weights.T]
    numbers = dict(zip(about.columns(), map(np.ascontiguousarray, arrays), strict=True))
    texts = {"document": tally.documents, "fingerprint": tally.fingerprints}
    try:
        columns = {name: pa.array(of, pa.string()) for name, of in texts.items()}
        checksum = about.checksum({**texts, **numbers})
    except UnicodeEncodeError as error:
        problem = "a document whose name is no Unicode text"
        raise refusal(path, problem, "Unicode", "Rename it.") from error
    metadata = {_METADATA: json.dumps({**about._asdict(), "checksum": checksum})}
    file = io.BytesIO()
    pq.write_table(pa.table({**columns, **numbers}, metadata=metadata), file)
    scored = [file for pair in tally.files for file in pair]
    write_file(path, file.getvalue(), force=force, inputs=scored)


def _columns_of(counts: Counts) -> Iterator[FloatArray]:
    for array in arrays_of(counts):
        yield from array.T


def is_tally(path: str) -> bool:
    """Whether a path is that of a tally, by its ending."""
    return path.endswith(ENDING) and not Path(path).is_dir()


def load_tally(path: str, *, metrics: Iterable[Metric] = ()) -> Tally:
    """Load a tally saved with `Tally.save`, identical to the bit.

    metrics  metrics of your own, if the tally has scores of any

    Raises InputError if the file does not exist, is not a tally, has a later format or was changed,
    and for an unknown metric.

    >>> import corescore
    >>> corescore.score_files("key.conll", "cautious.conll").save("cautious.parquet")
    >>> corescore.load_tally("cautious.parquet")["lea"]
    Score: recall 0.2892, precision 0.6108, F1 0.3926
    """
    about, columns = _read_parquet(path)
    try:
        policies = Policies.of(about.policies)
    except (PolicyError, TypeError) as error:
        problem = f"policies of corescore {about.corescore} ({error})"
        raise refusal(path, problem, "policies that are known", "Update corescore.") from error
    known = {metric.id: metric for metric in in_force(policies, (*METRICS, *NAMED, *metrics))}
    for name in about.metrics:
        if name not in known:
            advice = "If it is yours, give it: load_tally(path, metrics=[…])."
            raise refusal(path, f"counts of a metric '{name}'", "metrics that are known", advice)

    def stacked(names: Iterable[str]) -> FloatArray:
        return np.column_stack([columns[name] for name in names])

    def counts(metric: str, suffix: str) -> Counts:
        return Counts(*map(stacked, about.count_columns(metric, suffix)))

    n = len(columns["document"])
    scorch = about.metrics if policies.average == "scorch" else ()
    return Tally(
        policies=policies,
        metrics=tuple(known[name] for name in about.metrics),
        documents=tuple(columns["document"].tolist()),
        fingerprints=tuple(columns["fingerprint"].tolist()),
        lengths={name: columns.get(name, np.zeros(n, dtype=np.int64)) for name in LENGTHS},
        counts={name: counts(name, "") for name in about.metrics},
        by_scorch={
            name: Alone(counts(name, _SCORCH), stacked(f"{name}.{s}{_SCORCH}" for s in _WEIGHTS))
            for name in scorch
        },
        sizes={name: columns[name] for name in SIZES},
        warnings=tuple(about.warnings),
        files=tuple((key, response) for key, response in about.files),
        version=about.corescore,
    )


def _read_parquet(path: str) -> tuple[_About, dict[str, AnyArray]]:
    """What the metadata say, and the columns. Raises InputError, as `load_tally`, before more is
    read or listed than the file may unpack to: a value that is written once may count for any
    number of rows."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    if not Path(path).is_file():
        raise refusal(path, "no such file", _A_TALLY, "Check the path.")
    data = Path(path).read_bytes()
    most = ceiling_in_force().most_of(len(data))
    try:
        schema = pq.read_schema(pa.BufferReader(data))
        texts = [name for name in schema.names if name in _TEXTS]
        file = pq.ParquetFile(pa.BufferReader(data), read_dictionary=texts)
        if 8 * file.metadata.num_rows * file.metadata.num_columns > most:
            raise ceiling_in_force().refusal(len(data), path)
        about, checksum = _metadata(path, file.schema_arrow)
        names = [*_TEXTS, *about.columns()]
        for name in names:
            _check_type(file.schema_arrow, name)
        table = file.read(columns=names)
        for column in map(table.column, _TEXTS):
            each = (pc.binary_length(of.dictionary).take(of.indices) for of in column.chunks)
            if sum(pc.sum(of).as_py() or 0 for of in each) > most:
                raise ceiling_in_force().refusal(len(data), path)
        columns = {name: table[name].to_numpy() for name in names}
        if about.checksum(columns) != checksum:
            raise ValueError(checksum)
    except InputError:
        raise
    except (pa.ArrowException, *_OF_OTHER_FILES) as error:
        fault = "no tally, or one that was changed"
        raise refusal(path, fault, _A_TALLY, "Score the files again and save the tally.") from error
    return about, columns


_OF_OTHER_FILES = (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError)


def _metadata(path: str, schema: "pa.Schema") -> tuple[_About, str]:
    """What the metadata say, and the checksum. Raises one of _OF_OTHER_FILES if they are none of
    ours, and InputError for those of a later version."""
    values = json.loads(schema.metadata[_METADATA])
    if values["format"] != FORMAT:
        problem = f"a tally of format {values['format']}, saved by corescore {values['corescore']}"
        raise refusal(
            path, problem, f"format {FORMAT}", "Update corescore, or score the files again."
        )
    checksum = values.pop("checksum")
    about = _About(**values)
    if sum(map(abs, about.metrics.values())) * len(_ARRAYS) > len(schema.names):
        raise ValueError(about.metrics)
    return about, checksum


def _check_type(schema: "pa.Schema", name: str) -> None:
    """Raise ValueError if a column is of another type, LookupError if it is missing."""
    import pyarrow as pa

    kind = schema.field(name).type
    if name in _TEXTS and pa.types.is_dictionary(kind):
        kind = kind.value_type
    number = pa.int64() if name in _NUMBERS else pa.float64()
    if kind != (pa.string() if name in _TEXTS else number):
        raise ValueError(name)


# Several results over the documents that all of them have -----------------------------------------

Some = TypeVar("Some", bound=Tally)


def over_common_documents(results: Mapping[str, Some]) -> dict[str, Some]:
    """The results over the documents that all have, as where the policy `missing_documents` "skip"
    has left others out of each; a warning of a result says what is now left out of it, too.

    Raises InputError if they have no document in common.
    """
    common = set.intersection(*(set(result.documents) for result in results.values()))
    if not common:
        raise refusal(
            next(iter(results)),
            "no document in common with the other responses",
            "at least one that all have",
            "Score documents missing from a response as empty, with --missing-documents empty "
            "(missing_documents='empty').",
        )
    return {name: _over(result, common, name) for name, result in results.items()}


def _over(result: Some, common: Collection[str], name: str) -> Some:
    kept = [i for i, document in enumerate(result.documents) if document in common]
    if len(kept) == len(result.documents):
        return result
    lost = Few.of(document for document in result.documents if document not in common)
    warning = (
        f"{name} is scored without {list_documents(lost)}, missing from another response: the "
        "responses are compared over the documents that all have."
    )
    rows = result.rows(np.array(kept, dtype=np.int64))
    changed: dict[str, Any] = {field.name: getattr(rows, field.name) for field in fields(rows)}
    changed["warnings"] = (*result.warnings, warning)
    if isinstance(result, Result):
        comparison = result.comparison
        sides = [comparison.key[i] for i in kept], [comparison.response[i] for i in kept]
        changed["compared"] = compared_by(*sides, result.policies, result.metrics)
    return replace(result, **changed)


# A folder of data sets: which file of each is the key, and which are whose responses --------------

KEY = "key"

SKIP = "skip"

_PACKED = (".gz", ".zip")

_ADVICE = "Name the key 'key', with any ending, and each response as its system."


class DataSetFolder(NamedTuple):
    """A data set: the path of its key, and of the response of each system by the system's name.

    key  "" where all responses are tallies: what was counted of them is saved in the files
    """

    place: Path
    key: str
    responses: Mapping[str, str]

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.place.name


class DataSetFolders(NamedTuple):
    """The data sets in a folder, by name, each with the same systems.

    warnings  which systems are left out, as some data set has no response of theirs; and files
              that are plainly something else
    """

    data_sets: Sequence[DataSetFolder]
    warnings: Sequence[str]


def data_set_folders(folder: str, missing_systems: str) -> DataSetFolders:
    """The data sets in a folder.

    Each folder in it is a data set. What is called "key" there is the key, all else is the response
    of the system it is named after: a file's name without its last ending, and without .gz or .zip
    behind that, or a folder's name. Tallies, which end in .parquet, need no key where no other
    response is there. Hidden files and folders are not looked at.

    missing_systems  "refuse" systems that lack a response in some data set, or "skip" them in all,
                     with a warning

    Raises InputError for a folder that is none or has no folders, for files beside the data sets,
    for a data set without exactly one key, with a tally as the key, without responses or with two
    of one system, and where no system, or not each, is in all data sets.
    """
    place, expected = Path(folder), "a folder with a folder for each data set"
    if not place.is_dir():
        problem = "a file" if place.exists() else "no such folder"
        raise refusal(folder, problem, expected, "Check the path.")
    if not (folders := _folders_in(place)):
        advice = f"Make a folder for each data set. {_ADVICE}"
        raise refusal(folder, "a folder without folders", expected, advice)
    warnings: list[str] = []
    refuse(
        Problem(str(file), 0, "a file next to data sets", "folders alone", "Keep it elsewhere.")
        for file in _files_in(place, warnings)
    )
    problems: list[Problem] = []
    data_sets = [_data_set(inner, problems, warnings) for inner in folders]
    refuse(problems)
    systems = sorted({system for one in data_sets for system in one.responses})
    lacking = [
        (one, names)
        for one in data_sets
        if (names := [name for name in systems if name not in one.responses])
    ]
    if lacking and missing_systems != SKIP:
        expected = "one of each system that another data set has"
        advice = "Add it, or leave out such systems with --missing-systems skip."
        raise InputError(
            Problem(str(one.place), 0, f"no response of {listed(names)}", expected, advice)
            for one, names in lacking
        )
    left_out = {name for _, names in lacking for name in names}
    if left_out == {*systems}:
        expected = "one or more systems with a response in each data set"
        raise refusal(folder, "no such system", expected, _ADVICE)
    kept = [
        one._replace(responses={s: path for s, path in one.responses.items() if s not in left_out})
        for one in data_sets
    ]
    warnings += [
        f"{one.place} has no response of {listed(names)}: left out of all data sets."
        for one, names in lacking
    ]
    return DataSetFolders(kept, warnings)


def _data_set(place: Path, problems: list[Problem], warnings: list[str]) -> DataSetFolder:
    """A data set; what is wrong with it is added to the problems, what is left out to warnings."""

    def note(problem: str, expected: str, advice: str = _ADVICE) -> None:
        problems.append(Problem(str(place), 0, problem, expected, advice))

    inner = (*_files_in(place, warnings), *_folders_in(place))
    named = sorted((_system(path), str(path)) for path in inner)
    paths = {name: [path for _, path in of] for name, of in groupby(named, lambda one: one[0])}
    keys = paths.pop(KEY, [])
    needs_key = not paths or not all(is_tally(path) for of in paths.values() for path in of)
    if len(keys) > 1 or (needs_key and not keys):
        note(f"{counted(len(keys), 'key')}{_in_brackets(keys)}" if keys else "no key", "one")
    for path in filter(is_tally, keys):
        problems.append(Problem(path, 0, "a tally as the key", "the key's own text", _ADVICE))
    if not paths:
        note("no response", "one of each system next to the key")
    for system, several in paths.items():
        if len(several) > 1:
            problem = f"{counted(len(several), 'response')} of {system}{_in_brackets(several)}"
            note(problem, "one of each system", "Rename one.")
    return DataSetFolder(place, "".join(keys[:1]), {system: of[0] for system, of in paths.items()})


def _folders_in(place: Path) -> list[Path]:
    return sorted(path for path in place.iterdir() if path.is_dir() and path.name[0] != ".")


def _files_in(place: Path, warnings: list[str]) -> list[Path]:
    """The files right in a folder; of those that are read together only the first. Adds which are
    left out."""
    paths = first_files(place, or_all=False, warn=warnings.extend)
    return [path for path in paths if path.parent == place]


def _system(path: Path) -> str:
    if path.is_dir():
        return path.name
    return (path.with_suffix("") if path.suffix in _PACKED else path).stem


def _in_brackets(paths: Iterable[str]) -> str:
    return f" ({', '.join(Path(path).name for path in paths)})"
