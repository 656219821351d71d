"""Lines without sockets: bytes go in, and what comes out is checked.

Sessions take a `Wire` for their line, and `Nobody` for their switchboard.
"""

from typing import Final

import structlog

from daide_server.language.commands import server_grammar
from daide_server.language.tokens import BRA, BRACKET_CATEGORY, ERR, KET, PRN
from daide_server.server.limits import SessionLimits
from daide_server.wire.frames import FrameDecoder, FrameType, decode_tokens

LIMITS: Final = SessionLimits(
    max_message_bytes=32758,
    outbox_bytes=10**9,
    read_bytes_per_second=1e12,
    read_burst_bytes=1e15,
    messages_per_pass=10**6,
    im_seconds=1e9,
    join_seconds=1e9,
    close_seconds=0.0,
)


class Faults:
    """What must not happen, as the log tells it: everything from an error up."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def __call__(self, _: object, level: str, event: structlog.typing.EventDict) -> str:
        """Remember what is logged."""
        if level in {"error", "critical"}:
            self.found.append(str(event))
        raise structlog.DropEvent


class Wire:
    """What a session takes for its line: bytes in, and checked bytes out."""

    address = "192.0.2.1"
    socket = None

    def __init__(self, faults: Faults) -> None:
        self.data: bytes | None = None
        self._faults = faults
        self._decoder = FrameDecoder(lambda _kind, _length: None)
        self._known: set[bytes] = set()

    def receive_now(self) -> bytes | None:
        """Return what the client has sent."""
        data, self.data = self.data, None
        return data

    def send_now(self, data: bytes) -> int:
        """Check what the client is sent."""
        if data not in self._known:
            self._check(data)
        return len(data)

    def _check(self, data: bytes) -> None:
        self._decoder.feed(data)
        while frame := self._decoder.next():
            kind, body = frame
            if kind == FrameType.DIPLOMACY:
                # What is no bracket but of their category may only be quoted.
                tokens = tuple(
                    ERR
                    if token >> 8 == BRACKET_CATEGORY and token not in (BRA, KET)
                    else token
                    for token in decode_tokens(body)
                )
                if (
                    tokens[0] != PRN
                    and server_grammar().error_index(tokens) is not None
                ):
                    self._faults.found.append(f"said {body.hex()}")
        if len(self._known) < 1000 and len(data) < 5000:
            self._known.add(data)


class Nobody:
    """A switchboard that watches nothing."""

    def watch(self, *_: object) -> None:
        """Watch nothing."""

    def forget(self, *_: object) -> None:
        """Forget nothing."""

    def later(self, *_: object) -> None:
        """Have nothing to do later."""
