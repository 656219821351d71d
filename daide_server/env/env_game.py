"""One game in numbers, stepped by both the environment and the batch of games.

An action is a number for each slot, and a number stands for an order. A power has a
slot for each unit that it orders in a turn, or for each build or removal that is due; a
number of a slot is the index of an order among the possible ones (`judge.possible`).
Slots that a turn does not need have one choice, 0, the no-op. The judge decides, and
the scoring system says what a position is worth.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from attrs import field, frozen
from attrs.validators import gt, in_, optional
from msgspec.structs import replace
from numpy.random import Generator
from numpy.typing import NDArray

from daide_server.board.map import Map, Phase, Position, Variant
from daide_server.board.names import Power
from daide_server.board.orders import Build, ConvoyedMove, Disband, Hold, Order, Waive
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.possible import possible_adjustments, possible_orders
from daide_server.judge.resolution import Resolution, solo
from daide_server.judge.rules import DAIDE_RULES, Rules
from daide_server.library import game_files
from daide_server.records.formats.errors import FormatError
from daide_server.records.record import GameRecord, RecordError
from daide_server.scoring.game_result import GameResult
from daide_server.scoring.systems import points, score

# The meaning of actions

Slot: TypeAlias = Sequence[Order]
"""The orders that a slot may choose from."""


def slots_of(board: Map, position: Position | None) -> Mapping[Power, Sequence[Slot]]:
    """Return the slots of each power; `None` as position: the game is over."""
    slots: dict[Power, Sequence[Slot]] = dict.fromkeys(board.powers, ())
    if position is None:
        return slots
    if position.turn.phase is Phase.ADJUSTMENTS:
        for power, choices in possible_adjustments(board, position).items():
            slots[power] = [choices] * _needed(position.surplus(power), choices)
    else:
        for unit, orders in possible_orders(board, position).items():
            slots[unit.power] = (*slots[unit.power], orders)
    return slots


def _needed(surplus: int, choices: Slot) -> int:
    """Return the number of slots that a power needs for its builds or removals."""
    if surplus < 0:
        return -surplus
    sites = {order.unit.province for order in choices if isinstance(order, Build)}
    return min(surplus, len(sites))


Mask: TypeAlias = tuple[NDArray[np.int8], ...]
"""A row for each slot: 1 for each number that is a choice. Rows are read-only."""

CHOICES_PER_PROVINCE = 4
"""The width of an action per province of the board: few units have more choices."""


class ActionError(ValueError):
    """An invalid action, or orders that no action can give."""


@frozen
class ActionShape:
    """The number of slots of each agent, and of numbers for each slot."""

    slots: int = field(validator=gt(0))
    width: int = field(validator=gt(0))


def default_shape(variant: Variant) -> ActionShape:
    """Return a shape for every position that a game on the board can reach.

    A power that has not won has fewer centres than the majority, or shares the lead. A
    unit with more choices than the width has the first of them.
    """
    board_map = variant.map
    begins = (len(variant.start.units_of(power)) for power in board_map.powers)
    centres = len(board_map.centres)
    slots = max(1, board_map.majority - 1, centres // 2, *begins)
    return ActionShape(slots, CHOICES_PER_PROVINCE * len(board_map.provinces))


class TurnChoices:
    """The choices of all powers in one turn; `None` as position: the game is over."""

    def __init__(
        self, board_map: Map, position: Position | None, shape: ActionShape
    ) -> None:
        self._shape = shape
        self._slots = slots_of(board_map, position)
        width = shape.width
        for power, slots in self._slots.items():
            if len(slots) > shape.slots:
                message = (
                    f"{power} needs {len(slots)} slots, and its action has "
                    f"{shape.slots}: make the environment with more slots"
                )
                raise ActionError(message)
        self.counts: Mapping[Power, list[int]] = {
            power: [min(width, len(slot)) for slot in slots]
            for power, slots in self._slots.items()
        }
        """The number of choices for each slot that is needed."""

    def of(self, power: Power) -> tuple[Slot, ...]:
        """Return the orders that each slot of *power* chooses from."""
        return tuple(slot[: self._shape.width] for slot in self._slots[power])

    def hidden(self, power: Power) -> int:
        """Return the number of possible orders of *power* without a number."""
        return sum(map(len, self._slots[power])) - sum(self.counts[power])

    def mask(self, power: Power) -> Mask:
        """Return which numbers are choices of *power*."""
        rows = _rows(self._shape.width)
        counts = self.counts[power]
        unused = self._shape.slots - len(counts)
        return *map(rows.__getitem__, counts), *(rows[1:2] * unused)

    def orders(self, power: Power, numbers: Sequence[int]) -> list[Order]:
        """Return the orders that *numbers* choose; raises `ActionError`."""
        counts, shape = self.counts[power], self._shape
        if len(numbers) != shape.slots:
            message = f"{power}: found {len(numbers)} numbers, expected {shape.slots}"
            raise ActionError(message)
        if any(numbers[len(counts) :]):
            message = f"{power}: expected 0 in all slots after the first {len(counts)}"
            raise ActionError(message)
        for number, count in zip(numbers, counts, strict=False):
            if not 0 <= number < count:
                raise ActionError(f"{power}: found {number}, expected 0 to {count - 1}")
        chosen = zip(self._slots[power], numbers, strict=False)
        return [slot[number] for slot, number in chosen]

    def numbers(self, power: Power, orders: Iterable[Order]) -> list[int]:
        """Return the numbers that choose *orders* of *power*.

        A unit without an order holds or disbands, a build without one is waived, and
        all removals but one may be left to the judge. Raises `ActionError` for orders
        that are not among the choices, or if there is no removal at all.
        """
        given = list(map(_without_route, orders))
        chosen: list[int] = []
        for slot in self.of(power):
            places = {order: place for place, order in enumerate(slot)}
            order = next((order for order in given if order in places), None)
            if order is None:
                chosen.append(_without_order(power, slot, chosen))
            else:
                given.remove(order)
                chosen.append(places[order])
        if given:
            message = f"{power}: found an order that no slot can choose: {given[0]}"
            raise ActionError(message)
        return chosen + [0] * (self._shape.slots - len(chosen))


def _without_order(power: Power, slot: Slot, chosen: Sequence[int]) -> int:
    """Return the number that stands for giving a slot no order.

    *chosen* are the numbers of the earlier slots: a repeated removal orders nothing.
    """
    for number in (0, len(slot) - 1):
        if isinstance(slot[number], Hold | Disband | Waive):
            return number
    if not chosen:
        message = f"{power}: found no removal; without an action the judge removes"
        raise ActionError(message)
    return chosen[-1]


def _without_route(order: Order) -> Order:
    """Return *order* without its convoy route, as it is among the choices."""
    return replace(order, route=None) if isinstance(order, ConvoyedMove) else order


@lru_cache
def _rows(width: int) -> Mask:
    """Return the mask of a slot by its number of choices, from 0 to *width*."""
    whole: NDArray[np.int8] = np.tri(width + 1, width, -1, dtype=np.int8)
    whole.flags.writeable = False
    return tuple(whole)


# The game

Shares = Mapping[Power, float]
"""A share of 1 for each power."""


@frozen(kw_only=True)
class EnvSettings:
    """The settings of an environment.

    `scoring` is a system of `daide_server.scoring`; rewards are shares of its points:
    the `final` ones when an agent leaves, or those `gained` since the previous step.
    The game is truncated after `last_year`. `slots` and `width` are those of an action
    (`ActionShape`), if not the board's own. `named` observations are arrays by name,
    the others one array.
    """

    scoring: str = "sum_of_squares"
    rewards: Literal["final", "gained"] = field(
        default="final", validator=in_(("final", "gained"))
    )
    last_year: int | None = None
    named: bool = False
    slots: int | None = field(default=None, validator=optional(gt(0)))
    width: int | None = field(default=None, validator=optional(gt(0)))
    rules: Rules = DAIDE_RULES

    def shape(self, variant: Variant) -> ActionShape:
        """Return the number of slots and numbers of actions on a board."""
        usual = default_shape(variant)
        return ActionShape(self.slots or usual.slots, self.width or usual.width)


class EnvGame:
    """A game from a given position.

    `choices` are those of the current position; `resolution` is that of the last turn,
    `None` before the first one. `alive` are the powers that have units or centres.
    """

    def __init__(
        self, variant: Variant, settings: EnvSettings, position: Position
    ) -> None:
        self._variant = variant
        self._settings = settings
        self._shape = settings.shape(variant)
        self._first_year = position.turn.year
        self._eliminated: dict[Power, int] = {}
        self.position = position
        self.resolution: Resolution | None = None
        self.winner = solo(variant.map, position.owners)
        self.alive = self._living()
        self.is_over = self.winner is not None
        self.is_truncated = False
        self.choices = self._choices()
        self._valued = position.owners
        self._worth = self.worth()

    def play(self, orders: Iterable[Order]) -> None:
        """Adjudicate *orders* and begin the next turn."""
        resolution = adjudicate(
            self._variant, self.position, orders, self._settings.rules
        )
        year, before = self.position.turn.year, self.alive
        self.resolution = resolution
        self.position = resolution.next
        self.winner = resolution.winner
        self.alive = self._living()
        for power in before - self.alive:
            self._eliminated[power] = year
        self.is_over = self.winner is not None or not self.alive
        last = self._settings.last_year
        is_late = last is not None and self.position.turn.year > last
        self.is_truncated = is_late and not self.is_over
        self.choices = self._choices()

    def rewards(self, leaving: frozenset[Power]) -> Shares:
        """Return the rewards in this turn; *leaving* powers get their final ones.

        Powers without a reward are omitted. Call it once after each turn.
        """
        if self._settings.rewards == "final":
            worth = self.worth() if leaving else {}
            return {power: worth[power] for power in leaving}
        if self.position.owners is self._valued and not self.is_over:
            return {}
        before, self._worth = self._worth, self.worth()
        self._valued = self.position.owners
        return {power: now - before[power] for power, now in self._worth.items()}

    def worth(self) -> Shares:
        """Return the share of each power if the game ended now."""
        board_map = self._variant.map
        owners = list(self.position.owners.values())
        last_year = self.position.turn.year
        if self.resolution is not None:
            last_year = self.resolution.position.turn.year
        result = GameResult(
            centres={power: owners.count(power) for power in board_map.powers},
            eliminated=self._eliminated,
            soloist=self.winner,
            draw=frozenset(),
            first_year=self._first_year,
            last_year=last_year,
            supply=len(board_map.centres),
        )
        shares = score(points(self._settings.scoring, result))
        return {power: float(share) for power, share in shares.items()}

    def _choices(self) -> TurnChoices:
        is_open = not (self.is_over or self.is_truncated)
        position = self.position if is_open else None
        return TurnChoices(self._variant.map, position, self._shape)

    def _living(self) -> frozenset[Power]:
        at = self.position
        units = {unit.power for unit in (*at.units, *at.dislodged)}
        return frozenset(units.union(at.owners.values()))


# Where a game begins: what the options of `reset` say


class ResetError(ValueError):
    """No game can begin as the options of `reset` say."""


def start_of(
    variant: Variant, options: Mapping[str, Any], chance: Generator
) -> Position:
    """Return the start of a game on the board of *variant*; raises `ResetError`.

    `position` is a position. `record` is a recorded game and `phase` the name of one of
    its phases, such as F1905M; *chance* chooses one if it is omitted. A record may be a
    file name, which is read each time. Without them a game begins at the start of the
    board. Other options are ignored.
    """
    position, record = options.get("position"), options.get("record")
    try:
        if record is not None:
            position = _recorded(variant, record, options.get("phase"), chance)
        elif position is None:
            return variant.start
        game_files.expect_playable(position, variant)
    except (OSError, FormatError, RecordError) as error:
        raise ResetError(str(error)) from error
    return position


def _recorded(
    variant: Variant,
    record: GameRecord | PathLike[str] | str,
    phase: str | None,
    chance: Generator,
) -> Position:
    if isinstance(record, GameRecord):
        starts = tuple(game_files.starts_in(record, variant))
    elif phase is None:
        starts = tuple(game_files.starts_in_file(Path(record), variant))
    else:
        return game_files.find_start(f"{fspath(record)}:{phase}", variant).position
    if phase is None and starts:
        _, drawn = starts[chance.integers(len(starts))]
        return drawn
    positions = dict(starts)
    if phase not in positions:
        message = f"found phase {phase!r}, expected one of {', '.join(positions)}"
        raise ResetError(message)
    return positions[phase]
