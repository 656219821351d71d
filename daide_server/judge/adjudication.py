"""The entry point of the judge: from a position and its orders to a resolution."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from daide_server.board.orders import Order
from daide_server.board.position import Position
from daide_server.board.turns import Phase
from daide_server.board.variant import Variant

from .adjustments import AdjustmentResolution
from .movement_resolution import MovementResolution
from .resolution import Resolution
from .retreats import RetreatResolution
from .rules import DAIDE_RULES, Rules

_JUDGES: Final[
    Mapping[Phase, Callable[[Variant, Position, Iterable[Order], Rules], Resolution]]
] = {
    Phase.MOVEMENT: MovementResolution,
    Phase.RETREATS: RetreatResolution,
    Phase.ADJUSTMENTS: AdjustmentResolution,
}


def adjudicate(
    variant: Variant,
    position: Position,
    orders: Iterable[Order],
    rules: Rules = DAIDE_RULES,
) -> Resolution:
    """Return what follows from *orders*, each taken as given by its unit's owner.

    Orders may be missing, illegal or repeated; none of them raises an exception. The
    units of *position* must be ones that can be on the variant's map.
    """
    return _JUDGES[position.turn.phase](variant, position, orders, rules)
