"""Games that are played on from a phase, and what is printed of them."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from daide_server.cli.branch_games import (
    Distribution,
    distribution,
    endings_of,
    spread_of,
)
from daide_server.scoring.game_result import GameResult
from daide_server.tournament.game_outcomes import PlayedGame, VoidGame
from daide_server.tournament.run.game_task import SLOW_START, GameReport, GameTask
from daide_server.tournament.run.worker import play_task
from tests.support.commands import printed, run
from tests.support.tournaments import POWERS

EXAMPLES = Path(__file__).parents[2] / "examples" / "lines"

LINE: dict[str, Any] = {
    "phase": "S1905M",
    "units": {"FRANCE": ["A PAR", "A BUR"], "GERMANY": ["A MUN"]},
    "centers": {"FRANCE": ["PAR", "BRE", "MAR"], "GERMANY": ["MUN", "BER"]},
}


@pytest.fixture
def start(tmp_path: Path) -> str:
    path = tmp_path / "start.json"
    path.write_text(json.dumps(LINE))
    return f"{path}:S1905M"


def outcome(*words: str) -> dict[str, Any]:
    result = run("branch", *words, "--year-limit", "1906", "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize("workers", [1, 2])
def test_the_spread_of_games_is_printed(
    start: str, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same seed plays the same games, wherever they are played."""
    monkeypatch.setattr("daide_server.cli.play_programs.processors", lambda: workers)
    found = outcome(start, "--games", "2", "--seed", "3")
    assert found["games"] == 2
    assert found["endings"] == {"year limit": 2}
    assert found["powers"]["AUS"]["eliminations"] == 1.0
    assert found["powers"]["FRA"]["centres"]["mean"] >= 3
    assert found == outcome(start, "--games", "2", "--seed", "3")


@pytest.mark.parametrize("phase", ["F1905R", "W1905A"])
def test_games_begin_in_retreats_and_builds(phase: str, tmp_path: Path) -> None:
    """The year limit is the year itself, also if it is that of the start.

    Records are kept where they are wanted.
    """
    retreats = {"GERMANY": {"A BUR": ["RUH", "GAS"]}} if phase.endswith("R") else {}
    units = LINE["units"] | ({"GERMANY": ["*A BUR"]} if retreats else {})
    path, folder = tmp_path / "start.json", tmp_path / "kept"
    start = LINE | {"phase": phase, "units": units, "retreats": retreats}
    path.write_text(json.dumps(start))

    printed(
        "branch",
        *(f"{path}:{phase}", "--games", "1", "--year-limit", "1905"),
        *("--keep", str(folder), "--bots", "hold" + 6 * ",rand"),
    )

    (record,) = (json.loads(path.read_text()) for path in folder.glob("*.json"))
    assert record["metadata"]["daide_start"] == f"{path}:{phase}"
    assert record["metadata"]["agent_AUSTRIA"].startswith("hold ")
    assert record["phases"][0]["name"] == phase
    assert record["phases"][-1]["name"] == "COMPLETED"


@pytest.mark.parametrize(("program", "code"), [("ten_lines.py", 0), ("ends.py", 1)])
def test_any_bot_plays_on(
    start: str, tmp_path: Path, program: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that forfeits is named."""
    monkeypatch.setattr("daide_server.cli.play_programs.processors", lambda: 1)
    (tmp_path / "ends.py").write_text("raise SystemExit(3)")
    folder = tmp_path if program == "ends.py" else EXAMPLES
    bot = f"lines:{sys.executable} {folder / program}"
    done = run(
        *("branch", start, "--games", "1", "--year-limit", "1905"),
        *("--bots", "dumb,hold", "--bot", bot, "--bot", "4 x rand"),
    )
    assert done.exit_code == code, done.output
    name = Path(program).stem
    assert (f"game 1: {name} (FRA) forfeited" in done.stderr) == bool(code)
    title, _, *rows = done.stdout.splitlines()
    assert title == "SPR 1905, 1 games: 1 year limit"
    assert [row.split()[0] for row in rows[:3]] == ["Austria", "England", "France"]


def test_a_bot_that_starts_slowly_has_one_more_start(
    start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alone, as in play and in tournaments."""
    tasks: list[GameTask] = []

    def play(task: GameTask) -> GameReport:
        tasks.append(task)
        if len(tasks) == 1:
            return GameReport(VoidGame(1, 1, SLOW_START + "hold (AUS)"))
        return play_task(task)

    monkeypatch.setattr("daide_server.cli.play_programs.play_task", play)
    outcome(start, "--games", "1")
    assert [task.is_alone for task in tasks] == [False, True]


def test_quantiles_leave_a_twentieth_below_and_above() -> None:
    assert distribution([7]) == Distribution(7, 7, 7, 7)
    assert distribution(list(range(21))) == Distribution(10, 1, 10, 19)


def test_shares_are_of_all_games() -> None:
    """The most frequent ending is first."""
    centres = dict(zip(POWERS, (17, 0, 17, 0, 0, 0, 0), strict=True))
    shared = GameResult(centres, {}, None, frozenset(), 1901, 1910, 34)
    solo, draw = evolve(shared, soloist=POWERS[0]), evolve(shared, by_vote=True)
    ended = [(solo, "solo"), (shared, "year limit"), (draw, "draw"), (solo, "solo")]
    games = [PlayedGame(1, 1, result, (), ending=ending) for result, ending in ended]

    first, third = (spread_of(games, POWERS[at], "draw_size") for at in (0, 2))

    assert (first.solos, first.draws, first.shared) == (0.5, 0.25, 0.25)
    assert (third.solos, third.draws, third.eliminations) == (0.0, 0.25, 0.0)
    assert spread_of(games, POWERS[1], "draw_size").eliminations == 1.0
    assert (first.centres.mean, first.scores.mean) == (17, 0.75)
    assert next(iter(endings_of(games).items())) == ("solo", 2)
