"""Where the control socket is if it cannot be in the folder of journals."""

from pathlib import Path

import pytest

from daide_server.library import control_socket


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder whose path is too long for a socket."""
    folder = tmp_path / ("x" * 120)
    folder.mkdir()
    return folder


@pytest.fixture
def private(folder: Path) -> Path:
    """Return the private folder that a killed server has left."""
    control_socket.listen(folder).close()
    return Path((folder / "control.path").read_text()).parent


def test_the_socket_files_of_a_killed_server_are_removed(
    folder: Path, private: Path
) -> None:
    with control_socket.listen(folder):
        assert not private.exists()
        control_socket.connect(folder, 1).close()
    control_socket.remove(folder)
    assert not list(folder.iterdir())


def test_a_folder_that_others_may_use_is_left_alone(
    folder: Path, private: Path
) -> None:
    """Who made it after the server was killed may listen there."""
    private.chmod(0o755)
    with pytest.raises(OSError, match="too long"):
        control_socket.connect(folder, 1)
    control_socket.remove(folder)
    assert (private / "control.sock").exists()
    (private / "control.sock").unlink()
    private.rmdir()


def test_a_folder_that_is_a_link_is_left_alone(folder: Path, private: Path) -> None:
    moved = private.with_name(f"{private.name}-moved")
    private.rename(moved)
    private.symlink_to(moved)
    control_socket.remove(folder)
    assert (moved / "control.sock").exists()
    private.unlink()
    (moved / "control.sock").unlink()
    moved.rmdir()


@pytest.mark.parametrize("content", [b"", b"\0", b"\xff", b"/nowhere/control.sock"])
def test_a_path_that_names_nothing_is_replaced(folder: Path, content: bytes) -> None:
    (folder / "control.path").write_bytes(content)
    with control_socket.listen(folder):
        control_socket.connect(folder, 1).close()
    control_socket.remove(folder)
