"""What the clients of a game may add to its record and to its journal.

A record must stay readable, and memory bounded, whatever clients send. Bytes are
counted about as the record (press, votes) or the journal (all else) stores them. The
limits are far above what a game needs: only a flood reaches them.
"""

from collections import Counter
from collections.abc import Collection
from json.encoder import encode_basestring_ascii
from typing import Final

from daide_server.board.names import Power
from daide_server.language import messages as said
from daide_server.language.tokens import Tokens

from .events import Seconds

HOUR: Final = 3600.0
RECORD_BYTES_PER_HOUR: Final = 1_000_000
"""Press and votes of a power, in bytes: two thousand messages in an hour."""
RECORD_BYTES_PER_GAME: Final = 8_000_000
"""Press and votes of a power, in bytes. Those of seven powers stay below the 64 MB of
a record that the page still shows."""
ORDER_BYTES_PER_TURN: Final = 10_000
"""SUB, GOF and NOT with them that are free in each turn, in bytes: thirty times the
orders of a great power. No client alone sets the pace of turns."""
ORDER_BYTES_PER_HOUR: Final = 1_000_000
"""Those above the free ones, and TME, in bytes: games of bots that answer at once stay
below the free bytes."""
GUEST_BYTES_PER_HOUR: Final = 4_000_000
"""OBS, YES (MAP) and TME of all clients without a seat together, in bytes: a hundred
observers may return each minute."""
MAX_RETURNS: Final = 1000
"""Departures of the clients of one power that a record mentions, with as many returns:
about 600 kB, and far more than a bad line causes."""

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
FULL: Final = HOUR + 1e-4
"""Seconds after which a full bucket is empty, with room for wrong sums: in that time it
loses less than a byte."""

CHARGED: Final = frozenset(
    {
        said.AcceptMap,
        said.CancelTime,
        said.Observe,
        said.RefuseLoad,
        said.RefuseMap,
        said.RequestTime,
    }
)
"""Messages that change a game and are neither orders, votes nor press."""

_Bucket = dict[Power | None, Seconds]
"""When what each power added is forgotten, at an even pace; `None` is all guests."""


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


class Budgets:
    """What has been added to one game, by power."""

    def __init__(self) -> None:
        self._recorded: Final[Counter[Power]] = Counter()
        self._recorded_lately: Final[_Bucket] = {}
        self._ordered_in_turn: Final[dict[Power, int]] = {}
        self._ordered_lately: Final[_Bucket] = {}
        self._guests: Final[_Bucket] = {}
        self._departures: Final[Counter[Power]] = Counter()
        self._reported: Final[dict[Power, Seconds]] = {}

    # The record

    def record(self, power: Power, size: int, now: Seconds) -> bool:
        """Count *size* bytes of press or votes; return `False` if there is no room."""
        total = self._recorded[power] + size
        seconds = size * HOUR / RECORD_BYTES_PER_HOUR
        empty_at = _empty_at(self._recorded_lately, power, seconds, now)
        if total > RECORD_BYTES_PER_GAME or empty_at > now + FULL:
            return False
        self._recorded[power], self._recorded_lately[power] = total, empty_at
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
        size = MESSAGE_BYTES + TOKEN_BYTES * len(message)
        above = self._ordered_in_turn.get(power, 0) + size - ORDER_BYTES_PER_TURN
        if above <= 0:
            return True
        seconds = min(size, above) * HOUR / ORDER_BYTES_PER_HOUR
        return _empty_at(self._ordered_lately, power, seconds, now) <= now + FULL

    def order(self, power: Power, message: Tokens, now: Seconds) -> None:
        """Count *message*, which changed the orders of *power*."""
        size = MESSAGE_BYTES + TOKEN_BYTES * len(message)
        ordered = self._ordered_in_turn.get(power, 0) + size
        self._ordered_in_turn[power] = ordered
        above = ordered - ORDER_BYTES_PER_TURN
        if above > 0:
            seconds = min(size, above) * HOUR / ORDER_BYTES_PER_HOUR
            empty_at = _empty_at(self._ordered_lately, power, seconds, now)
            self._ordered_lately[power] = empty_at

    def take_order(self, power: Power, message: Tokens, now: Seconds) -> bool:
        """Count *message* of *power*; return `False` if there is no room."""
        is_possible = self.may_order(power, message, now)
        if is_possible:
            self.order(power, message, now)
        return is_possible

    def take_guest(
        self, message: said.ClientMessage, as_sent: Tokens, now: Seconds
    ) -> bool:
        """Count *message* of a client without a seat; return `False` without room."""
        leaving = LEAVE_BYTES if isinstance(message, said.Observe) else 0
        size = MESSAGE_BYTES + TOKEN_BYTES * len(as_sent) + leaving
        seconds = size * HOUR / GUEST_BYTES_PER_HOUR
        empty_at = _empty_at(self._guests, None, seconds, now)
        if empty_at > now + FULL:
            return False
        self._guests[None] = empty_at
        return True

    # The log

    def should_report(self, power: Power, now: Seconds) -> bool:
        """Return whether to log a refusal: once an hour for each power."""
        is_due = now - self._reported.get(power, -HOUR) >= HOUR
        if is_due:
            self._reported[power] = now
        return is_due


def _empty_at(
    bucket: _Bucket, power: Power | None, seconds: Seconds, now: Seconds
) -> Seconds:
    """Return when the bucket is empty again with *seconds* more of an hour's bytes."""
    return max(now, bucket.get(power, now)) + seconds
