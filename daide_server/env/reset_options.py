"""Where a game begins: what the options of `reset` say."""

from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from numpy.random import Generator

from daide_server.board.position import Position
from daide_server.board.variant import Variant
from daide_server.formats.errors import FormatError
from daide_server.records.record import GameRecord, RecordError
from daide_server.storage.starts import (
    expect_playable,
    find_start,
    starts_in,
    starts_in_file,
)


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
