"""Shards: the files of both sides that belong together, by their names."""

from collections import defaultdict
from dataclasses import dataclass

from corescore.corpus.problems import InputError, Problem
from corescore.distributed.files import File, Listing


@dataclass(frozen=True)
class Shard:
    """Files of one name, endings aside, as `score` matches the files of two folders.

    stem      what the names of their documents begin with; "" if each side is one file
    key       its files in the key: none if only the response has some
    response  those in the response
    """

    stem: str
    key: tuple[File, ...]
    response: tuple[File, ...]

    @property
    def files(self) -> tuple[tuple[File, ...], tuple[File, ...]]:
        """Those of both sides."""
        return self.key, self.response

    @property
    def name(self) -> str:
        """The first of its files, for messages."""
        return (self.key or self.response)[0].name


def shards_of(key: Listing, response: Listing) -> list[Shard]:
    """The shards of two places, those of the key first, in its order.

    Raises InputError if one is a file and the other is not.
    """
    if key.alone != response.alone:
        kinds = {True: "a file", False: "a folder or a pattern"}
        expected, advice = f"{kinds[key.alone]}, as the key", "Give two files or two folders."
        problem = Problem(response.name, 0, kinds[response.alone], expected, advice)
        raise InputError([problem])
    if key.alone:
        return [Shard("", tuple(key.files.values()), tuple(response.files.values()))]
    ours, theirs = _by_stem(key), _by_stem(response)
    stems = dict.fromkeys((*ours, *theirs))
    return [Shard(stem, ours.get(stem, ()), theirs.get(stem, ())) for stem in stems]


def _by_stem(place: Listing) -> dict[str, tuple[File, ...]]:
    files = defaultdict(list)
    for name, file in place.files.items():
        files[_stem(name)].append(file)
    return {stem: tuple(of) for stem, of in files.items()}


def _stem(path: str) -> str:
    """A path without the endings of its file."""
    folder, slash, name = path.rpartition("/")
    return folder + slash + name.split(".")[0]
