"""Messages to frames: each message is encoded once, whoever it is for."""

from collections.abc import Sequence

from daide_server.language.messages import MapDefinition, ServerMessage
from daide_server.language.text import to_text
from daide_server.language.tokens import Tokens
from daide_server.language.vocabulary import Vocabulary
from daide_server.language.writer import Writer
from daide_server.wire.frames import encode_messages


class Encoder:
    """Turns messages into the bytes of diplomacy frames, for one variant.

    Texts are for the log; they use the names of *vocabulary*.
    """

    def __init__(self, writer: Writer, vocabulary: Vocabulary) -> None:
        self._write = writer.write
        self._vocabulary = vocabulary
        self._map_definition = b""

    def texts(self, messages: Sequence[ServerMessage]) -> list[str]:
        """Return the texts of *messages*."""
        return [self.text(self._write(message)) for message in messages]

    def text(self, tokens: Tokens) -> str:
        """Return the text of *tokens*, of a client or of the server."""
        return to_text(tokens, self._vocabulary)

    def encode(self, messages: Sequence[ServerMessage]) -> bytes:
        """Return the frames of *messages*, in order, as one object."""
        if messages and isinstance(messages[0], MapDefinition):
            # Every client asks for it, and it is the same for all.
            if not self._map_definition:
                self._map_definition = encode_messages(map(self._write, messages))
            return self._map_definition
        return encode_messages(map(self._write, messages))
