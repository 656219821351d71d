"""`daide-server play` with bots that are programs, and with several games."""

import sys
import time
from pathlib import Path

import pytest
from click.testing import Result

from daide_server.tournament.run.game_task import GameReport, GameTask
from daide_server.tournament.run.worker import play_task
from tests.support import commands
from tests.support.foreign_bots import foreign_bot

pytestmark = pytest.mark.end_to_end

PATIENCE = 60.0


def run(folder: Path, *words: str) -> Result:
    usual = ("--records", folder / "records", "--year-limit", "1902")
    return commands.run("play", *usual, *words)


def played(folder: Path, *words: str) -> Result:
    """Return the result of games that are played."""
    result = run(folder, *words)
    assert result.exit_code == 0, result.output
    return result


def test_program_plays_and_the_game_is_shown(tmp_path: Path) -> None:
    """What it did wrong is a line on standard error."""
    body = "stream = join(port); until(stream, NOW); sys.exit(3)"
    words = " ".join(foreign_bot(tmp_path, body).command)

    result = played(tmp_path, "--bots", f"hold,cmd={words}", "--bot", "5 x hold")

    (record,) = (tmp_path / "records").iterdir()
    assert f"record: {record}" in result.stdout
    assert "mine (" in result.stderr
    assert ") forfeited in S1901M: exited with code 3 in the game" in result.stderr


def test_what_a_bot_printed_is_in_its_log(tmp_path: Path) -> None:
    """Also of one that plays to the end."""
    script = tmp_path / "mine.py"
    bot = [sys.executable, "-m", "daide_server", "bot", "hold", "--port"]
    script.write_text(
        "import os, sys\nprint('hello', file=sys.stderr, flush=True)\n"
        f"os.execv({sys.executable!r}, [*{bot}, sys.argv[1]])"
    )
    words = f"{sys.executable} {script} {{port}}"
    logs = tmp_path / "logs"

    result = played(tmp_path, "--bot", words, "--bot", "6 x hold", "--logs", str(logs))

    assert "forfeited" not in result.stderr
    assert f"logs: {logs}" in result.stdout
    (folder,) = logs.iterdir()
    (output,) = folder.glob("*.output.txt")
    assert len(list(folder.glob("*.conversation.txt"))) == 7
    assert "hello" in output.read_text("utf-8")
    power = output.name.partition(".")[0]
    assert (folder / f"{power}.conversation.txt").stat().st_size
    assert (folder / "server.log").stat().st_size


def test_logs_that_cannot_be_written_begin_no_game(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    result = run(tmp_path, "--logs", str(tmp_path / "file" / "logs"))

    assert result.exit_code == 1
    assert "cannot write logs to" in result.stderr


def test_several_games_have_a_line_each(tmp_path: Path) -> None:
    """With the centres of each bot; the seats differ."""
    result = played(tmp_path, "--games", "3", "--bot", "7 x hold")

    assert sorted(line.split(":")[0] for line in result.stdout.splitlines()) == [
        *("game 1", "game 2", "game 3", "records")
    ]
    assert "shared at the year limit in 1902: AUS hold 3, ENG hold 3" in result.stdout
    assert len(list((tmp_path / "records").iterdir())) == 3


def test_a_game_that_lasts_keeps_nothing_of_the_others_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever breaks it off has the records of the games that are over."""
    records = tmp_path / "records"

    def play(task: GameTask) -> GameReport:
        until = time.monotonic() + PATIENCE
        while task.attempt.game == 1 and not any(records.glob("*-000002.json")):
            assert time.monotonic() < until
            time.sleep(0.01)
        return play_task(task)

    monkeypatch.setattr("daide_server.cli.play_programs.play_task", play)
    monkeypatch.setattr("daide_server.cli.play_programs.processors", lambda: 2)

    result = played(tmp_path, "--games", "2", "--bot", "7 x hold")

    lines = result.stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == ["game 2", "game 1", "records"]


def test_seed_repeats_the_seats(tmp_path: Path) -> None:
    """And the choices of the bots."""
    words = ("--games", "2", "--seed", "5", "--bots", "rand,dumb", "--bot", "5 x hold")
    first, second = (run(tmp_path, *words).stdout.splitlines() for _ in range(2))

    assert sorted(first) == sorted(second)


def test_a_bot_that_cannot_be_started_is_a_failure(tmp_path: Path) -> None:
    """The game is played all the same, as its other bots cannot help it."""
    script = tmp_path / "mine"
    script.write_text("#!/nobody/has/this\n")
    script.chmod(0o755)

    result = run(tmp_path, "--bot", f"{script} {{port}}", "--bot", "6 x hold")

    assert result.exit_code == 1
    assert "forfeited: cannot be started: No such file" in result.stderr
    assert "record: " in result.stdout


def test_without_the_program_of_a_bot_no_game_begins(tmp_path: Path) -> None:
    result = run(tmp_path, "--bot", "./nosuch {port}", "--bot", "6 x hold")

    assert result.exit_code == 1
    assert "bot nosuch: found no program './nosuch' in" in result.output
    assert not (tmp_path / "records").exists()


@pytest.mark.parametrize("words", [(), ("--pass", "SECRET")])
def test_bots_get_the_environment_or_what_is_passed(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SECRET", "1")
    monkeypatch.setenv("OTHER", "2")
    # In a sandbox a bot may write to the folder where it is started.
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "mine.py"
    script.write_text("import os, sys\nopen(sys.argv[2], 'w').write(str(os.environ))")
    bot = f"{sys.executable} {script} {{port}} {tmp_path / 'found'}"

    run(tmp_path, "--bot", bot, "--bot", "6 x hold", *words)

    found = (tmp_path / "found").read_text("utf-8")
    assert "'SECRET': '1'" in found
    assert ("'OTHER': '2'" in found) is not bool(words)


COUNTS = """
import json, sys
for line in sys.stdin:
    heard = json.loads(line)
    if heard["type"] == "hello":
        print('{"type": "ready", "name": "Counts"}', flush=True)
    elif heard["type"] == "turn":
        orders = [f"{unit} H" for unit in heard["state"]["units"]["FRANCE"]]
        usage = {"model": "small", "tokens_in": 100, "cost": 0.5}
        line = {"type": "orders", "orders": orders, "usage": usage}
        print(json.dumps(line), flush=True)
"""


def test_what_the_model_of_a_bot_used_is_told(tmp_path: Path) -> None:
    script = tmp_path / "counts.py"
    script.write_text(COUNTS)
    words = ("--bot", "2 x hold", "--bot", f"lines:{sys.executable} {script}")

    result = played(tmp_path, *words, "--bot", "4 x hold", "--seats", "arrival")

    assert "game 1: counts (FRA) used small: " in result.stdout
    assert " calls, " in result.stdout
