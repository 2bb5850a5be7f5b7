"""Which files and folders are the key and the responses, before any of them is read."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from corescore.corpus.formats.packed import files_in, names_in
from corescore.corpus.formats.together import groups_of
from corescore.corpus.problems import Problem


def first_files(folder: Path) -> list[Path]:
    """The files of a folder, by name; of those that are read together only the first."""
    files = files_in(folder)
    groups = [group for _, group in groups_of(files)]
    others = {name for group in groups for name in group[1:]}
    firsts = {group[0] for group in groups} | {name for name in files.names if "/" not in name}
    return [folder / name for name in sorted(firsts - others)]


def each_response(key: str, responses: Sequence[str]) -> list[str]:
    """The files and folders that are one response each.

    Where the key is a file, each file of a folder is a response of its own, but for the key
    itself (unless it is named as one); where the key is a folder, a folder is one response. A
    folder without files stays, for `path_problems` to tell.
    """
    if Path(key).is_dir():
        return list(dict.fromkeys(responses))
    found = [
        str(path)
        for response in map(Path, responses)
        for path in ((response.is_dir() and first_files(response)) or [response])
        if path != Path(key) or not response.is_dir()
    ]
    return list(dict.fromkeys(found))


def path_problems(key: str, responses: Sequence[str]) -> Iterator[Problem]:
    """Which of the responses do not go with the key; paths that do not exist are left alone."""
    one_each = not Path(key).is_dir()
    for response in responses:
        place = Path(response)
        if place.is_file() and not one_each and place.suffix != ".zip":
            advice = "Give two files or two folders, or a key that is a file and a folder."
            yield Problem(response, 0, "a file", "a folder, as the key", advice)
        if place.is_dir() and not _has_files(place):
            expected = "a file for each response" if one_each else "a file for each of the key's"
            yield Problem(response, 0, "a folder without files", expected, _advice(place))


def _has_files(folder: Path) -> bool:
    names = names_in(folder)
    return any("/" not in name for name in names) or any(True for _ in groups_of(files_in(folder)))


def _advice(folder: Path) -> str:
    inner = sorted(path for path in folder.iterdir() if path.is_dir())
    return f"Name the folders in it, such as {inner[0]}." if inner else "Check the path."
