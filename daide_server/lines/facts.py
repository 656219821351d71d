"""What a session needs to know of the game: `bots.knowledge.Knowledge` knows it."""

from collections.abc import Mapping
from typing import Protocol

from daide_server.board.map import Map
from daide_server.board.names import Power
from daide_server.board.position import Position
from daide_server.board.results import Report
from daide_server.board.turns import Turn
from daide_server.language.hello_options import HelloOption
from daide_server.language.messages import DrawDeclared, ServerMessage, Solo, Summary


class Facts(Protocol):
    """The facts in the messages of a server; the map and a position are known."""

    @property
    def map(self) -> Map | None:
        """Return the board."""

    @property
    def map_name(self) -> str:
        """Return what MAP calls the board."""

    @property
    def power(self) -> Power:
        """Return the power of the bot; none of the board's for an observer."""

    @property
    def options(self) -> Mapping[HelloOption, int | None]:
        """Return the options of HLO."""

    @property
    def position(self) -> Position | None:
        """Return the current position."""

    @property
    def reports(self) -> tuple[Report, ...]:
        """Return the results of the turn that was processed last."""

    @property
    def reported_turn(self) -> Turn | None:
        """Return the turn whose results are coming in."""

    @property
    def in_disorder(self) -> frozenset[Power]:
        """Return the powers whose players are away."""

    @property
    def seconds_left(self) -> int | None:
        """Return the seconds of the last TME, `None` after NOW."""

    @property
    def ending(self) -> Solo | DrawDeclared | None:
        """Return how the game has ended."""

    @property
    def summary(self) -> Summary | None:
        """Return the summary of the game, once it is over."""

    def learn(self, message: ServerMessage) -> None:
        """Update the facts from *message*."""
