"""Messages to bytes: each message once, whoever it is for."""

from collections.abc import Iterable

from daide_server.language.messages import MapDefinition, ServerMessage
from daide_server.language.writing import Writer
from daide_server.wire.frames import encode_tokens


class Encoder:
    """Turns messages into the bytes of diplomacy frames, for one variant."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._map_definition = b""

    def encode(self, messages: Iterable[ServerMessage]) -> bytes:
        """Return the frames of *messages*, in order, as one object."""
        return b"".join(map(self._encode, messages))

    def _encode(self, message: ServerMessage) -> bytes:
        if isinstance(message, MapDefinition):
            # Every client asks for it, and it is the same for all.
            if not self._map_definition:
                self._map_definition = encode_tokens(self._writer.write(message))
            return self._map_definition
        return encode_tokens(self._writer.write(message))
