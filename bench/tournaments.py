"""What the runner of tournaments costs, beside the server and the bots.

Run as a script: prints the CPU of one process that plays a game of ten years with
seven bots that hold, once by the runner (`running.play_game`) and once by a plain
server (as `play` does), as medians over rounds that alternate between the two. The
difference is the runner. With bots as programs, theirs is not counted: it is that of
other processes.
"""

import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from statistics import median

import trio

from daide_server.board.names import Power
from daide_server.bots.built_in import play_bot
from daide_server.server.server import Server
from daide_server.server.settings import TABLE
from daide_server.tournament.game_outcomes import Attempt, PlayedGame
from daide_server.tournament.run.bot_settings import BotSettings
from daide_server.tournament.run.game_task import GameTask, SeatTask
from daide_server.tournament.run.play_game import play_game

POWERS = ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")
YEAR_LIMIT = 1910
GAME = {"game": {"year_limit": YEAR_LIMIT, "post_game_seconds": 0.1}}
BUILT_IN = BotSettings(name="hold", builtin="hold")
COMMAND = (sys.executable, "-m", "daide_server", "bot", "hold")
PROGRAM = BotSettings(
    name="hold",
    command=(*COMMAND, "--host", "{host}", "--port", "{port}"),
    pass_variables=("PYTHONPATH",),
)
LIMIT = 0.2
"""Seconds of CPU that the runner may cost in a game."""


def by_runner(program: BotSettings) -> None:
    """Play one game as a worker does."""
    seats = tuple(
        SeatTask(Power(power), number, program, number)
        for number, power in enumerate(POWERS)
    )
    report = play_game(GameTask("bench", Attempt(1, 1), seats, 1, GAME))
    assert isinstance(report.outcome, PlayedGame), report.outcome
    assert not report.outcome.forfeits, report.outcome


def by_server(program: BotSettings) -> None:
    """Play one game on a server with clients."""
    trio.run(_serve, program)


async def _serve(program: BotSettings) -> None:
    with tempfile.TemporaryDirectory() as records:
        layer = TABLE.read(
            {
                **GAME,
                "server": {"port": 0, "games": 1, "records": records},
                "journal": {"durability": "none"},
            },
            "bench",
        )
        server = Server(TABLE.compose(layer), lambda _: None)
        host, _, port = server.address.rpartition(":")
        async with trio.open_nursery() as nursery:
            for number in range(len(POWERS)):
                nursery.start_soon(_play, program, host, int(port), number)
            await server.run()


async def _play(program: BotSettings, host: str, port: int, number: int) -> None:
    if program.builtin:
        await play_bot("hold", host, port, seed=number)
        return
    command = [*COMMAND, "--port", str(port)]
    await trio.run_process(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def cpu(work: Callable[[], None]) -> float:
    """Return the seconds of CPU that this process spends on *work*."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    work()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(title: str, program: BotSettings, rounds: int) -> None:
    """Print both medians, and what the runner costs."""
    for warm in (by_runner, by_server):
        warm(program)
    found = [
        (cpu(partial(by_runner, program)), cpu(partial(by_server, program)))
        for _ in range(rounds)
    ]
    runner, server = (median(column) for column in zip(*found, strict=True))
    difference = median(own - other for own, other in found)
    verdict = "met" if difference <= LIMIT else "missed"
    print(f"{title}, {YEAR_LIMIT - 1900} years, {rounds} rounds, CPU of the process")
    print(f"  by the runner   {runner:.3f} s a game")
    print(f"  by a server     {server:.3f} s a game")
    print(f"  the runner      {difference:.3f} s a game, limit {LIMIT}: {verdict}")


def main() -> None:
    """Print the figures."""
    compare("seven bots as tasks", BUILT_IN, rounds=7)
    compare("seven bots as programs", PROGRAM, rounds=3)


if __name__ == "__main__":
    main()
