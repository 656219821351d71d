"""What may happen when: the stages of a game, and who may say what.

`ANSWERS` is the table "answer by client state", in its order, one column for
each `Standing`. `TRANSITIONS` lists which stage may follow which. Everything
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


class Standing(Enum):
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


class Answer(Enum):
    """What a message gets from a client of that standing."""

    HANDLE = "ok"
    REJECT = "REJ"
    IGNORE = "silent"

    __hash__ = object.__hash__


OK, REJ, NIL = Answer.HANDLE, Answer.REJECT, Answer.IGNORE

# fmt: off
ANSWERS: Final[Mapping[type[ClientMessage], tuple[Answer, ...]]] = {
    #                  fresh seated player elim. obs. afterwards  offered
    Name:             (OK,   REJ,   REJ,   REJ,  REJ, REJ,        REJ),
    Observe:          (OK,   REJ,   REJ,   REJ,  REJ, REJ,        REJ),
    Rejoin:           (OK,   REJ,   REJ,   REJ,  REJ, REJ,        OK),
    AskMap:           (OK,   OK,    OK,    OK,   OK,  OK,         OK),
    AskMapDefinition: (OK,   OK,    OK,    OK,   OK,  OK,         OK),
    AskOwnership:     (OK,   OK,    OK,    OK,   OK,  OK,         OK),
    AskPosition:      (OK,   OK,    OK,    OK,   OK,  OK,         OK),
    AskHello:         (OK,   REJ,   OK,    OK,   OK,  OK,         OK),
    AskHistory:       (OK,   REJ,   OK,    OK,   OK,  OK,         OK),
    AskResults:       (OK,   REJ,   OK,    OK,   OK,  OK,         OK),
    AcceptMap:        (NIL,  OK,    NIL,   NIL,  OK,  OK,         OK),
    RefuseMap:        (NIL,  OK,    NIL,   NIL,  OK,  OK,         OK),
    SubmitOrders:     (REJ,  REJ,   OK,    OK,   REJ, REJ,        REJ),
    CancelOrders:     (REJ,  REJ,   OK,    OK,   REJ, REJ,        REJ),
    CancelOrder:      (REJ,  REJ,   OK,    OK,   REJ, REJ,        REJ),
    AskMissing:       (REJ,  REJ,   OK,    OK,   REJ, REJ,        REJ),
    Go:               (REJ,  REJ,   OK,    OK,   REJ, REJ,        REJ),
    Wait:             (REJ,  REJ,   OK,    REJ,  REJ, REJ,        REJ),
    VoteDraw:         (REJ,  REJ,   OK,    REJ,  REJ, REJ,        REJ),
    WithdrawDraw:     (REJ,  REJ,   OK,    REJ,  REJ, REJ,        REJ),
    AskTime:          (OK,   OK,    OK,    OK,   OK,  REJ,        OK),
    RequestTime:      (OK,   OK,    OK,    OK,   OK,  REJ,        OK),
    CancelTime:       (OK,   OK,    OK,    OK,   OK,  OK,         OK),
    SendPress:        (REJ,  REJ,   OK,    REJ,  REJ, REJ,        REJ),
    Admin:            (OK,   OK,    OK,    OK,   OK,  OK,         OK),
    AnswerSave:       (NIL,  NIL,   NIL,   NIL,  NIL, NIL,        NIL),
    RefuseLoad:       (NIL,  NIL,   NIL,   NIL,  NIL, NIL,        OK),
    Complaint:        (NIL,  NIL,   NIL,   NIL,  NIL, NIL,        NIL),
}
# fmt: on
