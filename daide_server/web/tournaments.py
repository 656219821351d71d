"""Tournaments as the page shows them; whoever knows tournaments gives them to it.

`web` is below what plays tournaments, so it has only these values and the seam.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from attrs import frozen


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
    """A forfeit or a void game."""

    game: str
    bot: str
    what: str
    log: str = ""
    """The name of the log, for `Tournaments.log`; empty if there is none."""


@frozen
class TournamentPage:
    """What the page of a tournament says; see `templates/tournament.html`."""

    name: str
    status: Mapping[str, object]
    """The object of `tournament status --json`."""
    even: float
    """The score of each bot if all were alike."""
    left: str
    """The time left in words, or nothing."""
    cross: Sequence[tuple[str, Sequence[float | None]]]
    powers: Sequence[tuple[str, Sequence[float | None]]]
    troubles: Sequence[Trouble]
    records: Path
    """The folder of its records."""
    running: Sequence[str] = ()
    """The ids of its running games in the feed."""


class Tournaments(Protocol):
    """Those that can be shown."""

    async def cards(self) -> Sequence[TournamentCard]:
        """Return all, the latest first."""

    async def page(self, number: str) -> TournamentPage | None:
        """Return one, `None` if there is none."""

    async def log(self, number: str, name: str) -> bytes | None:
        """Return a log of a failed bot, `None` if there is none."""


class NoTournaments:
    """There are none."""

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
