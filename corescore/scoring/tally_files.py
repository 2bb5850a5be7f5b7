"""Tallies as Parquet files: a row a document, a column for each size and each part of each count.

The metadata of the file, JSON under `corescore.tally`, say the format, the version of corescore,
the policies, the metrics and how many parts each has, the files that were scored, the warnings, and
a checksum of all of these and of the values.
"""

import io
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np

from corescore.corpus.files import write_file
from corescore.corpus.packed import ceiling_in_force
from corescore.corpus.problems import InputError, PolicyError, Problem
from corescore.corpus.reading import first_files
from corescore.counting.counts import Counts
from corescore.counting.policies import Policies
from corescore.counting.words import Few, list_documents
from corescore.metrics import METRICS, NAMED, Metric
from corescore.scoring.scores import Result, compared_by, in_force
from corescore.scoring.tally import LENGTHS, SIZES, Alone, Tally
from corescore.util import AnyArray, IntArray
from corescore.wording import counted, listed

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

FORMAT = 1

ENDING = ".parquet"

_METADATA = b"corescore.tally"

_TEXTS = ("document", "fingerprint")

_ARRAYS = tuple(entry.name for entry in fields(Counts))

_SIDES = ("key_mentions", "response_mentions")

_A_TALLY = "a tally that corescore saved"

_SAVE_AGAIN = "Score the files again and save the tally."


@dataclass(frozen=True)
class _About:
    """What the metadata say; metrics: the number of parts of each, by its id."""

    format: int
    corescore: str
    policies: dict[str, str]
    metrics: dict[str, int]
    files: list[list[str]]
    warnings: list[str]


def save_tally(tally: Tally, path: str, *, force: bool = False) -> None:
    """Write a tally to a Parquet file, from which `load_tally` gives the same to the bit.

    Raises InputError where a file is not replaced (without `force`; never one that was scored),
    where writing fails, and for names of documents that no text file can have.
    """
    scored = [file for pair in tally.files for file in pair]
    write_file(path, _packed(tally, path), force=force, inputs=scored)


def _packed(tally: Tally, path: str) -> bytes:
    import pyarrow as pa  # slow to import: only for files of tallies
    import pyarrow.parquet as pq

    about = _About(
        FORMAT,
        tally.version,
        asdict(tally.policies),
        {name: counts.recall_numerator.shape[1] for name, counts in tally.counts.items()},
        [list(pair) for pair in tally.files],
        list(tally.warnings),
    )
    columns = dict(_columns(tally))
    try:
        names = pa.array(tally.documents, pa.string())
        checksum = _checksum(about, tally.documents, tally.fingerprints, columns)
    except UnicodeEncodeError as error:
        found = "a document whose name is no Unicode text"
        raise InputError([Problem(path, 0, found, "Unicode", "Rename it.")]) from error
    texts = {"document": names, "fingerprint": pa.array(tally.fingerprints, pa.string())}
    metadata = {_METADATA: json.dumps({**asdict(about), "checksum": checksum})}
    table = pa.table({**texts, **{name: pa.array(of) for name, of in columns.items()}})
    file = io.BytesIO()
    pq.write_table(table.replace_schema_metadata(metadata), file)
    return file.getvalue()


def _columns(tally: Tally) -> Iterator[tuple[str, AnyArray]]:
    """The numbers of a tally by the names of their columns."""
    yield from tally.lengths.items()
    yield from tally.sizes.items()
    for name, counts in tally.counts.items():
        yield from _columns_of(counts, name, "")
    for name, alone in tally.by_scorch.items():
        yield from _columns_of(alone.counts, name, ".scorch")
        for at, side in enumerate(_SIDES):
            yield f"{name}.{side}.scorch", np.ascontiguousarray(alone.weights[:, at])


def _columns_of(counts: Counts, metric: str, of: str) -> Iterator[tuple[str, AnyArray]]:
    for array in _ARRAYS:
        values = getattr(counts, array)
        for part in range(values.shape[1]):
            yield f"{metric}.{part + 1}.{array}{of}", np.ascontiguousarray(values[:, part])


def _checksum(
    about: _About,
    documents: Sequence[str],
    fingerprints: Sequence[str],
    columns: Mapping[str, AnyArray],
) -> str:
    texts = json.dumps([asdict(about), documents, fingerprints, list(columns)], sort_keys=True)
    digest = blake2b(texts.encode(), digest_size=16)
    for values in columns.values():
        digest.update(values.tobytes())
    return digest.hexdigest()


def is_tally(path: str) -> bool:
    """Whether a path is that of a tally, by its ending."""
    return path.endswith(ENDING) and not Path(path).is_dir()


def load_tally(path: str, *, metrics: Iterable[Metric] = ()) -> Tally:
    """The tally that a file holds, as it was saved, to the bit.

    metrics  metrics of one's own that it was scored by

    Raises InputError for a file that is not there, that is not a tally, of a later format, with a
    column missing or values that are not those saved, and for a metric that is not known.
    """
    with _told(path):
        file = _opened(path)
        about, checksum = _metadata(path, file)
        _refuse_other_numbers_of_columns(path, file, about)
        names = [*_TEXTS, *_column_names(about)]
        _refuse_wrong_columns(path, file, names)
        table = file.read(columns=names)
        columns = {name: _column(path, table, name) for name in names}
    documents, fingerprints = (tuple(columns.pop(name).tolist()) for name in names[:2])
    if _checksum(about, documents, fingerprints, columns) != checksum:
        found = "values that are not those that were saved"
        _refuse(path, found, "the values of its checksum", _SAVE_AGAIN)
    policies = _policies(path, about)
    return Tally(
        policies=policies,
        metrics=_metrics(path, about, policies, metrics),
        documents=documents,
        fingerprints=fingerprints,
        lengths={name: columns[name] for name in LENGTHS},
        counts={name: _counts(columns, name, n, "") for name, n in about.metrics.items()},
        by_scorch={
            name: _alone(columns, name, n)
            for name, n in about.metrics.items()
            if policies.average == "scorch"
        },
        sizes={name: columns[name] for name in SIZES},
        warnings=tuple(about.warnings),
        files=tuple((key, response) for key, response in about.files),
        version=about.corescore,
    )


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Tell an error of the file, found when it is opened or when a value is, as an InputError."""
    import pyarrow as pa

    try:
        yield
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:
        problem = Problem(path, 0, "no Parquet that can be read", _A_TALLY, _SAVE_AGAIN)
        raise InputError([problem]) from error


def _opened(path: str) -> "pq.ParquetFile":
    """The file, of which no column is read yet. Raises InputError if its columns would be too long:
    a value that is written once may count for any number of rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not Path(path).is_file():
        _refuse(path, "no such file", _A_TALLY, "Check the path.")
    data = Path(path).read_bytes()
    texts = [name for name in pq.read_schema(pa.BufferReader(data)).names if name in _TEXTS]
    file = pq.ParquetFile(pa.BufferReader(data), read_dictionary=texts)
    n_bytes = 8 * file.metadata.num_rows * file.metadata.num_columns
    if n_bytes > ceiling_in_force().most_of(len(data)):
        raise ceiling_in_force().refusal(len(data), path)
    return file


def _metadata(path: str, file: "pq.ParquetFile") -> tuple[_About, str]:
    """What the metadata say, and the checksum."""
    said = (file.schema_arrow.metadata or {}).get(_METADATA)
    if said is None:
        _refuse(path, "a table without the metadata of a tally", _A_TALLY, _SAVE_AGAIN)
    try:
        values = json.loads(said)
        number = values["format"]
    except (ValueError, TypeError, KeyError, RecursionError):
        _refuse(path, "metadata that cannot be read", _A_TALLY, _SAVE_AGAIN)
    if number != FORMAT:
        found = f"a tally of format {number}, saved by corescore {values.get('corescore')}"
        _refuse(path, found, f"format {FORMAT}", "Update corescore, or score the files again.")
    if not _is_whole(values):
        _refuse(path, "metadata that are not whole", _A_TALLY, _SAVE_AGAIN)
    checksum = values.pop("checksum")
    return _About(**values), checksum


def _is_whole(values: dict[str, Any]) -> bool:
    """Whether metadata have the fields and types of `_About`, and a checksum."""
    types = {"format": int, "corescore": str, "policies": dict, "metrics": dict}
    types |= {"files": list, "warnings": list, "checksum": str}
    return (
        values.keys() == types.keys()
        and all(isinstance(values[name], of) for name, of in types.items())
        and all(isinstance(n, int) for n in values["metrics"].values())
        and all(isinstance(pair, list) and len(pair) == 2 for pair in values["files"])
    )


def _column_names(about: _About) -> Iterator[str]:
    """The names of the columns of numbers, in the order of `_columns`."""
    yield from (*LENGTHS, *SIZES)
    for of in ("", ".scorch") if about.policies.get("average") == "scorch" else ("",):
        for metric, n_parts in about.metrics.items():
            for array in _ARRAYS:
                yield from (f"{metric}.{part + 1}.{array}{of}" for part in range(n_parts))
            yield from (f"{metric}.{side}{of}" for side in _SIDES if of)


def _refuse_other_numbers_of_columns(path: str, file: "pq.ParquetFile", about: _About) -> None:
    """Raise InputError if the metadata name more columns than there are, before any is listed."""
    n_parts, n_columns = about.metrics.values(), len(file.schema_arrow.names)
    n_named = sum(n_parts) * len(_ARRAYS)
    if min(n_parts, default=0) < 0 or n_named > n_columns:
        found = f"metadata that name {n_named:,} columns or more"
        _refuse(path, found, f"metadata of its {n_columns:,}", _SAVE_AGAIN)


def _refuse_wrong_columns(path: str, file: "pq.ParquetFile", names: Iterable[str]) -> None:
    """Raise InputError if a column is missing or of another type, before any is read."""
    import pyarrow as pa

    schema = file.schema_arrow
    for name in names:
        if schema.names.count(name) != 1:
            _refuse(path, f"no column '{name}'", _A_TALLY, _SAVE_AGAIN)
        found = schema.field(name).type
        if name in _TEXTS:
            expected = pa.string()
            found = found.value_type if pa.types.is_dictionary(found) else found
        else:
            expected = pa.int64() if name in (*LENGTHS, *SIZES) else pa.float64()
        if found != expected:
            _refuse(path, f"a column '{name}' of {found}", f"{expected} without null", _SAVE_AGAIN)


def _column(path: str, table: "pa.Table", name: str) -> AnyArray:
    import pyarrow as pa

    column = table[name]
    if column.null_count:
        found = f"a column '{name}' of {column.type}, {column.null_count} of them null"
        _refuse(path, found, f"{column.type} without null", _SAVE_AGAIN)
    if pa.types.is_dictionary(column.type):
        _refuse_long_texts(path, column)
    values: AnyArray = column.to_numpy()
    return values


def _refuse_long_texts(path: str, column: "pa.ChunkedArray") -> None:
    """Raise InputError if texts that are written once come to too much, each counted as often as
    it stands in a column."""
    import pyarrow.compute as pc

    lengths = (pc.binary_length(of.dictionary).take(of.indices) for of in column.chunks)
    n_bytes = sum(pc.sum(of).as_py() or 0 for of in lengths)
    packed = Path(path).stat().st_size
    if n_bytes > ceiling_in_force().most_of(packed):
        raise ceiling_in_force().refusal(packed, path)


def _counts(columns: Mapping[str, AnyArray], metric: str, n_parts: int, of: str) -> Counts:
    arrays = (
        [columns[f"{metric}.{part + 1}.{array}{of}"] for part in range(n_parts)]
        for array in _ARRAYS
    )
    return Counts(*map(np.column_stack, arrays))


def _alone(columns: Mapping[str, AnyArray], metric: str, n_parts: int) -> Alone:
    weights = [columns[f"{metric}.{side}.scorch"] for side in _SIDES]
    return Alone(_counts(columns, metric, n_parts, ".scorch"), np.column_stack(weights))


def _policies(path: str, about: _About) -> Policies:
    try:
        return Policies.of(about.policies)
    except (PolicyError, TypeError) as error:
        found = f"policies of corescore {about.corescore} ({error})"
        problem = Problem(path, 0, found, "policies that are known", "Update corescore.")
        raise InputError([problem]) from error


def _metrics(
    path: str, about: _About, policies: Policies, own: Iterable[Metric]
) -> tuple[Metric, ...]:
    """The metrics that a tally was scored by, in its order."""
    known = {metric.id: metric for metric in in_force(policies, (*METRICS, *NAMED, *own))}
    for name in about.metrics:
        if name not in known:
            advice = "If it is yours, give it: load_tally(path, metrics=[…])."
            _refuse(path, f"counts of a metric '{name}'", "metrics that are known", advice)
    return tuple(known[name] for name in about.metrics)


def _refuse(path: str, found: str, expected: str, advice: str) -> NoReturn:
    raise InputError([Problem(path, 0, found, expected, advice)])


# Several results over the documents that all of them have -----------------------------------------

Some = TypeVar("Some", bound=Tally)


def over_common_documents(results: Mapping[str, Some]) -> dict[str, Some]:
    """The results over the documents that all have, as where the policy `missing_documents` "skip"
    has left others out of each; a warning of a result says what is now left out of it, too.

    Raises InputError if they have no document in common.
    """
    common = set.intersection(*(set(result.documents) for result in results.values()))
    if not common:
        problem = Problem(
            next(iter(results)),
            0,
            "no document that the other responses have, too",
            "at least one that all have",
            "Score documents that a response lacks as empty, with missing documents 'empty'.",
        )
        raise InputError([problem])
    return {name: _over(result, common, name) for name, result in results.items()}


def _over(result: Some, common: Collection[str], name: str) -> Some:
    at = [i for i, document in enumerate(result.documents) if document in common]
    if len(at) == len(result.documents):
        return result
    lost = Few.of(document for document in result.documents if document not in common)
    warning = (
        f"{name} is scored without {list_documents(lost)}, which another response lacks: the "
        "responses are compared over the documents that all have."
    )
    of = _rows(result, np.array(at, dtype=np.int64))
    return replace(of, warnings=(*result.warnings, warning))


def _rows(result: Some, at: IntArray) -> Some:
    rows = result.rows(at)
    kept = {field.name: getattr(rows, field.name) for field in fields(rows)}
    if not isinstance(result, Result):
        return replace(result, **kept)
    of = result.comparison
    sides = [of.key[i] for i in at], [of.response[i] for i in at]
    return replace(result, **kept, compared=compared_by(*sides, result.policies, result.metrics))


# A folder of data sets: which file of each is the key, and which are whose responses --------------

KEY = "key"

SKIP = "skip"

_PACKED = (".gz", ".zip")

_ADVICE = "Name the key 'key', with any ending, and each response as its system."


@dataclass(frozen=True)
class DataSetFolder:
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


@dataclass(frozen=True)
class DataSetFolders:
    """The data sets in a folder, by name, each with the same systems.

    warnings  which systems are left out, as some data set has no response of theirs
    """

    data_sets: Sequence[DataSetFolder]
    warnings: Sequence[str] = ()


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
    found, problems = [], list(_outside(folder))
    for place in [] if problems else _folders_in(Path(folder)):
        made, wrong = _data_set(place)
        problems += wrong
        found.append(made)
    if problems:
        raise InputError(problems)
    return _with_common_systems(folder, found, missing_systems)


def _outside(folder: str) -> list[Problem]:
    """What is wrong with the folder, whatever is in the data sets."""
    place = Path(folder)
    expected = "a folder with a folder for each data set"
    if not place.is_dir():
        found = "a file" if place.exists() else "no such folder"
        return [Problem(folder, 0, found, expected, "Check the path.")]
    if not _folders_in(place):
        advice = f"Make a folder for each data set. {_ADVICE}"
        return [Problem(folder, 0, "a folder without folders", expected, advice)]
    return [
        Problem(str(file), 0, "a file beside data sets", "folders alone", "Keep it elsewhere.")
        for file in _files_in(place)
    ]


def _data_set(place: Path) -> tuple[DataSetFolder, list[Problem]]:
    """A data set, and what is wrong with it."""
    named = sorted((_system(path), str(path)) for path in (*_files_in(place), *_folders_in(place)))
    paths = {name: [path for _, path in of] for name, of in groupby(named, lambda one: one[0])}
    keys = paths.pop(KEY, [])
    needs_key = not all(is_tally(path) for of in paths.values() for path in of)
    problems = [*_key_problems(place, keys, needs_key=needs_key or not paths)]
    if not paths:
        expected = "one of each system beside the key"
        problems.append(Problem(str(place), 0, "no response", expected, _ADVICE))
    for system, several in paths.items():
        if len(several) > 1:
            found = f"{counted(len(several), 'response')} of {system}{_in_brackets(several)}"
            problems.append(Problem(str(place), 0, found, "one of each system", "Rename one."))
    responses = {system: of[0] for system, of in paths.items()}
    return DataSetFolder(place, "".join(keys[:1]), responses), problems


def _key_problems(place: Path, keys: Sequence[str], *, needs_key: bool) -> Iterator[Problem]:
    if len(keys) > 1 or (needs_key and not keys):
        found = f"{counted(len(keys), 'key')}{_in_brackets(keys)}" if keys else "no key"
        yield Problem(str(place), 0, found, "one", _ADVICE)
    for path in filter(is_tally, keys):
        yield Problem(path, 0, "a tally as the key", "the key's own text", _ADVICE)


def _with_common_systems(
    folder: str, data_sets: Sequence[DataSetFolder], missing_systems: str
) -> DataSetFolders:
    systems = sorted({system for one in data_sets for system in one.responses})
    lacking = [(one, _lacks(one, systems)) for one in data_sets]
    if missing_systems != SKIP:
        problems = [_missing(one, names) for one, names in lacking if names]
        if problems:
            raise InputError(problems)
        return DataSetFolders(data_sets)
    left_out = {name for _, names in lacking for name in names}
    if left_out == set(systems):
        expected = "one or more systems with a response in each data set"
        raise InputError([Problem(folder, 0, "no such system", expected, _ADVICE)])
    kept = [
        replace(one, responses={s: p for s, p in one.responses.items() if s not in left_out})
        for one in data_sets
    ]
    warnings = [
        f"{one.place} has no response of {listed(names)}: left out of all data sets."
        for one, names in lacking
        if names
    ]
    return DataSetFolders(kept, warnings)


def _lacks(one: DataSetFolder, systems: Iterable[str]) -> list[str]:
    return [system for system in systems if system not in one.responses]


def _missing(one: DataSetFolder, names: Sequence[str]) -> Problem:
    expected = "one of each system that another data set has"
    advice = "Add it, or leave out such systems with --missing-systems skip."
    return Problem(str(one.place), 0, f"no response of {listed(names)}", expected, advice)


def _folders_in(place: Path) -> list[Path]:
    return sorted(path for path in place.iterdir() if path.is_dir() and path.name[0] != ".")


def _files_in(place: Path) -> list[Path]:
    """The files right in a folder; of those that are read together only the first."""
    return [path for path in first_files(place) if path.parent == place]


def _system(path: Path) -> str:
    if path.is_dir():
        return path.name
    return (path.with_suffix("") if path.suffix in _PACKED else path).stem


def _in_brackets(paths: Iterable[str]) -> str:
    return f" ({', '.join(Path(path).name for path in paths)})"
