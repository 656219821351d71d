"""Checks of the whole file, its phases in order, and their parts.

A fault is anything that dipcc or the `diplomacy` package refuses or misreads, even if
our reader accepts it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from types import UnionType

from attrs import frozen

from daide_server.board import orders
from daide_server.board.map import Phase, Turn, Variant, VariantError
from daide_server.board.names import Unit
from daide_server.board.orders import Build, Order, Waive
from daide_server.records.formats.errors import FormatError
from daide_server.records.formats.format import (
    FindVariant,
    RecordFault,
    entries,
    fault_if_unparsable,
    json_object,
    members,
    shown,
    wrong_choice,
    wrong_kind,
)
from daide_server.scoring.systems import DIPCC_SYSTEMS

from .map_names import COMPLETED_PHASE, WORD_OF_CONSEQUENCE, Names, names_of, phase_turn
from .package_names import OUR_BOARDS, STATE_TABLES, in_our_words
from .press_messages import EVERYBODY


@frozen
class RawPhase:
    """One phase: its place, its content and its turn (`None`: the end)."""

    names: Names
    place: str
    held: dict[str, object]
    turn: Turn | None

    @property
    def state(self) -> dict[str, object]:
        """The state, or an empty one if there is none."""
        found = self.held.get("state")
        return found if isinstance(found, dict) else {}

    @property
    def is_retreat(self) -> bool:
        """Whether dislodged units are ordered."""
        return self.turn is not None and self.turn.phase is Phase.RETREATS

    def knows(self, power: str) -> bool:
        """Return whether *power* is a power of the map."""
        return power in self.names.powers_by_text

    @cached_property
    def unit_texts(self) -> Sequence[tuple[str, str, str]]:
        """The place, the power and the text of each unit, with its star."""
        table = self.state.get("units")
        return [
            (at, power, str(unit))
            for where, power, units in entries(f"{self.place}.state.units", table)
            for at, unit in members(where, units)
        ]

    @property
    def orders(self) -> dict[str, object]:
        """The orders by power, or none if there is no object of them."""
        found = self.held.get("orders")
        return found if isinstance(found, dict) else {}

    @cached_property
    def units(self) -> Sequence[tuple[str, Unit]]:
        """The units that can be ordered, with the names of their powers."""
        found: list[tuple[str, Unit]] = []
        for _, power, text in self.unit_texts:
            if self.knows(power) and text.startswith("*") is self.is_retreat:
                owner, plain = self.names.power(power), text.removeprefix("*")
                with suppress(FormatError):
                    found.append((power, self.names.unit(owner, plain)))
        return found


# Orders

ORDER_TYPES: Mapping[Phase, UnionType] = {
    Phase.MOVEMENT: orders.MovementOrder,
    Phase.RETREATS: orders.RetreatOrder,
    Phase.ADJUSTMENTS: orders.AdjustmentOrder,
}


def order_faults(phase: RawPhase) -> Iterator[RecordFault]:
    """Yield the faults of the orders in *phase*."""
    powers = [power for power, _ in phase.units]
    for power in dict.fromkeys([*powers, *filter(phase.knows, phase.orders)]):
        yield from _faults_of(phase, power)
    for where, power, texts in entries(f"{phase.place}.orders", phase.orders):
        if power not in phase.names.absent:
            yield from fault_if_unparsable(where, phase.names.power, power)
        if texts is not None:
            yield from wrong_kind(where, texts, list)


def _faults_of(phase: RawPhase, power: str) -> Iterator[RecordFault]:
    """Yield the faults of each order of *power*, and units with several orders."""
    names, place = phase.names, f"{phase.place}.orders.{power}"
    units = {unit.province: unit for _, unit in phase.units}
    kind = phase.turn.phase if phase.turn else Phase.MOVEMENT
    given: Counter[Unit] = Counter()
    for at, text in members(place, phase.orders.get(power)):
        try:
            order = names.order(str(text), names.power(power), units, kind)
        except FormatError as error:
            yield RecordFault(at, str(error))
            continue
        for problem in _problems(phase, power, order, str(text)):
            yield RecordFault(at, f"found {str(text)!r}{problem}")
        if not isinstance(order, Waive):
            given[order.unit] += 1
    for unit, count in given.items():
        if count > 1:
            problem = f"found {count} orders for {names.unit_text(unit)}"
            yield RecordFault(place, problem)


def _problems(phase: RawPhase, power: str, order: Order, text: str) -> Iterator[str]:
    """Yield why *order* does not fit its phase or its unit, or *text* the order."""
    if phase.turn is None:
        yield " after the end of the game"
        return
    if not isinstance(order, ORDER_TYPES[phase.turn.phase]):
        yield ", not an order of the phase"
    if isinstance(order, Waive):
        return
    if not isinstance(order, Build) and (power, order.unit) not in phase.units:
        yield ", but the power has no such unit there"
    written = phase.names.order_text(order)
    if text not in {written, written.removesuffix(" VIA"), _coastless(written)}:
        yield f", expected {written!r}"


def _coastless(support: str) -> str:
    """Return a support without the coast of the other unit, which many leave out."""
    own, sign, other = support.partition(" S ")
    return own + sign + re.sub(r"/\w+", "", other, count=1)


# The state: units, owners of centres, retreats


def state_faults(phase: RawPhase) -> Iterator[RecordFault]:
    """Yield the faults of the state of *phase*."""
    place, state = f"{phase.place}.state", phase.state
    if state.get("name") != phase.held.get("name"):
        yield RecordFault(f"{place}.name", f"found {shown(state.get('name'))}")
    for table in STATE_TABLES:
        if table in state or table in {"units", "centers"}:
            yield from wrong_kind(f"{place}.{table}", state.get(table), dict)
        for where, power, _ in entries(f"{place}.{table}", state.get(table)):
            if power not in phase.names.absent:
                yield from fault_if_unparsable(where, phase.names.power, power)
    if "rules" in state:
        yield from wrong_kind(f"{place}.rules", state["rules"], list)
    yield from _units(phase)
    yield from _centres(phase)
    yield from _homes(phase)
    yield from _retreats(phase)


def _units(phase: RawPhase) -> Iterator[RecordFault]:
    names = phase.names
    taken: Counter[str] = Counter()
    for at, power, text in phase.unit_texts:
        if phase.knows(power):
            owner = names.power(power)
            yield from fault_if_unparsable(
                at, names.unit, owner, text.removeprefix("*")
            )
        if not text.startswith("*"):
            taken[text[2:5]] += 1
        elif not phase.is_retreat:
            yield RecordFault(at, f"found {text} outside of a retreat phase")
    for province, count in taken.items():
        if count > 1:
            yield RecordFault(
                f"{phase.place}.state.units", f"found {count} units in {province}"
            )


def _centres(phase: RawPhase) -> Iterator[RecordFault]:
    place = f"{phase.place}.state.centers"
    owned: Counter[str] = Counter()
    for where, _, centres in entries(place, phase.state.get("centers")):
        for at, centre in members(where, centres):
            yield from fault_if_unparsable(at, phase.names.centre, str(centre))
            owned[str(centre)] += 1
    for centre, count in owned.items():
        if count > 1:
            yield RecordFault(place, f"found {centre} {count} times")


def _homes(phase: RawPhase) -> Iterator[RecordFault]:
    for where, _, homes in entries(
        f"{phase.place}.state.homes", phase.state.get("homes")
    ):
        yield from wrong_kind(where, homes, list)
        for at, home in members(where, homes):
            yield from fault_if_unparsable(at, phase.names.location, str(home))


def _retreats(phase: RawPhase) -> Iterator[RecordFault]:
    """Compare the units in the retreats with those that have a star."""
    starred = {
        (power, text[1:]) for _, power, text in phase.unit_texts if text.startswith("*")
    }
    place = f"{phase.place}.state.retreats"
    listed = set()
    for where, power, retreats in entries(place, phase.state.get("retreats")):
        for at, unit, places in entries(where, retreats):
            listed.add((power, unit))
            for each, location in members(at, places):
                yield from fault_if_unparsable(
                    each, phase.names.location, str(location)
                )
    for power, unit in sorted(starred ^ listed):
        how = "without its star" if (power, unit) in listed else "not at all"
        yield RecordFault(place, f"found {power} {unit} {how}, or the other way round")


# Messages: sender, recipient, time

MESSAGE: Mapping[str, type] = {
    "sender": str,
    "recipient": str,
    "time_sent": int,
    "message": str,
    "phase": str,
}
OFFICES = ("SYSTEM", "OBSERVER", "OMNISCIENT")
"""Senders and recipients in a saved game besides the powers."""


def message_faults(phase: RawPhase) -> Iterator[RecordFault]:
    """Yield the faults of the messages of *phase*."""
    place = f"{phase.place}.messages"
    found = phase.held.get("messages")
    stamps: list[int] = []
    keyed = [(where, each) for where, _, each in entries(place, found)]
    for at, message in keyed or members(place, found):
        if not isinstance(message, dict):
            yield from wrong_kind(at, message, dict)
            continue
        yield from _of_message(phase, at, message)
        stamps += [s for s in [message.get("time_sent")] if isinstance(s, int)]
    for stamp, count in Counter(stamps).items():
        if count > 1:
            yield RecordFault(place, f"found {count} messages with time_sent {stamp}")
    if stamps != sorted(stamps):
        yield RecordFault(place, "found messages that are not in order of time_sent")


def _of_message(
    phase: RawPhase, at: str, message: Mapping[str, object]
) -> Iterator[RecordFault]:
    people = (*phase.names.powers.values(), *OFFICES)
    for key, kind in MESSAGE.items():
        yield from wrong_kind(f"{at}.{key}", message.get(key), kind)
    yield from wrong_choice(f"{at}.sender", message.get("sender"), people)
    name = message.get("phase")
    if isinstance(name, str) and name not in (phase.held.get("name"), COMPLETED_PHASE):
        yield from fault_if_unparsable(f"{at}.phase", phase_turn, name)
    recipients = (*people, *sorted(EVERYBODY))
    yield from wrong_choice(f"{at}.recipient", message.get("recipient"), recipients)


# Results of orders

_WORDS = tuple(WORD_OF_CONSEQUENCE.values())
RESULT_WORDS = ("", *_WORDS[:2], "maybe", *_WORDS[2:])
"""`maybe` is the `diplomacy` package's word for an undecided result."""


def result_faults(phase: RawPhase) -> Iterator[RecordFault]:
    """Yield unknown words, and results of units that are not there.

    In retreat phases the package repeats the results of the movement phase.
    """
    known = {text.removeprefix("*") for _, _, text in phase.unit_texts}
    elsewhere = phase.turn is not None and phase.turn.phase is not Phase.MOVEMENT
    place = f"{phase.place}.results"
    for where, unit, words in entries(place, phase.held.get("results")):
        if unit not in known and not elsewhere:
            yield RecordFault(where, f"found {unit}, which is not there")
        for at, word in members(where, words):
            plain = word.rpartition(":")[2] if isinstance(word, str) else word
            yield from wrong_choice(at, plain, RESULT_WORDS)


TOP: Mapping[str, type] = {"id": str, "map": str, "phases": list}
OPTIONAL: Mapping[str, type] = {
    "version": str,
    "is_full_press": bool,
    "metadata": dict,
    "rules": list,
}
PHASE: Mapping[str, type] = {
    "name": str,
    "state": dict,
    "orders": dict,
    "results": dict,
}
SCORING_CODES = (*DIPCC_SYSTEMS, 0, 1)


def check(content: bytes, variants: FindVariant) -> Iterator[RecordFault]:
    """Yield the faults of the file *content*, which is a JSON object."""
    game = json_object(in_our_words(content))
    for key, kind in TOP.items():
        yield from wrong_kind(key, game.get(key), kind)
    for key, kind in OPTIONAL.items():
        if key in game:
            yield from wrong_kind(key, game[key], kind)
    if game.get("scoring_system") is not None:
        yield from wrong_choice("scoring_system", game["scoring_system"], SCORING_CODES)
    for place, _, value in entries("metadata", game.get("metadata")):
        yield from wrong_kind(place, value, str)
    try:
        names = names_of(_variant(game, variants).map)
    except VariantError as error:
        yield RecordFault("map", str(error))
    else:
        yield from _phases(names, game)


def _variant(game: dict[str, object], variants: FindVariant) -> Variant:
    extras = game.get("daide")
    own = extras.get("variant") if isinstance(extras, dict) else None
    name = str(game.get("map"))
    found = variants(OUR_BOARDS.get(name, name))
    return variants(str(own)) if own else found


def _phases(names: Names, game: Mapping[str, object]) -> Iterator[RecordFault]:
    phases = game.get("phases")
    if phases == []:
        yield RecordFault("phases", "found none, expected one at least")
    before: Turn | None = None
    for where, phase in members("phases", phases):
        if not isinstance(phase, dict):
            yield from wrong_kind(where, phase, dict)
            continue
        name = phase.get("name")
        place = f"{where} {name}" if isinstance(name, str) else where
        turn = None
        try:
            turn = phase_turn(str(name))
        except FormatError as error:
            if name != COMPLETED_PHASE:
                yield RecordFault(f"{place}.name", str(error))
        if turn and before and turn <= before:
            yield RecordFault(
                f"{place}.name", f"found {name} after a later phase, or twice"
            )
        before = turn or before
        raw = RawPhase(names, place, phase, turn)
        if raw.state.get("map", game.get("map")) != game.get("map"):
            found, expected = shown(raw.state["map"]), shown(game.get("map"))
            yield RecordFault(
                f"{place}.state.map", f"found {found}, expected {expected}"
            )
        yield from _phase(raw)


def _phase(phase: RawPhase) -> Iterator[RecordFault]:
    for key, kind in PHASE.items():
        yield from wrong_kind(f"{phase.place}.{key}", phase.held.get(key), kind)
    messages = phase.held.get("messages")
    if not isinstance(messages, dict):
        yield from wrong_kind(f"{phase.place}.messages", messages, list)
    if isinstance(phase.held.get("state"), dict):
        yield from state_faults(phase)
        yield from order_faults(phase)
        yield from result_faults(phase)
        yield from message_faults(phase)
