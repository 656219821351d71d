"""Tournaments as the page shows them; whoever knows tournaments gives them to it.

`web` is below what plays tournaments, so it has only these values and the seam. All of
them but `TournamentPage` are the JSON of `/api/tournaments` as well.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import trio

from daide_server.classes import frozen
from daide_server.tournament.standings import PowerScore
from daide_server.tournament.status_object import TournamentStatus


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


class Tournaments(Protocol):
    """Those that can be shown."""

    async def run(self) -> None:
        """Keep what is shown up to date until cancelled."""

    async def cards(self) -> Sequence[TournamentCard]:
        """Return all, the latest first."""

    async def page(self, number: str) -> TournamentPage | None:
        """Return one, `None` if there is none."""

    async def log(self, number: str, name: str) -> bytes | None:
        """Return a log of a failed bot, `None` if there is none."""


class NoTournaments:
    """There are none."""

    async def run(self) -> None:
        """Do nothing until cancelled."""
        await trio.sleep_forever()

    async def cards(self) -> Sequence[TournamentCard]:
        """Return none."""
        return ()

    async def page(self, number: str) -> TournamentPage | None:
        """Return nothing."""
        del number
        return None

    async def log(self, number: str, name: str) -> bytes | None:
        """Return nothing."""
        del number, name
        return None
