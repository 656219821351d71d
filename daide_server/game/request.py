"""A client's message to a game, and the effects of answering it."""

from typing import Generic, TypeVar

from msgspec import Struct

from daide_server.language.messages import (
    Accepted,
    ClientMessage,
    Rejected,
    ServerMessage,
)
from daide_server.language.tokens import Tokens

from .effects import Effect, Refuse, Send
from .events import ClientId, Seconds
from .refusals import JoinRefusal

Message_co = TypeVar("Message_co", bound=ClientMessage, covariant=True)


class Request(Struct, Generic[Message_co], frozen=True):
    """A message with its sender, its time, and the tokens that YES and REJ quote."""

    client: ClientId
    message: Message_co
    as_sent: Tokens
    now: Seconds

    def answer(self, *messages: ServerMessage) -> list[Effect]:
        """Return the effect of answering with *messages*: none, if there are none."""
        return [Send((self.client,), messages)] if messages else []

    def accept(self, *more: ServerMessage) -> list[Effect]:
        """Return the effect of answering YES, and *more* after it."""
        return [Send((self.client,), (Accepted(self.as_sent), *more))]

    def reject(self) -> list[Effect]:
        """Return the effect of answering REJ."""
        return [Send((self.client,), (Rejected(self.as_sent),))]

    def refuse(self, reason: JoinRefusal) -> list[Effect]:
        """Return the effects of answering NME, OBS or IAM by REJ, for *reason*."""
        return [*self.reject(), Refuse(self.client, reason)]
