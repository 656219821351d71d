"""Running games as their files say, and nothing that may not be shown."""

from pathlib import Path

import pytest
import trio

from daide_server.board.map import Variant
from daide_server.records.secrecy import PressPolicy
from daide_server.text.game_views import game_summary
from daide_server.text.views import GameView
from daide_server.web.running_files import GameFault, GameReplay, summary_of
from tests.end_to_end.playing import all_hold
from tests.support.peers import running

NEVER = PressPolicy()


@pytest.fixture
def journal(tmp_path: Path, standard: Variant) -> Path:
    """Return the journal of a game after a turn, as a server has written it."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(trio.run(played, tmp_path, standard))
    return path


async def played(folder: Path, standard: Variant) -> bytes:
    given = {"durability": "process", "journal": str(folder / "journal")}
    async with running(folder, **given) as server:
        await all_hold(await server.players(), standard.start)
        assert server.server.folder is not None
        (path,) = server.server.folder.journals()
        return await trio.Path(path).read_bytes()


def view_of(game: GameReplay) -> GameView:
    news = game.update()
    assert news is not None
    return news.shown.view


def test_lists_say_what_a_replay_says(journal: Path) -> None:
    """Though they read two lines of the journal."""
    listed = summary_of("game", journal, {})
    game = GameReplay("game", journal, {}, NEVER)
    news = game.update()
    game.close()
    assert news is not None
    replayed = game_summary(news.record, running=True, with_board=True)
    assert listed is not None
    assert listed.seats == replayed.seats
    assert {seat.name for seat in listed.seats} == {f"peer{n}" for n in range(7)}
    assert (listed.title, listed.years) == (replayed.title, replayed.years)
    assert listed.last is not None
    assert replayed.last is not None
    assert listed.last.owners == replayed.last.owners
    places = [
        {unit.at for unit in each.last.units}
        for each in (listed, replayed)
        if each.last
    ]
    assert places[0] == places[1]


def test_an_incomplete_line_is_read_once_it_is_complete(journal: Path) -> None:
    """Wherever it is cut, also within the first one."""
    data = journal.read_bytes()
    turn = data.index(b'"kind":"digest"', data.index(b'"kind":"digest"') + 1)
    for cut in (10, data.index(b"\n") + 5, turn):
        journal.write_bytes(data[:cut])
        game = GameReplay("game", journal, {}, NEVER)
        game.update()
        with journal.open("ab") as file:
            file.write(data[cut:])
        assert game.is_due
        assert [turn.id for turn in view_of(game).turns] == ["S1901M", "F1901M"]
        game.close()


@pytest.mark.parametrize("is_gone", [False, True])
def test_a_journal_that_was_replaced_or_removed_is_read_to_its_end(
    journal: Path, *, is_gone: bool
) -> None:
    """As after a disk has failed, or with the last lines of a game that is over."""
    data = journal.read_bytes()
    half = data.index(b"\n", len(data) // 2) + 1
    journal.write_bytes(data[:half])
    game = GameReplay("game", journal, {}, NEVER)
    game.update()
    if is_gone:
        with journal.open("ab") as file:
            file.write(data[half:])
        journal.unlink()
    else:
        new = journal.with_name("new")
        new.write_bytes(data)
        new.replace(journal)
    assert game.is_due
    assert game.has_ended() is is_gone
    assert len(view_of(game).turns) == 2
    game.close()


@pytest.mark.parametrize("content", [b"{}\n", b"\xff\n" * 100, b"[" * 10_000 + b"\n"])
def test_a_bad_journal_affects_only_its_game(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(content)
    game = GameReplay("game", path, {}, NEVER)
    with pytest.raises(GameFault):
        game.update()
    game.close()
