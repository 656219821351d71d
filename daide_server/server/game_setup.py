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
from .passes import Passes


@frozen
class GameSetup:
    """What is played: on which map, how, and how often (`None`: without end)."""

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

    def reader(self, vocabulary: Vocabulary) -> ClientReader:
        """Return the reader of what clients say in these games."""
        return ClientReader(
            vocabulary,
            self.variant.map,
            self.options.level,
            partial_draws=self.options.partial_draws,
            strict=self.policy.strict,
        )

    def encoder(self, vocabulary: Vocabulary) -> Encoder:
        """Return the encoder of what the server says in these games."""
        return Encoder(Writer(vocabulary), vocabulary.in_dialect(self.dialect))


@frozen
class GameServices:
    """What all games of a server use."""

    clients: ClientSessions
    reader: ClientReader
    encoder: Encoder
    events: EventSink
    passes: Passes
