"""One connection, seen from either end: bytes in, messages and bytes out.

No sockets and no clock. Which frame may arrive when, and what a wrong one is
answered with, are tables; a fault is answered once, with EM, and after that
whatever arrives is ignored. Client-Server Protocol, "Error Message".
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

from daide_server.language.tokens import Tokens

from .errors import ErrorCode, WireError
from .frames import (
    LARGEST_BODY,
    MAGIC,
    TOKEN_SIZE,
    VERSION,
    Entries,
    ErrorMessage,
    FrameDecoder,
    FrameType,
    InitialMessage,
    Representation,
    decode_entries,
    decode_initial,
    decode_tokens,
    encode,
    has_private_token,
)

LARGEST_MESSAGE: Final = 32758
"""The bytes of the longest message that can be quoted in answers clients can read."""

INITIAL_SIZE: Final = 4
ENTRY_SIZE: Final = 6

SWAPPED_INITIAL_SIZE: Final = 0x0400
SWAPPED_MAGIC: Final = 0x10DA
"""How the initial message of a little-endian client reads."""


class ConnectionState(Enum):
    """How far a connection has come."""

    AWAITING_IM = auto()
    AWAITING_RM = auto()
    OPEN = auto()
    CLOSED = auto()


Reaction = ConnectionState | ErrorCode
"""Where a frame leads, or why it is refused."""

Transitions = Mapping[ConnectionState, Mapping[int | None, Reaction]]
"""By state and type of frame; `None` is a type that the protocol does not know."""

SERVER_SIDE: Final[Transitions] = {
    ConnectionState.AWAITING_IM: {
        FrameType.INITIAL: ConnectionState.OPEN,
        FrameType.REPRESENTATION: ErrorCode.INITIAL_MESSAGE_NOT_FIRST,
        FrameType.DIPLOMACY: ErrorCode.INITIAL_MESSAGE_NOT_FIRST,
        FrameType.FINAL: ConnectionState.CLOSED,
        FrameType.ERROR: ConnectionState.CLOSED,
        None: ErrorCode.INITIAL_MESSAGE_NOT_FIRST,
    },
    ConnectionState.OPEN: {
        FrameType.INITIAL: ErrorCode.SECOND_INITIAL_MESSAGE,
        FrameType.REPRESENTATION: ErrorCode.REPRESENTATION_BY_CLIENT,
        FrameType.DIPLOMACY: ConnectionState.OPEN,
        FrameType.FINAL: ConnectionState.CLOSED,
        FrameType.ERROR: ConnectionState.CLOSED,
        None: ErrorCode.UNKNOWN_MESSAGE_TYPE,
    },
}

CLIENT_SIDE: Final[Transitions] = {
    ConnectionState.AWAITING_RM: {
        FrameType.INITIAL: ErrorCode.INITIAL_MESSAGE_BY_SERVER,
        FrameType.REPRESENTATION: ConnectionState.OPEN,
        FrameType.DIPLOMACY: ErrorCode.DIPLOMACY_BEFORE_REPRESENTATION,
        FrameType.FINAL: ConnectionState.CLOSED,
        FrameType.ERROR: ConnectionState.CLOSED,
        None: ErrorCode.REPRESENTATION_NOT_FIRST,
    },
    ConnectionState.OPEN: {
        FrameType.INITIAL: ErrorCode.INITIAL_MESSAGE_BY_SERVER,
        FrameType.REPRESENTATION: ErrorCode.SECOND_REPRESENTATION,
        FrameType.DIPLOMACY: ConnectionState.OPEN,
        FrameType.FINAL: ConnectionState.CLOSED,
        FrameType.ERROR: ConnectionState.CLOSED,
        None: ErrorCode.UNKNOWN_MESSAGE_TYPE,
    },
}


class _End:
    """One end of a connection: what both ends have in common."""

    def __init__(
        self, transitions: Transitions, state: ConnectionState, largest_message: int
    ) -> None:
        self.state = state
        self.fault: ErrorCode | None = None
        """Why this end has closed the connection, if the other end broke a rule."""
        self._transitions: Final = transitions
        self._largest_message: Final = largest_message
        self._decoder: Final = FrameDecoder(self._check)
        self._output = b""

    def receive(self, data: bytes) -> list[Tokens]:
        """Return the diplomacy messages that *data* completes.

        Those before a fault are among them.
        """
        messages: list[Tokens] = []
        if self.state is not ConnectionState.CLOSED:
            self._decoder.feed(data)
            try:
                self._take_frames(messages)
            except WireError as error:
                self._fail(error.code)
        return messages

    def take_output(self) -> bytes:
        """Return the bytes that must be sent to the other end, once."""
        output, self._output = self._output, b""
        return output

    def _take_frames(self, messages: list[Tokens]) -> None:
        while frame := self._decoder.next():
            if self.state is ConnectionState.CLOSED:
                return
            kind, body = frame
            if kind == FrameType.DIPLOMACY:
                if has_private_token(body):
                    raise WireError(ErrorCode.INVALID_TOKEN)
                messages.append(decode_tokens(body))
            else:
                self._open(body)
                self.state = ConnectionState.OPEN

    def _open(self, body: bytes) -> None:
        """Take the frame that the other end must send first."""
        raise NotImplementedError

    def _check(self, kind: int, length: int) -> None:
        """Refuse a frame that may not arrive now, or is not as long as it must be."""
        reactions = self._transitions[self.state]
        reaction = reactions.get(kind, reactions[None])
        if isinstance(reaction, ErrorCode):
            raise WireError(reaction)
        if reaction is ConnectionState.CLOSED:
            # FM and EM are never answered, not even malformed ones.
            self.state = reaction
        elif kind == FrameType.INITIAL and length == SWAPPED_INITIAL_SIZE:
            # Must come before the length: the body of such a frame never comes.
            raise WireError(ErrorCode.WRONG_BYTE_ORDER)
        elif not self._fits(kind, length):
            raise WireError(ErrorCode.WRONG_LENGTH)

    def _fits(self, kind: int, length: int) -> bool:
        if kind == FrameType.INITIAL:
            return length == INITIAL_SIZE
        if kind == FrameType.REPRESENTATION:
            return length % ENTRY_SIZE == 0
        return 0 < length <= self._largest_message and length % TOKEN_SIZE == 0

    def _fail(self, code: ErrorCode) -> None:
        self.fault = code
        self.state = ConnectionState.CLOSED
        self._output += encode(ErrorMessage(code))


class Connection(_End):
    """The server's end of a connection to one client.

    A client may speak before it has seen the RM; its messages come out all the
    same, after the RM has been put out.
    """

    def __init__(
        self, representation: Entries, largest_message: int = LARGEST_MESSAGE
    ) -> None:
        super().__init__(SERVER_SIDE, ConnectionState.AWAITING_IM, largest_message)
        self._representation: Final = representation

    def time_out(self) -> None:
        """Close the connection if no initial message has come."""
        if self.state is ConnectionState.AWAITING_IM:
            self._fail(ErrorCode.INITIAL_MESSAGE_TIMER)

    def _open(self, body: bytes) -> None:
        initial = decode_initial(body)
        if initial.magic == SWAPPED_MAGIC:
            raise WireError(ErrorCode.WRONG_BYTE_ORDER)
        if initial.magic != MAGIC:
            raise WireError(ErrorCode.WRONG_MAGIC_NUMBER)
        if initial.version != VERSION:
            raise WireError(ErrorCode.WRONG_VERSION)
        self._output += encode(Representation(self._representation))


class ClientConnection(_End):
    """The client's end of a connection to a server."""

    def __init__(self, largest_message: int = LARGEST_BODY) -> None:
        super().__init__(CLIENT_SIDE, ConnectionState.AWAITING_RM, largest_message)
        self.representation: Entries | None = None
        """What the server calls powers and provinces, once it has said so."""
        self._output = encode(InitialMessage())

    def _open(self, body: bytes) -> None:
        self.representation = decode_entries(body)
