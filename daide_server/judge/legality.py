"""The note on an order when it is submitted: acceptable, or why not (DAIDE's THX).

The first test that fails gives the note. Whether the turn is for such orders comes
first, then whether everything that is named exists, then whose it is, then the
tests of DAIDE's server; for builds and removals, whether any more are due.
"""

from collections.abc import Collection
from typing import Final, Protocol

from daide_server.board.map import Map
from daide_server.board.names import Power
from daide_server.board.orders import (
    AdjustmentOrder,
    MovementOrder,
    Order,
    RetreatOrder,
    Waive,
)
from daide_server.board.position import Position
from daide_server.board.results import OrderNote
from daide_server.board.turns import Phase

from .adjustments import AdjustmentLegality
from .coasts import corrected, corrects_coasts
from .lazy import lazy
from .map_tables import tables_of
from .movement_legality import MovementLegality
from .retreats import RetreatLegality
from .rules import DAIDE_RULES, Rules

_OK: Final = OrderNote.OK
_BEFORE_POWER: Final = (OrderNote.WRONG_SEASON, OrderNote.NO_SUCH_PROVINCE)
"""What is noted on a movement order, whoever has the unit."""


class NoteFinder(Protocol):
    """Returns the note on an order of one phase."""

    def __call__(
        self, order: Order, power: Power, accepted: Collection[Order] = (), /
    ) -> OrderNote:
        """Return the note on *order* as *power* submits it after *accepted* ones."""


class Legality:
    """The notes on the orders of one turn; make one per turn.

    `power` is who submits the order; `accepted` are the orders of that power which
    have been accepted in this turn so far.
    """

    def __init__(
        self, board_map: Map, position: Position, rules: Rules = DAIDE_RULES
    ) -> None:
        self._map = board_map
        self._position = position
        self._rules = rules
        self._corrects_coasts = corrects_coasts(rules)
        self.note: Final = self._finder(position.turn.phase)
        """Returns whether an order is acceptable, or the first reason why not."""

    def _finder(self, phase: Phase) -> NoteFinder:
        match phase:
            case Phase.MOVEMENT:
                return self._movement_note
            case Phase.RETREATS:
                return self._retreat_note
            case Phase.ADJUSTMENTS:
                return AdjustmentLegality(self._map, self._position).note

    @lazy
    def _movement(self) -> MovementLegality:
        return MovementLegality(tables_of(self._map), self._position.units)

    @lazy
    def _retreats(self) -> RetreatLegality:
        return RetreatLegality(self._map, self._position)

    def lenient_note(
        self, order: Order, power: Power, accepted: Collection[Order] = ()
    ) -> OrderNote:
        """Return whether *order* is accepted where orders may be impossible (AOA).

        The unit must exist and be the submitter's; builds and removals are tested
        as ever. What else is wrong becomes the order's result.
        """
        note = self.note(order, power, accepted)
        if note in {_OK, OrderNote.WRONG_SEASON} or isinstance(order, AdjustmentOrder):
            return note
        missing = self._missing(order)
        if missing is _OK and order.unit.power != power:
            return OrderNote.NOT_YOUR_UNIT
        return missing

    def _missing(self, order: MovementOrder | RetreatOrder) -> OrderNote:
        if isinstance(order, RetreatOrder):
            return self._retreats.missing(order)
        return self._movement.missing(order)

    def _movement_note(
        self, order: Order, power: Power, _accepted: Collection[Order] = ()
    ) -> OrderNote:
        if self._corrects_coasts and isinstance(order, MovementOrder):
            order = corrected(order, self._movement, self._rules)
        if isinstance(order, Waive):
            return OrderNote.WRONG_SEASON
        note = self._movement.note(order)
        if order.unit.power == power or note in _BEFORE_POWER:
            return note
        missing = self._movement.missing(order)
        return OrderNote.NOT_YOUR_UNIT if missing is _OK else missing

    def _retreat_note(
        self, order: Order, power: Power, _accepted: Collection[Order] = ()
    ) -> OrderNote:
        if not isinstance(order, RetreatOrder):
            return OrderNote.WRONG_SEASON
        note = self._retreats.note(order)
        if order.unit.power == power or note is OrderNote.NO_SUCH_PROVINCE:
            return note
        missing = self._retreats.missing(order)
        return OrderNote.NOT_YOUR_UNIT if missing is _OK else missing
