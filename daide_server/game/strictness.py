"""Messages that only a strict server refuses, by their sender or the stage.

Message Syntax, appendix: the column of levels, where OBS is any client; Level 10:
eliminated powers must not be named in press.
"""

from typing import Final

from daide_server.language.eliminated import eliminated_place
from daide_server.language.errors import GrammarError
from daide_server.language.messages import (
    AskHello,
    AskResults,
    CancelOrder,
    CancelOrders,
    CancelTime,
    ClientMessage,
    SendPress,
    SyntaxRefused,
    Wait,
    WithdrawDraw,
)
from daide_server.language.tokens import Tokens

from .game_state import GameState
from .request import Request

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


def refusal(state: GameState, request: Request[ClientMessage]) -> SyntaxRefused | None:
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
