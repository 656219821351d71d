"""The statements of a game: players, holdings, units."""

from collections.abc import Callable

from attrs import evolve

from .regions import Player
from .square_brackets import bare, inside, listed
from .statement_errors import StatementError, expect


class GameReader:
    """Reads the statements of a game; *number* returns the region with a name.

    Each method takes a statement without its first letter, and raises
    `StatementError`.
    """

    def __init__(self, number: Callable[[str], int]) -> None:
        self._number = number
        self._players: list[Player] = []

    def players(self) -> tuple[Player, ...]:
        """Return the players read so far."""
        return tuple(self._players)

    def player(self, rest: str) -> None:
        """Read `John:Russia:Rus`; raises `StatementError`."""
        name, *factions = (bare(part) for part in rest.split(":"))
        if len(factions) not in {1, 2} or not all((name, *factions)):
            expect(rest, "such as 'John:Russia' or 'John:Russia:Rus'")
        player = Player(name, factions[0], factions[-1])
        for other in self._players:
            if {other.faction, other.nick} & {player.faction, player.nick}:
                message = f"{other.faction} has a player already: {other.name}"
                raise StatementError(message)
        self._players.append(player)

    def holding(self, rest: str) -> None:
        """Read `Rus:[Mos, Sev]`."""
        who, colon, regions = rest.partition(":")
        if not colon:
            expect(rest, "such as 'Rus:[Mos, Sev]'")
        numbers = [self._number(name) for name in listed(inside(regions))]
        at = self._who(who)
        holdings = (*self._players[at].holdings, *numbers)
        self._players[at] = evolve(self._players[at], holdings=holdings)

    def unit(self, rest: str) -> None:
        """Read `Rus:Stp/sc, 1`."""
        who, colon, unit = rest.partition(":")
        place, comma, kind = unit.rpartition(",")
        if not (colon and comma and bare(kind) in {"0", "1"}):
            expect(rest, "such as 'Rus:Stp/sc, 1'")
        at = self._who(who)
        units = (*self._players[at].units, (self._number(place), bare(kind) == "1"))
        self._players[at] = evolve(self._players[at], units=units)

    def _who(self, text: str) -> int:
        """Return the index of the player with that name, faction or nick."""
        name = bare(text)
        for at, player in enumerate(self._players):
            if name in {player.name, player.faction, player.nick}:
                return at
        message = f"no player is called {name!r}"
        raise StatementError(message)
