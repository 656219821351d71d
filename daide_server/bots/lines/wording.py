"""Names on lines: powers `FRANCE`, phases `S1901M`, orders `A PAR - BUR`, as dipcc's.

dipcc's phases have four digits; here also years before 1000 have four, `S0421M`.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from attrs import frozen
from msgspec.structs import replace

from daide_server.board.map import Map, Phase, Position, Turn
from daide_server.board.names import Power
from daide_server.board.notation import NotationError, reader_of
from daide_server.board.orders import Order, Waive, owner
from daide_server.board.results import Report
from daide_server.judge.possible import possible_adjustments, possible_orders
from daide_server.records.formats.errors import FormatError
from daide_server.records.formats.phase_json import map_names
from daide_server.records.formats.phase_json.position_state import State, state_of

from .line_types import BoardLine, BoardProvince, ResultsLine

PHASE_LENGTH = len("S1901M")


def phase_name(turn: Turn) -> str:
    """Return the name of a phase, such as `S1901M`."""
    season, phase = map_names.PHASE_LETTERS[turn.season]
    return f"{season}{turn.year:04d}{phase}"


def turn_named(phase: str) -> Turn:
    """Return the turn of a phase such as `S1901M`; raises `ValueError`."""
    season = map_names.SEASON_OF_LETTERS.get((phase[:1], phase[-1:]))
    year = phase[1:-1]
    # int() alone would take "+190", "1_90" and digits of other scripts.
    is_year = year.isascii() and year.isdigit() and len(phase) == PHASE_LENGTH
    if season is None or not is_year:
        message = (
            f"found the phase {phase!r}, expected one such as 'S1901M' or 'W1901A'"
        )
        raise ValueError(message)
    return Turn(season, int(year))


@frozen(eq=False, slots=False)
class Wording:
    """The names of one board."""

    map: Map

    @cached_property
    def names(self) -> map_names.Names:
        """The names of dipcc on the board."""
        return map_names.names_of(self.map)

    @cached_property
    def _powers(self) -> Mapping[str, Power]:
        return {text: power for power, text in self.names.powers.items()}

    # Powers and units

    def power_text(self, power: Power) -> str:
        """Return a name such as `FRANCE`; tokens of other boards are unchanged."""
        return self.names.powers.get(power, power)

    def power_texts(self, powers: Iterable[Power]) -> list[str]:
        """Return the names of *powers*."""
        return [self.power_text(power) for power in powers]

    def powers_named(self, texts: Iterable[str]) -> tuple[Power, ...]:
        """Return the powers called *texts*, each once; raises `ValueError`."""
        return tuple(dict.fromkeys(self._power(text) for text in texts))

    def _power(self, text: str) -> Power:
        found = self._powers.get(text)
        if found is None:
            known = ", ".join(self._powers)
            raise ValueError(f"found the power {text[:80]!r}, expected one of {known}")
        return found

    # Orders

    def order_named(self, text: str, power: Power, position: Position) -> Order:
        """Return the order *text* of *power*, legal or not; raises `ValueError`."""
        try:
            map_names.expect_short(text)
            reader = reader_of(position, self.map, self.names.notation)
            return reader.order(text, power)
        except (FormatError, NotationError) as error:
            raise ValueError(str(error)) from None

    def possible(self, position: Position, power: Power) -> dict[str, list[str]]:
        """Return the legal orders of *power*: by unit, or by site for builds."""
        if position.turn.phase is Phase.ADJUSTMENTS:
            return self._possible_adjustments(position, power)
        choices = possible_orders(self.map, position)
        return {
            self.names.unit_text(unit): list(map(self.names.order_text, orders))
            for unit, orders in choices.items()
            if unit.power == power
        }

    def _possible_adjustments(
        self, position: Position, power: Power
    ) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        builds = position.surplus(power) > 0
        for order in possible_adjustments(self.map, position).get(power, ()):
            if isinstance(order, Waive):
                continue
            unit = order.unit
            key = self.names.provinces[unit.province]
            texts = found.setdefault(key if builds else self.names.unit_text(unit), [])
            texts.append(self.names.order_text(order))
        if builds:
            for texts in found.values():
                texts.append(self.names.order_text(Waive(power)))
        return found

    # The board

    def state(self, position: Position) -> State:
        """Return the state in the format of dipcc."""
        year = min(max(position.turn.year, map_names.FIRST_YEAR), map_names.LAST_YEAR)
        shown = replace(position, turn=Turn(position.turn.season, year))
        state = state_of(self.names, shown)
        state.name = phase_name(position.turn)
        return state

    def results(self, turn: Turn, reports: Collection[Report]) -> ResultsLine:
        """Return the orders and results of a turn."""
        orders: dict[str, list[str]] = {text: [] for text in self._powers}
        for report in reports:
            power = self.power_text(owner(report.order))
            orders.setdefault(power, []).append(self.names.order_text(report.order))
        words = map_names.result_words(reports, [report.order for report in reports])
        results = {self.names.unit_text(unit): each for unit, each in words.items()}
        return ResultsLine(phase_name(turn), orders, results)

    def board(self) -> BoardLine:
        """Return the line that describes the board."""
        names = self.names
        provinces = {
            text: BoardProvince(
                terrain=self.map.terrain[place].value,
                centre=place in self.map.centres,
                coasts=[
                    names.location_text(self.map.locations[place, coast])
                    for coast in self.map.coasts.get(place, ())
                ],
            )
            for place, text in names.provinces.items()
        }
        adjacency = {
            f"{kind.value} {names.location_text(at)}": list(
                map(names.location_text, near)
            )
            for (kind, at), near in self.map.neighbours.items()
        }
        homes = {
            names.powers[power]: [text for _, text in homes]
            for power, homes in names.homes.items()
        }
        return BoardLine(provinces, adjacency, homes)
