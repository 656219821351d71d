"""What a server is made of, below its games: built from a plan, once."""

import trio
from attrs import evolve

from daide_server.board.variant import Variant
from daide_server.classes import frozen
from daide_server.server.admission import (
    ConnectionLimiter,
    PlaceKeeper,
    places,
    without_journals,
)
from daide_server.server.dispatcher import Dispatcher
from daide_server.server.events import Events
from daide_server.server.game_setup import GameServices, GameSetup, game_services
from daide_server.server.journal import Durability, ServerJournal
from daide_server.server.limits import ConnectionLimits
from daide_server.server.listener import AdmissionControl, Refusals
from daide_server.server.open_files import max_open_files
from daide_server.server.outbox import Outboxes, Passes, ServerClock
from daide_server.server.poller import SocketPoller, Turns
from daide_server.server.session import SessionServices
from daide_server.storage.journal_folder import JournalFolder

from .making import setup
from .settings import ServerSettings


@frozen
class ServerParts:
    """What games and sessions share."""

    settings: ServerSettings
    setup: GameSetup
    outboxes: Outboxes
    poller: SocketPoller
    services: GameServices

    def session_services(self, dispatcher: Dispatcher) -> SessionServices:
        """Return what sessions need, whose messages go to *dispatcher*."""
        settings = self.settings
        return SessionServices(
            receive=dispatcher.receive,
            leave=dispatcher.leave,
            poller=self.poller,
            outboxes=self.outboxes,
            events=self.services.events,
            limits=settings.session,
            representation=self.services.vocabulary.representation,
        )


def server_parts(
    settings: ServerSettings,
    variant: Variant,
    events: Events,
    folder: JournalFolder | None,
) -> ServerParts:
    """Return the parts of a server; the journals of its games are in *folder*."""
    clock = ServerClock()
    game_setup = setup(settings, variant)
    durability = Durability(settings.journal.durability)
    if folder is None:
        durability = Durability.NONE
    journal = ServerJournal(folder, durability, clock, events)
    outboxes = Outboxes(Passes(journal.commit), settings.session.outboxes_bytes)
    poller = SocketPoller(outboxes.passes, Turns(outboxes), clock)
    files = max_open_files()
    if folder is not None:
        files = without_journals(files, len(variant.map.powers))
    services = evolve(
        game_services(game_setup, events, outboxes.passes, poller),
        places=places(settings.connections, files),
        clock=clock,
        journal=journal,
    )
    return ServerParts(settings, game_setup, outboxes, poller, services)


def admission_control(
    limits: ConnectionLimits, services: GameServices
) -> AdmissionControl:
    """Return what decides whether a new connection gets a place."""
    keeper = PlaceKeeper(
        services.clients.everybody, evict_observers=limits.evict_observers
    )
    limiter = ConnectionLimiter(
        limits, services.places, lambda: keeper.make_room(trio.current_time())
    )
    return AdmissionControl(limiter, Refusals(services.events))
