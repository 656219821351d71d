"""The entries of a game's record: what happened, as values.

A game emits entries; `fold` makes a `GameRecord` of them. Times are in seconds on the
game's own clock, which may run from when its first client came; a record counts from
when the game began. `fold` is given the wall time.
"""

from collections.abc import Iterable, Mapping
from math import isnan
from typing import assert_never

from attrs import Factory, define
from msgspec import Struct
from msgspec.structs import replace

from daide_server.board.map import Position, Turn, Variant
from daide_server.board.names import Power
from daide_server.board.orders import Order
from daide_server.board.results import Report

from . import record as records


class Began(Struct, frozen=True):
    """The game began: its map, its rules, its level of press and its first position."""

    variant: str
    edition: str
    level: int
    position: Position
    seconds: float


class Seated(Struct, frozen=True):
    """A client took the seat of a power, at the start or on its return."""

    power: Power
    name: str
    version: str
    seconds: float


class Vacated(Struct, frozen=True):
    """The seat of a power lost its client."""

    power: Power
    seconds: float


class TurnResolved(Struct, frozen=True):
    """A turn was processed.

    `orders` are the accepted orders of the players, `reports` the results of every unit
    and build, `next` the position from which the game continues.
    """

    position: Position
    orders: tuple[Order, ...]
    reports: tuple[Report, ...]
    next: Position
    seconds: float


class TurnTallied(Struct, frozen=True):
    """How the players did in the turn that was just processed."""

    turn: Turn
    tallies: Mapping[Power, records.PlayerTally]
    seconds: float


class PressSent(Struct, frozen=True):
    """Press was delivered; `text` is its DAIDE text."""

    sender: Power
    recipients: tuple[Power, ...]
    text: str
    seconds: float


class DrawVoted(Struct, frozen=True):
    """A power voted for a draw, or took its vote back."""

    power: Power
    powers: tuple[Power, ...] | None
    withdrawn: bool
    seconds: float


class Ended(Struct, frozen=True):
    """The game is over; *winners* share the result (none, if it was aborted)."""

    ending: records.Ending
    winners: tuple[Power, ...]
    position: Position
    seconds: float


RecordEntry = (
    Began
    | Seated
    | Vacated
    | TurnResolved
    | TurnTallied
    | PressSent
    | DrawVoted
    | Ended
)


# The fold of the entries of a game to its record

PRECISION = 3
"""Decimals of a second that a record keeps."""


def fold(
    entries: Iterable[RecordEntry],
    variant: Variant,
    *,
    game: str,
    started: float,
    metadata: Mapping[str, str] | None = None,
) -> records.GameRecord:
    """Return the record of the game called *game* that *entries* make.

    *variant* is the one that the entries name; *started* is second 0 of their clock, in
    seconds since 1970. An unknown time is NaN. Raises `RecordError` if the game never
    began.
    """
    entries = tuple(entries)
    began = next((each for each in entries if isinstance(each, Began)), None)
    if began is None:
        raise records.RecordError(f"game {game}: no entry says that the game began")
    builder = _RecordBuilder(began, began.position)
    zero = _known(began.seconds) or 0.0
    for entry in entries:
        # `max` returns its first argument if that is NaN.
        seconds = max(round(entry.seconds - zero, PRECISION), 0.0)
        builder.add(replace(entry, seconds=seconds))
    return builder.record(variant, game, started + zero, metadata or {})


def _known(seconds: float) -> float | None:
    return None if isnan(seconds) else seconds


@define
class _RecordBuilder:
    """The parts of a record, collected from the entries so far."""

    began: Began
    position: Position
    ended: Ended | None = None
    sittings: list[records.Sitting] = Factory(list)
    turns: list[records.PlayedTurn] = Factory(list)
    messages: list[records.Message] = Factory(list)
    votes: dict[tuple[Turn | None, Power, frozenset[Power]], records.DrawVote] = (
        Factory(dict)
    )
    since: float = 0.0

    def add(self, entry: RecordEntry) -> None:
        match entry:
            case Began():
                self.position, self.since = entry.position, entry.seconds
            case Seated():
                self._seat(entry)
            case Vacated():
                self._vacate(entry.power, entry.seconds)
            case TurnResolved():
                self._resolve(entry)
            case TurnTallied():
                self._tally(entry)
            case PressSent():
                self._send(entry)
            case DrawVoted():
                self._vote(entry)
            case Ended():
                self.ended, self.position = entry, entry.position
            case _:
                assert_never(entry)

    def record(
        self, variant: Variant, game: str, started: float, metadata: Mapping[str, str]
    ) -> records.GameRecord:
        return records.GameRecord(
            id=game,
            variant=variant,
            edition=self.began.edition,
            level=self.began.level,
            started=started,
            sittings=tuple(self.sittings),
            turns=tuple(self.turns),
            messages=tuple(self.messages),
            votes=tuple(self.votes.values()),
            ending=self.ended.ending if self.ended else None,
            winners=self.ended.winners if self.ended else (),
            last=self.position,
            last_since=_known(self.since),
            ended=_known(self.ended.seconds) if self.ended else None,
            metadata=metadata,
        )

    def _seat(self, entry: Seated) -> None:
        self._vacate(entry.power, entry.seconds)
        self.sittings.append(
            records.Sitting(entry.power, entry.name, entry.version, entry.seconds)
        )

    def _vacate(self, power: Power, seconds: float) -> None:
        if self.ended is not None:
            return  # Everybody leaves then, and had the seat to the end.
        self.sittings = [
            replace(old, until=seconds)
            if old.power == power and old.until is None
            else old
            for old in self.sittings
        ]

    def _resolve(self, entry: TurnResolved) -> None:
        since = _known(self.since)
        turn = records.PlayedTurn(entry.position, entry.orders, entry.reports, since)
        self.turns.append(turn)
        self.position, self.since = entry.next, entry.seconds

    def _tally(self, entry: TurnTallied) -> None:
        if self.turns and self.turns[-1].position.turn == entry.turn:
            self.turns[-1] = replace(self.turns[-1], tallies=entry.tallies)

    def _send(self, entry: PressSent) -> None:
        to, seconds = entry.recipients, _known(entry.seconds)
        sent = records.Message(self._turn, entry.sender, to, entry.text, seconds)
        self.messages.append(sent)

    def _vote(self, entry: DrawVoted) -> None:
        """Keep the last of the votes and withdrawals of the same kind in a turn."""
        turn, power, powers = self._turn, entry.power, entry.powers
        seconds = _known(entry.seconds)
        vote = records.DrawVote(turn, power, powers, entry.withdrawn, seconds)
        key = turn, power, frozenset(powers or ())
        self.votes.pop(key, None)
        self.votes[key] = vote

    @property
    def _turn(self) -> Turn | None:
        return None if self.ended else self.position.turn
