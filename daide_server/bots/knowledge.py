"""What the server has told a client so far. Pure: messages in, facts out."""

from collections.abc import Mapping

from attrs import define, evolve, field

from daide_server.board.map import Map
from daide_server.board.names import Power, Province
from daide_server.board.position import Position
from daide_server.board.results import Report
from daide_server.board.turns import Turn
from daide_server.language.hello_options import HelloOption
from daide_server.language.messages import (
    BackInControl,
    CurrentPosition,
    DrawDeclared,
    Hello,
    InDisorder,
    MapDefinition,
    OrderResulted,
    Ownership,
    ServerMessage,
    Solo,
    Summary,
    SwitchOff,
    TimeLeft,
    TimeStopped,
)

from .view import OBSERVER, View


@define
class Knowledge:
    """The facts of a game that a client has been told, kept up to date by `learn`.

    A client learns the map before all else that belongs to a position, and who
    owns the centres (SCO) before where the units are (NOW).
    """

    map: Map | None = None
    power: Power = OBSERVER
    passcode: int = 0
    options: Mapping[HelloOption, int | None] = field(factory=dict)
    owners: Mapping[Province, Power] = field(factory=dict)
    position: Position | None = None
    reported: Turn | None = None
    reports: tuple[Report, ...] = ()
    in_disorder: frozenset[Power] = frozenset()
    seconds_left: int | None = None
    ending: Solo | DrawDeclared | None = None
    summary: Summary | None = None
    off: bool = False

    @property
    def started(self) -> bool:
        """Return whether the game has begun and the board is known."""
        return self.map is not None and self.position is not None

    @property
    def over(self) -> bool:
        """Return whether the game has ended, or the server has."""
        return self.off or self.ending is not None or self.summary is not None

    @property
    def told_all(self) -> bool:
        """Return whether nothing more is to be expected: SMR is said last."""
        return self.off or self.summary is not None

    def view(self) -> View:
        """Return the board as the client sees it now."""
        if self.map is None or self.position is None:
            message = "the board is not known before MDF and NOW"
            raise ValueError(message)
        return View(self.map, self.power, self.position, self.reports)

    def learn(self, message: ServerMessage) -> None:  # noqa: C901 - a table of messages
        """Take in what *message* tells; most answers tell nothing about the game."""
        match message:
            case MapDefinition(map=board_map):
                self.map = board_map
            case Hello():
                self._introduce(message)
            case Ownership(owners=owners):
                self._assign(owners)
            case CurrentPosition(position=position):
                self.position = evolve(position, owners=self.owners)
                self.seconds_left = None
            case OrderResulted(turn=turn, report=report):
                self._report(turn, report)
            case TimeLeft(seconds=seconds) | TimeStopped(seconds=seconds):
                self.seconds_left = seconds
            case InDisorder(power=power):
                self.in_disorder |= {power}
            case BackInControl(power=power):
                self.in_disorder -= {power}
            case Solo() | DrawDeclared():
                self.ending = message
            case Summary():
                self.summary = message
            case SwitchOff():
                self.off = True
            case _:
                pass

    def _introduce(self, hello: Hello) -> None:
        self.power = OBSERVER if hello.power is None else hello.power
        self.passcode = hello.passcode
        self.options = dict(hello.options)

    def _assign(self, owners: Mapping[Province, Power]) -> None:
        places = owners if self.map is None else self.map.provinces
        self.owners = {place: owners[place] for place in places if place in owners}
        if self.position is not None:
            self.position = evolve(self.position, owners=self.owners)

    def _report(self, turn: Turn, report: Report) -> None:
        earlier = self.reports if turn == self.reported else ()
        self.reported = turn
        self.reports = (*earlier, report)
