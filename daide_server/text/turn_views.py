"""The views of a turn and its orders: the result of each, why, and who helped.

The results are adjudicated again, for the reasons. If the record differs, the record's
result is shown, and the reason says so.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import evolve, frozen
from msgspec import Struct, convert
from msgspec.structs import replace

from daide_server.board import orders
from daide_server.board.map import Position, Variant
from daide_server.board.names import Power, Province, Unit, UnitType
from daide_server.board.orders import Order, owner
from daide_server.board.results import OrderNote, OrderResult, Report
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.fleet_chains import shortest_route
from daide_server.judge.resolution import Outcome, Resolution, Superseded, Void
from daide_server.judge.rules import DAIDE_RULES, EDITIONS, IllegalOrders
from daide_server.records import record as records
from daide_server.records.formats.phase_json.map_names import Names, names_of, turn_id
from daide_server.records.promises.study import Promise

from . import views
from .press_words import press_words
from .turn_report import TurnExplainer
from .words import turn_title

ORDER_RESULT_WORDS: Mapping[OrderResult, str] = {
    OrderResult.SUCCEEDED: views.SUCCEEDED,
    OrderResult.BOUNCED: "bounced",
    OrderResult.CUT: "cut",
    OrderResult.DISRUPTED: "disrupted",
    OrderResult.NO_SUCH_ORDER: "void",
}
PLAIN_REASONS = frozenset(
    {"holds", "moves", "support given", "convoys", "retreats", "disbanded", "built"}
    | {"removed", "waived"}
)
"""Reasons that add nothing to the result."""


def order_kind(kind: type[Order]) -> str:
    """Return the kind of an order as views name it, such as `support_move`."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()


_Place = tuple[Power, UnitType, Province]


class UnitNumbers(Struct, frozen=True):
    """The number of each unit of a position, and the next number that is free."""

    numbers: Mapping[Unit, int]
    free: int


def first_numbers(position: Position) -> UnitNumbers:
    """Return the numbers of the units in the first position of a game."""
    units = (*position.units, *position.dislodged)
    return UnitNumbers({unit: at for at, unit in enumerate(units, 1)}, len(units) + 1)


def next_numbers(
    before: UnitNumbers, reports: Iterable[Report], after: Position
) -> UnitNumbers:
    """Return the numbers of the units in *after*, the position after *reports*."""
    known = _expected(before.numbers, reports)
    numbers, free = dict[Unit, int](), before.free
    for unit in (*after.units, *after.dislodged):
        number = known.pop(_place(unit), None)
        if number is None:
            number, free = free, free + 1
        numbers[unit] = number
    return UnitNumbers(numbers, free)


def _expected(
    numbers: Mapping[Unit, int], reports: Iterable[Report]
) -> dict[_Place, int]:
    """Return the number that is expected at each place after *reports*."""
    moved = {
        report.order.unit: report.order.destination.province
        for report in reports
        if isinstance(report.order, orders.Move | orders.ConvoyedMove | orders.Retreat)
        and report.result is OrderResult.SUCCEEDED
    }
    return {
        (unit.power, unit.type, moved.get(unit, unit.province)): number
        for unit, number in numbers.items()
    }


def _place(unit: Unit) -> _Place:
    return unit.power, unit.type, unit.province


class OrderViewer:
    """Makes the views of the orders of one turn."""

    def __init__(
        self,
        names: Names,
        turn: records.PlayedTurn,
        resolution: Resolution,
        numbers: Iterable[UnitNumbers],
    ) -> None:
        """View the orders of *turn* in the words of *names*.

        *numbers* are those of the units before and after the turn.
        """
        self._names = names
        self._position = turn.position
        self._computed = {report.order: report for report in resolution.reports}
        self._recorded = {report.order: report for report in turn.reports}
        self._numbers = {
            (unit.power, unit.province): str(number)
            for each in reversed([*numbers])
            for unit, number in each.numbers.items()
        }
        self._supporters = self._helpers(orders.SupportHold, orders.SupportMove)
        self._fleets = self._helpers(orders.Convoy)

    def order_views(self, explainer: TurnExplainer) -> Iterator[views.OrderView]:
        """Yield the orders, those of a power together; *explainer* has the reasons."""
        found = list(explainer.explained(self._position))
        index = self._names.map.power_index
        found.sort(key=lambda each: index.get(owner(each[0]), -1))
        for order, outcome, reason in found:
            yield self._view(order, outcome, reason)

    def _view(
        self, order: Order, outcome: Outcome | None, reason: str
    ) -> views.OrderView:
        names = self._names
        result = self._result(order, outcome)
        unit = None if isinstance(order, orders.Waive) else order.unit
        carried_out = result not in {views.ILLEGAL, views.REPLACED}
        return views.OrderView(
            power=owner(order),
            text=names.order_text(order),
            kind=order_kind(type(order)),
            unit=self._id(unit),
            to=names.location_text(order.destination)
            if hasattr(order, "destination")
            else "",
            target=self._id(_target(order)),
            via=tuple(names.provinces[sea] for sea in self._route(order)),
            result=result,
            why=self._why(order, result, reason),
            given=outcome is not None,
            supporters=tuple(map(self._id, self._supporters.get(unit, ())))
            if unit is not None and carried_out
            else (),
        )

    def _result(self, order: Order, outcome: Outcome | None) -> str:
        if isinstance(outcome, Superseded):
            return views.REPLACED
        if isinstance(outcome, Void):
            return views.ILLEGAL
        report = self._recorded.get(order) or self._computed.get(order)
        return views.SUCCEEDED if report is None else _word(report)

    def _why(self, order: Order, result: str, reason: str) -> str:
        """Return *reason*, or nothing if it adds nothing to *result*."""
        computed = self._computed.get(order)
        if result not in {views.ILLEGAL, views.REPLACED} and computed is not None:
            again = _word(computed)
            if again != result:
                return f"recorded as {result}; adjudicated again: {reason}"
        return "" if reason in PLAIN_REASONS else reason

    def _helpers(
        self, *kinds: type[orders.SupportHold | orders.SupportMove | orders.Convoy]
    ) -> dict[Unit, list[Unit]]:
        """Return the units whose orders of *kinds* for each unit succeeded."""
        found: dict[Unit, list[Unit]] = defaultdict(list)
        for order, computed in self._computed.items():
            target = _target(order)
            report = self._recorded.get(order, computed)
            if isinstance(order, kinds) and target and _word(report) == views.SUCCEEDED:
                found[target].append(order.unit)
        return found

    def _route(self, order: Order) -> Sequence[Province]:
        if not isinstance(order, orders.ConvoyedMove):
            return ()
        if order.route:
            return order.route
        board, fleets = self._names.map, self._fleets.get(order.unit, ())
        start, end = order.unit.province, order.destination.province
        return shortest_route(board, fleets, start, end) or ()

    def _id(self, unit: Unit | None) -> str:
        return self._numbers.get((unit.power, unit.province), "") if unit else ""


def _target(order: Order) -> Unit | None:
    """Return the unit that *order* supports or convoys."""
    match order:
        case orders.SupportHold() | orders.SupportMove():
            return order.supported
        case orders.Convoy():
            return order.convoyed
        case _:
            return None


def _word(report: Report) -> str:
    """Return the result of *report* as the page says it."""
    match report.result:
        case None:
            return views.DISLODGED
        case OrderNote():
            return views.SUCCEEDED if report.result is OrderNote.OK else views.ILLEGAL
        case OrderResult():
            return ORDER_RESULT_WORDS[report.result]


MAX_PROMISES = 500
"""Maximum promises of a game that are shown: the latest ones."""


def press_views(record: records.GameRecord) -> Iterator[views.PressView]:
    """Yield the messages and votes of *record*, in order of time."""
    words = press_words(record.variant)
    said: list[tuple[int, records.PressOrVote]] = list(enumerate(record.messages, 1))
    said += [(0, vote) for vote in record.votes]
    for number, each in sorted(said, key=lambda found: found[1].seconds or 0.0):
        if isinstance(each, records.Message):
            sender, to, text = each.sender, each.recipients, each.text
        else:
            sender, to, text = each.power, each.powers or (), _vote_text(each)
        yield views.PressView(
            turn="" if each.turn is None else turn_id(each.turn),
            seconds=each.seconds,
            sender=sender,
            recipients=to,
            text=text,
            words=words.sentence(each),
            number=number,
            vote=isinstance(each, records.DrawVote),
        )


def _vote_text(vote: records.DrawVote) -> str:
    text = f"DRW ( {' '.join(vote.powers)} )" if vote.powers else "DRW"
    return f"NOT ( {text} )" if vote.withdrawn else text


def promise_views(found: Sequence[Promise]) -> tuple[views.PromiseView, ...]:
    """Return the agreements, in order of the proposals."""
    agreed = [each for each in found if each.proposal.agreed is not None]
    return tuple(
        views.PromiseView(
            turn=turn_id(each.proposal.turn),
            power=each.power,
            to=each.to,
            text=each.clause.text,
            message=each.proposal.number + 1,
            verdict=each.finding.verdict.value,
            decided=turn_id(each.finding.turn) if each.finding.turn else "",
            why=each.finding.reason,
        )
        for each in agreed[-MAX_PROMISES:]
    )


SLOW = 1.0
"""The think time, in seconds, from which it is shown."""
SHORT = 10.0
"""Seconds below which a time is written with a decimal."""


class GameViewer:
    """Makes the views of the turns of one game, and keeps those of played turns."""

    def __init__(self, variant: Variant, edition: str) -> None:
        """View the turns of a game on *variant*, by the rules of *edition*."""
        self._variant: Final = variant
        self._names: Final = names_of(variant.map)
        self._titles: Final = {
            power: variant.titles.get(power, power) for power in variant.map.powers
        }
        rules = EDITIONS.get(edition, DAIDE_RULES)
        self._rules: Final = evolve(rules, illegal_orders=IllegalOrders.REPORTED)
        self._numbers: UnitNumbers | None = None
        self._played: Final[list[views.TurnView]] = []

    def turns(self, record: records.GameRecord) -> tuple[views.TurnView, ...]:
        """Return the views of all turns of *record*, each made once."""
        known = len(self._played)
        following = record.positions[known + 1 :]
        for turn, after in zip(record.turns[known:], following, strict=True):
            self._played.append(self.add(turn, after))
        if record.is_last_turn_open or not record.turns:
            return (*self._played, self.open(record.last, record.last_since))
        return tuple(self._played)

    def add(self, turn: records.PlayedTurn, after: Position) -> views.TurnView:
        """Return the view of the next *turn*, after which *after* is the position."""
        names, numbers = self._names, self._numbers_at(turn.position)
        resolution = adjudicate(self._variant, turn.position, turn.orders, self._rules)
        reports = turn.reports or resolution.reports
        self._numbers = next_numbers(numbers, reports, after)
        explainer = TurnExplainer(names, resolution, turn.tallies, self._titles)
        viewer = OrderViewer(names, turn, resolution, (numbers, self._numbers))
        before = NumberedBoard(names, turn.position, numbers)
        return replace(
            before.view(turn.since),
            orders=tuple(viewer.order_views(explainer)),
            after=before.changes(NumberedBoard(names, after, self._numbers)),
            players=dict(_conduct(turn.tallies or {})),
        )

    def open(self, position: Position, since: float | None) -> views.TurnView:
        """Return the view of the turn that is being played now."""
        board = NumberedBoard(self._names, position, self._numbers_at(position))
        return replace(board.view(since), open=True)

    def _numbers_at(self, position: Position) -> UnitNumbers:
        return self._numbers or first_numbers(position)


@frozen
class NumberedBoard:
    """A position, with the names of its map and the numbers of its units."""

    names: Names
    position: Position
    numbers: UnitNumbers

    def view(self, since: float | None) -> views.TurnView:
        """Return the view of a turn without its orders."""
        position, turn = self.position, self.position.turn
        return views.TurnView(
            id=turn_id(turn),
            title=turn_title(turn),
            phase=turn.phase.value,
            units=tuple(map(self.unit, (*position.units, *position.dislodged))),
            dislodged=self.retreats(),
            owners=self._owners(),
            since=since,
        )

    def changes(self, later: "NumberedBoard") -> views.AfterView:
        """Return what is different on the *later* board."""
        was = {number: unit for unit, number in self.numbers.numbers.items()}
        now = {number: unit for unit, number in later.numbers.numbers.items()}
        return views.AfterView(
            moved={
                str(number): self.names.location_text(unit.location)
                for number, unit in now.items()
                if number in was and was[number].location != unit.location
            },
            dislodged=later.retreats(),
            gone=tuple(str(number) for number in was if number not in now),
            built=tuple(
                later.unit(unit) for number, unit in now.items() if number not in was
            ),
            centres=tuple(self._centre_changes(later.position)),
        )

    def unit(self, unit: Unit) -> views.UnitView:
        """Return the view of *unit*."""
        number, at = self.numbers.numbers[unit], self.names.location_text(unit.location)
        return views.UnitView(str(number), unit.power, unit.type.value, at)

    def retreats(self) -> dict[str, tuple[str, ...]]:
        """Return where each dislodged unit may go."""
        at, numbers = self.names.location_text, self.numbers.numbers
        return {
            str(numbers[unit]): tuple(map(at, places))
            for unit, places in self.position.dislodged.items()
        }

    def _owners(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for province, power in self.position.owners.items():
            found[power] = (*found.get(power, ()), self.names.provinces[province])
        return found

    def _centre_changes(self, after: Position) -> Iterator[views.CentreChange]:
        for province, name in self.names.provinces.items():
            was, now = self.position.owners.get(province), after.owners.get(province)
            if was != now:
                yield views.CentreChange(name, was or "", now or "")


def _conduct(
    tallies: Mapping[Power, records.PlayerTally],
) -> Iterator[tuple[str, views.ConductView]]:
    """Yield the conduct of each power that has something other than zeros."""
    for power, tally in tallies.items():
        view = convert(tally, views.ConductView, from_attributes=True)
        if view != views.ConductView():
            yield power, replace(view, words=", ".join(_badly(view)))


def _badly(player: views.ConductView) -> Iterator[str]:
    """Yield what a player did badly, in words."""
    if player.silent:
        yield "silent"
    elif player.late:
        yield f"{player.late} late"
    if player.refused:
        yield f"{player.refused} refused"
    if player.syntax_errors:
        yield f"{player.syntax_errors} HUH"
    longest = player.think_longest
    if longest is not None and longest >= SLOW:
        yield f"{longest:.1f} s" if longest < SHORT else f"{longest:.0f} s"
