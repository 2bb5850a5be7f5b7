"""Paths of responses: files, and folders of them."""

from corescore.corpus import reading


def test_a_folder_is_one_response_to_a_key_that_is_a_folder(tmp_path):
    key, responses = tmp_path / "key", tmp_path / "outputs"
    for folder in (key, responses):
        folder.mkdir()
        (folder / "a.conll").touch()
    assert reading.each_response(str(key), [str(responses)]) == [str(responses)]
    both = [str(responses), str(responses / "a.conll")]
    assert reading.each_response(str(key / "a.conll"), both) == both[1:]


def test_the_key_is_no_response_to_itself_and_hidden_files_are_none(tmp_path):
    for name in ("key.conll", "b.conll", "a.conll", ".notes"):
        (tmp_path / name).touch()
    found = reading.each_response(str(tmp_path / "key.conll"), [str(tmp_path)])
    assert found == [str(tmp_path / "a.conll"), str(tmp_path / "b.conll")]
