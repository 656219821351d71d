"""One game between a server and a bot on lines: what both directions work on. Pure."""

from collections.abc import Sequence
from typing import Final

from attrs import define, field, frozen
from msgspec import UNSET, UnsetType

from daide_server.board.map import Map, Phase, Position, Turn
from daide_server.board.names import Power
from daide_server.bots.view import Knowledge
from daide_server.daide import messages
from daide_server.daide.commands import HelloOption
from daide_server.daide.frames import HEADER_SIZE, encode_tokens, has_private_token
from daide_server.daide.messages import ClientMessage, ServerMessage
from daide_server.daide.tokens import Tokens
from daide_server.daide.translation import Writer
from daide_server.daide.vocabulary import Vocabulary, to_text
from daide_server.usage import TurnUsage

from . import line_types
from .line_types import LineId, ToBot
from .order_desk import MAX_TOKENS, LineRequest, LineSubmission, OrderDesk, Requests
from .wording import Wording, phase_name


@frozen
class Transmit:
    """Send messages to the server, in one piece."""

    messages: tuple[Tokens, ...]


@frozen
class Remark:
    """A message for the bot's author, on standard error."""

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


LineEffect = ToBot | Transmit | Remark | Join | LeaveGame | BreakOff | TurnUsage
"""An effect of a line or a message; a `ToBot` is written to the bot."""
Effects = list[LineEffect]


@define
class PastTurn:
    """Answers about turns of the past, told apart from the news of the game.

    HST is answered by the ORDs of a turn, SCO and NOW, just as a new turn begins. The
    turns in them tell which it is; SCO has none, and waits for its NOW.
    """

    messages: list[ServerMessage] = field(factory=list)

    def takes(
        self, message: ServerMessage, current: Turn, *, is_asked: bool, is_news: bool
    ) -> bool:
        """Keep *message* and return true if it is about the past.

        *current* is the turn of the last news; *is_news* whether results of it have
        come, *is_asked* whether a HST waits for its answer.
        """
        match message:
            case messages.OrderResulted(turn=turn):
                is_past = turn < current
            case messages.Ownership():
                is_past = is_asked and not is_news
            case messages.CurrentPosition(position=position):
                is_past = position.turn <= current
            case _:
                is_past = False
        if is_past:
            self.messages.append(message)
        return is_past

    @property
    def is_complete(self) -> bool:
        """Return whether NOW, the last message, has come."""
        return bool(self.messages) and isinstance(
            self.messages[-1], messages.CurrentPosition
        )

    def take(self) -> list[ServerMessage]:
        """Return the messages, and begin again."""
        found, self.messages = self.messages, []
        return found


SILENCE = 12
"""Factor by which a silent bot may think longer in retreats and adjustments."""
FILL_MARGIN_SECONDS = 1.0
"""Seconds before a deadline at which orders are completed; less if the limit is
short."""


@define
class Filling:
    """When orders that a bot has forgotten are completed, so that the game continues.

    With a deadline, that is just before it, if the bot has ordered something. Without
    one, it is `seconds` after the bot's last orders. A silent bot may be thinking: it
    is left alone in movement turns, and has longer in the others, unless it forgot such
    a turn before and has answered none since. Without `seconds` nothing is completed.
    """

    seconds: float | None
    _phase: Phase = Phase.MOVEMENT
    _began: float = 0.0
    _ordered: float | None = None
    """When the bot has last ordered in this turn."""
    _deadline: float | None = None
    _margin: float = 0.0
    _filled: bool = False
    """Whether the orders were completed since the bot's last ones."""
    _forgets: bool = False

    def begin(self, phase: Phase, now: float, seconds: float | None) -> None:
        """Begin a turn with a limit of *seconds*, `None` without a deadline."""
        self._phase, self._began, self._ordered = phase, now, None
        self._filled = False
        self.set_deadline(now, seconds)

    def set_deadline(self, now: float, seconds: float | None) -> None:
        """Note that *seconds* are left; `None`: no clock is running."""
        self._deadline = None if seconds is None else now + seconds
        self._margin = 0.0 if seconds is None else min(FILL_MARGIN_SECONDS, seconds / 4)

    def note_orders(self, phase: Phase, now: float | None) -> None:
        """Note that the bot orders for a turn of *phase*; *now* is `None` if late."""
        if phase is not Phase.MOVEMENT:
            self._forgets = False
        if now is not None:
            self._ordered, self._filled = now, False

    def note_filled(self) -> None:
        """Note that the orders were completed: once, until the bot orders again."""
        self._forgets = self._forgets or self._ordered is None
        self._filled = True

    @property
    def at(self) -> float | None:
        """Return when to complete orders, if some are missing then."""
        if self.seconds is None or self._filled:
            return None
        if self._deadline is not None:
            return None if self._ordered is None else self._deadline - self._margin
        if self._ordered is not None:
            return self._ordered + self.seconds
        if self._phase is Phase.MOVEMENT:
            return None
        return self._began + self.seconds * (1 if self._forgets else SILENCE)


LIMIT_OPTIONS = {
    Phase.MOVEMENT: HelloOption.MOVEMENT_LIMIT,
    Phase.RETREATS: HelloOption.RETREAT_LIMIT,
    Phase.ADJUSTMENTS: HelloOption.BUILD_LIMIT,
}


class LineGame:
    """A game that has begun: its vocabulary, what is known, and pending requests."""

    def __init__(
        self,
        facts: Knowledge,
        vocabulary: Vocabulary,
        ready: line_types.BotReady,
        filling: Filling,
        *,
        resumed: bool,
    ) -> None:
        assert facts.map is not None
        self.facts: Final = facts
        self.vocabulary: Final = vocabulary
        self.ready: Final = ready
        self.filling: Final = filling
        self.map: Final[Map] = facts.map
        self.wording: Final = Wording(facts.map)
        self.writer: Final = Writer(vocabulary)
        self.desk: Final = OrderDesk(self.wording, self.writer, facts.power)
        self.requests: Final = Requests()
        self.past: Final = PastTurn()
        self.reported: Turn | None = None
        """The turn of the results that came last."""
        self.unreported = False
        """Whether results have come that the bot was not told."""
        self.waits = False
        """Whether the bot keeps the turn open (NOT (GOF))."""
        self.replaces = resumed
        """Whether the server may have builds of before a lost connection."""
        self.is_resumed: Final = resumed
        """Whether the bot has returned to its seat: nobody reported absent powers."""

    @property
    def is_finished(self) -> bool:
        """Return whether the server has sent how the game ended."""
        return self.facts.ending is not None or self.facts.summary is not None

    @property
    def position(self) -> Position:
        """Return the current position."""
        assert self.facts.position is not None
        return self.facts.position

    @property
    def level(self) -> int:
        """Return the level of press."""
        return self.facts.options.get(HelloOption.LEVEL) or 0

    def wants(self, what: str) -> bool:
        """Return whether the bot wants *what*."""
        return what in self.ready.wants

    def text(self, tokens: Tokens) -> str:
        """Return *tokens* as DAIDE's text."""
        return to_text(tokens, self.vocabulary)

    # To the server

    def ask(self, message: ClientMessage, request: LineRequest) -> Effects:
        """Send *message*, and wait for the answer to *request*.

        Raises `ValueError` if it cannot be sent.
        """
        return self.ask_in_tokens(self.writer.write(message), request)

    def ask_in_tokens(self, tokens: Tokens, request: LineRequest) -> Effects:
        """Send *tokens*, and wait for the answer to *request*.

        Raises `ValueError` for too many tokens, and for reserved ones.
        """
        if len(tokens) > MAX_TOKENS:
            message = f"found {len(tokens)} tokens, expected {MAX_TOKENS} at most"
            raise ValueError(message)
        # A server closes the connection for such a token.
        if has_private_token(encode_tokens(tokens)[HEADER_SIZE:]):
            raise ValueError("found a token that is reserved for use inside programs")
        request.tokens = tokens
        self.requests.waiting.append(request)
        return [Transmit((tokens,))]

    def submit(self, submission: LineSubmission) -> Effects:
        """Send orders; if there are none to send, report their notes."""
        if not submission.tokens:
            return [submission.line()] if submission.to else []
        before: tuple[Tokens, ...] = ()
        if self.replaces and self.position.turn.phase is Phase.ADJUSTMENTS:
            # Builds and waives add to those that the server has.
            cancel = self.writer.write(messages.CancelOrders())
            self.requests.waiting.append(LineRequest(to="", tokens=cancel))
            before = (cancel,)
        self.replaces = False
        self.requests.waiting.append(submission)
        return [Transmit((*before, submission.tokens))]

    # To the bot

    def start(self, seed: int) -> Effects:
        """Report that the game begins, and the board if it is wanted."""
        facts, options = self.facts, self.facts.options
        flags = (each.value for each in options if not each.value.has_number)
        line = line_types.StartLine(
            power=self.wording.power_text(facts.power) if self.desk.is_player else None,
            powers=self.wording.power_texts(self.map.powers),
            map=facts.map_name,
            level=self.level,
            limits=line_types.Limits(
                movement=options.get(HelloOption.MOVEMENT_LIMIT),
                retreats=options.get(HelloOption.RETREAT_LIMIT),
                builds=options.get(HelloOption.BUILD_LIMIT),
                press=options.get(HelloOption.PRESS_LIMIT),
            ),
            options=[flag.token for flag in flags],
            seed=seed,
            resumed=self.is_resumed,
        )
        board = [self.wording.board()] if self.wants("board") else []
        return [line, *board]

    def begin_turn(self, now: float, *, is_fresh: bool) -> Effects:
        """Report the current turn, with its whole time limit if *is_fresh*."""
        position, phase = self.position, self.position.turn.phase
        seconds = self.facts.seconds_left
        if is_fresh:
            seconds = self.facts.options.get(LIMIT_OPTIONS[phase])
        self.desk.begin(position)
        self.filling.begin(phase, now, seconds)
        self.waits = False
        line = line_types.TurnLine(
            phase=phase_name(position.turn),
            state=self.wording.state(position),
            due=self.desk.due,
            seconds=seconds,
            possible=self._possible() if self.wants("possible") else UNSET,
        )
        told: Effects = [line]
        if self.desk.spare and not self.desk.due:
            told += self.submit(self.desk.waived_spare())
        return told

    def _possible(self) -> dict[str, list[str]]:
        if not self.desk.due:
            return {}
        return self.wording.possible(self.position, self.facts.power)

    def report(self) -> Effects:
        """Report the results of the last turn, if they are wanted and new."""
        is_new, self.unreported = self.unreported, False
        if not is_new or self.reported is None or not self.wants("results"):
            return []
        return [self.wording.results(self.reported, self.facts.reports)]

    def untold(self, message: ServerMessage) -> Effects:
        """Report a message as DAIDE text, if the bot wants that."""
        if not self.wants("daide"):
            return []
        return [line_types.DaideLine(self.text(self.writer.write(message)))]


def mark_of(line: line_types.BotLine) -> LineId | UnsetType:
    """Return the id of *line*, as its answer has it."""
    return UNSET if line.id is None else line.id


def refusal(
    to: str, line: line_types.BotLine, code: str, message: str
) -> line_types.AnswerLine:
    """Return the answer to *line*, of type *to*, that it is refused."""
    return line_types.AnswerLine(
        to=to, ok=False, code=code, message=message, id=mark_of(line)
    )


def over_line(game: LineGame) -> line_types.OverLine:
    """Return how *game* has ended; without a result, it was aborted."""
    summary, ending = game.facts.summary, game.facts.ending
    text = game.wording.power_text
    players = [
        line_types.PlayerEntry(
            text(each.power), each.name, each.version, each.centres, each.eliminated
        )
        for each in (summary.players if summary else ())
    ]
    if isinstance(ending, messages.Solo):
        return line_types.OverLine("solo", [text(ending.power)], players)
    if isinstance(ending, messages.DrawDeclared):
        return line_types.OverLine("draw", [*map(text, _drawn(game, ending))], players)
    return line_types.OverLine("stopped", [], players)


def _drawn(game: LineGame, ending: messages.DrawDeclared) -> Sequence[Power]:
    """Return who shares a draw: all survivors, if the message names nobody."""
    if ending.powers is not None:
        return ending.powers
    if game.facts.summary is not None:
        return [each.power for each in game.facts.summary.players if each.centres]
    living = set(game.position.owners.values())
    return [power for power in game.map.powers if power in living]
