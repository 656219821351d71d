"""The key `daide` of a game, and the defaults for games without it."""

from typing import Final

from msgspec.structs import replace

from daide_server.board.names import Power
from daide_server.formats.errors import FormatError
from daide_server.records.entries import Ending
from daide_server.records.game_results import game_result, scoring_system
from daide_server.records.record import GameRecord, Sitting
from daide_server.scoring.systems import ScoringError, points

from .map_names import Names
from .shapes import Agent, GameExtension

SCHEMA: Final = 1


def extension_of(record: GameRecord, names: Names) -> GameExtension:
    """Return the parts of *record* that the dialects have no keys for."""
    return GameExtension(
        schema=SCHEMA,
        edition=record.edition,
        level=record.level,
        started=record.started,
        ending=record.ending.value if record.ending else None,
        winners=[names.powers[power] for power in record.winners],
        ended=record.ended,
        agents=[
            Agent(
                names.powers[each.power],
                each.name,
                each.version,
                each.since,
                each.until,
                each.forfeit,
                each.stand_in,
            )
            for each in record.sittings
        ],
        foreign=record.foreign,
        variant=record.variant.name.lower(),
        last=names.phase_text(record.last.turn),
        points=_points(record, names),
    )


def _points(record: GameRecord, names: Names) -> dict[str, str]:
    try:
        given = points(scoring_system(record), game_result(record))
    except ScoringError:
        return {}
    return {names.powers[power]: str(value) for power, value in given.items()}


def from_extension(
    record: GameRecord, names: Names, extension: GameExtension
) -> GameRecord:
    """Return *record* with the data of the key `daide`."""
    return replace(
        record,
        edition=extension.edition,
        level=extension.level,
        foreign=extension.foreign,
        ending=_ending(extension.ending),
        winners=tuple(map(names.power, extension.winners)),
        ended=extension.ended,
        sittings=tuple(
            Sitting(
                names.power(each.power),
                each.name,
                each.version,
                each.since,
                each.until,
                each.forfeit,
                each.stand_in,
            )
            for each in extension.agents
        ),
    )


def _ending(text: str | None) -> Ending | None:
    try:
        return None if text is None else Ending(text)
    except ValueError:
        expected = ", ".join(each.value for each in Ending)
        message = f"daide.ending: found {text!r}, expected one of {expected}"
        raise FormatError(message) from None


def inferred(record: GameRecord) -> GameRecord:
    """Return *record* with a solo or a draw, as its last position implies."""
    alive = [
        power
        for power in record.variant.map.powers
        if not record.last.is_eliminated(power)
    ]
    solo = [power for power in alive if _has_won(record, power)]
    ending = Ending.SOLO if solo else Ending.DRAW
    return replace(
        record, ending=ending, winners=tuple(solo or alive), ended=record.last_since
    )


def _has_won(record: GameRecord, power: Power) -> bool:
    return len(record.last.centres_of(power)) >= record.variant.map.majority
