"""Frames: the five messages of the Client-Server Protocol, and bytes.

Every frame has a header of four bytes: type, padding, length of the rest. The
padding is sent as zero and is ignored, since real clients send garbage there. All
numbers are big-endian.
"""

import re
import struct
from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Final as Constant
from typing import assert_never, cast

from attrs import frozen

from daide_server.language.tokens import Token, Tokens

HEADER: Constant = struct.Struct(">BxH")
"""Type, padding, length of the body."""
HEADER_SIZE: Constant = HEADER.size
TOKEN_SIZE: Constant = 2
VERSION: Constant = 1
MAGIC: Constant = 0xDA10
LARGEST_BODY: Constant = 65534
"""The most bytes of tokens that a frame can carry."""

_INITIAL: Constant = struct.Struct(">HH")
_ENTRY: Constant = struct.Struct(">H3sx")
_CODE: Constant = struct.Struct(">H")
_PRIVATE: Constant = re.compile(rb"[\x58-\x5F]")
"""Categories of tokens that no program may send."""

Entries = tuple[tuple[Token, str], ...]


class FrameType(IntEnum):
    """The type in the header."""

    INITIAL = 0
    REPRESENTATION = 1
    DIPLOMACY = 2
    FINAL = 3
    ERROR = 4


@frozen
class InitialMessage:
    """IM: the client's first word."""

    version: int = VERSION
    magic: int = MAGIC


@frozen
class Representation:
    """RM: the names of the tokens of powers and provinces; none: the standard ones."""

    entries: Entries


@frozen
class Diplomacy:
    """DM: one message of the language."""

    tokens: Tokens


@frozen
class Final:
    """FM: the sender closes the connection."""


@frozen
class ErrorMessage:
    """EM: the sender closes the connection because of a fault."""

    code: int


Frame = InitialMessage | Representation | Diplomacy | Final | ErrorMessage


def encode(frame: Frame) -> bytes:
    """Return the bytes of *frame*."""
    match frame:
        case InitialMessage(version, magic):
            return _framed(FrameType.INITIAL, _INITIAL.pack(version, magic))
        case Representation(entries):
            body = b"".join(
                _ENTRY.pack(token, name.encode()) for token, name in entries
            )
            return _framed(FrameType.REPRESENTATION, body)
        case Diplomacy(tokens):
            return encode_tokens(tokens)
        case Final():
            return _framed(FrameType.FINAL, b"")
        case ErrorMessage(code):
            return _framed(FrameType.ERROR, _CODE.pack(code))
        case _:
            assert_never(frame)


def encode_tokens(tokens: Tokens) -> bytes:
    """Return the bytes of the frame that carries *tokens*."""
    return encode_messages((tokens,))


def encode_messages(messages: Iterable[Tokens]) -> bytes:
    """Return the bytes of the frames that carry *messages*, one after another.

    All that a client is told in one step is packed in one go.
    """
    words: list[int] = []
    for tokens in messages:
        words += (FrameType.DIPLOMACY << 8, TOKEN_SIZE * len(tokens))
        words += tokens
    return struct.pack(f">{len(words)}H", *words)


def decode_tokens(body: bytes) -> Tokens:
    """Return the tokens that the body of a diplomacy frame carries."""
    tokens = struct.unpack(f">{len(body) // TOKEN_SIZE}H", body)
    return cast("Tokens", tokens)


def decode_initial(body: bytes) -> InitialMessage:
    """Return the initial message with that body."""
    return InitialMessage(*_INITIAL.unpack(body))


def decode_entries(body: bytes) -> Entries:
    """Return the names that the body of a representation frame gives."""
    return tuple(
        (Token(token), name.rstrip(b"\0").decode("latin-1"))
        for token, name in _ENTRY.iter_unpack(body)
    )


def has_private_token(body: bytes) -> bool:
    """Return whether a token in the body of a diplomacy frame is a program's own."""
    return _PRIVATE.search(body[::TOKEN_SIZE]) is not None


def _framed(kind: FrameType, body: bytes) -> bytes:
    return HEADER.pack(kind, len(body)) + body


class FrameDecoder:
    """Cuts a stream of bytes into frames: type and body.

    *check* is told the type and the length of each frame as soon as its header
    is there, and may raise to refuse the frame.
    """

    def __init__(self, check: Callable[[int, int], None]) -> None:
        self._check = check
        self._buffer = bytearray()
        self._start = 0
        self._header: tuple[int, int] | None = None

    def feed(self, data: bytes) -> None:
        """Add *data*, which the peer sent."""
        del self._buffer[: self._start]
        self._start = 0
        self._buffer += data

    def next(self) -> tuple[int, bytes] | None:
        """Return the next frame, or `None` as long as it is not complete."""
        if self._header is None:
            if len(self._buffer) < self._start + HEADER_SIZE:
                return None
            self._header = HEADER.unpack_from(self._buffer, self._start)
            self._check(*self._header)
        kind, length = self._header
        body = self._start + HEADER_SIZE
        if len(self._buffer) < body + length:
            return None
        self._header, self._start = None, body + length
        return kind, bytes(self._buffer[body : self._start])
