"""Who may send what, and which function takes it: the table "answer by client state".

One row for each message, one column for each `ClientRole`. The rows are compared with
our reading of DAIDE's documents (`tests/data/daide/answers.csv`). A strict server asks
`strict_refusal` first: Message Syntax, appendix, the column of levels, where OBS is any
client; Level 10, eliminated powers must not be named in press.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final, TypeVar

from msgspec import Struct

from daide_server.language.eliminated import eliminated_place
from daide_server.language.errors import GrammarError
from daide_server.language.messages import (
    AcceptMap,
    Admin,
    AnswerSave,
    AskHello,
    AskHistory,
    AskMap,
    AskMapDefinition,
    AskMissing,
    AskOwnership,
    AskPosition,
    AskResults,
    AskTime,
    CancelOrder,
    CancelOrders,
    CancelTime,
    ClientMessage,
    Complaint,
    Go,
    Name,
    Observe,
    RefuseLoad,
    RefuseMap,
    Rejoin,
    RequestTime,
    SendPress,
    SubmitOrders,
    SyntaxRefused,
    VoteDraw,
    Wait,
    WithdrawDraw,
)
from daide_server.language.tokens import Tokens

from . import answers, joining, playing, restarts
from .effects import Effect, Request
from .game_state import GameState

M = TypeVar("M", bound=ClientMessage)
Handler = Callable[[GameState, Request[Any]], list[Effect]]
"""Changes the state, and returns what must happen because of a message.

`Any`, because a mapping cannot say that each handler takes the message of its key;
`_row` has that checked, row by row.
"""


class Handling(Enum):
    """How a game treats a message from a client in a role."""

    HANDLE = "ok"
    REJECT = "REJ"
    IGNORE = "silent"


class Row(Struct, frozen=True):
    """What happens to one type of message."""

    handler: Handler | None
    """`None` if nobody may send it."""
    by_role: tuple[Handling, ...]


def _row(
    message: type[M],
    handler: Callable[[GameState, Request[M]], list[Effect]] | None,
    cells: str,
) -> tuple[type[object], Row]:
    words = {"ok": Handling.HANDLE, "REJ": Handling.REJECT, "-": Handling.IGNORE}
    return message, Row(handler, tuple(words[cell] for cell in cells.split()))


# fmt: off
ANSWERS: Final[Mapping[type[object], Row]] = dict((
    #                                         con join play elim obs post load
    _row(Name, joining.take_seat,            "ok  REJ REJ REJ REJ REJ REJ"),
    _row(Observe, joining.observe,           "ok  REJ REJ REJ REJ REJ REJ"),
    _row(Rejoin, joining.rejoin,             "ok  REJ REJ REJ REJ REJ ok"),
    _row(AskMap, answers.answer,             "ok  ok  ok  ok  ok  ok  ok"),
    _row(AskMapDefinition, answers.answer,   "ok  ok  ok  ok  ok  ok  ok"),
    _row(AskOwnership, answers.answer,       "ok  ok  ok  ok  ok  ok  ok"),
    _row(AskPosition, answers.answer,        "ok  ok  ok  ok  ok  ok  ok"),
    _row(AskHello, answers.answer,           "ok  REJ ok  ok  ok  ok  ok"),
    _row(AskHistory, answers.answer,         "ok  REJ ok  ok  ok  ok  ok"),
    _row(AskResults, answers.answer,         "ok  REJ ok  ok  ok  ok  ok"),
    _row(AcceptMap, joining.accept_map,      "-   ok  -   -   ok  ok  ok"),
    _row(RefuseMap, joining.refuse_map,      "-   ok  -   -   ok  ok  ok"),
    _row(SubmitOrders, playing.submit,       "REJ REJ ok  ok  REJ REJ REJ"),
    _row(CancelOrders, playing.cancel_all,   "REJ REJ ok  ok  REJ REJ REJ"),
    _row(CancelOrder, playing.cancel,        "REJ REJ ok  ok  REJ REJ REJ"),
    _row(AskMissing, answers.answer,         "REJ REJ ok  ok  REJ REJ REJ"),
    _row(Go, playing.go,                     "REJ REJ ok  ok  REJ REJ REJ"),
    _row(Wait, playing.wait,                 "REJ REJ ok  REJ REJ REJ REJ"),
    _row(VoteDraw, playing.vote,             "REJ REJ ok  REJ REJ REJ REJ"),
    _row(WithdrawDraw, playing.vote,         "REJ REJ ok  REJ REJ REJ REJ"),
    _row(AskTime, answers.answer,            "ok  ok  ok  ok  ok  REJ ok"),
    _row(RequestTime, playing.request_time,  "ok  ok  ok  ok  ok  REJ ok"),
    _row(CancelTime, playing.cancel_time,    "ok  ok  ok  ok  ok  ok  ok"),
    _row(SendPress, playing.send_press,      "REJ REJ ok  REJ REJ REJ REJ"),
    # ADM reaches everybody in the game, so it is for those who are in it.
    _row(Admin, playing.forward,             "REJ ok  ok  ok  ok  ok  REJ"),
    _row(AnswerSave, None,                   "-   -   -   -   -   -   -"),
    _row(RefuseLoad, restarts.refuse,        "-   -   -   -   -   -   ok"),
    _row(Complaint, None,                    "-   -   -   -   -   -   -"),
))
# fmt: on

SOMETIMES_IGNORED: Final = frozenset(
    message for message, row in ANSWERS.items() if Handling.IGNORE in row.by_role
)
"""The messages that some clients get no answer to."""

PLAYERS_ONLY: Final = (
    AskHello,
    AskResults,
    CancelOrder,
    CancelOrders,
    CancelTime,
    Wait,
    WithdrawDraw,
)
"""What the appendix allows to players only, though its prose lets anybody ask."""


def strict_refusal(
    state: GameState, request: Request[ClientMessage]
) -> SyntaxRefused | None:
    """Return the HUH that a strict server answers; `None` if nothing is wrong."""
    place = _fault_place(state, request)
    if place is None:
        return None
    reply = GrammarError(request.as_sent, place).reply
    assert isinstance(reply, SyntaxRefused)
    return reply


def _fault_place(state: GameState, request: Request[ClientMessage]) -> int | None:
    message = request.message
    if isinstance(message, SendPress):
        inside = _eliminated_place(state, message.content)
        # The press is the last part, before the close bracket.
        before = len(request.as_sent) - len(message.content) - 1
        return None if inside is None else before + inside
    is_player = state.seating.of(request.client) is not None
    return 0 if isinstance(message, PLAYERS_ONLY) and not is_player else None


def _eliminated_place(state: GameState, content: Tokens) -> int | None:
    if not state.has_started:
        return None
    tokens = state.vocabulary.power_tokens
    eliminated = {
        token for power, token in tokens.items() if power not in state.turn.survivors
    }
    return eliminated_place(content, eliminated)
