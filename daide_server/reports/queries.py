"""Questions to the judge: one JSON line with a position and orders, one JSON answer.

Names and words are dipcc's. What is wrong with a line is told in its answer, with the
line's `id` if it can be read. A person may ask for an explanation instead: lines of
text that say why.
"""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from attrs import frozen
from msgspec import UNSET, Raw, Struct, UnsetType

from daide_server.board.names import Unit
from daide_server.board.orders import Build, Order, Waive
from daide_server.board.position import Position
from daide_server.board.turns import Phase
from daide_server.board.variant import Variant, VariantError
from daide_server.formats.decode_errors import decoded, expect_utf8
from daide_server.formats.errors import FormatError, shortened
from daide_server.formats.phase_json.map_names import Names, names_of
from daide_server.formats.phase_json.position_state import State, state_of
from daide_server.formats.phase_json.result_words import words_of
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import Resolution
from daide_server.judge.rules import Rules
from daide_server.records.consequences import Consequence, consequences_of

from .query_positions import UNNAMED, PositionJson, read_orders, read_position
from .turn_report import turn_report


class Query(PositionJson):
    """A line: a position and the orders in it; `id` is echoed as it came."""

    id: Raw | UnsetType = UNSET
    map: str | UnsetType = UNSET


class Reply(Struct):
    """The answer: the words on each unit, and the state of the phase played next."""

    id: Raw | UnsetType
    results: dict[str, list[str]]
    state: State


class Refusal(Struct):
    """The answer to a line that is wrong."""

    id: Raw | UnsetType
    line: int
    error: str


class _Identified(Struct):
    """What can be known of a line that asks nothing."""

    id: Raw | UnsetType = UNSET


@frozen
class QueryAnswer:
    """A line of output, without its end; `good` unless the question was wrong."""

    text: bytes
    good: bool


_DECODER: Final = msgspec.json.Decoder(Query)
_ENCODER: Final = msgspec.json.Encoder()


Answering = Callable[[bytes, int, Callable[[str], Variant], Rules, str], QueryAnswer]
"""A line, its number, counted from 1, where variants are found, the rules, and what
the board is called if the line names none."""


def answer(
    line: bytes,
    number: int,
    variants: Callable[[str], Variant],
    rules: Rules,
    unnamed: str = UNNAMED,
) -> QueryAnswer:
    """Return the answer to the line *number*, counted from 1, under *rules*.

    It is on the board called *unnamed*, if it names none.
    """
    try:
        reply = _reply(_understood(line, variants, rules, unnamed))
    except _FAULTS as error:
        refusal = Refusal(_id_of(line), number, _complaint(error))
        return QueryAnswer(_ENCODER.encode(refusal), good=False)
    return QueryAnswer(_ENCODER.encode(reply), good=True)


def explain(
    line: bytes,
    number: int,
    variants: Callable[[str], Variant],
    rules: Rules,
    unnamed: str = UNNAMED,
) -> QueryAnswer:
    """Return what became of the orders of a line, and why, as text for a person."""
    try:
        asked = _understood(line, variants, rules, unnamed)
    except _FAULTS as error:
        place = _named(f"line {number}", _id_of(line))
        return QueryAnswer(f"{place}: {_complaint(error)}".encode(), good=False)
    name = _named(asked.phase, asked.id)
    lines = turn_report(asked.names, asked.position, asked.resolution)
    return QueryAnswer("\n".join((name, *lines)).encode(), good=True)


def _named(name: str, identity: Raw | UnsetType) -> str:
    """Return *name* and the `id`, if there is one."""
    return name if identity is UNSET else f"{name} {bytes(identity).decode()}"


_FAULTS: Final = (FormatError, VariantError, RecursionError)
"""What a line may suffer from."""


def _complaint(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return shortened(str(error))


def _id_of(line: bytes) -> Raw | UnsetType:
    """Return the `id` of a line that asks nothing, if it can be read."""
    try:
        found = msgspec.json.decode(line, type=_Identified).id
        if found is not UNSET:
            bytes(found).decode()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return UNSET
    return _on_one_line(found)


def _on_one_line(identity: Raw | UnsetType) -> Raw | UnsetType:
    """Return an `id` without CR, a blank in JSON and a line's end to many readers."""
    if identity is UNSET:
        return UNSET
    return Raw(bytes(identity).replace(b"\r", b" "))


@frozen
class _Asked:
    """A question that was understood, and what follows."""

    id: Raw | UnsetType
    phase: str
    names: Names
    position: Position
    orders: Sequence[Order]
    resolution: Resolution


def _understood(
    line: bytes, variants: Callable[[str], Variant], rules: Rules, unnamed: str
) -> _Asked:
    """Return what a line asks for; raise one of the faults if it asks nothing."""
    # msgspec does not look into the texts that it passes by, such as an `id`.
    expect_utf8(line)
    query = decoded(line, _DECODER)
    variant = variants(unnamed if query.map is UNSET else query.map)
    names = names_of(variant.map)
    position = read_position(names, query)
    orders = read_orders(names, query, position)
    resolution = adjudicate(variant, position, orders, rules)
    identity = _on_one_line(query.id)
    return _Asked(identity, query.phase, names, position, orders, resolution)


def _reply(asked: _Asked) -> Reply:
    resolution = asked.resolution
    completed = resolution.winner is not None
    return Reply(
        id=asked.id,
        results=_results(asked.names, asked.position, asked.orders, resolution),
        state=state_of(asked.names, resolution.next, completed=completed),
    )


def _results(
    names: Names, position: Position, orders: Sequence[Order], resolution: Resolution
) -> dict[str, list[str]]:
    """Return the words on every unit that could be ordered, and every build."""
    consequences = consequences_of(resolution.reports, orders)
    if resolution.void:
        _mark_void(consequences, position, orders, resolution)
    results: dict[str, list[str]] = {}
    for unit, found in consequences.items():
        # An illegal build may be called as a unit that stands there.
        results.setdefault(names.unit_text(unit), words_of(found))
    return results


def _mark_void(
    consequences: dict[Unit, list[Consequence]],
    position: Position,
    orders: Sequence[Order],
    resolution: Resolution,
) -> None:
    """Add VOID where all the orders for a unit, or all builds of it, are illegal.

    Orders for units that are not on the board have nothing to be told of.
    """
    void = [order for order, _ in resolution.void if not isinstance(order, Waive)]
    retreating = position.turn.phase is Phase.RETREATS
    known = set(position.dislodged if retreating else position.units)
    legal = {
        order.unit
        for order in orders
        if not isinstance(order, Waive) and order not in void
    }
    for order in void:
        found = consequences.get(order.unit, [])
        if order.unit in legal or Consequence.VOID in found:
            continue
        if order.unit in known or isinstance(order, Build):
            consequences[order.unit] = [Consequence.VOID, *found]
