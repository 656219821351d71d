"""What a server is made of, below its games: built from a plan, once."""

from pathlib import Path
from typing import Final

import trio
from attrs import evolve

from daide_server.board.variant import Variant
from daide_server.classes import frozen
from daide_server.server.admission import ConnectionLimiter, PlaceKeeper, places
from daide_server.server.dispatcher import Dispatcher
from daide_server.server.events import Events
from daide_server.server.fairness import Turns
from daide_server.server.game_setup import GameServices, GameSetup, game_services
from daide_server.server.limits import ConnectionLimits
from daide_server.server.listener import AdmissionControl, Refusals
from daide_server.server.open_files import max_open_files
from daide_server.server.outbox import Outboxes, Passes, release_at_once
from daide_server.server.poller import SocketPoller
from daide_server.server.saving import SavePlan
from daide_server.server.server_clock import ServerClock
from daide_server.server.session import SessionServices

from .game_keeper import GameKeeper
from .making import setup
from .open_journal import OpenJournal
from .record_writer import ServerRun
from .settings import TABLE, ServerSettings

DEFAULT_SAVES: Final = "saves"
"""The folder in which SIGUSR1 saves games if none is set."""


@frozen
class ServerParts:
    """What games and sessions share."""

    settings: ServerSettings
    setup: GameSetup
    keeper: GameKeeper | None
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
    journal: OpenJournal | None,
) -> ServerParts:
    """Return the parts of a server; its games are kept in *journal*, if given."""
    clock = ServerClock()
    game_setup = setup(settings, variant)
    keeper = None
    if journal is not None:
        keeper = GameKeeper(journal, settings.journal, clock, events)
    commit = release_at_once if keeper is None else keeper.commit
    outboxes = Outboxes(Passes(commit), settings.session.outboxes_bytes)
    poller = SocketPoller(outboxes.passes, Turns(outboxes), clock)
    services = evolve(
        game_services(game_setup, events, outboxes.passes, poller),
        places=places(settings.connections, max_open_files()),
        clock=clock,
        committer=None if keeper is None else keeper.committer,
    )
    return ServerParts(settings, game_setup, keeper, outboxes, poller, services)


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


def save_plan(settings: ServerSettings, run: ServerRun) -> SavePlan:
    """Return where and how games are saved."""
    return SavePlan(
        Path(settings.service.save or DEFAULT_SAVES),
        TABLE.saved(settings),
        prefix=run.name[-4:],
    )
