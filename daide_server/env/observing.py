"""What an agent sees: the board as named arrays, or as one array of ones and zeros.

The board is the same for all agents and is made once a turn; arrays cannot be written.
"""

from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from typing import Final, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from daide_server.board.map import Map, Terrain
from daide_server.board.names import Coast, Power, Province, Unit, UnitType
from daide_server.board.position import Position
from daide_server.board.turns import SEASONS

Bits: TypeAlias = NDArray[np.int8]
Codes: TypeAlias = NDArray[np.int16]
Named: TypeAlias = dict[str, NDArray[np.int16] | NDArray[np.int32]]

TERRAINS: Final = tuple(Terrain)
UNIT_TYPES: Final = tuple(UnitType)
HIGHEST_YEAR: Final = 1 << 16

_MAX_OWNED: Final = 256


class BoardObserver:
    """Makes the observations of one board; `features` names the columns of its array.

    Rows are the provinces in the order of the map.
    """

    def __init__(self, board_map: Map) -> None:
        self._map = board_map
        named = set(chain.from_iterable(board_map.coasts.values()))
        self._coasts = tuple(coast for coast in Coast if coast in named)
        self._unit_codes = _UnitCodes(board_map, self._coasts)
        self._owned: dict[int, tuple[object, Bits]] = {}
        powers, count = board_map.powers, len(board_map.powers)
        self.features: tuple[str, ...] = (
            *(f"terrain {terrain.value}" for terrain in TERRAINS),
            "centre",
            *(f"home {power}" for power in powers),
            *(f"owner {power}" for power in powers),
            *self._unit_features("unit"),
            *self._unit_features("dislodged"),
            *(f"season {season.value}" for season in SEASONS),
        )
        self._fixed = self._fixed_bits()
        self._owner_bits: Bits = np.eye(count + 1, dtype=np.int8)[:, 1:]
        width = self._unit_codes.bits.shape[1]
        self._season = len(self.features) - len(SEASONS)
        self._columns = tuple(
            slice(self._season - width * back, self._season - width * (back - 1))
            for back in (2, 1)
        )
        """Those of the units, and of the dislodged ones."""

    def array(self, position: Position) -> Bits:
        """Return the board as an array of provinces and features."""
        board = self._empty_board(position).copy()
        board[:, self._season + SEASONS.index(position.turn.season)] = 1
        both = position.units, position.dislodged
        for columns, units in zip(self._columns, both, strict=True):
            if units:
                places, numbers = self._placed(units)
                board[places, columns] = self._unit_codes.bits[numbers]
        board.flags.writeable = False
        return board

    def named(self, position: Position) -> Named:
        """Return the board as arrays by name, with a number for each province.

        0 is none; powers, coasts and types of unit count from 1, in the order of
        `Map.powers`, `Coast` and `UnitType`.
        """
        units = self._unit_codes.parts[self._units(position.units)]
        dislodged = self._unit_codes.parts[self._units(position.dislodged)]
        season = SEASONS.index(position.turn.season)
        found: Named = {
            "season": np.array([season], np.int16),
            "year": np.array([position.turn.year], np.int32),
            "owner": self._owners(position),
        }
        for name, codes in (("unit", units), ("dislodged", dislodged)):
            for column, part in enumerate(_PARTS):
                found[f"{name}_{part}"] = np.ascontiguousarray(codes[:, column])
        for each in found.values():
            each.flags.writeable = False
        return found

    def array_space(self) -> spaces.Space[Bits]:
        """Return the space of `array`."""
        shape = len(self._map.provinces), len(self.features)
        return spaces.Box(0, 1, shape, np.int8)

    def named_spaces(self) -> Mapping[str, spaces.Space[NDArray[np.int16]]]:
        """Return the spaces of `named`."""
        shape = (len(self._map.provinces),)
        powers = len(self._map.powers)
        highest = {"power": powers, "type": len(UNIT_TYPES), "coast": len(Coast)}
        boxes = {
            f"{name}_{part}": spaces.Box(0, highest[part], shape, np.int16)
            for name in ("unit", "dislodged")
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

    def _empty_board(self, position: Position) -> Bits:
        """Return what is fixed, with the owners, who change once a year, and no unit.

        What was made for the latest owners of some games is kept.
        """
        owners = position.owners
        known, board = self._owned.get(id(owners), (None, self._fixed))
        if known is not owners:
            owned = self._owner_bits[self._owners(position)]
            rest = len(self.features) - self._fixed.shape[1] - owned.shape[1]
            empty = np.zeros((len(owned), rest), np.int8)
            board = np.concatenate((self._fixed, owned, empty), axis=1)
            if len(self._owned) >= _MAX_OWNED:
                self._owned.clear()
            self._owned[id(owners)] = owners, board
        return board

    def _owners(self, position: Position) -> Codes:
        index, power_index = self._map.index, self._map.power_index
        codes = self._zeros()
        for province, power in position.owners.items():
            codes[index[province]] = power_index[power] + 1
        return codes

    def _units(self, units: Collection[Unit]) -> Codes:
        codes = self._zeros()
        if units:
            places, numbers = self._placed(units)
            codes[places] = numbers
        return codes

    def _placed(self, units: Iterable[Unit]) -> tuple[list[int], list[int]]:
        """Return where *units* are, and the number of each."""
        places, numbers = zip(*map(self._unit_codes.__getitem__, units), strict=True)
        return list(places), list(numbers)

    def _unit_features(self, name: str) -> Iterable[str]:
        yield from (f"{name} {kind.value}" for kind in UNIT_TYPES)
        yield from (f"{name} {power}" for power in self._map.powers)
        yield from (f"{name} {coast.value}" for coast in self._coasts)

    def _fixed_bits(self) -> Bits:
        board_map = self._map
        rows = [
            [
                *(board_map.terrain[province] is each for each in TERRAINS),
                province in board_map.centres,
                *(province in board_map.homes[power] for power in board_map.powers),
            ]
            for province in board_map.provinces
        ]
        return np.array(rows, np.int8)


_PARTS: Final = ("type", "power", "coast")


class _UnitCodes(dict[Unit, tuple[int, int]]):
    """The province of a unit, and a number for its type, power and coast; 0 is none.

    `parts` has these three by that number, `bits` the same as ones and zeros.
    """

    def __init__(self, board_map: Map, coasts: tuple[Coast, ...]) -> None:
        super().__init__()
        self._index: Mapping[Province, int] = board_map.index
        self._powers: Mapping[Power, int] = board_map.power_index
        self._coasts = (None, *coasts)
        kinds = [
            (unit_type, power, coast)
            for power in range(len(board_map.powers))
            for unit_type in range(len(UNIT_TYPES))
            for coast in range(len(self._coasts))
        ]
        numbers = [0, *(list(Coast).index(coast) + 1 for coast in coasts)]
        rows = [(kind + 1, power + 1, numbers[coast]) for kind, power, coast in kinds]
        self.parts: Codes = np.array([(0, 0, 0), *rows], np.int16)
        types, powers = np.eye(len(UNIT_TYPES)), np.eye(len(board_map.powers))
        shores = np.eye(len(self._coasts))[:, 1:]
        one_hot = [
            np.concatenate((types[kind], powers[power], shores[coast]))
            for kind, power, coast in kinds
        ]
        none = np.zeros(one_hot[0].shape)
        self.bits: Bits = np.array([none, *one_hot], np.int8)

    def __missing__(self, unit: Unit) -> tuple[int, int]:
        kinds = UNIT_TYPES.index(unit.type) + len(UNIT_TYPES) * self._powers[unit.power]
        coast = self._coasts.index(unit.location.coast)
        code = 1 + kinds * len(self._coasts) + coast
        found = self[unit] = self._index[unit.province], code
        return found
