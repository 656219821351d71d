"""One game between a server and a bot on lines: what both directions work on."""

from collections.abc import Collection
from typing import Final

from msgspec import UNSET, UnsetType

from daide_server.board.map import Map
from daide_server.board.position import Position
from daide_server.board.turns import Phase, Turn
from daide_server.classes import frozen
from daide_server.language.hello_options import HelloOption
from daide_server.language.messages import (
    CancelOrders,
    ClientMessage,
    ServerMessage,
)
from daide_server.language.text import to_text
from daide_server.language.tokens import Tokens, category
from daide_server.language.translation import Writer
from daide_server.language.vocabulary import Vocabulary

from .facts import Facts
from .filling import Filling
from .from_bot import BotLine
from .line_effects import LineEffect, TellBot, Transmit
from .line_submission import MAX_TOKENS, LineSubmission
from .order_desk import OrderDesk
from .past_turn import PastTurn
from .requests import LineRequest, Requests
from .to_bot import (
    AnswerLine,
    DaideLine,
    Limits,
    LineId,
    StartLine,
    TurnLine,
)
from .wording import Wording, phase_name

LIMIT_OPTIONS: Final = {
    Phase.MOVEMENT: HelloOption.MOVEMENT_LIMIT,
    Phase.RETREATS: HelloOption.RETREAT_LIMIT,
    Phase.ADJUSTMENTS: HelloOption.BUILD_LIMIT,
}
PRIVATE_CATEGORIES: Final = range(0x58, 0x60)
"""Of tokens that must not be sent: the server would close the connection."""
FREE_TEXT_LEVEL: Final = 8000
"""The level at which press may be any text."""


@frozen
class Wishes:
    """What the bot wants, its name, and the seed that it is given."""

    wants: Collection[str]
    name: str
    seed: int


class LineGame:
    """A game that has begun: its words, what is known of it, what is awaited."""

    def __init__(
        self, facts: Facts, vocabulary: Vocabulary, wishes: Wishes, filling: Filling
    ) -> None:
        assert facts.map is not None
        self.facts: Final = facts
        self.vocabulary: Final = vocabulary
        self.wishes: Final = wishes
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
        self.replaces = False
        """Whether the server may have builds of before a lost connection."""
        self.is_resumed = False
        """Whether the seat was taken again: nobody told who is away."""

    def resumes(self, *, resumed: bool) -> None:
        """Note whether the seat was taken again."""
        self.replaces = self.is_resumed = resumed

    @property
    def is_finished(self) -> bool:
        """Return whether the server has said how the game ended."""
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
        return what in self.wishes.wants

    def text(self, tokens: Tokens) -> str:
        """Return *tokens* as DAIDE's text."""
        return to_text(tokens, self.vocabulary)

    # To the server

    def ask(self, message: ClientMessage, request: LineRequest) -> list[LineEffect]:
        """Send *message*, and wait for the answer to *request*.

        Raises `ValueError` if it cannot be said.
        """
        return self.ask_in_tokens(self.writer.write(message), request)

    def ask_in_tokens(self, tokens: Tokens, request: LineRequest) -> list[LineEffect]:
        """Send *tokens*, and wait for the answer to *request*.

        Raises `ValueError` if they are too many, or are none of DAIDE's.
        """
        if len(tokens) > MAX_TOKENS:
            message = f"found {len(tokens)} tokens, expected {MAX_TOKENS} at most"
            raise ValueError(message)
        if any(category(token) in PRIVATE_CATEGORIES for token in tokens):
            message = "found a token that is reserved for use inside programs"
            raise ValueError(message)
        request.tokens = tokens
        self.requests.add(request)
        return [Transmit((tokens,))]

    def submit(self, submission: LineSubmission) -> list[LineEffect]:
        """Send orders; if there are none to send, tell their notes at once."""
        if not submission.tokens:
            return [TellBot(submission.line())] if submission.to else []
        before: tuple[Tokens, ...] = ()
        if self.replaces and self.position.turn.phase is Phase.ADJUSTMENTS:
            # Builds and waives add to those that the server has.
            cancel = self.writer.write(CancelOrders())
            self.requests.add(LineRequest(to="", tokens=cancel))
            before = (cancel,)
        self.replaces = False
        self.requests.add(submission)
        return [Transmit((*before, submission.tokens))]

    # To the bot

    def start(self, *, resumed: bool) -> list[LineEffect]:
        """Tell that the game begins, and the board if it is wanted."""
        facts, options = self.facts, self.facts.options
        flags = (each.value for each in options if not each.value.has_number)
        line = StartLine(
            power=self.wording.power_text(facts.power) if self.desk.is_player else None,
            powers=self.wording.power_texts(self.map.powers),
            map=facts.map_name,
            level=self.level,
            limits=Limits(
                movement=options.get(HelloOption.MOVEMENT_LIMIT),
                retreats=options.get(HelloOption.RETREAT_LIMIT),
                builds=options.get(HelloOption.BUILD_LIMIT),
                press=options.get(HelloOption.PRESS_LIMIT),
            ),
            options=[flag.token for flag in flags],
            seed=self.wishes.seed,
            resumed=resumed,
        )
        board = [TellBot(self.wording.board())] if self.wants("board") else []
        return [TellBot(line), *board]

    def begin_turn(self, now: float, *, is_fresh: bool) -> list[LineEffect]:
        """Tell the turn of the current position; a *fresh* one has its whole limit."""
        position, phase = self.position, self.position.turn.phase
        seconds = self.facts.seconds_left
        if is_fresh:
            seconds = self.facts.options.get(LIMIT_OPTIONS[phase])
        self.desk.begin(position)
        self.filling.begin(phase, now, seconds)
        self.waits = False
        line = TurnLine(
            phase=phase_name(position.turn),
            state=self.wording.state(position),
            due=self.desk.due,
            seconds=seconds,
            possible=self._possible() if self.wants("possible") else UNSET,
        )
        told: list[LineEffect] = [TellBot(line)]
        if self.desk.spare and not self.desk.due:
            told += self.submit(self.desk.waived_spare())
        return told

    def _possible(self) -> dict[str, list[str]]:
        if not self.desk.due:
            return {}
        return self.wording.possible(self.position, self.facts.power)

    def report(self) -> list[LineEffect]:
        """Tell the results of the last turn, if they are wanted and new."""
        is_new, self.unreported = self.unreported, False
        if not is_new or self.reported is None or not self.wants("results"):
            return []
        return [TellBot(self.wording.results(self.reported, self.facts.reports))]

    def untold(self, message: ServerMessage) -> list[LineEffect]:
        """Tell a message as DAIDE, if that is wanted."""
        if not self.wants("daide"):
            return []
        return [TellBot(DaideLine(self.text(self.writer.write(message))))]


def mark_of(line: BotLine) -> LineId | UnsetType:
    """Return the id of *line*, as its answer has it."""
    return UNSET if line.id is None else line.id


def refusal(to: str, line: BotLine, code: str, message: str) -> TellBot:
    """Return the answer to *line*, of type *to*, that it is refused."""
    return TellBot(
        AnswerLine(to=to, ok=False, code=code, message=message, id=mark_of(line))
    )
