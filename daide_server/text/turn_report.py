"""The report of a turn for a person: a line for each order, with the reason.

The reasons are the judge's outcomes (DATC 5.B); names are dipcc's.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import assert_never

from daide_server.board import orders
from daide_server.board.map import Phase, Position
from daide_server.board.names import Power, Province, Unit
from daide_server.board.orders import Order, owner
from daide_server.board.results import OrderNote
from daide_server.judge import resolution as outcomes
from daide_server.judge.resolution import Outcome, Resolution
from daide_server.records.formats.phase_json.map_names import Names
from daide_server.records.record import PlayerTally

NOTE_TEXTS: Mapping[OrderNote, str] = {
    OrderNote.OK: "nothing",
    OrderNote.COAST_NEEDED: "such a unit cannot stand there, or must name its coast",
    OrderNote.CENTRE_OCCUPIED: "there is a unit in that centre",
    OrderNote.NOT_ADJACENT: "it cannot get there",
    OrderNote.NOT_HOME_CENTRE: "not a home centre of that power",
    OrderNote.NOT_AT_SEA: "the fleet is not at sea",
    OrderNote.NO_MORE_BUILDS: "no more builds are due",
    OrderNote.NO_MORE_REMOVALS: "no more removals are due",
    OrderNote.NO_RETREAT_NEEDED: "the unit does not have to retreat",
    OrderNote.WRONG_SEASON: "not an order of this phase",
    OrderNote.NO_SUCH_ARMY: "there is no such army",
    OrderNote.NOT_A_CENTRE: "not a supply centre",
    OrderNote.NO_SUCH_FLEET: "there is no such fleet",
    OrderNote.NO_SUCH_PROVINCE: "there is no such province",
    OrderNote.NO_SUCH_UNIT: "there is no such unit",
    OrderNote.NOT_A_VALID_RETREAT: "that place is not open to its retreat",
    OrderNote.NOT_YOUR_UNIT: "the unit is not that power's",
    OrderNote.NOT_YOUR_CENTRE: "that power does not own the centre",
}
"""Why an order is illegal; DAIDE messages say the same by a token."""

_DEFAULTS: Mapping[Phase, tuple[str, str]] = {
    Phase.MOVEMENT: ("no order", "holds"),
    Phase.RETREATS: ("no order", "disbanded"),
    Phase.ADJUSTMENTS: ("civil disorder", "removed"),
}
"""The reason for what a unit without an order does, by phase."""

_Tallies = Mapping[Power, PlayerTally]


def refusal_text(note: OrderNote) -> str:
    """Return why an order was refused, with DAIDE's token."""
    return f"refused: {note.value}, {NOTE_TEXTS[note]}"


def turn_report(
    names: Names,
    position: Position,
    resolution: Resolution,
    tallies: _Tallies | None = None,
) -> list[str]:
    """Return the lines on a turn: by power, then by order as they were given.

    With *tallies*, units whose orders were refused say so.
    """
    found = list(TurnExplainer(names, resolution, tallies).lines(position))
    width = max((len(text) for _, text, _ in found), default=0)
    lines: list[str] = []
    found.sort(key=lambda line: names.map.power_index[line[0]])
    for power, group in groupby(found, key=lambda line: line[0]):
        lines.append(f"  {names.powers[power]}")
        lines += (f"    {text:{width}}  {reason}" for _, text, reason in group)
    return lines


class TurnExplainer:
    """Explains the orders of one turn, with the names of its map."""

    def __init__(
        self,
        names: Names,
        resolution: Resolution,
        tallies: _Tallies | None = None,
        titles: Mapping[Power, str] | None = None,
    ) -> None:
        """Explain *resolution*; *titles* are names of powers other than dipcc's."""
        self._names = names
        self._titles = names.powers if titles is None else titles
        self._resolution = resolution
        self._refused: dict[tuple[Power, Province | None], OrderNote] = {
            (power, refused.province): refused.note
            for power, tally in (tallies or {}).items()
            for refused in tally.refused_orders
        }
        self._orders = orders.by_unit(report.order for report in resolution.reports)

    def lines(self, position: Position) -> Iterator[tuple[Power, str, str]]:
        """Yield the power, the order and the result of every order."""
        for order, outcome, reason in self.explained(position):
            if outcome is not None:
                yield owner(order), self._names.order_text(order), reason
            elif not isinstance(order, orders.Waive):
                yield owner(order), self._names.unit_text(order.unit), reason

    def explained(
        self, position: Position
    ) -> Iterator[tuple[Order, Outcome | None, str]]:
        """Yield each order with its outcome and the reason in words.

        The outcome is `None` for a unit without an order.
        """
        ordered: set[Unit] = set()
        for order, outcome in self._resolution.outcomes:
            reason = self.reason(order, outcome)
            if not isinstance(order, orders.Waive | orders.Build):
                reason += self._rest(order.unit, outcome)
                is_removed = isinstance(self._orders.get(order.unit), orders.Remove)
                if not (is_removed and isinstance(outcome, outcomes.Void)):
                    ordered.add(order.unit)
            yield order, outcome, reason
        why, result = _DEFAULTS[position.turn.phase]
        for unit, order in self._orders.items():
            if unit not in ordered and not isinstance(order, orders.Build):
                refusal = self._refusal(unit)
                default = f"{refusal}; {result}" if refusal else f"{why}: {result}"
                yield order, None, default + self._fate(unit)

    def _refusal(self, unit: Unit) -> str:
        """Return why the orders for *unit* were refused; empty if they were not."""
        note = self._refused.get((unit.power, unit.province))
        return "" if note is None else refusal_text(note)

    def _rest(self, unit: Unit, outcome: Outcome) -> str:
        """Return what to add after *outcome*, if anything."""
        if isinstance(outcome, outcomes.Superseded | outcomes.Dislodged):
            return ""
        holds = isinstance(outcome, outcomes.Void) and isinstance(
            self._orders.get(unit), orders.Hold
        )
        return ("; holds" if holds else "") + self._fate(unit)

    def _fate(self, unit: Unit) -> str:
        """Return what to add if a unit was dislodged; else an empty text."""
        attacker = self._resolution.dislodged.get(unit)
        return "" if attacker is None else f"; dislodged by {self._unit(attacker)}"

    def reason(self, order: Order, outcome: Outcome) -> str:  # noqa: C901, PLR0912 - one case per outcome
        """Return the result of *order*, and why."""
        match outcome:
            case outcomes.Held():
                return "holds"
            case outcomes.Dislodged():
                return f"dislodged by {self._unit(outcome.by)}"
            case outcomes.Moved():
                return "moves"
            case outcomes.Bounced():
                return self._bounce(order, outcome)
            case outcomes.Supported():
                return "support given"
            case outcomes.Cut():
                return f"support cut by {self._unit(outcome.by)}"
            case outcomes.Unmatched():
                return self._mismatch(order)
            case outcomes.Convoyed():
                return "convoys"
            case outcomes.NoConvoy():
                kind = "no path" if isinstance(order, orders.ConvoyedMove) else "void"
                return f"{kind}: no fleets with orders to convoy it all the way"
            case outcomes.Disrupted():
                return f"convoy disrupted {self._break(outcome.at)}"
            case outcomes.Retreated():
                return "retreats"
            case outcomes.Collided():
                return f"disbanded: {self._unit(outcome.by)} retreats there as well"
            case outcomes.Disbanded():
                return "disbanded"
            case outcomes.Adjusted():
                return _ADJUSTED.get(type(order), "removed")
            case outcomes.Void():
                return f"illegal, {NOTE_TEXTS[outcome.note]} ({outcome.note.value})"
            case outcomes.Superseded():
                return f"replaced by {self._names.order_text(outcome.by)}"
            case _:
                assert_never(outcome)

    def _unit(self, unit: Unit) -> str:
        return f"{self._names.unit_text(unit)} of {self._titles[unit.power]}"

    def _bounce(self, order: Order, bounced: outcomes.Bounced) -> str:
        strengths = f"strength {bounced.strength} against {bounced.resistance}"
        how = self._resistance(order, bounced.by)
        return f"bounced by {self._unit(bounced.by)}, {how}: {strengths}"

    def _resistance(self, order: Order, other: Unit) -> str:
        """Return how *other* stopped the unit of *order*."""
        theirs = self._orders.get(other)
        if not isinstance(order, orders.Move | orders.ConvoyedMove):
            return "which resisted"
        target = order.destination.province
        if isinstance(theirs, orders.Move | orders.ConvoyedMove):
            if theirs.destination.province == target:
                return "which goes there as well"
            if theirs.destination.province == order.unit.province:
                return "which comes the other way"
        own = other.power == order.unit.power
        return "which is its own and stays" if own else "which stays"

    def _mismatch(self, order: Order) -> str:
        """Return what the supported or convoyed unit does instead."""
        match order:
            case orders.SupportHold() | orders.SupportMove():
                theirs = self._orders[order.supported]
            case orders.Convoy():
                theirs = self._orders[order.convoyed]
            case _:
                return "void"
        return f"void: the order is {self._names.order_text(theirs)}"

    def _break(self, places: Sequence[Province]) -> str:
        if not places:
            return "by the paradox that it would make (DATC 4.A.2)"
        return f"in {', '.join(map(self._names.notation.province, places))}"


_ADJUSTED: Mapping[type[Order], str] = {orders.Build: "built", orders.Waive: "waived"}
