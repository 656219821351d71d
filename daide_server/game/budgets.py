"""Limits on what the clients of a game may add to its record and its journal.

A record must stay readable, and memory bounded, whatever clients send. Bytes are
counted approximately as the record (press, votes) or the journal (all else) stores
them. The limits are far above the needs of a game: only a flood reaches them.
"""

from collections import Counter
from collections.abc import Collection
from json.encoder import encode_basestring_ascii
from typing import Final

from daide_server.board.names import Power
from daide_server.daide import messages as said
from daide_server.daide.tokens import Tokens

from .events import Seconds

HOUR = 3600.0
RECORD_BYTES_PER_HOUR = 1_000_000
"""Maximum bytes of press and votes of a power in an hour: two thousand messages."""
RECORD_BYTES_PER_GAME = 8_000_000
"""Maximum bytes of press and votes of a power in a game. Seven powers at this limit
make a record that the page still shows (64 MB)."""
ORDER_BYTES_PER_TURN = 10_000
"""Bytes of `CHARGED` messages of a power that are free in each turn: thirty times the
orders of a great power. No client alone determines how fast turns follow."""
ORDER_BYTES_PER_HOUR = 1_000_000
"""Maximum bytes of `CHARGED` messages of a power in an hour, above the free ones."""
GUEST_BYTES_PER_HOUR = 4_000_000
"""Maximum bytes per hour of OBS, YES (MAP) and TME from all clients without a seat
together: a hundred observers may return each minute."""
MAX_RETURNS = 1000
"""Maximum departures of clients of one power in a record: about 600 kB."""

# An entry of dipcc's format without its powers and its text, and the name of a power.
ENTRY_BYTES = 300
NAME_BYTES = 20
# In the journal: a message without its tokens, a token, and that an observer left.
MESSAGE_BYTES = 100
TOKEN_BYTES = 2
LEAVE_BYTES = 100
FULL = HOUR + 1e-4
"""Seconds after which a full bucket is empty, with a margin for rounding."""

CHARGED = frozenset(
    {
        said.AcceptMap,
        said.CancelOrder,
        said.CancelOrders,
        said.CancelTime,
        said.Go,
        said.Observe,
        said.RefuseLoad,
        said.RefuseMap,
        said.RequestTime,
        said.SubmitOrders,
        said.Wait,
    }
)
"""Messages that change a game but are neither votes nor press."""


def press_bytes(text: str, recipients: Collection[Power], others: int) -> int:
    """Return the bytes that press adds to a record.

    It is stored once if *recipients* are all *others* powers, else once for each.
    """
    to = len(recipients)
    copies = 1 if to == others else to
    return copies * (ENTRY_BYTES + NAME_BYTES * to + len(encode_basestring_ascii(text)))


def vote_bytes(powers: Collection[Power] | None) -> int:
    """Return the bytes that a vote adds to a record."""
    return ENTRY_BYTES + NAME_BYTES * len(powers or ())


class Budgets:
    """What the clients have added to one game, by power."""

    def __init__(self) -> None:
        self._recorded: Final[Counter[Power]] = Counter()
        self._ordered_in_turn: Final[Counter[Power]] = Counter()
        self._departures: Final[Counter[Power]] = Counter()
        self._reported: Final[dict[Power, Seconds]] = {}
        self._empty_at: Final[dict[tuple[str, Power | None], Seconds]] = {}
        """When each bucket is empty; it leaks at a constant rate."""

    def _add(
        self, to: tuple[str, Power | None], size: int, per_hour: int, now: Seconds
    ) -> bool:
        """Count *size* bytes in a bucket of an hour; return `False` if it is full."""
        seconds = size * HOUR / per_hour
        empty_at = max(now, self._empty_at.get(to, now)) + seconds
        if empty_at > now + FULL:
            return False
        self._empty_at[to] = empty_at
        return True

    def record(self, power: Power, size: int, now: Seconds) -> bool:
        """Count *size* bytes of press or votes; return `False` if there is no room."""
        total = self._recorded[power] + size
        if total > RECORD_BYTES_PER_GAME or not self._add(
            ("record", power), size, RECORD_BYTES_PER_HOUR, now
        ):
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

    def begin_turn(self) -> None:
        """Make orders free again, up to the limit of a turn."""
        self._ordered_in_turn.clear()

    def take_order(self, power: Power, message: Tokens, now: Seconds) -> bool:
        """Count *message* of *power*; return `False` if there is no room."""
        size = _journal_bytes(message)
        ordered = self._ordered_in_turn[power] + size
        above = min(size, ordered - ORDER_BYTES_PER_TURN)
        is_possible = above <= 0 or self._add(
            ("orders", power), above, ORDER_BYTES_PER_HOUR, now
        )
        if is_possible:
            self._ordered_in_turn[power] = ordered
        return is_possible

    def return_order(self, power: Power, message: Tokens) -> None:
        """Undo `take_order`: *message* has changed nothing."""
        size = _journal_bytes(message)
        above = min(size, self._ordered_in_turn[power] - ORDER_BYTES_PER_TURN)
        self._ordered_in_turn[power] -= size
        if above > 0:
            self._empty_at["orders", power] -= above * HOUR / ORDER_BYTES_PER_HOUR

    def take_guest(
        self, message: said.ClientMessage, as_sent: Tokens, now: Seconds
    ) -> bool:
        """Count *message* of a client without a seat; return `False` if full."""
        leaving = LEAVE_BYTES if isinstance(message, said.Observe) else 0
        size = _journal_bytes(as_sent) + leaving
        return self._add(("guests", None), size, GUEST_BYTES_PER_HOUR, now)

    def should_report(self, power: Power, now: Seconds) -> bool:
        """Return whether to log a refusal: once an hour for each power."""
        is_due = now - self._reported.get(power, -HOUR) >= HOUR
        if is_due:
            self._reported[power] = now
        return is_due


def _journal_bytes(message: Tokens) -> int:
    return MESSAGE_BYTES + TOKEN_BYTES * len(message)
