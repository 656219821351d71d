"""The part of a server that needs no address: games, sessions, journals."""

from collections.abc import Callable
from typing import Final

import trio

from daide_server.daide.vocabulary import Vocabulary
from daide_server.game.directory import COMMON_PORT, PortTarget
from daide_server.game.events import ClientId
from daide_server.library.journal_folder import JournalFolder

from .clients import ClientSessions, Encoder
from .dispatcher import Dispatcher
from .events import Events
from .game_host import BackgroundTask, GameHost
from .game_runner import GameRunner
from .journal import ServerClock, ServerJournal
from .listener import max_open_files, places
from .making import GameMaker
from .outbox import Passes
from .poller import Poller
from .session import Session
from .transport import Transport


class GameServer:
    """Runs the games of a maker for the clients that connect by transports."""

    def __init__(
        self,
        maker: GameMaker,
        events: Events,
        folder: JournalFolder | None = None,
        poll: Callable[[Passes, ServerClock], Poller] = Poller,
    ) -> None:
        """Keep the journals of the games in *folder*; `None`: keep no journals."""
        settings, variant = maker.settings, maker.variant
        vocabulary = Vocabulary.of(variant.map)
        self.settings: Final = settings
        self.variant: Final = variant
        self.maker: Final = maker
        self.events = events
        self.folder = folder
        self.clock: Final = ServerClock()
        syncs = settings.journal.durability == "disk"
        self.journal: Final = ServerJournal(folder, self.clock, events, syncs=syncs)
        self.passes: Final = Passes(
            self.journal.commit, settings.session.outboxes_bytes
        )
        self.poller = poll(self.passes, self.clock)
        encoder = Encoder(vocabulary, settings.log.dialect)
        self.clients: Final = ClientSessions(encoder, events)
        self.games: Final = GameHost(
            clients=self.clients,
            poller=self.poller,
            journal=self.journal,
            new_game=maker.new_game,
            archive=self.archive,
            while_open=self.while_open,
            limit=settings.service.games,
            places=places(
                settings.connections,
                max_open_files(),
                len(variant.map.powers) if folder else None,
            ),
        )
        self.dispatcher: Final = Dispatcher(self.games, maker.reader)
        self.next_client = ClientId(1)

    def start(self, nursery: trio.Nursery) -> None:
        """Start the games, the poller and the journal in *nursery*."""
        self.games.start(nursery)
        nursery.start_soon(self.poller.run)
        nursery.start_soon(self.journal.run)

    def connect(
        self, transport: Transport, target: PortTarget = COMMON_PORT
    ) -> Session:
        """Return the session of a new client, which the caller must run.

        *target* is what can be joined at the port of the client.
        """
        client, self.next_client = self.next_client, ClientId(self.next_client + 1)
        session = Session(
            client, transport, self.dispatcher, self.settings.session, target
        )
        self.clients.add(session)
        return session

    async def archive(self, runner: GameRunner) -> None:
        """Keep the record of a finished game; this class only keeps it in memory."""

    def while_open(self, _runner: GameRunner) -> BackgroundTask:
        """Return a task that runs while a game is open; here it does nothing."""
        return trio.sleep_forever
