"""One game in numbers: what both the environment and the batch of games step.

No agent, no observation and no chance here; the judge decides, and the scoring system
says what its position is worth.
"""

from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final, Literal

from attrs import field, frozen
from attrs.validators import gt, in_, optional
from numpy.random import Generator

from daide_server.board.map import Position, Variant
from daide_server.board.names import Power
from daide_server.board.orders import Order
from daide_server.formats.errors import FormatError
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import Resolution, solo
from daide_server.judge.rules import DAIDE_RULES, Rules
from daide_server.records.record import GameRecord, RecordError
from daide_server.scoring.game_result import GameResult
from daide_server.scoring.systems import points, score
from daide_server.storage.starts import (
    expect_playable,
    find_start,
    starts_in,
    starts_in_file,
)

from .choosing import ActionShape, TurnChoices, default_shape

Shares = Mapping[Power, float]

FINAL: Final = "final"
GAINED: Final = "gained"


@frozen(kw_only=True)
class EnvSettings:
    """What kind of environment is made.

    `scoring` is a system of `daide_server.scoring`; rewards are shares of its points:
    `final` ones when an agent leaves, or those `gained` since the step before.
    The game is truncated after `last_year`. `slots` and `width` are those of an action
    (`choosing.ActionShape`), if not the board's own. `named` observations are arrays by
    name, the others one array.
    """

    scoring: str = "sum_of_squares"
    rewards: Literal["final", "gained"] = field(
        default="final", validator=in_((FINAL, GAINED))
    )
    last_year: int | None = None
    named: bool = False
    slots: int | None = field(default=None, validator=optional(gt(0)))
    width: int | None = field(default=None, validator=optional(gt(0)))
    rules: Rules = DAIDE_RULES

    def shape(self, variant: Variant) -> ActionShape:
        """Return how many slots and numbers the actions of a board have."""
        usual = default_shape(variant)
        return ActionShape(self.slots or usual.slots, self.width or usual.width)


class EnvGame:
    """A game that is played from a position on.

    `choices` are those of the position, `resolution` is of the turn before, if there
    was one. `alive` are the powers that still have units or centres.
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
        """Return what each power has earned in this turn, of which some are *leaving*.

        Powers that are not mentioned have earned nothing. Ask once after each turn.
        """
        if self._settings.rewards == FINAL:
            return _only(self.worth(), leaving) if leaving else {}
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


def _only(worth: Shares, powers: frozenset[Power]) -> Shares:
    return {power: worth[power] for power in powers}


# Where a game begins: what the options of `reset` say


class ResetError(ValueError):
    """No game can begin as the options of `reset` say."""


def start_of(
    variant: Variant, options: Mapping[str, Any], chance: Generator
) -> Position:
    """Return where a game begins on the board of *variant*; raises `ResetError`.

    `position` is a position. `record` is a recorded game and `phase` the name of one of
    its phases, such as F1905M; *chance* chooses one if it is left out. A record may be
    the name of its file, which is read each time. Without them a game begins as the
    board does. Other options are not looked at.
    """
    position, record = options.get("position"), options.get("record")
    try:
        if record is not None:
            position = _recorded(variant, record, options.get("phase"), chance)
        elif position is None:
            return variant.start
        expect_playable(position, variant)
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
        starts = tuple(starts_in(record, variant))
    elif phase is None:
        starts = tuple(starts_in_file(Path(record), variant))
    else:
        return find_start(f"{fspath(record)}:{phase}", variant).position
    if phase is None and starts:
        _, drawn = starts[chance.integers(len(starts))]
        return drawn
    positions = dict(starts)
    if phase not in positions:
        message = f"found phase {phase!r}, expected one of {', '.join(positions)}"
        raise ResetError(message)
    return positions[phase]
