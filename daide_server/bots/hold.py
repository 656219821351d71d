"""The bot that orders all units to hold. Pure."""

from daide_server.board.map import Phase
from daide_server.board.orders import Disband, Hold, Order, Remove, Waive

from .view import View


def orders(view: View) -> list[Order]:
    """Return holds; disband dislodged units, waive builds, remove the first units."""
    match view.phase:
        case Phase.MOVEMENT:
            return [Hold(unit) for unit in view.units]
        case Phase.RETREATS:
            return [Disband(unit) for unit in view.dislodged]
        case Phase.ADJUSTMENTS if view.surplus >= 0:
            return [Waive(view.power)] * view.surplus
        case Phase.ADJUSTMENTS:
            return [Remove(unit) for unit in view.units[: -view.surplus]]
