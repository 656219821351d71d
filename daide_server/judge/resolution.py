"""The result of a turn: the outcome of each order, and the next position.

Each outcome has a `result`, the plain word for it that messages and records use. A
resolution computes each of its values on demand, so that a search over thousands of
positions pays only for units and dislodged units. Each phase has a subclass; the owners
of centres, the winner and the next turn are found in the same way for all.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from msgspec import Struct

from daide_server.board.map import SEASONS, Map, Position, Turn, Variant
from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.orders import Order
from daide_server.board.results import OrderNote, OrderResult, Report

from .rules import IdleAdjustments, Rules


class _Success(Struct, frozen=True):
    result: ClassVar = OrderResult.SUCCEEDED


# Movement


class Held(_Success, frozen=True):
    """The unit held, and was not dislodged."""


class Dislodged(Struct, frozen=True):
    """The unit held or convoyed, and *by* took its place."""

    by: Unit
    result: ClassVar = None


class Moved(_Success, frozen=True):
    """The unit entered its destination."""


class Bounced(Struct, frozen=True):
    """The unit could not enter: *by* held the province, or wanted it as well.

    `strength` is that of the move against what resisted it with `resistance`.
    """

    by: Unit
    strength: int
    resistance: int
    result: ClassVar = OrderResult.BOUNCED


class Supported(_Success, frozen=True):
    """The support was given."""


class Cut(Struct, frozen=True):
    """The support was cut by an attack of *by*."""

    by: Unit
    result: ClassVar = OrderResult.CUT


class Unmatched(Struct, frozen=True):
    """The supported or convoyed unit was ordered to do something else."""

    result: ClassVar = OrderResult.NO_SUCH_ORDER


class Convoyed(_Success, frozen=True):
    """The fleet held its place in the convoy of its army."""


class NoConvoy(Struct, frozen=True):
    """No fleets convoy the army; also for units that support or convoy it."""

    result: ClassVar = OrderResult.NO_SUCH_ORDER


class Disrupted(Struct, frozen=True):
    """The convoy was disrupted: fleets were dislodged *at*, or it was a paradox."""

    at: tuple[Province, ...]
    result: ClassVar = OrderResult.DISRUPTED


# Retreats


class Retreated(_Success, frozen=True):
    """The unit reached its destination."""


class Collided(Struct, frozen=True):
    """The unit is disbanded: *by* wanted to retreat to the same province."""

    by: Unit
    result: ClassVar = OrderResult.BOUNCED


class Disbanded(_Success, frozen=True):
    """The unit left the board."""


# Adjustments


class Adjusted(_Success, frozen=True):
    """The unit was built or removed, or the build waived."""


# Orders that were not carried out at all


class Void(Struct, frozen=True):
    """The order could not be carried out by any means; *note* says why."""

    note: OrderNote
    result: ClassVar = None


class Superseded(Struct, frozen=True):
    """A later order, *by*, was given to the same unit, or builds in the same centre."""

    by: Order
    result: ClassVar = None


Outcome = (
    Held
    | Dislodged
    | Moved
    | Bounced
    | Supported
    | Cut
    | Unmatched
    | Convoyed
    | NoConvoy
    | Disrupted
    | Retreated
    | Collided
    | Disbanded
    | Adjusted
    | Void
    | Superseded
)


# Where units can be built: home centres (the rulebook, *Gaining and losing units*)


def free_homes(board_map: Map, position: Position, power: Power) -> Sequence[Province]:
    """Return the home centres of *power* that it owns and that are empty, in order."""
    occupied = {unit.location.province for unit in position.units}
    free = [
        home
        for home in board_map.homes[power]
        if position.owners.get(home) == power and home not in occupied
    ]
    return sorted(free, key=board_map.index.__getitem__)


def has_adjustments(board_map: Map, position: Position) -> bool:
    """Return whether any power must remove a unit, or can build one."""
    return any(
        position.surplus(power) < 0
        or (position.surplus(power) > 0 and free_homes(board_map, position, power))
        for power in board_map.powers
    )


# Who has won (the rulebook, *Object of the game*)


def solo(board_map: Map, owners: Mapping[Province, Power]) -> Power | None:
    """Return the power that owns more than half of all centres, if there is one.

    It must own more than any other power, too.
    """
    centres = Counter(owners.values())
    most = max(centres.values(), default=0)
    if most < board_map.majority:
        return None
    leaders = [power for power, count in centres.items() if count == most]
    return leaders[0] if len(leaders) == 1 else None


_SPRING, _SUMMER, _FALL, _AUTUMN, _WINTER = SEASONS
_MOVEMENTS = (_SPRING, _FALL)


Noted = tuple[Order, Order, OrderNote]
"""An order as given, its meaning, and the note on it."""


class Resolution(ABC):
    """The results of the orders of one turn."""

    def __init__(
        self,
        variant: Variant,
        position: Position,
        orders: Iterable[Order],
        rules: Rules,
    ) -> None:
        self.variant = variant
        self.position = position
        self.rules = rules
        self._given = tuple(orders)
        self._take_orders()

    @cached_property
    def reports(self) -> tuple[Report, ...]:
        """The result of each unit or adjustment, in the order of the units.

        A unit without a legal order held, disbanded or was removed.
        """
        return tuple(self._find_reports())

    @cached_property
    def outcomes(self) -> tuple[tuple[Order, Outcome], ...]:
        """Each order, as it was given, with its result."""
        return tuple(
            (given, self._outcome(meant, note)) for given, meant, note in self._noted()
        )

    @cached_property
    def void(self) -> tuple[tuple[Order, OrderNote], ...]:
        """The orders that could not be carried out by any means, and why."""
        return tuple(
            (given, note)
            for given, _, note in self._noted()
            if note is not OrderNote.OK
        )

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The units in place after the turn, without dislodged ones."""
        board_map = self.variant.map
        return tuple(sorted(self._find_units(), key=board_map.sort_key))

    @cached_property
    def dislodged(self) -> Mapping[Unit, Unit]:
        """The units that were dislodged, each with its attacker where it was."""
        return {}

    @cached_property
    def standoffs(self) -> frozenset[Province]:
        """The empty provinces in which moves prevented each other."""
        return frozenset()

    @cached_property
    def retreats(self) -> Mapping[Unit, tuple[Location, ...]]:
        """The places to which each dislodged unit may retreat, in the map's order."""
        return {}

    @cached_property
    def year_ended(self) -> bool:
        """Whether the owners of the centres were just brought up to date."""
        season = self.position.turn.season
        if season is _FALL:
            return not self.dislodged
        return season is _AUTUMN

    @cached_property
    def owners(self) -> Mapping[Province, Power]:
        """The owners of the centres after the turn."""
        if not self.year_ended:
            return self.position.owners
        before, board_map = self.position.owners, self.variant.map
        centres = board_map.centres
        taken = {
            province: unit.power
            for unit in self.units
            if (province := unit.location.province) in centres
        }
        owned = {**before, **taken}
        if owned == before:
            return before
        return {place: owned[place] for place in board_map.provinces if place in owned}

    @cached_property
    def winner(self) -> Power | None:
        """The power that has won by this turn: `None` before the end of a year."""
        return solo(self.variant.map, self.owners) if self.year_ended else None

    @cached_property
    def next(self) -> Position:
        """The position of the turn that is played next."""
        turn, units, owners = self.position.turn, self.units, self.owners
        season = turn.season
        if season in _MOVEMENTS and self.dislodged:
            return Position(turn.next(), units, owners, self.retreats)
        if season is _SPRING or season is _SUMMER:
            return Position(Turn(_FALL, turn.year), units, owners)
        if season is not _WINTER:
            winter = Position(Turn(_WINTER, turn.year), units, owners)
            if self._is_played(winter):
                return winter
        return Position(Turn(_SPRING, turn.year + 1), units, owners)

    def _is_played(self, adjustments: Position) -> bool:
        """Return whether there is anything to adjust."""
        if self.rules.idle_adjustments is IdleAdjustments.SKIPPED:
            return has_adjustments(self.variant.map, adjustments)
        return any(map(adjustments.surplus, self.variant.map.powers))

    @abstractmethod
    def _take_orders(self) -> None: ...

    @abstractmethod
    def _find_reports(self) -> Sequence[Report]: ...

    @abstractmethod
    def _noted(self) -> Sequence[Noted]: ...

    @abstractmethod
    def _outcome(self, order: Order, note: OrderNote) -> Outcome: ...

    @abstractmethod
    def _find_units(self) -> Sequence[Unit]: ...
