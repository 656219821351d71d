"""Order notes and order results: DAIDE's answers THX and ORD to an order.

Message Syntax, "Order Note" and "Order Result".
"""

from msgspec import Struct

from .names import IdentityEnum
from .orders import Order


class OrderNote(IdentityEnum):
    """Whether an order is acceptable, and if not, why; the value is DAIDE's token."""

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


class OrderResult(IdentityEnum):
    """The result of an order; the value is DAIDE's token."""

    SUCCEEDED = "SUC"
    BOUNCED = "BNC"
    CUT = "CUT"
    DISRUPTED = "DSR"
    NO_SUCH_ORDER = "NSO"


class Report(Struct, frozen=True, gc=False):
    """The content of ORD: the result of an order, and whether the unit is dislodged.

    `result` is `None` for a dislodged unit that held or convoyed. It is a note for an
    illegal order in a game that accepts any order (AOA).
    """

    order: Order
    result: OrderResult | OrderNote | None
    dislodged: bool = False
