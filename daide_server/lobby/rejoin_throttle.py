"""Passcodes: IAM is answered late where wrong passcodes came. Message Syntax: IAM.

A passcode is a number up to 8191, so guessing must be slow; but nobody's guesses may
keep the right one out. So a wrong passcode is refused, and the next IAM waits before it
is looked at, whatever its passcode: those of one source for one seat are answered one
after the other, with a delay that grows. After many wrong ones for a seat those of all
sources are answered one after the other as well, but for the source that held it last;
sources with fewer wrong ones come first, so that a player at a new address waits for
those only that have not guessed yet. No IAM is refused for those before.

What is left to guessers, of 13 bits: one source has 65 guesses in the first hour and 60
in each further one, a chance of 1 in 126 for the first hour that a seat is vacant; all
sources together, however many, have 380 in the first hour and then 360, 1 in 22. So
many are measured in tests/lobby/test_rejoin_throttle.py.

Right ones are delayed as well when they come too often: each return is kept in the
journal and the log.
"""

from collections import OrderedDict
from typing import Final, TypeVar

from daide_server.board.names import Power
from daide_server.classes import frozen
from daide_server.game.events import ClientId, Seconds

from .answer_queue import AnswerQueue
from .directory import GameId
from .growing_delay import GrowingDelay
from .rejoin_limits import RejoinLimits

_Key = TypeVar("_Key")


@frozen
class RejoinSeat:
    """The seat that an IAM claims: a power of one game, or of any (`None`)."""

    game: GameId | None
    power: Power


@frozen
class RejoinAttempt:
    """An IAM: on which connection, from which address, for which seat."""

    client: ClientId
    address: str
    source: str
    """What stands for all addresses of the same subscriber."""
    seat: RejoinSeat
    is_known: bool = False
    """Such a seat was held last from the same source."""
    claimed: GameId | None = None
    """The game whose passcode it is."""

    @property
    def power(self) -> Power:
        """Return the power that is claimed."""
        return self.seat.power


class RejoinThrottle:
    """The IAMs of one server; each table has `limits.accounts` entries at most."""

    def __init__(self, limits: RejoinLimits) -> None:
        self._by_source: Final = limits.of_source
        self._by_seat: Final = limits.of_seat
        self._by_return: Final = limits.of_returns
        self._most: Final = limits.accounts
        self._sources: Final[OrderedDict[tuple[str, RejoinSeat], AnswerQueue]] = (
            OrderedDict()
        )
        self._seats: Final[OrderedDict[RejoinSeat, AnswerQueue]] = OrderedDict()
        self._returns: Final[OrderedDict[RejoinSeat, AnswerQueue]] = OrderedDict()

    def wait(self, attempt: RejoinAttempt, now: Seconds) -> Seconds:
        """Return how long *attempt* has to wait, at least; 0: look at it now.

        The first call queues it behind those that are before it.
        """
        client, rank = attempt.client, self._rank(attempt, now)
        for queue, growth in self._queues(attempt):
            seconds = queue.wait(client, growth, now, rank)
            if seconds:
                return seconds
        return 0.0

    def _rank(self, attempt: RejoinAttempt, now: Seconds) -> float:
        """Return how many wrong passcodes of the source are remembered."""
        source = self._sources.get((attempt.source, attempt.seat))
        return 0.0 if source is None else source.tries.left(self._by_source, now)

    def _queues(self, attempt: RejoinAttempt) -> list[tuple[AnswerQueue, GrowingDelay]]:
        """Return where *attempt* has to wait, one after the other."""
        seat = self._seats.get(attempt.seat)
        source = self._sources.get((attempt.source, attempt.seat))
        if source is None and seat is not None:
            # Many connections of a new source take one place among the sources.
            source = self._source(attempt)
        returns = self._returns.get(_claimed(attempt))
        queues = (
            (source, self._by_source),
            (None if attempt.is_known else seat, self._by_seat),
            (returns, self._by_return),
        )
        return [(queue, growth) for queue, growth in queues if queue is not None]

    def settle(self, attempt: RejoinAttempt, now: Seconds, *, wrong: bool) -> None:
        """Take *attempt* from the queues, now that it is answered, and count it."""
        self.forget(attempt)
        if not wrong:
            if attempt.claimed is not None:
                returns = _recent(self._returns, _claimed(attempt), self._most)
                returns.count(self._by_return, now)
            return
        self._source(attempt).count(self._by_source, now)
        if not attempt.is_known:
            seat = _recent(self._seats, attempt.seat, self._most)
            seat.count(self._by_seat, now)

    def forget(self, attempt: RejoinAttempt) -> None:
        """Take *attempt* from the queues: its connection is closed."""
        for queue, _ in self._queues(attempt):
            queue.forget(attempt.client)

    def __len__(self) -> int:
        """Return how many pairs of a source and a seat are remembered."""
        return len(self._sources)

    def _source(self, attempt: RejoinAttempt) -> AnswerQueue:
        return _recent(self._sources, (attempt.source, attempt.seat), self._most)


def _claimed(attempt: RejoinAttempt) -> RejoinSeat:
    return RejoinSeat(attempt.claimed, attempt.power)


def _recent(table: OrderedDict[_Key, AnswerQueue], key: _Key, most: int) -> AnswerQueue:
    """Return the queue of *key*, a new one if there is none.

    Of more than *most* that which was used longest ago is dropped.
    """
    queue = table.get(key)
    if queue is None:
        queue = table[key] = AnswerQueue()
    table.move_to_end(key)
    if len(table) > most:
        table.popitem(last=False)
    return queue
