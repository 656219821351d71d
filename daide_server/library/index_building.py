"""The index of a records folder brought up to date with its files.

A file that is new or has changed is read; one that is gone is forgotten. That takes
minutes for thousands of files, so it runs in a thread of the page, and commits often.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from statistics import median

import msgspec
from msgspec import Struct, structs
from sqlalchemy import Connection, delete, insert, select

from daide_server.board.map import VariantError
from daide_server.board.names import Power
from daide_server.records.formats.errors import FormatError, shortened
from daide_server.records.record import Ending, GameRecord, RecordError
from daide_server.records.standings import game_result, scoring_system
from daide_server.scoring.systems import ScoringError, points, score
from daide_server.text.game_views import game_summary

from .game_files import GAME_SUFFIXES, Found, games_in, read_game
from .index_tables import FILE_TABLE, GAME_TABLE, SEAT_TABLE
from .record_index import IndexProgress, RecordIndex

FILES_PER_COMMIT = 20
RECORD_FOLDERS = ("records", "games")
"""Folders in a folder that have records as well."""
MAX_PROBLEM = 300
"""Maximum characters of the stored problem of a file."""


class RecordFile(Struct, frozen=True):
    """A file that may have records, and the properties that reveal a change."""

    path: Path
    changed: int
    size: int
    prefix: str = ""
    """The prefix of the ids of its games, because tournaments use equal numbers."""


def record_files(folders: Iterable[Path]) -> Iterator[RecordFile]:
    """Yield the files in *folders* that may have records, the newest first."""
    found: dict[str, RecordFile] = {}
    for folder in folders:
        found.update((str(each.path), each) for each in _files_in(folder))
        prefix = f"{folder.resolve().name}-"
        for name in RECORD_FOLDERS:
            files = _files_in(folder / name, prefix)
            found.update((str(each.path), each) for each in files)
    yield from sorted(found.values(), key=lambda each: -each.changed)


def _files_in(folder: Path, prefix: str = "") -> Iterator[RecordFile]:
    try:
        paths = list(folder.iterdir())
    except OSError:
        # It does not exist yet, or is not readable.
        return
    for path in paths:
        if path.suffix.lower() in GAME_SUFFIXES and not path.name.startswith("."):
            with suppress(OSError):
                status = path.stat()
                if S_ISREG(status.st_mode):
                    changed, size = status.st_mtime_ns, status.st_size
                    yield RecordFile(path, changed, size, prefix)


def bring_up_to_date(index: RecordIndex, folders: Iterable[Path]) -> None:
    """Update *index* from the records in *folders*, and its `progress` meanwhile.

    Raises SQLAlchemy's `DatabaseError` if the index cannot be written.
    """
    files = list(record_files(folders))
    with index.engine.connect() as connection:
        known = {
            row.path: (row.changed, row.size)
            for row in connection.execute(select(FILE_TABLE))
        }
    present = {str(each.path) for each in files}
    outdated = [
        each for each in files if known.get(str(each.path)) != (each.changed, each.size)
    ]
    with index.engine.begin() as connection:
        for path in known.keys() - present:
            _forget(connection, path)
    done, total = len(files) - len(outdated), len(files)
    index.progress = IndexProgress(done, total)
    for at in range(0, len(outdated), FILES_PER_COMMIT):
        some = outdated[at : at + FILES_PER_COMMIT]
        with index.engine.begin() as connection:
            for each in some:
                _replace(connection, each)
        done += len(some)
        index.progress = IndexProgress(done, total)


def _forget(connection: Connection, path: str) -> None:
    games = select(GAME_TABLE.c.id).where(GAME_TABLE.c.path == path)
    connection.execute(delete(SEAT_TABLE).where(SEAT_TABLE.c.game.in_(games)))
    connection.execute(delete(GAME_TABLE).where(GAME_TABLE.c.path == path))
    connection.execute(delete(FILE_TABLE).where(FILE_TABLE.c.path == path))


def _replace(connection: Connection, file: RecordFile) -> None:
    """Replace the games of *file* in the index."""
    _forget(connection, str(file.path))
    problem = None
    try:
        for found in games_in(file.path):
            _add(connection, found, file.prefix)
    except OSError as error:
        problem = error.strerror or str(error)
    except (FormatError, VariantError, RecordError, ValueError) as error:
        problem = shortened(str(error), MAX_PROBLEM)
    row = {"changed": file.changed, "size": file.size, "problem": problem}
    connection.execute(insert(FILE_TABLE).values(path=str(file.path), **row))


def _add(connection: Connection, found: Found, prefix: str) -> None:
    record = read_game(found)
    # File names may be any bytes; addresses take UTF-8.
    game = _free_name(connection, prefix + (_encodable(found.stem) or "game"))
    connection.execute(insert(GAME_TABLE).values(**game_row(record, found, game)))
    connection.execute(insert(SEAT_TABLE), seat_rows(record, game))


def _free_name(connection: Connection, name: str) -> str:
    """Return *name*, or with a number if a game of another file has it."""
    number, free = 1, name
    taken = select(GAME_TABLE.c.id)
    while connection.execute(taken.where(GAME_TABLE.c.id == free)).first() is not None:
        number += 1
        free = f"{name}-{number}"
    return free


# Rows: what lists, search and the pages of bots show

IndexRow = Mapping[str, object]

SHOWN_CHARACTERS = 200
"""Maximum characters of a stored name; this server accepts a hundred."""


def game_row(record: GameRecord, found: Found, game: str) -> IndexRow:
    """Return the row of a game in the table of games."""
    powers = record.variant.map.powers
    last = record.turns[-1].position if record.turns else record.last
    return {
        "id": game,
        "path": str(found.path),
        "line": found.line,
        "started": record.started,
        "ending": "" if record.ending is None else record.ending.value,
        "year": last.turn.year,
        "bots": "\n".join(sorted(_player(record, each)["name"] for each in powers)),
        "summary": msgspec.json.encode(game_summary(structs.replace(record, id=game))),
    }


def seat_rows(record: GameRecord, game: str) -> list[IndexRow]:
    """Return a row for each power of a game."""
    shares = _shares(record)
    return [
        {
            "game": game,
            "power": power,
            "position": position,
            **_player(record, power),
            "centres": len(record.last.centres_of(power)),
            "outcome": _outcome(record, power),
            "score": shares.get(power, 0.0),
            **_conduct(record, power),
        }
        for position, power in enumerate(record.variant.map.powers)
    ]


def _player(record: GameRecord, power: Power) -> dict[str, str]:
    sitting = record.sitting(power)
    name = "" if sitting is None else sitting.name[:SHOWN_CHARACTERS]
    version = "" if sitting is None else sitting.version[:SHOWN_CHARACTERS]
    return {"name": _encodable(name), "version": _encodable(version)}


def _encodable(text: str) -> str:
    """Return *text* with half surrogate pairs replaced, which SQLite cannot hold."""
    return text.encode(errors="replace").decode()


def _outcome(record: GameRecord, power: Power) -> str:
    """Return `solo`, `draw`, `survived` or `eliminated`; empty without a result."""
    if record.ending in {None, Ending.ABORTED}:
        return ""
    if power in record.winners:
        return "solo" if record.ending is Ending.SOLO else "draw"
    return "eliminated" if record.last.is_eliminated(power) else "survived"


def _shares(record: GameRecord) -> Mapping[Power, float]:
    """Return the score of each power as a share of 1; empty without a result."""
    if record.ending in {None, Ending.ABORTED}:
        return {}
    try:
        found = score(points(scoring_system(record), game_result(record)))
    except ScoringError:
        return {}
    return {power: float(share) for power, share in found.items()}


def _conduct(record: GameRecord, power: Power) -> IndexRow:
    tallies = [
        turn.tallies[power]
        for turn in record.turns
        if turn.tallies is not None and power in turn.tallies
    ]
    times = [each.think_median for each in tallies if each.think_median is not None]
    return {
        "refused": sum(tally.refused for tally in tallies),
        "syntax_errors": sum(tally.syntax_errors for tally in tallies),
        "late": sum(tally.late for tally in tallies),
        "think": median(times) if times else None,
    }
