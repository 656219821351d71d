"""A tournament as the page shows it, made from what is stored.

The same facts as in the report (`reporting`), without what only a report has. All
functions block, for seconds if there are ten thousand games. All values but
`TournamentPage` are the JSON of `/api/tournaments` as well.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

from daide_server.classes import frozen
from daide_server.reports.curves import thinned
from daide_server.tournament.game_outcomes import Incident, incidents
from daide_server.tournament.pairs import Comparison, cross_table
from daide_server.tournament.standings import (
    BotStanding,
    PowerScore,
    TournamentStatus,
    status_object,
)

from .reporting.report_facts import course_of
from .tournament_folder import SERVER_LOG
from .tournament_state import TournamentState

TROUBLES_SHOWN: Final = 200
LATEST_ATTEMPTS: Final = 200
"""From which the time of a game is estimated."""


@frozen
class TournamentCard:
    """A tournament in a list."""

    number: str
    """What its address ends with."""
    name: str
    games: int
    """Planned."""
    played: int
    leader: str
    """The name of the first bot, or nothing."""


@frozen
class Trouble:
    """A forfeit, a void game, or a seat that a stand-in played."""

    game: str
    """The id of its record; of a void game, that it will have."""
    kind: str
    bot: str
    power: str
    what: str
    logs: tuple[str, ...] = ()
    """What the addresses of its logs end with."""


@frozen
class PairCell:
    """How one bot did against another, as in `tournament.pairs.Comparison`."""

    games: int
    difference: float
    better: float
    holds: bool


@frozen
class TournamentView:
    """A tournament; rows and columns of bots are in the order of `status.bots`."""

    number: str
    status: TournamentStatus
    even: float
    """The score of each bot if all were alike."""
    seconds_left: float | None
    """About so long the run will take; `None` if none runs, or that is unknown."""
    cross: tuple[tuple[PairCell | None, ...], ...]
    """A row for each bot."""
    powers: Mapping[str, tuple[PowerScore | None, ...]]
    """The bots' scores with each power."""
    course: tuple[tuple[tuple[float, float], ...], ...]
    """Of each bot: its mean score after the last game of each finished block."""
    troubles: tuple[Trouble, ...]
    """The latest ones."""
    troubles_left_out: int
    note: str = ""
    """What the page says of games that it cannot show."""


@frozen
class TournamentPage:
    """What the page of a tournament is made of."""

    view: TournamentView
    records: Path
    """The folder of its records."""


def tournament_view(
    state: TournamentState, number: str, note: str = ""
) -> TournamentView:
    """Return *state* as the page shows it; *number* is what its address ends with."""
    ledger, rows = state.ledger, state.standings()
    running = state.running
    status = status_object(ledger, rows, running=running, stopped=state.stopped)
    found = deque(incidents(ledger), TROUBLES_SHOWN)
    count = sum(1 for _ in incidents(ledger))
    course = course_of(ledger, state.figures_of)
    return TournamentView(
        number=number,
        status=status,
        even=1 / len(state.plan.description.powers),
        seconds_left=_seconds_left(state, status),
        cross=_cross(rows, cross_table(ledger, state.figures_of)),
        powers={
            power: tuple(
                row.results.by_power.get(power) if row.results else None for row in rows
            )
            for power in state.plan.description.powers
        },
        course=tuple(tuple(thinned(course.get(row.bot, ()))) for row in rows),
        troubles=tuple(_trouble(state, number, each) for each in reversed(found)),
        troubles_left_out=count - len(found),
        note=note if running else "",
    )


def game_name(number: str, game: int) -> str:
    """Return the id of a game of a tournament on the page, as the index has it."""
    return f"{number}-{game:06}"


def _seconds_left(state: TournamentState, status: TournamentStatus) -> float | None:
    """Return about how long the run that is going on will take."""
    if state.store is None or not status.running or status.stopped or status.is_ladder:
        return None
    latest = state.store.attempts()[-LATEST_ATTEMPTS:]
    seconds = [each.seconds for each in latest if each.seconds is not None]
    if not seconds:
        return None
    # A game that is being played is half over, on average.
    games = status.remaining + status.running / 2
    return fmean(seconds) * games / status.running


def _cross(
    rows: Sequence[BotStanding], pairs: Sequence[Comparison]
) -> tuple[tuple[PairCell | None, ...], ...]:
    found: dict[tuple[int, int], PairCell] = {}
    for pair in pairs:
        one, other = pair.pair
        cell = PairCell(pair.games, pair.difference, pair.better, pair.holds)
        found[one, other] = cell
        found[other, one] = PairCell(
            pair.games, -pair.difference, 1 - pair.better, pair.holds
        )
    return tuple(
        tuple(found.get((row.bot, other.bot)) for other in rows) for row in rows
    )


def _trouble(state: TournamentState, number: str, incident: Incident) -> Trouble:
    turn = f"{incident.turn}: " if incident.turn else ""
    after = f"; {incident.afterwards}" if incident.afterwards else ""
    return Trouble(
        game=game_name(number, incident.attempt.game),
        kind=incident.kind,
        bot=incident.bot or "",
        power=incident.power or "",
        what=f"{turn}{incident.reason}{after}",
        logs=_logs(state, incident),
    )


def _logs(state: TournamentState, incident: Incident) -> tuple[str, ...]:
    """Return the logs of an incident: that of the server, and the bot's own."""
    folder = state.folder.logs(incident.attempt)
    try:
        names = sorted(each.name for each in folder.iterdir())
    except OSError:
        return ()
    power = incident.power
    return tuple(
        f"{folder.name}/{name}"
        for name in names
        if power is None or name == SERVER_LOG or name.startswith(f"{power}.")
    )
