"""The messages of the language, one small frozen class each.

What a client says and what a server says are two unions. Where an answer must
quote the question (YES, REJ, THX) the tokens travel along as they were sent.
The sections are those of the Message Syntax document.
"""

from collections.abc import Mapping

from attrs import frozen

from daide_server.board.map import Map
from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.orders import Order
from daide_server.board.position import Position
from daide_server.board.results import OrderNote, Report
from daide_server.board.turns import Turn

from .hello_options import HelloOption
from .tokens import Tokens

# --- Said by clients -----------------------------------------------------------

# Joining


@frozen
class Name:
    """NME: the client asks for a seat."""

    name: str
    version: str


@frozen
class Observe:
    """OBS: the client asks to watch."""


@frozen
class Rejoin:
    """IAM: the client asks for the seat of *power* that it lost."""

    power: Power
    passcode: int


@frozen
class AcceptMap:
    """YES (MAP (name))."""

    name: str


@frozen
class RefuseMap:
    """REJ (MAP (name))."""

    name: str


# Questions that any client may ask


@frozen
class AskMap:
    """MAP."""


@frozen
class AskMapDefinition:
    """MDF."""


@frozen
class AskPosition:
    """NOW."""


@frozen
class AskOwnership:
    """SCO."""


@frozen
class AskHello:
    """HLO."""


@frozen
class AskResults:
    """ORD."""


@frozen
class AskHistory:
    """HST: of one turn, or of the start (`None`; an old form of AiServer's)."""

    turn: Turn | None


# Orders


@frozen
class SubmittedOrder:
    """An order, and the tokens that said it, brackets around it excluded."""

    order: Order
    as_sent: Tokens


@frozen
class SubmitOrders:
    """SUB: orders for the current turn, or for *turn* if that is the current one."""

    turn: Turn | None
    orders: tuple[SubmittedOrder, ...]


@frozen
class CancelOrders:
    """NOT (SUB)."""


@frozen
class CancelOrder:
    """NOT (SUB (order))."""

    order: Order


@frozen
class AskMissing:
    """MIS."""


@frozen
class Go:
    """GOF: process the turn when everybody is ready."""


@frozen
class Wait:
    """NOT (GOF): do not process the turn before the deadline."""


# Time, draws, press, administration


@frozen
class AskTime:
    """TME."""


@frozen
class RequestTime:
    """TME (seconds): tell me *seconds* before each deadline."""

    seconds: int


@frozen
class CancelTime:
    """NOT (TME (seconds)), or NOT (TME) for all requests (`None`)."""

    seconds: int | None


@frozen
class VoteDraw:
    """DRW, with the powers that would share it (PDA) or `None` for all survivors."""

    powers: tuple[Power, ...] | None


@frozen
class WithdrawDraw:
    """NOT (DRW): takes back the vote of the same form."""

    powers: tuple[Power, ...] | None


@frozen
class SendPress:
    """SND: press for *recipients*; the content stays as it was sent."""

    turn: Turn | None
    recipients: tuple[Power, ...]
    content: Tokens


@frozen
class Admin:
    """ADM: an administrative text for everybody. Also the server's forwarded copy."""

    name: str
    text: str


@frozen
class AnswerSave:
    """YES or REJ (SVE (name))."""

    name: str
    saved: bool


@frozen
class RefuseLoad:
    """REJ (LOD (name))."""

    name: str


@frozen
class Complaint:
    """PRN or HUH: the client could not read what it was sent. Never answered."""

    tokens: Tokens


ClientMessage = (
    Name
    | Observe
    | Rejoin
    | AcceptMap
    | RefuseMap
    | AskMap
    | AskMapDefinition
    | AskPosition
    | AskOwnership
    | AskHello
    | AskResults
    | AskHistory
    | SubmitOrders
    | CancelOrders
    | CancelOrder
    | AskMissing
    | Go
    | Wait
    | AskTime
    | RequestTime
    | CancelTime
    | VoteDraw
    | WithdrawDraw
    | SendPress
    | Admin
    | AnswerSave
    | RefuseLoad
    | Complaint
)


# --- Said by the server --------------------------------------------------------


@frozen
class Accepted:
    """YES (message)."""

    message: Tokens


@frozen
class Rejected:
    """REJ (message)."""

    message: Tokens


@frozen
class BracketsRefused:
    """PRN (message): the brackets of the message do not pair."""

    message: Tokens


@frozen
class SyntaxRefused:
    """HUH (message): the message with ERR before the first offending token."""

    message: Tokens


@frozen
class MapName:
    """MAP (name)."""

    name: str


@frozen
class MapDefinition:
    """MDF: powers, centres with their homes, other provinces, adjacencies."""

    map: Map


@frozen
class Hello:
    """HLO: the power (`None`: an observer), its passcode, and the options.

    An option without a number has `None`.
    """

    power: Power | None
    passcode: int
    options: tuple[tuple[HelloOption, int | None], ...]


@frozen
class Ownership:
    """SCO: who owns each centre; one that nobody owns is not in `owners`."""

    owners: Mapping[Province, Power]


@frozen
class CurrentPosition:
    """NOW: the turn and the units of *position*.

    NOW does not tell the owners of the centres: as read, there are none.
    """

    position: Position


@frozen
class OrderNoted:
    """THX: an order as it was sent, and the note on it."""

    as_sent: Tokens
    note: OrderNote


@frozen
class MissingUnits:
    """MIS in a movement turn: the units without an order (none: nothing missing)."""

    units: tuple[Unit, ...]


@frozen
class MissingRetreats:
    """MIS in a retreat turn: the units without an order, and where each may go."""

    retreats: Mapping[Unit, tuple[Location, ...]]


@frozen
class MissingAdjustments:
    """MIS (number): removals still due, or builds as a negative number."""

    number: int


@frozen
class OrderResulted:
    """ORD: what became of one order."""

    turn: Turn
    report: Report


@frozen
class TimeLeft:
    """TME (seconds)."""

    seconds: int


@frozen
class TimeStopped:
    """NOT (TME (seconds)): the deadline stands still."""

    seconds: int


@frozen
class InDisorder:
    """CCD (power)."""

    power: Power


@frozen
class BackInControl:
    """NOT (CCD (power))."""

    power: Power


@frozen
class Out:
    """OUT (power): an eliminated power gets no press."""

    power: Power


@frozen
class PressDelivered:
    """FRM: press from *sender*, with all its recipients."""

    sender: Power
    recipients: tuple[Power, ...]
    content: Tokens


@frozen
class Solo:
    """SLO (power)."""

    power: Power


@frozen
class DrawDeclared:
    """DRW; in a PDA game with the powers that share it."""

    powers: tuple[Power, ...] | None


@frozen
class PlayerSummary:
    """Who played a power, and how it ended; the year it lost its last centre."""

    power: Power
    name: str
    version: str
    centres: int
    eliminated: int | None


@frozen
class Summary:
    """SMR."""

    turn: Turn
    players: tuple[PlayerSummary, ...]


@frozen
class SaveGame:
    """SVE (name)."""

    name: str


@frozen
class LoadGame:
    """LOD (name)."""

    name: str


@frozen
class SwitchOff:
    """OFF."""


ServerMessage = (
    Accepted
    | Rejected
    | BracketsRefused
    | SyntaxRefused
    | MapName
    | MapDefinition
    | Hello
    | Ownership
    | CurrentPosition
    | OrderNoted
    | MissingUnits
    | MissingRetreats
    | MissingAdjustments
    | OrderResulted
    | TimeLeft
    | TimeStopped
    | InDisorder
    | BackInControl
    | Out
    | PressDelivered
    | Admin
    | Solo
    | DrawDeclared
    | Summary
    | SaveGame
    | LoadGame
    | SwitchOff
)
