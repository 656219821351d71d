"""Where a game begins: what the options of `reset` say."""

from collections.abc import Mapping
from os import fspath
from typing import Any

from numpy.random import Generator

from daide_server.board.position import Position
from daide_server.board.variant import Variant
from daide_server.formats.errors import FormatError
from daide_server.records.record import GameRecord, RecordError
from daide_server.storage.starts import expect_playable, find_start, starts_in


class ResetError(ValueError):
    """No game can begin as the options of `reset` say."""


def start_of(
    variant: Variant, options: Mapping[str, Any], chance: Generator
) -> Position:
    """Return where a game begins on the board of *variant*; raises `ResetError`.

    `position` is a position. `record` is a recorded game and `phase` the name of one of
    its phases, such as F1905M; *chance* chooses one if it is left out. A record may be
    the name of its file, which is read each time and needs a phase. Without them a game
    begins as the board does. Other options are not looked at.
    """
    position, record = options.get("position"), options.get("record")
    try:
        if isinstance(record, GameRecord):
            position = _recorded(variant, record, options.get("phase"), chance)
        elif record is not None:
            file_and_phase = f"{fspath(record)}:{options.get('phase', '')}"
            position = find_start(file_and_phase, variant).position
        elif position is None:
            return variant.start
        expect_playable(position, variant)
    except (OSError, FormatError, RecordError) as error:
        raise ResetError(str(error)) from error
    return position


def _recorded(
    variant: Variant, record: GameRecord, phase: str | None, chance: Generator
) -> Position:
    starts = dict(starts_in(record, variant))
    if phase is None:
        phase = list(starts)[chance.integers(len(starts))]
    if phase not in starts:
        message = f"found phase {phase!r}, expected one of {', '.join(starts)}"
        raise ResetError(message)
    return starts[phase]
