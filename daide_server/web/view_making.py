"""How the view worker does its jobs: views, pictures and files made from records.

What may be shown is decided first, by one filter (`records/secrecy.py`): nothing is
made of a record that has not passed it.
"""

import gzip
import math
from collections import OrderedDict
from functools import singledispatchmethod
from pathlib import Path
from typing import Final

import msgspec
from attrs import field
from msgspec import structs
from msgspec.structs import replace
from sqlalchemy import Engine
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import DatabaseError

from daide_server.board.variant import VariantError
from daide_server.classes import define
from daide_server.formats.errors import FormatError, shortened
from daide_server.formats.registry import FORMATS
from daide_server.pictures.picture import PictureError
from daide_server.records.entries import Ended, RecordEntry
from daide_server.records.folding import fold
from daide_server.records.record import GameRecord, RecordError
from daide_server.records.secrecy import visible
from daide_server.reports.game_views import (
    GameViewer,
    choices_view,
    game_summary,
    game_view,
)
from daide_server.reports.views import PressView, TurnView
from daide_server.storage.game_files import games_in, read_game
from daide_server.storage.index_building import bring_up_to_date
from daide_server.storage.index_tables import VIEW_TABLE, IndexFault, open_index
from daide_server.storage.variants import find_variant

from .boards import board_picture, board_places, board_style
from .turn_pictures import turn_picture
from .view_jobs import (
    Answer,
    BoardJob,
    BoardPart,
    ChoicesJob,
    EntriesMissing,
    FileJob,
    FinishedViewJob,
    GamePlace,
    IndexJob,
    Job,
    JobFailed,
    PictureJob,
    RecordPlace,
    RunningGameJob,
    RunningGameViews,
)

COMPRESSION: Final = 6
RUNNING_GAMES: Final = 512
"""Running games whose views are kept to go on from; others begin anew."""
ERRORS: Final = (
    *(OSError, FormatError, VariantError, RecordError, PictureError),
    *(IndexFault, DatabaseError),
)
"""What a record may cause that is no fault of ours."""


@define
class ViewedGame:
    """What was made of a running game so far."""

    job: RunningGameJob
    """The latest one."""
    entries: list[RecordEntry] = field(factory=list)
    viewer: GameViewer | None = None
    turns: list[TurnView] = field(factory=list)
    said: set[PressView] = field(factory=set)

    def record(self) -> GameRecord:
        """Return what may be shown of the game."""
        job = self.job
        record = fold(
            self.entries,
            find_variant(job.board),
            game=job.game,
            started=job.started,
            metadata=job.metadata,
        )
        now = job.now - (record.started - job.started)
        return visible(record, job.policy, now, running=not self.is_over)

    def add_turns(self, record: GameRecord) -> tuple[TurnView, ...]:
        """Return all turns of *record*, of which the new ones are judged."""
        if self.viewer is None:
            self.viewer = GameViewer(record.variant, record.edition)
        known = len(self.turns)
        following = record.positions[known + 1 :]
        for turn, after in zip(record.turns[known:], following, strict=True):
            self.turns.append(self.viewer.add(turn, after))
        return (*self.turns, self.viewer.open(record.last, record.last_since))

    @property
    def is_over(self) -> bool:
        """Return whether the game has its result."""
        return any(isinstance(entry, Ended) for entry in self.entries[-20:])


class ViewMaking:
    """Does jobs, one after the other."""

    def __init__(self) -> None:
        self._games: Final[OrderedDict[str, ViewedGame]] = OrderedDict()
        self._indexes: Final[dict[Path, Engine]] = {}

    def answer(self, job: Job) -> Answer:
        """Return what *job* asks for."""
        try:
            return self._do(job)
        except LookupError as error:
            return JobFailed(str(error.args[0]) if error.args else "", is_missing=True)
        except ERRORS as error:
            return JobFailed(shortened(str(error)))

    @singledispatchmethod
    def _do(self, job: Job) -> Answer:
        raise TypeError(job)

    @_do.register
    def _running(self, job: RunningGameJob) -> Answer:
        game = self._games.pop(job.game, None) or ViewedGame(job)
        if job.offset > len(game.entries):
            return EntriesMissing()
        if job.offset < len(game.entries):
            game = ViewedGame(job, game.entries[: job.offset])
        game.job = job
        game.entries += job.entries
        self._games[job.game] = game
        while len(self._games) > RUNNING_GAMES:
            self._games.popitem(last=False)
        return _running_views(game)

    @_do.register
    def _index(self, job: IndexJob) -> Answer:
        bring_up_to_date(self._opened(job.index), job.folders)
        return b""

    @_do.register
    def _finished(self, job: FinishedViewJob) -> Answer:
        record = _shown(job.record)
        view = game_view(record, press_note=job.record.policy.note(running=False))
        packed = gzip.compress(_json(view), COMPRESSION, mtime=0)
        values = {"made_for": job.made_for, "view": packed}
        row = insert(VIEW_TABLE).values(game=job.record.game, **values)
        with self._opened(job.index).begin() as connection:
            connection.execute(
                row.on_conflict_do_update(index_elements=["game"], set_=values)
            )
        return packed

    def _opened(self, index: Path) -> Engine:
        if index not in self._indexes:
            self._indexes[index] = open_index(index)
        return self._indexes[index]

    @_do.register
    def _board(self, job: BoardJob) -> Answer:
        try:
            variant = find_variant(job.board)
        except VariantError as error:
            # Its message may say more of this machine than a visitor needs to know.
            message = f"no board {job.board!r}"
            raise LookupError(message) from error
        match job.part:
            case BoardPart.PLACES:
                return _json(board_places(variant))
            case BoardPart.PICTURE:
                return board_picture(variant).encode()
            case BoardPart.STYLE:
                return board_style(variant).encode()

    @_do.register
    def _file(self, job: FileJob) -> Answer:
        # A name or press may have a lone surrogate, which UTF-8 cannot encode.
        text = FORMATS[job.format].write(self._shown(job.game))
        return text.encode(errors="replace")

    @_do.register
    def _picture(self, job: PictureJob) -> Answer:
        picture = turn_picture(self._shown(job.game), job.turn)
        return picture.encode(errors="replace")

    @_do.register
    def _choices(self, job: ChoicesJob) -> Answer:
        found = choices_view(self._shown(job.game), job.turn, job.at)
        if found is None:
            message = f"{job.turn}: there is no unit at {job.at}"
            raise LookupError(message)
        return _json(found)

    def _shown(self, place: GamePlace) -> GameRecord:
        """Return what may be shown of a game."""
        if isinstance(place, RecordPlace):
            return _shown(place)
        if place.game not in self._games:
            message = f"{place.game}: the game is not running"
            raise LookupError(message)
        return self._games[place.game].record()


def _shown(place: RecordPlace) -> GameRecord:
    """Return what may be shown of a finished game."""
    for found in games_in(place.path):
        if found.line == place.line:
            record = replace(read_game(found), id=place.game)
            return visible(record, place.policy, math.inf, running=False)
    message = f"{place.game}: the record is gone"
    raise LookupError(message)


def _running_views(game: ViewedGame) -> RunningGameViews:
    record, is_over = game.record(), game.is_over
    known = len(game.turns)
    turns = game.add_turns(record)
    is_open = record.is_last_turn_open and not is_over
    summary = structs.replace(game_summary(record, running=not is_over), last=turns[-1])
    note = game.job.policy.note(running=not is_over)
    view = game_view(record, turns, running=not is_over, press_note=note)
    new = [each for each in view.press if each not in game.said]
    game.said = set(view.press)
    return RunningGameViews(
        page=_json(view),
        summary=_json(summary),
        turns=tuple(map(_json, view.turns[known:-1])),
        open=_json(view.turns[-1]) if is_open else b"",
        press=tuple(map(_json, new)),
        promises=_json(view.promises) if view.promises else b"",
        events=len(game.turns) + len(view.press),
    )


def _json(view: object) -> bytes:
    return msgspec.json.encode(view)
