"""Sums and means of points over games, by bot or by power.

A bot that has several seats in a game counts with its mean there. Games are taken as
independent of each other, and their number as fixed before: see `intervals`.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from statistics import fmean
from typing import Literal

from attrs import field

from daide_server.board.names import Power
from daide_server.classes import define, frozen
from daide_server.formats.phase_json.map_names import names_of
from daide_server.records.record import GameRecord
from daide_server.scoring.game_result import Points
from daide_server.tournament.intervals import Interval, fixed_interval

Grouping = Literal["bot", "power"]

NO_NAME = "(no name)"
"""Of a bot in a record that does not say who played."""


@frozen
class ScoreSum:
    """The points of a bot or power by a system in all its games.

    `mean` is per game; `interval` is that of the mean, `None` for fewer than ten games.
    """

    name: str
    system: str
    games: int
    seats: int
    total: Fraction
    mean: float
    interval: Interval | None


@define
class ScoreSums:
    """Adds up the points of games, by bot or by power."""

    grouping: Grouping
    points: dict[tuple[str, str], list[tuple[Fraction, int]]] = field(factory=dict)
    """Of each game, with the seats, by system and name."""

    def add(self, record: GameRecord, scored: Mapping[str, Points]) -> None:
        """Add the points of a game, by the names of scoring systems."""
        groups: dict[str, list[Power]] = {}
        for power, text in names_of(record.variant.map).powers.items():
            name = bot_name(record, power) if self.grouping == "bot" else text
            groups.setdefault(name, []).append(power)
        for system, given in scored.items():
            for name, powers in groups.items():
                total = sum((given[power] for power in powers), Fraction())
                found = self.points.setdefault((system, name), [])
                found.append((total, len(powers)))

    def update(self, later: "ScoreSums") -> None:
        """Add the points of *later* games, which were added up elsewhere."""
        for key, games in later.points.items():
            self.points.setdefault(key, []).extend(games)

    def sums(self) -> Iterator[ScoreSum]:
        """Yield the sums by system, the best mean first."""
        for system in dict.fromkeys(system for system, _ in self.points):
            found = [
                _sum(name, system, games)
                for (of, name), games in self.points.items()
                if of == system
            ]
            yield from sorted(found, key=lambda each: (-each.mean, each.name))


def bot_name(record: GameRecord, power: Power) -> str:
    """Return the name of the client that played *power*."""
    sitting = record.player(power)
    return sitting.name if sitting and sitting.name else NO_NAME


def _sum(name: str, system: str, games: list[tuple[Fraction, int]]) -> ScoreSum:
    means = [float(total / seats) for total, seats in games]
    return ScoreSum(
        name=name,
        system=system,
        games=len(games),
        seats=sum(seats for _, seats in games),
        total=sum((total for total, _ in games), Fraction()),
        mean=fmean(means),
        interval=fixed_interval(means),
    )
