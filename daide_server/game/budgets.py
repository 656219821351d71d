"""What a client may add to the record and the journal of a game.

A record must stay readable, and memory bounded, whatever clients send. Each power has a
budget of bytes for press and votes, in an hour and in the game, and one for orders:
some are free in each turn, because no client alone sets the pace of turns, and those
above count for an hour. All clients without a seat share a third budget. Bytes are
counted about as the record (press, votes) or the journal (orders) stores them.
"""

from collections import Counter
from collections.abc import Collection
from json.encoder import encode_basestring_ascii
from typing import Final

from daide_server.board.names import Power
from daide_server.language.messages import (
    AcceptMap,
    CancelTime,
    ClientMessage,
    Observe,
    RefuseLoad,
    RefuseMap,
    RequestTime,
)
from daide_server.language.tokens import Tokens

from .events import Seconds
from .options import RecordLimits

HOUR: Final = 3600.0
ENTRY_BYTES: Final = 300
"""Bytes of an entry of dipcc's format without its list of powers and its text."""
NAME_BYTES: Final = 20
"""Bytes of the name of a power in a list of dipcc's format."""
MESSAGE_BYTES: Final = 100
"""Bytes of a message in the journal without its tokens."""
TOKEN_BYTES: Final = 2
"""Bytes of a token in the journal."""
LEAVE_BYTES: Final = 100
"""Bytes of the line in the journal that an observer left."""
MAX_RETURNS: Final = 1000
"""Departures of the clients of one power that a record mentions, with as many returns:
about 600 kB, and far more than a bad line causes."""

CHARGED: Final = frozenset(
    {AcceptMap, CancelTime, Observe, RefuseLoad, RefuseMap, RequestTime}
)
"""Messages that change a game and are neither orders, votes nor press."""


def press_bytes(text: str, recipients: Collection[Power], others: int) -> int:
    """Return the bytes that press adds to a record.

    A record stores it once for each of *recipients*, who are survivors, or once for
    all if they are as many as there are *others*.
    """
    to = len(recipients)
    copies = 1 if to == others else to
    return copies * (ENTRY_BYTES + NAME_BYTES * to + len(encode_basestring_ascii(text)))


def vote_bytes(powers: Collection[Power] | None) -> int:
    """Return the bytes that a vote adds to a record."""
    return ENTRY_BYTES + NAME_BYTES * len(powers or ())


def order_bytes(message: Tokens) -> int:
    """Return the bytes that *message* adds to the journal."""
    return MESSAGE_BYTES + TOKEN_BYTES * len(message)


class HourlyBytes:
    """A bucket of bytes for each power, or for `None`, that drains in an hour."""

    def __init__(self, limit: int) -> None:
        self._seconds_per_byte: Final = HOUR / limit
        # Bytes are whole numbers: half a byte is more than rounding errors.
        self._longest: Final = HOUR + self._seconds_per_byte / 2
        self._empty_at: Final[dict[Power | None, Seconds]] = {}

    def has_room(self, power: Power | None, size: int, now: Seconds) -> bool:
        """Return whether *size* more bytes fit into the bucket."""
        return self._empty_with(power, size, now) <= now + self._longest

    def add(self, power: Power | None, size: int, now: Seconds) -> None:
        """Add *size* bytes, whether they fit or not."""
        self._empty_at[power] = self._empty_with(power, size, now)

    def take(self, power: Power | None, size: int, now: Seconds) -> bool:
        """Add *size* bytes if they fit; return whether they did."""
        fits = self.has_room(power, size, now)
        if fits:
            self.add(power, size, now)
        return fits

    def _empty_with(self, power: Power | None, size: int, now: Seconds) -> Seconds:
        """Return when the bucket is empty again with *size* more bytes."""
        return max(now, self._empty_at.get(power, now)) + size * self._seconds_per_byte


class Budgets:
    """What has been added to one game, by power, within the limits of the server."""

    def __init__(self, limits: RecordLimits) -> None:
        self._limits: Final = limits
        self._recorded: Final[Counter[Power]] = Counter()
        self._recorded_lately: Final = HourlyBytes(limits.record_bytes_per_hour)
        self._ordered_in_turn: Final[Counter[Power]] = Counter()
        self._ordered_lately: Final = HourlyBytes(limits.order_bytes_per_hour)
        self._guests: Final = HourlyBytes(limits.guest_bytes_per_hour)
        self._departures: Final[Counter[Power]] = Counter()
        self._reported: Final[dict[Power, Seconds]] = {}

    # The record

    def record(self, power: Power, size: int, now: Seconds) -> bool:
        """Count *size* bytes of press or votes; return `False` if there is no room."""
        total = self._recorded[power] + size
        if total > self._limits.record_bytes_per_game:
            return False
        if not self._recorded_lately.take(power, size, now):
            return False
        self._recorded[power] = total
        return True

    def record_departure(self, power: Power) -> bool:
        """Count that *power* lost its client; return whether to record it."""
        self._departures[power] += 1
        return self.records_return(power)

    def records_return(self, power: Power) -> bool:
        """Return whether to record that *power* has a client again."""
        return self._departures[power] <= MAX_RETURNS

    # The journal

    def begin_turn(self) -> None:
        """Make orders free again, up to the limit of a turn."""
        self._ordered_in_turn.clear()

    def may_order(self, power: Power, message: Tokens, now: Seconds) -> bool:
        """Return whether there is room for *message* about the orders of *power*."""
        above = self._above_free(power, message)
        return not above or self._ordered_lately.has_room(power, above, now)

    def order(self, power: Power, message: Tokens, now: Seconds) -> None:
        """Count *message*, which changed the orders of *power*."""
        if above := self._above_free(power, message):
            self._ordered_lately.add(power, above, now)
        self._ordered_in_turn[power] += order_bytes(message)

    def take_order(self, power: Power, message: Tokens, now: Seconds) -> bool:
        """Count *message* of *power*; return `False` if there is no room."""
        is_possible = self.may_order(power, message, now)
        if is_possible:
            self.order(power, message, now)
        return is_possible

    def _above_free(self, power: Power, message: Tokens) -> int:
        """Return how many bytes of *message* are not free."""
        size = order_bytes(message)
        spent = self._ordered_in_turn[power] + size
        return min(size, max(0, spent - self._limits.order_bytes_per_turn))

    def take_guest(self, message: ClientMessage, as_sent: Tokens, now: Seconds) -> bool:
        """Count *message* of a client without a seat; return `False` without room."""
        leaving = LEAVE_BYTES if isinstance(message, Observe) else 0
        return self._guests.take(None, order_bytes(as_sent) + leaving, now)

    # The log

    def should_report(self, power: Power, now: Seconds) -> bool:
        """Return whether to log a refusal: once an hour for each power."""
        is_due = now - self._reported.get(power, -HOUR) >= HOUR
        if is_due:
            self._reported[power] = now
        return is_due
