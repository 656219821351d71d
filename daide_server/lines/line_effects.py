"""What must happen after a line or a message."""

from daide_server.classes import frozen
from daide_server.language.tokens import Tokens

from .to_bot import ToBot


@frozen
class TellBot:
    """Say *line* to the bot."""

    line: ToBot


@frozen
class Transmit:
    """Send messages to the server, in one piece."""

    messages: tuple[Tokens, ...]


@frozen
class Remark:
    """Tell the bot's author, on standard error."""

    text: str


@frozen
class Join:
    """The bot is ready: enter a game under its name."""


@frozen
class LeaveGame:
    """The bot wants to leave: close the connection."""


@frozen
class BreakOff:
    """The bot cannot be played with, for this reason."""

    reason: str


LineEffect = TellBot | Transmit | Remark | Join | LeaveGame | BreakOff
"""Anything that a session wants done."""
