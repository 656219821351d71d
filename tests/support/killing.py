"""A server that is killed at random moments, and clients that remember what it said.

Run as a script for a loop: `python -m tests.support.killing --kills 1000`.
"""

import argparse
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import Random

import trio

from daide_server.board.names import Power
from daide_server.library.game_files import games_in, read_game
from tests.simulation import invariants
from tests.simulation.speech import DIGITS, UnitTold, units_told
from tests.simulation.told import Told

from .commands import run
from .peers import FM, IM, POWERS, RM, Clients, Peer

PLACES = ("BUR", "PIC", "GAS", "TYR", "BOH", "GAL", "UKR", "APU", "PIE", "RUH")
SETTINGS = """
[journal]
recovery_grace = 0.3
recovery_wait = 100
"""
PATIENCE = 100.0
"""Seconds to come back, over as many kills as fall into them."""


class Disconnected(Exception):  # noqa: N818 (it is no error: servers are killed)
    """The server has gone."""


GONE = (Disconnected, OSError, trio.BrokenResourceError)


class Player:
    """A client that plays on whatever happens to its server."""

    def __init__(self, port: int, name: str, seed: int) -> None:
        self.name = name
        self.power = ""
        self.told = Told()
        self.returns = 0
        self.is_over = False
        self.is_ending = False
        self.joined = trio.Event()
        self._port = port
        self._random = Random(seed)
        self._passcode = 0
        self._turn = ""
        self._units: list[UnitTold] = []
        self._count = 0
        self._peer: Peer | None = None

    async def play(self) -> None:
        """Play until the game is over."""
        try:
            # Who has no seat yet when the server is killed joins again.
            await self._enter(self._join)
            while not self.is_over:
                try:
                    await self._act()
                except GONE:
                    await self._enter(self._come_back)
        finally:
            await self._hang_up()

    async def _enter(self, enter: Callable[[], Awaitable[None]]) -> None:
        """Connect and *enter* as soon as there is a server."""
        with trio.fail_after(PATIENCE):
            while True:
                try:
                    await self._hang_up()
                    await self._connect()
                    return await enter()
                except GONE:
                    await trio.sleep(0.02)

    async def _connect(self) -> None:
        stream = await trio.open_tcp_stream("127.0.0.1", self._port)
        self._peer = Peer(stream)
        await self._peer.send(IM)
        if await self._peer.frame() != RM:
            raise Disconnected

    async def _hang_up(self) -> None:
        if self._peer is not None:
            await trio.aclose_forcefully(self._peer.stream)

    async def _join(self) -> None:
        assert self._peer is not None
        assert not self.power, "a kill came between HLO and NOW"
        await self._peer.join(self.name)
        hello = await self._answer("HLO")
        self.power, self._passcode = hello[6:9], int(hello.split()[5])
        await self._answer("NOW")
        self.joined.set()

    async def _come_back(self) -> None:
        """Return by IAM."""
        await self._say(f"IAM ({self.power}) ({self._passcode})")
        answer = await self._answer("YES", "REJ")
        if answer.startswith("REJ"):
            # It ended while nobody was connected.
            assert self.is_ending, f"{self.name}: {answer}"
            self.is_over = True
            return
        await self._say("NOW")
        await self._answer("NOW")
        self.returns += 1

    async def _say(self, text: str) -> None:
        assert self._peer is not None
        await self._peer.say(text)

    async def _answer(self, *starts: str) -> str:
        """Return the next message that begins so; take in what comes before."""
        assert self._peer is not None
        while True:
            frame = await self._peer.frame()
            if frame in (b"", FM):
                raise Disconnected
            text = self._peer.text(frame)
            if text.startswith("NOW"):
                self._look(text)
            if text.startswith(("OFF", "DRW", "SLO")):
                self.is_over = True
            if text.startswith(starts) or self.is_over:
                return text

    def _look(self, text: str) -> None:
        self._turn = text[6:14]
        self._units = units_told(text).get(self.power, [])

    async def _act(self) -> None:
        if self.is_ending:
            await self._say("DRW")
            # A vote lasts as long as the turn.
            await self._answer("DRW (", "OFF", "NOW")
            return
        draw = self._random.random()
        movement = self._turn.startswith(("SPR", "FAL"))
        if draw < 0.6 and self._units and movement:
            await self._submit()
        elif draw < 0.9:
            await self._press()
        else:
            await self._say("NOW")
            await self._answer("NOW")
        await trio.sleep(self._random.random() * 0.02)

    async def _submit(self) -> None:
        kind, place, _ = self._random.choice(self._units)
        what = "HLD"
        if kind == "AMY" and self._random.random() < 0.5:
            what = f"MTO {self._random.choice(PLACES)}"
        turn, unit = self._turn, f"{self.power} {kind} {place}"
        order = f"( ( {unit} ) {what} )"
        self.told.submit(turn, unit, order)
        await self._say(f"SUB ({turn}) {order}")
        answer = await self._answer("THX", "REJ")
        if answer.startswith("THX") and answer.endswith("( MBV )"):
            self.told.accept(turn, unit, order)
        elif answer.startswith(("THX", "REJ")):
            self.told.refuse(turn, unit, order)

    async def _press(self) -> None:
        self._count += 1
        to = self._random.choice([power for power in POWERS if power != self.power])
        number = f"{POWERS.index(self.power)}{self._count:05}"
        # A text that nobody else sends: which of two units goes where, by number.
        words = " ".join(DIGITS[int(digit)] for digit in number)
        text = f"DMZ ( {self.power} ) ( {words} )"
        await self._say(f"SND ({to}) (PRP ({text}))")
        answer = await self._answer("YES ( SND", "REJ", "CCD", "OUT", "HUH")
        if answer.startswith("YES"):
            self.told.press[text] = trio.current_time()
        elif not self.is_over:
            self.told.unsent.add(text)


class KilledServer(Clients):
    """`daide-server serve` on one port and one journal, as often as it is started."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.records = folder / "records"
        self.starts: list[float] = []
        """How many seconds each start took, until it listened."""
        config = folder / "server.toml"
        config.write_text(SETTINGS)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._log = folder / "log"
        super().__init__(f"127.0.0.1:{self.port}")
        self.command = [sys.executable, "-m", "daide_server", "serve"]
        self.command += ["--config", str(config), "--port", str(self.port)]
        self.command += ["--journal", str(folder / "journal")]
        self.command += ["--records", str(self.records), *words]
        self.process = self._start()

    def _start(self) -> "subprocess.Popen[str]":
        began = time.monotonic()
        with self._log.open("ab") as log:
            process = subprocess.Popen(
                self.command, stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert process.stdout is not None
        assert process.stdout.readline().startswith("listening on"), "no start"
        self.starts.append(time.monotonic() - began)
        return process

    async def kill(self) -> None:
        """Kill the server, and start it again."""
        self.stop()
        self.process = await trio.to_thread.run_sync(self._start)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


async def play_and_kill(server: KilledServer, games: int, kills: int, seed: int) -> int:
    """Play, kill so often, play on, and agree on draws; return how many came back.

    Raises `AssertionError` if anything acknowledged is missing or doubled.
    """
    random = Random(seed)
    players = [
        Player(server.port, f"g{game}p{number}", random.getrandbits(32))
        for game in range(games)
        for number in range(len(POWERS))
    ]
    async with trio.open_nursery() as nursery:
        # The last game is forming, with all but one player, when the first kill comes.
        for player in players[:-1]:
            nursery.start_soon(player.play)
        seated = len(POWERS) * (games - 1)
        while sum(each.joined.is_set() for each in players) < seated:  # noqa: ASYNC110
            await trio.sleep(0.01)
        await trio.sleep(0.3)
        await server.kill()
        nursery.start_soon(players[-1].play)
        for player in players:
            await player.joined.wait()
        for _ in range(kills):
            await trio.sleep(random.uniform(0.05, 0.8))
            await server.kill()
        await trio.sleep(1.5)
        for player in players:
            player.is_ending = True
    code = await trio.to_thread.run_sync(server.process.wait)
    assert code == 0, f"the server ended with {code}"
    check(server.records, players)
    return sum(player.returns for player in players)


def check(records: Path, players: Sequence[Player]) -> None:
    """Compare what *players* were told with the records."""
    paths = sorted(records.glob("*.json"))
    names = {each.name.partition("p")[0] for each in players}
    assert len(paths) == len(names), f"{len(paths)} records of {len(names)} games"
    replayed = run("replay", *paths)
    assert replayed.exit_code == 0, replayed.output
    for path in paths:
        (found,) = games_in(path)
        record = read_game(found)
        agents = {sitting.name for sitting in record.sittings}
        heard = {
            Power(each.power): each.told for each in players if each.name in agents
        }
        assert len(heard) == len(POWERS), agents
        problems = [*invariants.orders(heard, record)]
        problems += invariants.press(heard, record)
        assert not problems, problems[:10]


def main() -> None:
    """Kill a server so often, and print how long it took to recover."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    starts: list[float] = []
    done, number = 0, 0
    while done < given.kills:
        kills = min(20, given.kills - done)
        with tempfile.TemporaryDirectory() as folder:
            server = KilledServer(Path(folder), *OPTIONS)
            try:
                trio.run(play_and_kill, server, 3, kills, given.seed + number)
            finally:
                server.stop()
            starts += server.starts[1:]
        done, number = done + kills, number + 1
        print(f"{done} kills, seconds to start again: {max(starts):.2f} at most")  # noqa: T201


OPTIONS = (
    *("--level", "20", "--mtl", "1", "--rtl", "1", "--btl", "1"),
    *("--games", "3", "--post-game-seconds", "0.2", "--log-level", "info"),
)

if __name__ == "__main__":
    main()
