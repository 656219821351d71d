"""The messages of the language, a frozen class for each.

`ClientMessage` is the union of what clients send, `ServerMessage` of what servers send.
A message that quotes another (YES, REJ, THX) has the quoted tokens unchanged. Comments
name the sections of the Message Syntax document.
"""

from collections.abc import Mapping

from attrs import Factory, field
from msgspec import Struct

from daide_server.board.map import Map
from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.orders import Order
from daide_server.board.position import Position
from daide_server.board.results import OrderNote, Report
from daide_server.board.turns import Turn
from daide_server.classes import frozen

from .hello_options import HelloOption
from .tokens import Tokens

# --- Sent by clients -----------------------------------------------------------

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
    """HST: the history of a turn, or of the start (`None`, an old form of AiServer)."""

    turn: Turn | None


# Orders


@frozen
class SubmittedOrder:
    """An order and its tokens as sent, brackets excluded."""

    order: Order
    as_sent: Tokens
    accepted: "OrderNoted" = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(
            lambda self: OrderNoted(self.as_sent, OrderNote.OK), takes_self=True
        ),
    )
    """Its THX if it is accepted: the same object when a reader knows the order."""


class SubmitOrders(Struct, frozen=True):
    """SUB: orders for the current turn, which must be `turn` if that is given."""

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
    """GOF: process the turn when all powers are ready."""


@frozen
class Wait:
    """NOT (GOF): do not process the turn before the deadline."""


# Time, draws, press, administration


@frozen
class AskTime:
    """TME."""


@frozen
class RequestTime:
    """TME (seconds): request a TME that many seconds before each deadline."""

    seconds: int


@frozen
class CancelTime:
    """NOT (TME (seconds)), or NOT (TME) for all requests (`None`)."""

    seconds: int | None


@frozen
class VoteDraw:
    """DRW: a vote for a draw of `powers` (option PDA), or of all survivors (`None`)."""

    powers: tuple[Power, ...] | None


@frozen
class WithdrawDraw:
    """NOT (DRW): withdraw the vote for the same powers."""

    powers: tuple[Power, ...] | None


class SendPress(Struct, frozen=True):
    """SND: press for `recipients`; the content is not interpreted."""

    turn: Turn | None
    recipients: tuple[Power, ...]
    content: Tokens


@frozen
class Admin:
    """ADM: an administrative message to all; the server forwards the same message."""

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
    """PRN or HUH: the client could not read a message of the server. Never answered."""

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


# --- Sent by servers --------------------------------------------------------


class Accepted(Struct, frozen=True):
    """YES (message)."""

    message: Tokens


@frozen
class Rejected:
    """REJ (message)."""

    message: Tokens


@frozen
class BracketsRefused:
    """PRN (message): the brackets of the message are not paired."""

    message: Tokens


@frozen
class SyntaxRefused:
    """HUH (message): the message with ERR before the first wrong token."""

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
    """HLO: the power (`None` for an observer), its passcode, and the game options.

    The value of an option without a number is `None`.
    """

    power: Power | None
    passcode: int
    options: tuple[tuple[HelloOption, int | None], ...]


@frozen
class Ownership:
    """SCO: the owners of the centres; `owners` does not contain neutral ones."""

    owners: Mapping[Province, Power]


@frozen
class CurrentPosition:
    """NOW: the turn and the units of `position`.

    NOW does not contain the owners of the centres: a position that was read has none.
    """

    position: Position


@frozen
class OrderNoted:
    """THX: the tokens of an order as sent, and the note on it."""

    as_sent: Tokens
    note: OrderNote


@frozen
class MissingUnits:
    """MIS in a movement phase: the units without an order, possibly none."""

    units: tuple[Unit, ...]


@frozen
class MissingRetreats:
    """MIS in a retreat phase: the units without an order, and where each may go."""

    retreats: Mapping[Unit, tuple[Location, ...]]


@frozen
class MissingAdjustments:
    """MIS (number): the removals still due; negative for builds."""

    number: int


class OrderResulted(Struct, frozen=True):
    """ORD: the result of one order."""

    turn: Turn
    report: Report


@frozen
class TimeLeft:
    """TME (seconds)."""

    seconds: int


@frozen
class TimeStopped:
    """NOT (TME (seconds)): the clock is stopped with that much time left."""

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
    """OUT (power): press for an eliminated power is refused."""

    power: Power


class PressDelivered(Struct, frozen=True):
    """FRM: press from `sender`, with all its recipients."""

    sender: Power
    recipients: tuple[Power, ...]
    content: Tokens


@frozen
class Solo:
    """SLO (power)."""

    power: Power


@frozen
class DrawDeclared:
    """DRW; in a game with PDA, with the powers that share the draw."""

    powers: tuple[Power, ...] | None


@frozen
class PlayerSummary:
    """Who played a power, its centres, and the year of its elimination, if any."""

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
