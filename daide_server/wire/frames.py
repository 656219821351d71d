"""Frames, the five messages of the Client-Server Protocol, and its error codes.

A frame is a header of four bytes (type, padding, length of the body) and a body.
All numbers are big-endian. The padding is sent as zero and ignored on receipt,
because real clients send garbage there. Client-Server Protocol, "Message Header",
"Error Message". Errors in the language (PRN, HUH) are in `language.errors`.
"""

import re
import struct
from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Any, Final, assert_never

from msgspec import Struct

from daide_server.language.tokens import Token, Tokens

HEADER: Final = struct.Struct(">BxH")
"""Type, padding, length of the body."""
HEADER_SIZE: Final = HEADER.size
TOKEN_SIZE: Final = 2
VERSION: Final = 1
MAGIC: Final = 0xDA10
MAX_BODY_BYTES: Final = 65534
"""The largest even number that fits the length field of the header."""

_INITIAL: Final = struct.Struct(">HH")
_ENTRY: Final = struct.Struct(">H3sx")
_CODE: Final = struct.Struct(">H")
_PRIVATE: Final = re.compile(rb"[\x58-\x5F]")
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
    """Return what an EM says: its code and, if there is one, the name of the error."""
    name = ErrorCode(code).name.lower() if code in list(ErrorCode) else ""
    return f"EM 0x{code:02X} {name}".rstrip()


class InitialMessage(Struct, frozen=True):
    """IM: the first message of a client."""

    version: int = VERSION
    magic: int = MAGIC


class RepresentationMessage(Struct, frozen=True):
    """RM: power and province names with their tokens; empty for the standard map."""

    entries: Entries


class DiplomacyMessage(Struct, frozen=True):
    """DM: one message in the DAIDE language."""

    tokens: Tokens


class FinalMessage(Struct, frozen=True):
    """FM: the sender closes the connection normally."""


class ErrorMessage(Struct, frozen=True):
    """EM: the sender closes the connection because of an error (see `ErrorCode`)."""

    code: int


Frame = (
    InitialMessage
    | RepresentationMessage
    | DiplomacyMessage
    | FinalMessage
    | ErrorMessage
)


def encode(frame: Frame) -> bytes:
    """Return the bytes of *frame*."""
    match frame:
        case InitialMessage(version, magic):
            return _framed(FrameType.INITIAL, _INITIAL.pack(version, magic))
        case RepresentationMessage(entries):
            body = b"".join(
                _ENTRY.pack(token, name.encode()) for token, name in entries
            )
            return _framed(FrameType.REPRESENTATION, body)
        case DiplomacyMessage(tokens):
            return encode_tokens(tokens)
        case FinalMessage():
            return _framed(FrameType.FINAL, b"")
        case ErrorMessage(code):
            return _framed(FrameType.ERROR, _CODE.pack(code))
        case _:
            assert_never(frame)


def encode_tokens(tokens: Tokens) -> bytes:
    """Return the bytes of a diplomacy message with *tokens*."""
    return _framed(FrameType.DIPLOMACY, struct.pack(f">{len(tokens)}H", *tokens))


def encode_messages(messages: Iterable[Tokens]) -> bytes:
    """Return the bytes of diplomacy messages, one for each of *messages*."""
    return b"".join(map(encode_tokens, messages))


def decode_tokens(body: bytes) -> Tokens:
    """Return the tokens in the body of a diplomacy message."""
    tokens: Any = struct.unpack(f">{len(body) // TOKEN_SIZE}H", body)
    # A cast would be a call.
    return tokens  # type: ignore[no-any-return]


def decode_initial(body: bytes) -> InitialMessage:
    """Return the initial message that *body* encodes.

    Raises `struct.error` if *body* is not four bytes long.
    """
    return InitialMessage(*_INITIAL.unpack(body))


def decode_entries(body: bytes) -> Entries:
    """Return the tokens and names in the body of a representation message."""
    return tuple(
        (Token(token), name.rstrip(b"\0").decode("latin-1"))
        for token, name in _ENTRY.iter_unpack(body)
    )


def has_private_token(body: bytes) -> bool:
    """Return whether *body* contains a token of the categories 0x58 to 0x5F."""
    return _PRIVATE.search(body[::TOKEN_SIZE]) is not None


def _framed(kind: FrameType, body: bytes) -> bytes:
    return HEADER.pack(kind, len(body)) + body


class FrameDecoder:
    """Splits a byte stream into frames.

    *check* is called with the type and the body length of each frame as soon as
    its header is complete. It may raise an exception to refuse the frame.
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
        """Return what has been fed and not returned: part of a frame, or more."""
        return self._buffer[self._start :]

    def next(self) -> tuple[int, bytes] | None:
        """Return type and body of the next frame, or `None` while it is incomplete.

        Raises the exceptions of *check*.
        """
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
