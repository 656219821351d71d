"""What the games of a server have in common."""

from attrs import frozen

from daide_server.board.variant import Variant
from daide_server.game.game import Game
from daide_server.game.options import GameOptions, SeatAssignment, ServerPolicy
from daide_server.language.client_reader import ClientReader
from daide_server.language.vocabulary import Vocabulary
from daide_server.language.writer import Writer
from daide_server.lobby.rejoin_throttle import RejoinLimits

from .clients import ClientSessions
from .encoding import Encoder
from .event_sink import EventSink
from .limits import MAX_PLACES
from .outbox_pool import OutboxPool
from .passes import Passes
from .poller import Poller


@frozen
class GameSetup:
    """The map, the options and the number of games (`None`: no limit)."""

    variant: Variant
    options: GameOptions
    policy: ServerPolicy
    games: int | None
    guesses: RejoinLimits
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
    events: EventSink
    passes: Passes
    poller: Poller
    places: int = MAX_PLACES
    """How many connections there may be."""


def game_services(
    setup: GameSetup, events: EventSink, outboxes: OutboxPool, poller: Poller
) -> GameServices:
    """Return what all games of *setup* use."""
    vocabulary, options = Vocabulary.of(setup.variant.map), setup.options
    texts = vocabulary.in_dialect(setup.dialect)
    encoder = Encoder(Writer(vocabulary), texts)
    reader = ClientReader(
        vocabulary,
        setup.variant.map,
        options.level,
        partial_draws=options.partial_draws,
        strict=setup.policy.strict,
    )
    return GameServices(
        vocabulary=vocabulary,
        clients=ClientSessions(encoder, events, outboxes),
        reader=reader,
        encoder=encoder,
        events=events,
        passes=outboxes.passes,
        poller=poller,
    )
