"""What is said of an order: acceptable or not (THX), and what became of it (ORD)."""

from enum import Enum

from attrs import frozen

from .orders import Order


class OrderNote(Enum):
    """Why an order is not acceptable, or that it is; the value is DAIDE's token."""

    OK = "MBV"
    COAST_NEEDED = "CST"
    CENTRE_OCCUPIED = "ESC"
    NOT_ADJACENT = "FAR"
    NOT_HOME_CENTRE = "HSC"
    NOT_AT_SEA = "NAS"
    NO_MORE_BUILDS = "NMB"
    NO_MORE_REMOVALS = "NMR"
    NO_RETREAT_NEEDED = "NRN"
    WRONG_SEASON = "NRS"
    NO_SUCH_ARMY = "NSA"
    NOT_A_CENTRE = "NSC"
    NO_SUCH_FLEET = "NSF"
    NO_SUCH_PROVINCE = "NSP"
    NO_SUCH_UNIT = "NSU"
    NOT_A_VALID_RETREAT = "NVR"
    NOT_YOUR_UNIT = "NYU"
    NOT_YOUR_CENTRE = "YSC"

    __hash__ = object.__hash__


class OrderResult(Enum):
    """What became of an order; the value is DAIDE's token."""

    SUCCEEDED = "SUC"
    BOUNCED = "BNC"
    CUT = "CUT"
    DISRUPTED = "DSR"
    NO_SUCH_ORDER = "NSO"

    __hash__ = object.__hash__


@frozen
class Report:
    """What ORD tells of one order: its result, and whether the unit must retreat.

    `result` is `None` where being dislodged is all there is to say (a unit that
    held or convoyed), and a note where an order that could not be carried out
    had been accepted (AOA).
    """

    order: Order
    result: OrderResult | OrderNote | None
    dislodged: bool = False
