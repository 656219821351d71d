"""What the games of a server have in common."""

from collections.abc import Mapping

from daide_server.board.variant import Variant
from daide_server.classes import frozen
from daide_server.game.game import Game
from daide_server.game.options import GameOptions, SeatAssignment, ServerPolicy
from daide_server.language.client_reader import ClientReader
from daide_server.language.vocabulary import Vocabulary
from daide_server.language.writer import Writer
from daide_server.lobby.directory import GameId

from .clients import ClientSessions, Encoder
from .events import Events
from .journal import Durability, ServerJournal
from .limits import MAX_PLACES
from .outbox import Passes, ServerClock
from .poller import Poller


@frozen
class GameIdentity:
    """What a game is called, the same after its server was started again."""

    number: GameId
    record: str
    """The id of its record."""
    opened: float
    """When it was opened, in seconds since 1970."""
    metadata: Mapping[str, str]
    """Of its record."""


@frozen
class GameSetup:
    """The map, the options and the number of games (`None`: no limit)."""

    variant: Variant
    options: GameOptions
    policy: ServerPolicy
    games: int | None
    dialect: str
    """The names, in the log, of tokens whose codes differ between implementations."""

    def game(self, assignment: SeatAssignment) -> Game:
        """Return a new game with the seats of *assignment*."""
        return Game(self.variant, self.options, self.policy, assignment)


@frozen
class GameServices:
    """What all games of a server use."""

    vocabulary: Vocabulary
    clients: ClientSessions
    reader: ClientReader
    encoder: Encoder
    events: Events
    passes: Passes
    poller: Poller
    clock: ServerClock
    journal: ServerJournal
    places: int = MAX_PLACES
    """How many connections there may be."""


def reader_of(setup: GameSetup) -> ClientReader:
    """Return the reader of what clients say in games of *setup*."""
    return ClientReader(
        Vocabulary.of(setup.variant.map),
        setup.variant.map,
        setup.options.level,
        partial_draws=setup.options.partial_draws,
        strict=setup.policy.strict,
    )


def game_services(
    setup: GameSetup, events: Events, passes: Passes, poller: Poller
) -> GameServices:
    """Return what all games of *setup* use, without a journal."""
    vocabulary = Vocabulary.of(setup.variant.map)
    texts = vocabulary.in_dialect(setup.dialect)
    encoder, clock = Encoder(Writer(vocabulary), texts), ServerClock()
    return GameServices(
        vocabulary=vocabulary,
        clients=ClientSessions(encoder, events),
        reader=reader_of(setup),
        encoder=encoder,
        events=events,
        passes=passes,
        poller=poller,
        clock=clock,
        journal=ServerJournal(None, Durability.NONE, clock, events),
    )
