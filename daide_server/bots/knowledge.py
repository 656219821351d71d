"""What a client knows about its game. Pure: messages in, facts out."""

from collections.abc import Mapping

from attrs import field
from msgspec.structs import replace

from daide_server.board.map import Map
from daide_server.board.names import Power, Province
from daide_server.board.position import Position
from daide_server.board.results import Report
from daide_server.board.turns import Turn
from daide_server.classes import define
from daide_server.language.hello_options import HelloOption
from daide_server.language.messages import (
    BackInControl,
    CurrentPosition,
    DrawDeclared,
    Hello,
    InDisorder,
    MapDefinition,
    MapName,
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
    """The facts in the messages of the server, updated by `learn`."""

    map: Map | None = None
    map_name: str = ""
    """What MAP calls the board."""
    greeted: bool = False
    """Whether HLO has come, which gives power, passcode and options."""
    power: Power = OBSERVER
    passcode: int = 0
    options: Mapping[HelloOption, int | None] = field(factory=dict)
    owners: Mapping[Province, Power] | None = None
    """Who owns which centre; `None` before SCO. A start may have no owner at all."""
    position: Position | None = None
    _reports: list[Report] = field(factory=list)
    reported_turn: Turn | None = None
    """The turn that the next ORD may add to; `None` if it begins a new list."""
    in_disorder: frozenset[Power] = frozenset()
    seconds_left: int | None = None
    ending: Solo | DrawDeclared | None = None
    summary: Summary | None = None
    off: bool = False

    @property
    def reports(self) -> tuple[Report, ...]:
        """Return the results of the turn that was processed last."""
        return tuple(self._reports)

    @property
    def started(self) -> bool:
        """Return whether the map, the seat, the owners and a position are known."""
        known = self.map is not None and self.position is not None
        return known and self.greeted and self.owners is not None

    @property
    def over(self) -> bool:
        """Return whether the game has ended, or the server has shut down."""
        return self.off or self.ending is not None or self.summary is not None

    @property
    def is_complete(self) -> bool:
        """Return whether no more messages will follow: SMR is the last one."""
        return self.off or self.summary is not None

    def view(self) -> View:
        """Return the board as the client sees it now.

        Raises `ValueError` before the map and a position are known (MDF and NOW).
        """
        if self.map is None or self.position is None:
            message = "the board is not known before MDF and NOW"
            raise ValueError(message)
        return View(self.map, self.power, self.position, self.reports)

    def learn(self, message: ServerMessage) -> None:  # noqa: C901, PLR0912 - a table
        """Update the facts from *message*; most answers contain none."""
        match message:
            # The most frequent one by far.
            case OrderResulted():
                self._add_report(message.turn, message.report)
            case MapName(name=name):
                self.map_name = name
            case MapDefinition(map=board_map):
                self.map = board_map
            case Hello():
                self._learn_seat(message)
            case Ownership(owners=owners):
                self._learn_owners(owners)
            case CurrentPosition(position=position):
                self.position = replace(position, owners=self.owners or {})
                self.seconds_left = None
                # ORD after NOW repeats the results on request, from the first one.
                self.reported_turn = None
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

    def _learn_seat(self, hello: Hello) -> None:
        self.greeted = True
        self.power = OBSERVER if hello.power is None else hello.power
        self.passcode = hello.passcode
        self.options = dict(hello.options)

    def _learn_owners(self, owners: Mapping[Province, Power]) -> None:
        places = owners if self.map is None else self.map.provinces
        self.owners = {place: owners[place] for place in places if place in owners}
        if self.position is not None:
            self.position = replace(self.position, owners=self.owners)

    def _add_report(self, turn: Turn, report: Report) -> None:
        # The same object nearly always, and a comparison is a call.
        if turn is not self.reported_turn and turn != self.reported_turn:
            self._reports.clear()
        self.reported_turn = turn
        self._reports.append(report)
