"""What a bot knows: the view of a turn, events, notes on its orders, and all facts.

A `View` is the argument of a strategy; `Knowledge` collects the messages of the server.
Pure.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence

from attrs import define, field, frozen
from msgspec import Struct
from msgspec.structs import replace

from daide_server.board.map import Map, Phase, Position, Turn
from daide_server.board.names import Power, Province, Unit
from daide_server.board.orders import Build, Order
from daide_server.board.results import OrderNote, Report
from daide_server.daide import messages
from daide_server.daide.commands import HelloOption
from daide_server.daide.tokens import Tokens

OBSERVER = Power("UNO")
"""The power of an observer, as HLO names it."""


@frozen(eq=False)
class View:
    """The board at the start of a turn of *power*, and the results of the last turn.

    `reports` are empty before the first turn has been processed.
    """

    map: Map
    power: Power
    position: Position
    reports: tuple[Report, ...] = ()

    @property
    def turn(self) -> Turn:
        """Return the turn that needs orders."""
        return self.position.turn

    @property
    def phase(self) -> Phase:
        """Return the phase of the turn: which kind of orders it needs."""
        return self.position.turn.phase

    @property
    def units(self) -> tuple[Unit, ...]:
        """Return the bot's units that are not dislodged."""
        return self.position.units_of(self.power)

    @property
    def dislodged(self) -> tuple[Unit, ...]:
        """Return the bot's units that must retreat or disband."""
        return self.position.dislodged_of(self.power)

    @property
    def surplus(self) -> int:
        """Return how many units the bot may build, or if negative must remove."""
        return self.position.surplus(self.power)

    @property
    def open_homes(self) -> tuple[Province, ...]:
        """Return the home centres where the bot may build."""
        occupied = {unit.province for unit in self.position.units}
        return tuple(
            centre
            for centre in self.position.centres_of(self.power)
            if centre in self.map.homes[self.power] and centre not in occupied
        )

    def builds_in(self, home: Province) -> tuple[Build, ...]:
        """Return a build of each unit that can stand in *home*."""
        return tuple(
            Build(self.map.unit(self.power, kind, at))
            for kind, at in self.map.neighbours
            if at.province == home
        )


Strategy = Callable[[View], Sequence[Order]]
"""A function from a view to the orders for its turn."""


class Unreadable(Struct, frozen=True):
    """A message that this client cannot parse; servers may have extensions."""

    tokens: Tokens


class Returned(Struct, frozen=True):
    """The client lost its connection and has returned; some events are missing."""


class Unanswered(Struct, frozen=True):
    """The connection was lost, or the server sent OFF, before the answer."""


UNANSWERED = Unanswered()

BotEvent = View | messages.ServerMessage | Unreadable | Returned
"""A `View` where a turn begins; otherwise a message that no view shows."""


class Views:
    """The views among *events*."""

    def __init__(self, events: AsyncIterator[BotEvent]) -> None:
        self._events = events

    def __aiter__(self) -> AsyncIterator[View]:
        return self

    async def __anext__(self) -> View:
        while True:
            event = await anext(self._events)
            if isinstance(event, View):
                return event


RemoteAnswer = messages.ServerMessage | Unanswered


class Submission(Struct, frozen=True):
    """The notes on orders, in the order of submission.

    There are fewer notes than orders if the turn was over already or the connection
    was lost; in both cases another turn follows.
    """

    notes: tuple[tuple[Order, OrderNote], ...] = ()

    @property
    def refused(self) -> tuple[tuple[Order, OrderNote], ...]:
        """Return the orders that the server did not accept, each with its note."""
        return tuple(noted for noted in self.notes if noted[1] is not OrderNote.OK)


def noted(
    given: Iterable[tuple[Order, Order | None]], notes: Iterable[OrderNote]
) -> Submission:
    """Return the notes on orders, as the server sent them, in order.

    An order with `None` was not sent, because no fleets can convoy it.
    """
    sent_notes = iter(notes)
    answered = (
        (order, OrderNote.NO_SUCH_FLEET if sent is None else next(sent_notes, None))
        for order, sent in given
    )
    return Submission(tuple((order, note) for order, note in answered if note))


def ending_text(ending: messages.Solo | messages.DrawDeclared) -> str:
    """Return how a game ended, such as `draw of ENG, FRA`."""
    if isinstance(ending, messages.Solo):
        return f"solo of {ending.power}"
    return "draw" if ending.powers is None else f"draw of {', '.join(ending.powers)}"


@define
class Knowledge:
    """The facts in the messages of the server, updated by `learn`."""

    map: Map | None = None
    map_name: str = ""
    """The name of the board in MAP."""
    greeted: bool = False
    """Whether HLO has come, which gives power, passcode and options."""
    power: Power = OBSERVER
    passcode: int = 0
    options: Mapping[HelloOption, int | None] = field(factory=dict)
    owners: Mapping[Province, Power] | None = None
    """The owner of each centre; `None` before SCO. At the start there may be no
    owners."""
    position: Position | None = None
    _reports: list[Report] = field(factory=list)
    reported_turn: Turn | None = None
    """The turn that the next ORD may add to; `None` if it begins a new list."""
    in_disorder: frozenset[Power] = frozenset()
    seconds_left: int | None = None
    ending: messages.Solo | messages.DrawDeclared | None = None
    summary: messages.Summary | None = None
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
        """Return the board as it is now; raises `ValueError` before MDF and NOW."""
        if self.map is None or self.position is None:
            raise ValueError("the board is not known before MDF and NOW")
        return View(self.map, self.power, self.position, self.reports)

    def learn(self, message: messages.ServerMessage) -> None:  # noqa: C901, PLR0912 - a table
        """Update the facts from *message*; most answers contain none."""
        match message:
            # The most frequent one by far.
            case messages.OrderResulted():
                self._add_report(message.turn, message.report)
            case messages.MapName(name=name):
                self.map_name = name
            case messages.MapDefinition(map=board_map):
                self.map = board_map
            case messages.Hello():
                self._learn_seat(message)
            case messages.Ownership(owners=owners):
                self._learn_owners(owners)
            case messages.CurrentPosition(position=position):
                self.position = replace(position, owners=self.owners or {})
                self.seconds_left = None
                # ORD after NOW repeats the results on request, from the first one.
                self.reported_turn = None
            case (
                messages.TimeLeft(seconds=seconds)
                | messages.TimeStopped(seconds=seconds)
            ):
                self.seconds_left = seconds
            case messages.InDisorder(power=power):
                self.in_disorder |= {power}
            case messages.BackInControl(power=power):
                self.in_disorder -= {power}
            case messages.Solo() | messages.DrawDeclared():
                self.ending = message
            case messages.Summary():
                self.summary = message
            case messages.SwitchOff():
                self.off = True
            case _:
                pass

    def _learn_seat(self, hello: messages.Hello) -> None:
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
