"""What became of a promise: its verdict, when it fell, and why."""

from collections.abc import Mapping
from typing import Final

from attrs import field, frozen

from daide_server.board.map import Turn
from daide_server.board.names import IdentityEnum, Power


class Verdict(IdentityEnum):
    """What became of a promise."""

    KEPT = "kept"
    BROKEN = "broken"
    IMPOSSIBLE = "impossible"
    """It could not be kept, whatever the power had ordered."""
    VOID = "void"
    """It did not bind: it was not agreed, or too late, or the game was over."""
    UNDECIDED = "not decided"
    """Orders do not tell."""


@frozen
class Finding:
    """A verdict, the turn that decided it (`None`: the whole game), and the reason."""

    verdict: Verdict
    turn: Turn | None = None
    reason: str = ""


AgreedOrders = Mapping[tuple[Turn, tuple[object, ...]], frozenset[Power]]


@frozen
class InForce:
    """From which turn on a promise binds, and to which (`None`: the end of the game).

    `since` is the turn of the proposal, from which the next turn for an order counts.
    `agreed_orders` are the orders that were agreed on, by turn, with the powers that
    agreed: they are no breach towards these.
    """

    since: Turn
    first: Turn
    last: Turn | None = None
    agreed_orders: AgreedOrders = field(factory=dict)


NOT_DECIDED: Final = Finding(Verdict.UNDECIDED)
