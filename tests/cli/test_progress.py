"""The display of a game that `play` runs."""

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from daide_server.cli.common.progress import Progress
from daide_server.records.entries import RecordEntry, Seated
from daide_server.records.record import GameRecord
from daide_server.storage.game_files import games_in, read_game

GAME = Path(__file__).parents[1] / "records" / "games" / "draw.json"


@pytest.fixture
def record() -> GameRecord:
    [found] = games_in(GAME)
    return read_game(found)


def entries(record: GameRecord) -> list[RecordEntry]:
    """Return the entries of a game whose first player has a hostile name."""
    return [
        Seated(power, "[bold]\x1b[2J", "1", 0.0)
        for power in record.variant.map.powers[:1]
    ]


def test_a_player_cannot_command_the_terminal(
    record: GameRecord, capsys: pytest.CaptureFixture[str]
) -> None:
    progress = Progress(record.variant)
    with progress:
        for entry in entries(record):
            progress.show(entry)
    progress.record = Path("records") / ("x" * 200)
    progress.conclude()

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("broken off after SPR 1901: 0 turns in ")
    assert any(r"[bold]\u001b[2J" in line for line in lines)
    assert lines[-1] == f"record: records/{'x' * 200}"


def test_a_pipe_is_told_who_plays_what_before_the_first_year(
    record: GameRecord, capsys: pytest.CaptureFixture[str]
) -> None:
    progress = Progress(record.variant)
    powers = record.variant.map.powers
    for power in (*powers, powers[0]):
        progress.show(Seated(power, f"bot{power}\n", "1", 0.0))

    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith(r"1901  AUS botAUS\u000a  ENG botENG\u000a  FRA")


def test_a_terminal_shows_the_same_table(record: GameRecord) -> None:
    shown = StringIO()
    console = Console(file=shown, force_terminal=True, width=100)
    progress = Progress(record.variant, console)
    with progress:
        for entry in entries(record):
            progress.show(entry)

    assert r"[bold]\u001b[2J" in shown.getvalue()
    assert "Austria" in shown.getvalue()
