"""The metadata of a game, and the scoring system, which stands in two places.

Entries that derive from the record are written for other programs, and not read.
"""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from daide_server.records.record import GameRecord
from daide_server.records.turn_results import USUAL_SCORING, scoring_system

from .dialect import Dialect
from .map_names import Names
from .shapes import ReadGame

AGENT: Final = "agent_"
DERIVED: Final[Mapping[str, Callable[[GameRecord], str]]] = {
    "has_draw_votes": lambda record: str(bool(record.votes)),
    "draw_type": lambda _: "draw-votes-public",
    "daide_level": lambda record: str(record.level),
    "rules_edition": lambda record: record.edition,
    "end_reason": lambda record: record.ending.value if record.ending else "running",
}
DOCUMENT_SYSTEMS: Final = (
    "sum_of_squares",
    "draw_size",
    "sum_of_centers",
    "c_diplo_100",
    "c_diplo_73",
    "tribute",
    "carnage",
    "dixie",
)
"""The scoring systems that dipcc's document names, in its order."""
SCORING_KEY: Final = "scoring_system"
SCORING_NUMBERS: Final = {"0": "sum_of_squares", "1": "draw_size"}
"""dipcc has numbers for two."""


def metadata_of(record: GameRecord, names: Names) -> dict[str, str]:
    """Return the metadata of *record*, and who played each power last."""
    derived = {key: value(record) for key, value in DERIVED.items()}
    agents = {
        f"{AGENT}{text}": f"{sitting.name} {sitting.version}".strip()
        for power, text in names.powers.items()
        if (sitting := record.sitting(power))
    }
    said = record.metadata if record.foreign else {}
    return {**record.metadata, **derived, **said, **agents}


def metadata_in(game: ReadGame) -> dict[str, str]:
    """Return the metadata that do not derive from the rest of the file.

    The scoring system is there if it is not the usual one.
    """
    found = {
        key: value
        for key, value in (game.metadata or {}).items()
        if isinstance(value, str) and key not in DERIVED and not key.startswith(AGENT)
    }
    scoring = SCORING_NUMBERS.get(str(game.scoring_system), game.scoring_system)
    if isinstance(scoring, str) and scoring != USUAL_SCORING:
        found.setdefault(SCORING_KEY, scoring)
    return found


def with_own_words(record: GameRecord, game: ReadGame) -> GameRecord:
    """Return *record* with what another program's *game* says of what we derive.

    Such a file may say that votes on a draw were allowed, though nobody voted.
    """
    if not record.foreign:
        return record
    said = {
        key: value
        for key, value in (game.metadata or {}).items()
        if key in DERIVED and isinstance(value, str) and value != DERIVED[key](record)
    }
    return replace(record, metadata={**record.metadata, **said}) if said else record


def scoring_of(record: GameRecord, dialect: Dialect) -> str:
    """Return the scoring system, or the usual one if *dialect* does not know it."""
    name = scoring_system(record)
    known = DOCUMENT_SYSTEMS if dialect.scoring is None else dialect.scoring
    return name if name in known else USUAL_SCORING
