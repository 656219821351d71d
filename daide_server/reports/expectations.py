"""Orders that are expected of others, as a person writes them.

    GERMANY: A MUN - BUR, A BER - KIE; ENGLAND: F LON - ENG

Orders are in dipcc's names, with commas, semicolons or new lines between them. The
name of a power holds for what follows; without one, an order is that of the unit
where it stands. JSON is read as well: `{"GERMANY": ["A MUN - BUR"]}`, or an object
such as `adjudicate` reads, with these under "orders".
"""

import re
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from daide_server.board.map import Phase, Position
from daide_server.board.names import Power, Province, Unit
from daide_server.board.orders import Order, Waive
from daide_server.board.results import OrderNote
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import Names
from daide_server.judge.legality import Legality
from daide_server.judge.rules import Rules

from .turn_report import NOTE_TEXTS

_Orders = dict[str, list[str] | None]


class _Line(Struct):
    """The orders of a line for `adjudicate`."""

    orders: _Orders


def read_expectations(
    text: str, names: Names, position: Position, power: Power, rules: Rules
) -> tuple[Order, ...]:
    """Return the orders of others than *power* that *text* holds.

    Raises `FormatError` for an order that is illegal, for *power*, or not an order.
    """
    reader = _Reader(names, position)
    written = _from_json(text) if text.lstrip().startswith("{") else _from_text(text)
    orders = tuple(reader.order(word, who) for who, word in written)
    legality = Legality(names.map, position, rules)
    accepted: dict[Power, list[Order]] = {}
    for order in orders:
        whose = order.power if isinstance(order, Waive) else order.unit.power
        called = f"{names.powers[whose]}: {names.order_text(order)}"
        if whose == power:
            message = f"{called}: expected orders of the others only"
            raise FormatError(message)
        own = accepted.setdefault(whose, [])
        note = legality.note(order, whose, own)
        if note is not OrderNote.OK:
            message = f"{called}: illegal, {NOTE_TEXTS[note]} ({note.value})"
            raise FormatError(message)
        own.append(order)
    return orders


def power_called(names: Names, text: str) -> Power:
    """Return the power that a person calls *text*: `FRANCE`, `France` or `FRA`."""
    wanted = text.strip().upper()
    if wanted in names.map.power_index:
        return Power(wanted)
    for power, called in names.powers.items():
        if called.upper() == wanted:
            return power
    return names.power(text)


def _from_json(text: str) -> Iterator[tuple[str, str]]:
    try:
        found = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
        if "orders" in found:
            orders = msgspec.json.decode(text, type=_Line).orders
        else:
            orders = msgspec.json.decode(text, type=_Orders)
    except (msgspec.DecodeError, RecursionError) as error:
        message = f"expected orders: {error}"
        raise FormatError(message) from None
    for power, texts in orders.items():
        yield from ((power, each) for each in texts or ())


def _from_text(text: str) -> Iterator[tuple[str, str]]:
    power = ""
    for part in re.split(r"[,;\n]", text):
        before, colon, after = part.rpartition(":")
        if colon:
            power = before
        if after.strip():
            yield power, after


class _Reader:
    """Reads single orders in one position."""

    def __init__(self, names: Names, position: Position) -> None:
        self._names = names
        self._phase = position.turn.phase
        dislodged = {unit.province: unit for unit in position.dislodged}
        standing = {unit.province: unit for unit in position.units}
        self._units: dict[Province, Unit] = {**dislodged, **standing}
        if self._phase is Phase.RETREATS:
            self._units = {**standing, **dislodged}

    def order(self, text: str, power: str) -> Order:
        words = " ".join(text.upper().split())
        whose = self._power(words, power.strip())
        return self._names.order(words, whose, self._units, self._phase)

    def _power(self, words: str, power: str) -> Power:
        if power:
            return power_called(self._names, power)
        place = words.split(" ")[1:2]
        name = place[0].partition("/")[0] if place else ""
        province = self._names.notation.spelled.get(name, Province(name))
        unit = self._units.get(province)
        if unit is None:
            message = f"order {words!r}: no unit there; expected such as 'ITALY: ...'"
            raise FormatError(message)
        return unit.power
