"""Fourteen hostile bots in one cup, in boxes: they lose, and nobody else does."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from daide_server.cli import main
from daide_server.running.bot_settings import BWRAP, BotSettings
from daide_server.running.game_task import TroubleLimits
from daide_server.running.tournament_settings import (
    DesignSettings,
    RunSettings,
)
from tests.running.cups import ONE_YEAR, look, write_cup
from tests.running.test_worker_killers import HOLDS
from tests.support.foreign_bots import foreign_bot, processes_of
from tests.support.needed import need_box

pytestmark = [pytest.mark.end_to_end, pytest.mark.long]

DAEMON = """
if not os.fork():
    os.setsid()
    if not os.fork():
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(1000)
    os._exit(0)
"""
HOSTILE = {
    "kills": "stream = join(port); until(stream, NOW); os.kill(-1, 9); sys.exit(1)",
    "stops": """
for name in filter(str.isdigit, os.listdir("/proc")):
    if int(name) not in (os.getpid(), 1):
        os.kill(int(name), signal.SIGSTOP)
os.kill(1, signal.SIGTERM)
sys.exit(1)
""",
    "parent": "os.kill(os.getppid(), signal.SIGKILL); time.sleep(1000)",
    "daemons": f"{DAEMON * 3}stream = join(port); until(stream, NOW); sys.exit(1)",
    "forks": "[os.fork() for _ in range(6)]; signal.signal(15, lambda *_: 0)\n"
    "while True: time.sleep(1)",
    "eats": "food = [b'x' * (20 << 20) for _ in range(20)]; time.sleep(1000)",
    "fills": """
for number in range(100):
    open("/tmp/%d" % number, "wb").write(b"x" * (1 << 20))
time.sleep(1000)
""",
    "floods": "while True: os.write(1, b'x' * 65536)",
    "hangs": "time.sleep(1000)",
    "exits": "sys.exit(0)",
    "crashes": "stream = join(port); until(stream, NOW); os.abort()",
    "owes": "stream = join(port); until(stream, NOW); time.sleep(1000)",
    "leaves": "stream = join(port); until(stream, NOW); stream.close(); time.sleep(99)",
    "meddles": """
for name in sys.argv[2:]:
    for folder, _, files in os.walk(name):
        for file in files:
            try:
                open(os.path.join(folder, file), "ab").write(b"mine")
                print("meddled")
            except OSError:
                pass
sys.exit(1)
""",
}
"""What each of them does."""


def bots(folder: Path) -> list[BotSettings]:
    found = []
    for name, body in {**HOSTILE, **{f"good{at}": HOLDS for at in range(3)}}.items():
        home = folder / name
        home.mkdir(parents=True)
        program = foreign_bot(home, body, name)
        words = (str(folder.parent),) * (name == "meddles")
        bot = BotSettings(
            name=name,
            command=(*program.command, *words),
            folder=str(home),
            memory=100 << 20,
            disk=20 << 20,
        )
        found.append(bot)
    return [*found, *(BotSettings(name=f"ours{at}", builtin="hold") for at in range(4))]


def test_hostile_bots_lose_and_nobody_else(tmp_path: Path) -> None:
    need_box()
    cup = write_cup(
        tmp_path / "cup",
        bots=bots(tmp_path / "bots"),
        design=DesignSettings(games=21, at_once=2),
        policy=ONE_YEAR,
        limits=TroubleLimits(
            start_seconds=10.0, stalled_seconds=2.0, away_seconds=2.0, bench_after=3
        ),
        run=RunSettings(sandbox=BWRAP),
    )
    before = (cup / "tournament.toml").read_text()

    done = CliRunner().invoke(main, ["tournament", "run", str(cup), "--json"])

    status = json.loads(done.stdout.splitlines()[-1])
    assert status["played"] + status["unplayed"] == status["games"], done.output
    assert status["played"] > 0
    for bot in status["bots"]:
        is_hostile = bot["name"] in HOSTILE
        assert bot["worker_deaths"] == 0, bot
        assert bot["voids"] == 0, bot
        assert (bot["forfeits"] == bot["games"]) is is_hostile or not bot["games"], bot
    assert (cup / "tournament.toml").read_text() == before
    boxes = {
        seat.box
        for game in look(cup).ledger.played.values()
        for seat in game.seats
        if seat.box
    }
    assert boxes == {BWRAP}
    assert "meddled" not in done.output
    assert not processes_of(tmp_path)
