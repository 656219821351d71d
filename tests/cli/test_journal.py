"""`daide-server journal`: the games of a journal, which stays as it is."""

import os
from pathlib import Path

import pytest
import trio
import trio.testing
from click.testing import CliRunner, Result

from daide_server.board.variant import Variant
from daide_server.cli import main
from daide_server.storage.journal_file import JournalFile
from daide_server.storage.journal_lock import JournalLock
from tests.support.journalled import journalled


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["journal", *map(str, words)])


@pytest.fixture
def path(tmp_path: Path, standard: Variant) -> Path:
    """Return a journal with a game in its second turn, and another."""
    path = tmp_path / "a.journal"

    async def play() -> None:
        async with journalled(standard, path) as server:
            clients = server.seat(standard)
            server.say(clients["FRA"], "SUB ((FRA AMY PAR) MTO BUR)")
            await trio.sleep(21)
            server.seat(standard)

    trio.run(play, clock=trio.testing.MockClock(autojump_threshold=0))
    return path


def test_games_are_listed(path: Path) -> None:
    before = path.read_bytes()
    shown = run("list", path)
    assert shown.exit_code == 0
    first, second = shown.output.splitlines()
    assert first.startswith("1: run-0001, FAL 1901, playing, clients: AUS ENG FRA")
    assert second.startswith("2: run-0002, SPR 1901")
    assert path.read_bytes() == before


def test_events_are_printed(path: Path) -> None:
    shown = run("show", path, 1)
    assert shown.exit_code == 0
    assert '"SUB ( ( FRA AMY PAR ) MTO BUR )"]' in shown.output
    assert "== game 2" not in shown.output


def test_records_are_written_and_the_games_stay(path: Path, tmp_path: Path) -> None:
    """Under the names that they would have."""
    before = path.read_bytes()
    shown = run("record", path, "--records", tmp_path / "r")
    assert shown.exit_code == 0
    names = sorted(each.name for each in (tmp_path / "r").iterdir())
    assert names == ["run-0001.json", "run-0002.json"]
    assert path.read_bytes() == before
    assert (
        CliRunner()
        .invoke(main, ["replay", str(tmp_path / "r" / "run-0001.json")])
        .exit_code
        == 0
    )


def test_games_are_ended(path: Path, tmp_path: Path) -> None:
    """Only those that are named."""
    shown = run("end", path, 1, "--records", tmp_path / "r")
    assert shown.exit_code == 0
    assert (tmp_path / "r" / "run-0001.json").exists()
    with JournalFile(path) as journal:
        assert [*journal.recovered.games] == [2]


def test_games_of_a_running_server_are_not_ended(path: Path, tmp_path: Path) -> None:
    lock = JournalLock(path.with_name(path.name + ".lock"))
    shown = run("end", path, "--records", tmp_path / "r")
    lock.release()
    assert shown.exit_code == 1
    assert "uses this journal" in shown.stderr
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize("command", ["show", "record", "end"])
def test_a_game_that_cannot_be_read_is_a_failure(
    path: Path, tmp_path: Path, command: str
) -> None:
    """The others are shown, recorded or ended all the same."""
    # Of the first game are the bytes before the first that names the second.
    content = path.read_bytes()
    place = content.index(b"run-0001")
    path.write_bytes(content[:place] + b"s" + content[place + 1 :])
    more = () if command == "show" else ("--records", tmp_path / "r")

    shown = run(command, path, *more)

    assert shown.exit_code == 1
    assert f"{path}: game 1: cannot be read: " in shown.stderr
    assert "run-0002" in shown.stdout or "== game 2" in shown.stdout


def test_a_game_that_is_not_in_the_journal_is_told(path: Path) -> None:
    shown = run("show", path, 7)
    assert shown.exit_code == 1
    assert "found no game 7, expected one of: 1, 2" in shown.stderr


def test_a_backup_is_a_journal(path: Path, tmp_path: Path) -> None:
    """Without a frame that is just being written."""
    whole = path.read_bytes()
    path.write_bytes(whole + whole[16:30])
    assert run("backup", path, tmp_path / "copy").exit_code == 0
    assert (tmp_path / "copy").read_bytes() == whole


def test_a_backup_never_replaces_the_journal_that_it_copies(
    path: Path, tmp_path: Path
) -> None:
    """Its server would go on writing a file without a name."""
    link = tmp_path / "link"
    link.symlink_to(path)
    before = path.stat().st_ino
    for source, copy in ((path, path), (link, path), (path, link)):
        assert run("backup", source, copy).exit_code == 1
    assert path.stat().st_ino == before


def test_a_backup_is_for_its_owner_only(path: Path, tmp_path: Path) -> None:
    """It has the passcodes of running games."""
    assert run("backup", path, tmp_path / "copy").exit_code == 0
    assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o600


def test_a_backup_that_cannot_be_written_is_named(path: Path, tmp_path: Path) -> None:
    shown = run("backup", path, tmp_path / "none" / "copy")
    assert shown.exit_code == 1
    assert f"cannot write {tmp_path}/none/copy: " in shown.stderr


@pytest.mark.parametrize("command", ["list", "show", "record", "end", "backup"])
@pytest.mark.parametrize("kind", ["/dev/zero", "/dev/full", "pipe"])
def test_what_has_no_end_is_no_journal(tmp_path: Path, command: str, kind: str) -> None:
    path = tmp_path / "x.journal"
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(kind)
    words = [path, tmp_path / "copy"] if command == "backup" else [path]
    shown = run(command, *words)
    assert shown.exit_code == 1
    assert "expected a journal" in shown.stderr


@pytest.mark.parametrize(
    "words", [("list", "{other}"), ("show", "{path}", 7), ("list", "/nowhere")]
)
def test_what_is_wrong_is_one_line(
    path: Path, tmp_path: Path, words: tuple[object, ...]
) -> None:
    other = tmp_path / "other"
    other.write_text("something")
    given = [str(each).format(path=path, other=other) for each in words]
    shown = run(*given)
    assert shown.exit_code in {1, 2}
    assert "Traceback" not in shown.stderr
    assert isinstance(shown.exception, SystemExit)
