"""The messages of the language, a frozen class for each.

`ClientMessage` is the union of what clients send, `ServerMessage` of what servers send.
A message that quotes another (YES, REJ, THX) has the quoted tokens unchanged. Comments
name the sections of the Message Syntax document.
"""

from collections.abc import Mapping

from attrs import Factory, field, frozen
from msgspec import Struct

from daide_server.board.map import Map, Position, Turn
from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.orders import Order
from daide_server.board.results import OrderNote, Report

from .commands import HelloOption
from .tokens import Tokens
from .vocabulary import Vocabulary, to_text

# --- Sent by clients -----------------------------------------------------------

# Joining


class Name(Struct, frozen=True):
    """NME: the client asks for a seat."""

    name: str
    version: str


class Observe(Struct, frozen=True):
    """OBS: the client asks to watch."""


class Rejoin(Struct, frozen=True):
    """IAM: the client asks for the seat of *power* that it lost."""

    power: Power
    passcode: int


class AcceptMap(Struct, frozen=True):
    """YES (MAP (name)): the client accepts the map."""

    name: str


class RefuseMap(Struct, frozen=True):
    """REJ (MAP (name)): the client does not play this map."""

    name: str


# Questions that any client may ask


class AskMap(Struct, frozen=True):
    """MAP: request the name of the map."""


class AskMapDefinition(Struct, frozen=True):
    """MDF: request the provinces, borders and centres of the map."""


class AskPosition(Struct, frozen=True):
    """NOW: request the current turn and all units."""


class AskOwnership(Struct, frozen=True):
    """SCO: request the owners of the supply centres."""


class AskHello(Struct, frozen=True):
    """HLO: request the client's power, its passcode and the game's options."""


class AskResults(Struct, frozen=True):
    """ORD: request the results of the last turn."""


class AskHistory(Struct, frozen=True):
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


class CancelOrders(Struct, frozen=True):
    """NOT (SUB): withdraw all orders of the current turn."""


class CancelOrder(Struct, frozen=True):
    """NOT (SUB (order)): withdraw one order."""

    order: Order


class AskMissing(Struct, frozen=True):
    """MIS: request the orders that are missing."""


class Go(Struct, frozen=True):
    """GOF: process the turn when all powers are ready."""


class Wait(Struct, frozen=True):
    """NOT (GOF): do not process the turn before the deadline."""


# Time, draws, press, administration


class AskTime(Struct, frozen=True):
    """TME: request the seconds left until the deadline."""


class RequestTime(Struct, frozen=True):
    """TME (seconds): request a TME that many seconds before each deadline."""

    seconds: int


class CancelTime(Struct, frozen=True):
    """NOT (TME (seconds)), or NOT (TME) for all requests (`None`)."""

    seconds: int | None


class VoteDraw(Struct, frozen=True):
    """DRW: a vote for a draw of `powers` (option PDA), or of all survivors (`None`)."""

    powers: tuple[Power, ...] | None


class WithdrawDraw(Struct, frozen=True):
    """NOT (DRW): withdraw the vote for the same powers."""

    powers: tuple[Power, ...] | None


class SendPress(Struct, frozen=True):
    """SND: press for `recipients`; the content is not interpreted."""

    turn: Turn | None
    recipients: tuple[Power, ...]
    content: Tokens


class Admin(Struct, frozen=True):
    """ADM: an administrative message to all; the server forwards the same message."""

    name: str
    text: str


class AnswerSave(Struct, frozen=True):
    """YES or REJ (SVE (name)): whether the client can load the game again."""

    name: str
    saved: bool


class RefuseLoad(Struct, frozen=True):
    """REJ (LOD (name)): the client cannot return to this saved game."""

    name: str


class Complaint(Struct, frozen=True):
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


class _Quoting(Struct, frozen=True):
    """An answer that quotes a message of a client; printed with the message as text.

    Names of powers and provinces are those of the standard board.
    """

    message: Tokens

    def __str__(self) -> str:
        """Return a text such as `Accepted('SND ( ENG ) ( PRP ( DRW ) )')`."""
        text = to_text(self.message, Vocabulary.standard())
        return f"{type(self).__name__}({text!r})"


class Accepted(_Quoting, frozen=True):
    """YES (message)."""


class Rejected(_Quoting, frozen=True):
    """REJ (message)."""


class BracketsRefused(_Quoting, frozen=True):
    """PRN (message): the brackets of the message are not paired."""


class SyntaxRefused(_Quoting, frozen=True):
    """HUH (message): the message with ERR before the first wrong token."""


Refusal = Rejected | BracketsRefused | SyntaxRefused


class MapName(Struct, frozen=True):
    """MAP (name): the map of the game."""

    name: str


class MapDefinition(Struct, frozen=True):
    """MDF: powers, centres with their homes, other provinces, adjacencies."""

    map: Map


class Hello(Struct, frozen=True):
    """HLO: the power (`None` for an observer), its passcode, and the game options.

    The value of an option without a number is `None`.
    """

    power: Power | None
    passcode: int
    options: tuple[tuple[HelloOption, int | None], ...]


class Ownership(Struct, frozen=True):
    """SCO: the owners of the centres; `owners` does not contain neutral ones."""

    owners: Mapping[Province, Power]


class CurrentPosition(Struct, frozen=True):
    """NOW: the turn and the units of `position`.

    NOW does not contain the owners of the centres: a position that was read has none.
    """

    position: Position


class OrderNoted(Struct, frozen=True, cache_hash=True):
    """THX: the tokens of an order as sent, and the note on it."""

    as_sent: Tokens
    note: OrderNote


class MissingUnits(Struct, frozen=True):
    """MIS in a movement phase: the units without an order, possibly none."""

    units: tuple[Unit, ...]


class MissingRetreats(Struct, frozen=True):
    """MIS in a retreat phase: the units without an order, and where each may go."""

    retreats: Mapping[Unit, tuple[Location, ...]]


class MissingAdjustments(Struct, frozen=True):
    """MIS (number): the removals still due; negative for builds."""

    number: int


Missing = MissingUnits | MissingRetreats | MissingAdjustments
"""The forms of MIS, one for each phase."""


class OrderResulted(Struct, frozen=True):
    """ORD: the result of one order."""

    turn: Turn
    report: Report


class TimeLeft(Struct, frozen=True):
    """TME (seconds): the time left until the deadline."""

    seconds: int


class TimeStopped(Struct, frozen=True):
    """NOT (TME (seconds)): the clock is stopped with that much time left."""

    seconds: int


class InDisorder(Struct, frozen=True):
    """CCD (power): the power's client has left; its units are in civil disorder."""

    power: Power


class BackInControl(Struct, frozen=True):
    """NOT (CCD (power)): the power is no longer in civil disorder."""

    power: Power


class Out(Struct, frozen=True):
    """OUT (power): press for an eliminated power is refused."""

    power: Power


class PressDelivered(Struct, frozen=True):
    """FRM: press from `sender`, with all its recipients."""

    sender: Power
    recipients: tuple[Power, ...]
    content: Tokens


class Solo(Struct, frozen=True):
    """SLO (power): the power has won alone."""

    power: Power


class DrawDeclared(Struct, frozen=True):
    """DRW; in a game with PDA, with the powers that share the draw."""

    powers: tuple[Power, ...] | None


class PlayerSummary(Struct, frozen=True):
    """The player of a power, its centres, and the year of its elimination, if any."""

    power: Power
    name: str
    version: str
    centres: int
    eliminated: int | None


class Summary(Struct, frozen=True):
    """SMR: the players of all powers, after the end of the game."""

    turn: Turn
    players: tuple[PlayerSummary, ...]


class SaveGame(Struct, frozen=True):
    """SVE (name): the server saves the game under this name."""

    name: str


class LoadGame(Struct, frozen=True):
    """LOD (name): the server loads this saved game; players return by IAM."""

    name: str


class SwitchOff(Struct, frozen=True):
    """OFF: the client must disconnect."""


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
