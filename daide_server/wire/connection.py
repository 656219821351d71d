"""The state machine of a connection, for the server's end and for the client's.

Sans I/O: bytes in, messages and bytes out; no sockets and no clock. Two tables say
which frame is allowed in which state, and which error code answers a wrong one. The
first error is answered with EM; everything received after it is ignored.
Client-Server Protocol, "Error Message".
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

from daide_server.language.tokens import Tokens

from .errors import ErrorCode, WireError
from .frames import (
    MAGIC,
    MAX_BODY_BYTES,
    TOKEN_SIZE,
    VERSION,
    Entries,
    ErrorMessage,
    FrameDecoder,
    FrameType,
    InitialMessage,
    RepresentationMessage,
    decode_entries,
    decode_initial,
    decode_tokens,
    encode,
    has_private_token,
)

DEFAULT_MAX_MESSAGE_BYTES: Final = 32758
"""Default limit for the bytes of a message from a client.

Answers quote a message and must stay below the 32 KiB that existing clients can read.
"""

INITIAL_SIZE: Final = 4
ENTRY_SIZE: Final = 6

SWAPPED_INITIAL_SIZE: Final = 0x0400
SWAPPED_MAGIC: Final = 0x10DA
"""Length and magic number in the initial message of a little-endian client."""


class ConnectionState(Enum):
    """Which frame a connection is waiting for."""

    AWAITING_IM = auto()
    AWAITING_RM = auto()
    OPEN = auto()
    CLOSED = auto()


# Looking up a member of an enum takes longer than a name of the module.
_OPEN: Final = ConnectionState.OPEN
_CLOSED: Final = ConnectionState.CLOSED
_DIPLOMACY: Final = int(FrameType.DIPLOMACY)

Reaction = ConnectionState | ErrorCode
"""The next state, or the error code that refuses the frame."""

Transitions = Mapping[ConnectionState, Mapping[int | None, Reaction]]
"""Reactions by state and frame type; `None` stands for every unknown type."""

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


class _Endpoint:
    """The behaviour that both ends of a connection share."""

    def __init__(
        self, transitions: Transitions, state: ConnectionState, largest_message: int
    ) -> None:
        self.fault: ErrorCode | None = None
        """The protocol violation of the peer that closed this connection, if any."""
        self.complaint: int | None = None
        """The code in the EM by which the peer closed this connection, if it did."""
        self._transitions: Final = transitions
        self._enter(state)
        self._largest_message: Final = largest_message
        self._decoder: Final = FrameDecoder(self._check)
        self.output = b""
        """What is to be sent to the peer, until it is taken."""

    def _enter(self, state: ConnectionState) -> None:
        self.state = state
        self._reactions = self._transitions.get(state, {})
        self._is_open = self._reactions.get(_DIPLOMACY) is _OPEN

    def receive(self, data: bytes) -> list[Tokens]:
        """Return the diplomacy messages that *data* completes.

        After a protocol violation, `fault` is set and `take_output` returns the EM;
        the messages before the violation are still returned.
        """
        messages: list[Tokens] = []
        if self.state is not _CLOSED:
            self._decoder.feed(data)
            try:
                self._take_messages(messages)
                self._take_rest(messages)
            except WireError as error:
                self._fail(error.code)
        return messages

    @property
    def unparsed(self) -> bytes:
        """Return what has been received of a frame that is not complete."""
        return self._decoder.unparsed

    def take_output(self) -> bytes:
        """Return the bytes to send to the peer, and clear them."""
        output, self.output = self.output, b""
        return output

    def _take_rest(self, messages: list[Tokens]) -> None:
        """Take what `_take_messages` left, and what follows; may raise `WireError`."""
        while frame := self._decoder.next():
            kind, body = frame
            if self.state is _CLOSED:
                if kind == FrameType.ERROR:
                    self.complaint = int.from_bytes(body, "big")
                return
            if kind == FrameType.DIPLOMACY:
                _add_message(messages, body)
            else:
                self._open(body)
                self._enter(ConnectionState.OPEN)
            self._take_messages(messages)

    def _take_messages(self, messages: list[Tokens]) -> None:
        """Add the messages that come one after the other, if they are allowed."""
        if self._is_open:
            messages += self._decoder.messages(self._largest_message)

    def _open(self, body: bytes) -> None:
        """Process the first frame of the peer, IM or RM; may raise `WireError`."""
        raise NotImplementedError

    def _check(self, kind: int, length: int) -> None:
        """Raise `WireError` for a frame of a forbidden type or a wrong length."""
        reaction = self._reactions.get(kind, self._reactions[None])
        if isinstance(reaction, ErrorCode):
            raise WireError(reaction)
        if reaction is ConnectionState.CLOSED:
            # FM and EM are never answered, even with a wrong length.
            self._enter(reaction)
        elif kind == FrameType.INITIAL and length == SWAPPED_INITIAL_SIZE:
            # Before the length check: the 1,024 bytes of this body never arrive.
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
        self._enter(ConnectionState.CLOSED)
        self.output += encode(ErrorMessage(code))


def _add_message(messages: list[Tokens], body: bytes) -> None:
    """Add the message that is the *body* of a frame; may raise `WireError`."""
    if has_private_token(body):
        raise WireError(ErrorCode.INVALID_TOKEN)
    messages.append(decode_tokens(body))


class Connection(_Endpoint):
    """The server's end of a connection to one client.

    A client may send diplomacy messages before it has received the RM; they are
    accepted, and the RM is the first output.
    """

    def __init__(
        self, representation: Entries, largest_message: int = DEFAULT_MAX_MESSAGE_BYTES
    ) -> None:
        super().__init__(SERVER_SIDE, ConnectionState.AWAITING_IM, largest_message)
        self._representation: Final = representation

    def time_out(self) -> None:
        """Close the connection with EM if the IM has not arrived in time."""
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
        self.output += encode(RepresentationMessage(self._representation))


class ClientConnection(_Endpoint):
    """The client's end of a connection to a server."""

    def __init__(self, largest_message: int = MAX_BODY_BYTES) -> None:
        super().__init__(CLIENT_SIDE, ConnectionState.AWAITING_RM, largest_message)
        self.representation: Entries | None = None
        """The contents of the RM, `None` until it has arrived."""
        self.output = encode(InitialMessage())

    def _open(self, body: bytes) -> None:
        self.representation = decode_entries(body)
