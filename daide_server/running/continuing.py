"""Plays games from one position to their ends; functions here block."""

import zlib
from collections.abc import Mapping
from pathlib import Path
from random import Random

from attrs import evolve, frozen

from daide_server.records.entries import Ending
from daide_server.records.record import GameRecord
from daide_server.records.turn_results import game_result
from daide_server.scoring.systems import points, score
from daide_server.storage.archive import replace
from daide_server.storage.game_files import Found, read_game
from daide_server.storage.variants import find_variant
from daide_server.tournament.game_outcomes import Attempt, PlayedGame
from daide_server.tournament.spread import Continuation

from .bot_settings import BotSettings
from .game_task import GameTask, dealt, is_slow_start
from .play_game import play_game


@frozen
class Branching:
    """What the games from one position have in common."""

    run: str
    """Begins the names of the records."""
    board: str
    settings: Mapping[str, Mapping[str, object]]
    """Of each game, with the start, as `GameTask` has them."""
    programs: tuple[BotSettings, ...]
    """The bot of each power, in the order of the board."""
    seed: int
    """The game *n* is played with this seed and *n*."""
    system: str
    """The scoring system."""
    records: Path | None = None
    """Where the records are kept."""


class ContinuationError(Exception):
    """A game was broken off, or cannot be kept; the message says why."""


def play_on(branching: Branching, number: int) -> Continuation:
    """Play game *number*. Raises `ContinuationError` if it did not end."""
    task = _task(branching, number)
    report = play_game(task)
    if is_slow_start(report.outcome):
        report = play_game(evolve(task, is_alone=True))
    content = None if report.record is None else zlib.decompress(report.record)
    if content is None or not isinstance(report.outcome, PlayedGame):
        reason = getattr(report.outcome, "reason", "was broken off")
        message = f"game {number}: {reason}"
        raise ContinuationError(message)
    path = Path(f"{branching.run}-{number:06}.json")
    if branching.records is not None:
        path = branching.records / path
        _keep(path, content, number)
    found = Found(path, None, content)
    record = read_game(found, lambda _: find_variant(branching.board))
    forfeits = (
        f"game {number}: {branching.programs[seat.bot].name} ({seat.power}) "
        f"forfeited: {seat.forfeit.reason}"
        for seat in report.outcome.seats
        if seat.forfeit is not None
    )
    return continuation(record, branching.system, tuple(forfeits))


def _task(branching: Branching, number: int) -> GameTask:
    powers = find_variant(branching.board).map.powers
    chance = Random(f"{branching.seed} {number}")  # noqa: S311 - a game, not a secret
    seats = tuple(dealt(powers, branching.programs, chance).values())
    attempt = Attempt(number, 1)
    return GameTask(branching.run, attempt, seats, branching.seed, branching.settings)


def _keep(path: Path, content: bytes, number: int) -> None:
    try:
        replace(path, content)
    except OSError as error:
        reason = f"cannot write the record {path}: {error.strerror or error}"
        message = f"game {number}: {reason}"
        raise ContinuationError(message) from error


def continuation(
    record: GameRecord, system: str, forfeits: tuple[str, ...] = ()
) -> Continuation:
    """Return how the game of *record* ended. Raises `ContinuationError`."""
    if record.ending is None or record.ending is Ending.ABORTED:
        message = f"{record.id}: was broken off"
        raise ContinuationError(message)
    shares = score(points(system, game_result(record)))
    powers = record.variant.map.powers
    return Continuation(
        record.ending,
        record.winners,
        {power: len(record.last.centres_of(power)) for power in powers},
        {power: float(shares[power]) for power in powers},
        forfeits,
    )
