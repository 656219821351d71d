"""Checks of JSON phase by phase: dipcc's files, saved games, and ours.

Stricter than any reader: what dipcc or the `diplomacy` package refuses or misreads
is a fault here.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from attrs import frozen

from daide_server.board.names import Province, Unit
from daide_server.board.orders import Build, Disband, Order, Remove, Retreat, Waive
from daide_server.board.turns import Phase, Turn
from daide_server.board.variant import Variant, VariantError
from daide_server.records.errors import FormatError
from daide_server.records.phase_json.names import COMPLETED, Names, names_of, phase_turn
from daide_server.records.phase_json.press import EVERYBODY
from daide_server.records.phase_json.reading import SAME_MAP
from daide_server.records.phase_json.results import (
    DISBAND,
    DISLODGED,
    DISRUPTED,
    NO_CONVOY,
    VOID,
)
from daide_server.scoring.systems import DIPCC

from .faults import Fault, entries, members, shown, unread, wrong_choice, wrong_kind

TOP: Final[Mapping[str, type]] = {"id": str, "map": str, "phases": list}
OPTIONAL: Final[Mapping[str, type]] = {
    "version": str,
    "is_full_press": bool,
    "metadata": dict,
    "rules": list,
}
PHASE: Final[Mapping[str, type]] = {"name": str, "state": dict, "orders": dict}
TABLES: Final = ("units", "centers", "retreats", "builds", "homes")
REQUIRED_TABLES: Final = ("units", "centers")
MESSAGE: Final[Mapping[str, type]] = {
    "sender": str,
    "recipient": str,
    "time_sent": int,
    "message": str,
    "phase": str,
}
WORDS: Final = (
    "",
    "bounce",
    "cut",
    "maybe",
    VOID,
    NO_CONVOY,
    DISRUPTED,
    DISLODGED,
    DISBAND,
)
SCORING: Final = (*DIPCC, 0, 1)
ORDERS: Final[Mapping[Phase, tuple[type, ...]]] = {
    Phase.RETREATS: (Retreat, Disband),
    Phase.ADJUSTMENTS: (Build, Remove, Waive),
}
OFFICES: Final = ("SYSTEM", "OBSERVER", "OMNISCIENT")
"""Who speaks and listens in a saved game besides the powers."""


def faults(
    game: dict[str, object], variants: Callable[[str], Variant]
) -> Iterator[Fault]:
    """Yield what is wrong with *game*."""
    for key, kind in TOP.items():
        yield from wrong_kind(key, game.get(key), kind)
    for key, kind in OPTIONAL.items():
        if key in game:
            yield from wrong_kind(key, game[key], kind)
    if game.get("scoring_system") is not None:
        yield from wrong_choice("scoring_system", game["scoring_system"], SCORING)
    for place, _, value in entries("metadata", game.get("metadata")):
        yield from wrong_kind(place, value, str)
    variant = _variant(game, variants)
    if isinstance(variant, Fault):
        yield variant
    else:
        yield from _phases(names_of(variant.map), game.get("phases"))


def _variant(
    game: dict[str, object], variants: Callable[[str], Variant]
) -> Variant | Fault:
    extras = game.get("daide")
    ours = extras.get("variant") if isinstance(extras, dict) else None
    name = str(ours or game.get("map"))
    try:
        return variants(SAME_MAP.get(name, name))
    except VariantError as error:
        return Fault("map", str(error))


def _phases(names: Names, phases: object) -> Iterator[Fault]:
    if phases == []:
        yield Fault("phases", "found none, expected one at least")
    before: Turn | None = None
    for place, phase in members("phases", phases):
        if not isinstance(phase, dict):
            yield from wrong_kind(place, phase, dict)
            continue
        turn = None
        name = phase.get("name")
        place = f"{place} {name}" if isinstance(name, str) else place  # noqa: PLW2901
        if name != COMPLETED:
            yield from unread(f"{place}.name", phase_turn, str(name))
            turn = _turn(str(name))
        if turn and before and turn <= before:
            yield Fault(f"{place}.name", f"found {name} after a later phase, or twice")
        before = turn or before
        yield from _Phase(names, place, phase, turn).faults()


def _turn(name: str) -> Turn | None:
    try:
        return phase_turn(name)
    except FormatError:
        return None


@frozen
class _Phase:
    """One phase: where it is, what it holds, and when it is (`None`: the end)."""

    names: Names
    place: str
    phase: dict[str, object]
    turn: Turn | None

    def faults(self) -> Iterator[Fault]:
        """Yield what is wrong with the phase."""
        for key, kind in PHASE.items():
            yield from wrong_kind(f"{self.place}.{key}", self.phase.get(key), kind)
        state = self.phase.get("state")
        if not isinstance(state, dict):
            return
        yield from self._state(state)
        units = list(self._units(state))
        for power in {power for power, _ in units}:
            yield from self._orders(power, {u for p, u in units if p == power})
        yield from self._foreign_orders()
        yield from self._results(state)
        yield from self._messages()

    # The state

    def _state(self, state: dict[str, object]) -> Iterator[Fault]:
        place = f"{self.place}.state"
        if state.get("name") != self.phase.get("name"):
            yield Fault(f"{place}.name", f"found {shown(state.get('name'))}")
        for table in REQUIRED_TABLES:
            yield from wrong_kind(f"{place}.{table}", state.get(table), dict)
        for table in TABLES:
            for where, power, _ in entries(f"{place}.{table}", state.get(table)):
                if power not in self.names.absent:
                    yield from unread(where, self.names.power, power)
        yield from self._standing(f"{place}.units", state.get("units"))
        yield from self._owned(f"{place}.centers", state.get("centers"))
        yield from self._starred(state)

    def _standing(self, place: str, table: object) -> Iterator[Fault]:
        taken: Counter[str] = Counter()
        for where, power, units in entries(place, table):
            for at, unit in members(where, units):
                if _is_power(self.names, power):
                    text = str(unit).removeprefix("*")
                    owner = self.names.power(power)
                    yield from unread(at, self.names.unit, owner, text)
                if not str(unit).startswith("*"):
                    taken[str(unit)[2:5]] += 1
                elif self.turn is None or self.turn.phase is not Phase.RETREATS:
                    yield Fault(at, f"found {unit} outside of a retreat phase")
        for province, count in taken.items():
            if count > 1:
                yield Fault(place, f"found {count} units in {province}")

    def _owned(self, place: str, table: object) -> Iterator[Fault]:
        owned: Counter[str] = Counter()
        for where, _, centres in entries(place, table):
            for at, centre in members(where, centres):
                yield from unread(at, self.names.centre, str(centre))
                owned[str(centre)] += 1
        for centre, count in owned.items():
            if count > 1:
                yield Fault(place, f"found {centre} {count} times")

    def _starred(self, state: dict[str, object]) -> Iterator[Fault]:
        """Compare the units in the retreats with those that have a star."""
        starred = {
            (power, str(unit)[1:])
            for _, power, units in entries("", state.get("units"))
            for _, unit in members("", units)
            if str(unit).startswith("*")
        }
        place = f"{self.place}.state.retreats"
        listed = set()
        for where, power, retreats in entries(place, state.get("retreats")):
            for at, unit, places in entries(where, retreats):
                listed.add((power, unit))
                for each, location in members(at, places):
                    yield from unread(each, self.names.location, str(location))
        for power, unit in sorted(starred ^ listed):
            told = "without its star" if (power, unit) in listed else "not at all"
            yield Fault(place, f"found {power} {unit} {told}, or the other way round")

    def _units(self, state: dict[str, object]) -> Iterator[tuple[str, Unit]]:
        """Yield the units that can be ordered, with the names of their powers."""
        retreating = self.turn is not None and self.turn.phase is Phase.RETREATS
        for _, power, units in entries("", state.get("units")):
            for _, unit in members("", units):
                text = str(unit)
                if _is_power(self.names, power) and text.startswith("*") is retreating:
                    found = _unit(self.names, power, text.removeprefix("*"))
                    if found is not None:
                        yield power, found

    # Orders, results, messages

    def _orders(self, power: str, own: set[Unit]) -> Iterator[Fault]:
        orders = self.phase.get("orders")
        texts = orders.get(power) if isinstance(orders, dict) else None
        place = f"{self.place}.orders.{power}"
        given: Counter[Unit] = Counter()
        for at, text in members(place, texts):
            order = self._order(power, str(text), own)
            if isinstance(order, str):
                yield Fault(at, order)
                continue
            yield from self._fitting(at, order, str(text), own)
            if not isinstance(order, Waive):
                given[order.unit] += 1
        for unit, count in given.items():
            if count > 1:
                text = self.names.unit_text(unit)
                yield Fault(place, f"found {count} orders for {text}")

    def _order(self, power: str, text: str, own: set[Unit]) -> Order | str:
        at: dict[Province, Unit] = {unit.province: unit for unit in own}
        phase = self.turn.phase if self.turn else Phase.MOVEMENT
        try:
            return self.names.order(text, self.names.power(power), at, phase)
        except FormatError as error:
            return str(error)

    def _fitting(
        self, at: str, order: Order, text: str, own: set[Unit]
    ) -> Iterator[Fault]:
        """Yield what is wrong with *order* in its phase, for its unit, as a text."""
        if self.turn is None:
            yield Fault(at, f"found {text!r} after the end of the game")
            return
        kinds = ORDERS.get(self.turn.phase)
        wrong = (Retreat, Disband, Build, Remove, Waive)
        fits = isinstance(order, kinds) if kinds else not isinstance(order, wrong)
        if not fits:
            yield Fault(at, f"found {text!r}, not an order of the phase")
        if isinstance(order, Waive):
            return
        if not isinstance(order, Build) and order.unit not in own:
            yield Fault(at, f"found {text!r}, but the power has no such unit there")
        written = self.names.order_text(order)
        if text not in {written, written.removesuffix(" VIA"), _coastless(written)}:
            yield Fault(at, f"found {text!r}, expected {written!r}")

    def _foreign_orders(self) -> Iterator[Fault]:
        place = f"{self.place}.orders"
        for where, power, texts in entries(place, self.phase.get("orders")):
            if power not in self.names.absent:
                yield from unread(where, self.names.power, power)
            if texts is not None:
                yield from wrong_kind(where, texts, list)

    def _results(self, state: dict[str, object]) -> Iterator[Fault]:
        """Yield results of units that are not there.

        In retreat phases the package repeats those of units that moved before.
        """
        known = {
            str(unit).removeprefix("*")
            for _, _, units in entries("", state.get("units"))
            for _, unit in members("", units)
        }
        elsewhere = self.turn is not None and self.turn.phase is not Phase.MOVEMENT
        place = f"{self.place}.results"
        for where, unit, words in entries(place, self.phase.get("results")):
            if unit not in known and not elsewhere:
                yield Fault(where, f"found {unit}, which is not there")
            for at, word in members(where, words):
                plain = word.rpartition(":")[2] if isinstance(word, str) else word
                yield from wrong_choice(at, plain, WORDS)

    def _messages(self) -> Iterator[Fault]:
        place = f"{self.place}.messages"
        found = self.phase.get("messages")
        stamps: list[int] = []
        keyed = [(where, each) for where, _, each in entries(place, found)]
        people = (*self.names.powers.values(), *OFFICES)
        for at, message in keyed or members(place, found):
            if not isinstance(message, dict):
                yield from wrong_kind(at, message, dict)
                continue
            for key, kind in MESSAGE.items():
                yield from wrong_kind(f"{at}.{key}", message.get(key), kind)
            yield from wrong_choice(f"{at}.sender", message.get("sender"), people)
            recipients = (*people, *sorted(EVERYBODY))
            yield from wrong_choice(
                f"{at}.recipient", message.get("recipient"), recipients
            )
            stamps += [s for s in [message.get("time_sent")] if isinstance(s, int)]
        for stamp, count in Counter(stamps).items():
            if count > 1:
                yield Fault(place, f"found {count} messages with time_sent {stamp}")
        if stamps != sorted(stamps):
            yield Fault(place, "found messages that are not in order of time_sent")


def _coastless(support: str) -> str:
    """Return a support without the coast of the other unit, which many leave out."""
    own, sign, other = support.partition(" S ")
    return own + sign + re.sub(r"/\w+", "", other, count=1)


def _is_power(names: Names, power: str) -> bool:
    return power in names.powers.values()


def _unit(names: Names, power: str, text: str) -> Unit | None:
    try:
        return names.unit(names.power(power), text)
    except FormatError:
        return None
