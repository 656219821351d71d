"""The figures of each seat of a game, and their sums over the games of each bot.

They follow from the game's result, so they can be cached and computed again. A bot with
copies counts with its mean per game.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from math import sqrt
from statistics import fmean, pvariance
from typing import Final

from attrs import define, field, frozen

from daide_server.board.names import Power
from daide_server.scoring.game_result import SeatEnd
from daide_server.scoring.systems import points, score

from .description import TournamentDescription
from .game_outcomes import Ledger, PlayedGame


@frozen
class SeatFigures:
    """A seat of a played game: `score` from 0 to 1, `place` from 1, shared if tied.

    A seat that was forfeited has the last place, whatever its units reached: else a
    bot that never moves would be rated above one that plays badly.
    """

    bot: int
    power: Power
    score: float
    end: SeatEnd
    centres: int
    place: float
    forfeited: bool


GameFigures = tuple[SeatFigures, ...]
FiguresOf = Callable[[PlayedGame], GameFigures]


def figures_by(description: TournamentDescription) -> FiguresOf:
    """Return the function that computes a game's figures as *description* demands."""
    keeps = description.forfeit_score == "as played"
    return partial(game_figures, system=description.rank_by, forfeits_score=keeps)


def game_figures(
    played: PlayedGame, *, system: str, forfeits_score: bool
) -> GameFigures:
    """Return the figures of *played*; scores are shares of the points of *system*.

    Unless *forfeits_score*, a seat that was forfeited has 0, and the others what they
    would have anyway. Raises `ScoringError` if the system does not fit the board.
    """
    result = played.result
    shares = score(points(system, result))
    places = _places(played)
    return tuple(
        SeatFigures(
            bot=seat.bot,
            power=seat.power,
            score=0.0
            if seat.forfeit and not forfeits_score
            else float(shares[seat.power]),
            end=result.end_of(seat.power),
            centres=result.centres[seat.power],
            place=places[seat.power],
            forfeited=seat.forfeit is not None,
        )
        for seat in played.seats
    )


def _places(played: PlayedGame) -> dict[Power, float]:
    """Return the place of each power: the soloist, then by centres, then by death.

    Powers that were forfeited share the last places.
    """
    result = played.result
    keys = {
        seat.power: (
            1,
            seat.power == result.soloist,
            *result.by_elimination(seat.power),
        )
        if seat.forfeit is None
        else (0,)
        for seat in played.seats
    }
    order = sorted(keys.values(), reverse=True)
    return {
        power: order.index(key) + (order.count(key) + 1) / 2
        for power, key in keys.items()
    }


@define
class Remembered:
    """Figures of games, each made once."""

    make: FiguresOf
    known: dict[int, GameFigures] = field(factory=dict)

    def __call__(self, played: PlayedGame) -> GameFigures:
        """Return the figures of *played*."""
        found = self.known.get(played.game)
        if found is None:
            found = self.known[played.game] = self.make(played)
        return found


FEWEST_SEEN: Final = 10
"""Games that say how much scores vary."""


@define
class Tally:
    """Sums over the games of one bot; `scores` has a list of its games per block.

    `clean` has the scores of the games that nobody forfeited, `won` for each number of
    seats that the bot had in a game whether it won each such game.
    """

    scores: list[list[float]] = field(factory=list)
    ends: dict[SeatEnd, float] = field(factory=lambda: dict.fromkeys(SeatEnd, 0.0))
    centres: float = 0.0
    places: float = 0.0
    by_power: defaultdict[Power, list[float]] = field(factory=lambda: defaultdict(list))
    clean: list[float] = field(factory=list)
    won: defaultdict[int, list[bool]] = field(factory=lambda: defaultdict(list))

    @property
    def games(self) -> int:
        """How many games the bot had a seat in."""
        return sum(map(len, self.scores))

    @property
    def score(self) -> float:
        """The mean score; there must be a game."""
        return sum(map(sum, self.scores)) / self.games

    @property
    def block_means(self) -> list[float]:
        """The mean score of each block in which the bot played."""
        return [sum(scores) / len(scores) for scores in self.scores if scores]

    def add(self, seats: Sequence[SeatFigures], *, is_clean: bool) -> None:
        """Count a game of the last block, in which the bot had *seats*."""
        share, total = 1 / len(seats), 0.0
        for seat in seats:
            total += seat.score
            self.ends[seat.end] += share
            self.centres += seat.centres * share
            self.places += seat.place * share
            self.by_power[seat.power].append(seat.score)
        self.won[len(seats)].append(any(seat.end is SeatEnd.WIN for seat in seats))
        self.scores[-1].append(total * share)
        if is_clean:
            self.clean.append(total * share)


def tally_blocks(ledger: Ledger, figures_of: FiguresOf) -> tuple[Tally, ...]:
    """Return the tally of each bot over the finished blocks of *ledger*."""
    tallies = tuple(Tally() for _ in ledger.plan.description.bots)
    for block in ledger.blocks():
        for tally in tallies:
            tally.scores.append([])
        for game in block:
            _add_game(tallies, figures_of(game))
    return tallies


def score_deviation(tallies: Sequence[Tally]) -> float | None:
    """Return how much the scores of a bot vary from game to game, for all bots.

    `None` before there are ten games of any.
    """
    scores = [list(chain(*tally.scores)) for tally in tallies]
    seen = [pvariance(each) for each in scores if len(each) >= FEWEST_SEEN]
    return sqrt(fmean(seen)) if seen else None


def _add_game(tallies: Sequence[Tally], game: GameFigures) -> None:
    is_clean = not any(seat.forfeited for seat in game)
    for bot, seats in seats_of_bots(game).items():
        tallies[bot].add(seats, is_clean=is_clean)


def seats_of_bots(game: GameFigures) -> dict[int, list[SeatFigures]]:
    """Return the seats of each bot that plays in *game*."""
    seats: defaultdict[int, list[SeatFigures]] = defaultdict(list)
    for seat in game:
        seats[seat.bot].append(seat)
    return seats


def game_scores(game: GameFigures) -> dict[int, float]:
    """Return the mean score of each bot that plays in *game*."""
    return {
        bot: fmean(seat.score for seat in seats)
        for bot, seats in seats_of_bots(game).items()
    }
