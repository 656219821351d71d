"""How wrong passcodes delay IAM, and how often a seat may be returned to: settings."""

from daide_server.classes import frozen
from daide_server.game.events import Seconds
from daide_server.settings.descriptor import setting
from daide_server.settings.kinds import COUNT, SECONDS, number, whole

from .growing_delay import GrowingDelay


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
        "its own. Further ones are answered one after the other, those of addresses "
        "with fewer wrong ones first.",
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
        10.0,
        "The longest time between two of those. With these numbers all addresses "
        "together, however many, have 380 guesses in the first hour, then 360 an hour.",
        key="guess_delay_per_seat",
    )
    returns: int = setting(
        COUNT,
        100,
        "Returns to one seat, in guess_seconds, that delay nothing.",
        key="returns_per_seat",
    )
    return_delay: Seconds = setting(
        SECONDS,
        10.0,
        "The longest delay of a return after further ones; each adds a second.",
    )
    accounts: int = setting(
        whole(16),
        4096,
        "Pairs of an address and a seat whose wrong passcodes are remembered; the "
        "oldest are forgotten.",
        key="guess_accounts",
    )

    @property
    def of_source(self) -> GrowingDelay:
        """Return how wrong passcodes of one source for one seat delay the next."""
        return GrowingDelay(
            self.per_source, self.delay, self.address_delay, self.seconds
        )

    @property
    def of_seat(self) -> GrowingDelay:
        """Return how those of all sources for one seat delay the next."""
        return GrowingDelay(self.per_seat, self.delay, self.seat_delay, self.seconds)

    @property
    def of_returns(self) -> GrowingDelay:
        """Return how returns to one seat delay the next."""
        return GrowingDelay(self.returns, 1.0, self.return_delay, self.seconds)
