"""What may happen when: the stages of a game, and who may say what.

`ANSWERS` is the table "answer by client state", in its order, one column for
each `ClientRole`. `TRANSITIONS` lists which stage may follow which. Everything
that depends on the state of a game and the role of a client is in these two.
"""

from collections.abc import Mapping
from enum import Enum, auto
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


class Stage(Enum):
    """Where a game is in its life."""

    FORMING = auto()
    """Seats are being taken."""
    PLAYING = auto()
    PAUSED = auto()
    """Playing, but the clock stands still until somebody returns."""
    ENDED = auto()
    """Over, but it still answers."""
    CLOSED = auto()

    __hash__ = object.__hash__


TRANSITIONS: Final[Mapping[Stage, frozenset[Stage]]] = {
    Stage.FORMING: frozenset({Stage.PLAYING}),
    Stage.PLAYING: frozenset({Stage.PAUSED, Stage.ENDED}),
    Stage.PAUSED: frozenset({Stage.PLAYING, Stage.ENDED}),
    Stage.ENDED: frozenset({Stage.CLOSED}),
    Stage.CLOSED: frozenset(),
}


class ClientRole(Enum):
    """What a client is to the game; the value is its column in `ANSWERS`."""

    FRESH = 0
    """No seat, and not observing."""
    SEATED = 1
    """A player before the start."""
    PLAYER = 2
    ELIMINATED = 3
    OBSERVER = 4
    AFTERWARDS = 5
    """Anybody who had joined, after the end."""
    OFFERED = 6
    """Came by NME to a loaded game, and has not answered LOD."""

    __hash__ = object.__hash__


class Handling(Enum):
    """How a game treats a message from a client in a role."""

    HANDLE = "ok"
    REJECT = "REJ"
    IGNORE = "silent"

    __hash__ = object.__hash__


_OK, _REJ, _NIL = Handling.HANDLE, Handling.REJECT, Handling.IGNORE

# fmt: off
ANSWERS: Final[Mapping[type[ClientMessage], tuple[Handling, ...]]] = {
    #                  fresh seat. player elim. obs. after offered
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
    AcceptMap:        (_NIL, _OK , _NIL, _NIL, _OK , _OK , _OK),
    RefuseMap:        (_NIL, _OK , _NIL, _NIL, _OK , _OK , _OK),
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
    Admin:            (_OK , _OK , _OK , _OK , _OK , _OK , _OK),
    AnswerSave:       (_NIL, _NIL, _NIL, _NIL, _NIL, _NIL, _NIL),
    RefuseLoad:       (_NIL, _NIL, _NIL, _NIL, _NIL, _NIL, _OK),
    Complaint:        (_NIL, _NIL, _NIL, _NIL, _NIL, _NIL, _NIL),
}
# fmt: on
