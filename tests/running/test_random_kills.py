"""A tournament of good and bad bots, of which anything is killed at random moments.

Every table is compared with sums over the records, which nothing of ours has made.
"""

import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import psutil
import pytest

from daide_server.running.bot_settings import BotSettings
from daide_server.running.game_task import TroubleLimits
from daide_server.tournament.game_outcomes import PlayedGame
from tests.running.cups import ONE_YEAR, hold_bots, look, status_of, write_cup
from tests.support.foreign_bots import foreign_bot, processes_of

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.long,
    pytest.mark.timeout(900),
]

GAMES, KILLS, SEED = 21, 20, 12
RUN_SHARE = 0.4
PATIENCE = 300.0
BAD_BOTS = {
    "crashes": "stream = join(port, 'crashes'); until(stream, NOW); os.abort()",
    "exits": "sys.exit(0)",
    "hangs": "stream = join(port, 'hangs'); time.sleep(1000)",
    "forks": """
for number in range(6):
    if not os.fork():
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.setsid()
        if os.fork() and number % 2:
            os._exit(0)
        time.sleep(1000)
stream = join(port, 'forks')
until(stream, NOW)
sys.exit(1)
""",
}


def bots(folder: Path) -> list[BotSettings]:
    bad = (foreign_bot(folder, body, name) for name, body in BAD_BOTS.items())
    good = [BotSettings(name=name, builtin=name) for name in ("dumb", "rand")]
    commands = [BotSettings(name=each.name, command=each.command) for each in bad]
    return [*good, *hold_bots(1), *commands]


def write(folder: Path) -> None:
    folder.mkdir()
    write_cup(
        folder,
        games=GAMES,
        bots=bots(folder),
        policy=ONE_YEAR,
        limits=TroubleLimits(
            stalled_seconds=1.0, away_seconds=1.0, retries=KILLS, bench_after=0
        ),
    )


def start(folder: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "daide_server", "tournament", "run", "--quiet"]
    return subprocess.Popen(
        [*command, str(folder)],
        stdout=subprocess.DEVNULL,
        env={**dict(psutil.Process().environ()), "TMPDIR": str(folder.parent)},
        start_new_session=True,
    )


def family(run: "subprocess.Popen[bytes]") -> list[psutil.Process]:
    """Return the workers of *run*, the bots, and what those have started."""
    try:
        return psutil.Process(run.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


@pytest.fixture
def runs() -> Iterator[list["subprocess.Popen[bytes]"]]:
    """Give a list for the runs that are started; those that are left are ended."""
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for run in started:
        for each in family(run):
            with suppress(psutil.NoSuchProcess):
                each.kill()
        run.kill()
        run.wait()


def kill_something(
    folder: Path, runs: list["subprocess.Popen[bytes]"], random: Random
) -> None:
    """Kill the run and start it again, or one of the processes below it."""
    run, victims = runs[-1], family(runs[-1])
    if run.poll() is not None or not victims or random.random() < RUN_SHARE:
        run.kill()
        run.wait()
        runs.append(start(folder))
        return
    with suppress(psutil.NoSuchProcess):
        random.choice(victims).kill()


def scores(folder: Path) -> Iterator[tuple[str, float]]:
    """Yield the score of each bot in each record: its squares, shared by copies."""
    for path in (folder / "games").iterdir():
        record = json.loads(path.read_text())
        centres = record["phases"][-1]["state"]["centers"]
        total = sum(len(each) ** 2 for each in centres.values())
        seats = defaultdict[str, list[float]](list)
        for seat in record["daide"]["agents"]:
            name = seat["name"].removeprefix("stand-in for ")
            share = len(centres[seat["power"]]) ** 2 / total
            seats[name].append(0.0 if "forfeit" in seat else share)
        for name, found in seats.items():
            yield name.replace("hold", "bot0"), sum(found) / len(found)


def test_nothing_is_lost_counted_twice_or_left_running(
    tmp_path: Path, runs: list["subprocess.Popen[bytes]"]
) -> None:
    folder, random = tmp_path / "cup", Random(SEED)
    counted = dict[int, PlayedGame]()
    write(folder)
    runs.append(start(folder))

    for _ in range(KILLS):
        time.sleep(random.uniform(0.1, 5.0))
        kill_something(folder, runs, random)
        found = look(folder).ledger.played
        assert {game: found[game] for game in counted} == counted
        counted = dict(found)
    if runs[-1].wait(PATIENCE) != 0:
        runs.append(start(folder))
        assert runs[-1].wait(PATIENCE) == 0

    status = status_of(folder)
    assert (status.played, status.unplayed) == (GAMES, 0)
    assert len(list((folder / "games").iterdir())) == GAMES
    left = processes_of(folder)
    assert not left
    summed = defaultdict[str, list[float]](list)
    for name, score in scores(folder):
        summed[name].append(score)
    for bot in status.bots:
        assert len(summed[bot.name]) == bot.games
        assert sum(summed[bot.name]) / bot.games == pytest.approx(bot.score)
