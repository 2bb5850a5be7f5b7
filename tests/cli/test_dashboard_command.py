"""The command that opens the dashboard: paths that it refuses."""

from corescore.__main__ import main


def refused(capsys, *paths):
    """What the command says of paths that it will not open."""
    assert main(["dashboard", *map(str, paths)]) == 2
    return capsys.readouterr().err


def test_a_file_is_no_response_to_a_folder(capsys, tmp_path):
    (tmp_path / "gold").mkdir()
    (tmp_path / "out.conll").touch()
    said = refused(capsys, tmp_path / "gold", tmp_path / "out.conll")
    assert f"{tmp_path / 'out.conll'}: a file; expected a folder, as the key." in said


def test_a_folder_without_files_is_refused_and_its_folders_are_named(capsys, tmp_path):
    key, outputs = tmp_path / "key.conll", tmp_path / "outputs"
    key.touch()
    outputs.mkdir()
    assert "a folder without files; expected a file for each response. Check" in refused(
        capsys, key, outputs
    )
    (outputs / "first").mkdir()
    assert f"Name the folders in it, such as {outputs / 'first'}." in refused(capsys, key, outputs)


def test_every_path_that_does_not_exist_is_said(capsys, tmp_path):
    said = refused(capsys, tmp_path / "key", tmp_path / "r1", tmp_path / "r2")
    assert said.count("no such file") == 3
