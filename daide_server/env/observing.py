"""Observations: the board as named arrays, or as one array of ones and zeros.

The board is the same for all agents and is made once a turn; the arrays are read-only.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from daide_server.board.map import SEASONS, Map, Position, Terrain
from daide_server.board.names import Coast, Province, Unit, UnitType

Bits: TypeAlias = NDArray[np.int8]
Codes: TypeAlias = NDArray[np.int16]
Named: TypeAlias = dict[str, NDArray[np.int16] | NDArray[np.int32]]

UNIT_TYPES = tuple(UnitType)
HIGHEST_YEAR = 1 << 16
"""The upper bound of the year in the space of observations."""

COASTS = tuple(Coast)

_KINDS = ("unit", "dislodged")
_PARTS = ("type", "power", "coast")


class BoardObserver:
    """Makes observations of one board: a row for each province, columns `features`."""

    def __init__(self, board_map: Map) -> None:
        self._map = board_map
        named = set(chain.from_iterable(board_map.coasts.values()))
        self._coasts = tuple(coast for coast in Coast if coast in named)
        powers = board_map.powers
        self.features: tuple[str, ...] = (
            *(f"terrain {terrain.value}" for terrain in Terrain),
            "centre",
            *(f"home {power}" for power in powers),
            *(f"owner {power}" for power in powers),
            *chain.from_iterable(map(self._unit_features, _KINDS)),
            *(f"season {season.value}" for season in SEASONS),
        )
        self._shape = len(board_map.provinces), len(self.features)
        self._columns = {name: at for at, name in enumerate(self.features)}
        self._fixed = self._fixed_bits()

    def array(self, position: Position) -> Bits:
        """Return the board as an array of provinces and features."""
        # Setting a byte takes a tenth of the time of a numpy operation.
        board = bytearray(self._fixed)
        rows, width = self._shape
        season = self._columns[f"season {position.turn.season.value}"]
        board[season::width] = b"\1" * rows
        for province, name in self._ones(position):
            board[self._map.index[province] * width + self._columns[name]] = 1
        return np.frombuffer(bytes(board), np.int8).reshape(self._shape)

    def _ones(self, position: Position) -> Iterator[tuple[Province, str]]:
        """Yield (province, feature) for each 1 that comes from an owner or a unit."""
        for province, power in position.owners.items():
            yield province, f"owner {power}"
        both = position.units, position.dislodged
        for kind, units in zip(_KINDS, both, strict=True):
            for unit in units:
                yield unit.province, f"{kind} {unit.type.value}"
                yield unit.province, f"{kind} {unit.power}"
                if unit.location.coast is not None:
                    yield unit.province, f"{kind} {unit.location.coast.value}"

    def named(self, position: Position) -> Named:
        """Return the board as arrays by name, with a number for each province.

        0 is none; powers, coasts and types of unit count from 1, in the order of
        `Map.powers`, `Coast` and `UnitType`.
        """
        season = SEASONS.index(position.turn.season)
        found: Named = {
            "season": np.array([season], np.int16),
            "year": np.array([position.turn.year], np.int32),
            "owner": self._owners(position),
        }
        found |= self._unit_codes("unit", position.units)
        found |= self._unit_codes("dislodged", position.dislodged)
        for each in found.values():
            each.flags.writeable = False
        return found

    def array_space(self) -> spaces.Space[Bits]:
        """Return the space of `array`."""
        return spaces.Box(0, 1, self._shape, np.int8)

    def named_spaces(self) -> Mapping[str, spaces.Space[NDArray[np.int16]]]:
        """Return the spaces of `named`."""
        shape = (len(self._map.provinces),)
        powers = len(self._map.powers)
        highest = {"power": powers, "type": len(UNIT_TYPES), "coast": len(Coast)}
        boxes = {
            f"{name}_{part}": spaces.Box(0, highest[part], shape, np.int16)
            for name in _KINDS
            for part in _PARTS
        }
        return {
            "season": spaces.Box(0, len(SEASONS) - 1, (1,), np.int16),
            "year": spaces.Box(0, HIGHEST_YEAR, (1,), np.int32),
            "owner": spaces.Box(0, powers, shape, np.int16),
            **boxes,
        }

    def _zeros(self) -> Codes:
        return np.zeros(len(self._map.provinces), np.int16)

    def _owners(self, position: Position) -> Codes:
        index, power_index = self._map.index, self._map.power_index
        codes = self._zeros()
        for province, power in position.owners.items():
            codes[index[province]] = power_index[power] + 1
        return codes

    def _unit_codes(self, name: str, units: Iterable[Unit]) -> Named:
        """Return arrays of the type, power and coast of the unit in each province."""
        codes: Named = {f"{name}_{part}": self._zeros() for part in _PARTS}
        for unit in units:
            at, coast = self._map.index[unit.province], unit.location.coast
            codes[f"{name}_type"][at] = UNIT_TYPES.index(unit.type) + 1
            codes[f"{name}_power"][at] = self._map.power_index[unit.power] + 1
            codes[f"{name}_coast"][at] = 0 if coast is None else COASTS.index(coast) + 1
        return codes

    def _unit_features(self, name: str) -> Iterable[str]:
        yield from (f"{name} {kind.value}" for kind in UNIT_TYPES)
        yield from (f"{name} {power}" for power in self._map.powers)
        yield from (f"{name} {coast.value}" for coast in self._coasts)

    def _fixed_bits(self) -> bytes:
        """Return the features that never change: terrain, centres and homes."""
        board_map = self._map
        rows = [
            [
                *(board_map.terrain[province] is each for each in Terrain),
                province in board_map.centres,
                *(province in board_map.homes[power] for power in board_map.powers),
            ]
            for province in board_map.provinces
        ]
        rest = [False] * (len(self.features) - len(rows[0]))
        return bytes(chain.from_iterable((*row, *rest) for row in rows))
