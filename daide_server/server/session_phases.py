"""The phases of a session: from the connection of a client to its close, as a table.

Client-Server Protocol: the timer of the initial message, FM and EM. What happens on
entering a phase is in `session.py`.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final


class SessionPhase(Enum):
    """How far the session of a client has come."""

    AWAITING_IM = auto()
    """Connected. The timer of the initial message runs."""
    AWAITING_JOIN = auto()
    """The representation (RM) is sent. The timer of joining runs."""
    AWAITING_MAP = auto()
    """Let in by NME or OBS, and asked for YES (MAP). The timer of the map runs."""
    JOINED = auto()
    """A player or an observer; no timer runs."""
    CLOSING = auto()
    """FM or EM is sent. What still comes is not read as messages."""
    CLOSED = auto()
    """Nothing more is sent or read."""


class SessionEvent(Enum):
    """What moves a session from one phase to another."""

    INITIAL_MESSAGE = auto()
    MAP_OFFERED = auto()
    """A game let the client in, and waits for YES (MAP)."""
    JOINED = auto()
    """The client accepted the map, or returned by IAM."""
    UNSEATED = auto()
    """The client refused the map: it belongs to no game."""
    TIMED_OUT = auto()
    FRAMING_FAULT = auto()
    """The client broke the framing; EM names the fault."""
    SERVER_FINISHED = auto()
    """The server has nothing more to say to the client (FM)."""
    PEER_FINISHED = auto()
    """The client sent FM or EM, ended its half of the connection or reset it."""
    FAILED = auto()
    """The client cannot be sent to, or the server failed at handling its messages."""


class Rank(Enum):
    """What a client is to a game, as far as its connection goes."""

    GUEST = auto()
    """An observer, or a stranger."""
    SEATED = auto()
    PLAYING = auto()
    """Has a seat in a running game."""


_AWAITING_IM, _AWAITING_JOIN, _AWAITING_MAP, _JOINED, _CLOSING, _CLOSED = SessionPhase

PHASES: Final[Mapping[SessionPhase, Mapping[SessionEvent, SessionPhase]]] = {
    SessionPhase.AWAITING_IM: {
        SessionEvent.INITIAL_MESSAGE: _AWAITING_JOIN,
        SessionEvent.MAP_OFFERED: _AWAITING_IM,
        SessionEvent.JOINED: _AWAITING_IM,
        SessionEvent.UNSEATED: _AWAITING_IM,
        SessionEvent.TIMED_OUT: _CLOSING,
        SessionEvent.FRAMING_FAULT: _CLOSING,
        SessionEvent.SERVER_FINISHED: _CLOSING,
        SessionEvent.PEER_FINISHED: _CLOSED,
        SessionEvent.FAILED: _CLOSED,
    },
    SessionPhase.AWAITING_JOIN: {
        SessionEvent.INITIAL_MESSAGE: _AWAITING_JOIN,
        SessionEvent.MAP_OFFERED: _AWAITING_MAP,
        SessionEvent.JOINED: _JOINED,
        SessionEvent.UNSEATED: _AWAITING_JOIN,
        SessionEvent.TIMED_OUT: _CLOSING,
        SessionEvent.FRAMING_FAULT: _CLOSING,
        SessionEvent.SERVER_FINISHED: _CLOSING,
        SessionEvent.PEER_FINISHED: _CLOSED,
        SessionEvent.FAILED: _CLOSED,
    },
    SessionPhase.AWAITING_MAP: {
        SessionEvent.INITIAL_MESSAGE: _AWAITING_MAP,
        SessionEvent.MAP_OFFERED: _AWAITING_MAP,
        SessionEvent.JOINED: _JOINED,
        SessionEvent.UNSEATED: _AWAITING_JOIN,
        SessionEvent.TIMED_OUT: _CLOSING,
        SessionEvent.FRAMING_FAULT: _CLOSING,
        SessionEvent.SERVER_FINISHED: _CLOSING,
        SessionEvent.PEER_FINISHED: _CLOSED,
        SessionEvent.FAILED: _CLOSED,
    },
    SessionPhase.JOINED: {
        SessionEvent.INITIAL_MESSAGE: _JOINED,
        SessionEvent.MAP_OFFERED: _JOINED,
        SessionEvent.JOINED: _JOINED,
        SessionEvent.UNSEATED: _AWAITING_JOIN,
        SessionEvent.TIMED_OUT: _JOINED,
        SessionEvent.FRAMING_FAULT: _CLOSING,
        SessionEvent.SERVER_FINISHED: _CLOSING,
        SessionEvent.PEER_FINISHED: _CLOSED,
        SessionEvent.FAILED: _CLOSED,
    },
    SessionPhase.CLOSING: {
        SessionEvent.INITIAL_MESSAGE: _CLOSING,
        SessionEvent.MAP_OFFERED: _CLOSING,
        SessionEvent.JOINED: _CLOSING,
        SessionEvent.UNSEATED: _CLOSING,
        SessionEvent.TIMED_OUT: _CLOSED,
        SessionEvent.FRAMING_FAULT: _CLOSING,
        SessionEvent.SERVER_FINISHED: _CLOSING,
        SessionEvent.PEER_FINISHED: _CLOSED,
        SessionEvent.FAILED: _CLOSED,
    },
    SessionPhase.CLOSED: dict.fromkeys(SessionEvent, _CLOSED),
}
"""The phase that follows each event, in each phase."""

READING_PHASES: Final = frozenset(
    {
        SessionPhase.AWAITING_IM,
        SessionPhase.AWAITING_JOIN,
        SessionPhase.AWAITING_MAP,
        SessionPhase.JOINED,
    }
)
"""In these the messages of the client are read."""

TIMED_OUT: Final = {
    SessionPhase.AWAITING_IM: "no initial message",
    SessionPhase.AWAITING_JOIN: "joined nothing",
    SessionPhase.AWAITING_MAP: "did not answer MAP",
}
"""Why a client is closed whose time in a phase is over."""
