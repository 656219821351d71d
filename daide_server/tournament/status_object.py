"""The state of a tournament as one object, for `--json` and `results.json`.

Its keys are promised to programs: they may be added to, but never renamed or removed.
"""

from collections.abc import Sequence

import msgspec
from attrs import asdict

from daide_server.classes import frozen

from .designs import DesignKind
from .game_outcomes import Ledger
from .standings import BotStanding, Endings, WinRate


@frozen
class BotStatus:
    """A bot, in the order of the table.

    `games` and `score` are of finished blocks (`score` is `None` before the first);
    `low` and `high` the any-time interval at 95 %, `low_fixed` and `high_fixed` that
    for a fixed number of games (`None`: too few blocks). Counts are of all games.
    `endings` and `win_rate` are of finished blocks: see these classes.
    `rating` is in points of Elo's scale, with its 95 % interval (`None`: too few
    blocks, or an `anchor`, whose rating was given). Only a ladder has ratings, and
    the `results.json` of a report.
    """

    name: str
    version: str
    games: int
    score: float | None
    low: float
    high: float
    low_fixed: float | None
    high_fixed: float | None
    forfeits: int
    voids: int
    refused: int
    late: int
    rating: float | None
    rating_low: float | None
    rating_high: float | None
    anchor: bool
    worker_deaths: int
    endings: Endings | None
    win_rate: WinRate | None


@frozen
class TournamentStatus:
    """How far a tournament is, and its table.

    `games` are planned: `played`, `running`, `remaining`, or `unplayed` because they
    were void too often. `stopped` is why it ended before all were played, or `None`.
    `kind` is that of its design: a ladder is ranked by ratings, others by scores.
    """

    name: str
    rank_by: str
    games: int
    played: int
    running: int
    remaining: int
    unplayed: int
    stopped: str | None
    bots: tuple[BotStatus, ...]
    kind: DesignKind

    @property
    def is_ladder(self) -> bool:
        """Whether the table is one of ratings."""
        return self.kind == "ladder"


def status_object(
    ledger: Ledger,
    rows: Sequence[BotStanding],
    *,
    running: int = 0,
    stopped: str | None = None,
) -> TournamentStatus:
    """Return the state of the tournament of *ledger*, whose table has *rows*.

    *running* games are being played now; *stopped* is the verdict of the stop rule.
    """
    described, games = ledger.plan.description, ledger.plan.games
    played, unplayed = len(ledger.played), len(ledger.unplayed)
    return TournamentStatus(
        name=described.name,
        rank_by=described.rank_by,
        games=games,
        played=played,
        running=running,
        remaining=max(0, games - played - unplayed - running),
        unplayed=unplayed,
        stopped=stopped,
        bots=tuple(map(_bot_status, rows)),
        kind=described.design.kind,
    )


def status_json(status: TournamentStatus) -> bytes:
    """Return *status* as one line of JSON, its keys in the order of the fields."""
    return msgspec.json.encode(asdict(status))


def _bot_status(row: BotStanding) -> BotStatus:
    rating, results = row.rating, row.results
    return BotStatus(
        name=row.name,
        version=" ".join(row.versions),
        games=row.games,
        score=row.score,
        low=row.any_time.low,
        high=row.any_time.high,
        low_fixed=row.fixed.low if row.fixed else None,
        high_fixed=row.fixed.high if row.fixed else None,
        forfeits=row.troubles.forfeits,
        voids=row.troubles.voids,
        refused=row.troubles.refused,
        late=row.troubles.late,
        rating=rating.points if rating else None,
        rating_low=rating.low if rating else None,
        rating_high=rating.high if rating else None,
        anchor=rating is not None and rating.is_anchor,
        worker_deaths=row.troubles.worker_deaths,
        endings=results.endings if results else None,
        win_rate=results.win_rate if results else None,
    )
