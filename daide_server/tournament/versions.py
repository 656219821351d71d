"""How each version of a bot did that changed while its tournament was played.

A version is what a bot says in NME. Versions of one bot are never in the same game;
they compare because each met the same field, in whole blocks of the same design.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from daide_server.classes import frozen

from .figures import FiguresOf
from .game_outcomes import Ledger, PlayedGame
from .intervals import Interval, difference_interval, fixed_interval
from .tallies import game_scores

BlockScores = list[list[float]]
"""The scores of a version in each block that it played alone."""


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

    A block in which a bot had two versions counts for neither: other games were left
    to the second. A seat whose bot said no version, as one that never joined, counts
    for the version before, or the first. A ladder has none: its scores do not compare.
    """
    if ledger.plan.description.is_ladder:
        return ()
    found: defaultdict[int, dict[str, BlockScores]] = defaultdict(dict)
    latest = _first_versions(ledger)
    for block in ledger.blocks():
        for bot, versions in _by_bot(block, figures_of, latest).items():
            if len(versions) == 1:
                ((version, scores),) = versions.items()
                found[bot].setdefault(version, []).append(scores)
    return tuple(
        result
        for bot in sorted(found)
        if len(found[bot]) > 1
        for result in _results(bot, found[bot])
    )


def _first_versions(ledger: Ledger) -> dict[int, str]:
    """Return the first version that each bot said."""
    found: dict[int, str] = {}
    for block in ledger.blocks():
        for seat in (seat for game in block for seat in game.seats if seat.version):
            found.setdefault(seat.bot, seat.version)
    return found


def _by_bot(
    block: Sequence[PlayedGame], figures_of: FiguresOf, latest: dict[int, str]
) -> Mapping[int, Mapping[str, list[float]]]:
    """Return the scores of each bot's games in *block* by its version.

    *latest* has the version that each bot said last, and is kept so.
    """
    found: defaultdict[int, defaultdict[str, list[float]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for game in block:
        latest.update({seat.bot: seat.version for seat in game.seats if seat.version})
        for bot, score in game_scores(figures_of(game)).items():
            found[bot][latest.get(bot, "")].append(score)
    return found


def _results(bot: int, versions: Mapping[str, BlockScores]) -> Iterator[VersionResult]:
    before: BlockScores | None = None
    for version, blocks in versions.items():
        score = _mean(blocks)
        yield VersionResult(
            bot=bot,
            version=version,
            games=sum(map(len, blocks)),
            score=score,
            interval=fixed_interval(list(map(fmean, blocks))),
            change=None if before is None else score - _mean(before),
            change_interval=None
            if before is None
            else difference_interval(
                list(map(fmean, blocks)), list(map(fmean, before))
            ),
        )
        before = blocks


def _mean(blocks: BlockScores) -> float:
    return fmean(score for block in blocks for score in block)
