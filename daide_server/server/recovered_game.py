"""A game of a journal, replayed to where its server was killed."""

from collections.abc import Sequence

from daide_server.classes import frozen
from daide_server.game.events import ClientId, Seconds
from daide_server.game.game import Game
from daide_server.game.journal import Journal
from daide_server.game.turn_tally import TurnTally
from daide_server.language.client_reader import ClientReader
from daide_server.records.entries import RecordEntry

from .game_setup import GameIdentity


@frozen
class RecoveredGame:
    """All that a runner needs to go on with it."""

    identity: GameIdentity
    game: Game
    entries: Sequence[RecordEntry]
    journal: Journal
    tally: TurnTally
    reader: ClientReader
    """For the settings that the game is played under."""
    seconds: Seconds
    """Game time of its last event."""
    last_client: ClientId
    """The highest number of a client that it has seen."""
    size: int
    """Bytes that it takes in the journal."""
    count: int
    """How many entries it has there."""
    opened: bytes
    """How it was opened, as its first entry says."""
