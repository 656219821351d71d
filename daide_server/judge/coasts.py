"""Corrects orders with missing, wrong or needless coasts (DATC 4.B.2, 4.B.5, 4.B.6).

Only editions that do not refuse such orders need it.
"""

from typing import Final

from msgspec.structs import replace

from daide_server.board.names import Location, Unit
from daide_server.board.orders import Move, MovementOrder

from .movement_legality import MovementLegality
from .rules import MissingCoast, Rules, WrongCoast

# Looking up a member of an enum takes longer than a name of the module.
_MISSING_REFUSED: Final = MissingCoast.REFUSED
_WRONG_REFUSED: Final = WrongCoast.REFUSED


def corrects_coasts(rules: Rules) -> bool:
    """Return whether *rules* correct any coast."""
    return (
        rules.missing_coast is not _MISSING_REFUSED
        or rules.wrong_coast is not _WRONG_REFUSED
    )


def corrected(
    order: MovementOrder, legality: MovementLegality, rules: Rules
) -> MovementOrder:
    """Return *order* with the coasts that *rules* supply or ignore."""
    if rules.wrong_coast is WrongCoast.IGNORED:
        order = replace(order, unit=_where_it_is(order.unit, legality))
    if isinstance(order, Move):
        return replace(order, destination=_destination(order, legality, rules))
    return order


def _where_it_is(unit: Unit, legality: MovementLegality) -> Unit:
    """Return the unit of that power and type in the province, on any coast."""
    placed = legality.at.get(legality.tables.index.get(unit.province, -1))
    if placed is None:
        return unit
    known = placed.unit
    same = (known.power, known.type) == (unit.power, unit.type)
    return known if same else unit


def _destination(order: Move, legality: MovementLegality, rules: Rules) -> Location:
    placed = legality.find(order.unit)
    if placed is None:
        return order.destination
    if placed.army and rules.wrong_coast is WrongCoast.IGNORED:
        return Location(order.destination.province)
    if order.destination.coast or rules.missing_coast is _MISSING_REFUSED:
        return order.destination
    possible = [at for at in placed.reach if at.province == order.destination.province]
    return possible[0] if len(possible) == 1 else order.destination
