"""The record of a game: who played, what was ordered and resolved, how it ended.

A record counts seconds from when its game began.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from daide_server.board.names import Power
from daide_server.board.orders import Order
from daide_server.board.position import Position
from daide_server.board.results import Report
from daide_server.board.turns import Turn
from daide_server.board.variant import Variant
from daide_server.errors import InputError

from .entries import Ending, PlayerTally


class Sitting(Struct, frozen=True):
    """A client in the seat of a power, from when to when (`None`: to the end).

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

    `orders` are the players' own, `reports` what became of every unit, `since`
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

    `seconds` are `None` if the file that it is from has no time.
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


class Kept(Struct, frozen=True):
    """What another program says of a game beyond what records have, to write it back.

    `phases` are its values as JSON, by turn (`None`: after the end) and by their place
    in the phase; `rules` are its options, `None` if they follow from the rest.
    """

    phases: Mapping[Turn | None, Mapping[str, str]] = {}
    rules: tuple[str, ...] | None = None


class GameRecord(Struct, frozen=True):
    """All that is recorded of one game.

    The position after `turns[n]` is that of `turns[n + 1]`, and `last` after the
    last one. `ending` is `None` while the game goes on. `started`, from which all
    times count, is in seconds since 1970: when the game began, or the first time in
    the file of another program, 0 without any. `metadata` holds what the server adds
    (its version, the seed). A `foreign` record was written by another program, which
    may have `kept` more of each phase.
    """

    id: str
    variant: Variant
    edition: str
    level: int
    started: float
    sittings: tuple[Sitting, ...]
    turns: tuple[PlayedTurn, ...]
    messages: tuple[Message, ...]
    votes: tuple[DrawVote, ...]
    ending: Ending | None
    winners: tuple[Power, ...]
    last: Position
    last_since: float | None
    ended: float | None
    metadata: Mapping[str, str] = {}
    foreign: bool = False
    kept: Kept = Kept()

    @property
    def positions(self) -> tuple[Position, ...]:
        """Return the position of each turn, the last one too."""
        return (*(turn.position for turn in self.turns), self.last)

    @property
    def is_last_turn_open(self) -> bool:
        """Whether the last position was still to be played from.

        The game goes on, or it was drawn or aborted in the middle of a turn.
        """
        return self.ending in {None, Ending.DRAW, Ending.ABORTED}

    @property
    def press_and_votes(self) -> tuple[PressOrVote, ...]:
        """Return the press and the votes, in order of time."""
        sent: tuple[PressOrVote, ...] = (*self.messages, *self.votes)
        return tuple(sorted(sent, key=lambda each: each.seconds or 0.0))

    def player(self, power: Power) -> Sitting | None:
        """Return who played *power*: who sat there last and was no stand-in, if any."""
        sat = [each for each in self.sittings if each.power == power]
        played = [each for each in sat if not each.stand_in]
        return next(reversed(played or sat), None)

    def sitting(self, power: Power) -> Sitting | None:
        """Return who sat last in the seat of *power*."""
        found = [sitting for sitting in self.sittings if sitting.power == power]
        return found[-1] if found else None


FOREIGN_EDITION: Final = "dipcc"
"""The rules that records of most other programs are adjudicated by."""


class RecordError(InputError):
    """The entries or the record do not make a game that can be used."""
