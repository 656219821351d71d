"""Who may send what: the table "answer by client state".

One row for each message, one column for each `ClientRole`. The rows are compared with
our reading of DAIDE's documents (`tests/data/daide/answers.csv`).
"""

from collections.abc import Mapping
from enum import Enum, IntEnum
from typing import Final

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
    VoteDraw,
    Wait,
    WithdrawDraw,
)


class ClientRole(IntEnum):
    """What a client is to the game; the value is its column in `ANSWERS`."""

    CONNECTED = 0
    """Not joined: no seat, and not observing."""
    JOINED = 1
    """Has a seat; the game has not begun."""
    PLAYER = 2
    ELIMINATED = 3
    OBSERVER = 4
    POST_GAME = 5
    """Had joined a game that is over."""
    LOAD_PENDING = 6
    """Sent NME to a loaded game, and has not answered LOD."""


class Handling(Enum):
    """How a game treats a message from a client in a role."""

    HANDLE = "ok"
    REJECT = "REJ"
    IGNORE = "silent"


_OK, _REJ, _IGN = Handling.HANDLE, Handling.REJECT, Handling.IGNORE

# fmt: off
ANSWERS: Final[Mapping[type[ClientMessage], tuple[Handling, ...]]] = {
    #                  conn. joined player elim. obs. post load
    Name:             (_OK , _REJ, _REJ, _REJ, _REJ, _REJ, _REJ),
    Observe:          (_OK , _REJ, _REJ, _REJ, _REJ, _REJ, _REJ),
    Rejoin:           (_OK , _REJ, _REJ, _REJ, _REJ, _REJ, _OK),
    AskMap:           (_OK , _OK , _OK , _OK , _OK , _OK , _OK),
    AskMapDefinition: (_OK , _OK , _OK , _OK , _OK , _OK , _OK),
    AskOwnership:     (_OK , _OK , _OK , _OK , _OK , _OK , _OK),
    AskPosition:      (_OK , _OK , _OK , _OK , _OK , _OK , _OK),
    AskHello:         (_OK , _REJ, _OK , _OK , _OK , _OK , _OK),
    AskHistory:       (_OK , _REJ, _OK , _OK , _OK , _OK , _OK),
    AskResults:       (_OK , _REJ, _OK , _OK , _OK , _OK , _OK),
    AcceptMap:        (_IGN, _OK , _IGN, _IGN, _OK , _OK , _OK),
    RefuseMap:        (_IGN, _OK , _IGN, _IGN, _OK , _OK , _OK),
    SubmitOrders:     (_REJ, _REJ, _OK , _OK , _REJ, _REJ, _REJ),
    CancelOrders:     (_REJ, _REJ, _OK , _OK , _REJ, _REJ, _REJ),
    CancelOrder:      (_REJ, _REJ, _OK , _OK , _REJ, _REJ, _REJ),
    AskMissing:       (_REJ, _REJ, _OK , _OK , _REJ, _REJ, _REJ),
    Go:               (_REJ, _REJ, _OK , _OK , _REJ, _REJ, _REJ),
    Wait:             (_REJ, _REJ, _OK , _REJ, _REJ, _REJ, _REJ),
    VoteDraw:         (_REJ, _REJ, _OK , _REJ, _REJ, _REJ, _REJ),
    WithdrawDraw:     (_REJ, _REJ, _OK , _REJ, _REJ, _REJ, _REJ),
    AskTime:          (_OK , _OK , _OK , _OK , _OK , _REJ, _OK),
    RequestTime:      (_OK , _OK , _OK , _OK , _OK , _REJ, _OK),
    CancelTime:       (_OK , _OK , _OK , _OK , _OK , _OK , _OK),
    SendPress:        (_REJ, _REJ, _OK , _REJ, _REJ, _REJ, _REJ),
    # ADM reaches everybody in the game, so it is for those who are in it.
    Admin:            (_REJ, _OK , _OK , _OK , _OK , _OK , _REJ),
    AnswerSave:       (_IGN, _IGN, _IGN, _IGN, _IGN, _IGN, _IGN),
    RefuseLoad:       (_IGN, _IGN, _IGN, _IGN, _IGN, _IGN, _OK),
    Complaint:        (_IGN, _IGN, _IGN, _IGN, _IGN, _IGN, _IGN),
}
# fmt: on

SOMETIMES_IGNORED: Final = frozenset(
    message for message, row in ANSWERS.items() if Handling.IGNORE in row
)
"""The messages that some clients get no answer to."""
