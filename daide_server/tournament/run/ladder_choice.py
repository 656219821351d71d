"""The next game of a ladder: chosen by the results so far, and stored."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from attrs import define, field

from daide_server.errors import ReportedError
from daide_server.tournament.designs import Balance
from daide_server.tournament.game_outcomes import Attempt
from daide_server.tournament.plan import LadderBot, ladder_draws, next_line_up, plan_of
from daide_server.tournament.ratings import POINTS_PER_UNIT, Rating, bot_ratings

from .tournament_file import TournamentFile, read_tournament
from .tournament_state import TournamentState, refuse

REFIT_SHARE = 20
REFIT_GAMES = 10
"""Ratings are fitted again after 1/20 more games, or after 10 if that is more."""


@define
class LadderChoice:
    """Chooses line-ups for *state*, one at a time; *tell* is called about its file."""

    state: TournamentState
    tell: Callable[[str], None]
    _before: Balance = field(init=False)
    """The counts of the chosen games, of which `_counted` are included."""
    _counted: int = field(default=0, init=False)
    _ratings: Sequence[Rating] = field(default=(), init=False)
    _fitted: int = field(default=-1, init=False)
    _read: int = field(default=0, init=False)
    _told: str = field(default="", init=False)

    def __attrs_post_init__(self) -> None:
        described = self.state.plan.description
        self._before = Balance(len(described.bots), len(described.powers))

    def decide(
        self, running: Sequence[int], waiting: Collection[int] = ()
    ) -> Attempt | None:
        """Store a new game and return it; `None` if no bot is free.

        *running* are the games in progress; *waiting* bots start no game now.
        """
        self._read_again()
        bots = self._bots(running, waiting)
        if not bots:
            return None
        state, plan = self.state, self.state.plan
        game = plan.games + 1
        draws = ladder_draws(plan.description.seed, game)
        line_up = next_line_up(bots, self._before, draws)
        state.results.decide(game, line_up)
        line_ups = (*(block[0] for block in plan.design.blocks), line_up)
        state.ledger.plan = plan_of(plan.description, line_ups)
        return Attempt(game, 1)

    def _bots(
        self, running: Sequence[int], waiting: Collection[int]
    ) -> list[LadderBot]:
        """Return the bots that may play now."""
        plan, settings = self.state.plan, self.state.file.bots
        ledger = self.state.ledger
        left_out = ledger.retired | ledger.benched | ledger.deaths.at_fault
        busy = Counter(bot for game in running for bot in plan.bots(game))
        decided = plan.design.blocks
        self._before.add(game for (game,) in decided[self._counted :])
        self._counted = len(decided)
        ratings = {rating.bot: rating for rating in self._current_ratings()}
        return [
            _ladder_bot(number, ratings.get(number))
            for number, bot in enumerate(settings)
            if number not in left_out
            and not 0 < bot.at_once <= busy[number]
            and number not in waiting
        ]

    def _current_ratings(self) -> Sequence[Rating]:
        ledger = self.state.ledger
        games = ledger.finished_blocks
        wait = max(REFIT_GAMES, self._fitted // REFIT_SHARE)
        if games and (self._fitted < 0 or games >= self._fitted + wait):
            self._fitted = games
            self._ratings = bot_ratings(ledger)
        return self._ratings

    def _read_again(self) -> None:
        """Apply bots that were added or retired in the file since it was read.

        A file that cannot be read may be incomplete: the previous one stays in force.
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
                self.tell(f"continuing with the previous version of the file: {reason}")

    def _take(self, file: TournamentFile) -> None:
        """Use the bots of *file*; if they are refused, nothing changes."""
        state, described = self.state, file.description()
        refuse(state.folder.file, state.plan.description, described)
        line_ups = tuple(block[0] for block in state.plan.design.blocks)
        plan = plan_of(described, line_ups)
        state.results.change(plan, len(line_ups))
        state.file = file
        state.ledger.change(plan)
        state.ledger.retire(file.retired)


def _ladder_bot(number: int, rating: Rating | None) -> LadderBot:
    if rating is None or rating.low is None or rating.high is None:
        return LadderBot(number)
    width = rating.high - rating.low
    return LadderBot(number, rating.points / POINTS_PER_UNIT, width / POINTS_PER_UNIT)
