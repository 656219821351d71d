"""Common notation: orders as text such as `A PAR - BUR`, without powers.

`notation_reader` reads it.

After the unit comes the action: `-` move, `H` hold, `S` support, `C` convoy,
`R` retreat, `D` disband or remove, `B` build. `VIA` after a move means by convoy, and
the route may follow it.
"""

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Final, Self, assert_never

from attrs import define

from .names import Coast, Location, Province, Unit
from .orders import (
    Build,
    Convoy,
    ConvoyedMove,
    Disband,
    Hold,
    Move,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from .turns import Season, Turn

SHORT_COASTS: Final[Mapping[Coast, str]] = {
    Coast.NORTH: "NC",
    Coast.NORTH_EAST: "NE",
    Coast.EAST: "EC",
    Coast.SOUTH_EAST: "SE",
    Coast.SOUTH: "SC",
    Coast.SOUTH_WEST: "SW",
    Coast.WEST: "WC",
    Coast.NORTH_WEST: "NW",
}
"""The abbreviations of coasts in most notations except DAIDE's."""
COASTS_BY_TEXT: Final[Mapping[str, Coast]] = {
    **{coast.value: coast for coast in Coast},
    **{short: coast for coast, short in SHORT_COASTS.items()},
}
"""The coasts by DAIDE's and by short abbreviations."""
REMEMBERED_TEXTS: Final = 4096
"""Texts of locations, and of units, that a notation caches: enough for most boards."""


class NotationError(ValueError):
    """The text is not valid; the message says what was found and expected."""

    @classmethod
    def of(cls, found: str, expected: str) -> Self:
        """Return the error of the text *found* instead of *expected*."""
        return cls(f"found {found!r}, expected {expected}")


@define(eq=False, slots=False)
class Notation:
    """The spelling of provinces and coasts that differ from the board's names."""

    provinces: Mapping[Province, str] = {}
    coasts: Mapping[Coast, str] = SHORT_COASTS

    def province(self, province: Province) -> str:
        """Return the spelling of *province*."""
        return self.provinces.get(province, province)

    @cached_property
    def location(self) -> Callable[[Location], str]:
        """What returns a location as text, such as `PAR` or `STP/SC`."""
        return lru_cache(REMEMBERED_TEXTS)(self._location)

    @cached_property
    def unit(self) -> Callable[[Unit], str]:
        """What returns a unit as text, such as `A PAR` or `F STP/SC`."""
        return lru_cache(REMEMBERED_TEXTS)(self._unit)

    def _location(self, location: Location) -> str:
        name = self.province(location.province)
        if location.coast is None:
            return name
        return f"{name}/{self.coasts.get(location.coast, location.coast.value)}"

    def _unit(self, unit: Unit) -> str:
        return f"{unit.type.value} {self.location(unit.location)}"

    def order(self, order: Order) -> str:
        """Return *order* as text."""
        if isinstance(order, Waive):
            return "WAIVE"
        return f"{self.unit(order.unit)} {self._action(order)}"

    def _action(self, order: Order) -> str:  # noqa: C901 - one line per order
        match order:
            case Hold():
                return "H"
            case Move():
                return f"- {self.location(order.destination)}"
            case ConvoyedMove():
                seas = map(self.province, order.route or ())
                return " ".join(("-", self.location(order.destination), "VIA", *seas))
            case SupportHold():
                return f"S {self.unit(order.supported)}"
            case SupportMove():
                move = f"{self.unit(order.supported)} - "
                return f"S {move}{self.location(order.destination)}"
            case Convoy():
                move = f"{self.unit(order.convoyed)} - "
                return f"C {move}{self.location(order.destination)}"
            case Retreat():
                return f"R {self.location(order.destination)}"
            case Disband() | Remove():
                return "D"
            case Build():
                return "B"
            case Waive():
                return "WAIVE"
            case _:
                assert_never(order)

    @cached_property
    def spelled(self) -> Mapping[str, Province]:
        """The province of each spelling in `provinces`."""
        return {text: province for province, text in self.provinces.items()}


COMMON: Final = Notation()
"""The names of the board, with coasts such as `STP/SC`."""


def read_turn(text: str) -> Turn:
    """Return the turn of a text such as `SPR 1901`; raises `NotationError`."""
    season, _, year = text.strip().upper().partition(" ")
    try:
        return Turn(Season(season), int(year))
    except ValueError:
        raise NotationError.of(text, "a turn such as 'SPR 1901'") from None
