"""What an agent sees: the board as named arrays, or as one array of ones and zeros.

The board is the same for all agents and is made once a turn; arrays cannot be written.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Final, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from daide_server.board.map import SEASONS, Map, Position, Terrain
from daide_server.board.names import Coast, Power, Province, Unit, UnitType

Bits: TypeAlias = NDArray[np.int8]
Codes: TypeAlias = NDArray[np.int16]
Named: TypeAlias = dict[str, NDArray[np.int16] | NDArray[np.int32]]

TERRAINS: Final = tuple(Terrain)
UNIT_TYPES: Final = tuple(UnitType)
HIGHEST_YEAR: Final = 1 << 16

_MAX_OWNED: Final = 256

_KINDS: Final = ("unit", "dislodged")


class BoardObserver:
    """Makes the observations of one board; `features` names the columns of its array.

    Rows are the provinces in the order of the map.
    """

    def __init__(self, board_map: Map) -> None:
        self._map = board_map
        named = set(chain.from_iterable(board_map.coasts.values()))
        self._coasts = tuple(coast for coast in Coast if coast in named)
        self._unit_codes = _UnitCodes(board_map, self._coasts)
        self._owned: dict[int, tuple[object, bytes]] = {}
        powers = board_map.powers
        self.features: tuple[str, ...] = (
            *(f"terrain {terrain.value}" for terrain in TERRAINS),
            "centre",
            *(f"home {power}" for power in powers),
            *(f"owner {power}" for power in powers),
            *chain.from_iterable(map(self._unit_features, _KINDS)),
            *(f"season {season.value}" for season in SEASONS),
        )
        self._shape = len(board_map.provinces), len(self.features)
        self._fixed = self._fixed_bits()
        self._owner = self.features.index(f"owner {powers[0]}")
        self._season = len(self.features) - len(SEASONS)
        self._places = tuple(
            _UnitPlaces(self._unit_codes, len(self.features), self.features.index(name))
            for name in (f"{kind} {UNIT_TYPES[0].value}" for kind in _KINDS)
        )
        """Those of the units, and of the dislodged ones."""

    def array(self, position: Position) -> Bits:
        """Return the board as an array of provinces and features."""
        # To set a byte takes a tenth of the time of an array's smallest operation.
        board = bytearray(self._empty_board(position))
        rows, width = self._shape
        season = self._season + SEASONS.index(position.turn.season)
        board[season::width] = b"\1" * rows
        both = position.units, position.dislodged
        for places, units in zip(self._places, both, strict=True):
            for place in chain.from_iterable(map(places.__getitem__, units)):
                board[place] = 1
        return np.frombuffer(bytes(board), np.int8).reshape(self._shape)

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
        for name, codes in zip(_KINDS, (units, dislodged), strict=True):
            for column, part in enumerate(_PARTS):
                found[f"{name}_{part}"] = np.ascontiguousarray(codes[:, column])
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

    def _empty_board(self, position: Position) -> bytes:
        """Return what is fixed, with the owners, who change once a year, and no unit.

        What was made for the latest owners of some games is kept.
        """
        owners = position.owners
        known, board = self._owned.get(id(owners), (None, b""))
        if known is not owners:
            found = bytearray(self._fixed)
            index, powers = self._map.index, self._map.power_index
            for province, power in owners.items():
                row = index[province] * len(self.features)
                found[row + self._owner + powers[power]] = 1
            board = bytes(found)
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
            found = map(self._unit_codes.__getitem__, units)
            places, numbers = zip(*found, strict=True)
            codes[list(places)] = numbers
        return codes

    def _unit_features(self, name: str) -> Iterable[str]:
        yield from (f"{name} {kind.value}" for kind in UNIT_TYPES)
        yield from (f"{name} {power}" for power in self._map.powers)
        yield from (f"{name} {coast.value}" for coast in self._coasts)

    def _fixed_bits(self) -> bytes:
        """Return a board with its terrain and its centres, and nothing else."""
        board_map = self._map
        rows = [
            [
                *(board_map.terrain[province] is each for each in TERRAINS),
                province in board_map.centres,
                *(province in board_map.homes[power] for power in board_map.powers),
            ]
            for province in board_map.provinces
        ]
        rest = [False] * (len(self.features) - len(rows[0]))
        return bytes(chain.from_iterable((*row, *rest) for row in rows))


_PARTS: Final = ("type", "power", "coast")


class _UnitCodes(dict[Unit, tuple[int, int]]):
    """The province of a unit, and a number for its type, power and coast; 0 is none.

    `parts` has these three by that number, `ones` the columns of the same in bits.
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
        first_power = len(UNIT_TYPES)
        first_coast = first_power + len(board_map.powers) - 1
        ones = [
            (unit_type, first_power + power, *([first_coast + coast] if coast else []))
            for unit_type, power, coast in kinds
        ]
        self.ones: Sequence[tuple[int, ...]] = [(), *ones]

    def __missing__(self, unit: Unit) -> tuple[int, int]:
        kinds = UNIT_TYPES.index(unit.type) + len(UNIT_TYPES) * self._powers[unit.power]
        coast = self._coasts.index(unit.location.coast)
        code = 1 + kinds * len(self._coasts) + coast
        found = self[unit] = self._index[unit.province], code
        return found


class _UnitPlaces(dict[Unit, tuple[int, ...]]):
    """Where the ones of a unit are in the rows of a board, end to end.

    Its bits begin at *column* of the row of its province.
    """

    def __init__(self, codes: _UnitCodes, width: int, column: int) -> None:
        super().__init__()
        self._codes, self._width, self._column = codes, width, column

    def __missing__(self, unit: Unit) -> tuple[int, ...]:
        province, code = self._codes[unit]
        first = province * self._width + self._column
        found = self[unit] = tuple(first + one for one in self._codes.ones[code])
        return found
