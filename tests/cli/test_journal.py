"""`daide-server journal`: the games of a journal, which stays as it is."""

import os
from pathlib import Path

import pytest
import trio
import trio.testing

from daide_server.board.map import Variant
from daide_server.library.journal_folder import JournalFolder
from tests.support.commands import printed, refusal, run
from tests.support.journalled import journalled


@pytest.fixture
def path(tmp_path: Path, standard: Variant) -> Path:
    """Return journals of a game in its second turn, of another, and of a table."""
    path = tmp_path / "journal"

    async def play() -> None:
        async with journalled(standard, path) as server:
            clients = server.seat(standard)
            server.say(clients["FRA"], "SUB ((FRA AMY PAR) MTO BUR)")
            await trio.sleep(21)
            server.seat(standard)
            server.say(server.join(), "NME ('a') ('1')")

    trio.run(play, clock=trio.testing.MockClock(autojump_threshold=0))
    return path


def contents(path: Path) -> dict[str, bytes]:
    """Return what is in the files of a folder."""
    return {each.name: each.read_bytes() for each in path.iterdir() if each.is_file()}


def damage(path: Path, part: bytes) -> None:
    """Change a byte of a file, in *part*."""
    content = path.read_bytes()
    place = content.index(part)
    path.write_bytes(content[:place] + b"#" + content[place + 1 :])


def test_games_are_listed(path: Path) -> None:
    """Without a replay: from the digests of their turns."""
    before = contents(path)
    first, second, third = printed("journal", "list", path).splitlines()
    assert first.startswith("1: run-0001, FAL 1901, centres: AUS 3 ENG 3 FRA 3")
    assert second.startswith("2: run-0002, SPR 1901")
    assert third == "3: run-0003, forming"
    assert contents(path) == before
    only = printed("journal", "list", path / "run-0001.jsonl")
    assert only.splitlines() == [first]


def test_events_are_printed(path: Path) -> None:
    shown = printed("journal", "show", path, 1)
    assert '"text":"SUB ( ( FRA AMY PAR ) MTO BUR )"' in shown
    assert "== game 2" not in shown


def test_records_are_written_and_the_games_stay(path: Path, tmp_path: Path) -> None:
    """Under the names that they would have; a table has none."""
    before = contents(path)
    printed("journal", "record", path, 1, 2, "--records", tmp_path / "r")
    names = sorted(each.name for each in (tmp_path / "r").iterdir())
    assert names == ["run-0001.json", "run-0002.json"]
    assert contents(path) == before
    printed("replay", tmp_path / "r" / "run-0001.json")
    said = refusal("journal", "record", path, 3, "--records", tmp_path / "r")
    assert "run-0003.jsonl: cannot be read: " in said


def test_a_damaged_journal_is_recorded_up_to_the_damage(
    path: Path, tmp_path: Path
) -> None:
    """What a server has set aside; it is listed as damaged."""
    damage(path / "run-0001.jsonl", b'"kind":"tick"')
    (path / "run-0001.jsonl").rename(path / "run-0001.jsonl.damaged")
    listed = run("journal", "list", path)
    assert listed.exit_code == 1
    assert "1: run-0001, SPR 1901, " in listed.output
    assert "cannot be read: line " in listed.output
    printed("journal", "record", path, 1, "--records", tmp_path / "r")
    text = (tmp_path / "r" / "run-0001.json").read_text()
    assert '"S1901M"' in text
    assert '"F1901M"' not in text


def test_games_are_ended(path: Path, tmp_path: Path) -> None:
    """Only those that are named; a table just goes."""
    printed("journal", "end", path, 1, 3, "--records", tmp_path / "r")
    assert [each.name for each in (tmp_path / "r").iterdir()] == ["run-0001.json"]
    assert [each.stem for each in path.glob("*.jsonl")] == ["run-0002"]
    assert b'"highest":3' in (path / "state.json").read_bytes()


def test_games_of_a_running_server_are_not_ended(path: Path, tmp_path: Path) -> None:
    lock = JournalFolder(path)
    for which in (path, path / "run-0001.jsonl"):
        said = refusal("journal", "end", which, "--records", tmp_path / "r")
        assert "uses this journal" in said
    lock.close()
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize("command", ["show", "record", "end"])
def test_a_game_that_cannot_be_read_is_a_failure(
    path: Path, tmp_path: Path, command: str
) -> None:
    """The others are shown, recorded or ended all the same."""
    damage(path / "run-0001.jsonl", b"run-0001")
    (path / "run-0003.jsonl").unlink()
    more = () if command == "show" else ("--records", tmp_path / "r")

    shown = run("journal", command, path, *more)

    assert shown.exit_code == 1
    assert f"{path}/run-0001.jsonl: cannot be read: line 1" in shown.stderr
    assert "run-0002" in shown.stdout or "== game 2" in shown.stdout


def test_a_game_that_is_not_in_the_journal_is_told(path: Path) -> None:
    said = refusal("journal", "show", path, 7)
    assert "found no game 7, expected one of: 1, 2" in said


def test_a_backup_is_a_folder_of_journals(path: Path, tmp_path: Path) -> None:
    """Without a line that is just being written; for its owner only.

    It has the passcodes of running games.
    """
    whole = (path / "run-0001.jsonl").read_bytes()
    (path / "run-0001.jsonl").write_bytes(whole + b'{"n":99,"t"')
    copy = tmp_path / "copy"
    printed("journal", "backup", path, copy)
    assert (copy / "run-0001.jsonl").read_bytes() == whole
    assert {each.stem for each in copy.iterdir()} == {
        *("run-0001", "run-0002", "run-0003")
    }
    assert copy.stat().st_mode & 0o777 == 0o700
    assert {each.stat().st_mode & 0o777 for each in copy.iterdir()} == {0o600}
    one = tmp_path / "one.jsonl"
    printed("journal", "backup", path / "run-0001.jsonl", one)
    assert one.read_bytes() == whole


def test_a_backup_never_replaces_the_journal_that_it_copies(
    path: Path, tmp_path: Path
) -> None:
    """Its server would go on writing a file without a name."""
    link, journal = tmp_path / "link", path / "run-0001.jsonl"
    link.symlink_to(journal)
    before = journal.stat().st_ino
    for source, copy in (
        *((journal, journal), (link, journal), (journal, link), (path, path)),
    ):
        refusal("journal", "backup", source, copy)
    assert journal.stat().st_ino == before


def test_a_backup_that_cannot_be_written_is_named(path: Path, tmp_path: Path) -> None:
    for source in (path, path / "run-0001.jsonl"):
        said = refusal("journal", "backup", source, tmp_path / "none" / "copy")
        assert f"cannot write {tmp_path}/none/copy: " in said


@pytest.mark.parametrize("command", ["list", "show", "record", "end", "backup"])
@pytest.mark.parametrize("kind", ["/dev/zero", "/dev/full", "pipe"])
def test_what_has_no_end_is_no_journal(tmp_path: Path, command: str, kind: str) -> None:
    path = tmp_path / "x.jsonl"
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(kind)
    words = [path, tmp_path / "copy"] if command == "backup" else [path]
    shown = run("journal", command, *words)
    assert shown.exit_code == 1
    assert "expected a journal" in shown.output
