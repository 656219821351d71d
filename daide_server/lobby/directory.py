"""The games of one port, and the choice of the game for a message.

A client that has not joined yet belongs to no game; NME, OBS and IAM choose one.
All games of a directory are on one port and of one variant; a port that belongs
to a single game names it as `only`. Client-Server Protocol; Message Syntax, Level 0.
"""

from collections.abc import Iterable, Mapping
from typing import NewType

from daide_server.board.names import Power
from daide_server.game.events import ClientId
from daide_server.game.game import Game
from daide_server.game.permissions import ClientRole
from daide_server.game.refusals import JoinRefusal
from daide_server.game.stages import RUNNING, Stage
from daide_server.language.messages import ClientMessage, Name, Rejoin

GameId = NewType("GameId", int)


class Directory:
    """The games of one port, oldest first."""

    def __init__(self) -> None:
        self._games: dict[GameId, Game] = {}
        self._joined: dict[ClientId, GameId] = {}

    def add(self, number: GameId, game: Game) -> None:
        """Add a game."""
        self._games[number] = game

    def remove(self, number: GameId) -> None:
        """Remove a closed game. Raises `KeyError` if it is not there."""
        del self._games[number]

    def forget(self, client: ClientId) -> GameId | None:
        """Forget a client that left; return the game that it was in."""
        return self._joined.pop(client, None)

    def passcodes(self, power: Power) -> set[int]:
        """Return the passcodes of *power* that are in use."""
        return {game.state.seating[power].passcode for game in self._games.values()}

    def is_played(self, power: Power) -> bool:
        """Return whether a game is running that has a seat of *power*."""
        return any(
            game.state.is_running and power in game.state.variant.map.power_index
            for game in self._games.values()
        )

    def has_open_seat(self) -> bool:
        """Return whether a game takes players by NME."""
        return _with_open_seat(self._games) is not None

    def route(
        self, client: ClientId, message: ClientMessage, only: GameId | None = None
    ) -> GameId | None:
        """Return the game that is to answer *message*, or `None` if it is refused."""
        number = self._joined.get(client)
        if number is not None and self._knows(number, client, message):
            return number
        number = self._choose(message, only)
        if number is not None:
            self._joined[client] = number
        return number

    def refusal(self, message: ClientMessage) -> JoinRefusal:
        """Return why `route` found no game for NME, OBS or IAM."""
        games = self._games.values()
        match message:
            case Name() if _has_left(message.name, games):
                return JoinRefusal.NAME_LEFT
            case Name():
                return JoinRefusal.NO_OPEN_SEAT
            case Rejoin() if self.is_played(message.power):
                return JoinRefusal.PASSCODE_REFUSED
            case Rejoin():
                return JoinRefusal.NOT_RUNNING
            case _:
                return JoinRefusal.NO_GAME

    def at(self, client: ClientId) -> GameId | None:
        """Return the game that *client* was last routed to."""
        return self._joined.get(client)

    def _knows(self, number: GameId, client: ClientId, message: ClientMessage) -> bool:
        game = self._games.get(number)
        role = ClientRole.CONNECTED if game is None else game.state.role_of(client)
        if role is ClientRole.LOAD_PENDING:
            # One loaded game was offered, but its seat may be in another.
            return not isinstance(message, Rejoin)
        return role is not ClientRole.CONNECTED

    def _choose(self, message: ClientMessage, only: GameId | None) -> GameId | None:
        numbers = self._games if only is None else {only}.intersection(self._games)
        games = {number: self._games[number] for number in numbers}
        match message:
            case Rejoin():
                return _claimed(message, games)
            case Name() if _has_left(message.name, games.values()):
                return None
            case Name():
                return _with_open_seat(games)
            case _:
                return _observable(games)


def _claimed(message: Rejoin, games: Mapping[GameId, Game]) -> GameId | None:
    """Return the game whose seat *message* claims; the game decides if it is free."""
    return next(
        (number for number, game in games.items() if game.state.claimed_seat(message)),
        None,
    )


def _has_left(name: str, games: Iterable[Game]) -> bool:
    """Return whether a name `POW:Name` is that of a player who left its seat.

    Clients that were started to rejoin send IAM only after their NME was refused.
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


def _with_open_seat(games: Mapping[GameId, Game]) -> GameId | None:
    """Return the oldest game that takes players.

    A seat of an older one may have become free again after a later one opened.
    """
    return next(
        (number for number, game in games.items() if game.state.takes_players),
        None,
    )


def _observable(games: Mapping[GameId, Game]) -> GameId | None:
    """Return the game that OBS means, and a question of a client that has not joined.

    A forming game that has players, else the newest running game, else the newest
    that still answers, else one without players.
    """
    for number, game in games.items():
        if game.stage is Stage.FORMING and game.state.seating.occupied:
            return number
    for stages in (RUNNING, (Stage.ENDED,), (Stage.FORMING,)):
        found = [number for number, game in games.items() if game.stage in stages]
        if found:
            return max(found)
    return None
