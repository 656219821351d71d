"""Frames, and the state machine of a connection, for the server's and a client's end.

A frame is a header of four bytes (type, padding, length of the body) and a body. All
numbers are big-endian. The padding is ignored on receipt, because real clients send
garbage there. Two tables say which frame is allowed in which state, and which error
code answers a wrong one. The first error is answered with EM; everything received after
it is ignored. Client-Server Protocol, "Message Header", "Error Message".
"""

import re
import struct
from collections.abc import Callable, Mapping
from enum import Enum, IntEnum, auto
from typing import Any, Final

from .tokens import Token, Tokens

HEADER = struct.Struct(">BxH")
"""Type, padding, length of the body."""
HEADER_SIZE = HEADER.size
TOKEN_SIZE = 2
"""Bytes of the header, and of one token."""
VERSION = 1
MAGIC = 0xDA10
MAX_BODY_BYTES = 65534
"""The largest even number that fits the length field of the header."""

_INITIAL = struct.Struct(">HH")
_ENTRY = struct.Struct(">H3sx")
_PRIVATE = re.compile(rb"[\x58-\x5F]")
"""Token categories 0x58 to 0x5F, reserved for internal use by a program."""

Entries = tuple[tuple[Token, str], ...]


class FrameType(IntEnum):
    """The message type, the first byte of the header."""

    INITIAL = 0
    REPRESENTATION = 1
    DIPLOMACY = 2
    FINAL = 3
    ERROR = 4


class ErrorCode(IntEnum):
    """The error code in an Error Message."""

    INITIAL_MESSAGE_TIMER = 0x01
    INITIAL_MESSAGE_NOT_FIRST = 0x02
    WRONG_BYTE_ORDER = 0x03
    WRONG_MAGIC_NUMBER = 0x04
    WRONG_VERSION = 0x05
    SECOND_INITIAL_MESSAGE = 0x06
    INITIAL_MESSAGE_BY_SERVER = 0x07
    UNKNOWN_MESSAGE_TYPE = 0x08
    WRONG_LENGTH = 0x09
    DIPLOMACY_BEFORE_REPRESENTATION = 0x0A
    REPRESENTATION_NOT_FIRST = 0x0B
    SECOND_REPRESENTATION = 0x0C
    REPRESENTATION_BY_CLIENT = 0x0D
    INVALID_TOKEN = 0x0E


class WireError(Exception):
    """The peer violated the protocol; answer with an Error Message of *code*."""

    def __init__(self, code: ErrorCode) -> None:
        super().__init__(f"0x{code:02X} {code.name}")
        self.code = code


def error_text(code: int) -> str:
    """Return the text of an EM: its code, and the name of the error."""
    name = ErrorCode(code).name.lower() if code in list(ErrorCode) else ""
    return f"EM 0x{code:02X} {name}".rstrip()


def _framed(kind: FrameType, body: bytes) -> bytes:
    return HEADER.pack(kind, len(body)) + body


INITIAL_MESSAGE = _framed(FrameType.INITIAL, _INITIAL.pack(VERSION, MAGIC))
"""IM: the first message of a client."""
FINAL_MESSAGE = _framed(FrameType.FINAL, b"")
"""FM: the sender closes the connection normally."""


def representation_message(entries: Entries) -> bytes:
    """Return the RM of power and province names; empty for the standard map."""
    body = b"".join(_ENTRY.pack(token, name.encode()) for token, name in entries)
    return _framed(FrameType.REPRESENTATION, body)


def error_message(code: int) -> bytes:
    """Return the EM by which the sender closes the connection, see `ErrorCode`."""
    return _framed(FrameType.ERROR, code.to_bytes(2, "big"))


def encode_tokens(tokens: Tokens) -> bytes:
    """Return the bytes of a diplomacy message with *tokens*."""
    return _framed(FrameType.DIPLOMACY, struct.pack(f">{len(tokens)}H", *tokens))


def decode_tokens(body: bytes) -> Tokens:
    """Return the tokens in the body of a diplomacy message."""
    tokens: Any = struct.unpack(f">{len(body) // TOKEN_SIZE}H", body)
    # A cast would be a call.
    return tokens  # type: ignore[no-any-return]


def decode_initial(body: bytes) -> tuple[int, int]:
    """Return version and magic number in the body, of four bytes, of an IM."""
    version, magic = _INITIAL.unpack(body)
    return version, magic


def decode_entries(body: bytes) -> Entries:
    """Return the tokens and names in the body of a representation message."""
    return tuple(
        (Token(token), name.rstrip(b"\0").decode("latin-1"))
        for token, name in _ENTRY.iter_unpack(body)
    )


def has_private_token(body: bytes) -> bool:
    """Return whether *body* contains a token of the categories 0x58 to 0x5F."""
    return _PRIVATE.search(body[::TOKEN_SIZE]) is not None


class FrameDecoder:
    """Splits a byte stream into frames.

    *check* is called with type and body length of each frame as soon as its header is
    complete; it may raise an exception.
    """

    def __init__(self, check: Callable[[int, int], None]) -> None:
        self._check = check
        self._buffer = b""
        self._start = 0
        self._header: tuple[int, int] | None = None

    def feed(self, data: bytes) -> None:
        """Append *data*, received from the peer, to the buffer."""
        rest = self._buffer[self._start :]
        self._buffer = rest + data if rest else data
        self._start = 0

    @property
    def unparsed(self) -> bytes:
        """Return the bytes that have been fed but not returned."""
        return self._buffer[self._start :]

    def next(self) -> tuple[int, bytes] | None:
        """Return type and body of the next frame, or `None` while it is incomplete."""
        buffer, header = self._buffer, self._header
        body = self._start + HEADER_SIZE
        if header is None:
            if len(buffer) < body:
                return None
            self._header = header = HEADER.unpack_from(buffer, self._start)
            self._check(*header)
        kind, length = header
        end = body + length
        if len(buffer) < end:
            return None
        self._header, self._start = None, end
        return kind, buffer[body:end]


# A connection

MAX_MESSAGE_BYTES = 32758
"""The largest message from a client: answers quote it and must stay below the 32 KiB
that existing clients can read."""

SWAPPED_INITIAL_SIZE = 0x0400
SWAPPED_MAGIC = 0x10DA
"""Length and magic number in the initial message of a little-endian client."""


class ConnectionState(Enum):
    """Which frame a connection is waiting for."""

    AWAITING_IM = auto()
    AWAITING_RM = auto()
    OPEN = auto()
    CLOSED = auto()


Transitions = Mapping[ConnectionState, Mapping[int | None, ConnectionState | ErrorCode]]
"""The next state, or the error code that refuses the frame, by state and frame type;
`None` stands for every other type."""

SERVER_SIDE: Transitions = {
    ConnectionState.AWAITING_IM: {
        FrameType.INITIAL: ConnectionState.OPEN,
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

CLIENT_SIDE: Transitions = {
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
        """The code in the EM of the peer, if it sent one."""
        self._transitions: Final = transitions
        self._enter(state)
        self._largest_message: Final = largest_message
        self.decoder: Final = FrameDecoder(self._check)
        self.output = b""

    def _enter(self, state: ConnectionState) -> None:
        self.state = state
        self._reactions = self._transitions.get(state, {})

    def receive(self, data: bytes) -> list[Tokens]:
        """Return the diplomacy messages that *data* completes, up to a violation.

        After one, `fault` is set and `take_output` returns the EM.
        """
        messages: list[Tokens] = []
        if self.state is not ConnectionState.CLOSED:
            self.decoder.feed(data)
        try:
            # Nothing is read after FM, EM or a protocol violation.
            while self.state is not ConnectionState.CLOSED:
                frame = self.decoder.next()
                if frame is None:
                    break
                self._take(*frame, messages)
        except WireError as error:
            self._fail(error.code)
        return messages

    def take_output(self) -> bytes:
        """Return the bytes to send to the peer, and clear them."""
        output, self.output = self.output, b""
        return output

    def _take(self, kind: int, body: bytes, messages: list[Tokens]) -> None:
        """Process a frame that `_check` has allowed; may raise `WireError`."""
        if kind == FrameType.DIPLOMACY:
            if has_private_token(body):
                raise WireError(ErrorCode.INVALID_TOKEN)
            messages.append(decode_tokens(body))
        elif kind == FrameType.ERROR:
            self.complaint = int.from_bytes(body, "big")
        elif kind != FrameType.FINAL:
            self._open(body)
            self._enter(ConnectionState.OPEN)

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
            return length == _INITIAL.size
        if kind == FrameType.REPRESENTATION:
            return length % _ENTRY.size == 0
        return 0 < length <= self._largest_message and length % TOKEN_SIZE == 0

    def _fail(self, code: ErrorCode) -> None:
        self.fault = code
        self._enter(ConnectionState.CLOSED)
        self.output += error_message(code)


class Connection(_Endpoint):
    """The server's end of a connection to one client.

    A client may send diplomacy messages before it has received the RM; they are
    accepted, and the RM is the first output.
    """

    def __init__(self, representation: Entries) -> None:
        super().__init__(SERVER_SIDE, ConnectionState.AWAITING_IM, MAX_MESSAGE_BYTES)
        self._representation: Final = representation

    def time_out(self) -> None:
        """Close the connection with EM if the IM has not arrived in time."""
        if self.state is ConnectionState.AWAITING_IM:
            self._fail(ErrorCode.INITIAL_MESSAGE_TIMER)

    def _open(self, body: bytes) -> None:
        version, magic = decode_initial(body)
        if magic == SWAPPED_MAGIC:
            raise WireError(ErrorCode.WRONG_BYTE_ORDER)
        if magic != MAGIC:
            raise WireError(ErrorCode.WRONG_MAGIC_NUMBER)
        if version != VERSION:
            raise WireError(ErrorCode.WRONG_VERSION)
        self.output += representation_message(self._representation)


class ClientConnection(_Endpoint):
    """The client's end of a connection to a server."""

    def __init__(self) -> None:
        super().__init__(CLIENT_SIDE, ConnectionState.AWAITING_RM, MAX_BODY_BYTES)
        self.representation: Entries | None = None
        """The contents of the RM, `None` until it has arrived."""
        self.output = INITIAL_MESSAGE

    def _open(self, body: bytes) -> None:
        self.representation = decode_entries(body)
