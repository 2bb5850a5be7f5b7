"""Uploads that the server keeps: for how long, and how many."""

import re

from dashboard.session.files import File, Files, file_of
from dashboard.session.uploads import Kept


def files(text, *more):
    return Files(file_of("key.conll", text), (file_of("out.conll", b"x"), *more))


def test_uploads_are_found_by_names_that_are_long_and_never_the_same():
    kept = Kept()
    names = [kept.keep(files(b"a"))[0] for _ in range(3)]
    assert len(set(names)) == 3
    assert all(re.fullmatch(r"[\w-]{43}", name) for name in names)  # 256 bits
    assert [kept.get(name) for name in names] == [files(b"a")] * 3
    assert kept.get("elsewhere") is None


def test_the_oldest_uploads_make_room():
    kept = Kept(most=2)
    names = [kept.keep(files(bytes([n])))[0] for n in range(3)]
    assert [kept.get(name) is None for name in names] == [True, False, False]


def test_uploads_that_hold_too_much_make_room_but_the_latest_stays():
    kept = Kept(most_bytes=100)
    small, large = (kept.keep(files(b"a" * size))[0] for size in (90, 200))
    assert kept.get(small) is None
    assert kept.get(large) == files(b"a" * 200)


def test_what_uploads_have_in_common_is_kept_once():
    kept = Kept(most_bytes=150)
    text = b"a" * 100
    first, _ = kept.keep(files(text))
    _, second = kept.keep(files(bytes(text), File("more.conll", "another", b"y")))
    assert second.key.data is kept.get(first).key.data
