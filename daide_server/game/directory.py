"""The games of one port, and the choice of the game for a message.

A client that has not joined belongs to no game; NME, OBS and IAM choose one. All games
are on one variant. Client-Server Protocol; Message Syntax, Level 0.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Final, NewType

from attrs import frozen

from daide_server.board.names import Power
from daide_server.daide.messages import ClientMessage, Name, Observe, Rejoin

from .events import RUNNING, ClientId, ClientRole, JoinRefusal, Stage
from .game import Game

GameId = NewType("GameId", int)


@frozen
class PortTarget:
    """What the clients of one port may join."""

    game: GameId | None = None
    """`None`: any game."""
    seat: Power | None = None
    """`None`: any seat, or none. There are no observers at the port of a seat."""


COMMON_PORT = PortTarget()
TAKING = (Stage.FORMING, Stage.LOADING)
"""The stages in which NME can get a seat."""


class Directory:
    """The games of one server, oldest first."""

    def __init__(self) -> None:
        self._games: Final[dict[GameId, Game]] = {}
        self.joined: Final[dict[ClientId, GameId]] = {}
        """The game that each client was last routed to; only this class changes it."""
        self.takes_new = True
        """Whether a game that has not begun can be joined."""

    def add(self, number: GameId, game: Game) -> None:
        """Add a game."""
        self._games[number] = game

    def remove(self, number: GameId) -> None:
        """Remove a closed game."""
        del self._games[number]

    def forget(self, client: ClientId) -> GameId | None:
        """Forget a client that left; return the game that it was in."""
        return self.joined.pop(client, None)

    def _at(
        self, target: PortTarget, stages: Collection[Stage] = tuple(Stage)
    ) -> Iterator[tuple[GameId, Game]]:
        """Yield the games in *stages* that can be reached by a port, oldest first."""
        wanted = target.game
        for number, game in self._games.items():
            if game.state.stage in stages and wanted in (None, number):
                yield number, game

    def passcodes(self, power: Power) -> Collection[int]:
        """Return the passcodes of *power* that are in use."""
        seatings = [game.state.seating for game in self._games.values()]
        return {seating[power].passcode for seating in seatings}

    def is_vacant(self, target: PortTarget, power: Power) -> bool:
        """Return whether a running game has a seat of *power* that IAM can take."""
        return any(_is_vacant(game, power) for _, game in self._at(target, RUNNING))

    def has_open_seat(self) -> bool:
        """Return whether a game accepts players by NME."""
        return any(True for _ in self._taking(COMMON_PORT))

    def route(
        self, client: ClientId, message: ClientMessage, target: PortTarget = COMMON_PORT
    ) -> GameId | None:
        """Return the game that must answer *message*, or `None` if it is refused."""
        number = self.joined.get(client)
        if number is not None and self._knows(number, client, message):
            return number
        number = self._choose(message, target)
        if number is not None:
            self.joined[client] = number
        return number

    def claimed(self, message: Rejoin, target: PortTarget) -> GameId | None:
        """Return the game whose seat *message* claims; the seat may not be free."""
        if target.seat not in {None, message.power}:
            return None
        for number, game in self._at(target, RUNNING):
            passcodes = game.state.assignment.passcodes
            if passcodes.get(message.power) == message.passcode:
                return number
        return None

    def refusal(self, message: ClientMessage) -> JoinRefusal:
        """Return why `route` found no game for NME, OBS or IAM."""
        match message:
            case Name() if _has_left(message.name, self._at(COMMON_PORT, RUNNING)):
                return JoinRefusal.NAME_LEFT
            case Name():
                return JoinRefusal.NO_OPEN_SEAT
            case Rejoin() if self.is_vacant(COMMON_PORT, message.power):
                return JoinRefusal.PASSCODE_REFUSED
            case Rejoin(power=power) if any(
                power in game.state.variant.map.power_index
                for _, game in self._at(COMMON_PORT, RUNNING)
            ):
                return JoinRefusal.WRONG_PASSCODE
            case Rejoin():
                return JoinRefusal.NOT_RUNNING
            case _:
                return JoinRefusal.NO_GAME

    def _knows(self, number: GameId, client: ClientId, message: ClientMessage) -> bool:
        game = self._games.get(number)
        role = ClientRole.CONNECTED if game is None else game.state.role_of(client)
        if role is ClientRole.LOAD_PENDING:
            # One loaded game was offered, but its seat may be in another.
            return not isinstance(message, Rejoin)
        return role is not ClientRole.CONNECTED

    def _choose(self, message: ClientMessage, target: PortTarget) -> GameId | None:
        match message:
            case Rejoin():
                return self.claimed(message, target)
            case Observe() if target.seat is not None:
                return None
            case Name() if _has_left(message.name, self._at(target, RUNNING)):
                return None
            case Name() if target.seat is not None and self.takes_new:
                return target.game
            case Name():
                return self._choose_seat(message, target)
            case _:
                return _observable(tuple(self._at(target)))

    def _choose_seat(self, named: Name, target: PortTarget) -> GameId | None:
        """Return the oldest game that accepts a player by *named*.

        A seat of an older game may have become free after a later game opened. If all
        refuse, the oldest game that accepts players answers.
        """
        games = tuple(self._taking(target))
        taking = (number for number, game in games if game.state.takes(named))
        return next(taking, games[0][0] if games else None)

    def _taking(self, target: PortTarget) -> Iterator[tuple[GameId, Game]]:
        """Yield the games at a port that accept players by NME."""
        stages = TAKING if self.takes_new else (Stage.LOADING,)
        for number, game in self._at(target, stages):
            if game.state.takes_players:
                yield number, game


def _observable(games: Collection[tuple[GameId, Game]]) -> GameId | None:
    """Return the game for OBS, and for a query of a client that has not joined.

    A forming game with players, or else the newest: running, over, or without players.
    """
    for number, game in games:
        if game.state.stage is Stage.FORMING and game.state.seating.clients():
            return number
    for stages in (RUNNING, (Stage.ENDED,), (Stage.FORMING,)):
        found = [number for number, game in games if game.state.stage in stages]
        if found:
            return max(found)
    return None


def _is_vacant(game: Game, power: Power) -> bool:
    """Return whether *game*, which is running, may have a seat of *power* for IAM."""
    state = game.state
    may_take_over = state.policy.takeover_after is not None
    is_free = may_take_over or power not in state.seating.occupied
    return is_free and power in state.variant.map.power_index


def _has_left(name: str, games: Iterable[tuple[GameId, Game]]) -> bool:
    """Return whether a name `POW:Name` is that of a player who left its seat.

    Clients that want to return send IAM only after their NME was refused.
    """
    power, colon, bare = name.partition(":")
    return bool(colon) and any(
        seat.client is None and seat.name.removeprefix(f"{power}:") == bare
        for _, game in games
        for seat in game.state.seating
        if seat.power == power
    )
