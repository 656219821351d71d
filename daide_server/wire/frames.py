"""Encode and decode frames, the five messages of the Client-Server Protocol.

A frame is a header of four bytes (type, padding, length of the body) and a body.
All numbers are big-endian. The padding is sent as zero and ignored on receipt,
because real clients send garbage there. Client-Server Protocol, "Message Header".
"""

import re
import struct
from collections.abc import Callable, Iterable
from enum import IntEnum
from itertools import takewhile
from typing import Any, Final, assert_never

from msgspec import Struct

from daide_server.language.tokens import MANY_TOKENS, Token, Tokens

HEADER: Final = struct.Struct(">BxH")
"""Type, padding, length of the body."""
HEADER_SIZE: Final = HEADER.size
TOKEN_SIZE: Final = 2
HEADER_WORDS: Final = HEADER_SIZE // TOKEN_SIZE
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


_DIPLOMACY: Final = int(FrameType.DIPLOMACY)
_DIPLOMACY_WORD: Final = _DIPLOMACY << 8
"""Type and padding of a diplomacy message."""


_PACKERS: Final = tuple(
    struct.Struct(f">HH{count}H").pack for count in range(MANY_TOKENS)
)
"""Pack fewer tokens, by their number: `struct.pack` looks up its format each time."""


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
    count = len(tokens)
    if count < MANY_TOKENS:
        return _PACKERS[count](_DIPLOMACY_WORD, TOKEN_SIZE * count, *tokens)
    return encode_messages((tokens,))


def encode_messages(messages: Iterable[Tokens]) -> bytes:
    """Return the bytes of consecutive diplomacy messages, one for each of *messages*.

    One call to `struct.pack` for all of them is faster than one for each.
    """
    words: list[int] = []
    for tokens in messages:
        words += (_DIPLOMACY_WORD, TOKEN_SIZE * len(tokens))
        words += tokens
    return struct.pack(f">{len(words)}H", *words)


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


def _is_public(tokens: Tokens) -> bool:
    return not has_private_token(encode_tokens(tokens)[HEADER_SIZE:])


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

    def messages(self, largest: int) -> list[Tokens]:
        """Return the tokens of the next frames, if they are complete messages.

        They have *largest* bytes at most, and no private token. `next` goes on with
        what ends them, which *check* may refuse.
        """
        found: list[Tokens] = []
        start, buffer = self._start, self._buffer
        count = (len(buffer) - start) // TOKEN_SIZE
        if self._header is not None or count <= HEADER_WORDS:
            return found
        # A call for each message would take longer than all else here.
        words: Any = struct.unpack_from(f">{count}H", buffer, start)
        place = 0
        while (body := place + HEADER_WORDS) < count:
            length = words[body - 1]
            end = body + length // TOKEN_SIZE
            fits = 0 < length <= largest and not length % TOKEN_SIZE
            if words[place] >> 8 != _DIPLOMACY or end > count or not fits:
                break
            found.append(words[body:end])
            place = end
        if has_private_token(buffer[start : start + TOKEN_SIZE * place]):
            found = [*takewhile(_is_public, found)]
            place = sum(HEADER_WORDS + len(tokens) for tokens in found)
        self._start = start + TOKEN_SIZE * place
        return found

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
