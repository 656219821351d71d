"""The record of a game: players, orders, results, ending.

A record counts seconds from when its game began.
"""

from collections.abc import Mapping

from msgspec import Struct

from daide_server.board.map import Position, Turn, Variant
from daide_server.board.names import IdentityEnum, Power, Province
from daide_server.board.orders import Order
from daide_server.board.results import OrderNote, Report
from daide_server.errors import InputError
from daide_server.usage import Usage


class Ending(IdentityEnum):
    """How a game ended; a stalemate is a draw by the rule `stalemate_years`."""

    SOLO = "solo"
    DRAW = "draw"
    YEAR_LIMIT = "year limit"
    STALEMATE = "stalemate"
    ABORTED = "aborted"


class RefusedOrder(Struct, frozen=True):
    """An order that was refused: THX with another note than MBV."""

    province: Province | None
    """The province of the unit or build; `None` for a waive."""
    text: str
    """The order as DAIDE text, as it was sent."""
    note: OrderNote


class PlayerTally(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How the player of a power did in a turn."""

    refused_orders: tuple[RefusedOrder, ...] = ()
    """The last refused order for each unit, of a limited number of units."""
    refused: int = 0
    """The number of refused orders."""
    syntax_errors: int = 0
    """The number of messages answered with HUH or PRN."""
    last_syntax_error: str = ""
    """The last HUH or PRN as DAIDE text, with ERR in its place; if it was long, only
    the part around ERR."""
    late: int = 0
    """The number of SUBs for another turn; one more if the deadline passed with orders
    due."""
    silent: bool = False
    """The player sent nothing at all before the deadline passed."""
    think_median: float | None = None
    """Median seconds from the start of the turn to a SUB; `None` without any."""
    think_longest: float | None = None
    """The most seconds from the start of the turn to a SUB."""
    usage: Usage | None = None
    """The language model usage that its bot reported; `None` if it reported none."""


class Sitting(Struct, frozen=True):
    """A client in the seat of a power from `since` to `until` (`None`: to the end).

    In a tournament: `forfeit` says when and why a bot stopped playing, or why it did
    not begin; `stand_in` marks a client that only held in its place. `entrant` is the
    name in the tournament's file of the bot whose seat it is.
    """

    power: Power
    name: str
    version: str
    since: float
    until: float | None = None
    forfeit: str | None = None
    stand_in: bool = False
    entrant: str = ""


class PlayedTurn(Struct, frozen=True):
    """A turn that was processed.

    `orders` are the players' own, `reports` the results of every unit, `since` is
    when the turn began (`None`: unknown). A record from elsewhere may have no reports.
    `tallies` say how the players did; `None` if that was not recorded.
    """

    position: Position
    orders: tuple[Order, ...]
    reports: tuple[Report, ...]
    since: float | None
    tallies: Mapping[Power, PlayerTally] | None = None


class Message(Struct, frozen=True):
    """Press as it was delivered; `turn` is `None` after the end of the game.

    `seconds` is `None` if the file of another program has no time for it.
    """

    turn: Turn | None
    sender: Power
    recipients: tuple[Power, ...]
    text: str
    seconds: float | None


class DrawVote(Struct, frozen=True):
    """A vote for a draw among *powers* (`None`: all survivors), or its withdrawal."""

    turn: Turn | None
    power: Power
    powers: tuple[Power, ...] | None
    withdrawn: bool
    seconds: float | None


PressOrVote = Message | DrawVote


class ForeignData(Struct, frozen=True):
    """Data of another program's file that records have no field for, to write it back.

    `phases` are its values as JSON, by turn (`None`: after the end) and by their place
    in the phase; `rules` are its options, `None` if they follow from the rest.
    """

    phases: Mapping[Turn | None, Mapping[str, str]] = {}
    rules: tuple[str, ...] | None = None


class GameRecord(Struct, frozen=True, kw_only=True):
    """All that is recorded of one game.

    The position after `turns[n]` is that of `turns[n + 1]`, and `last` is the position
    after the last turn. `ending` is `None` while the game is played. `started`, from
    which all times count, is in seconds since 1970: when the game began, or the first
    time in the file of another program, 0 without any. `metadata` holds what the server
    adds (its version, the seed). A `foreign` record is that of another program, whose
    own data are in `kept`.
    """

    id: str
    variant: Variant
    edition: str
    level: int
    started: float
    sittings: tuple[Sitting, ...] = ()
    turns: tuple[PlayedTurn, ...] = ()
    messages: tuple[Message, ...] = ()
    votes: tuple[DrawVote, ...] = ()
    ending: Ending | None = None
    winners: tuple[Power, ...] = ()
    last: Position
    last_since: float | None = None
    ended: float | None = None
    metadata: Mapping[str, str] = {}
    foreign: bool = False
    kept: ForeignData = ForeignData()

    @property
    def positions(self) -> tuple[Position, ...]:
        """The position before each turn, and the one after the last turn."""
        return (*(turn.position for turn in self.turns), self.last)

    @property
    def is_last_turn_open(self) -> bool:
        """Whether the last position was still to be played from.

        The game is not over, or it was drawn or aborted in the middle of a turn.
        """
        return self.ending in {None, Ending.DRAW, Ending.ABORTED}

    @property
    def press_and_votes(self) -> tuple[PressOrVote, ...]:
        """The press and the votes, in order of time."""
        sent: tuple[PressOrVote, ...] = (*self.messages, *self.votes)
        return tuple(sorted(sent, key=lambda each: each.seconds or 0.0))

    def player(self, power: Power) -> Sitting | None:
        """Return the player of *power*: the last one who was no stand-in, if any."""
        sat = [each for each in self.sittings if each.power == power]
        played = [each for each in sat if not each.stand_in]
        return next(reversed(played or sat), None)

    def sitting(self, power: Power) -> Sitting | None:
        """Return who was last in the seat of *power*."""
        found = (each for each in reversed(self.sittings) if each.power == power)
        return next(found, None)


FOREIGN_EDITION = "dipcc"
"""The rules that records of most other programs are adjudicated by."""


class RecordError(InputError):
    """The entries or the record do not make a valid game."""
