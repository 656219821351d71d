"""What powers can propose, as values. Message Syntax, levels 10 to 130."""

from attrs import frozen

from daide_server.board.map import Turn
from daide_server.board.names import Power, Province, UnitType
from daide_server.board.orders import Order


@frozen
class PeaceAmong:
    """PCE: peace between the powers, from now on."""

    powers: tuple[Power, ...]


@frozen
class AllianceAgainst:
    """ALY VSS: an alliance, from now on."""

    allies: tuple[Power, ...]
    enemies: tuple[Power, ...]


@frozen
class DrawAmong:
    """DRW: a draw in this turn; `None`: of all survivors."""

    powers: tuple[Power, ...] | None = None


@frozen
class SoloFor:
    """SLO: a power shall win alone."""

    power: Power


@frozen
class OrderGiven:
    """XDO: an order is given in the next turn that takes such orders."""

    order: Order


@frozen
class Demilitarised:
    """DMZ: the powers stay out of the provinces, from now on."""

    powers: tuple[Power, ...]
    provinces: tuple[Province, ...]


@frozen
class CentresShared:
    """SCD: the future owners of centres, without a time."""

    shares: tuple[tuple[Power | None, tuple[Province, ...]], ...]


@frozen
class PlacedUnitWanted:
    """A unit in its province; without a `type`, army or fleet (UNT)."""

    power: Power
    type: UnitType | None
    province: Province


@frozen
class UnitsPlaced:
    """OCC: units shall be in provinces at some time."""

    units: tuple[PlacedUnitWanted, ...]


@frozen
class Opposite:
    """NOT: the opposite of an arrangement."""

    of: "Arrangement"


@frozen
class Lifted:
    """NAR: an arrangement does not bind, or no longer binds."""

    of: "Arrangement"


@frozen
class AllParts:
    """AND: every part."""

    parts: tuple["Clause", ...]


@frozen
class SomeParts:
    """ORR and CHO: from `least` to `most` of the parts."""

    least: int
    most: int
    parts: tuple["Clause", ...]


@frozen
class InTurns:
    """FOR: an arrangement for one turn, or from a turn to another."""

    first: Turn
    last: Turn
    of: "Clause"


@frozen
class Conditional:
    """IFF: if the condition holds, `then`; if not, `otherwise`, if that is given."""

    condition: "Clause"
    then: "Clause"
    otherwise: "Clause | None" = None


@frozen
class Undecidable:
    """An arrangement that orders cannot keep or break, such as XOY, SND or FWD."""


Arrangement = (
    PeaceAmong
    | AllianceAgainst
    | DrawAmong
    | SoloFor
    | OrderGiven
    | Demilitarised
    | CentresShared
    | UnitsPlaced
    | Opposite
    | Lifted
    | AllParts
    | SomeParts
    | InTurns
    | Conditional
    | Undecidable
)


@frozen
class Clause:
    """An arrangement, and its DAIDE text."""

    text: str
    arrangement: Arrangement
