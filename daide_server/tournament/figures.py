"""Sums over the games of each bot; one with copies counts with its mean per game."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from math import sqrt
from statistics import fmean, pvariance
from typing import Final

from attrs import define, field

from daide_server.board.names import Power
from daide_server.scoring.game_result import SeatEnd

from .game_outcomes import Ledger, PlayedGame, SeatOutcome

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

    def add(self, seats: Sequence[SeatOutcome], *, is_clean: bool) -> None:
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


def tally_blocks(ledger: Ledger) -> tuple[Tally, ...]:
    """Return the tally of each bot over the finished blocks of *ledger*."""
    tallies = tuple(Tally() for _ in ledger.plan.description.bots)
    for block in ledger.blocks():
        for tally in tallies:
            tally.scores.append([])
        for game in block:
            is_clean = not game.forfeits
            for bot, seats in seats_of_bots(game).items():
                tallies[bot].add(seats, is_clean=is_clean)
    return tallies


def score_deviation(tallies: Sequence[Tally]) -> float | None:
    """Return how much the scores of a bot vary from game to game, for all bots.

    `None` before there are ten games of any.
    """
    scores = [list(chain(*tally.scores)) for tally in tallies]
    seen = [pvariance(each) for each in scores if len(each) >= FEWEST_SEEN]
    return sqrt(fmean(seen)) if seen else None


def seats_of_bots(game: PlayedGame) -> dict[int, list[SeatOutcome]]:
    """Return the seats of each bot that plays in *game*."""
    seats: defaultdict[int, list[SeatOutcome]] = defaultdict(list)
    for seat in game.seats:
        seats[seat.bot].append(seat)
    return seats


def game_scores(game: PlayedGame) -> dict[int, float]:
    """Return the mean score of each bot that plays in *game*."""
    return {
        bot: fmean(seat.score for seat in seats)
        for bot, seats in seats_of_bots(game).items()
    }
