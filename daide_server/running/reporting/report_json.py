"""The results of a tournament for programs."""

import msgspec
from attrs import asdict

from daide_server.classes import frozen
from daide_server.tournament.game_outcomes import Incident
from daide_server.tournament.pairs import Comparison, VersionResult

from .report_facts import ReportFacts


@frozen
class PairStatus:
    """How `bot` did against `against`: see `Comparison`."""

    bot: str
    against: str
    games: int
    difference: float
    low: float | None
    high: float | None
    better: float
    holds: bool


@frozen
class VersionStatus:
    """How a version of a bot did: see `VersionResult`."""

    bot: str
    version: str
    games: int
    score: float
    low: float | None
    high: float | None
    change: float | None
    change_low: float | None
    change_high: float | None


def results_json(found: ReportFacts) -> str:
    """Return the object of `status --json`, with all pairs, incidents and versions.

    Only bots that had several versions have some there.
    """
    names = [bot.name for bot in found.ledger.plan.description.bots]
    result = {
        **asdict(found.status),
        "pairs": [asdict(_pair(each, names)) for each in found.pairs],
        "incidents": [_incident(each) for each in found.incidents],
        "versions": [asdict(_version(each, names)) for each in found.versions],
    }
    return msgspec.json.format(msgspec.json.encode(result), indent=1).decode() + "\n"


def _pair(pair: Comparison, names: list[str]) -> PairStatus:
    one, other = pair.pair
    return PairStatus(
        bot=names[one],
        against=names[other],
        games=pair.games,
        difference=pair.difference,
        low=pair.interval.low if pair.interval else None,
        high=pair.interval.high if pair.interval else None,
        better=pair.better,
        holds=pair.holds,
    )


def _version(result: VersionResult, names: list[str]) -> VersionStatus:
    interval, change = result.interval, result.change_interval
    return VersionStatus(
        bot=names[result.bot],
        version=result.version,
        games=result.games,
        score=result.score,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        change=result.change,
        change_low=change.low if change else None,
        change_high=change.high if change else None,
    )


def _incident(incident: Incident) -> dict[str, object]:
    attempt = incident.attempt
    values = asdict(incident, recurse=False) | {"attempt": attempt.number}
    return {"game": attempt.game, **values}
