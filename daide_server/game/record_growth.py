"""How much each power may still add to the record: press, votes, returns to its seat.

A record must stay readable, and memory bounded, whatever clients send. What a power
added is forgotten at an even pace, all of it after an hour; what it added in the whole
game is not.
"""

from collections import Counter
from collections.abc import Collection
from json.encoder import encode_basestring_ascii
from typing import Final

from daide_server.board.names import Power

from .events import Seconds
from .hourly_bytes import HOUR, HourlyBytes
from .options import RecordLimits

ENTRY_BYTES: Final = 300
"""About what an entry takes in dipcc's format, besides its names and its text."""
NAME_BYTES: Final = 20
"""About what the name of a power takes in a list."""
MAX_RETURNS: Final = 1000
"""How often the record says that the client of a power left, and came back."""


def press_bytes(text: str, recipients: Collection[Power], others: int) -> int:
    """Return about how many bytes press adds to a record.

    A record has it once for each of *recipients*, who are survivors, or once for all
    if they are as many as there are *others*.
    """
    to = len(recipients)
    copies = 1 if to == others else to
    return copies * (ENTRY_BYTES + NAME_BYTES * to + len(encode_basestring_ascii(text)))


def vote_bytes(powers: Collection[Power] | None) -> int:
    """Return about how many bytes a vote adds to a record."""
    return ENTRY_BYTES + NAME_BYTES * len(powers or ())


class RecordGrowth:
    """What each power has added, within the limits of the server."""

    def __init__(self, limits: RecordLimits) -> None:
        self._most: Final = limits.record_bytes_per_game
        self._recent: Final = HourlyBytes[Power](limits.record_bytes_per_hour)
        self._whole: Counter[Power] = Counter()
        self._returns: Counter[Power] = Counter()
        self._reported: dict[Power, Seconds] = {}

    def add(self, power: Power, size: int, now: Seconds) -> bool:
        """Count *size* bytes, if *power* may add them; return whether it may."""
        whole = self._whole[power] + size
        if whole > self._most or not self._recent.take(power, size, now):
            return False
        self._whole[power] = whole
        return True

    def report(self, power: Power, now: Seconds) -> bool:
        """Return whether a refusal is to be logged: once an hour for each power."""
        is_due = now - self._reported.get(power, -HOUR) >= HOUR
        if is_due:
            self._reported[power] = now
        return is_due

    def leave(self, power: Power) -> bool:
        """Count that *power* lost its client; return whether the record says so."""
        self._returns[power] += 1
        return self._returns[power] <= MAX_RETURNS

    def may_return(self, power: Power) -> bool:
        """Return whether the record says that *power* has a client again."""
        return self._returns[power] <= MAX_RETURNS
