"""Outcomes of the attempts at a game, the ledger of those that count, and incidents.

A forfeit is a bot's fault: the game counts. A void game failed because of the machine:
it does not count, and is repeated unchanged. An unfinished game was interrupted. The
first played outcome that is stored for a game counts; later ones are ignored.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import merge
from typing import ClassVar, Literal

from attrs import Factory, define, evolve, field, frozen

from daide_server.board.names import Power
from daide_server.scoring.game_result import GameResult, SeatEnd
from daide_server.scoring.systems import points, score
from daide_server.usage import NO_TURNS, ThinkTimes, Usage

from .description import TournamentDescription
from .plan import Plan
from .worker_deaths import WorkerDeaths

RETRY_AFTER = 30
"""The number of other games to play before a game whose worker was killed is repeated:
they may show which bot is at fault."""


@frozen
class Forfeit:
    """A bot stopped playing through its own fault, not that of server or machine.

    `turn` is the turn (`F1905M`; `None`: before the first), `output` the end of the
    bot's output.
    """

    turn: str | None
    reason: str
    output: str = ""

    @property
    def text(self) -> str:
        """Return when and why, in the form of records."""
        return self.reason if self.turn is None else f"{self.turn}: {self.reason}"

    @property
    def sentence(self) -> str:
        """Return the text that follows the name of the bot in a message."""
        when = f" in {self.turn}" if self.turn else ""
        return f"forfeited{when}: {self.reason}"


@frozen
class SeatOutcome:
    """How one seat of a game was played, and its score.

    `bot` is the bot's number, `said_name` and `version` those in its NME. `stand_in`:
    whether a holding bot played there from the start. `refused` is the number of
    rejected orders, `late` that of late turns. `box` is the sandbox of its program,
    `usage` the sum of the language model usage that the bot reported, `never_ordered`
    whether it played without any order.

    The last four are set by `scored`: `score` from 0 to 1, `place` from 1, shared if
    tied. A forfeited seat has the last place, whatever its units reached: otherwise a
    bot that never moves would be rated above one that plays badly.
    """

    bot: int
    power: Power
    version: str = ""
    forfeit: Forfeit | None = None
    stand_in: bool = False
    refused: int = 0
    late: int = 0
    think_times: ThinkTimes = NO_TURNS
    said_name: str = ""
    box: str = ""
    usage: Usage | None = None
    never_ordered: bool = False
    score: float = 0.0
    end: SeatEnd = SeatEnd.SURVIVED
    centres: int = 0
    place: float = 0.0


@frozen
class PlayedGame:
    """A game that was played to its end; `result` is the input of scoring systems.

    `centres_by_year` has the supply centres of each power at the start and after each
    year; it may be empty, because only pictures need it. `ending` is that of the
    record; outcomes of version 0.2.0 have none. `scoring` is the scoring by which its
    seats have been scored, if they have.
    """

    game: int
    attempt: int
    result: GameResult
    seats: tuple[SeatOutcome, ...]
    centres_by_year: Mapping[Power, tuple[int, ...]] = {}
    ending: str = ""
    scoring: str = ""

    @property
    def bots(self) -> Sequence[int]:
        """The number of the bot of each seat."""
        return [seat.bot for seat in self.seats]

    @property
    def forfeits(self) -> frozenset[int]:
        """The numbers of the bots that forfeited, in any of their seats."""
        return frozenset([seat.bot for seat in self.seats if seat.forfeit])


def scored(played: PlayedGame, description: TournamentDescription) -> PlayedGame:
    """Return *played* with its seats scored as *description* says.

    Scores are shares of the points of its system. Unless forfeits are scored as played,
    a forfeited seat has 0, and the others what they would have anyway. Raises
    `ScoringError` if the system does not fit the board.
    """
    if played.scoring == description.scoring:
        return played
    result, keeps = played.result, description.forfeit_score == "as played"
    shares, places = score(points(description.rank_by, result)), _places(played)
    seats = tuple(
        evolve(
            seat,
            score=float(shares[seat.power]) if keeps or not seat.forfeit else 0.0,
            end=result.end_of(seat.power),
            centres=result.centres[seat.power],
            place=places[seat.power],
        )
        for seat in played.seats
    )
    return evolve(played, seats=seats, scoring=description.scoring)


def _places(played: PlayedGame) -> dict[Power, float]:
    """Return the place of each power: the soloist, then by centres and elimination.

    Forfeited powers share the last places.
    """
    result = played.result
    keys = {
        seat.power: (0,)
        if seat.forfeit
        else (1, seat.power == result.soloist, *result.by_elimination(seat.power))
        for seat in played.seats
    }
    order = sorted(keys.values(), reverse=True)
    return {
        power: order.index(key) + (order.count(key) + 1) / 2
        for power, key in keys.items()
    }


def without_details(played: PlayedGame) -> PlayedGame:
    """Return *played* without data for reports only: times, and centres by year."""
    seats = tuple(evolve(seat, think_times=NO_TURNS) for seat in played.seats)
    return evolve(played, seats=seats, centres_by_year={})


@frozen
class VoidGame:
    """A game that failed because of the machine: it does not count, and is repeated.

    If its worker was killed, `suspects` are the numbers of the bots whose programs were
    running; any of them may have done that. `blamed` are those whose late start, or
    crash, made the game void.
    """

    game: int
    attempt: int
    reason: str
    suspects: tuple[int, ...] = ()
    blamed: tuple[int, ...] = ()

    @property
    def bots(self) -> Sequence[int]:
        """The bots that caused it, or may have caused it."""
        return (*self.suspects, *self.blamed)


@frozen
class Attempt:
    """A game to be played now; attempts are numbered from 1."""

    game: int
    number: int


@frozen
class UnfinishedGame:
    """A game that was interrupted: the attempt counts neither as a game nor a retry."""

    game: int
    attempt: int
    bots: ClassVar[Sequence[int]] = ()


GameOutcome = PlayedGame | VoidGame | UnfinishedGame


def mismatch(outcome: GameOutcome, description: TournamentDescription) -> str | None:
    """Return why *outcome* cannot belong to a game of *description*, if it cannot."""
    bots = range(len(description.bots))
    strangers = [bot for bot in outcome.bots if bot not in bots]
    if strangers:
        return f"found bot {strangers[0]}, expected 0 to {bots[-1]}"
    if not isinstance(outcome, PlayedGame):
        return None
    result, powers = outcome.result, description.powers
    seats = tuple([seat.power for seat in outcome.seats])
    if seats != powers:
        return f"found seats of {seats}, expected {powers}"
    strange = [seat.score for seat in outcome.seats if not 0 <= seat.score <= 1]
    if strange:
        return f"found a score of {strange[0]}, expected 0 to 1"
    if result.centres.keys() != set(powers):
        return f"found centres of {sorted(result.centres)}, expected {sorted(powers)}"
    counts = result.centres.values()
    if min(counts) < 0 or sum(counts) > result.supply:
        return f"found {[*counts]} centres, expected {result.supply} at most in all"
    if result.soloist not in (None, *powers):
        return f"found the soloist {result.soloist!r}, expected one of {powers}"
    return None


@define
class Ledger:
    """The outcomes that count, added one by one in the order of the store.

    Seats of played games are scored. `planned` has (first block, games planned) pairs,
    in order. `finished_blocks` is the number of leading blocks of the plan in which
    every game has been played, or given up.
    """

    plan: Plan
    planned: Sequence[tuple[int, int]] = Factory(
        lambda self: ((1, self.plan.games),), takes_self=True
    )
    played: dict[int, PlayedGame] = field(factory=dict, init=False)
    voids: dict[int, list[VoidGame]] = field(factory=dict, init=False)
    finished_blocks: int = field(default=0, init=False)
    benched: set[int] = field(factory=set, init=False)
    """The bots that forfeited `bench_after` games in a row."""
    retired: frozenset[int] = field(default=frozenset(), init=False)
    """The bots that were retired from a ladder."""
    deaths: WorkerDeaths = field(factory=WorkerDeaths, init=False)
    _attempts: Counter[int] = field(factory=Counter, init=False)
    _forfeits_in_a_row: Counter[int] = field(factory=Counter, init=False)

    def add(self, outcome: GameOutcome) -> bool:
        """Add *outcome*; return whether it counts: if the game had none before."""
        before = self._attempts.get(outcome.game, 0)
        self._attempts[outcome.game] = max(before, outcome.attempt)
        if outcome.game in self.played:
            return False
        match outcome:
            case PlayedGame():
                outcome = scored(outcome, self.plan.description)
                self.played[outcome.game] = outcome
                self._bench(outcome)
                self.deaths.add_played(
                    seat.bot for seat in outcome.seats if not seat.stand_in
                )
            case VoidGame():
                self.voids.setdefault(outcome.game, []).append(outcome)
                if outcome.suspects:
                    self.deaths.add_lost(outcome.game, outcome.suspects)
            case UnfinishedGame():
                return True
        self._advance()
        return True

    @property
    def unplayed(self) -> tuple[int, ...]:
        """The games that are not played: void too often, or without a benched bot."""
        games = range(1, self.plan.games + 1) if self._left_out else sorted(self.voids)
        return tuple(
            game for game in games if game not in self.played and self.is_settled(game)
        )

    def left_out_of(self, game: int) -> frozenset[int]:
        """Return the bots because of which *game* is no longer played."""
        left_out = self._left_out
        return left_out.intersection(self.plan.bots(game)) if left_out else left_out

    @property
    def _left_out(self) -> frozenset[int]:
        can_leave_out = self.plan.design.can_leave_out
        return self.retired | self.benched if can_leave_out else frozenset()

    def change(self, plan: Plan) -> None:
        """Use another *plan* of the same games, which may score them differently."""
        self.plan = plan
        for number, game in self.played.items():
            self.played[number] = scored(game, plan.description)

    def planned_at(self, block: int) -> int:
        """Return how many games were planned when *block* began."""
        return [games for first, games in self.planned if first <= block][-1]

    def retire(self, bots: Iterable[int]) -> None:
        """Remove *bots* from the games of a ladder that are not played yet."""
        self.retired = frozenset(bots)
        self._advance()

    def is_settled(self, game: int) -> bool:
        """Return whether *game* need not be played any more."""
        if game in self.played:
            return True
        is_given_up = len(self.voids.get(game, ())) > self.plan.description.retries
        return is_given_up or bool(self.left_out_of(game))

    def is_complete(self) -> bool:
        """Return whether no game of the plan is left to play."""
        return self.finished_blocks == self.plan.blocks

    def to_play(self, running: Iterable[int] = ()) -> Iterator[Attempt]:
        """Return the remaining games, except those *running*.

        In the order of the plan, but later for games whose worker was killed while the
        fault is not known.
        """
        busy, later = frozenset(running), self.deaths.lost
        done = self.plan.block_games(self.finished_blocks + 1).start
        usual = (game for game in range(done, self.plan.games + 1) if game not in later)
        for game in merge(usual, sorted(later, key=self._order), key=self._order):
            if game not in busy and not self.is_settled(game):
                yield Attempt(game, self._attempts[game] + 1)

    def _order(self, game: int) -> int:
        """Return the sort key of *game* among the remaining games."""
        is_lost = game in self.deaths.lost
        return game + RETRY_AFTER * self._attempts[game] * is_lost

    def blocks(self) -> Iterator[tuple[PlayedGame, ...]]:
        """Return the played games of each finished block, in the order of the plan."""
        return map(self.block, range(1, self.finished_blocks + 1))

    def block(self, number: int) -> tuple[PlayedGame, ...]:
        """Return the played games of block *number*, in the order of the plan."""
        games = self.plan.block_games(number)
        return tuple(self.played[game] for game in games if game in self.played)

    def _advance(self) -> None:
        while self.finished_blocks < self.plan.blocks and all(
            map(self.is_settled, self.plan.block_games(self.finished_blocks + 1))
        ):
            self.finished_blocks += 1

    def _bench(self, outcome: PlayedGame) -> None:
        """Bench the bots that have now forfeited too many games in a row."""
        forfeits = outcome.forfeits
        for bot in {seat.bot for seat in outcome.seats}:
            row = self._forfeits_in_a_row[bot] + 1 if bot in forfeits else 0
            self._forfeits_in_a_row[bot] = row
            if 0 < row == self.plan.description.bench_after:
                self.benched.add(bot)


IncidentKind = Literal["forfeit", "void", "stand-in"]


@frozen
class Incident:
    """A forfeit, a void game, or a seat that a stand-in played from the start.

    `bot` and `power` are `None` for a void game that is nobody's fault. `turn` is
    `None` before the first. `afterwards` says what became of a void game, `output` is
    the end of the bot's output.
    """

    kind: IncidentKind
    attempt: Attempt
    reason: str
    bot: str | None = None
    power: Power | None = None
    turn: str | None = None
    output: str = ""
    afterwards: str = ""


STOOD_IN = Forfeit(None, "a bot that holds played in its place")


def incidents(ledger: Ledger) -> Iterator[Incident]:
    """Yield the incidents in all played and void games, by game."""
    names = [bot.name for bot in ledger.plan.description.bots]
    for game in sorted({*ledger.played, *ledger.voids}):
        for void in ledger.voids.get(game, ()):
            attempt, afterwards = Attempt(game, void.attempt), _afterwards(ledger, game)
            yield Incident("void", attempt, void.reason, afterwards=afterwards)
        played = ledger.played.get(game)
        for seat in played.seats if played else ():
            found = seat.forfeit or (STOOD_IN if seat.stand_in else None)
            if played is not None and found is not None:
                kind: IncidentKind = "forfeit" if seat.forfeit else "stand-in"
                where = Attempt(game, played.attempt), found.reason, names[seat.bot]
                yield Incident(kind, *where, seat.power, found.turn, found.output)


def _afterwards(ledger: Ledger, game: int) -> str:
    """Return what became of *game* after it was void."""
    if game in ledger.played:
        return f"played in attempt {ledger.played[game].attempt}"
    is_settled = ledger.is_settled(game)
    return "given up after its retries" if is_settled else "to be played again"
