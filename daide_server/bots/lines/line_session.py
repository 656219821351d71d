"""The state machine between a DAIDE server and one bot on lines. Pure.

Lines of the bot, messages of the server and the time come in; effects of `line_game` go
out. `BotStage` says what a line may do when; `bot_lines` has a function for each line
in a game, `server_lines` one for each message.
"""

from enum import Enum, auto

from attrs import define

from daide_server.bots.view import Knowledge
from daide_server.daide.messages import ServerMessage, SwitchOff
from daide_server.daide.tokens import Tokens
from daide_server.daide.vocabulary import Vocabulary, to_text

from . import bot_lines, line_game, line_types, server_lines
from .line_game import Effects, Filling, LineGame, Remark, mark_of, over_line
from .line_types import PROTOCOL

READY_SECONDS = 60.0
"""Default limit in seconds for the `ready` line after `hello`."""
FILL_SECONDS = 5.0
"""Default seconds after a bot's last orders until missing ones are completed."""
REPORTED_FAULTS = 10
"""Number of invalid lines that are reported to the bot's author."""


class BotStage(Enum):
    """The stage of a bot."""

    LOADING = auto()
    """It has yet to say that it is ready."""
    JOINING = auto()
    """The bridge enters a game, the first or another one."""
    PLAYING = auto()
    OVER = auto()
    """The last game is over, or the bot has left."""


@define(eq=False)
class LineSession:
    """One bot, from `hello` to its last `over`."""

    seed: int = 0
    fill_seconds: float | None = FILL_SECONDS
    stage: BotStage = BotStage.LOADING
    ready: line_types.BotReady | None = None
    is_over: bool = False
    """Whether the bot knows of the end of the last game, for which it was started."""
    _lines: int = 0
    _faults: int = 0
    _game: LineGame | None = None

    # The beginning

    @staticmethod
    def hello() -> line_types.HelloLine:
        """Return the first line."""
        return line_types.HelloLine(PROTOCOL, list(line_types.OFFERS))

    def joined(
        self, facts: Knowledge, vocabulary: Vocabulary, now: float, *, resumed: bool
    ) -> Effects:
        """Report that a game has begun; the facts have map, options and position."""
        assert self.ready is not None
        filling = Filling(self.fill_seconds)
        game = LineGame(facts, vocabulary, self.ready, filling, resumed=resumed)
        self._game, self.stage, self.is_over = game, BotStage.PLAYING, False
        return [*game.start(self.seed), *self._resume(game, now, is_fresh=not resumed)]

    def returned(self, facts: Knowledge, vocabulary: Vocabulary, now: float) -> Effects:
        """Report that the bridge has returned to its seat after a lost connection."""
        assert self.ready is not None
        assert self._game is not None
        filling = self._game.filling
        game = LineGame(facts, vocabulary, self.ready, filling, resumed=True)
        self._game = game
        return [line_types.ReturnedLine(), *self._resume(game, now, is_fresh=False)]

    def _resume(self, game: LineGame, now: float, *, is_fresh: bool) -> Effects:
        if game.is_finished:
            return self._end_if_over(game)
        powers = game.wording.power_texts(sorted(game.facts.in_disorder))
        absent: Effects = [line_types.AbsentLine(power) for power in powers]
        return [*absent, *game.begin_turn(now, is_fresh=is_fresh)]

    # Lines of the bot

    def from_bot(self, line: bytes, now: float) -> Effects:
        """Return the effects of a line of the bot, valid or not."""
        self._lines += 1
        if not line.strip():
            return []
        read = line_types.read_line(line)
        if isinstance(read, line_types.Fault):
            return self._fault(read)
        match self.stage:
            case BotStage.LOADING:
                return self._loading(read)
            case BotStage.PLAYING:
                assert self._game is not None
                return self._playing(self._game, read, now)
            case BotStage.JOINING:
                return self._between(read)
            case BotStage.OVER:
                return []

    def _fault(self, fault: line_types.Fault) -> Effects:
        error = line_types.ErrorLine(self._lines, fault.message, fault.id)
        self._faults += 1
        if self._faults > REPORTED_FAULTS:
            return [error]
        return [error, Remark(f"line {error.line} of the bot: {error.message}")]

    def _complaint(self, line: line_types.FromBot, message: str) -> Effects:
        return self._fault(line_types.Fault(message, mark_of(line)))

    def _loading(self, line: line_types.FromBot) -> Effects:
        match line:
            case line_types.BotReady(protocol=protocol) if protocol != PROTOCOL:
                reason = f"the bot speaks protocol {protocol}, expected {PROTOCOL}"
                return [*self._complaint(line, reason), line_game.BreakOff(reason)]
            case line_types.BotReady():
                self.ready, self.stage = line, BotStage.JOINING
                return [line_game.Join()]
            case line_types.BotLeave():
                return self._leave()
            case _:
                return self._complaint(line, "expected ready as the first line")

    def _playing(self, game: LineGame, line: line_types.FromBot, now: float) -> Effects:
        if isinstance(line, line_types.BotLeave):
            return self._leave()
        if isinstance(line, line_types.BotReady):
            return self._complaint(line, "found a second ready")
        try:
            return bot_lines.take(game, line, now)
        except ValueError as error:
            return [bot_lines.failure(line, error)]

    def _between(self, line: line_types.FromBot) -> Effects:
        """Take a line while no game is played: answers may come too late."""
        if isinstance(line, line_types.BotLeave):
            return self._leave()
        if self._game is not None and isinstance(line, line_types.BotOrders):
            return bot_lines.late_orders(self._game, line, "the game is over")
        if self._game is not None and not isinstance(line, line_types.BotReady):
            return [bot_lines.failure(line, ValueError("the game is over"))]
        return self._complaint(line, "no game has begun")

    def _leave(self) -> Effects:
        self.stage = BotStage.OVER
        return [line_game.LeaveGame()]

    # Messages of the server

    def from_server(self, message: ServerMessage, now: float) -> Effects:
        """Return the effects of a message of the server."""
        assert self._game is not None
        if self.stage is not BotStage.PLAYING:
            return []
        effects = server_lines.take(self._game, message, now)
        if isinstance(message, SwitchOff):
            return [*effects, *self.broken_off()]
        return [*effects, *self._end_if_over(self._game)]

    def unreadable(self, tokens: Tokens) -> Effects:
        """Return the effects of a message that no document describes."""
        if self._game is None or not self._game.wants("daide"):
            return []
        return [line_types.DaideLine(to_text(tokens, self._game.vocabulary))]

    def _end_if_over(self, game: LineGame) -> Effects:
        # SMR is the last message of a game; NOW may come after it.
        return self._end(over_line(game)) if game.facts.summary is not None else []

    def broken_off(self) -> Effects:
        """Report the end of a game that was cut off."""
        if self._game is None or self.stage is not BotStage.PLAYING:
            return []
        return self._end(over_line(self._game))

    def _end(self, line: line_types.OverLine) -> Effects:
        assert self.ready is not None
        again = "again" in self.ready.wants
        self.stage = BotStage.JOINING if again else BotStage.OVER
        self.is_over = True
        return [line]

    # Time

    @property
    def alarm(self) -> float | None:
        """Return when to call `tick`."""
        game = self._game
        if game is None or self.stage is not BotStage.PLAYING:
            return None
        return None if game.waits or game.desk.is_complete else game.filling.at

    def tick(self, now: float) -> Effects:
        """Complete the orders, if it is time."""
        alarm = self.alarm
        if alarm is None or now < alarm:
            return []
        assert self._game is not None
        self._game.filling.note_filled()
        completion = self._game.desk.completion()
        filled = Remark(
            f"completed orders of {completion.line().phase}: "
            + ", ".join(completion.texts)
        )
        return [filled, *self._game.submit(completion)]
