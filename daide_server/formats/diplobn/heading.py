"""The data of the whole game: its note, dates, players and rules.

The note has the data without a key of their own, and is read again.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Final

from msgspec import Struct, UnsetType

from daide_server.records.entries import Ending
from daide_server.records.game_results import USUAL_SCORING, scoring_system
from daide_server.records.record import FOREIGN_EDITION, GameRecord, Sitting

from .map_names import BoardNames
from .scoring_names import MANUAL, OUR_SYSTEMS, SYSTEM_NAMES
from .shapes import DiplobnGame

KEPT: Final = (
    "Competition",
    "URL",
    "Modality",
    "CommunicationType",
    "Language",
    "DeadlineType",
    "LimitType",
    "AnonymityType",
)
"""The keys that the metadata of a record may override."""

LAST_SECOND: Final = 253402300799
"""The end of the year 9999."""


# The note

NOTE: Final = re.compile(
    r"variant: (?P<variant>\S+); rules: (?P<edition>[^;]+); "
    r"level: (?P<level>\d{1,4}); scoring: (?P<scoring>[^\s;]+)(?P<foreign>; imported)?"
)


class Note(Struct, frozen=True):
    """The data in the note that we write, or the defaults for other files."""

    variant: str
    edition: str
    level: int
    scoring: str
    foreign: bool

    def __str__(self) -> str:
        foreign = "; imported" if self.foreign else ""
        return (
            f"variant: {self.variant}; rules: {self.edition}; "
            f"level: {self.level}; scoring: {self.scoring}{foreign}"
        )


def note_of(record: GameRecord) -> Note:
    """Return the note on *record*."""
    return Note(
        record.variant.name,
        record.edition,
        record.level,
        scoring_system(record),
        record.foreign,
    )


def note_in(game: DiplobnGame) -> Note:
    """Return the note of *game*, or the defaults without one."""
    found = NOTE.match(text_of(game.Note))
    if found is None:
        name = text_of(game.ScoringSystem)
        scoring = OUR_SYSTEMS.get(name, name)
        return Note("standard", FOREIGN_EDITION, 0, scoring, foreign=True)
    return Note(
        found["variant"],
        found["edition"],
        int(found["level"]),
        found["scoring"],
        bool(found["foreign"]),
    )


def text_of(value: str | UnsetType) -> str:
    """Return *value*, or nothing if the file does not have it."""
    return "" if isinstance(value, UnsetType) else value


# Written


def heading(record: GameRecord) -> Mapping[str, str]:
    """Return the data of the whole game as texts, by key."""
    kept = {key: record.metadata[key] for key in KEPT if key in record.metadata}
    return {
        "GameLabel": record.id,
        "ScoringSystem": SYSTEM_NAMES.get(scoring_system(record), MANUAL),
        "Note": str(note_of(record)),
        **_usual(record.level, record.ending),
        **_days(record),
        **kept,
    }


def _usual(level: int, ending: Ending | None) -> Mapping[str, str]:
    """Return the values for a game between bots, unless the metadata differ."""
    limited = ending is Ending.YEAR_LIMIT
    return {
        "Modality": "Online",
        "CommunicationType": "Full" if level else "None",
        "Language": "English",
        "LimitType": "YearLimited" if limited else "Unlimited",
        "AnonymityType": "Full",
    }


def _days(record: GameRecord) -> Mapping[str, str]:
    """Return the days of the game, as far as its time is known."""
    if not 0 < record.started < LAST_SECOND:
        return {}
    began = _day(record.started)
    if record.ended is None:
        return {"DateBegan": began}
    ended = _day(min(record.started + record.ended, LAST_SECOND))
    if began == ended:
        return {"DatePlayed": began}
    return {"DateBegan": began, "DateEnded": ended}


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def players(record: GameRecord, names: BoardNames) -> dict[str, str]:
    """Return the player of each country."""
    return {
        country: f"{sitting.name} {sitting.version}".strip()
        for power, country in names.countries.items()
        if (sitting := record.sitting(power))
    }


# Read


def started(game: DiplobnGame) -> float:
    """Return the beginning of the first day in seconds since 1970; 0 if unknown."""
    return _midnight(text_of(game.DateBegan) or text_of(game.DatePlayed)) or 0.0


def ended(game: DiplobnGame) -> float | None:
    """Return the seconds from the first day to the last one; `None` if unknown."""
    last = _midnight(text_of(game.DateEnded) or text_of(game.DatePlayed))
    return None if last is None else max(0.0, last - started(game))


def _midnight(text: str) -> float | None:
    """Return the beginning of the day *text* in seconds since 1970."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


def sittings(game: DiplobnGame, names: BoardNames) -> Iterator[Sitting]:
    """Yield the player of each power; a file has one for the whole game."""
    for country, player in (game.Players or {}).items():
        name, _, version = player.rpartition(" ")
        power = names.power(country)
        yield Sitting(power, name or player, version if name else "", 0.0)


def metadata(game: DiplobnGame, note: Note, ending: Ending | None) -> Mapping[str, str]:
    """Return the data of the file that do not derive from the rest."""
    usual = _usual(note.level, ending)
    texts = {key: text_of(getattr(game, key)) for key in KEPT}
    kept = {
        key: text for key, text in texts.items() if text not in {"", usual.get(key)}
    }
    if note.scoring not in {"", USUAL_SCORING}:
        kept["scoring_system"] = note.scoring
    return kept
