"""The bot that gives random legal orders. Pure: its randomness is an argument."""

from collections.abc import Sequence
from random import Random

from daide_server.board.orders import Order, Remove, Waive
from daide_server.board.turns import Phase
from daide_server.judge.possible import possible_orders

from .view import View


def orders(view: View, chance: Random) -> Sequence[Order]:
    """Return a legal order for each unit, all with the same probability."""
    choices = possible_orders(view.map, view.position)
    match view.phase:
        case Phase.MOVEMENT:
            return [chance.choice(choices[unit]) for unit in view.units]
        case Phase.RETREATS:
            return [chance.choice(choices[unit]) for unit in view.dislodged]
        case Phase.ADJUSTMENTS if view.surplus >= 0:
            return _builds(view, chance)
        case Phase.ADJUSTMENTS:
            return [Remove(unit) for unit in chance.sample(view.units, -view.surplus)]


def _builds(view: View, chance: Random) -> Sequence[Order]:
    """Return random builds in random home centres, and waives for the rest."""
    open_homes = view.open_homes
    built = chance.sample(open_homes, min(view.surplus, len(open_homes)))
    waived = [Waive(view.power)] * (view.surplus - len(built))
    return [*(chance.choice(view.builds_in(home)) for home in built), *waived]
