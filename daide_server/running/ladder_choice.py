"""The next game of a ladder: decided from the results so far, and stored."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from itertools import permutations
from typing import Final

from attrs import define, evolve, field

from daide_server.errors import ReportedError
from daide_server.tournament.description import refusal
from daide_server.tournament.designs import Block
from daide_server.tournament.game_outcomes import Attempt
from daide_server.tournament.plan import (
    LadderBot,
    ladder_draws,
    ladder_plan,
    next_line_up,
)
from daide_server.tournament.ratings import POINTS_PER_UNIT, Rating, bot_ratings

from .errors import RefusedChangeError
from .tournament_file import TournamentFile, read_tournament
from .tournament_state import TournamentState

REFIT_SHARE: Final = 20
"""Ratings are fitted again when there are a twentieth more games, or ten."""
REFIT_GAMES: Final = 10


@define
class LadderChoice:
    """Decides line-ups of *state*, one at a time; *tell* hears of its file."""

    state: TournamentState
    tell: Callable[[str], None]
    _held: defaultdict[int, Counter[int]] = field(
        factory=lambda: defaultdict(Counter), init=False
    )
    """How often each bot had each seat, and met each other, in the games counted."""
    _met: defaultdict[int, Counter[int]] = field(
        factory=lambda: defaultdict(Counter), init=False
    )
    _counted: int = field(default=0, init=False)
    _ratings: Sequence[Rating] = field(default=(), init=False)
    _fitted: int = field(default=-1, init=False)
    _read: int = field(default=0, init=False)
    _told: str = field(default="", init=False)

    def decide(
        self, running: Sequence[int], waiting: Collection[int] = ()
    ) -> Attempt | None:
        """Store a new game and return it; `None` if no bot is free.

        *running* are the games that are being played; bots that are *waiting* begin
        none now.
        """
        self._read_again()
        bots = self._bots(running, waiting)
        if not bots:
            return None
        state, plan = self.state, self.state.plan
        game = plan.games + 1
        powers = plan.description.powers
        draws = ladder_draws(plan.description.seed, game)
        line_up = next_line_up(bots, len(powers), draws)
        state.results.decide(game, line_up)
        line_ups = (*(block[0] for block in plan.design.blocks), line_up)
        state.ledger.plan = ladder_plan(plan.description, line_ups)
        return Attempt(game, 1)

    def _bots(
        self, running: Sequence[int], waiting: Collection[int]
    ) -> list[LadderBot]:
        """Return the bots that may play now."""
        plan, settings = self.state.plan, self.state.file.bots
        ledger = self.state.ledger
        left_out = ledger.retired | ledger.benched | ledger.deaths.at_fault
        seats = len(plan.description.powers)
        busy = Counter(bot for game in running for bot in plan.bots(game))
        self._count(plan.design.blocks)
        ratings = {rating.bot: rating for rating in self._current_ratings()}
        return [
            self._ladder_bot(number, ratings.get(number), seats)
            for number, bot in enumerate(settings)
            if number not in left_out
            and not 0 < bot.at_once <= busy[number]
            and number not in waiting
        ]

    def _count(self, blocks: Sequence[Block]) -> None:
        """Count the games of *blocks* that came since; each block is a game."""
        for (line_up,) in blocks[self._counted :]:
            for seat, bot in enumerate(line_up):
                self._held[bot][seat] += 1
            for one, other in permutations(set(line_up), 2):
                self._met[one][other] += 1
        self._counted = len(blocks)

    def _ladder_bot(self, number: int, rating: Rating | None, seats: int) -> LadderBot:
        held = tuple(self._held[number][seat] for seat in range(seats))
        bot = LadderBot(number, held=held, met=dict(self._met[number]))
        if rating is None or rating.low is None or rating.high is None:
            return bot
        skill, width = rating.points, rating.high - rating.low
        return evolve(bot, skill=skill / POINTS_PER_UNIT, width=width / POINTS_PER_UNIT)

    def _current_ratings(self) -> Sequence[Rating]:
        ledger = self.state.ledger
        games = ledger.finished_blocks
        wait = max(REFIT_GAMES, self._fitted // REFIT_SHARE)
        if games and (self._fitted < 0 or games >= self._fitted + wait):
            self._fitted = games
            self._ratings = bot_ratings(ledger)
        return self._ratings

    def _read_again(self) -> None:
        """Take bots that were added to the file, or retired, since it was read.

        A file that cannot be read may be half written: the last one counts meanwhile.
        """
        try:
            changed = self.state.folder.file.stat().st_mtime_ns
            if changed != self._read:
                self._read = changed
                self._take(read_tournament(self.state.folder.file))
                self._told = ""
        except (OSError, ReportedError) as error:
            reason = " ".join(str(error).split())
            if reason != self._told:
                self._told = reason
                self.tell(f"the file as it was before counts on: {reason}")

    def _take(self, file: TournamentFile) -> None:
        """Play with the bots of *file*; if refused, nothing changes."""
        state, described = self.state, file.description()
        reason = refusal(state.plan.description, described)
        if reason is not None:
            message = f"{state.folder.file}: {reason}"
            raise RefusedChangeError(message)
        line_ups = tuple(block[0] for block in state.plan.design.blocks)
        plan = ladder_plan(described, line_ups)
        state.results.change(plan, len(line_ups))
        state.file = file
        state.ledger.change(plan)
        state.ledger.retire(file.retired)
