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

from daide_server.language import messages as said
from daide_server.language.press_grammar import eliminated_place
from daide_server.language.tokens import Tokens
from daide_server.language.translation import GrammarError

from . import answers, joining, playing, restarts
from .effects import Effect, Request
from .game_state import GameState

M = TypeVar("M", bound=said.ClientMessage)
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
    _row(said.Name, joining.take_seat,            "ok  REJ REJ REJ REJ REJ REJ"),
    _row(said.Observe, joining.observe,           "ok  REJ REJ REJ REJ REJ REJ"),
    _row(said.Rejoin, joining.rejoin,             "ok  REJ REJ REJ REJ REJ ok"),
    _row(said.AskMap, answers.answer,             "ok  ok  ok  ok  ok  ok  ok"),
    _row(said.AskMapDefinition, answers.answer,   "ok  ok  ok  ok  ok  ok  ok"),
    _row(said.AskOwnership, answers.answer,       "ok  ok  ok  ok  ok  ok  ok"),
    _row(said.AskPosition, answers.answer,        "ok  ok  ok  ok  ok  ok  ok"),
    _row(said.AskHello, answers.answer,           "ok  REJ ok  ok  ok  ok  ok"),
    _row(said.AskHistory, answers.answer,         "ok  REJ ok  ok  ok  ok  ok"),
    _row(said.AskResults, answers.answer,         "ok  REJ ok  ok  ok  ok  ok"),
    _row(said.AcceptMap, joining.accept_map,      "-   ok  -   -   ok  ok  ok"),
    _row(said.RefuseMap, joining.refuse_map,      "-   ok  -   -   ok  ok  ok"),
    _row(said.SubmitOrders, playing.submit,       "REJ REJ ok  ok  REJ REJ REJ"),
    _row(said.CancelOrders, playing.cancel_all,   "REJ REJ ok  ok  REJ REJ REJ"),
    _row(said.CancelOrder, playing.cancel,        "REJ REJ ok  ok  REJ REJ REJ"),
    _row(said.AskMissing, answers.answer,         "REJ REJ ok  ok  REJ REJ REJ"),
    _row(said.Go, playing.go,                     "REJ REJ ok  ok  REJ REJ REJ"),
    _row(said.Wait, playing.wait,                 "REJ REJ ok  REJ REJ REJ REJ"),
    _row(said.VoteDraw, playing.vote,             "REJ REJ ok  REJ REJ REJ REJ"),
    _row(said.WithdrawDraw, playing.vote,         "REJ REJ ok  REJ REJ REJ REJ"),
    _row(said.AskTime, answers.answer,            "ok  ok  ok  ok  ok  REJ ok"),
    _row(said.RequestTime, playing.request_time,  "ok  ok  ok  ok  ok  REJ ok"),
    _row(said.CancelTime, playing.cancel_time,    "ok  ok  ok  ok  ok  ok  ok"),
    _row(said.SendPress, playing.send_press,      "REJ REJ ok  REJ REJ REJ REJ"),
    # ADM reaches everybody in the game, so it is for those who are in it.
    _row(said.Admin, playing.forward,             "REJ ok  ok  ok  ok  ok  REJ"),
    _row(said.AnswerSave, None,                   "-   -   -   -   -   -   -"),
    _row(said.RefuseLoad, restarts.refuse,        "-   -   -   -   -   -   ok"),
    _row(said.Complaint, None,                    "-   -   -   -   -   -   -"),
))
# fmt: on

SOMETIMES_IGNORED: Final = frozenset(
    message for message, row in ANSWERS.items() if Handling.IGNORE in row.by_role
)
"""The messages that some clients get no answer to."""

PLAYERS_ONLY: Final = (
    said.AskHello,
    said.AskResults,
    said.CancelOrder,
    said.CancelOrders,
    said.CancelTime,
    said.Wait,
    said.WithdrawDraw,
)
"""What the appendix allows to players only, though its prose lets anybody ask."""


def strict_refusal(
    state: GameState, request: Request[said.ClientMessage]
) -> said.SyntaxRefused | None:
    """Return the HUH that a strict server answers; `None` if nothing is wrong."""
    place = _fault_place(state, request)
    if place is None:
        return None
    reply = GrammarError(request.as_sent, place).reply
    assert isinstance(reply, said.SyntaxRefused)
    return reply


def _fault_place(state: GameState, request: Request[said.ClientMessage]) -> int | None:
    message = request.message
    if isinstance(message, said.SendPress):
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
