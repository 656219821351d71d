"""What players were told, and can rely on."""

from collections import Counter
from collections.abc import Iterable
from math import inf
from typing import Final

from attrs import Factory, define

from daide_server.game.events import Seconds


class Told:
    """What one player was told, and can rely on."""

    def __init__(self) -> None:
        self.turns: Final[dict[str, str]] = {}
        """By turn, the NOW that announced it."""
        self.results: Final[set[str]] = set()
        """Each ORD."""
        self.whole: Final[dict[str, set[str]]] = {}
        """By turn that ended on one connection, the ORD and SCO before the next NOW."""
        self.centres: Final[set[str]] = set()
        """Each SCO."""
        self.orders: Final[dict[str, dict[str, list[str]]]] = {}
        """By turn and unit, the orders of which one is in force: what was acknowledged
        last (THX MBV; an empty text: nothing), and then what is under way."""
        self.cancelled: Final[set[str]] = set()
        """Turns in which orders may have been cancelled: NOT (SUB) is under way."""
        self.press: Final[dict[str, Seconds]] = {}
        """Texts that were acknowledged (YES SND), and when."""
        self.unsent: Final[set[str]] = set()
        """Texts that were refused (REJ SND)."""
        self.sent: Final[dict[str, str]] = {}
        """Texts that were sent, and to whom."""
        self.received: Final[Counter[tuple[str, str]]] = Counter()
        """Senders and texts of press."""
        self.in_disorder: Final[dict[str, bool]] = {}
        """What CCD and NOT (CCD) said last, on this connection, of each power."""
        self.refused: Final[Counter[str]] = Counter()
        """By turn, how many orders were refused (THX)."""
        self.let_in: Final[list[Seconds]] = []
        """When IAM was accepted."""
        self.ending = ""
        """The SMR."""
        self.is_for_draw: bool | None = False
        """Whether its vote is for a draw, in this turn; `None`: it is under way."""
        self.vote_at_end: bool | None = None
        """The same when DRW came."""
        self.votes: Final[dict[str, bool | None]] = {}
        """By turn that passed on one connection, whether its last vote was for a draw;
        `None`: it did not vote."""
        self.wants_time: bool | None = False
        """Whether it said NOT (GOF) in this turn; `None`: the answer is under way."""

    def submit(self, turn: str, unit: str, order: str) -> None:
        """Note that *order* is under way: it may be in force, or what was before."""
        self.orders.setdefault(turn, {}).setdefault(unit, [""]).append(order)

    def accept(
        self, turn: str, unit: str, order: str, under_way: Iterable[str] = ()
    ) -> None:
        """Note that *order* was acknowledged, and others are still *under_way*."""
        self.orders[turn][unit] = [order, *under_way]
        self._forget_none(turn, unit)

    def refuse(self, turn: str, unit: str, order: str) -> None:
        """Note that *order* was refused: what was before is in force."""
        may_hold = self.orders[turn][unit]
        del may_hold[may_hold.index(order, 1)]
        self._forget_none(turn, unit)

    def _forget_none(self, turn: str, unit: str) -> None:
        if self.orders[turn][unit] == [""]:
            del self.orders[turn][unit]

    def is_sure(self, turn: str) -> bool:
        """Return whether `orders` are what is in force in *turn*, and nothing else."""
        given = self.orders.get(turn, {}).values()
        is_known = all(len(may_hold) == 1 for may_hold in given)
        return is_known and turn not in self.cancelled

    def certain(self, turn: str) -> list[str]:
        """Return the orders that must be in force in *turn*."""
        if turn in self.cancelled:
            return []
        given = self.orders.get(turn, {}).values()
        return [may_hold[0] for may_hold in given if len(may_hold) == 1]


@define
class Talk:
    """What is said on one connection of a player."""

    heard: bytes = b""
    """What has come of a message that is not whole."""
    in_since: Seconds | None = None
    """When the player was let in, unless it was not."""
    is_return: bool = False
    """Whether it joined by IAM."""
    last_told: str = ""
    """The turn of the last NOW."""
    ends: list[str] = Factory(list)
    """The ORD and SCO since then."""
    asked: dict[str, tuple[str, str]] = Factory(dict)
    """Orders that were sent and not answered: by their text, turn and unit."""
    thanks: Counter[str] = Factory(Counter)
    """How many THX are owed for each order."""
    owed: int = 0
    """How many answers are owed."""
    asked_at: Seconds = -inf
    """When an answer was asked for last."""
    vote: bool | None = None
    """The last vote in this turn that was acknowledged: for a draw, or withdrawn."""
    cancelling: int = 0
    """How many NOT (SUB) have no answer."""
    withdrawn: list[tuple[str, str]] = Factory(list)
    """Turns and units of the NOT (SUB) of one order that have no answer."""
    warned_from: str = ""
    """After which turn TME is due before each deadline, as asked for."""
    is_warned: bool = False
    """Whether it came in this turn."""
    centres: set[str] | None = None
    """The player's centres, by the last SCO."""
    is_timed: bool = False
    """Whether TME came in this turn."""
    is_stopped: bool = False
    """Whether NOT (TME) said that the clock stands still."""
    is_off: bool = False
    """Whether OFF came."""
    is_final: bool = False
    """Whether FM came."""
    history: str = ""
    """The turn whose history was asked for, and has not come."""

    def under_way(self, turn: str, unit: str) -> list[str]:
        """Return the orders for a unit that were sent and not answered."""
        return [order for order, sent in self.asked.items() if sent == (turn, unit)]
