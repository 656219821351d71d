"""A phase of a file as plain JSON, with values of any type."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from daide_server.board.names import Unit
from daide_server.board.turns import Phase, Turn
from daide_server.classes import frozen
from daide_server.formats.errors import FormatError
from daide_server.formats.faults import entries, members
from daide_server.formats.phase_json.map_names import Names


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
        """Return whether *power* is one of the map."""
        return power in self.names.powers_by_text

    def is_centre(self, value: object) -> bool:
        """Return whether *value* is the text of a supply centre."""
        return isinstance(value, str) and value in self.names.centres_by_text

    @cached_property
    def unit_texts(self) -> Sequence[tuple[str, str, str]]:
        """The place, the power and the text of each unit, with its star."""
        table = self.state.get("units")
        return [
            (at, power, str(unit))
            for where, power, units in entries(f"{self.place}.state.units", table)
            for at, unit in members(where, units)
        ]

    def units(self) -> Iterator[tuple[str, Unit]]:
        """Yield the units that can be ordered, with the names of their powers."""
        for _, power, text in self.unit_texts:
            if self.knows(power) and text.startswith("*") is self.is_retreat:
                found = self._unit(power, text.removeprefix("*"))
                if found is not None:
                    yield power, found

    def _unit(self, power: str, text: str) -> Unit | None:
        try:
            return self.names.unit(self.names.power(power), text)
        except FormatError:
            return None
