"""What was observed during a scene. Pure; times are seconds since the start."""

from collections.abc import Iterator
from typing import TypeVar

from attrs import define, field, frozen

from daide_server.board.map import Turn
from daide_server.board.results import OrderNote
from daide_server.daide import messages
from daide_server.daide.tokens import Tokens
from daide_server.tournament.run.bot_process import exit_text

MAX_ENTRIES = 20_000
"""The most entries noted in one scene."""
QUOTED_CHARACTERS = 100
"""The most characters of a message in the report."""


@frozen
class Heard:
    """The bot sent a message; `message` is `None` if nobody could read it."""

    seconds: float
    connection: int
    text: str
    tokens: Tokens
    message: messages.ClientMessage | None = None


@frozen
class Told:
    """The bot was sent a message."""

    seconds: float
    connection: int
    message: messages.ServerMessage
    refusal: str = ""
    """The message as text, if it refuses a message of the bot."""


def is_refusal(message: messages.ServerMessage) -> bool:
    """Return whether *message* says that a message or order of the bot was wrong."""
    if isinstance(message, messages.OrderNoted):
        return message.note is not OrderNote.OK
    return isinstance(
        message, messages.Rejected | messages.BracketsRefused | messages.SyntaxRefused
    )


@frozen
class Opened:
    """The bot connected."""

    seconds: float
    connection: int


@frozen
class Closed:
    """A connection has ended; *fault* is how the bot broke the protocol, if it did."""

    seconds: float
    connection: int
    by_bot: bool
    fault: str = ""


@frozen
class Exited:
    """The bot's process has ended."""

    seconds: float
    code: int

    @property
    def text(self) -> str:
        """Return in words how it ended."""
        if self.code < 0:
            return f"its process was {exit_text(self.code)}"
        return f"its process ended with code {self.code}"


@frozen
class TurnSeen:
    """The orders of the bot in a turn."""

    turn: Turn
    due: int
    """Units without orders at first, or builds or removals."""
    missing: int
    """The number of orders missing at the end."""
    seconds: float
    """Seconds until the last order, or until the end of waiting."""
    limit: float
    """The time limit for the bot."""
    is_awaited: bool = False
    """Whether the turn still waited for it: for orders, or because of NOT (GOF)."""
    unfinished: str = ""
    """The header of a frame that was incomplete at the end, if there was one."""
    busy: float = 0.0
    """The share of a processor that its processes wanted meanwhile; 0 if unknown."""

    @property
    def is_complete(self) -> bool:
        """Return whether all was ordered in time."""
        return not self.missing


LogEntry = Heard | Told | Opened | Closed | Exited | TurnSeen
LogEntryT = TypeVar("LogEntryT", bound=LogEntry)
SaidT = TypeVar("SaidT", bound=messages.ClientMessage)


@define
class SceneLog:
    """All that was seen, in order, and figures for the report."""

    entries: list[LogEntry] = field(factory=list)
    figures: dict[str, float] = field(factory=dict)
    """Measurements, such as the slowest turn, by name."""
    words: dict[str, str] = field(factory=dict)
    """Notes of the scene itself for its judge."""
    is_joined: bool = False
    """Whether the bot had sent YES (MAP) when the scene ended."""

    def add(self, entry: LogEntry) -> None:
        """Note *entry*."""
        if len(self.entries) < MAX_ENTRIES:
            self.entries.append(entry)

    def of(self, kind: type[LogEntryT]) -> list[LogEntryT]:
        """Return the entries of one kind."""
        return [each for each in self.entries if isinstance(each, kind)]

    def said(self, kind: type[SaidT]) -> list[SaidT]:
        """Return the messages of one kind that the bot has sent."""
        return [
            each.message for each in self.of(Heard) if isinstance(each.message, kind)
        ]

    @property
    def turns(self) -> list[TurnSeen]:
        """Return the turns that the bot was waited for."""
        return self.of(TurnSeen)

    @property
    def unreadable(self) -> list[Heard]:
        """Return the messages of the bot that are invalid at the level of the game."""
        return [each for each in self.of(Heard) if each.message is None]

    @property
    def refusals(self) -> list[messages.OrderNoted]:
        """Return each THX that was not MBV."""
        return [
            each.message
            for each in self.of(Told)
            if isinstance(each.message, messages.OrderNoted)
            and is_refusal(each.message)
        ]

    def first_refusals(self) -> Iterator[messages.OrderNoted]:
        """Yield the refusals without those of a SUB that was repeated in the turn.

        If two builds are due, the server does not take the same two again.
        """
        said: set[Tokens] = set()
        is_repeated = False
        for each in self.entries:
            match each:
                case Heard(message=messages.SubmitOrders(), tokens=tokens):
                    is_repeated = tokens in said
                    said.add(tokens)
                case Told(message=messages.CurrentPosition()):
                    said.clear()
                case Told(message=messages.OrderNoted() as noted) if is_refusal(noted):
                    if not is_repeated:
                        yield noted
                case _:
                    pass

    @property
    def last_words(self) -> str:
        """Return the last message of the bot, and the last refusal, in this turn."""
        ends = [n for n, each in enumerate(self.entries) if isinstance(each, TurnSeen)]
        entries = self.entries[ends[-2] + 1 :] if len(ends) > 1 else self.entries
        said = [each.text for each in entries if isinstance(each, Heard)]
        told = [
            each.refusal for each in entries if isinstance(each, Told) and each.refusal
        ]
        words = [f"it said {_shortened(said[-1])}"] if said else ["it said nothing"]
        words += [f"and received {_shortened(told[-1])}"] if told else []
        return " last, ".join(words) + ("" if told or not said else " last")

    @property
    def lost(self) -> Closed | None:
        """Return how the bot closed a connection, if it did."""
        return next((each for each in self.of(Closed) if each.by_bot), None)

    @property
    def exit(self) -> Exited | None:
        """Return that the process has ended, if it has."""
        return next(iter(self.of(Exited)), None)


def _shortened(text: str) -> str:
    if len(text) <= QUOTED_CHARACTERS:
        return text
    return f"{text[:QUOTED_CHARACTERS]}..."
