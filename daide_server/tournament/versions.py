"""How each version of a bot did that changed while its tournament was played.

A version is what a bot says in NME. Versions of one bot are never in the same game;
they compare because each met the same field, in blocks of the same design.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean

from attrs import field

from daide_server.classes import define, frozen

from .figures import FiguresOf
from .game_outcomes import Ledger, PlayedGame, SeatOutcome
from .intervals import Interval, difference_interval, fixed_interval
from .tallies import seats_of_bots


@frozen
class VersionResult:
    """A version of a bot: its games in finished blocks and its mean score there.

    `change` is its score less that of the version before it (`None`: it is the first).
    Both have an interval for a fixed number of games if there are enough blocks.
    """

    bot: int
    version: str
    games: int
    score: float
    interval: Interval | None
    change: float | None
    change_interval: Interval | None


def version_results(ledger: Ledger, figures_of: FiguresOf) -> tuple[VersionResult, ...]:
    """Return the versions of each bot that had several, in the order of their games.

    A seat whose bot said no version, as one that never joined, counts for the version
    before, or the first. A ladder has none: its scores do not compare.
    """
    if ledger.plan.description.is_ladder:
        return ()
    played = _Versions(_first_versions(ledger))
    for block in ledger.blocks():
        for of in played.scores.values():
            of.blocks.append([])
        for game in block:
            _add_game(played, game, figures_of)
    by_bot: defaultdict[int, list[_Scores]] = defaultdict(list)
    for (bot, _), scores in played.scores.items():
        by_bot[bot].append(scores)
    return tuple(
        result
        for bot in sorted(by_bot)
        if len(by_bot[bot]) > 1
        for result in _results(bot, by_bot[bot])
    )


@define
class _Scores:
    """The scores of a version in its games of each block since its first one."""

    version: str
    blocks: list[list[float]] = field(factory=lambda: [[]])

    @property
    def means(self) -> list[float]:
        return [fmean(block) for block in self.blocks if block]

    @property
    def all(self) -> list[float]:
        return [score for block in self.blocks for score in block]


@define
class _Versions:
    """The scores by bot and version; `latest` has the version of each bot."""

    latest: dict[int, str]
    scores: dict[tuple[int, str], _Scores] = field(factory=dict)

    def of(self, seat: SeatOutcome) -> _Scores:
        """Return the scores that *seat* counts for."""
        version = seat.version or self.latest.get(seat.bot, "")
        self.latest[seat.bot] = version
        key = seat.bot, version
        if key not in self.scores:
            self.scores[key] = _Scores(version)
        return self.scores[key]


def _first_versions(ledger: Ledger) -> dict[int, str]:
    """Return the first version that each bot said."""
    found: dict[int, str] = {}
    for block in ledger.blocks():
        for seat in (seat for game in block for seat in game.seats if seat.version):
            found.setdefault(seat.bot, seat.version)
    return found


def _add_game(played: _Versions, game: PlayedGame, figures_of: FiguresOf) -> None:
    """Add the mean score of each bot's copies to the version of the first of them."""
    seats = {seat.bot: seat for seat in reversed(game.seats)}
    for bot, figures in seats_of_bots(figures_of(game)).items():
        score = fmean(seat.score for seat in figures)
        played.of(seats[bot]).blocks[-1].append(score)


def _results(bot: int, versions: Sequence[_Scores]) -> Iterator[VersionResult]:
    before: _Scores | None = None
    for each in versions:
        score = fmean(each.all)
        yield VersionResult(
            bot=bot,
            version=each.version,
            games=len(each.all),
            score=score,
            interval=fixed_interval(each.means),
            change=None if before is None else score - fmean(before.all),
            change_interval=None
            if before is None
            else difference_interval(each.means, before.means),
        )
        before = each
