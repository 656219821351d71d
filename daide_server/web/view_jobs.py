"""The jobs of the view worker: what it is asked for, and what it answers.

Judging turns again takes milliseconds to seconds, so views, pictures and files are made
in a process of their own (`view_worker.py`). Jobs and answers are plain values, and
light to import.
"""

from collections.abc import Mapping
from pathlib import Path

from daide_server.board.identity_enum import IdentityEnum
from daide_server.classes import frozen
from daide_server.records.entries import RecordEntry
from daide_server.records.secrecy import PressPolicy


@frozen
class RunningGameJob:
    """The view of a running game, with the entries from *offset* on."""

    game: str
    board: str
    offset: int
    entries: tuple[RecordEntry, ...]
    started: float
    metadata: Mapping[str, str]
    policy: PressPolicy
    now: float
    """Seconds on the clock of the entries."""


@frozen
class RunningGameViews:
    """The view of a running game, and what is new since the last one, all as JSON."""

    page: bytes
    """The `GameView`."""
    summary: bytes
    """The `GameSummary`, with the board."""
    turns: tuple[bytes, ...]
    """Each new `TurnView` of a turn that was played."""
    open: bytes
    """The `TurnView` of the turn that is being played; empty if the game is over."""
    press: tuple[bytes, ...]
    """Each new `PressView`."""
    promises: bytes
    """All `PromiseView`s so far; empty if there are none."""
    events: int
    """How many turns and press there are so far."""


@frozen
class RecordPlace:
    """Where the record of a finished game is."""

    path: Path
    line: int | None
    game: str
    policy: PressPolicy


@frozen
class RunningPlace:
    """The running game that `RunningGameJob`s of the same id are about."""

    game: str


GamePlace = RecordPlace | RunningPlace


@frozen
class FinishedViewJob:
    """The view of a finished game as JSON by gzip, put into the index as well."""

    record: RecordPlace
    index: Path
    made_for: str


@frozen
class FileJob:
    """The record as a file in a format of the registry."""

    game: GamePlace
    format: str


@frozen
class PictureJob:
    """The picture of a turn, as SVG."""

    game: GamePlace
    turn: str


@frozen
class ChoicesJob:
    """What the unit at a place could have been ordered."""

    game: GamePlace
    turn: str
    at: str


class BoardPart(IdentityEnum):
    """What the page needs of a board; the value ends its address."""

    PLACES = ""
    PICTURE = ".svg"
    STYLE = ".css"


@frozen
class BoardJob:
    """A part of a board."""

    board: str
    part: BoardPart


@frozen
class IndexJob:
    """Bring the index up to date with the records in folders."""

    index: Path
    folders: tuple[Path, ...]


Job = (
    BoardJob
    | IndexJob
    | RunningGameJob
    | FinishedViewJob
    | FileJob
    | PictureJob
    | ChoicesJob
)
"""What the worker does; `JobFailed` may be the answer to each."""


@frozen
class JobFailed:
    """The worker could not do a job; nothing is wrong with the worker."""

    reason: str
    is_missing: bool = False
    """There is no such game, turn, unit or format."""


@frozen
class EntriesMissing:
    """The worker has not the entries before the offset of a `RunningGameJob`."""


Answer = RunningGameViews | bytes | JobFailed | EntriesMissing
