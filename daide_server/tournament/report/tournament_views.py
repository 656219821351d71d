"""Tournaments for the page, from what is stored.

The data of the report (`report_page`) without think times, centres by year, ratings and
versions. All values are the JSON of `/api/tournaments`.
"""

from collections.abc import Mapping
from statistics import fmean

from attrs import frozen

from daide_server.tournament.game_outcomes import Incident, incidents
from daide_server.tournament.pairs import Comparison, both_ways, cross_table
from daide_server.tournament.run.game_task import SERVER_LOG
from daide_server.tournament.run.tournament_state import TournamentState
from daide_server.tournament.standings import PowerScore, TournamentStatus

from .curves import thinned
from .report_page import course_of

TROUBLES_SHOWN = 200
LATEST_ATTEMPTS = 200
"""The number of latest attempts from which the duration of a game is estimated."""


@frozen
class Trouble:
    """A forfeit, a void game, or a seat that a stand-in played."""

    game: str
    """The id of its record; for a void game, the id that it would have."""
    kind: str
    bot: str
    power: str
    what: str
    logs: tuple[str, ...] = ()
    """The last parts of the addresses of its logs."""


@frozen
class TournamentView:
    """A tournament; rows and columns of bots are in the order of `status.bots`."""

    number: str
    status: TournamentStatus
    even: float
    """The score of each bot if all were equal."""
    seconds_left: float | None
    """Estimated seconds until the run ends; `None` if none is running, or unknown."""
    cross: tuple[tuple[Comparison | None, ...], ...]
    """A row for each bot."""
    powers: Mapping[str, tuple[PowerScore | None, ...]]
    """The bots' scores with each power."""
    course: tuple[tuple[tuple[float, float], ...], ...]
    """For each bot, its mean score after the last game of each finished block."""
    troubles: tuple[Trouble, ...]
    """The latest failures."""
    troubles_left_out: int
    said_names: tuple[tuple[str, ...], ...] = ()
    """The names of each bot in NME, which are those in records."""
    note: str = ""
    """A note of the page about games that it cannot show."""


def tournament_view(
    state: TournamentState, number: str, note: str = ""
) -> TournamentView:
    """Return *state* as shown on the page; *number* is the last part of its address."""
    ledger, status = state.ledger, state.status()
    rows, cells = status.bots, both_ways(cross_table(ledger))
    found = list(incidents(ledger))
    shown = found[-TROUBLES_SHOWN:]
    course = course_of(ledger)
    return TournamentView(
        number=number,
        status=status,
        even=1 / len(state.plan.description.powers),
        seconds_left=_seconds_left(state, status),
        cross=tuple(
            tuple(cells.get((row.bot, other.bot)) for other in rows) for row in rows
        ),
        powers={
            power: tuple(row.by_power.get(power) for row in rows)
            for power in state.plan.description.powers
        },
        course=tuple(tuple(thinned(course.get(row.bot, ()))) for row in rows),
        troubles=tuple(_trouble(state, number, each) for each in reversed(shown)),
        troubles_left_out=len(found) - len(shown),
        said_names=tuple(row.said_names for row in rows),
        note=note if status.running else "",
    )


def _seconds_left(state: TournamentState, status: TournamentStatus) -> float | None:
    """Return an estimate of the time that the current run still takes."""
    if state.store is None or not status.running or status.stopped or status.is_ladder:
        return None
    latest = state.store.attempts()[-LATEST_ATTEMPTS:]
    seconds = [each.seconds for each in latest if each.seconds is not None]
    if not seconds:
        return None
    # A game that is being played is half over, on average.
    games = status.remaining + status.running / 2
    return fmean(seconds) * games / status.running


def _trouble(state: TournamentState, number: str, incident: Incident) -> Trouble:
    turn = f"{incident.turn}: " if incident.turn else ""
    after = f"; {incident.afterwards}" if incident.afterwards else ""
    return Trouble(
        game=f"{number}-{incident.attempt.game:06}",
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
