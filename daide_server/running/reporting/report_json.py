"""The results of a tournament for programs."""

import msgspec
from attrs import asdict

from daide_server.classes import frozen
from daide_server.tournament.incidents import Incident
from daide_server.tournament.pairs import Comparison

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


def results_json(found: ReportFacts) -> str:
    """Return the object of `status --json`, with all pairs and incidents."""
    names = [bot.name for bot in found.ledger.plan.description.bots]
    result = {
        **asdict(found.status),
        "pairs": [asdict(_pair(each, names)) for each in found.pairs],
        "incidents": [_incident(each) for each in found.incidents],
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


def _incident(incident: Incident) -> dict[str, object]:
    attempt = incident.attempt
    values = asdict(incident, recurse=False) | {"attempt": attempt.number}
    return {"game": attempt.game, **values}
