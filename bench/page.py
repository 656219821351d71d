"""The page: lists of 10,000 games, the start beside them, and 500 spectators of a game.

python bench/page.py [SPECTATORS]
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from urllib.request import urlopen

import msgspec
import trio
from sqlalchemy import Engine, insert

from daide_server.bots.built_in import BOTS as BUILT_IN
from daide_server.bots.built_in import play_bot
from daide_server.bots.client import join
from daide_server.library.index_tables import (
    FILE_TABLE,
    GAME_TABLE,
    SEAT_TABLE,
    index_path,
    open_index,
)
from daide_server.library.record_index import GameSearch, RecordIndex
from daide_server.text.views import GameSummary, SeatSummary

GAMES = 10_000
RECORD = Path(__file__).parents[1] / "tests/records/games/draw.json"
POWERS = ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")
BOTS = ("dumb", "rand", "hold", "albert", "diplominator", "hold2", "third")
SPECTATORS = 500
STUCK = 50
"""Of them do not read."""
YEARS = 60
RUNNING = 1000
TURNS_BEGUN = 20
TURNS_AT_ONCE = 15
"""Between two changes of the crowd."""
PAUSE = 0.15
SETTINGS = """
[web]
spectators = 2000
"""


def fill(index: Engine, folder: Path) -> None:
    """Put games into *index* as if their files had been read."""
    with index.begin() as connection:
        for number in range(GAMES):
            path, game = str(folder / f"g{number}.json"), f"g{number}"
            names = [BOTS[(number + at) % len(BOTS)] for at in range(7)]
            seats = tuple(
                SeatSummary(power, power, power[0], name, 5)
                for power, name in zip(POWERS, names, strict=True)
            )
            summary = GameSummary(
                id=game,
                name=game,
                headline="Nobody leads",
                board="standard",
                board_title="Standard",
                started=1e9 + number,
                title="Fall 1910",
                years=10,
                seats=seats,
            )
            connection.execute(
                insert(FILE_TABLE).values(path=path, changed=0, size=1, problem=None)
            )
            row: dict[str, object] = {"id": game, "path": path, "line": None}
            row |= {"started": 1e9 + number, "ending": "draw"}
            row |= {"year": 1900 + number % 30}
            row |= {"bots": "\n".join(sorted(names))}
            row |= {"summary": msgspec.json.encode(summary)}
            connection.execute(insert(GAME_TABLE).values(**row))
            connection.execute(
                insert(SEAT_TABLE),
                [
                    {"game": game, "power": power, "position": at, "name": names[at]}
                    | {"version": "1", "centres": 5, "outcome": "draw", "score": 0.1}
                    | {"refused": 0, "syntax_errors": 0, "late": 0, "think": 0.1}
                    for at, power in enumerate(POWERS)
                ],
            )


def timed(name: str, work: Callable[[], object], times: int = 20) -> None:
    """Print the median and the longest time of *work*."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        found.append(1000 * (time.perf_counter() - began))
    found.sort()
    print(f"{name:34} median {found[times // 2]:6.1f} ms  longest {found[-1]:6.1f} ms")


def lists() -> None:
    """Time what the first page and a bot's page ask of the index."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        engine = open_index(index_path([folder]))
        fill(engine, folder)
        index = RecordIndex(engine)
        print(f"{GAMES:,} games in the index")
        timed("first page of the list", lambda: index.search(GameSearch()))
        timed("last page", lambda: index.search(GameSearch(), GAMES // 50))
        timed("a bot's games", lambda: index.search(GameSearch(bot="dumb")))
        wanted = GameSearch(bot="dumb", power="FRA", result="draw", year=1910)
        timed("bot, power, result and year", lambda: index.search(wanted))
        timed("one game", lambda: index.game("g77"))
        timed("powers and endings", lambda: (index.powers(), index.endings()))
        timed("all bots", index.bots)
        timed("all about a bot", lambda: index.bot("dumb"), 5)


def cold_start() -> None:
    """Time `watch` on a folder whose records nobody has indexed yet."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = folder / "game-0.json"
        shutil.copy(RECORD, first)
        for number in range(1, GAMES):
            first.with_name(f"game-{number}.json").hardlink_to(first)
        command = [sys.executable, "-m", "daide_server", "watch", name]
        began = time.perf_counter()
        with subprocess.Popen(
            [*command, "--web", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            web = process.stdout.readline().split()[-1]
            listening = time.perf_counter() - began
            for path in ("/", "/", "/api/games"):
                asked = time.perf_counter()
                with urlopen(f"{web}{path}") as answer:  # noqa: S310 (ours)
                    body = answer.read()
                print(f"{path:12} {1000 * (time.perf_counter() - asked):6.1f} ms")
            process.kill()
    found = json.loads(body)
    print(f"listening after {listening:.2f} s, beside {GAMES:,} records")
    print(f"{found['indexed']} of {found['files']} files indexed by then")


@contextmanager
def server() -> Iterator[tuple[Path, str, str]]:
    """Run a server with a page; yield its folder and both addresses."""
    with tempfile.TemporaryDirectory() as name:
        config = Path(name) / "server.toml"
        config.write_text(SETTINGS)
        command = [sys.executable, "-m", "daide_server", "serve", "--port", "0"]
        command += ["--web", "127.0.0.1:0", "--config", str(config)]
        command += ["--log-level", "error"]
        command += ["--year-limit", str(1900 + YEARS)]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, cwd=name
        ) as process:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1]
            web = process.stdout.readline().split("//")[-1].strip()
            try:
                yield Path(name), address, web
            finally:
                process.kill()


def running_games() -> None:
    """Time the first page and lists beside a thousand journals of running games."""
    with server() as (home, address, _):
        trio.run(begin_game, address)
        (journal,) = home.glob("journal/*/*-0001.jsonl")
        with tempfile.TemporaryDirectory() as name:
            many = Path(name) / "journal"
            many.mkdir()
            (many / "lock").touch()
            for number in range(RUNNING):
                shutil.copy(journal, many / f"game-{number:04}.jsonl")
            watch_running(many)


def asked(url: str) -> bytes:
    """Return what is at *url*."""
    with urlopen(url) as answer:  # noqa: S310 (ours)
        body: bytes = answer.read()
        return body


def watch_running(folder: Path) -> None:
    """Print how long the page of *folder* takes to start, and to answer."""
    command = [sys.executable, "-m", "daide_server", "watch", str(folder)]
    began = time.perf_counter()
    with subprocess.Popen(
        [*command, "--web", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        web = process.stdout.readline().split()[-1]
        asked(web)
        print(
            f"{RUNNING:,} running games: first page {time.perf_counter() - began:.2f} s"
        )
        for path in ("/", "/api/games"):
            timed(path, partial(asked, f"{web}{path}"))
        process.kill()


async def begin_game(address: str) -> None:
    """Play some turns of a game that goes on."""
    host, _, port = address.rpartition(":")
    hold = BUILT_IN["hold"](Random())
    async with trio.open_nursery() as nursery:
        for _ in range(6):
            nursery.start_soon(play_bot, "hold", host, int(port))
        async with join(host, int(port), name="last") as game:
            turns = 0
            async for view in game.turns():
                turns += 1
                if turns == TURNS_BEGUN:
                    nursery.cancel_scope.cancel()
                await game.submit(hold(view))


class Crowd:
    """Spectators in a process of their own, who come and go."""

    def __init__(self, web: str, count: int) -> None:
        self._command = [sys.executable, __file__, "spectate", web, str(count)]
        self._process: subprocess.Popen[str] | None = None

    def come(self) -> None:
        """Connect all, and wait until they are."""
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self._process.stdout.readline()

    def go(self) -> None:
        """Disconnect all."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


async def play_game(address: str, crowd: Crowd) -> dict[bool, list[float]]:
    """Let seven bots play; return the seconds from SUB to NOW of one that waits.

    In turn without and with a crowd, by whether it was there.
    """
    host, _, port = address.rpartition(":")
    found: dict[bool, list[float]] = {False: [], True: []}
    hold = BUILT_IN["hold"](Random())
    async with trio.open_nursery() as nursery:
        for _ in range(6):
            nursery.start_soon(play_bot, "hold", host, int(port))
        async with join(host, int(port), name="last") as game:
            began, turns = None, 0
            async for view in game.turns():
                if began is not None:
                    found[is_crowded(turns)].append(time.perf_counter() - began)
                turns += 1
                if turns % TURNS_AT_ONCE == 0:
                    await trio.to_thread.run_sync(
                        crowd.come if is_crowded(turns) else crowd.go
                    )
                    await trio.sleep(1.0)
                # The others have ordered by then, so that this one ends the turn.
                await trio.sleep(PAUSE)
                began = time.perf_counter()
                await game.submit(hold(view))
        nursery.cancel_scope.cancel()
    crowd.go()
    return found


def is_crowded(turns: int) -> bool:
    """Tell whether the turn after so many has spectators."""
    return turns // TURNS_AT_ONCE % 2 == 1


async def spectate(
    web: str, path: str, connected: trio.Semaphore, *, reads: bool
) -> None:
    """Follow a game; or ask for it, and read nothing."""
    host, _, port = web.rpartition(":")
    stream = await trio.open_tcp_stream(host, int(port))
    await stream.send_all(b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % path.encode())
    connected.release()
    if not reads:
        await trio.sleep_forever()
    while await stream.receive_some():
        pass


async def spectate_all(web: str, count: int) -> None:
    """Follow the running game *count* times, and say when all are connected."""
    connected = trio.Semaphore(0)
    games = await trio.to_thread.run_sync(asked, f"http://{web}/api/games")
    (game,) = json.loads(games)["running"]
    path = f"/api/games/{game['id']}/events"
    async with trio.open_nursery() as nursery:
        for number in range(count):
            reads = number % (SPECTATORS // STUCK) != 0
            nursery.start_soon(partial(spectate, web, path, connected, reads=reads))
        for _ in range(count):
            await connected.acquire()
        print("connected", flush=True)


def spectators(count: int) -> None:
    """Print how long a turn takes with and without so many spectators."""
    with server() as (_, address, web):
        found = trio.run(play_game, address, Crowd(web, count))
    at = {crowded: parts_of(seconds) for crowded, seconds in found.items()}
    for crowded, parts in at.items():
        shown = "  ".join(f"{part:6.1f}" for part in parts)
        print(f"{count if crowded else 0:4} spectators: {shown} ms")
    ratios = [each / alone for each, alone in zip(at[True], at[False], strict=True)]
    print("ratios:         ", "  ".join(f"{ratio:6.2f}" for ratio in ratios))


def parts_of(seconds: list[float]) -> list[float]:
    """Return p50, p90 and p99 in milliseconds."""
    ranked = sorted(seconds)
    return [1000 * ranked[int(part * len(ranked))] for part in (0.5, 0.9, 0.99)]


def main() -> None:
    """Print all figures."""
    if sys.argv[1:2] == ["spectate"]:
        trio.run(spectate_all, sys.argv[2], int(sys.argv[3]))
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else SPECTATORS
    if count == SPECTATORS:
        lists()
        cold_start()
        running_games()
    print("\nfrom the last SUB of a turn to NOW: p50, p90, p99")
    spectators(count)


if __name__ == "__main__":
    main()
