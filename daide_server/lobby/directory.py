"""Which games exist, and which of them a client means.

A client that has not joined yet belongs to no game; NME, OBS and IAM pick one.
All games of a directory are on one port and of one variant; a port that belongs
to a single game names it as `only`. Client-Server Protocol; Message Syntax, Level 0.
"""

from collections.abc import Iterable, Mapping
from typing import NewType

from daide_server.board.names import Power
from daide_server.game.events import ClientId
from daide_server.game.game import Game
from daide_server.game.stages import ClientRole, Stage
from daide_server.language.messages import ClientMessage, Name, Rejoin

GameId = NewType("GameId", int)


class Directory:
    """The games of one port, oldest first."""

    def __init__(self) -> None:
        self._games: dict[GameId, Game] = {}
        self._joined: dict[ClientId, GameId] = {}

    def add(self, number: GameId, game: Game) -> None:
        """List a game."""
        self._games[number] = game

    def remove(self, number: GameId) -> None:
        """Take a closed game off the list."""
        del self._games[number]

    def forget(self, client: ClientId) -> GameId | None:
        """Forget a client that is gone; return the game that it was in."""
        return self._joined.pop(client, None)

    def passcodes(self, power: Power) -> set[int]:
        """Return the passcodes of *power* that are in use."""
        return {game.state.seating[power].passcode for game in self._games.values()}

    def is_played(self, power: Power) -> bool:
        """Return whether a game is on in which there is a seat of *power*."""
        return any(
            game.state.is_running and power in game.state.variant.map.power_index
            for game in self._games.values()
        )

    def has_open_seat(self) -> bool:
        """Return whether a table still takes players."""
        return _open_table(self._games) is not None

    def route(
        self, client: ClientId, message: ClientMessage, only: GameId | None = None
    ) -> GameId | None:
        """Return the game that is to answer *message*; with none it is refused."""
        number = self._joined.get(client)
        if number is not None and self._knows(number, client, message):
            return number
        number = self._choose(message, only)
        if number is not None:
            self._joined[client] = number
        return number

    def at(self, client: ClientId) -> GameId | None:
        """Return the game that *client* was last led to."""
        return self._joined.get(client)

    def _knows(self, number: GameId, client: ClientId, message: ClientMessage) -> bool:
        game = self._games.get(number)
        standing = ClientRole.FRESH if game is None else game.state.standing(client)
        if standing is ClientRole.OFFERED:
            # One loaded game was offered, but it may have been in another.
            return not isinstance(message, Rejoin)
        return standing is not ClientRole.FRESH

    def _choose(self, message: ClientMessage, only: GameId | None) -> GameId | None:
        numbers = self._games if only is None else {only}.intersection(self._games)
        games = {number: self._games[number] for number in numbers}
        match message:
            case Rejoin():
                return _rejoined(message, games)
            case Name() if _may_come_back(message.name, games.values()):
                return None
            case Name():
                return _open_table(games)
            case _:
                return _watchable(games)


def _rejoined(message: Rejoin, games: Mapping[GameId, Game]) -> GameId | None:
    """Return the running game of the seat; whether it is free is the game's affair."""
    for number, game in games.items():
        if game.state.is_running and game.state.seating.named(
            message.power, message.passcode
        ):
            return number
    return None


def _may_come_back(name: str, games: Iterable[Game]) -> bool:
    """Return whether a name `POW:Name` is that of a player who lost its seat.

    Clients that were started to rejoin say IAM only after their NME was refused.
    """
    power, colon, bare = name.partition(":")
    return bool(colon) and any(
        seat.power == power
        and seat.client is None
        and bare == seat.name.removeprefix(f"{power}:")
        for game in games
        if game.state.is_running
        for seat in game.state.seating
    )


def _open_table(games: Mapping[GameId, Game]) -> GameId | None:
    """Return the oldest table that has a free seat.

    A seat of an older one may have become free again after a later one opened.
    """
    return next(
        (number for number, game in games.items() if _takes_players(game)),
        None,
    )


def _takes_players(game: Game) -> bool:
    if game.stage is Stage.FORMING:
        return game.state.seating.open_seat() is not None
    return game.state.has_offer


def _watchable(games: Mapping[GameId, Game]) -> GameId | None:
    """Return the game that a client means that has not said which.

    The forming table at which players sit, else the newest running game, else the
    newest that still answers, else an empty table.
    """
    for number, game in games.items():
        if game.stage is Stage.FORMING and game.state.seating.occupied:
            return number
    for stages in ((Stage.PLAYING, Stage.PAUSED), (Stage.ENDED,), (Stage.FORMING,)):
        found = [number for number, game in games.items() if game.stage in stages]
        if found:
            return max(found)
    return None
