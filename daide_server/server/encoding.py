"""Messages to bytes: each message once, whoever it is for."""

from collections.abc import Sequence

from daide_server.language.messages import MapDefinition, ServerMessage
from daide_server.language.writing import Writer
from daide_server.wire.frames import encode_messages


class Encoder:
    """Turns messages into the bytes of diplomacy frames, for one variant."""

    def __init__(self, writer: Writer) -> None:
        self._write = writer.write
        self._map_definition = b""

    def encode(self, messages: Sequence[ServerMessage]) -> bytes:
        """Return the frames of *messages*, in order, as one object."""
        if messages and isinstance(messages[0], MapDefinition):
            # Every client asks for it, and it is the same for all.
            if not self._map_definition:
                self._map_definition = encode_messages(map(self._write, messages))
            return self._map_definition
        return encode_messages(map(self._write, messages))
