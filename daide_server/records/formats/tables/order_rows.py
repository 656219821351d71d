"""The tables of orders, of messages and of promises."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from msgspec import Struct

from daide_server.board import orders
from daide_server.board.map import Turn
from daide_server.board.names import Location, Power, Unit
from daide_server.board.orders import Order, owner
from daide_server.records.consequences import consequences_of
from daide_server.records.formats.phase_json.map_names import (
    COMPLETED_PHASE,
    Names,
    words_of,
)
from daide_server.records.promises.study import promises
from daide_server.records.record import GameRecord, Message, PlayedTurn, PressOrVote
from daide_server.records.turn_results import TurnResults, turn_results

ORDER_KINDS: Mapping[type, str] = {
    orders.Hold: "hold",
    orders.Move: "move",
    orders.ConvoyedMove: "move via convoy",
    orders.SupportHold: "support hold",
    orders.SupportMove: "support move",
    orders.Convoy: "convoy",
    orders.Retreat: "retreat",
    orders.Disband: "disband",
    orders.Build: "build",
    orders.Remove: "remove",
    orders.Waive: "waive",
}
REMEMBERED_CELLS = 1 << 14
"""Maximum number of orders whose texts are cached."""

OrderCells = tuple[str, str, str, str, str, str]
"""The cells from `power` to `destination`."""


class OrderRow(Struct, frozen=True):
    """One order, or the result of a unit without one (`ordered` is false then).

    `target` is the unit that is supported or convoyed. `result` has DAIDE's words,
    `words` those of the `diplomacy` package; `source` says whether these are recorded
    or computed, and is empty without a result.
    """

    game: str
    phase: str
    year: int
    season: str
    power: str
    unit: str
    kind: str
    order: str
    target: str
    destination: str
    ordered: bool
    result: str
    dislodged: bool
    words: str
    source: str


def order_rows(record: GameRecord, names: Names) -> Iterator[OrderRow]:
    """Yield the rows of all turns, in order of time."""
    for turn, results in turn_results(record):
        yield from _turn_rows(record.id, names, turn, results)


def _turn_rows(
    game: str, names: Names, turn: PlayedTurn, results: TurnResults
) -> Iterator[OrderRow]:
    """Yield the reported orders, and then those without a report."""
    at = turn.position.turn
    of_turn = game, names.phase_text(at), at.year, at.season.value
    ordered = frozenset(turn.orders)
    found = consequences_of(results.reports, turn.orders)
    rows: list[tuple[Order, str, str]] = [
        (report.order, report.result.value if report.result else "", source.value)
        for report, source in results.sources()
    ]
    reported = {order for order, _, _ in rows}
    rows += [(order, "", "") for order in turn.orders if order not in reported]
    for order, result, source in rows:
        unit = None if isinstance(order, orders.Waive) else order.unit
        words = words_of(found[unit]) if source and unit else ()
        yield OrderRow(
            *of_turn,
            *_of_order(names, order),
            ordered=order in ordered,
            result=result,
            dislodged=unit in results.dislodged,
            words=" ".join(words),
            source=source,
        )


@lru_cache(REMEMBERED_CELLS)
def _of_order(names: Names, order: Order) -> OrderCells:
    target, place = _target_and_destination(order)
    return (
        names.powers[owner(order)],
        "" if isinstance(order, orders.Waive) else names.unit_text(order.unit),
        ORDER_KINDS[type(order)],
        # Not `order_text`, which would cache the text a second time.
        names.write_order(order),
        names.unit_text(target) if target else "",
        names.location_text(place) if place else "",
    )


def _target_and_destination(order: Order) -> tuple[Unit | None, Location | None]:
    match order:
        case orders.SupportHold(supported=unit):
            return unit, None
        case orders.SupportMove(_, unit, to) | orders.Convoy(_, unit, to):
            return unit, to
        case orders.Move(_, to) | orders.ConvoyedMove(_, to) | orders.Retreat(_, to):
            return None, to
        case orders.Hold() | orders.Disband() | orders.Build() | orders.Remove():
            return None, None
        case orders.Waive():
            return None, None


HEAD_TOKENS = 2
"""Maximum number of tokens in the column `head`."""


class MessageRow(Struct, frozen=True):
    """Press or a vote: `kind` is press, draw or nodraw; `head` its first tokens.

    `seconds` count from `started` in the table of games; they are empty if unknown.
    """

    game: str
    phase: str
    number: int
    seconds: float | None
    sender: str
    recipients: str
    kind: str
    head: str
    text: str


def message_rows(record: GameRecord, names: Names) -> Iterator[MessageRow]:
    """Yield the press and the votes, in order of time."""
    for number, each in enumerate(record.press_and_votes):
        sender, recipients, kind, text = _described(each)
        yield MessageRow(
            game=record.id,
            phase=names.phase_text(each.turn) if each.turn else COMPLETED_PHASE,
            number=number,
            seconds=each.seconds,
            sender=names.powers[sender],
            recipients=" ".join(names.powers[power] for power in recipients),
            kind=kind,
            head=_head(text),
            text=text,
        )


def _described(each: PressOrVote) -> tuple[Power, Iterable[Power], str, str]:
    """Return sender, recipients, kind and text."""
    if isinstance(each, Message):
        return each.sender, each.recipients, "press", each.text
    return each.power, each.powers or (), "nodraw" if each.withdrawn else "draw", ""


def _head(text: str) -> str:
    """Return the first words of DAIDE press, such as `PRP PCE`."""
    words = text.replace("(", " ").replace(")", " ").split()
    if text[:1] == "'" or not all(word.isupper() for word in words[:1]):
        return ""
    return " ".join(words[:HEAD_TOKENS])


class PromiseRow(Struct, frozen=True):
    """A promise of one power.

    `number` is that of the proposal among the messages, `phase` when it was proposed
    and `agreed` when the last power accepted it. `state` is what became of the
    proposal, `verdict` of the promise, and `decided` the phase that decided it.
    """

    game: str
    phase: str
    number: int
    proposer: str
    recipients: str
    state: str
    agreed: str
    promiser: str
    to: str
    promise: str
    verdict: str
    decided: str
    reason: str


def promise_rows(record: GameRecord, names: Names) -> Iterator[PromiseRow]:
    """Yield the promises, in order of their proposals."""
    for each in promises(record):
        proposal, finding = each.proposal, each.finding
        yield PromiseRow(
            game=record.id,
            phase=names.phase_text(proposal.turn),
            number=proposal.number,
            proposer=_power(names, proposal.proposer),
            recipients=_powers(names, proposal.recipients),
            state=proposal.state.value,
            agreed=_phase_if_any(names, proposal.agreed),
            promiser=_power(names, each.power),
            to=_powers(names, each.to),
            promise=each.clause.text,
            verdict=finding.verdict.value,
            decided=_phase_if_any(names, finding.turn),
            reason=finding.reason,
        )


def _phase_if_any(names: Names, turn: Turn | None) -> str:
    return names.phase_text(turn) if turn else ""


def _power(names: Names, power: Power) -> str:
    return names.powers.get(power, power)


def _powers(names: Names, powers: Iterable[Power]) -> str:
    return " ".join(_power(names, power) for power in powers)
