"""Delays IAM from where wrong passcodes came. Message Syntax: IAM.

A passcode is a number up to 8191, so guessing must be slow; but nobody's guesses may
keep the right one out. So a wrong passcode is refused, and the next IAM waits before it
is looked at, whatever its passcode: those of one source for one seat are answered one
after the other, with a delay that grows. Wrong ones of all sources together delay
everybody but the source that held the seat last. No IAM is refused for those before.

What is left to guessers, of 13 bits: one source has 65 guesses in the first hour and 60
in each further one, a chance of 1 in 130 for each hour that a seat is vacant; a hundred
sources have 620 in the first hour and then 600, 1 in 13. So many are measured in
tests/lobby/test_rejoin_throttle.py.
"""

import math
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, TypeVar

from attrs import Factory, define, frozen

from daide_server.board.names import Power
from daide_server.game.events import ClientId, Seconds
from daide_server.settings.descriptor import setting
from daide_server.settings.kinds import COUNT, SECONDS, number, whole

from .directory import GameId
from .growing_delay import GrowingDelay, WrongTries

_Key = TypeVar("_Key")
_Entry = TypeVar("_Entry")

RECHECK: Final[Seconds] = 1.0
"""After how long an IAM that waits for another one looks again."""


@frozen(kw_only=True)
class RejoinLimits:
    """How wrong passcodes delay the answers to later IAMs.

    Each field is a setting: see `daide_server.settings`.
    """

    per_source: int = setting(
        COUNT,
        3,
        "Wrong passcodes of one address (IPv6: /64) for one seat, in guess_seconds, "
        "that delay nothing.",
        key="guesses_per_address",
    )
    per_seat: int = setting(
        COUNT,
        20,
        "The same for all addresses together; that which held the seat last has only "
        "its own.",
        key="guesses_per_seat",
    )
    seconds: Seconds = setting(
        number(1.0, unit="seconds"),
        600.0,
        "Seconds until so many are forgotten, one by one.",
        key="guess_seconds",
    )
    delay: Seconds = setting(
        number(0.1, unit="seconds"),
        10.0,
        "By how much each further one delays the next answer.",
        key="guess_delay",
    )
    address_delay: Seconds = setting(
        SECONDS,
        60.0,
        "The longest such delay by those of one address. With these numbers it has 65 "
        "guesses of 8191 in the first hour that a seat is vacant, then 60 an hour.",
        key="guess_delay_per_address",
    )
    seat_delay: Seconds = setting(
        SECONDS,
        600.0,
        "The longest that those of all add to it. A hundred addresses have 620 guesses "
        "in the first hour, then 600 an hour.",
        key="guess_delay_per_seat",
    )
    accounts: int = setting(
        whole(16),
        4096,
        "Pairs of an address and a seat whose wrong passcodes are remembered; the "
        "oldest are forgotten.",
        key="guess_accounts",
    )


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

    @property
    def power(self) -> Power:
        """Return the power that is claimed."""
        return self.seat.power


@define
class _Account:
    """The wrong passcodes of one source for one seat, and who waits for an answer."""

    wrong: WrongTries = Factory(WrongTries)
    answered: Seconds = -math.inf
    """When the last wrong one was answered."""
    waiting: dict[ClientId, Seconds] = Factory(dict)
    """Since when, in order."""

    def answer_wrong(self, growth: GrowingDelay, now: Seconds) -> None:
        """Count a wrong passcode that is answered now."""
        self.wrong.add(growth, now)
        self.answered = now

    def ready(self, growth: GrowingDelay, now: Seconds) -> Seconds:
        """Return when the first that waits may be answered, for its own source."""
        since = next(iter(self.waiting.values()))
        return max(since, self.answered + self.wrong.delay(growth, now))


class RejoinThrottle:
    """The wrong passcodes of one server: `limits.accounts` accounts, and the seats'."""

    def __init__(self, limits: RejoinLimits) -> None:
        self._source: Final = GrowingDelay(
            limits.per_source, limits.delay, limits.address_delay, limits.seconds
        )
        self._seat: Final = GrowingDelay(
            limits.per_seat, limits.delay, limits.seat_delay, limits.seconds
        )
        self._most: Final = limits.accounts
        self._accounts: Final[OrderedDict[tuple[str, RejoinSeat], _Account]] = (
            OrderedDict()
        )
        self._totals: Final[OrderedDict[RejoinSeat, WrongTries]] = OrderedDict()

    def wait(self, attempt: RejoinAttempt, now: Seconds) -> Seconds:
        """Return how long *attempt* has to wait, at least; 0: look at it now.

        The first call queues it behind those of the same source for the same seat.
        """
        account = self._accounts.get(_key(attempt))
        delay = self._delay_by_all(attempt, now)
        if account is None:
            if not delay:
                return 0.0
            account = self._account(attempt)
        account.waiting.setdefault(attempt.client, now)
        left = max(0.0, account.ready(self._source, now) + delay - now)
        is_first = next(iter(account.waiting)) == attempt.client
        return left if is_first else left + RECHECK

    def settle(self, attempt: RejoinAttempt, now: Seconds, *, wrong: bool) -> None:
        """Take *attempt* from the queue, now that it is answered; count a wrong one."""
        self.forget(attempt)
        if not wrong:
            return
        self._account(attempt).answer_wrong(self._source, now)
        if not attempt.is_known:
            total = _recent(self._totals, attempt.seat, WrongTries, self._most)
            total.add(self._seat, now)

    def forget(self, attempt: RejoinAttempt) -> None:
        """Take *attempt* from the queue, if it is in one: its connection is closed."""
        account = self._accounts.get(_key(attempt))
        if account is not None:
            account.waiting.pop(attempt.client, None)

    def __len__(self) -> int:
        """Return how many accounts there are."""
        return len(self._accounts)

    def _delay_by_all(self, attempt: RejoinAttempt, now: Seconds) -> Seconds:
        total = None if attempt.is_known else self._totals.get(attempt.seat)
        return 0.0 if total is None else total.delay(self._seat, now)

    def _account(self, attempt: RejoinAttempt) -> _Account:
        return _recent(self._accounts, _key(attempt), _Account, self._most)


def _key(attempt: RejoinAttempt) -> tuple[str, RejoinSeat]:
    return attempt.source, attempt.seat


def _recent(
    table: OrderedDict[_Key, _Entry], key: _Key, new: Callable[[], _Entry], most: int
) -> _Entry:
    """Return the entry of *key*, a new one if there is none.

    Of more than *most* entries that which was used longest ago is dropped.
    """
    entry = table.setdefault(key, new())
    table.move_to_end(key)
    if len(table) > most:
        table.popitem(last=False)
    return entry
