"""Running games from their files, as far as they may be shown. All functions block.

| file | content |
|---|---|
| `ID.jsonl` | the journal of a server's game, which is replayed |
| `ID.running` | the record so far of a game without a journal |

Journals have passcodes, orders of the current turn, and press. This module returns
nothing but records that have passed `records.secrecy.visible`, who owes orders, and the
content of the digests of turns.
"""

import os
import time
from collections.abc import Iterable, Mapping
from math import inf
from pathlib import Path
from typing import Final

import msgspec
from attrs import define
from msgspec import Struct, structs

from daide_server.board.map import Position, Variant
from daide_server.board.names import Coast, Location, Power, Province, Unit, UnitType
from daide_server.board.notation import read_turn
from daide_server.game.absence import wait_status
from daide_server.game.journal import TurnDigest, replay
from daide_server.library import journal_file
from daide_server.library.game_files import Found, read_game
from daide_server.library.variants import find_variant
from daide_server.records.entries import Began, RecordEntry, TurnResolved, fold
from daide_server.records.formats.phase_json.map_names import turn_id
from daide_server.records.record import Ending, GameRecord, Sitting
from daide_server.records.secrecy import PressPolicy, PressShown, visible
from daide_server.server.game_runner import GameSoFar
from daide_server.server.making import reason_of, replay_alone
from daide_server.text.game_views import game_summary, game_view
from daide_server.text.turn_views import GameViewer
from daide_server.text.views import GameSummary, PressView, StatusView

from .finished_games import ShownGame

HEAD_BYTES = 1 << 17
"""The first bytes of a journal, which contain the first digest."""
TAIL_BYTES = 1 << 15
"""The last bytes of a journal, with the last digest unless much press follows."""
DIGEST = b',"kind":"digest",'

Boards = Mapping[str, str]
"""The files of boards that are not part of the package, by name."""

_json = msgspec.json.encode


class GameFault(Exception):  # noqa: N818 (`GameError` is that of a game's rules)
    """A running game cannot be shown; the message says why."""


class GameNews(Struct, frozen=True):
    """The visible part of a running game, and what is new since the last call."""

    record: GameRecord
    shown: ShownGame
    events: tuple[tuple[str, bytes], ...]
    """Each new processed `turn` and each new `press`: their views as JSON."""
    states: dict[str, bytes]
    """The current states: all `promises` so far; the `open` turn; the `status`: what
    the game waits for."""


class _LineTimes(Struct):
    """The game time of a line of a journal, and its wall time if it has one."""

    t: float
    at: float | None = None


# The two kinds of file


class JournalSource:
    """A running game from its journal."""

    def __init__(self, path: Path, boards: Boards) -> None:
        """Open the file *path*. Raises `OSError`."""
        self.is_gone = False
        self._path: Final = path
        self._boards: Final = boards
        self._file = path.open("rb")
        self._size = 0
        self._entries: list[RecordEntry] = []
        self._game: GameSoFar | None = None
        self._variant: Variant | None = None
        self._lines = 0
        self._opened = 0.0
        """The wall time at which the game time was zero, in seconds since 1970."""

    def has_changed(self) -> bool:
        """Return whether there is more to read; notice if the file is gone."""
        try:
            there = self._path.stat()
        except FileNotFoundError:
            self.is_gone = True
            return os.fstat(self._file.fileno()).st_size > self._size
        if there.st_ino != os.fstat(self._file.fileno()).st_ino:
            # It was rewritten, with the same lines.
            self._file.close()
            self._file = self._path.open("rb")
        return there.st_size > self._size

    def update(self) -> None:
        """Replay the new complete lines. Raises the exceptions of replay."""
        descriptor = self._file.fileno()
        new = os.fstat(descriptor).st_size - self._size
        data = os.pread(descriptor, max(0, new), self._size)
        raw = data[: data.rfind(b"\n") + 1].splitlines(keepends=True)
        if self._game is None and raw:
            header = journal_file.read_header(self._path, raw[0])
            board = self._boards.get(header.board, header.board)
            empty = journal_file.GameContent(header, [], [], 0)
            self._game, self._variant = replay_alone(empty, board)
            self._opened, self._size = header.opened, len(raw.pop(0))
        game = self._game
        if game is None:
            return
        lines, _ = journal_file.good_lines(raw, journal_file.FIRST_LINE + self._lines)
        self._entries += replay(game.game, lines, game.reader, game.tally)
        self._lines += len(lines)
        for line in raw[: len(lines)]:
            self._size += len(line)
            if b',"at":' in line[:80]:  # The times come first.
                when = msgspec.json.decode(line, type=_LineTimes)
                self._opened = (when.at or 0.0) - when.t

    def record(self) -> GameRecord | None:
        """Return the record so far; `None` if the game has not begun."""
        game, variant = self._game, self._variant
        has_begun = any(isinstance(each, Began) for each in self._entries)
        if game is None or variant is None or not has_begun:
            return None
        return fold(
            self._entries,
            variant,
            game=game.header.record,
            started=self._opened,
            metadata=game.header.metadata,
        )

    def status(self) -> bytes:
        """Return as JSON what the game waits for: who owes orders, never the orders."""
        state = None if self._game is None else self._game.game.state
        if state is None or state.ending is not None:
            return b""
        turns = (
            each.seconds
            for each in reversed(self._entries)
            if isinstance(each, Began | TurnResolved)
        )
        seconds = time.time() - self._opened
        left, missed = state.clock.running_left(seconds), wait_status(state)
        found = StatusView(
            turn=turn_id(state.position.turn),
            stage=state.stage.name.lower(),
            owing=state.owing(),
            vacant=() if missed is None else missed.vacant,
            since=round(self._opened + next(turns, 0.0), 1),
            until=None if left is None else round(self._opened + seconds + left, 1),
        )
        return msgspec.json.encode(found)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


@define(eq=False)
class RecordSource:
    """A running game from its record so far, which is replaced after each turn."""

    _path: Path
    _boards: Boards
    is_gone: bool = False
    _stamp: tuple[int, int] | None = None
    _record: GameRecord | None = None

    def has_changed(self) -> bool:
        """Return whether the record has changed; notice if it is gone."""
        try:
            return self._stamp != _stamp_of(self._path)
        except FileNotFoundError:
            self.is_gone = True
            return False

    def update(self) -> None:
        """Read the record. Raises `OSError`, `FormatError` and `VariantError`."""
        self._stamp = _stamp_of(self._path)
        self._record = read_record(self._path, self._boards)

    def record(self) -> GameRecord | None:
        """Return the record."""
        return self._record

    def status(self) -> bytes:
        """Return nothing: the file has nothing of the current turn."""
        return b""

    def close(self) -> None:
        """Do nothing."""


def _stamp_of(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_ino, found.st_mtime_ns


def read_record(path: Path, boards: Boards) -> GameRecord:
    """Return the record in *path*. Raises `OSError`, `FormatError`, `VariantError`."""
    found = Found(path, None, path.read_bytes())
    return read_game(found, lambda name: find_variant(boards.get(name, name)))


# What may be shown


class GameReplay:
    """The visible part of one running game, updated when its file has changed."""

    def __init__(
        self, game: str, path: Path, boards: Boards, policy: PressPolicy
    ) -> None:
        """Show the game in the file *path* under the id *game*. Raises `OSError`."""
        kind = JournalSource if path.suffix == journal_file.SUFFIX else RecordSource
        self._source: Final[JournalSource | RecordSource] = kind(path, boards)
        self._game: Final = game
        self._policy: Final = policy
        self._viewer: GameViewer | None = None
        self._turns = 0
        """The number of processed turns."""
        self._said: set[PressView] = set()
        self._due = 0.0
        """When further press may be shown, in seconds since 1970."""

    def has_ended(self) -> bool:
        """Return whether its file is gone: the game has a record, or was given up."""
        self._source.has_changed()
        return self._source.is_gone

    @property
    def is_due(self) -> bool:
        """Return whether there is something new to show."""
        return self._source.has_changed() or self._due <= time.time()

    @property
    def status(self) -> bytes:
        """What it waits for, a `StatusView` as JSON; empty if unknown."""
        return self._source.status()

    def close(self) -> None:
        """Close its file."""
        self._source.close()

    def _visible(self) -> GameRecord | None:
        """Return the visible part of the game now; `None` if it has not begun."""
        record = self._source.record()
        if record is None:
            return None
        now = time.time() - record.started
        self._due = self._next_due(record, now)
        is_running = record.ending is None
        record = structs.replace(record, id=self._game)
        return visible(record, self._policy, now, running=is_running)

    def _next_due(self, record: GameRecord, now: float) -> float:
        if self._policy.shown is not PressShown.DELAYED or record.ending is not None:
            return inf
        delay = self._policy.delay
        waiting = ((each.seconds or 0.0) + delay for each in record.press_and_votes)
        return record.started + min(
            (each for each in waiting if each > now), default=inf
        )

    def update(self) -> GameNews | None:
        """Read and return what is new; `None` if the game has not begun.

        Raises `GameFault`.
        """
        try:
            self._source.update()
            record = self._visible()
            return None if record is None else self._news(record)
        except Exception as error:  # any error in a file affects only its game
            raise GameFault(f"{self._game}: {reason_of(error)}") from error

    def _news(self, record: GameRecord) -> GameNews:
        is_running = record.ending is None
        if self._viewer is None:
            self._viewer = GameViewer(record.variant, record.edition)
        note = self._policy.note(running=is_running)
        view = game_view(record, self._viewer, running=is_running, press_note=note)
        played = [each for each in view.turns if not each.open]
        said = [each for each in view.press if each not in self._said]
        events = [("turn", _json(each)) for each in played[self._turns :]]
        events += [("press", _json(each)) for each in said]
        states = {
            "promises": _json(view.promises) if view.promises else b"",
            "open": _json(view.turns[-1]) if is_running else b"",
            "status": self.status,
        }
        self._turns, self._said = len(played), set(view.press)
        return GameNews(
            record=record,
            shown=ShownGame(view, _json(view)),
            events=tuple(events),
            states={name: data for name, data in states.items() if data},
        )


# Lists, which need no replay


def summary_of(game: str, path: Path, boards: Boards) -> GameSummary | None:
    """Return the entry of a running game in lists, from its file *path*.

    `None` if it has not begun. Raises `GameFault`.
    """
    try:
        if path.suffix == journal_file.SUFFIX:
            return _summary_of_journal(game, path, boards)
        record = structs.replace(read_record(path, boards), id=game)
    except Exception as error:
        raise GameFault(f"{game}: {reason_of(error)}") from error
    is_running = record.ending is None
    return game_summary(record, running=is_running, with_board=True)


def _summary_of_journal(game: str, path: Path, boards: Boards) -> GameSummary | None:
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
        start = _digest_of(head.splitlines(keepends=True))
        if start is None:
            return None
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - TAIL_BYTES))
        latest = _digest_of(reversed(file.read().splitlines(keepends=True)))
        if latest is None:
            file.seek(0)
            latest = _digest_of(reversed(file.read().splitlines(keepends=True)))
    latest = latest or start
    header = journal_file.read_header(path, head[: head.index(b"\n") + 1])
    variant = find_variant(boards.get(header.board, header.board))
    is_running = not latest.ending
    record = structs.replace(_record_of(header, variant, start, latest), id=game)
    found = game_summary(record, running=is_running, with_board=True)
    years = read_turn(latest.turn).year - read_turn(start.turn).year + 1
    return structs.replace(found, years=years)


def _digest_of(lines: Iterable[bytes]) -> TurnDigest | None:
    """Return the first digest in *lines*; the first and last line may be incomplete."""
    for line in lines:
        # A line begins with its number, its times and its kind.
        is_digest = DIGEST in line[:100] and line.startswith(b'{"n":')
        if is_digest and line.endswith(b"}\n"):
            return msgspec.json.decode(line, type=TurnDigest)
    return None


def _record_of(
    header: journal_file.GameHeader,
    variant: Variant,
    start: TurnDigest,
    latest: TurnDigest,
) -> GameRecord:
    """Return a record without turns that ends as in a digest."""
    position = Position(
        turn=read_turn(latest.turn),
        units=tuple(map(_unit, latest.units)),
        owners=latest.owners,
        dislodged={_unit(each): () for each in latest.dislodged},
    )
    sittings = tuple(
        Sitting(power, name, "", 0.0, None) for power, name in start.players.items()
    )
    return GameRecord(
        id=header.record,
        variant=variant,
        edition="",
        level=0,
        started=header.opened,
        sittings=sittings,
        ending=Ending(latest.ending) if latest.ending else None,
        last=position,
    )


def _unit(text: str) -> Unit:
    power, kind, place = text.split()
    province, _, coast = place.partition("/")
    location = Location(Province(province), Coast(coast) if coast else None)
    return Unit(Power(power), UnitType(kind), location)
