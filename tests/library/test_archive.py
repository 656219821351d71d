import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from daide_server.board.map import Variant
from daide_server.library import archive
from daide_server.library.archive import ArchiveError, ready, write_record
from daide_server.library.variants import load_variant
from daide_server.records.entries import Began, Ended, fold
from daide_server.records.formats.phase_json.dialects import DIPCC as DIPCC
from daide_server.records.record import Ending, GameRecord


@pytest.fixture
def record(standard: Variant) -> GameRecord:
    began = Began(standard.name, "daide", 0, standard.start, 0.0)
    ended = Ended(Ending.ABORTED, (), standard.start, 1.0)
    return fold([began, ended], standard, game="game-7", started=0.0)


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def fails(handle: int) -> None:
        del handle
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    yield
    monkeypatch.undo()


def test_a_record_is_a_file_with_the_name_of_its_game(
    record: GameRecord, tmp_path: Path
) -> None:
    folder = tmp_path / "not" / "yet"

    path = write_record(record, folder)

    assert path == folder / "game-7.json"
    assert DIPCC.read(path.read_bytes(), load_variant) == record
    write_record(replace(record, level=10), folder)
    assert json.loads(path.read_bytes())["daide"]["level"] == 10


@pytest.mark.parametrize("name", ["../up", "/etc/passwd", "a/b", ".hidden", "", "…"])
def test_no_name_leads_out_of_the_folder(
    record: GameRecord, tmp_path: Path, name: str
) -> None:
    path = write_record(replace(record, id=name), tmp_path)

    assert path.parent == tmp_path
    assert not path.name.startswith(".")


def test_a_folder_that_is_a_file_is_named(record: GameRecord, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    folder.write_text("", encoding="utf-8")

    with pytest.raises(ArchiveError, match=r"cannot write the record .*records"):
        write_record(record, folder)
    with pytest.raises(ArchiveError, match=r"cannot write records to .*records"):
        ready(folder)


def test_a_full_disk_leaves_the_old_record_and_nothing_else(
    record: GameRecord, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    path = write_record(record, tmp_path)
    before = path.read_bytes()
    request.getfixturevalue("full_disk")

    with pytest.raises(ArchiveError, match="No space left on device"):
        write_record(replace(record, level=10), tmp_path)

    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["game-7.json"]


@pytest.mark.usefixtures("full_disk")
def test_the_file_that_a_full_disk_lacks_room_for_is_named(tmp_path: Path) -> None:
    """Also where no record is written, as of a new tournament."""
    with pytest.raises(OSError, match="No space left on device") as error:
        archive.replace(tmp_path / "new.toml", b"seed = 1")
    assert error.value.filename == str(tmp_path / "new.toml")


def test_errors_do_not_name_the_temporary_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as error:
        archive.replace(tmp_path / "none" / "new.toml", b"seed = 1")
    assert error.value.filename == str(tmp_path / "none" / "new.toml")


def test_only_owner_and_group_can_read_records(
    record: GameRecord, tmp_path: Path
) -> None:
    """Nor looks into the folder, unless that is there already."""
    path = write_record(record, tmp_path / "new")
    assert path.stat().st_mode & 0o027 == 0
    assert path.parent.stat().st_mode & 0o027 == 0
    tmp_path.chmod(0o755)
    ready(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_temporary_files_of_dead_processes_are_removed(tmp_path: Path) -> None:
    """And nothing of a process that runs, or that has another name."""
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    alive = tmp_path / f".a.json.{os.getppid()}.part"
    kept = [alive, tmp_path / ".b.part", tmp_path / f"c.{dead.pid}.part"]
    for path in (*kept, tmp_path / f".a.json.{dead.pid}.part"):
        path.touch()
    ready(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted(kept)


ABANDONED = """
import os, sys, threading
from pathlib import Path
from daide_server.library import archive
writing = threading.Event()
def wait(handle):
    writing.set()
    threading.Event().wait()
os.fsync = wait
path = Path(sys.argv[1])
threading.Thread(target=archive.replace, args=(path, b"x"), daemon=True).start()
writing.wait()
assert len(list(path.parent.iterdir())) == 1
archive.abandon()
threading.Thread(target=archive.replace, args=(path, b"x"), daemon=True).start()
os._exit(130)
"""


def test_an_abandoned_file_leaves_nothing(tmp_path: Path) -> None:
    """As at the second signal, while a thread still writes and another begins."""
    command = [sys.executable, "-c", ABANDONED, str(tmp_path / "a.save")]
    assert subprocess.run(command, check=False, timeout=60).returncode == 130
    assert not list(tmp_path.iterdir())
