"""A server without sockets whose games are in a journal; it can be killed."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import trio
from attrs import evolve

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.daide.tokens import Tokens
from daide_server.daide.vocabulary import from_text
from daide_server.game.directory import GameId
from daide_server.library.journal_folder import JournalFolder
from daide_server.server.game_runner import GameRunner
from daide_server.server.game_server import GameServer
from daide_server.server.making import GameMaker
from daide_server.server.recovery import Recovery
from daide_server.server.settings import ServerSettings
from daide_server.server.written_games import RecordWriter
from tests.support import fakes
from tests.support.settings import settings_with

PLAYED = {
    "level": 20,
    "mtl": 20,
    "rtl": 10,
    "btl": 10,
    "seats": "arrival",
    "post_game_seconds": 1.0,
    "recovery_grace": 5.0,
    "recovery_wait": 30.0,
}


class JournalledServer(GameServer):
    """One run of a server, from its start to its kill."""

    events: fakes.RecordedEvents
    folder: JournalFolder
    poller: fakes.FakePoller

    def __init__(
        self,
        settings: ServerSettings,
        variant: Variant,
        path: Path,
        nursery: trio.Nursery,
    ) -> None:
        maker = GameMaker(settings, variant, "run-{:04}".format)
        super().__init__(
            maker, fakes.RecordedEvents(), JournalFolder(path), fakes.FakePoller
        )
        self.written: Final[list[GameRunner]] = []
        self.records: Final = RecordWriter(
            path.parent / "records", variant, self.events
        )
        self.start(nursery)
        self.recovery: Final = Recovery(self)
        with self.passes:
            self.recovery.recover(self.folder)
        self.games.open_if_full()

    async def archive(self, runner: GameRunner) -> None:
        if await self.records.write(runner):
            self.written.append(runner)
            await self.games.forget(runner)

    def join(self) -> fakes.FakeClient:
        transport = fakes.FakeTransport()
        return fakes.FakeClient(self.connect(transport), transport, self.poller)

    def send(self, client: fakes.FakeClient, message: Tokens) -> None:
        """Let a client send *message* in a pass of its own."""
        with self.passes:
            self.dispatcher.receive(client.session, message)

    def say(self, client: fakes.FakeClient, *texts: str) -> bool:
        """Let a client say *texts* in one pass, unless nobody is read now."""
        if not self.clock.is_running:
            return False
        with self.passes:
            for text in texts:
                self.dispatcher.receive(client.session, from_text(text, fakes.WORDS))
        return True

    def seat(self, variant: Variant) -> dict[str, fakes.FakeClient]:
        clients = [self.join() for _ in variant.map.powers]
        for number, client in enumerate(clients):
            self.say(client, f"NME ('c{number}') ('1')")
        for client in clients:
            self.say(client, "YES (MAP ('standard'))")
            client.heard()
        return dict(zip(variant.map.powers, clients, strict=True))

    def runner(self, number: int = 1) -> GameRunner:
        runner = self.games.runner(GameId(number))
        assert runner is not None
        return runner

    def go_back(self, power: str, number: int = 1) -> fakes.FakeClient:
        """Let the client of *power* return by IAM; it must be let in."""
        seat = self.runner(number).game.state.seating[Power(power)]
        client = self.join()
        self.say(client, f"IAM ({power}) ({seat.passcode})")
        heard = client.heard()
        assert heard[0].startswith("YES"), heard
        return client


@asynccontextmanager
async def journalled(
    variant: Variant, path: Path, **given: object
) -> AsyncIterator[JournalledServer]:
    """Run a server on the folder of journals *path*; at the end it is killed."""
    settings = evolve(settings_with(**{**PLAYED, **given}), session=fakes.LIMITS)
    async with trio.open_nursery() as nursery:
        server = JournalledServer(settings, variant, path, nursery)
        try:
            yield server
        finally:
            nursery.cancel_scope.cancel()
            # The kernel does this when a process is killed.
            server.journal.close()
            server.folder.close()
