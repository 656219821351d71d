"""A recorded game as rows of the index: what lists, search and bots' pages show."""

from collections.abc import Mapping
from statistics import median
from typing import Final

import msgspec
from msgspec import structs

from daide_server.board.names import Power
from daide_server.records.entries import Ending, PlayerTally
from daide_server.records.game_results import game_result, scoring_system
from daide_server.records.record import GameRecord
from daide_server.reports.game_views import game_summary
from daide_server.scoring.systems import ScoringError, points, score

from .game_files import Found

IndexRow = Mapping[str, object]

SHOWN_CHARACTERS: Final = 200
"""Of a name; this server takes a hundred."""


def game_row(record: GameRecord, found: Found, game: str) -> IndexRow:
    """Return the row of a game in the table of games."""
    powers = record.variant.map.powers
    last = record.turns[-1].position if record.turns else record.last
    return {
        "id": game,
        "path": str(found.path),
        "line": found.line,
        "board": record.variant.name,
        "started": record.started,
        "seconds": record.ended,
        "ending": "" if record.ending is None else record.ending.value,
        "winners": " ".join(record.winners),
        "year": last.turn.year,
        "turns": len(record.turns),
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
    """Return `solo`, `draw`, `survived`, `eliminated`, or `` of a game without end."""
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
    return {
        "refused": sum(tally.refused for tally in tallies),
        "syntax_errors": sum(tally.syntax_errors for tally in tallies),
        "late": sum(tally.late for tally in tallies),
        "think": _think(tallies),
    }


def _think(tallies: list[PlayerTally]) -> float | None:
    times = [each.think_median for each in tallies if each.think_median is not None]
    return median(times) if times else None
